/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* arena.h - memory for many small things that go at once */
#ifndef LIB_ARENA_H
#define LIB_ARENA_H

#include <stddef.h>

struct kcatch_arena_chunk;

/** struct kcatch_arena - zeroed is empty */
struct kcatch_arena {
	struct kcatch_arena_chunk *chunks;
	size_t used;		/* of the first chunk */
};

/**
 * kcatch_arena_deinit - give everything back
 * kcatch_arena_reset - the same, but keep memory for the next time
 * @arena: the arena
 */
void kcatch_arena_deinit(struct kcatch_arena *arena);
void kcatch_arena_reset(struct kcatch_arena *arena);

/**
 * kcatch_arena_take - zeroed memory
 * @arena: from where
 * @size: bytes
 *
 * Return: the memory, aligned for all types, until reset or deinit; NULL.
 */
void *kcatch_arena_take(struct kcatch_arena *arena, size_t size);

#endif
