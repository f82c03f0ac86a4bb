/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* table.h - a hash table from byte strings to numbers */
#ifndef LIB_TABLE_H
#define LIB_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct kcatch_table_entry {
	const char *key;	/* the caller's, must stay; NULL: empty place */
	size_t length;
	size_t value;
	uint32_t hash;
};

/**
 * struct kcatch_table - zeroed is empty
 * @entries: places, a power of two
 * @room: how many places
 * @count: how many are taken
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
 * kcatch_table_find - look a key up
 * @table: the table
 * @key: bytes
 * @length: how many
 *
 * Return: a pointer to its value, until the next kcatch_table_add(); NULL.
 */
size_t *kcatch_table_find(const struct kcatch_table *table, const char *key, size_t length);

/**
 * kcatch_table_add - set the value of a key
 * @table: the table
 * @key: bytes that stay where they are as long as the table
 * @length: how many
 * @value: its value
 *
 * Return: 0; 1 when the key was there (its value is left as it was); -ENOMEM.
 */
int kcatch_table_add(struct kcatch_table *table, const char *key, size_t length, size_t value);

#endif
