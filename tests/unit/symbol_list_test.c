/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol_list_test.c - names of addresses, from a recording's list of symbols
 *
 * Description: in whatever order a list has its symbols, an address has the name of the nearest one
 * below, and of several there the first in the list; lines that are none are skipped.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "symbols/symbol_list.h"

#define SYMBOLS 400
#define BASE 0xffffffff81000000ULL
#define STEP 16U	/* bytes between two places a symbol may have */

/* Addresses in the order of the list; the symbol's name is its number there. */
static uint64_t addresses[SYMBOLS];
static unsigned int seed;

static unsigned int chosen(unsigned int limit)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % limit;
}

static struct kcatch_symbol_list *list_of(size_t nr)
{
	char *text = calloc(nr + 1, 40);
	struct kcatch_symbol_list *list;
	uint64_t last = 0;
	size_t i, length = 0;

	for (i = 0; i < nr; i++) {
		uint64_t address = addresses[i];

		length += (size_t)sprintf(text + length, "%s%" PRIx64 " s%zu\n",
					  address < last ? "-" : "",
					  address < last ? last - address : address - last, i);
		last = address;
	}
	assert_int_equal(kcatch_symbol_list_create(text, length, &list), 0);
	return list;
}

/* The symbol of an address by looking at all of them, or -1. */
static int nearest(size_t nr, uint64_t address)
{
	int best = -1;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (addresses[i] <= address && (best < 0 || addresses[i] > addresses[best]))
			best = (int)i;
	}
	return best;
}

static void check_all(size_t nr)
{
	struct kcatch_symbol_list *list = list_of(nr);
	uint64_t address;

	for (address = BASE - STEP; address < BASE + (SYMBOLS + 2) * STEP; address += STEP / 2) {
		int expected = nearest(nr, address);
		struct kcatch_name name;
		char text[16];

		kcatch_symbol_list_find(list, address, &name);
		if (expected < 0) {
			assert_null(name.symbol);
			continue;
		}
		snprintf(text, sizeof(text), "s%d", expected);
		assert_string_equal(name.symbol, text);
		assert_int_equal(name.offset, address - addresses[expected]);
	}
	kcatch_symbol_list_destroy(list);
}

/* The first @sorted symbols ascend, as the kernel's own do; the others are anywhere. */
static void in_any_order(void **state)
{
	static const size_t sorted[] = { 0, 1, 2, SYMBOLS / 2, SYMBOLS - 3, SYMBOLS - 1, SYMBOLS };
	size_t nr, i, j;

	(void)state;
	for (j = 0; j < sizeof(sorted) / sizeof(sorted[0]); j++) {
		for (seed = 1; seed <= 5; seed++) {
			unsigned int first = seed;

			for (i = 0; i < SYMBOLS; i++)
				addresses[i] = BASE + STEP * (i < sorted[j] ?
						(i + chosen(2)) / 2 * 2 : chosen(SYMBOLS));
			for (nr = 0; nr <= SYMBOLS; nr += nr < 3 ? 1 : (SYMBOLS - 1) / 4)
				check_all(nr);
			seed = first;
		}
	}
}

static void behind_and_below(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < SYMBOLS; i++)	/* all of the second half are below the first */
		addresses[i] = BASE + STEP * ((i + SYMBOLS / 2) % SYMBOLS);
	check_all(SYMBOLS);
	for (i = 0; i < SYMBOLS; i++)
		addresses[i] = BASE + STEP * (SYMBOLS - 1 - i);
	check_all(SYMBOLS);
	for (i = 0; i < SYMBOLS; i++)
		addresses[i] = BASE;
	check_all(SYMBOLS);
}

static void other_lines(void **state)
{
	static const char lines[] = "ffffffff81000000 first\n\n \n-\nxyz\n10\n10 \n1g second\n"
				    "0x10 third\n+10 fourth\n -10 fifth\n20 last\n40 cut";
	struct kcatch_symbol_list *list;
	struct kcatch_name name;

	(void)state;
	assert_int_equal(kcatch_symbol_list_create(strdup(lines), sizeof(lines) - 1, &list), 0);
	kcatch_symbol_list_find(list, BASE + 0x1f, &name);
	assert_string_equal(name.symbol, "first");
	assert_int_equal(name.offset, 0x1f);
	kcatch_symbol_list_find(list, BASE + 0x80, &name);
	assert_string_equal(name.symbol, "last");
	assert_int_equal(name.offset, 0x60);
	kcatch_symbol_list_destroy(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_any_order),
		cmocka_unit_test(behind_and_below),
		cmocka_unit_test(other_lines),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
