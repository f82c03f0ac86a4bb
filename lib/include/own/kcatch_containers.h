/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kcatch_containers.h - an arena and a hash table, for kcatch's own programs
 *
 * Not installed: what is in own/ changes as kcatch needs it.
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

/* ---- hashes that nobody can foresee ------------------------------------------------ */

/**
 * kcatch_hash_secret - a random number that stays the same while the program runs
 *
 * Recordings may come from anybody: whoever knew how their keys are hashed could choose keys that
 * all collide, and one look-up would take as many steps as there are keys.
 *
 * Return: an odd number.
 */
uint64_t kcatch_hash_secret(void);

/**
 * kcatch_hash_number - hash of a number
 * @key: the number
 * @secret: from kcatch_hash_secret()
 *
 * Multiplication by a random odd number: for any two keys that were chosen without knowing it, n
 * bits of the result are the same with a probability of at most 2/2^n (Dietzfelbinger et al., A
 * reliable randomized algorithm for the closest-pair problem, 1997).
 *
 * Return: 32 bits.
 */
static inline uint32_t kcatch_hash_number(uint64_t key, uint64_t secret)
{
	return (uint32_t)(key * secret >> 32);
}

/**
 * kcatch_hash_bytes - hash of a string of bytes, which depends on the secret
 * @key: the bytes
 * @length: number of bytes
 *
 * Return: 32 bits.
 */
uint32_t kcatch_hash_bytes(const char *key, size_t length);

/* ---- a hash table from byte strings to numbers ------------------------------------ */

struct kcatch_table_entry {
	const char *key;	/* owned by the caller, must stay */
	size_t length;
	size_t value;
	uint32_t hash;
};

/**
 * struct kcatch_table - zeroed is empty
 * @entries: array of the keys and their values, in the order they were added in
 * @count: number of entries
 * @index: numbers of entries by hash, from 1 on; 0: free slot
 * @room: number of slots in @index, a power of two
 */
struct kcatch_table {
	struct kcatch_table_entry *entries;
	size_t count;
	uint32_t *index;
	size_t room;
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
