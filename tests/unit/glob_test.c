// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: patterns match by the rules of the kernel's glob_match(), checked
 * against fnmatch() of the C library on random input, and hostile patterns end.
 */
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <kcatch_text.h>

static void examples(void **state)
{
	static const struct {
		const char *pattern, *name;
		bool matches;
	} cases[] = {
		{ "tcp_*", "tcp_sendmsg", true }, { "tcp_*", "tcp_", true },
		{ "tcp_*", "udp_sendmsg", false }, { "*msg", "tcp_sendmsg", true },
		{ "*msg", "tcp_sendmsg_locked", false }, { "t?p", "tcp", true },
		{ "t?p", "tp", false }, { "[a-c]x", "bx", true }, { "[a-c]x", "dx", false },
		{ "[!a-c]x", "dx", true }, { "[!a-c]x", "ax", false }, { "[]]", "]", true },
		{ "*a*b*c*", "xxaxxbxxcxx", true }, { "*a*b*c*", "xxaxxcxxbxx", false },
		{ "", "", true }, { "", "x", false }, { "*", "", true }, { "**", "abc", true },
		{ "a\\*", "a*", true }, { "a\\*", "ab", false }, { "?", "", false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (kcatch_glob_match(cases[i].pattern, cases[i].name) != cases[i].matches)
			fail_msg("'%s' and '%s'", cases[i].pattern, cases[i].name);
}

static void as_fnmatch(void **state)
{
	static const char *const pieces[] = {
		"a", "b", "c", "*", "?", "[ab]", "[!a]", "[a-c]", "ab"
	};
	char pattern[64], name[16];
	int i, j, matches = 0;

	(void)state;
	srandom(3);
	for (i = 0; i < 100000; i++) {
		int parts = random() % 6, length = random() % 8;

		pattern[0] = '\0';
		for (j = 0; j < parts; j++)
			strcat(pattern, pieces[random() % 9]);
		for (j = 0; j < length; j++)
			name[j] = 'a' + random() % 3;
		name[length] = '\0';
		if (kcatch_glob_match(pattern, name) != !fnmatch(pattern, name, 0))
			fail_msg("'%s' and '%s'", pattern, name);
		matches += kcatch_glob_match(pattern, name);
	}
	assert_true(matches > 1000);
}

/* The classic that takes exponential time in naive matchers. */
static void ends(void **state)
{
	char pattern[201], name[5001];
	int i;

	(void)state;
	for (i = 0; i < 200; i += 2)
		memcpy(pattern + i, "*a", 2);
	pattern[199] = 'b';
	pattern[200] = '\0';
	memset(name, 'a', 5000);
	name[5000] = '\0';
	assert_false(kcatch_glob_match(pattern, name));
}

/* Any bytes: stays inside both strings (the sanitizer looks). */
static void any_bytes(void **state)
{
	int i, j;

	(void)state;
	srandom(4);
	for (i = 0; i < 100000; i++) {
		size_t length = random() % 12;
		char *pattern = malloc(length + 1), *name = malloc(length + 1);

		for (j = 0; j < (int)length; j++) {
			pattern[j] = "*?[]!-\\ab\377"[random() % 10];
			name[j] = "]-\\ab\377"[random() % 6];
		}
		pattern[length] = name[length] = '\0';
		kcatch_glob_match(pattern, name);
		free(pattern);
		free(name);
	}
}

static void is_pattern(void **state)
{
	(void)state;
	assert_true(kcatch_glob_is_pattern("tcp_*"));
	assert_true(kcatch_glob_is_pattern("tcp?"));
	assert_true(kcatch_glob_is_pattern("tc[p]"));
	assert_false(kcatch_glob_is_pattern("tcp_sendmsg"));
	assert_false(kcatch_glob_is_pattern(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples),
		cmocka_unit_test(as_fnmatch),
		cmocka_unit_test(ends),
		cmocka_unit_test(any_bytes),
		cmocka_unit_test(is_pattern),
	};

	return cmocka_run_group_tests_name("patterns", tests, NULL, NULL);
}
