// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: the module's table of pairs, in user space: what a simple model says of random
 * events; each event is in one term, and no key has two slots, when one interrupts another
 * anywhere and when threads use few keys at once; a slot that others always change is given up; a
 * first event that came meanwhile gives no latency; a pair has the note of its own first event, or
 * none.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pair_table_fixture.h"

/* ---- what happens between two looks at a slot -------------------------------------------- */

static u64 now;          /* 0: the clock of threads */
static u64 *disturbed;   /* its word is another one at each look at it */
static u32 interrupt_at; /* the number of the look before which another event comes; 0: none */
static bool interrupt_is_first;
static u64 interrupt_key;

static u32 event(bool is_first, u64 key, u64 *latency);

void pair_table_look(void)
{
	if (disturbed)
		++*disturbed;
	if (interrupt_at && !--interrupt_at)
		event(interrupt_is_first, interrupt_key, NULL);
}

static __thread u64 time_of_event; /* of the event that is under way */

u64 kcatch_clock_read(void)
{
	static u64 ticks;

	time_of_event = now ? now : __atomic_add_fetch(&ticks, 1, __ATOMIC_RELAXED);
	return time_of_event;
}

/* ---- notes: of each first event its time ------------------------------------------------- */

static u64 noted, not_noted;

u64 kcatch_off_cpu_note(bool sleeps)
{
	assert_true(sleeps);
	return time_of_event;
}

void kcatch_off_cpu_put_noted(bool is_known, u64 note, struct kcatch_condition_input *input)
{
	__atomic_fetch_add(is_known ? &noted : &not_noted, 1, __ATOMIC_RELAXED);
	/* A first event that came meanwhile is later. */
	if (is_known && input->latency && note != time_of_event - input->latency)
		abort();
}

/* ---- a table ----------------------------------------------------------------------------- */

#define BUCKETS_MAX 4096U

static struct kcatch_pair_slot slots[BUCKETS_MAX * KCATCH_PAIR_BUCKET];
static struct kcatch_pair_note notes[BUCKETS_MAX * KCATCH_PAIR_BUCKET];
static struct kcatch_pair_counts counts;
static struct kcatch_pairs table;
static struct kcatch_pair_part parts[2]; /* of second events, of first ones */
static u64 firsts, seconds;
static bool with_notes;

static void set_up(u32 buckets)
{
	memset(slots, 0, sizeof(slots));
	memset(notes, 0, sizeof(notes));
	noted = not_noted = 0;
	memset(&counts, 0, sizeof(counts));
	table = (struct kcatch_pairs){
		.slots = slots,
		.notes = with_notes ? notes : NULL,
		.mask = buckets - 1,
		.seed = (u64)random(),
		.counts = &counts,
	};
	parts[0] = (struct kcatch_pair_part){ .pairs = &table };
	parts[1] = (struct kcatch_pair_part){ .pairs = &table, .is_first = true };
	firsts = seconds = 0;
}

static u32 event(bool is_first, u64 key, u64 *latency)
{
	const struct kcatch_program_code program = { .pair = &parts[is_first] };
	/* 0 is of no pair where there are notes. */
	struct kcatch_condition_input input = { .key = key + 1 };
	u64 interrupted = time_of_event;
	u32 answer = kcatch_pair_answer(&program, &input);

	time_of_event = interrupted;
	__atomic_fetch_add(is_first ? &firsts : &seconds, 1, __ATOMIC_RELAXED);
	if (latency)
		*latency = input.latency;
	return answer;
}

/* Each event is in one term, and a key has one slot. */
static void check_table(void)
{
	u64 open = 0;
	u32 i, j;

	for (i = 0; i <= table.mask; i++)
		for (j = 0; j < KCATCH_PAIR_BUCKET; j++) {
			const struct kcatch_pair_slot *slot = &slots[i * KCATCH_PAIR_BUCKET + j];
			u32 other;

			open += slot->time != 0;
			if (!slot->time)
				assert_int_equal(slot->key, 0);
			for (other = j + 1; slot->time && other < KCATCH_PAIR_BUCKET; other++)
				assert_false(slot[other - j].time &&
					     slot[other - j].key == slot->key);
		}
	assert_int_equal(firsts, counts.paired + counts.restarted + counts.overflow +
					 counts.undecided_first + open);
	assert_int_equal(seconds, counts.paired + counts.unmatched + counts.undecided_second);
}

