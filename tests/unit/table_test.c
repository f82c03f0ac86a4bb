// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a table finds each key that was added and no other, whatever bytes it is of, keeps
 * the first value and the order, and takes as many keys as a kernel has functions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <kcatch_containers.h>

#define KEYS 5000U
#define LONGEST 4U
#define MANY 100000U

/* Of three bytes, one of them 0: most keys come again, and are the beginning of others. */
static size_t draw_key(char *key)
{
	size_t length = (size_t)rand() % (LONGEST + 1), i;

	for (i = 0; i < length; i++)
		key[i] = "\0a\xff"[rand() % 3];
	return length;
}

/* Beside an array that is searched from its beginning. */
static void any_bytes(void **state)
{
	static char keys[KEYS][LONGEST];
	static size_t lengths[KEYS], values[KEYS];
	struct kcatch_table table = { .count = 0 };
	size_t i, at, nr = 0;

	(void)state;
	srand(1);
	for (i = 0; i < KEYS; i++) {
		char key[LONGEST];
		size_t length = draw_key(key), *found = kcatch_table_find(&table, key, length);

		for (at = 0; at < nr; at++)
			if (lengths[at] == length && !memcmp(keys[at], key, length))
				break;
		if (at == nr)
			assert_null(found);
		else
			assert_int_equal(*found, values[at]);
		if (rand() % 2)
			continue;
		memcpy(keys[nr], key, length);
		assert_int_equal(kcatch_table_add(&table, keys[nr], length, i), at != nr);
		if (at == nr) {
			lengths[nr] = length;
			values[nr++] = i;
		}
		assert_int_equal(table.count, nr);
	}
	assert_true(nr > 50);
	for (i = 0; i < nr; i++) {
		assert_ptr_equal(table.entries[i].key, keys[i]);
		assert_int_equal(table.entries[i].value, values[i]);
	}
	kcatch_table_deinit(&table);
	assert_null(kcatch_table_find(&table, keys[0], lengths[0]));
}

static void many_keys(void **state)
{
	char(*keys)[16] = calloc(MANY, sizeof(*keys));
	struct kcatch_table table = { .count = 0 };
	uint32_t i;

	(void)state;
	assert_non_null(keys);
	for (i = 0; i < MANY; i++) {
		size_t length = (size_t)snprintf(keys[i], sizeof(keys[i]), "function_%u", i);

		assert_int_equal(kcatch_table_add(&table, keys[i], length, i), 0);
	}
	for (i = 0; i < MANY; i++) {
		size_t *value = kcatch_table_find(&table, keys[i], strlen(keys[i]));

		assert_non_null(value);
		assert_int_equal(*value, i);
		*value = i + 1;
	}
	assert_int_equal(*kcatch_table_find(&table, "function_77", 11), 78);
	assert_null(kcatch_table_find(&table, "function_", 9));
	assert_null(kcatch_table_find(&table, "function_100000", 15));
	kcatch_table_deinit(&table);
	free(keys);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_bytes),
		cmocka_unit_test(many_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
