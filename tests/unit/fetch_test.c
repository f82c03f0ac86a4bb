// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: each kind of step gives the same in every way in which the module runs it: quickly,
 * as direct items, with a tail, step by step, joined or not, and as steps_fixture.c, which knows
 * nothing of the module, runs it. Random lists, random words, memory that is at hand, elsewhere or
 * absent.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "fetch_fixture.h"
#include "steps_fixture.h"

#define LISTS	200000
#define STEPS	40U
#define SEED	39
#define STEP(kind, ...)	(struct kcatch_step){ .op = KCATCH_STEP_##kind, __VA_ARGS__ }
#define USED	512U	/* bytes of a page that pointers lead to */

u8 *fetch_at_hand, *fetch_elsewhere, *fetch_absent;
unsigned long kcatch_direct_start, kcatch_direct_size;

/* Three pages, each between two that are not there. */
static void make_memory(void)
{
	u8 *at = mmap(NULL, 7 * FETCH_MEMORY, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(at, MAP_FAILED);
	fetch_at_hand = at + FETCH_MEMORY;
	fetch_elsewhere = at + 3 * FETCH_MEMORY;
	fetch_absent = at + 5 * FETCH_MEMORY;
	assert_int_equal(mprotect(fetch_at_hand, FETCH_MEMORY, PROT_READ | PROT_WRITE), 0);
	assert_int_equal(mprotect(fetch_elsewhere, FETCH_MEMORY, PROT_READ | PROT_WRITE), 0);
}

static uint32_t below(uint32_t n)
{
	return (uint32_t)random() % n;
}

static uint64_t some_word(void)
{
	const u8 *memories[] = { fetch_at_hand, fetch_at_hand, fetch_elsewhere, fetch_absent };
	uint64_t any = (uint64_t)random() << 42 ^ (uint64_t)random() << 21 ^ (uint64_t)random();

	if (below(3))
		return (uintptr_t)memories[below(50) ? below(2) : below(4)] + 8 * below(20);
	return below(4) ? any : below(3) ? ~0ULL : 0x7fff0001ffffffffULL;
}

static void fill(void *memory, size_t size)
{
	uint64_t word;
	size_t i;

	for (i = 0; i < size; i += sizeof(word)) {
		word = some_word();
		memcpy((char *)memory + i, &word, sizeof(word));
	}
}

/* Takes a value, goes on from it, puts something of it. */
static uint32_t make_item(struct kcatch_step *step, bool texts)
{
	static const uint16_t sizes[] = { 1, 2, 4, 8, 8, 8 };
	uint32_t nr = 0, take = below(8);

	if (take < 5)
		step[nr++] = STEP(ARG, .arg = below(6));
	else if (take < 7)
		step[nr++] = STEP(STACK, .offset = 8 * below(4));
	else
		step[nr++] = STEP(CGROUP);
	if (!below(4))
		step[nr++] = STEP(LOAD, .size = 8, .offset = 8 * below(10));
	if (!below(6))
		step[nr++] = STEP(ADD, .offset = below(60));
	switch (below(texts ? 6 : 3)) {
	case 0:
		step[nr++] = STEP(LOAD, .size = sizes[below(6)], .offset = below(60));
		break;
	case 1:
		step[nr++] = STEP(PUT_MEMORY, .offset = below(60),
				  .size = texts ? 1 + below(40) : 8 + 8 * below(5));
		return nr;
	case 3:
		step[nr++] = STEP(PUT_STRING, .size = 1 + below(40), .offset = below(60));
		return nr;
	case 4:
		step[nr++] = STEP(PUT_CHARS, .size = 16, .arg = below(17), .offset = below(60));
		return nr;
	}
	step[nr++] = STEP(PUT);
	return nr;
}

/* Words in front, and memory behind one of them, of any length: a system call's socket address. */
static uint32_t make_tail(struct kcatch_step *step)
{
	const struct kcatch_step pointer[] = {
		{ .op = KCATCH_STEP_ARG, .arg = below(6) },
		{ .op = KCATCH_STEP_LOAD, .size = 8, .offset = 8 * below(8) },
	};
	uint32_t nr = 0;

	if (below(2)) {
		step[nr++] = STEP(ARG, .arg = below(6));
		step[nr++] = STEP(PUT);
	}
	step[nr++] = pointer[0];
	step[nr++] = pointer[1];
	step[nr++] = STEP(PUT);
	step[nr++] = pointer[0];
	step[nr++] = pointer[1];
	step[nr++] = STEP(PUT_MEMORY, .size = 1 + below(40), .offset = below(60));
	return nr;
}

static struct kcatch_steps list_of(const struct kcatch_step *steps, uint32_t nr,
				   struct kcatch_step *copy, bool joined)
{
	struct kcatch_steps list = { .nr = nr, .steps = copy };
	u32 bad;

	memcpy(copy, steps, nr * sizeof(*steps));
	assert_int_equal(kcatch_steps_check(&list, KCATCH_STEPS_ENTRY, NULL, &bad), 0);
	if (joined)
		kcatch_steps_join(&list);
	return list;
}

static void same(const char *way, uint32_t number, const struct kcatch_step *steps, uint32_t nr,
		 const void *got, const struct steps_output *expected)
{
	uint32_t i;

	if (!memcmp(got, expected->data, expected->size))
		return;
	for (i = 0; i < nr; i++)
		print_message("# op %u arg %u size %u offset %d\n", steps[i].op, steps[i].arg,
			      steps[i].size, steps[i].offset);
	fail_msg("list %u: %s differs", number, way);
}

static void all_ways_agree(void **state)
{
	static struct kcatch_step steps[STEPS], copy[STEPS];
	uint32_t number, ran[4] = { 0 };

	(void)state;
	make_memory();
	srandom(SEED);
	for (number = 0; number < LISTS; number++) {
		static uint64_t got[400];
		static struct steps_output expected;
		struct steps_input input;
		struct kcatch_fetch fetch;
		struct kcatch_steps list;
		u64 args[KCATCH_ARGS] = { 0 }, *behind;
		unsigned long stack;
		uint64_t faults;
		uint32_t nr = 0, items = 1 + below(7), i;
		bool texts = !below(4);

		if (!(number % 16)) {
			fill(fetch_at_hand, USED);
			fill(fetch_elsewhere, USED);
		}
		fill(&input, sizeof(input));
		/* The stack of a call is at hand. */
		memcpy(fetch_at_hand + FETCH_MEMORY - sizeof(input.stack), input.stack,
		       sizeof(input.stack));
		stack = (uintptr_t)fetch_at_hand + FETCH_MEMORY - sizeof(input.stack);
		for (i = 0; i < 6; i++)
			args[kcatch_args_place(i)] = input.args[i];
		if (below(10)) {
			while (items--)
				nr += make_item(steps + nr, texts);
		} else {
			nr = make_tail(steps);
		}
		steps_run(steps, nr, &input, &expected);

		list = list_of(steps, nr, copy, below(2));
		memset(got, 0x55, sizeof(got));
		fetch = (struct kcatch_fetch){ .args = args, .stack = stack, .to = (u8 *)got };
		kcatch_fetch_run(&list, &fetch);
		same("the run of a list", number, steps, nr, got, &expected);
		assert_int_equal(fetch.size, expected.size);
		assert_int_equal(fetch.faults, expected.faults);
		assert_int_equal(fetch.cut, expected.cut);
		if (list.fixed) {
			memset(got, 0x55, sizeof(got));
			faults = kcatch_fetch_marked(&list, args, stack, got);
			assert_int_equal(faults, expected.faults);
			same("the full way", number, steps, nr, got, &expected);
			memset(got, 0x55, sizeof(got));
			faults = kcatch_fetch_fixed(&list, args, stack, got);
			assert_int_equal(faults, expected.faults);
			same("a list of fixed size", number, steps, nr, got, &expected);
		}
		list = list_of(steps, nr, copy, true);
		memset(got, 0x55, sizeof(got));
		if (list.words && !kcatch_fetch_quick(&list, args, stack, got)) {
			assert_int_equal(expected.faults, 0);
			same("the quick way", number, steps, nr, got, &expected);
			ran[0]++;
		}
		if (list.nr_direct && kcatch_fetch_items(&list, list.nr_direct, args, got)) {
			assert_int_equal(expected.faults, 0);
			same("direct items", number, steps, nr, got, &expected);
			ran[1]++;
		}
		if (!list.tail_size)
			continue;
		behind = kcatch_fetch_items(&list, list.nr_front, args, got);
		if (behind && kcatch_fetch_tail(&list, got, behind)) {
			same("the tail", number, steps, nr, got, &expected);
			ran[2]++;
		}
	}
	print_message("# %u quick, %u direct, %u with a tail\n", ran[0], ran[1], ran[2]);
	assert_true(ran[0] > LISTS / 10 && ran[1] > LISTS / 100 && ran[2] > LISTS / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_ways_agree),
	};

	return cmocka_run_group_tests_name("fetching", tests, NULL, NULL);
}
