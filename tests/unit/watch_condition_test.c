// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: in a condition of a watchpoint, the names old and new become its arguments;
 * longer names, and texts in quotes, stay as they are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "session/watch_condition.h"

static void check(const char *condition, const char *expected)
{
	char *text = kcatch_watch_condition(condition);

	assert_non_null(text);
	assert_string_equal(text, expected);
	free(text);
}

static void names(void **state)
{
	(void)state;
	check("old != new", "arg0 != arg1");
	check("new>old+1&&old", "arg1>arg0+1&&arg0");
	check("older || _new || new2 || 0xold", "older || _new || new2 || 0xold");
	check("", "");
}

static void texts(void **state)
{
	(void)state;
	check("comm == \"new\"", "comm == \"new\"");
	check("comm == \"old\" && new == 1", "comm == \"old\" && arg1 == 1");
	check("comm == \"a\\\"old\" && old", "comm == \"a\\\"old\" && arg0");
	check("new == 'n' || old == '\\''", "arg1 == 'n' || arg0 == '\\''");
	/* One without an end is refused later, with the place. */
	check("comm == \"new", "comm == \"new");
	check("old == \"\\", "arg0 == \"\\");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests_name("conditions of watchpoints", tests, NULL, NULL);
}
