/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Description: where a thread's time went, by switches and wakings that are made up: preempted or
 * blocked, moved to another CPU, woken before it had gone; and times of which records are missing
 * are said to be unknown.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "thread_states.h"

/* The thread that is asked for, and others. */
#define T 3000101U
#define A 3000102U
#define B 3000103U
#define NONE THREAD_STATES_NONE
#define MS 1000000ULL

static struct thread_states states;
static struct thread_times times;

static int set_up(void **state)
{
	(void)state;
	memset(&states, 0, sizeof(states));
	memset(&times, 0, sizeof(times));
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	thread_times_deinit(&times);
	thread_states_deinit(&states);
	return 0;
}

/* A CPU goes from one thread to another, at a time in milliseconds. */
static void add_switch(uint64_t ms, uint32_t cpu, uint32_t from, uint32_t to, bool preempted)
{
	struct sched_record record = {
		.time_ns = ms * MS, .cpu = cpu, .from = from, .to = to, .preempted = preempted,
		.stack = 7, .from_name = from, .to_name = to,
	};

	assert_int_equal(thread_states_add(&states, &record), 0);
}

static void add_waking(uint64_t ms, uint32_t by, uint32_t of, enum kcatch_event_context context)
{
	struct sched_record record = {
		.time_ns = ms * MS, .cpu = 3, .from = by, .to = of, .context = context,
		.kind = SCHED_RECORD_WAKING, .stack = 8,
	};

	assert_int_equal(thread_states_add(&states, &record), 0);
}

static void add_wakeup(uint64_t ms, uint32_t of)
{
	struct sched_record record = {
		.time_ns = ms * MS, .cpu = 0, .to = of, .kind = SCHED_RECORD_WAKEUP, .stack = 9,
	};

	assert_int_equal(thread_states_add(&states, &record), 0);
}

/* What became of a call of T between two times: "R10 B20 r5 ?1", in milliseconds. */
static void expect(uint64_t from_ms, uint64_t to_ms, const char *expected)
{
	static const char letters[THREAD_STATES] = {
		[THREAD_RUNS] = 'R', [THREAD_RUNNABLE] = 'r', [THREAD_BLOCKED] = 'B',
		[THREAD_UNKNOWN] = '?',
	};
	uint64_t sums[THREAD_STATES] = { 0 }, at = from_ms * MS, sum = 0;
	char text[400] = "";
	size_t i, length = 0;

	assert_int_equal(thread_states_finish(&states), 0);
	assert_int_equal(thread_states_find(&states, T, from_ms * MS, to_ms * MS, true, 0, &times),
			 0);
	for (i = 0; i < times.nr; i++) {
		const struct thread_segment *segment = &times.segments[i];

		assert_int_equal(segment->from_ns, at);
		at = segment->to_ns;
		sums[segment->state] += segment->to_ns - segment->from_ns;
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%c%llu",
					   i ? " " : "", letters[segment->state],
					   (unsigned long long)((segment->to_ns -
								 segment->from_ns) / MS));
	}
	assert_string_equal(text, expected);
	assert_int_equal(at, to_ms * MS);
	for (i = 0; i < THREAD_STATES; i++) {
		assert_int_equal(times.sums[i], sums[i]);
		sum += times.sums[i];
	}
	assert_int_equal(sum, (to_ms - from_ms) * MS);
}

static void never_switched_out(void **state)
{
	(void)state;
	add_switch(5, 0, A, T, false);
	add_switch(50, 0, T, A, false);
	expect(10, 30, "R20");
	assert_int_equal(times.segments[0].cpu, 0);
}

static void blocked_and_woken_by_a_task(void **state)
{
	(void)state;
	add_switch(12, 0, T, 0, false);
	add_waking(40, A, T, KCATCH_IN_TASK);
	add_switch(43, 0, 0, T, false);
	expect(10, 50, "R2 B28 r3 R7");
	assert_int_equal(times.segments[1].waking->from, A);
	assert_int_equal(times.segments[1].left->stack, 7);
	assert_int_equal(times.segments[2].cpu, 0);
}

