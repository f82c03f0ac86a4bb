/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_rows_test.c - the rows of a page's table are of the whole time, however the events come
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "table_rows.h"

#define SECOND 1000000000ULL

static struct timeline line;
static struct table_rows table;

static void begin(size_t most)
{
	memset(&line, 0, sizeof(line));
	memset(&table, 0, sizeof(table));
	table.most = most;
}

static void take(uint64_t time_ns, uint32_t node)
{
	assert_int_equal(timeline_add(&line, 0, "all", time_ns), 0);
	if (table_rows_takes(&table, &line, time_ns))
		assert_int_equal(table_rows_add(&table, time_ns, node, strdup("[]")), 0);
	assert_true(table.nr_rows <= table.most);
}

static void end(void)
{
	table_rows_deinit(&table);
	timeline_deinit(&line);
}

/* Rows in each span of the time line; every one that has events has some. */
static void count_rows(size_t *counts)
{
	size_t i;

	memset(counts, 0, TIMELINE_SPANS * sizeof(*counts));
	for (i = 0; i < table.nr_rows; i++)
		counts[timeline_span(&line, table.rows[i].time_ns)]++;
	for (i = 0; i < TIMELINE_SPANS; i++)
		assert_int_equal(!counts[i], !line.rows[0]->spans[i]);
}

static void few_events_are_all_there(void **state)
{
	uint64_t i;

	(void)state;
	begin(5000);
	for (i = 0; i < 5000; i++)
		take(SECOND + i * i, 0);
	assert_int_equal(table.nr_rows, 5000);
	for (i = 0; i < 5000; i++)
		assert_int_equal(table.rows[i].time_ns, SECOND + i * i);
	end();
}

static void steady_events_are_chosen_evenly(void **state)
{
	size_t counts[TIMELINE_SPANS], i, least = SIZE_MAX, most = 0;

	(void)state;
	begin(5000);
	for (i = 0; i < 1000000; i++)
		take(SECOND + i * 10000, 0);
	assert_in_range(table.nr_rows, 2500, 5000);
	count_rows(counts);
	/* The last span is not over. */
	for (i = 0; i + 1 < TIMELINE_SPANS && counts[i + 1]; i++) {
		if (counts[i] < least)
			least = counts[i];
		if (counts[i] > most)
			most = counts[i];
	}
	assert_true(least > 4 && most <= 4 * least);
	end();
}

/* A second with a million events, a minute with one each second, and the same again. */
static void bursts_leave_room(void **state)
{
	size_t counts[TIMELINE_SPANS], quiet = 0, i;
	uint64_t now = 77 * SECOND;

	(void)state;
	begin(1000);
	for (i = 0; i < 2000120; i++) {
		bool rare = i % 1000060 >= 1000000;

		now += rare ? SECOND : 1000;
		take(now, rare);
	}
	count_rows(counts);
	for (i = 0; i < table.nr_rows; i++)
		quiet += table.rows[i].node;
	assert_int_equal(quiet, 120);
	end();
}

/* A call is read when it has returned, with the time of its entry. */
static void late_events_are_taken_too(void **state)
{
	size_t counts[TIMELINE_SPANS], i;

	(void)state;
	begin(1500);
	for (i = 0; i < 100000; i++)
		take(SECOND + i * 1000 - (i % 10 ? 0 : i * 900), 0);
	take(1, 0);
	count_rows(counts);
	end();
}

static void small_tables_have_what_fits(void **state)
{
	size_t most, i, late = 0;

	(void)state;
	for (most = 0; most < 10; most++) {
		begin(most);
		for (i = 0; i < 10000; i++)
			take(SECOND + i * 1000, 0);
		assert_true(!most || table.nr_rows);
		for (i = 0; most > 1 && i < table.nr_rows; i++)
			late += table.rows[i].time_ns > SECOND + 5000 * 1000;
		end();
	}
	assert_in_range(late, 8, 45);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_events_are_all_there),
		cmocka_unit_test(steady_events_are_chosen_evenly),
		cmocka_unit_test(bursts_leave_room),
		cmocka_unit_test(late_events_are_taken_too),
		cmocka_unit_test(small_tables_have_what_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
