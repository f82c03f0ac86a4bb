// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: times of the records' clock become CLOCK_MONOTONIC by the anchors around them:
 * exact at each anchor, never falling, also where a machine was suspended, and for any numbers
 * that a file may hold.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "session/clock_anchors.h"

#define KHZ 2000000U		/* two ticks a nanosecond, says the kernel */
#define SECOND 1000000000ULL

static void add(struct kcatch_anchors *anchors, uint64_t clock, uint64_t monotonic)
{
	const struct kcatch_anchor anchor = { .clock = clock, .monotonic = monotonic };

	assert_int_equal(kcatch_anchors_add(anchors, &anchor), 0);
}

static void check(struct kcatch_anchors *anchors, uint64_t clock, uint64_t monotonic)
{
	uint64_t got = kcatch_anchors_monotonic(anchors, KHZ, clock);

	if (got != monotonic)
		fail_msg("%llu became %llu, not %llu", (unsigned long long)clock,
			 (unsigned long long)got, (unsigned long long)monotonic);
}

static void one_anchor(void **state)
{
	struct kcatch_anchors anchors = { .first = { .clock = 1000, .monotonic = 5000 } };

	(void)state;
	check(&anchors, 1000, 5000);
	check(&anchors, 3000, 6000);
	check(&anchors, 0, 4500);
	anchors.first.clock = 20000;
	check(&anchors, 0, 0);
	check(&anchors, UINT64_MAX, 5000 + (UINT64_MAX - 20000) / 2);
	assert_int_equal(kcatch_anchors_monotonic(&anchors, 1, UINT64_MAX), INT64_MAX);
}

/* The counter is 11 millionths faster than its rate in kHz says: a second a day. */
static void no_drift(void **state)
{
	struct kcatch_anchors anchors = { .first = { .clock = 0, .monotonic = 0 } };
	const uint64_t day = 86400, ticks = 2 * SECOND + 22000;
	uint64_t second;

	(void)state;
	assert_in_range(kcatch_anchors_monotonic(&anchors, KHZ, day * ticks),
			day * SECOND + 950 * SECOND / 1000, day * SECOND + 951 * SECOND / 1000);
	for (second = 10; second <= day; second += 10)
		add(&anchors, second * ticks, second * SECOND);
	for (second = 1; second <= day; second += 7)
		check(&anchors, second * ticks, second * SECOND);
	for (second = 3; second <= day; second += 1001)
		check(&anchors, second * ticks + ticks / 2, second * SECOND + SECOND / 2);
	/* It goes on as in the last segment. */
	check(&anchors, (day + 100) * ticks, (day + 100) * SECOND);
	kcatch_anchors_deinit(&anchors);
}

/* Two readings next to each other are too inexact for a rate. */
static void near_anchors(void **state)
{
	struct kcatch_anchors anchors = { .first = { .clock = 2000, .monotonic = 1000 } };

	(void)state;
	add(&anchors, 2000 + 2000000, 1000 + 1050000);
	check(&anchors, 2000 + 1000000, 1000 + 525000);
	check(&anchors, 2000 + 2000000 + 2 * SECOND, 1000 + 1050000 + SECOND);
	check(&anchors, 0, 0);
	kcatch_anchors_deinit(&anchors);
}

/* A second on CLOCK_MONOTONIC, an hour on the counter: the machine slept. */
static void suspended(void **state)
{
	struct kcatch_anchors anchors = { .first = { .clock = 0, .monotonic = SECOND } };
	const uint64_t hour = 7200 * SECOND;

	(void)state;
	add(&anchors, 20 * SECOND, 11 * SECOND);
	add(&anchors, 20 * SECOND + hour, 12 * SECOND);
	add(&anchors, 40 * SECOND + hour, 22 * SECOND);
	check(&anchors, 10 * SECOND, 6 * SECOND);
	check(&anchors, 20 * SECOND + SECOND / 2, 11 * SECOND + SECOND / 4);
	check(&anchors, 20 * SECOND + hour / 4, 11 * SECOND + SECOND / 2);
	check(&anchors, 20 * SECOND + hour - SECOND / 2, 12 * SECOND - SECOND / 4);
	check(&anchors, 30 * SECOND + hour, 17 * SECOND);
	check(&anchors, 60 * SECOND + hour, 32 * SECOND);
	kcatch_anchors_deinit(&anchors);
}