/* It is blocked until it is in a queue; who woke it is told by the other event. */
static void put_into_a_queue_later(void **state)
{
	(void)state;
	add_switch(12, 0, T, 0, false);
	add_waking(40, A, T, KCATCH_IN_TASK);
	add_wakeup(42, T);
	add_switch(43, 0, 0, T, false);
	/* And of a kernel's recording that has these alone. */
	add_switch(44, 0, T, 0, false);
	add_wakeup(46, T);
	add_switch(47, 0, 0, T, false);
	expect(10, 50, "R2 B30 r1 R1 B2 r1 R3");
	assert_int_equal(times.segments[1].waking->kind, SCHED_RECORD_WAKING);
	assert_int_equal(times.segments[1].waking->from, A);
	assert_int_equal(times.segments[4].waking->kind, SCHED_RECORD_WAKEUP);
}

static void preempted_is_not_blocked(void **state)
{
	(void)state;
	add_switch(12, 0, T, A, true);
	add_switch(20, 0, A, T, true);
	expect(10, 22, "R2 r8 R2");
	assert_null(times.segments[1].waking);
}

static void moves_to_another_cpu(void **state)
{
	(void)state;
	add_switch(11, 0, T, A, true);
	add_switch(13, 2, B, T, false);
	add_switch(15, 0, A, B, false);
	add_switch(16, 2, T, 0, false);
	add_waking(17, B, T, KCATCH_IN_TASK);
	add_switch(18, 1, 0, T, false);
	expect(10, 20, "R1 r2 R3 B1 r1 R2");
	assert_int_equal(times.segments[1].cpu, 2);
	assert_int_equal(times.segments[4].cpu, 1);
	assert_int_equal(times.segments[5].cpu, 1);
}

/* A second waking of a thread that can run already ends no sleep, nor does one while it runs. */
static void only_the_first_waking_counts(void **state)
{
	(void)state;
	add_waking(11, A, T, KCATCH_IN_TASK);
	add_switch(13, 0, T, 0, false);
	add_waking(15, A, T, KCATCH_IN_TASK);
	add_waking(17, B, T, KCATCH_IN_TASK);
	add_switch(19, 0, 0, T, false);
	expect(10, 20, "R3 B2 r4 R1");
	assert_int_equal(times.segments[1].waking->from, A);
}

/* The waker may be recorded before the switch that it waits for. */
static void woken_before_it_had_gone(void **state)
{
	struct sched_record record = {
		.time_ns = 12 * MS - 3000, .cpu = 1, .from = A, .to = T,
		.kind = SCHED_RECORD_WAKING, .stack = 8,
	};

	(void)state;
	assert_int_equal(thread_states_add(&states, &record), 0);
	add_switch(12, 0, T, 0, false);
	add_switch(14, 0, 0, T, false);
	expect(10, 20, "R2 r2 R6");
	assert_int_equal(times.segments[1].waking->from, A);
}

static void a_waking_that_is_missing(void **state)
{
	(void)state;
	/* This one was too long before. */
	add_waking(11, A, T, KCATCH_IN_TASK);
	add_switch(15, 0, T, 0, false);
	add_switch(18, 0, 0, T, false);
	expect(10, 20, "R5 ?3 R2");
	assert_int_equal(times.segments[1].doubt, DOUBT_NO_WAKING);
}

static void a_switch_to_it_is_missing(void **state)
{
	(void)state;
	add_switch(12, 0, T, A, false);
	add_waking(14, A, T, KCATCH_IN_TASK);
	add_switch(17, 0, T, A, true);
	add_switch(18, 0, A, T, false);
	expect(10, 20, "R2 B2 ?3 r1 R2");
	assert_int_equal(times.segments[2].doubt, DOUBT_NO_SWITCH);
}

static void the_last_switch_to_it_is_missing(void **state)
{
	(void)state;
	add_switch(12, 0, T, A, false);
	add_waking(14, A, T, KCATCH_IN_TASK);
	expect(10, 20, "R2 B2 ?6");
	assert_int_equal(times.segments[2].doubt, DOUBT_NO_SWITCH);
}

static void a_switch_away_is_missing(void **state)
{
	(void)state;
	add_switch(15, 1, A, T, false);
	expect(10, 20, "?5 R5");
	assert_int_equal(times.segments[0].doubt, DOUBT_NO_SWITCH);
}

/* It is seen to run where it cannot. */
static void others_had_its_cpu(void **state)
{
	(void)state;
	add_switch(2, 0, A, T, false);
	add_switch(12, 0, B, A, false);
	add_switch(30, 0, T, A, false);
	expect(10, 20, "?10");
	assert_int_equal(times.segments[0].doubt, DOUBT_OTHERS_RAN);
}

/* Without a switch of it in a filtered recording, nothing says that it ran. */
static void a_thread_that_a_filter_left_out(void **state)
{
	(void)state;
	add_switch(12, 1, A, B, false);
	states.partial = true;
	expect(10, 20, "?10");
	assert_int_equal(times.segments[0].doubt, DOUBT_NO_RECORD);
}

