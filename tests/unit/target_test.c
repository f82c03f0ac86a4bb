// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: what a user writes as a function is taken apart rightly or refused;
 * any bytes are safe; numbers are numbers or nothing.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/printable.h"
#include "target/target.h"

static void parsed(const char *text, const char *module, const char *symbol, uint32_t offset)
{
	struct kcatch_target_spec spec;

	memset(&spec, 0, sizeof(spec));
	assert_int_equal(kcatch_target_parse(text, &spec), 0);
	assert_string_equal(spec.symbol, symbol);
	assert_int_equal(spec.offset, offset);
	if (module)
		assert_string_equal(spec.module, module);
	else
		assert_null(spec.module);
	kcatch_target_deinit(&spec);
}

static void refused(const char *text)
{
	struct kcatch_target_spec spec;

	memset(&spec, 0, sizeof(spec));
	if (!kcatch_target_parse(text, &spec))
		fail_msg("taken: '%s'", text);
	kcatch_target_deinit(&spec);
}

static void good(void **state)
{
	(void)state;
	parsed("vfs_read", NULL, "vfs_read", 0);
	parsed("ext4:ext4_sync_file", "ext4", "ext4_sync_file", 0);
	parsed("vfs_read+16", NULL, "vfs_read", 16);
	parsed("vfs_read+0x10", NULL, "vfs_read", 16);
	parsed("vfs_read+0x1c/0x60", NULL, "vfs_read", 28);
	parsed("ext4:ext4_sync_file+0xff", "ext4", "ext4_sync_file", 255);
	parsed("finish_task_switch.isra.0", NULL, "finish_task_switch.isra.0", 0);
	parsed("tcp_*", NULL, "tcp_*", 0);
	parsed("ext4:*", "ext4", "*", 0);
}

static void bad(void **state)
{
	static const char *const texts[] = {
		"vfs_read+16/", "vfs_read+16/garbage", "vfs_read+0x10/0x20 [ext4]",
		"", " ", ":", "ext4:", ":vfs_read", "a:b:c", "vfs_read+", "vfs_read+x",
		"vfs_read+-1", "vfs_read+0x", "vfs_read+99999999999", "tcp_*+4",
		"vfs read", "vfs\tread", "vfs\nread", "\001", "vfs_read\177", "\377\376", "+4", "1abc",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		refused(texts[i]);
}

static void huge(void **state)
{
	char *text = malloc(100001);

	(void)state;
	memset(text, 'k', 100000);
	text[100000] = '\0';
	refused(text);
	text[50] = ':';
	refused(text);
	free(text);
}

static void any_bytes(void **state)
{
	int i, j;

	(void)state;
	srandom(6);
	for (i = 0; i < 100000; i++) {
		struct kcatch_target_spec spec;
		char text[24];
		int length = random() % 23;

		for (j = 0; j < length; j++)
			text[j] = random() % 2 ? ":+*[]x0_/a9"[random() % 11] : random();
		text[length] = '\0';
		memset(&spec, 0, sizeof(spec));
		if (!kcatch_target_parse(text, &spec)) {
			assert_non_null(spec.symbol);
			kcatch_target_matches(&spec, "vfs_read", "");
		}
		kcatch_target_deinit(&spec);
	}
}

/* What is shown never holds a byte that moves a terminal. */
static void shown(void **state)
{
	struct kcatch_shown out;
	char text[600];
	int i, j;

	(void)state;
	srandom(7);
	for (i = 0; i < 20000; i++) {
		int length = random() % sizeof(text);
		const char *at;

		for (j = 0; j < length; j++)
			text[j] = random();
		at = kcatch_text_show_n(&out, text, length);
		assert_true(strlen(at) < sizeof(out.text));
		for (; *at; at++)
			assert_true((unsigned char)*at >= 0x20 && *at != 0x7f &&
				    (at[0] != '\xc2' || (unsigned char)at[1] >= 0xa0));
	}
}

static void numbers(void **state)
{
	static const struct {
		const char *text;
		bool taken;
		uint64_t value;
	} cases[] = {
		{ "0", true, 0 }, { "42", true, 42 }, { "0x2A", true, 42 }, { "0x2a", true, 42 },
		{ "18446744073709551615", true, UINT64_MAX }, { "0xffffffffffffffff", true,
		UINT64_MAX },
		{ "18446744073709551616", false, 0 }, { "0x10000000000000000", false, 0 },
		{ "", false, 0 }, { "0x", false, 0 }, { "-1", false, 0 }, { " 1", false, 0 },
		{ "1 ", false, 0 }, { "1a", false, 0 }, { "0xg", false, 0 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t value = 0;
		bool taken = kcatch_text_number(cases[i].text, strlen(cases[i].text), &value);

		if (taken != cases[i].taken || (taken && value != cases[i].value))
			fail_msg("'%s'", cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good),
		cmocka_unit_test(bad),
		cmocka_unit_test(huge),
		cmocka_unit_test(any_bytes),
		cmocka_unit_test(shown),
		cmocka_unit_test(numbers),
	};

	return cmocka_run_group_tests_name("targets", tests, NULL, NULL);
}
