// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * deadlock_test.c - circles in wait-for graphs: each one is found, whoever waits for it is in none
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stuck/deadlock.h"

#define NONE KCATCH_WAITS_FOR_NONE
#define NODES 8

/* The graph of NEXT has the circles of EXPECTED; nothing is read or written behind its nodes. */
static void expect(const uint32_t *next, const uint32_t *expected, size_t nr, uint32_t circles)
{
	uint32_t given[NODES + 1], circle[NODES + 1] = { 0 };

	memset(given, 0xff, sizeof(given));
	memcpy(given, next, nr * sizeof(*next));
	assert_int_equal(kcatch_deadlock_circles(given, nr, circle), circles);
	assert_memory_equal(circle, expected, nr * sizeof(*expected));
	assert_int_equal(circle[nr], 0);
}

static void test_none(void **state)
{
	const uint32_t next[] = { NONE, 0, 1, NONE }, expected[4] = { 0 };

	(void)state;
	expect(next, expected, 4, 0);
	expect(next, expected, 0, 0);
}

static void test_circles(void **state)
{
	/* 0 waits for itself, 1 and 3 for each other, 2 for 3; 4 for 5, 5 for 6, which is free */
	const uint32_t next[] = { 0, 3, 3, 1, 5, 6, NONE };
	const uint32_t expected[] = { 1, 2, 0, 2, 0, 0, 0 };

	(void)state;
	expect(next, expected, 7, 2);
}

/* A circle that is entered from outside: the way into it is no part of it. */
static void test_way_into_circle(void **state)
{
	const uint32_t next[] = { 1, 2, 3, 4, 2 }, expected[] = { 0, 0, 1, 1, 1 };

	(void)state;
	expect(next, expected, 5, 1);
}

/* Nodes that do not exist are waited for by nobody. */
static void test_beyond(void **state)
{
	const uint32_t next[] = { 2, 4, 1, 3, 5 }, expected[] = { 0, 0, 0, 1, 0 };

	(void)state;
	expect(next, expected, 5, 1);
}

static void test_all_small_graphs(void **state)
{
	uint32_t number, next[4], circle[4], at, steps, i;

	(void)state;
	for (number = 0; number < 5 * 5 * 5 * 5; number++) {
		for (i = 0, at = number; i < 4; i++, at /= 5)
			next[i] = at % 5;	/* 4: none */
		kcatch_deadlock_circles(next, 4, circle);
		for (i = 0; i < 4; i++) {
			for (at = next[i], steps = 0; at < 4 && at != i && steps < 4; steps++)
				at = next[at];
			assert_int_equal(at == i, circle[i] != 0);
			if (circle[i])
				assert_int_equal(circle[i], circle[next[i]]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none), cmocka_unit_test(test_circles),
		cmocka_unit_test(test_way_into_circle), cmocka_unit_test(test_beyond),
		cmocka_unit_test(test_all_small_graphs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
