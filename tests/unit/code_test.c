// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: the code of conditions: what each operation does with any numbers, how texts are
 * compared, and that the checker refuses what is not sound; random code that it passes ends, and
 * looks at nothing but what it may.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "code/code.h"
#include "code_fixture.h"

#define CODES 5000
#define LONGEST 10
#define SEED 5

static const struct code_input nothing;

/* What acc is after these operations. */
static uint64_t result(const struct kcatch_op *ops, uint32_t nr, const struct code_input *input)
{
	struct kcatch_op code[16];
	struct kcatch_count_wants wants = { .code = code, .nr_code = nr + 2 };

	memcpy(code, ops, nr * sizeof(*ops));
	code[nr] = (struct kcatch_op){ .op = KCATCH_OP_OUT };
	code[nr + 1] = (struct kcatch_op){ .op = KCATCH_OP_GO, .yes = KCATCH_EXIT_YES };
	wants.codes[0].part.kind = KCATCH_PART_CODE;
	return code_part(&wants, 0, input);
}

static void arithmetic(void **state)
{
	static const struct {
		uint8_t op;
		uint64_t a, b, result;
	} table[] = {
		{ KCATCH_OP_ADD, UINT64_MAX, 2, 1 }, { KCATCH_OP_SUB, 1, 2, UINT64_MAX },
		{ KCATCH_OP_MUL, 1ULL << 63, 3, 1ULL << 63 },
		{ KCATCH_OP_DIV, -7ULL, 2, -7ULL / 2 },
		{ KCATCH_OP_DIV_S, -7ULL, 2, -3ULL }, { KCATCH_OP_DIV_S, 7, -2ULL, -3ULL },
		{ KCATCH_OP_DIV_S, 1ULL << 63, -1ULL, 1ULL << 63 },
		{ KCATCH_OP_MOD_S, 1ULL << 63, -1ULL, 0 }, { KCATCH_OP_MOD_S, -7ULL, 2, -1ULL },
		{ KCATCH_OP_MOD, -7ULL, 10, 9 }, { KCATCH_OP_AND, 12, 10, 8 },
		{ KCATCH_OP_OR, 12, 10, 14 }, { KCATCH_OP_XOR, 12, 10, 6 },
		{ KCATCH_OP_SHL, 3, 63, 1ULL << 63 }, { KCATCH_OP_SHL, 3, 64, 3 },
		{ KCATCH_OP_SHR, -1ULL, 63, 1 }, { KCATCH_OP_SAR, -1ULL, 63, -1ULL },
		{ KCATCH_OP_SET, 3, 9, 9 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct code_input input = { .args = { table[i].a, table[i].b } };
		const struct kcatch_op ops[] = {
			{ .op = KCATCH_OP_SET, .from = KCATCH_FROM_ARG },
			{ .op = table[i].op, .from = KCATCH_FROM_ARG, .index = 1 },
		};

		if (result(ops, 2, &input) != table[i].result)
			fail_msg("operation %u: %#llx", table[i].op,
				 (unsigned long long)result(ops, 2, &input));
	}
}

static void cutting(void **state)
{
	static const struct {
		uint8_t left, right, fit;
		uint64_t result;
	} table[] = {
		{ 0, 0, 0, 0x8000fff012345680 }, { 32, 32, 0, 0x12345680 },
		{ 56, 56, 0, 0x80 }, { 56, 56 | KCATCH_RIGHT_SIGNED, 0, -128ULL },
		{ 16, 48, 0, 0xfff0 }, { 16, 48 | KCATCH_RIGHT_SIGNED, 0, -16ULL },
		{ 0, 63, 0, 1 }, { 0, 63 | KCATCH_RIGHT_SIGNED, 0, -1ULL }, { 63, 0, 0, 0 },
		{ 0, 0, 56 | KCATCH_RIGHT_SIGNED, -128ULL }, { 56, 56, 32, 0x80 },
	};
	const struct code_input input = { .args = { 0x8000fff012345680 } };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct kcatch_op op = { .op = KCATCH_OP_SET, .from = KCATCH_FROM_ARG,
					      .left = table[i].left, .right = table[i].right,
					      .fit = table[i].fit };

		if (result(&op, 1, &input) != table[i].result)
			fail_msg("%zu: %#llx", i, (unsigned long long)result(&op, 1, &input));
	}
}