/* The counter stood still, or CLOCK_MONOTONIC of a restored machine was set forward. */
static void stood_still(void **state)
{
	struct kcatch_anchors anchors = { .first = { .clock = 0, .monotonic = 0 } };

	(void)state;
	add(&anchors, 4 * SECOND, 3602 * SECOND);
	check(&anchors, SECOND, SECOND / 2);
	check(&anchors, 3 * SECOND, 3602 * SECOND - SECOND / 2);
	/* At neither end that segment says how fast the clock is. */
	check(&anchors, 6 * SECOND, 3603 * SECOND);
	kcatch_anchors_deinit(&anchors);
}

static void jumps(void **state)
{
	const struct kcatch_anchor before = { .clock = 1000, .monotonic = 1000 };
	struct kcatch_anchor after = { .clock = 1000 + 20 * SECOND,
				       .monotonic = 1000 + 10 * SECOND };

	(void)state;
	assert_false(kcatch_anchors_jump(&before, &after, KHZ));
	after.monotonic += SECOND;
	assert_false(kcatch_anchors_jump(&before, &after, KHZ));
	after.monotonic += SECOND;
	assert_true(kcatch_anchors_jump(&before, &after, KHZ));
	after.monotonic -= 4 * SECOND;
	assert_true(kcatch_anchors_jump(&before, &after, KHZ));
	/* A reading that was interrupted for 50 ms. */
	after = (struct kcatch_anchor){ .clock = 3000, .monotonic = 50000000 };
	assert_false(kcatch_anchors_jump(&before, &after, KHZ));
}

static void refused(void **state)
{
	struct kcatch_anchors anchors = { .first = { .clock = 100, .monotonic = 100 } };
	static const struct kcatch_anchor bad[] = {
		{ .clock = 100, .monotonic = 101 }, { .clock = 99, .monotonic = 101 },
		{ .clock = 0, .monotonic = 0 }, { .clock = 101, .monotonic = 99 },
		{ .clock = 101, .monotonic = (uint64_t)INT64_MAX + 1 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(kcatch_anchors_add(&anchors, &bad[i]), -EINVAL);
	add(&anchors, 101, 100);
	assert_int_equal(kcatch_anchors_add(&anchors, &(struct kcatch_anchor){ .clock = 101 }),
			 -EINVAL);
	kcatch_anchors_deinit(&anchors);
}

static uint64_t any_number(void)
{
	uint64_t value = (uint64_t)random() << 42 ^ (uint64_t)random() << 21 ^ (uint64_t)random();

	return value >> random() % 64;
}

static int by_value(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* Any file that can be taken: the order of the records stays, and anchors are met exactly. */
static void any_anchors(void **state)
{
	uint64_t times[60];
	unsigned int round, i, later = 0;

	(void)state;
	srandom(7);
	for (round = 0; round < 20000; round++) {
		struct kcatch_anchors anchors = { .first = { any_number(), any_number() / 2, 0 } };
		const uint32_t khz = (uint32_t)any_number() | 1;
		uint64_t last = 0;

		for (i = 0; i < 8; i++) {
			const struct kcatch_anchor anchor = { any_number(), any_number(), 0 };

			kcatch_anchors_add(&anchors, &anchor);
		}
		for (i = 0; i < 60; i++)
			times[i] = any_number();
		times[0] = 0;
		times[1] = UINT64_MAX;
		for (i = 0; i < anchors.nr_later; i++)
			times[2 + i] = anchors.later[i].clock;
		qsort(times, 60, sizeof(times[0]), by_value);
		for (i = 0; i < 60; i++) {
			uint64_t ns = kcatch_anchors_monotonic(&anchors, khz, times[i]);

			assert_true(ns >= last && ns <= INT64_MAX);
			last = ns;
		}
		for (i = 0; i < anchors.nr_later; i++)
			assert_int_equal(kcatch_anchors_monotonic(&anchors, khz,
								  anchors.later[i].clock),
					 anchors.later[i].monotonic);
		later += anchors.nr_later;
		kcatch_anchors_deinit(&anchors);
	}
	/* Refused anchors would prove little. */
	assert_true(later > 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_anchor),
		cmocka_unit_test(no_drift),
		cmocka_unit_test(near_anchors),
		cmocka_unit_test(suspended),
		cmocka_unit_test(stood_still),
		cmocka_unit_test(jumps),
		cmocka_unit_test(refused),
		cmocka_unit_test(any_anchors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
