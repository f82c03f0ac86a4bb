// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: entries and returns become calls: outer before inner, each under the call
 * it belongs to, none kept for ever, and none lost, whatever order the records come in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/machine.h"
#include "ring/calls.h"

#define SECOND 1000000000ULL

static struct kcatch_calls *calls;

static int setup(void **state)
{
	(void)state;
	return kcatch_calls_create(SECOND, &calls);
}

static int teardown(void **state)
{
	(void)state;
	kcatch_calls_destroy(calls);
	return 0;
}

static unsigned int more;	/* KCATCH_CALL_* of the calls that are taken */

static union {
	struct kcatch_record record;
	struct kcatch_hit hit;
	struct kcatch_return end;
	uint8_t bytes[512];
} made;

static int take_hit(uint32_t id, uint64_t time, uint32_t tid, uint16_t context, uint64_t number,
		    uint64_t latency)
{
	struct kcatch_call_part *part = (void *)made.hit.frames;

	memset(&made, 0, sizeof(made));
	made.hit.head.id = id;
	made.hit.head.time = time;
	made.hit.head.size = sizeof(made.hit) + sizeof(*part);
	made.hit.pid = made.hit.tid = tid;
	made.hit.context = context;
	/* A CALL has the time of its entry there. */
	part->call = id == KCATCH_RECORD_CALL && !number ? time - latency : number;
	part->latency = latency;
	return kcatch_calls_take(calls, &made.record, 0,
				 KCATCH_CALL_RETURNS | KCATCH_CALL_WAITS | more);
}

/* An entry with its whole stack: @stack has a letter for each frame, the innermost first. */
static int take_stack(uint64_t time, uint32_t probe, uint64_t number, const char *stack)
{
	struct kcatch_call_part *part;
	size_t i;

	memset(&made, 0, sizeof(made));
	for (i = 0; stack[i]; i++)
		made.hit.frames[i] = 0xffffffff81000000ULL + (unsigned char)stack[i];
	part = (void *)&made.hit.frames[i];
	made.hit.head.id = KCATCH_RECORD_ID(KCATCH_RECORD_ENTRY, probe);
	made.hit.head.time = time;
	made.hit.head.size = sizeof(made.hit) + i * sizeof(uint64_t) + sizeof(*part);
	made.hit.pid = made.hit.tid = 7;
	made.hit.stack_flags = KCATCH_STACK_COMPLETE;
	made.hit.nr_frames = i;
	part->call = number;
	return kcatch_calls_take(calls, &made.record, 0,
				 KCATCH_CALL_RETURNS | KCATCH_CALL_WAITS | more);
}

static int take_entry(uint64_t time, uint32_t tid, uint64_t number)
{
	return take_hit(KCATCH_RECORD_ENTRY, time, tid, KCATCH_CONTEXT_TASK, number, 0);
}

static int take_return(uint64_t time, uint32_t tid, uint64_t number)
{
	memset(&made, 0, sizeof(made));
	made.end.head.id = KCATCH_RECORD_RETURN;
	made.end.head.time = time;
	made.end.head.size = sizeof(made.end);
	made.end.tid = tid;
	made.end.call = number;
	made.end.ret = number * 100;
	return kcatch_calls_take(calls, &made.record, 0,
				 KCATCH_CALL_RETURNS | KCATCH_CALL_WAITS | more);
}

/* The next ready call is the one entered at @time. Returns its number. */
static uint64_t expect(uint64_t time, enum kcatch_event_return returned, uint64_t parent,
		       uint32_t level)
{
	struct kcatch_call *call = kcatch_calls_next(calls);
	uint64_t id;

	assert_non_null(call);
	assert_int_equal(call->entry_time, time);
	assert_int_equal(call->returned, returned);
	assert_int_equal(call->parent, parent);
	assert_int_equal(call->level, level);
	if (call->end)
		assert_int_equal(call->ret, call->end->call * 100);
	id = call->id;
	kcatch_call_destroy(call);
	return id;
}

static void nothing(void)
{
	assert_null(kcatch_calls_next(calls));
}

