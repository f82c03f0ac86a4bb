/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Description: where the kernel makes one range of a condition, the range accepts exactly the
 * arguments that the instructions accept: of instructions as the compiler of conditions makes
 * them, of others by hand, and of random ones. kernel/program/condition_range.c as it is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bpf_fixture.h"
#include "condition_range_fixture.h"
#include "program/condition_range.h"

#define LO(arg)		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 8 * (arg))
#define HI(arg)		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 8 * (arg) + 4)
#define JUMP(op, k, yes, no) BPF_JUMP(BPF_JMP | (op) | BPF_K, k, yes, no)
#define ALU(op, k)	BPF_STMT(BPF_ALU | (op) | BPF_K, k)
#define RET(k)		BPF_STMT(BPF_RET | BPF_K, k)

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t end)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(random_state >> 33) % end;
}

/* Numbers at which something changes. */
static uint32_t random_half(void)
{
	static const uint32_t edges[] = {
		0, 1, 2, 5, 0x7f, 0x80, 0xff, 0x100, 0x101, 0x7fff, 0x8000, 0xffff, 0x10000,
		0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff,
	};
	uint32_t edge = edges[random_below(sizeof(edges) / sizeof(edges[0]))];

	return edge + random_below(3) - 1;
}

/* Return: it is a range. The same range and instructions must accept the same arguments. */
static bool compare(const struct sock_filter *code, unsigned int nr, unsigned int values)
{
	struct kcatch_condition data = {};
	struct kcatch_range range;
	unsigned int i, place;

	kcatch_range_of(code, nr, &range);
	if (!range.scale)
		return false;
	place = range.place;
	for (i = 0; i < values; i++) {
		u64 args[6] = {};

		args[place] = (u64)random_half() << 32 | random_half();
		memcpy(data.args, args, sizeof(args));
		if (kcatch_range_has(&range, args) != !!bpf_run(code, nr, &data)) {
			for (unsigned int k = 0; k < nr; k++)
				print_error("%u: code %#x jt %u jf %u k %#x\n", k, code[k].code,
					    code[k].jt, code[k].jf, code[k].k);
			fail_msg("argument %#llx: a range of %u instructions says %d",
				 (unsigned long long)args[place], nr,
				 kcatch_range_has(&range, args));
		}
	}
	return true;
}

#define SAME(...) compare((struct sock_filter[]){ __VA_ARGS__ },			\
			  sizeof((struct sock_filter[]){ __VA_ARGS__ }) /			\
			  sizeof(struct sock_filter), 20000)

static void test_one_comparison(void **state)
{
	(void)state;
	/* unsigned char, unsigned int, int, unsigned long */
	assert_true(SAME(LO(1), ALU(BPF_AND, 0xff), JUMP(BPF_JEQ, 5, 0, 1), RET(1), RET(0)));
	assert_true(SAME(LO(0), JUMP(BPF_JGT, 5, 0, 1), RET(1), RET(0)));
	assert_true(SAME(LO(0), ALU(BPF_XOR, 0x80000000), JUMP(BPF_JGE, 0x7ffffffe, 0, 1), RET(1),
			 RET(0)));
	assert_true(SAME(HI(0), JUMP(BPF_JEQ, 3, 0, 3), LO(0), JUMP(BPF_JGT, 9, 0, 1), RET(1),
			 RET(0)));
}

/* A mask after the comparison: what it takes away was looked at before. */
static void test_mask_after_jump(void **state)
{
	(void)state;
	SAME(LO(0), JUMP(BPF_JGT, 0x100, 0, 2), ALU(BPF_AND, 0xff), RET(1), RET(0));
	SAME(LO(0), ALU(BPF_AND, 0xff), LO(0), JUMP(BPF_JGT, 5, 0, 1), RET(1), RET(0));
}

/* One way looks at a half that another one leaves alone. */
static void test_half_of_one_way(void **state)
{
	(void)state;
	SAME(LO(0), JUMP(BPF_JGT, 5, 2, 0), HI(0), JUMP(BPF_JEQ, 3, 0, 1), RET(1), RET(0));
	SAME(LO(0), JUMP(BPF_JGT, 5, 3, 0), HI(0), JUMP(BPF_JEQ, 0, 0, 1), RET(1), RET(1), RET(0));
}

static struct sock_filter random_instruction(unsigned int left)
{
	static const uint16_t jumps[] = { BPF_JEQ, BPF_JGT, BPF_JGE, BPF_JSET };
	uint32_t yes = random_below(left), no = random_below(left);

	switch (random_below(10)) {
	case 0:
	case 1:
		return (struct sock_filter)LO(0);
	case 2:
		return (struct sock_filter)HI(0);
	case 3:
		return (struct sock_filter)ALU(BPF_AND, random_below(2) ? 0xff : 0xffff);
	case 4:
		return (struct sock_filter)ALU(BPF_XOR, random_below(2) ? 0x80000000 : 0x80);
	case 5:
		return (struct sock_filter)ALU(random_below(2) ? BPF_ADD : BPF_SUB, random_half());
	case 6:
		return (struct sock_filter)RET(random_below(2));
	default:
		return (struct sock_filter)JUMP(jumps[random_below(4)],
						random_below(4) ? random_half() : 0x80000000,
						yes, no);
	}
}

static void test_random(void **state)
{
	unsigned int i, j, nr, ranges = 0;
	struct sock_filter code[9];

	(void)state;
	for (i = 0; i < 200000; i++) {
		nr = 3 + random_below(7);
		code[0] = (struct sock_filter)LO(0);
		if (random_below(4) == 0)
			code[0] = (struct sock_filter)HI(0);
		for (j = 1; j + 2 < nr; j++)
			code[j] = random_instruction(nr - 1 - j);
		code[nr - 2] = (struct sock_filter)RET(1);
		code[nr - 1] = (struct sock_filter)RET(0);
		ranges += compare(code, nr, 40);
	}
	/* That most are none would prove little. */
	assert_true(ranges > 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_comparison),
		cmocka_unit_test(test_mask_after_jump),
		cmocka_unit_test(test_half_of_one_way),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