/* ---- tests --------------------------------------------------------------------------------- */

#define KEYS 300U

static void as_a_model_says(void **state)
{
	static u64 since[KEYS];
	u32 i, restarted = 0, paired = 0, unmatched = 0;

	(void)state;
	memset(since, 0, sizeof(since));
	set_up(BUCKETS_MAX);
	for (i = 0; i < 200000; i++) {
		u32 key = (u32)random() % KEYS;
		bool is_first = random() & 1;
		u64 latency = 0;
		u32 answer;

		now = i + 1;
		answer = event(is_first, key, &latency);
		if (is_first) {
			assert_int_equal(answer, KCATCH_EXIT_YES);
			restarted += since[key] != 0;
			since[key] = now;
			continue;
		}
		assert_int_equal(answer, since[key] ? KCATCH_EXIT_YES : KCATCH_EXIT_NO);
		if (since[key])
			assert_int_equal(latency, now - since[key]);
		paired += since[key] != 0;
		unmatched += !since[key];
		since[key] = 0;
	}
	assert_int_equal(counts.restarted, restarted);
	assert_int_equal(counts.paired, paired);
	assert_int_equal(counts.unmatched, unmatched);
	check_table();
}

static void no_room_is_told(void **state)
{
	u64 latency;
	u32 i;

	(void)state;
	set_up(1);
	now = 1;
	for (i = 0; i < KCATCH_PAIR_BUCKET; i++)
		assert_int_equal(event(true, i, NULL), KCATCH_EXIT_YES);
	assert_int_equal(event(true, i, NULL), KCATCH_EXIT_UNKNOWN);
	assert_int_equal(counts.overflow, 1);
	now = 8;
	assert_int_equal(event(false, 3, &latency), KCATCH_EXIT_YES);
	assert_int_equal(latency, 7);
	assert_int_equal(event(true, i, NULL), KCATCH_EXIT_YES);
	check_table();
}

static void what_is_unknown_is_undecided(void **state)
{
	const struct kcatch_program_code first = { .pair = &parts[1] },
					 second = { .pair = &parts[0] };
	struct kcatch_condition_input input = { .is_bad = true };

	(void)state;
	set_up(1);
	now = 1;
	assert_int_equal(kcatch_pair_answer(&first, &input), KCATCH_EXIT_UNKNOWN);
	assert_int_equal(kcatch_pair_answer(&second, &input), KCATCH_EXIT_UNKNOWN);
	assert_int_equal(counts.undecided_first, 1);
	assert_int_equal(counts.undecided_second, 1);
	firsts = seconds = 1;
	check_table();
}

static void a_later_first_event_gives_no_latency(void **state)
{
	u64 latency = 9;

	(void)state;
	set_up(1);
	now = 50;
	event(true, 1, NULL);
	now = 40;
	assert_int_equal(event(false, 1, &latency), KCATCH_EXIT_YES);
	assert_int_equal(latency, 0);
	check_table();
}

static void who_is_never_first_is_undecided(void **state)
{
	(void)state;
	set_up(1);
	now = 1;
	event(true, 7, NULL);
	disturbed = &slots[0].time;
	assert_int_equal(event(true, 7, NULL), KCATCH_EXIT_UNKNOWN);
	assert_int_equal(event(false, 7, NULL), KCATCH_EXIT_UNKNOWN);
	disturbed = NULL;
	assert_int_equal(counts.undecided_first, 1);
	assert_int_equal(counts.undecided_second, 1);
	check_table();
}

/* Another event, as in an NMI, before each look at a slot: with the same key or another one, in an
 * empty bucket, in one that has the key, in one with a single free slot, and in a full one. */
