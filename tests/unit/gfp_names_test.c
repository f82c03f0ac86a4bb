// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: the names of gfp_t's flags are read from the format of an event as kernels have
 * written it, and a number has those names that the kernel prints. Of what is written in another
 * way there are no names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fetch/gfp_names.h"

#define FORMAT(list)                                       \
	"print fmt: \"gfp_flags=%s\", (REC->gfp_flags) ? " \
	"__print_flags(REC->gfp_flags, \"|\", " list ") : \"none\""
#define OLDER                                                                           \
	FORMAT("{( unsigned long)((((( gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u)) & "    \
	       "~(( gfp_t)(0x400u|0x800u))) | (( gfp_t)0x400u)), \"GFP_ODD\"}, "        \
	       "{( unsigned long)((( gfp_t)0x20u)|(( gfp_t)0x200u)), \"GFP_ATOMIC\"}, " \
	       "{( unsigned long)(( gfp_t)0), \"__GFP_NOTHING\"}, "                     \
	       "{( unsigned long)(( gfp_t)0x100u), \"__GFP_ZERO\"}")
#define NEWER                                                                              \
	FORMAT("{( unsigned long)((( gfp_t)((((1UL))) << (5)))|(( gfp_t)((((1UL))) << "    \
	       "(11)))), \"GFP_ATOMIC\"}, {( unsigned long)(( gfp_t)((((1UL))) << (8))), " \
	       "\"__GFP_ZERO\"}, { 0, ((void *)0) } ")

static void check(const char *format, uint64_t number, const char *text)
{
	const struct kcatch_constants *names = kcatch_gfp_names_parse(format);
	char shown[KCATCH_CONSTANTS_TEXT];

	assert_non_null(names);
	kcatch_constants_text(names, number, shown, sizeof(shown));
	assert_string_equal(shown, text);
}

static void as_kernels_write(void **state)
{
	int64_t number;

	(void)state;
	check(OLDER, 0x440, "GFP_ODD");
	check(OLDER, 0x320, "GFP_ATOMIC|__GFP_ZERO");
	check(OLDER, 0x8000100, "__GFP_ZERO|0x8000000");
	check(OLDER, 0, "none");
	check(NEWER, 0x920, "GFP_ATOMIC|__GFP_ZERO");
	check(NEWER, 0x20, "");
	assert_true(kcatch_constants_number(kcatch_gfp_names_parse(NEWER), "GFP_ATOMIC", &number));
	assert_int_equal(number, 0x820);
	assert_false(kcatch_constants_number(kcatch_gfp_names_parse(NEWER), "GFP_ODD", &number));
}

static void otherwise(void **state)
{
	static char deep[4096] = FORMAT("{");

	(void)state;
	assert_null(kcatch_gfp_names_parse(""));
	assert_null(kcatch_gfp_names_parse("gfp_flags=%lx"));
	assert_null(kcatch_gfp_names_parse(FORMAT("{(other_t)1, \"GFP_ONE\"}")));
	assert_null(kcatch_gfp_names_parse(FORMAT("{1 + 1, \"GFP_TWO\"}")));
	assert_null(kcatch_gfp_names_parse(FORMAT("{1 << 64, \"GFP_FAR\"}")));
	assert_null(kcatch_gfp_names_parse(FORMAT("{1, \"GFP_OF_A_NAME_THAT_IS_FAR_TOO_LONG\"}")));
	memset(strchr(deep, '{') + 1, '(', 3000);
	assert_null(kcatch_gfp_names_parse(deep));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_kernels_write),
		cmocka_unit_test(otherwise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
