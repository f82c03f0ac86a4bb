/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* arena.c - memory for many small objects that are freed together */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_containers.h>

#define CHUNK_SIZE 16384	/* bytes of a chunk; a larger object gets a chunk of its own */

struct kcatch_arena_chunk {
	struct kcatch_arena_chunk *next;
	size_t size;
	alignas(max_align_t) char bytes[];
};

static void free_from(struct kcatch_arena_chunk *chunk)
{
	while (chunk) {
		struct kcatch_arena_chunk *next = chunk->next;

		free(chunk);
		chunk = next;
	}
}

void kcatch_arena_deinit(struct kcatch_arena *arena)
{
	free_from(arena->chunks);
	*arena = (struct kcatch_arena){ .chunks = NULL };
}

void kcatch_arena_reset(struct kcatch_arena *arena)
{
	if (!arena->chunks)
		return;
	free_from(arena->chunks->next);
	arena->chunks->next = NULL;
	arena->used = 0;
}

void *kcatch_arena_take(struct kcatch_arena *arena, size_t size)
{
	const size_t align = alignof(max_align_t);
	struct kcatch_arena_chunk *chunk = arena->chunks;
	void *taken;

	if (size > (size_t)1 << 30)
		return NULL;
	size = (size + align - 1) / align * align;
	if (!chunk || size > chunk->size - arena->used) {
		size_t room = size > CHUNK_SIZE ? size : CHUNK_SIZE;

		chunk = malloc(sizeof(*chunk) + room);
		if (!chunk)
			return NULL;
		chunk->next = arena->chunks;
		chunk->size = room;
		arena->chunks = chunk;
		arena->used = 0;
	}
	taken = chunk->bytes + arena->used;
	arena->used += size;
	return memset(taken, 0, size);
}
