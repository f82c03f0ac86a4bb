// SPDX-License-Identifier: GPL-2.0-or-later
/* Description: records that wait behind a ring come out as they went in, within the bound. */
#include <setjmp.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ring/backlog.h"

#define PACKET	65536U
#define BOUND	((size_t)4 << 20)
#define CHUNK	((size_t)1 << 20)

static struct kcatch_backlog backlog;
static size_t left;

static int setup(void **state)
{
	(void)state;
	memset(&backlog, 0, sizeof(backlog));
	left = BOUND;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	kcatch_backlog_clear(&backlog, &left);
	assert_int_equal(left, BOUND);
	assert_null(kcatch_backlog_first(&backlog));
	return 0;
}

/* The record of a number: its size and its bytes follow from it. */
static size_t size_of(uint32_t number)
{
	return sizeof(struct kcatch_record) + 8 * (number * 2654435761U % 500);
}

static bool put(uint32_t number)
{
	struct kcatch_record *room = kcatch_backlog_room(&backlog, PACKET, &left);
	size_t size = size_of(number);

	if (!room)
		return false;
	memset(room, (int)number, size);
	room->id = number;
	room->size = (uint32_t)size;
	kcatch_backlog_push(&backlog, size);
	return true;
}

static void take(uint32_t number)
{
	const struct kcatch_record *record = kcatch_backlog_first(&backlog);
	const unsigned char *bytes = (const void *)record;
	size_t i;

	assert_non_null(record);
	assert_int_equal(record->id, number);
	assert_int_equal(record->size, size_of(number));
	for (i = sizeof(*record); i < record->size; i++)
		assert_int_equal(bytes[i], number & 255);
	kcatch_backlog_pop(&backlog, &left);
}

static void in_order(void **state)
{
	uint32_t written = 0, read = 0, i;

	(void)state;
	srandom(3);
	while (written < 20000) {
		for (i = (uint32_t)random() % 300; i; i--)
			assert_true(put(written++));
		for (i = (uint32_t)random() % 300; i && read < written; i--)
			take(read++);
		while (written - read > 900)
			take(read++);
	}
	while (read < written)
		take(read++);
	assert_null(kcatch_backlog_first(&backlog));
	assert_int_equal(left, BOUND);	/* what is read is given back */
}

static void bounded(void **state)
{
	uint32_t written = 0, read = 0;

	(void)state;
	while (put(written))
		written++;
	assert_true(left < CHUNK);
	/* A chunk that has been read makes room for another. */
	while (left < CHUNK)
		take(read++);
	assert_true(put(written++));
	while (read < written)
		take(read++);
}

/* Room that nothing was written at. */
static void unused_room(void **state)
{
	(void)state;
	assert_non_null(kcatch_backlog_room(&backlog, PACKET, &left));
	assert_null(kcatch_backlog_first(&backlog));
	assert_true(put(7));
	take(7);
	assert_non_null(kcatch_backlog_room(&backlog, PACKET, &left));
}

/* A record that is longer than a chunk. */
static void long_records(void **state)
{
	(void)state;
	assert_non_null(kcatch_backlog_room(&backlog, 2 * CHUNK, &left));
	assert_int_equal(left, BOUND - 2 * CHUNK);
	assert_null(kcatch_backlog_room(&backlog, 3 * CHUNK, &left));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(in_order), TEST(bounded), TEST(unused_room), TEST(long_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
