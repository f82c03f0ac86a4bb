// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * namesakes_test.c - functions that share their name are told from one that is noted twice
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/namesakes.h"

static void names(void **state)
{
	struct kcatch_namesakes all = { .nr = 0 };
	size_t i;
	static const struct {
		const char *module, *name;
		uint64_t address;
	} table[] = {
		{ NULL, "get_name", 0x1000 }, { NULL, "vfs_read", 0x2000 },
		{ NULL, "get_name", 0x3000 }, { "ext4", "vfs_read", 0x4000 },
		{ "ext4", "init_once", 0x5000 }, { "fuse", "init_once", 0x6000 },
		{ "ext4", "init_once", 0x5000 }, { NULL, "once", 0x7000 },
	};

	(void)state;
	assert_false(kcatch_namesakes_have(&all, NULL, "get_name"));
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		assert_int_equal(kcatch_namesakes_add(&all, table[i].module, table[i].name,
						      table[i].address), 0);
	assert_true(kcatch_namesakes_have(&all, NULL, "get_name"));
	assert_false(kcatch_namesakes_have(&all, NULL, "vfs_read"));
	assert_false(kcatch_namesakes_have(&all, "ext4", "vfs_read"));
	assert_false(kcatch_namesakes_have(&all, "ext4", "init_once"));	/* noted twice */
	assert_false(kcatch_namesakes_have(&all, NULL, "get"));
	assert_false(kcatch_namesakes_have(&all, "get", "name"));
	/* A third does not make it one again. */
	assert_int_equal(kcatch_namesakes_add(&all, NULL, "get_name", 0x1000), 0);
	assert_true(kcatch_namesakes_have(&all, NULL, "get_name"));
	kcatch_namesakes_deinit(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