static void outer_before_inner(void **state)
{
	uint64_t outer;

	(void)state;
	assert_int_equal(take_entry(10, 7, 1), 0);
	assert_int_equal(take_entry(11, 7, 2), 0);
	assert_int_equal(take_return(12, 7, 2), 0);
	assert_int_equal(take_entry(13, 8, 3), 0);
	assert_int_equal(take_return(14, 8, 3), 0);
	expect(13, KCATCH_RETURN_SEEN, 0, 0);	/* another thread does not wait */
	nothing();
	assert_int_equal(kcatch_calls_nr_waiting(calls), 1);
	assert_int_equal(take_entry(15, 7, 4), 0);
	assert_int_equal(take_return(16, 7, 4), 0);
	nothing();
	assert_int_equal(take_return(17, 7, 1), 0);
	outer = expect(10, KCATCH_RETURN_SEEN, 0, 0);
	expect(11, KCATCH_RETURN_SEEN, outer, 1);
	expect(15, KCATCH_RETURN_SEEN, outer, 1);
	nothing();
	assert_int_equal(kcatch_calls_nr_waiting(calls), 0);
}

static void waits_no_longer(void **state)
{
	uint64_t outer;

	(void)state;
	take_entry(10, 7, 1);
	take_entry(11, 7, 2);
	take_return(12, 7, 2);
	kcatch_calls_end(calls, 12 + SECOND / 5);
	nothing();
	kcatch_calls_end(calls, 13 + SECOND / 5);
	outer = kcatch_calls_nr_waiting(calls);
	assert_int_equal(outer, 1);
	expect(11, KCATCH_RETURN_SEEN, 1, 1);
	nothing();
	assert_int_equal(kcatch_calls_flush(calls), 0);
	expect(10, KCATCH_RETURN_PENDING, 0, 0);
	nothing();
}

static void interrupts_are_under_nothing(void **state)
{
	(void)state;
	take_entry(10, 7, 1);
	take_hit(KCATCH_RECORD_ENTRY, 11, 7, KCATCH_CONTEXT_HARDIRQ, 2, 0);
	take_return(12, 7, 2);
	take_return(13, 7, 1);
	expect(10, KCATCH_RETURN_SEEN, 0, 0);
	expect(11, KCATCH_RETURN_SEEN, 0, 0);
	nothing();
}

static void no_return_will_come(void **state)
{
	uint64_t outer;

	(void)state;
	take_entry(10, 7, 1);
	take_entry(11, 7, 0);
	take_hit(KCATCH_RECORD_HIT, 12, 7, KCATCH_CONTEXT_TASK, 0, 0);
	take_return(13, 7, 1);
	outer = expect(10, KCATCH_RETURN_SEEN, 0, 0);
	expect(11, KCATCH_RETURN_NO_SLOT, outer, 1);
	expect(12, KCATCH_RETURN_NOT_ASKED, outer, 1);
	nothing();
}

/* An inner call, which has returned. */
static void take_inner(uint64_t from, uint64_t to, uint64_t number)
{
	more = KCATCH_CALL_INNER;
	take_entry(from, 7, number);
	take_return(to, 7, number);
	more = 0;
}

static void take_root(uint64_t from, uint64_t to)
{
	take_hit(KCATCH_RECORD_CALL, to, 7, KCATCH_CONTEXT_TASK, 0, to - from);
}

/* Calls under one whose condition did not hold are not handed out, and those under one whose did
 * have it as their parent, however long it took. */