/* Of a text only as much is looked at as is there. */
static void texts(void **state)
{
	enum { NO = KCATCH_EXIT_NO, YES = KCATCH_EXIT_YES, OPEN = KCATCH_EXIT_UNKNOWN };
	static const struct {
		const char *wanted, *text;
		bool prefix, ended;
		int result;
	} table[] = {
		{ "abc", "abc", false, true, YES }, { "abc", "abc", false, false, OPEN },
		{ "abc", "ab", false, true, NO }, { "abc", "ab", false, false, OPEN },
		{ "abc", "abd", false, false, NO }, { "abc", "abcd", false, false, NO },
		{ "abc", "abcd", true, false, YES }, { "abc", "abc", true, false, YES },
		{ "abc", "", true, true, NO }, { "", "", true, false, YES },
		{ "", "", false, true, YES }, { "", "", false, false, OPEN },
		{ "", "x", false, true, NO },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct kcatch_op op = { .b = strlen(table[i].wanted),
					      .fit = table[i].prefix ? KCATCH_TEXT_PREFIX : 0 };
		size_t size = strlen(table[i].text);
		char *text = malloc(size + 1);

		/* Of just that size: the sanitizer sees who reads beyond. */
		text = realloc(text, size ? size : 1);
		memcpy(text, table[i].text, size);
		assert_int_equal(kcatch_code_compare(&op, table[i].wanted, text, size,
						     table[i].ended), table[i].result);
		free(text);
	}
}

/* What is not known leaves by an exit of its own. */
static void unknown(void **state)
{
	const struct kcatch_op field[] = {
		{ .op = KCATCH_OP_RANGE, .from = KCATCH_FROM_FIELD, .index = 5, .a = 7,
		  .yes = KCATCH_EXIT_YES, .unknown = KCATCH_EXIT_UNKNOWN },
	}, division[] = {
		{ .op = KCATCH_OP_SET, .from = KCATCH_FROM_CONST, .a = 7 },
		{ .op = KCATCH_OP_DIV, .from = KCATCH_FROM_ARG, .unknown = KCATCH_EXIT_UNKNOWN },
		{ .op = KCATCH_OP_GO, .yes = KCATCH_EXIT_YES },
	};
	struct code_input input = { .fields = { 7 } };

	(void)state;
	assert_int_equal(code_result(field, 1, NULL, 0, &input), KCATCH_EXIT_YES);
	input.faults = 1U << 5;
	assert_int_equal(code_result(field, 1, NULL, 0, &input), KCATCH_EXIT_UNKNOWN);
	input.faults = ~(1ULL << 5);
	assert_int_equal(code_result(field, 1, NULL, 0, &input), KCATCH_EXIT_YES);
	assert_int_equal(code_result(division, 3, NULL, 0, &nothing), KCATCH_EXIT_UNKNOWN);
	input.args[0] = 1;
	assert_int_equal(code_result(division, 3, NULL, 0, &input), KCATCH_EXIT_YES);
}

