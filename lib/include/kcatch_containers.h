/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kcatch_containers.h - an arena and a hash table, for kcatch's own programs
 *
 * Not installed, and not exported from the shared library: the command links the archive.
 * No locks: a container is used by one thread at a time.
 */
#ifndef KCATCH_CONTAINERS_H
#define KCATCH_CONTAINERS_H

#include <stddef.h>
#include <stdint.h>

/* ---- memory for many small objects that are freed together ------------------------ */

struct kcatch_arena_chunk;

/** struct kcatch_arena - zeroed is empty */
struct kcatch_arena {
	struct kcatch_arena_chunk *chunks;
	size_t used;		/* bytes in use in the first chunk */
};

/**
 * kcatch_arena_deinit - free all memory of an arena
 * kcatch_arena_reset - empty an arena, but keep its first chunk for reuse
 * @arena: the arena
 */
void kcatch_arena_deinit(struct kcatch_arena *arena);
void kcatch_arena_reset(struct kcatch_arena *arena);

/**
 * kcatch_arena_take - allocate zeroed memory
 * @arena: the arena
 * @size: bytes
 *
 * Return: the memory, aligned for all types, valid until reset or deinit; NULL: no memory.
 */
void *kcatch_arena_take(struct kcatch_arena *arena, size_t size);

/* ---- a hash table from byte strings to numbers ------------------------------------ */

struct kcatch_table_entry {
	const char *key;	/* owned by the caller, must stay; NULL: free slot */
	size_t length;
	size_t value;
	uint32_t hash;
};

/**
 * struct kcatch_table - zeroed is empty
 * @entries: array of slots
 * @room: number of slots, a power of two
 * @count: number of used slots
 */
struct kcatch_table {
	struct kcatch_table_entry *entries;
	size_t room;
	size_t count;
};

/**
 * kcatch_table_deinit - free the table's memory
 * @table: the table
 */
void kcatch_table_deinit(struct kcatch_table *table);

/**
 * kcatch_table_find - look up a key
 * @table: the table
 * @key: bytes of the key
 * @length: length of @key, bytes
 *
 * Return: a pointer to the value, valid until the next kcatch_table_add(); NULL: no such key.
 */
size_t *kcatch_table_find(const struct kcatch_table *table, const char *key, size_t length);

/**
 * kcatch_table_add - add a key and its value
 * @table: the table
 * @key: bytes of the key; must stay in place as long as the table
 * @length: length of @key, bytes
 * @value: value of the key
 *
 * Return: 0; 1 when the key exists (its value is unchanged); -ENOMEM.
 */
int kcatch_table_add(struct kcatch_table *table, const char *key, size_t length, size_t value);

#endif
