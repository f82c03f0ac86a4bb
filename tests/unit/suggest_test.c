// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: the distance of two names is what the plain, slow algorithm says,
 * within the limit, and a mistyped name gets the right one first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <kcatch.h>
#include <kcatch_text.h>

#include "base/suggest.h"

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Optimal string alignment, by the book. */
static unsigned int plain_distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned int table[32][32];
	size_t i, j;

	for (i = 0; i <= n; i++)
		table[i][0] = i;
	for (j = 0; j <= m; j++)
		table[0][j] = j;
	for (i = 1; i <= n; i++) {
		for (j = 1; j <= m; j++) {
			table[i][j] = least(least(table[i - 1][j] + 1, table[i][j - 1] + 1),
					    table[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				table[i][j] = least(table[i][j], table[i - 2][j - 2] + 1);
		}
	}
	return table[n][m];
}

static void distance(void **state)
{
	char a[16], b[16];
	int i, j;

	(void)state;
	srandom(5);
	for (i = 0; i < 100000; i++) {
		size_t n = random() % 12, m = random() % 12;
		unsigned int limit = random() % 8, expected, got;

		for (j = 0; j < 12; j++) {
			a[j] = 'a' + random() % 3;
			b[j] = 'a' + random() % 3;
		}
		expected = least(plain_distance(a, n, b, m), limit + 1);
		got = kcatch_suggest_distance(a, n, b, m, limit);
		if (got != expected)
			fail_msg("%.*s and %.*s, limit %u: %u, not %u", (int)n, a, (int)m, b, limit,
				 got, expected);
	}
}

static const char *best(const char *wanted)
{
	static const char *const names[] = {
		"vfs_read", "vfs_write", "vfs_readlink", "tcp_sendmsg", "tcp_recvmsg", "ksys_read",
		"do_sys_openat2", "kernel_clone", "vfs_readv", "tcp_sendmsg_locked",
	};
	static struct kcatch_suggest suggest;
	size_t i;

	kcatch_suggest_init(&suggest, wanted);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		kcatch_suggest_offer(&suggest, names[i], strlen(names[i]));
	return suggest.count ? suggest.names[0] : "";
}

static void typos(void **state)
{
	(void)state;
	assert_string_equal(best("vfs_raed"), "vfs_read");
	assert_string_equal(best("vfs_rea"), "vfs_read");
	assert_string_equal(best("tcp_sendmgs"), "tcp_sendmsg");
	assert_string_equal(best("kernel_clon"), "kernel_clone");
	assert_string_equal(best("zzzzzzzzzzzzzzzz"), "");
}

/* Never more than its room, whatever the names. */
static void room(void **state)
{
	static struct kcatch_suggest suggest;
	char long_name[5000], *text;
	size_t size, i;

	(void)state;
	memset(long_name, 'a', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	kcatch_suggest_init(&suggest, long_name);
	kcatch_suggest_offer(&suggest, long_name, strlen(long_name));
	kcatch_suggest_init(&suggest, "abc");
	for (i = 1; i < sizeof(long_name); i++)
		kcatch_suggest_offer(&suggest, long_name + sizeof(long_name) - 1 - i, i);
	kcatch_suggest_offer(&suggest, "", 0);
	kcatch_suggest_offer(&suggest, "abd", 3);
	for (size = 1; size < 100; size++) {
		text = malloc(size);
		kcatch_suggest_format(&suggest, text, size);
		assert_true(strlen(text) < size);
		free(text);
	}
}

/* A whole word of a name is nearer than the same letters within a word. */
static void words(void **state)
{
	static const char *const names[] = { "abcdsendpage", "abc_sendpage", "sendpages_of" };
	struct kcatch_suggest suggest;
	size_t i;

	(void)state;
	kcatch_suggest_init(&suggest, "sendpage");
	for (i = 0; i < 3; i++)
		kcatch_suggest_offer(&suggest, names[i], strlen(names[i]));
	assert_int_equal(suggest.count, 3);
	assert_string_equal(suggest.names[0], "sendpages_of");
	assert_string_equal(suggest.names[1], "abc_sendpage");
	assert_string_equal(suggest.names[2], "abcdsendpage");
}

/* Names come out of the type information of a recording as well, where they are any bytes. */
static void no_control_characters(void **state)
{
	static const char name[] = "member\x1b[31m\x7f\xc2\x9b\xc3\xa4\t";
	struct kcatch_suggest suggest;
	char near[600];

	(void)state;
	kcatch_suggest_init(&suggest, "member");
	kcatch_suggest_offer(&suggest, name, sizeof(name) - 1);
	kcatch_suggest_format(&suggest, near, sizeof(near));
	assert_string_equal(near, "member\\x1b[31m\\x7f\\xc2\\x9b\xc3\xa4\\t");
	kcatch_error_set(22, "no such member\n    m\n    ^; did you mean %s?", name);
	assert_string_equal(kcatch_error_text(), "no such member\n    m\n    ^; did you mean "
						 "member?[31m??\x9b\xc3\xa4\t?");
	kcatch_error_append(" \x1b");
	assert_non_null(strstr(kcatch_error_text(), "\t? ?"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distance),
		cmocka_unit_test(words),
		cmocka_unit_test(typos),
		cmocka_unit_test(room),
		cmocka_unit_test(no_control_characters),
	};

	return cmocka_run_group_tests_name("suggestions", tests, NULL, NULL);
}