static void roots_that_were_refused(void **state)
{
	uint64_t root, inner;

	(void)state;
	take_inner(10, 11, 1);
	take_inner(12, 13, 2);
	kcatch_calls_end(calls, 5 * SECOND);
	nothing();
	more = KCATCH_CALL_INNER;
	take_entry(5 * SECOND + 1, 7, 3);
	more = 0;
	take_inner(5 * SECOND + 2, 5 * SECOND + 3, 4);
	take_return(5 * SECOND + 4, 7, 3);
	kcatch_calls_end(calls, 9 * SECOND);
	nothing();
	take_root(5 * SECOND, 9 * SECOND);
	take_inner(10 * SECOND, 10 * SECOND + 1, 5);
	kcatch_calls_end(calls, 20 * SECOND);
	root = expect(5 * SECOND, KCATCH_RETURN_SEEN, 0, 0);
	inner = expect(5 * SECOND + 1, KCATCH_RETURN_SEEN, root, 1);
	expect(5 * SECOND + 2, KCATCH_RETURN_SEEN, inner, 2);
	nothing();
	assert_int_equal(kcatch_calls_flush(calls), 0);
	nothing();
	assert_int_equal(kcatch_calls_nr_forgotten(calls), 0);
}

/* There is room for so many; where some that had none may have been under a root, it is told. */
static void room_for_refused_roots(void **state)
{
	uint64_t i, root;

	(void)state;
	for (i = 1; i <= 70000; i++)
		take_inner(10 * i, 10 * i + 5, i);
	nothing();
	take_root(10 * 69999 + 8, 10 * 70000 + 8);
	kcatch_calls_end(calls, SECOND);
	root = expect(10 * 69999 + 8, KCATCH_RETURN_SEEN, 0, 0);
	expect(10 * 70000, KCATCH_RETURN_SEEN, root, 1);
	nothing();
	assert_int_equal(kcatch_calls_nr_forgotten(calls), 0);
	for (i = 80001; i <= 150000; i++)
		take_inner(10 * i, 10 * i + 5, i);
	take_root(10 * 80000, 10 * 150000 + 8);
	assert_int_equal(kcatch_calls_nr_forgotten(calls), 1);
}

/* With a condition on the return, the inner call's record comes first. */
static void whole_calls(void **state)
{
	uint64_t outer, inner;

	(void)state;
	take_hit(KCATCH_RECORD_CALL, 120, 7, KCATCH_CONTEXT_TASK, 0, 0);
	take_hit(KCATCH_RECORD_CALL, 130, 7, KCATCH_CONTEXT_TASK, 0, 20);
	take_hit(KCATCH_RECORD_CALL, 140, 7, KCATCH_CONTEXT_TASK, 0, 40);
	nothing();
	assert_int_equal(kcatch_calls_flush(calls), 0);
	outer = expect(100, KCATCH_RETURN_SEEN, 0, 0);
	inner = expect(110, KCATCH_RETURN_SEEN, outer, 1);
	expect(120, KCATCH_RETURN_SEEN, inner, 2);
	nothing();
}

/* A return that was lost must not make later calls its own. */
static void lost_return(void **state)
{
	uint64_t outer;

	(void)state;
	take_entry(10, 7, 1);
	take_entry(11, 7, 2);
	take_return(13, 7, 1);
	take_entry(14, 7, 3);
	take_return(15, 7, 3);
	outer = expect(10, KCATCH_RETURN_SEEN, 0, 0);
	assert_int_equal(kcatch_calls_flush(calls), 0);
	expect(11, KCATCH_RETURN_PENDING, outer, 1);
	expect(14, KCATCH_RETURN_SEEN, 0, 0);
	nothing();
}

