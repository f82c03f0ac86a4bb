/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Description: what the kernel says that a condition demands is true of all that it accepts, and
 * where it demands nothing else it accepts all of which that is true: of the instructions for the
 * events of system calls, and of random ones. kernel/program/condition_demands.c as it is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bpf_fixture.h"
#include "condition_range_fixture.h"
#include "program/condition_demands.h"

#define WORDS 4
#define WORD(nr)	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 4 * (nr))
#define JUMP(op, k, yes, no) BPF_JUMP(BPF_JMP | (op) | BPF_K, k, yes, no)
#define RET(k)		BPF_STMT(BPF_RET | BPF_K, k)

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t end)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(random_state >> 33) % end;
}

static bool fulfilled(const struct kcatch_demands *demands, const uint32_t *words)
{
	unsigned int i;

	for (i = 0; i < demands->nr; i++)
		if ((words[demands->of[i].at / 4] & demands->of[i].mask) != demands->of[i].value)
			return false;
	return true;
}

/* Of all values from 0 to 3 of all words. */
static void compare(const struct sock_filter *code, unsigned int nr, struct kcatch_demands *demands)
{
	struct kcatch_condition data = {};
	uint32_t words[WORDS];
	unsigned int i, k;

	kcatch_demands_of(code, nr, demands);
	for (i = 0; i < 1U << (2 * WORDS); i++) {
		bool accepts, does;

		for (k = 0; k < WORDS; k++)
			words[k] = i >> (2 * k) & 3;
		memcpy(data.args, words, sizeof(words));
		accepts = bpf_run(code, nr, &data);
		does = fulfilled(demands, words);
		if (accepts ? does : !does || !demands->all)
			continue;
		for (k = 0; k < nr; k++)
			print_error("%u: code %#x jt %u jf %u k %#x\n", k, code[k].code,
				    code[k].jt, code[k].jf, code[k].k);
		fail_msg("words %#x: accepted %d, demands fulfilled %d", i, accepts, does);
	}
}

static void test_system_call(void **state)
{
	const struct sock_filter code[] = {
		WORD(1), JUMP(BPF_JEQ, 0, 0, 5), WORD(0), JUMP(BPF_JEQ, 3, 0, 3),
		WORD(2), JUMP(BPF_JSET, 2, 1, 0), RET(1), RET(0),
	};
	struct kcatch_demands demands;

	(void)state;
	compare(code, 8, &demands);
	assert_true(demands.all);
	assert_int_equal(demands.nr, 3);
	assert_int_equal(demands.of[1].at, 0);
	assert_int_equal(demands.of[1].mask, UINT32_MAX);
	assert_int_equal(demands.of[1].value, 3);
}

/* What follows a comparison need not be seen. */
static void test_more_behind(void **state)
{
	const struct sock_filter code[] = {
		WORD(0), JUMP(BPF_JEQ, 3, 0, 3), WORD(2), JUMP(BPF_JGT, 1, 0, 1), RET(1), RET(0),
	};
	struct kcatch_demands demands;

	(void)state;
	compare(code, 6, &demands);
	assert_false(demands.all);
	assert_int_equal(demands.nr, 1);
}

static struct sock_filter random_instruction(unsigned int left)
{
	static const uint16_t jumps[] = { BPF_JEQ, BPF_JEQ, BPF_JSET, BPF_JGT };
	uint32_t yes = random_below(left), no = random_below(left);

	switch (random_below(10)) {
	case 0:
	case 1:
	case 2:
		return (struct sock_filter)WORD(random_below(WORDS));
	case 3:
		return (struct sock_filter)BPF_STMT(BPF_ALU | BPF_ADD | BPF_K, 1);
	case 4:
		return (struct sock_filter)RET(random_below(2));
	case 5:
		return (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, random_below(left));
	default:
		/* Most end in a refusal. */
		if (random_below(2))
			no = left - 1;
		else if (random_below(2))
			yes = left - 1;
		return (struct sock_filter)JUMP(jumps[random_below(4)], random_below(4), yes, no);
	}
}

static void test_random(void **state)
{
	unsigned int i, j, nr, any = 0, all = 0;
	struct kcatch_demands demands;
	struct sock_filter code[10];

	(void)state;
	for (i = 0; i < 20000; i++) {
		nr = 4 + random_below(7);
		code[0] = (struct sock_filter)WORD(random_below(WORDS));
		for (j = 1; j + 2 < nr; j++)
			code[j] = random_instruction(nr - 1 - j);
		code[nr - 2] = (struct sock_filter)RET(1);
		code[nr - 1] = (struct sock_filter)RET(0);
		compare(code, nr, &demands);
		any += demands.nr > 0;
		all += demands.all;
	}
	/* That most demand nothing would prove little. */
	assert_true(any > 2000 && all > 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_system_call),
		cmocka_unit_test(test_more_behind),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
