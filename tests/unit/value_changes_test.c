// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: what a call has changed is found by comparing its value at the entry and at the
 * return: numbers, texts, what could be read once only, and members, also where there are fewer of
 * them; what a pointer that is followed points to is no change of the pointer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <kcatch.h>
#include "fetch/decode_data.h"

static const char first[] = "first", second[] = "second", third[] = "third";

static struct kcatch_value number(const char *name, uint64_t value)
{
	return (struct kcatch_value) { .name = name, .kind = KCATCH_VALUE_INTEGER,
				       .number = value };
}

static struct kcatch_value text(enum kcatch_value_kind kind, const char *bytes)
{
	return (struct kcatch_value) { .kind = kind, .text = bytes, .length = strlen(bytes) };
}

static struct kcatch_value parts(enum kcatch_value_kind kind, const struct kcatch_value *children,
				 size_t nr)
{
	return (struct kcatch_value) { .kind = kind, .children = children, .nr_children = nr };
}

/* The mark is set as well as returned. */
static bool changed(struct kcatch_value before, struct kcatch_value after)
{
	bool result = kcatch_decode_changed(&before, &after);

	assert_int_equal(after.changed, result);
	return result;
}

static void numbers(void **state)
{
	struct kcatch_value unread = number(NULL, 0);
	unsigned int bit;

	(void)state;
	unread.fault = true;
	assert_false(changed(number(NULL, 7), number(NULL, 7)));
	assert_true(changed(number(NULL, 7), number(NULL, 8)));
	for (bit = 0; bit < 64; bit++)
		assert_true(changed(number(NULL, 7), number(NULL, 7 ^ 1ULL << bit)));
	assert_true(changed(number(NULL, 0), unread));
	assert_true(changed(unread, number(NULL, 0)));
	assert_false(changed(unread, unread));
}

static void texts(void **state)
{
	const enum kcatch_value_kind kinds[] = { KCATCH_VALUE_STRING, KCATCH_VALUE_BYTES };
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		assert_false(changed(text(kinds[i], "abc"), text(kinds[i], "abc")));
		assert_true(changed(text(kinds[i], "abc"), text(kinds[i], "abd")));
		assert_true(changed(text(kinds[i], "abc"), text(kinds[i], "ab")));
		assert_true(changed(text(kinds[i], ""), text(kinds[i], "a")));
	}
	/* The readable form of a number is none of its bytes. */
	assert_false(changed(text(KCATCH_VALUE_ENUM, "A"), text(KCATCH_VALUE_ENUM, "B")));
}

/* A pointer that is followed has the fault of what it points to, which is read once only. */
static void pointers(void **state)
{
	struct kcatch_value behind = number(NULL, 1);
	struct kcatch_value followed = parts(KCATCH_VALUE_POINTER, &behind, 1);
	struct kcatch_value alone = { .kind = KCATCH_VALUE_POINTER, .number = 4096 };
	struct kcatch_value other = alone;
	unsigned int bit;

	(void)state;
	followed.number = 4096;
	assert_false(changed(followed, alone));
	followed.fault = true;
	assert_false(changed(followed, alone));
	assert_false(changed(alone, followed));
	other.number = 8192;
	assert_true(changed(followed, other));
	for (bit = 0; bit < 64; bit++) {
		other.number = alone.number ^ 1ULL << bit;
		assert_true(changed(alone, other));
	}
}

static void members(void **state)
{
	const struct kcatch_value before[] = { number(first, 1), number(second, 2),
					       number(third, 3) };
	struct kcatch_value after[] = { number(first, 1), number(second, 2), number(third, 3) };
	struct kcatch_value one_less[] = { number(first, 1), number(third, 3) };

	(void)state;
	assert_false(changed(parts(KCATCH_VALUE_STRUCT, before, 3),
			     parts(KCATCH_VALUE_STRUCT, after, 3)));
	after[1].number = 9;
	assert_true(changed(parts(KCATCH_VALUE_STRUCT, before, 3),
			    parts(KCATCH_VALUE_STRUCT, after, 3)));
	assert_false(after[0].changed);
	assert_true(after[1].changed);
	assert_false(after[2].changed);

	/* Each is compared with the one of its name. */
	assert_false(changed(parts(KCATCH_VALUE_STRUCT, before, 3),
			     parts(KCATCH_VALUE_STRUCT, one_less, 2)));
	one_less[1].number = 9;
	assert_true(changed(parts(KCATCH_VALUE_STRUCT, before, 3),
			    parts(KCATCH_VALUE_STRUCT, one_less, 2)));
	assert_false(one_less[0].changed);
	assert_true(one_less[1].changed);
	assert_true(changed(parts(KCATCH_VALUE_STRUCT, one_less, 2),
			    parts(KCATCH_VALUE_STRUCT, after, 3)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(texts),
		cmocka_unit_test(pointers),
		cmocka_unit_test(members),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
