/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * table.c - a hash table from byte strings to numbers
 *
 * Open addressing with linear probing, at most half full. Keys are not copied.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_containers.h>

static struct kcatch_table_entry *place_of(const struct kcatch_table *table, uint32_t hash,
					   const char *key, size_t length)
{
	size_t i = hash & (table->room - 1);

	for (;; i = (i + 1) & (table->room - 1)) {
		struct kcatch_table_entry *entry = &table->entries[i];

		if (!entry->key || (entry->hash == hash && entry->length == length &&
				    !memcmp(entry->key, key, length)))
			return entry;
	}
}

static int grow(struct kcatch_table *table)
{
	struct kcatch_table larger = { .room = table->room ? table->room * 2 : 64,
				       .count = table->count };
	size_t i;

	larger.entries = calloc(larger.room, sizeof(*larger.entries));
	if (!larger.entries)
		return -ENOMEM;
	for (i = 0; i < table->room; i++) {
		const struct kcatch_table_entry *entry = &table->entries[i];

		if (entry->key)
			*place_of(&larger, entry->hash, entry->key, entry->length) = *entry;
	}
	free(table->entries);
	*table = larger;
	return 0;
}

void kcatch_table_deinit(struct kcatch_table *table)
{
	free(table->entries);
	memset(table, 0, sizeof(*table));
}

size_t *kcatch_table_find(const struct kcatch_table *table, const char *key, size_t length)
{
	struct kcatch_table_entry *entry;

	if (!table->count)
		return NULL;
	entry = place_of(table, kcatch_hash_bytes(key, length), key, length);
	return entry->key ? &entry->value : NULL;
}

int kcatch_table_add(struct kcatch_table *table, const char *key, size_t length, size_t value)
{
	struct kcatch_table_entry *entry;
	uint32_t hash = kcatch_hash_bytes(key, length);

	if (table->count * 2 >= table->room && grow(table))
		return -ENOMEM;
	entry = place_of(table, hash, key, length);
	if (entry->key)
		return 1;
	entry->key = key;
	entry->length = length;
	entry->value = value;
	entry->hash = hash;
	table->count++;
	return 0;
}
