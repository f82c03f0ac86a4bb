/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * table.c - a hash table from byte strings to numbers
 *
 * Entries lie in an array in the order they were added in. An index with their numbers is searched
 * by open addressing with linear probing, and is at most half full. Of a table with 40,000 keys,
 * only the index, 0.5 MB, is touched in random order; tables of that size are filled when all
 * functions are armed. Keys are not copied.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_containers.h>

#define ROOM_LEAST 64U
#define COUNT_MAX (UINT32_MAX / 4)

/* The slot of the index that has the key, or the free one where it belongs. */
static uint32_t *slot_of(const struct kcatch_table *table, uint32_t hash, const char *key,
			 size_t length)
{
	size_t i = hash & (table->room - 1);

	for (;; i = (i + 1) & (table->room - 1)) {
		uint32_t *slot = &table->index[i];
		const struct kcatch_table_entry *entry;

		if (!*slot)
			return slot;
		entry = &table->entries[*slot - 1];
		if (entry->hash == hash && entry->length == length &&
		    !memcmp(entry->key, key, length))
			return slot;
	}
}

static int grow(struct kcatch_table *table)
{
	size_t room = table->room ? table->room * 2 : ROOM_LEAST, i, at;
	struct kcatch_table_entry *entries;
	uint32_t *index;

	if (table->count >= COUNT_MAX)
		return -ENOMEM;
	entries = realloc(table->entries, room / 2 * sizeof(*entries));
	if (!entries)
		return -ENOMEM;
	table->entries = entries;
	index = calloc(room, sizeof(*index));
	if (!index)
		return -ENOMEM;
	for (i = 0; i < table->count; i++) {
		for (at = entries[i].hash & (room - 1); index[at]; at = (at + 1) & (room - 1))
			;
		index[at] = (uint32_t)i + 1;
	}
	free(table->index);
	table->index = index;
	table->room = room;
	return 0;
}

void kcatch_table_deinit(struct kcatch_table *table)
{
	free(table->entries);
	free(table->index);
	memset(table, 0, sizeof(*table));
}

size_t *kcatch_table_find(const struct kcatch_table *table, const char *key, size_t length)
{
	uint32_t number;

	if (!table->count)
		return NULL;
	number = *slot_of(table, kcatch_hash_bytes(key, length), key, length);
	return number ? &table->entries[number - 1].value : NULL;
}

int kcatch_table_add(struct kcatch_table *table, const char *key, size_t length, size_t value)
{
	uint32_t hash = kcatch_hash_bytes(key, length), *slot;

	if (table->count * 2 >= table->room && grow(table))
		return -ENOMEM;
	slot = slot_of(table, hash, key, length);
	if (*slot)
		return 1;
	table->entries[table->count] = (struct kcatch_table_entry){
		.key = key, .length = length, .value = value, .hash = hash
	};
	*slot = (uint32_t)++table->count;
	return 0;
}