/* Those of one probe are ready at once: the oldest first, and what was held back for them, too. */
static void lost_returns_of_probe(void **state)
{
	uint32_t probes[8];
	uint64_t outer;
	size_t nr;

	(void)state;
	take_stack(10, 1, 1, "cb");
	take_stack(11, 2, 2, "dcb");
	take_stack(12, 1, 3, "edcb");
	take_hit(KCATCH_RECORD_ID(KCATCH_RECORD_ENTRY, 1), 13, 8, KCATCH_CONTEXT_TASK, 4, 0);
	assert_int_equal(kcatch_calls_nr_waiting_of(calls, 1), 3);
	assert_int_equal(kcatch_calls_nr_waiting_of(calls, 2), 1);
	assert_int_equal(kcatch_calls_nr_waiting_of(calls, 3), 0);
	assert_true(kcatch_calls_waiting_probes(calls, 0, 8, probes, &nr));
	assert_int_equal(nr, 2);
	assert_int_equal(probes[0], 1);
	assert_int_equal(probes[1], 2);
	assert_false(kcatch_calls_waiting_probes(calls, 1, 2, probes, &nr));
	assert_int_equal(nr, 2);
	assert_true(kcatch_calls_waiting_probes(calls, 3, 2, probes, &nr));
	assert_int_equal(nr, 1);
	assert_true(kcatch_calls_waiting_probes(calls, 9, 2, probes, &nr));
	assert_int_equal(nr, 0);

	kcatch_calls_lost(calls, 3);
	nothing();
	kcatch_calls_lost(calls, 1);
	outer = expect(10, KCATCH_RETURN_LOST, 0, 0);
	expect(13, KCATCH_RETURN_LOST, 0, 0);
	nothing();
	assert_int_equal(kcatch_calls_nr_waiting(calls), 1);
	kcatch_calls_end(calls, SECOND);	/* @12 has waited for its caller that long */
	expect(12, KCATCH_RETURN_LOST, outer + 1, 2);
	nothing();
	kcatch_calls_lost(calls, 2);
	expect(11, KCATCH_RETURN_LOST, outer, 1);
	nothing();
	assert_int_equal(kcatch_calls_nr_waiting(calls), 0);
}

/* The return of an outermost call was lost: the stacks of later calls show that it has ended. */
static void lost_outermost_return(void **state)
{
	uint64_t outer;

	(void)state;
	take_stack(10, 0, 1, "xyz");
	take_stack(11, 0, 2, "ayz");		/* its stack is not under the first */
	take_return(12, 7, 2);
	take_stack(13, 0, 3, "cbxyz");		/* nor is this: the first has ended */
	take_return(14, 7, 3);
	assert_int_equal(kcatch_calls_flush(calls), 0);
	expect(10, KCATCH_RETURN_PENDING, 0, 0);
	outer = expect(11, KCATCH_RETURN_SEEN, 0, 0);
	expect(13, KCATCH_RETURN_SEEN, 0, 0);
	nothing();

	take_stack(20, 0, 4, "xyz");
	take_stack(21, 1, 5, "axyz");
	take_stack(22, 2, 6, "axyz");		/* the function before has jumped to this one */
	take_stack(23, 0, 7, "xyz");		/* the first again: not within itself */
	assert_int_equal(kcatch_calls_flush(calls), 0);
	outer = expect(20, KCATCH_RETURN_PENDING, 0, 0);
	outer = expect(21, KCATCH_RETURN_PENDING, outer, 1);
	expect(22, KCATCH_RETURN_PENDING, outer, 2);
	expect(23, KCATCH_RETURN_PENDING, 0, 0);
	nothing();
}

/* A CALL is under the calls that were open when it began, and those that it has ended it not. */
static void whole_call_among_others(void **state)
{
	uint64_t outer, whole;

	(void)state;
	take_entry(10, 7, 1);
	take_entry(20, 7, 2);
	take_return(25, 7, 2);
	take_hit(KCATCH_RECORD_HIT, 26, 7, KCATCH_CONTEXT_SOFTIRQ, 0, 0);
	take_entry(30, 7, 3);			/* its return is lost */
	take_hit(KCATCH_RECORD_HIT, 35, 7, KCATCH_CONTEXT_TASK, 0, 0);
	take_hit(KCATCH_RECORD_CALL, 40, 7, KCATCH_CONTEXT_TASK, 0, 25);
	take_hit(KCATCH_RECORD_HIT, 45, 7, KCATCH_CONTEXT_TASK, 0, 0);
	take_return(50, 7, 1);
	assert_int_equal(kcatch_calls_flush(calls), 0);
	outer = expect(10, KCATCH_RETURN_SEEN, 0, 0);
	whole = expect(15, KCATCH_RETURN_SEEN, outer, 1);
	expect(20, KCATCH_RETURN_SEEN, whole, 2);
	expect(26, KCATCH_RETURN_NOT_ASKED, 0, 0);
	whole = expect(30, KCATCH_RETURN_PENDING, whole, 2);
	expect(35, KCATCH_RETURN_NOT_ASKED, whole, 3);
	expect(45, KCATCH_RETURN_NOT_ASKED, outer, 1);
	nothing();
}