static void an_interrupt_anywhere(void **state)
{
	u32 there, at, kind, nr = 0;

	(void)state;
	for (there = 0; there <= KCATCH_PAIR_BUCKET; there++)
		for (kind = 0; kind < 8; kind++)
			for (at = 1; at < 40; at++) {
				u32 i;

				set_up(1);
				now = 100;
				for (i = 0; i < there; i++)
					event(true, 10 + i, NULL);
				now++;
				interrupt_at = at;
				interrupt_is_first = kind & 1;
				interrupt_key = kind & 2 ? 10 : 11;
				event(kind & 4, 10, NULL);
				/* There were fewer looks. */
				nr += !interrupt_at;
				interrupt_at = 0;
				check_table();
			}
	print_message("# %u interrupts\n", nr);
	assert_true(nr > 200);
}

static u32 nr_keys;

static void *use(void *seed)
{
	unsigned int state = (unsigned int)(uintptr_t)seed;
	u32 i;

	for (i = 0; i < 200000; i++)
		event(rand_r(&state) >> 8 & 1, (u32)rand_r(&state) % nr_keys, NULL);
	return NULL;
}

static void threads_lose_nothing(void **state)
{
	static const u32 keys[] = { 1, 3, 20, 400 };
	pthread_t threads[4];
	uintptr_t i;
	size_t j;

	(void)state;
	now = 0;
	for (j = 0; j < ARRAY_SIZE(keys); j++) {
		set_up(j & 1 ? 64 : 1);
		nr_keys = keys[j];
		for (i = 0; i < ARRAY_SIZE(threads); i++)
			assert_int_equal(pthread_create(&threads[i], NULL, use, (void *)(i + 1)),
					 0);
		for (i = 0; i < ARRAY_SIZE(threads); i++)
			pthread_join(threads[i], NULL);
		assert_true(counts.paired > 0);
		check_table();
		print_message(
			"# %u keys: %llu paired, %llu restarted, %llu no room, %llu undecided\n",
			nr_keys, (unsigned long long)counts.paired,
			(unsigned long long)counts.restarted, (unsigned long long)counts.overflow,
			(unsigned long long)(counts.undecided_first + counts.undecided_second));
	}
}

static void notes_are_of_their_pairs(void **state)
{
	with_notes = true;
	as_a_model_says(state);
	assert_int_equal(not_noted, 0);
	assert_int_equal(noted, counts.paired);
	an_interrupt_anywhere(state);
	threads_lose_nothing(state);
	print_message("# %llu notes, %llu missed\n", (unsigned long long)noted,
		      (unsigned long long)not_noted);
	assert_true(noted > not_noted);
	with_notes = false;
}

static void a_key_of_0_is_of_no_pair(void **state)
{
	const struct kcatch_program_code first = { .pair = &parts[1] },
					 second = { .pair = &parts[0] };
	struct kcatch_condition_input input = { .key = 0 };

	(void)state;
	with_notes = true;
	set_up(1);
	now = 1;
	assert_int_equal(kcatch_pair_answer(&first, &input), KCATCH_EXIT_NO);
	assert_int_equal(kcatch_pair_answer(&second, &input), KCATCH_EXIT_NO);
	assert_int_equal(counts.unmatched, 1);
	assert_int_equal(slots[0].time, 0);
	with_notes = false;
	set_up(1);
	assert_int_equal(kcatch_pair_answer(&first, &input), KCATCH_EXIT_YES);
	assert_int_equal(kcatch_pair_answer(&second, &input), KCATCH_EXIT_YES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(notes_are_of_their_pairs),
		cmocka_unit_test(a_key_of_0_is_of_no_pair),
		cmocka_unit_test(as_a_model_says),
		cmocka_unit_test(no_room_is_told),
		cmocka_unit_test(what_is_unknown_is_undecided),
		cmocka_unit_test(a_later_first_event_gives_no_latency),
		cmocka_unit_test(who_is_never_first_is_undecided),
		cmocka_unit_test(an_interrupt_anywhere),
		cmocka_unit_test(threads_lose_nothing),
	};

	srandom(40);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