/* One field of a sound operation is changed at a time; program_hostile has what each means. */
static void checked(void **state)
{
	static const struct kcatch_op sound[] = {
		{ .op = KCATCH_OP_SET, .from = KCATCH_FROM_FIELD, .left = 8, .right = 8,
		  .offset = 8, .unknown = KCATCH_EXIT_OP + 3 },
		{ .op = KCATCH_OP_SAVE, .index = 7 },
		{ .op = KCATCH_OP_LESS, .from = KCATCH_FROM_SAVED, .index = 7,
		  .yes = KCATCH_EXIT_OP + 3 },
		{ .op = KCATCH_OP_TEXT, .from = KCATCH_FROM_COMM, .a = 2, .b = 2,
		  .unknown = KCATCH_EXIT_UNKNOWN },
	};
	const struct kcatch_code_limits limits = { .fields = 16, .items = 2, .texts = 4 };
	struct kcatch_op ops[4];
	uint32_t sources, bad, i, j, passed = 0;

	(void)state;
	assert_true(kcatch_code_check(sound, 4, &limits, &sources, &bad));
	assert_int_equal(sources, 1U << KCATCH_FROM_NONE | 1U << KCATCH_FROM_FIELD |
				  1U << KCATCH_FROM_SAVED | 1U << KCATCH_FROM_COMM);
	assert_false(kcatch_code_check(sound, 0, &limits, &sources, &bad));
	assert_false(kcatch_code_check(sound, 3, &limits, &sources, &bad));
	for (i = 0; i < sizeof(sound); i++) {
		for (j = 1; j < 256; j++) {
			memcpy(ops, sound, sizeof(ops));
			((uint8_t *)ops)[i] ^= (uint8_t)j;
			if (kcatch_code_check(ops, 4, &limits, &sources, &bad))
				passed++;
			else
				assert_in_range(bad, 0, 3);
		}
	}
	/* Other shifts, exits and places, which are as sound. */
	assert_in_range(passed, 100, 1500);
}

static struct kcatch_op random_op(void)
{
	struct kcatch_op op = {
		.op = (uint8_t)(random() % KCATCH_OPS), .from = (uint8_t)(random() % KCATCH_FROMS),
	};

	if (random() % 2)
		op.index = (uint8_t)(random() % 3);
	if (random() % 2)
		op.left = (uint8_t)(random() % 64);
	if (random() % 2)
		op.right = (uint8_t)random();
	if (random() % 2)
		op.fit = (uint8_t)(random() % 64);
	if (random() % 2)
		op.yes = (uint8_t)(random() % 12);
	if (random() % 2)
		op.no = (uint8_t)(random() % 12);
	if (random() % 2)
		op.unknown = (uint8_t)(random() % 12);
	if (random() % 2)
		op.offset = (uint16_t)(8 * (random() % 3));
	if (random() % 2)
		op.a = (uint64_t)(random() % 5);
	if (random() % 2)
		op.b = (uint64_t)(random() % 5);
	return op;
}

/* One operation after the other, each of which is sound behind those before. */
static void random_code(void **state)
{
	const struct kcatch_code_limits limits = { .fields = 16, .items = 2, .texts = 4 };
	struct code_input input = { .args = { 1, 2, 3 }, .faults = 2, .comm = "dd" };
	uint32_t sources, bad, i, tries, passed = 0;
	unsigned int ends[3] = { 0 };
	struct kcatch_op ops[LONGEST];
	int codes;

	(void)state;
	srandom(SEED);
	for (codes = 0; codes < CODES; codes++) {
		for (i = 0; i < LONGEST; i++)
			ops[i] = (struct kcatch_op){ .op = KCATCH_OP_GO, .yes = KCATCH_EXIT_YES };
		for (i = 0; i < LONGEST - 1; i++) {
			struct kcatch_op before = ops[i];

			for (tries = 0; tries < 20; tries++) {
				ops[i] = random_op();
				if (kcatch_code_check(ops, LONGEST, &limits, &sources, &bad))
					break;
			}
			passed += tries < 20;
			if (tries == 20)
				ops[i] = before;
		}
		ends[code_result(ops, LONGEST, "dd\0d", 4, &input)]++;
	}
	print_message("# %u operations of %d codes are made up, %u %u %u\n", passed, CODES, ends[0],
		      ends[1], ends[2]);
	assert_true(passed > CODES && ends[0] && ends[1] && ends[2]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arithmetic), cmocka_unit_test(cutting), cmocka_unit_test(texts),
		cmocka_unit_test(unknown), cmocka_unit_test(checked), cmocka_unit_test(random_code),
	};

	return cmocka_run_group_tests_name("code of conditions", tests, NULL, NULL);
}