/* Processor time in seconds that @nr records of @take need. */
static double seconds_of(int (*take)(uint64_t i), uint64_t nr)
{
	clock_t begin = clock();
	struct kcatch_call *call;
	uint64_t i;

	for (i = 0; i < nr; i++)
		take(i);
	assert_int_equal(kcatch_calls_flush(calls), 0);
	while ((call = kcatch_calls_next(calls)))
		kcatch_call_destroy(call);
	return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

static int take_plain(uint64_t i)
{
	return take_entry(10 + i, 1 + i % 1000, 1 + i);
}

/* Numbers that are the same in the bits that a multiplication by a known number would use. */
static int take_colliding(uint64_t i)
{
	return take_entry(10 + i, 1 + i % 1000, (1 + i) * 0xf1de83e19937733dULL);
}

/* Each contains all that came before it. */
static int take_nested(uint64_t i)
{
	return take_hit(KCATCH_RECORD_CALL, 1000 + i, 7, KCATCH_CONTEXT_TASK, 0, 900 + i);
}

/* Each begins among the interrupts before it. */
static int take_among_interrupts(uint64_t i)
{
	if (i < 30000)
		return take_hit(KCATCH_RECORD_HIT, 1000 + i, 7, KCATCH_CONTEXT_HARDIRQ, 0, 0);
	return take_hit(KCATCH_RECORD_CALL, 100000 + i, 7, KCATCH_CONTEXT_TASK, 0,
			99500 + i - i % 2);
}

/* No recording makes it take a time that is quadratic: 60 times as long is far from either. */
static void hostile_records(void **state)
{
	const uint64_t nr = 60000;
	double plain = seconds_of(take_plain, nr);

	(void)state;
	plain = plain < 0.02 ? 0.02 : plain;
	assert_true(seconds_of(take_colliding, nr) < 60 * plain);
	assert_true(seconds_of(take_nested, nr) < 60 * plain);
	assert_true(seconds_of(take_among_interrupts, nr) < 60 * plain);
}

static void unknown_returns(void **state)
{
	(void)state;
	assert_int_equal(take_return(10, 7, 99), 1);
	assert_int_equal(take_return(10, 7, 0), 1);
	take_entry(11, 7, 5);
	take_return(12, 7, 5);
	assert_int_equal(take_return(13, 7, 5), 1);
	expect(11, KCATCH_RETURN_SEEN, 0, 0);
	nothing();
}

/* A thread that ended inside: 0x7fffffff is nobody's. */
static void ended_thread(void **state)
{
	(void)state;
	take_entry(10, 0x7fffffff, 1);
	kcatch_calls_begin(calls);
	kcatch_calls_end(calls, 11);
	if (!kcatch_machine_shares_numbers())
		skip();	/* in a pid namespace nobody can tell */
	expect(10, KCATCH_RETURN_PENDING, 0, 0);
	nothing();
}

static void bounded(void **state)
{
	struct kcatch_call *call;
	uint64_t i, came = 0;

	(void)state;
	for (i = 0; i < 100000; i++)
		assert_int_equal(take_entry(10 + i, 1 + i % 1000, 1 + i), 0);
	assert_int_equal(kcatch_calls_nr_waiting(calls), 65536);
	assert_int_equal(kcatch_calls_nr_forgotten(calls), 100000 - 65536);
	while ((call = kcatch_calls_next(calls))) {
		assert_int_equal(call->entry_time, 10 + came);
		assert_int_equal(call->returned, KCATCH_RETURN_FORGOTTEN);
		came++;
		kcatch_call_destroy(call);
	}
	assert_int_equal(came, 100000 - 65536);
	for (i = 0; i < came; i++)
		assert_int_equal(take_return(200000 + i, 1 + i % 1000, 1 + i), 0);
	assert_int_equal(take_return(300000, 1, 1), 1);	/* one more than were forgotten */
}

/* However many calls complete under it, the outer call gets its return. */
static void many_under_one(void **state)
{
	const uint64_t nr = 300000;
	struct kcatch_call *call;
	uint64_t i, inner = 0, outer = 0;

	(void)state;
	assert_int_equal(take_entry(10, 7, 1), 0);
	for (i = 0; i < nr; i++) {
		assert_int_equal(take_entry(11 + 2 * i, 7, 2 + i), 0);
		assert_int_equal(take_return(12 + 2 * i, 7, 2 + i), 0);
	}
	assert_int_equal(take_return(11 + 2 * nr, 7, 1), 0);
	while ((call = kcatch_calls_next(calls))) {
		assert_int_equal(call->returned, KCATCH_RETURN_SEEN);
		assert_int_equal(call->level, call->number == 1 ? 0 : 1);
		assert_int_equal(call->parent, call->number == 1 ? 0 : 1);
		*(call->number == 1 ? &outer : &inner) += 1;
		kcatch_call_destroy(call);
	}
	assert_int_equal(inner, nr);
	assert_int_equal(outer, 1);
	assert_int_equal(kcatch_calls_nr_forgotten(calls), 0);
	assert_int_equal(kcatch_calls_nr_waiting(calls), 0);
}

static void random_records(void **state)
{
	uint64_t taken = 0, given = 0, time = 1000000;
	struct kcatch_call *call;
	int i;

	(void)state;
	srandom(3);
	for (i = 0; i < 300000; i++) {
		static const uint32_t ids[] = { KCATCH_RECORD_HIT, KCATCH_RECORD_ENTRY,
						KCATCH_RECORD_ENTRY, KCATCH_RECORD_CALL };
		uint32_t tid = random() % 5;

		time += random() % 1000000;
		if (random() % 2) {
			taken += !take_hit(ids[random() % 4], time, tid, random() % 4,
					   random() % 300, random() % 2000000);
		} else {
			take_return(time, tid, random() % 300);
		}
		if (random() % 20 == 0)
			kcatch_calls_end(calls, time);
		while (random() % 4 && (call = kcatch_calls_next(calls))) {
			given++;
			kcatch_call_destroy(call);
		}
	}
	assert_int_equal(kcatch_calls_flush(calls), 0);
	while ((call = kcatch_calls_next(calls))) {
		given++;
		kcatch_call_destroy(call);
	}
	assert_int_equal(taken, given);
	assert_int_equal(kcatch_calls_nr_waiting(calls), 0);
}

/* An interrupt comes between a return and the record of it: what ended before is still within. */
static void late_record(void **state)
{
	uint64_t outer;

	(void)state;
	take_hit(KCATCH_RECORD_CALL, 480, 7, KCATCH_CONTEXT_TASK, 390, 10);
	take_hit(KCATCH_RECORD_CALL, 550, 7, KCATCH_CONTEXT_TASK, 520, 20);
	take_hit(KCATCH_RECORD_CALL, 9000, 7, KCATCH_CONTEXT_TASK, 500, 100);
	/* Hostile: an entry behind its own record. */
	take_hit(KCATCH_RECORD_CALL, 9500, 7, KCATCH_CONTEXT_TASK, 9501, 100);
	assert_int_equal(kcatch_calls_flush(calls), 0);
	expect(390, KCATCH_RETURN_SEEN, 0, 0);
	outer = expect(500, KCATCH_RETURN_SEEN, 0, 0);
	expect(520, KCATCH_RETURN_SEEN, outer, 1);
	expect(9500, KCATCH_RETURN_SEEN, 0, 0);
	nothing();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(outer_before_inner), TEST(waits_no_longer), TEST(interrupts_are_under_nothing),
		TEST(no_return_will_come), TEST(whole_calls), TEST(lost_return),
		TEST(roots_that_were_refused), TEST(room_for_refused_roots),
		TEST(lost_returns_of_probe),
		TEST(lost_outermost_return),
		TEST(whole_call_among_others), TEST(hostile_records),
		TEST(unknown_returns), TEST(ended_thread), TEST(bounded), TEST(many_under_one),
		TEST(random_records), TEST(late_record),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
