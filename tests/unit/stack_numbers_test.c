// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: equal stacks have one number and others another one, also when all stacks had to
 * be forgotten; no recording makes looking them up slow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "session/stack_numbers.h"

#define WORDS 42U	/* of a stack here: 2, and pairs */
#define STACKS 20000U

static uint64_t number_of(struct kcatch_stack_numbers *numbers, unsigned int which, uint64_t high,
			  uint64_t low)
{
	uint64_t words[WORDS] = { 1, 2 };
	unsigned int bit;

	for (bit = 0; bit < (WORDS - 2) / 2; bit++) {
		words[2 + 2 * bit] = which >> bit & 1 ? high : 0;
		words[3 + 2 * bit] = which >> bit & 1 ? low : 0;
	}
	return kcatch_stack_numbers_find(numbers, words, WORDS);
}

static double seconds_of(uint64_t high, uint64_t low)
{
	struct kcatch_stack_numbers *numbers;
	clock_t begin = clock();
	unsigned int i;

	assert_int_equal(kcatch_stack_numbers_create(&numbers), 0);
	for (i = 0; i < STACKS; i++)
		number_of(numbers, i, high, low);
	kcatch_stack_numbers_destroy(numbers);
	return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/*
 * The highest bit of a word is that of its product with any odd number, too. Where words are
 * multiplied by such numbers and rotated by 31, bit 30 of the next word takes it back, whatever
 * the numbers are: all these stacks collide.
 */
static void hostile_stacks(void **state)
{
	double plain = seconds_of(5, 7);

	(void)state;
	plain = plain < 0.02 ? 0.02 : plain;
	assert_true(seconds_of(1ULL << 63, 1ULL << 30) < 20 * plain);
}

static void same_and_different(void **state)
{
	struct kcatch_stack_numbers *numbers, *others;
	uint64_t words[] = { 1, 2, 3 }, first, second, i;

	(void)state;
	assert_int_equal(kcatch_stack_numbers_create(&numbers), 0);
	assert_int_equal(kcatch_stack_numbers_create(&others), 0);
	first = kcatch_stack_numbers_find(numbers, words, 3);
	second = kcatch_stack_numbers_find(numbers, words, 2);
	assert_true(first && second && first != second);
	assert_int_equal(kcatch_stack_numbers_find(numbers, words, 3), first);
	assert_true(kcatch_stack_numbers_find(others, words, 3) > second);
	for (i = 0; i < 100000; i++) {
		words[2] = i + 4;
		assert_true(kcatch_stack_numbers_find(numbers, words, 3) > second);
	}
	words[2] = 3;
	assert_true(kcatch_stack_numbers_find(numbers, words, 3) > second);
	kcatch_stack_numbers_destroy(numbers);
	kcatch_stack_numbers_destroy(others);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_and_different),
		cmocka_unit_test(hostile_stacks),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
