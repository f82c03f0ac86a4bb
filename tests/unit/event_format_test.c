// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * event_format_test.c - formats of DO_TRACE: what the module makes of their conversions, what
 * the library calls the arguments and reads out of a payload
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../kernel/ktrace/ktrace_format.h"
#include "fetch/decode.h"
#include "fetch/decode_event.h"
#include <kcatch.h>

#define SIGNED KCATCH_EVENT_ARG_SIGNED
#define POINTER KCATCH_EVENT_ARG_POINTER
#define STRING KCATCH_EVENT_ARG_STRING

static void assert_args(const char *format, uint32_t nr, const uint8_t *expected)
{
	u8 args[KCATCH_EVENT_ARGS_MAX];
	u32 found;
	const char *wrong = kcatch_ktrace_format_args(format, args, &found);

	if (wrong)
		print_error("%s: %s\n", format, wrong);
	assert_null(wrong);
	assert_int_equal(found, nr);
	if (nr)
		assert_memory_equal(args, expected, nr);
}

static void sizes_are_those_of_the_conversions(void **state)
{
	(void)state;
	assert_args("no conversion, 100 %%", 0, NULL);
	assert_args("%hhd%hd%d%ld%lld", 5, (const uint8_t[]){ 1 | SIGNED, 2 | SIGNED, 4 | SIGNED,
							     8 | SIGNED, 8 | SIGNED });
	assert_args("%hhu %hx %X %lo %llu", 5, (const uint8_t[]){ 1, 2, 4, 8, 8 });
	assert_args("%zu %zd %td %jd %Lu", 5, (const uint8_t[]){ 8, 8 | SIGNED, 8 | SIGNED,
								8 | SIGNED, 8 });
	assert_args("%c %p %s %i", 4, (const uint8_t[]){ 1, 8 | POINTER, STRING, 4 | SIGNED });
	assert_args("%-08.3d|%+5ld|%#lx|%20s|% d", 5,
		    (const uint8_t[]){ 4 | SIGNED, 8 | SIGNED, 8, STRING, 4 | SIGNED });
	assert_args("%%%d%%", 1, (const uint8_t[]){ 4 | SIGNED });
	assert_args("%pS %pI4", 2, (const uint8_t[]){ 8 | POINTER, 8 | POINTER });
}

static void what_cannot_be_read_back_is_refused(void **state)
{
	static const char *const formats[] = {
		"%", "%f", "%n", "%*d", "%.*s", "%.5s", "%l", "%hh", "%m", "%5", "%d%d%d%d%d%d%d%d%d%d%d",
		"bell \a", "%d \x1b[31m", "%\xff",
	};
	u8 args[KCATCH_EVENT_ARGS_MAX];
	size_t i;
	u32 nr;

	(void)state;
	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		assert_non_null(kcatch_ktrace_format_args(formats[i], args, &nr));
}

static void assert_name(const char *format, uint32_t index, const char *expected)
{
	char name[64];

	kcatch_event_field_name(format, index, name, sizeof(name));
	assert_string_equal(name, expected);
}

static void arguments_are_named_by_what_stands_before_them(void **state)
{
	(void)state;
	assert_name("count=%d size=%zu", 0, "count");
	assert_name("count=%d size=%zu", 1, "size");
	assert_name("%d", 0, "arg0");
	assert_name("a %d, b %d", 1, "arg1");
	assert_name("100%% of x=%d", 0, "x");
	assert_name("flags=0x%x", 0, "flags");
	assert_name("name='%s' in (dir:\"%s\")", 0, "name");
	assert_name("name='%s' in (dir:\"%s\")", 1, "dir");
	assert_name("a=%d a=%d", 0, "a");
	assert_name("a=%d a=%d", 1, "arg1");
	assert_name("a.b->c_d=%d", 0, "c_d");
	assert_name("1st=%d", 0, "arg0");
	assert_name("=%d", 0, "arg0");
	assert_name("x=%d", 7, "arg7");
}

static int nobody(void *arg, uint64_t address, char *text, size_t room)
{
	(void)arg, (void)address, (void)text, (void)room;
	return -2;
}

static void payloads_are_read_and_not_believed(void **state)
{
	static const struct kcatch_event_info info = {
		.nr_args = 4, .format = "small=%hhd text=%s at=%p last=%u",
		.args = { 1 | SIGNED, STRING, 8 | POINTER, 4 },
	};
	static const uint8_t payload[] = "\xfehello\0\x34\x12\0\0\0\0\0\0\x78\x56\x34\x12";
	const struct kcatch_value *values;
	struct kcatch_decoder *decoder;
	uint32_t size;

	(void)state;
	assert_int_equal(kcatch_decoder_create(nobody, NULL, &decoder), 0);
	assert_int_equal(kcatch_event_decode(decoder, &info, payload, 19, &values), 0);
	assert_string_equal(values[0].name, "small");
	assert_int_equal((int64_t)values[0].number, -2);
	assert_true(values[0].is_signed);
	assert_int_equal(values[1].kind, KCATCH_VALUE_STRING);
	assert_int_equal(values[1].length, 5);
	assert_memory_equal(values[1].text, "hello", 5);
	assert_int_equal(values[2].kind, KCATCH_VALUE_POINTER);
	assert_int_equal(values[2].number, 0x1234);
	assert_int_equal(values[3].number, 0x12345678);
	/* Of one that is too short, whatever there is. */
	for (size = 0; size < 19; size++) {
		uint8_t *exact = size ? test_malloc(size) : NULL;

		if (exact)
			memcpy(exact, payload, size);
		assert_int_equal(kcatch_event_decode(decoder, &info, exact, size, &values), 0);
		assert_int_equal(values[3].kind, KCATCH_VALUE_UNKNOWN);
		if (exact)
			test_free(exact);
	}
	kcatch_decoder_destroy(decoder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_those_of_the_conversions),
		cmocka_unit_test(what_cannot_be_read_back_is_refused),
		cmocka_unit_test(arguments_are_named_by_what_stands_before_them),
		cmocka_unit_test(payloads_are_read_and_not_believed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