static void a_waker_runs(void **state)
{
	(void)state;
	add_switch(12, 0, T, A, false);
	/* An interrupt while it "runs" would be one of another's time; it itself wakes here. */
	add_waking(16, T, B, KCATCH_IN_HARDIRQ);
	add_waking(17, T, B, KCATCH_IN_TASK);
	expect(10, 20, "R2 ?5 R3");
}

/* Of a waker: what it was at the begin comes from before, and it need not have run then. */
static void what_it_was_at_the_begin(void **state)
{
	(void)state;
	add_switch(5, 0, T, A, false);
	add_waking(14, A, T, KCATCH_IN_HARDIRQ);
	add_switch(15, 0, A, T, false);
	assert_int_equal(thread_states_finish(&states), 0);
	assert_int_equal(thread_states_find(&states, T, 10 * MS, 20 * MS, false, NONE, &times), 0);
	assert_int_equal(times.sums[THREAD_BLOCKED], 4 * MS);
	assert_int_equal(times.sums[THREAD_RUNNABLE], 1 * MS);
	assert_int_equal(times.sums[THREAD_RUNS], 5 * MS);
	/* And of one that the recording does not know. */
	assert_int_equal(thread_states_find(&states, B, 10 * MS, 20 * MS, false, NONE, &times), 0);
	assert_int_equal(times.sums[THREAD_UNKNOWN], 10 * MS);
	assert_int_equal(times.segments[0].doubt, DOUBT_NO_RECORD);
}

static void records_out_of_order(void **state)
{
	(void)state;
	add_switch(43, 0, 0, T, false);
	add_switch(12, 0, T, 0, false);
	add_waking(40, A, T, KCATCH_IN_TASK);
	expect(10, 50, "R2 B28 r3 R7");
}

static void who_had_the_cpu(void **state)
{
	struct cpu_shares shares = { .nr = 0 };

	(void)state;
	add_switch(10, 0, T, A, true);
	add_switch(12, 0, A, B, true);
	add_switch(17, 0, B, A, true);
	add_switch(18, 0, A, T, true);
	/* Between these a switch is missing. */
	add_switch(30, 1, T, A, true);
	add_switch(35, 1, B, T, true);
	assert_int_equal(thread_states_finish(&states), 0);
	assert_int_equal(thread_states_cpu(&states, 0, 10 * MS, 18 * MS, &shares), 0);
	cpu_shares_sort(&shares);
	assert_int_equal(shares.nr, 2);
	assert_int_equal(shares.of[0].tid, B);
	assert_int_equal(shares.of[0].ns, 5 * MS);
	assert_int_equal(shares.of[1].tid, A);
	assert_int_equal(shares.of[1].ns, 3 * MS);
	/* Of a part of it. */
	cpu_shares_deinit(&shares);
	assert_int_equal(thread_states_cpu(&states, 0, 11 * MS, 13 * MS, &shares), 0);
	assert_int_equal(shares.nr, 2);
	assert_int_equal(shares.of[0].tid, A);
	assert_int_equal(shares.of[0].ns, 1 * MS);
	assert_int_equal(shares.of[1].ns, 1 * MS);
	cpu_shares_deinit(&shares);
	assert_int_equal(thread_states_cpu(&states, 1, 30 * MS, 35 * MS, &shares), 0);
	assert_int_equal(shares.nr, 1);
	assert_int_equal(shares.of[0].tid, NONE);
	assert_int_equal(shares.of[0].ns, 5 * MS);
	cpu_shares_deinit(&shares);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(never_switched_out), TEST(blocked_and_woken_by_a_task),
		TEST(put_into_a_queue_later), TEST(preempted_is_not_blocked),
		TEST(moves_to_another_cpu),
		TEST(only_the_first_waking_counts), TEST(woken_before_it_had_gone),
		TEST(a_waking_that_is_missing), TEST(a_switch_to_it_is_missing),
		TEST(the_last_switch_to_it_is_missing), TEST(a_switch_away_is_missing),
		TEST(others_had_its_cpu), TEST(a_thread_that_a_filter_left_out),
		TEST(a_waker_runs), TEST(what_it_was_at_the_begin), TEST(records_out_of_order),
		TEST(who_had_the_cpu),
	};

	return cmocka_run_group_tests_name("states of threads", tests, NULL, NULL);
}
