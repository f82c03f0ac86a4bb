/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shown_values_test.c - values as text and as JSON
 *
 * Description: any bytes become JSON, of two members of one name the last counts, times are
 * rounded as printf() rounds, a mean lies between the least and the largest value, a returned
 * error has its name, a text in a line is escaped as one of its own, kcatch's own frame has a name,
 * a changed number is shown as one, whatever its address is called.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>
#include <uapi/kcatch_ring.h>

#include "count_show.h"
#include "line.h"
#include "value_json.h"
#include "value_text.h"

#define INTEGER(text, value) \
	{ .name = text, .kind = KCATCH_VALUE_INTEGER, .is_signed = true, \
	  .number = (uint64_t)(value), .bytes = 8 }
#define STRING(called, is) \
	{ .name = called, .kind = KCATCH_VALUE_STRING, .number = 0x1000, .text = is, \
	  .length = sizeof(is) - 1 }

/* Names of members come from type information that may be anybody's. */
static void names_of_members_are_utf8(void **state)
{
	const struct kcatch_value members[] = {
		{ .name = "a\xff\xc3", .kind = KCATCH_VALUE_INTEGER, .number = 5 },
	};
	const struct kcatch_value value = { .kind = KCATCH_VALUE_STRUCT, .nr_children = 1,
					    .children = members };
	struct json_writer json = { .length = 0 };
	struct json_object *object, *member;

	(void)state;
	value_json(&json, &value);
	json_put_ready(&json, "", 1);
	object = json_tokener_parse(json.text);
	json_writer_deinit(&json);
	assert_true(json_object_object_get_ex(object, "a\xef\xbf\xbd\xef\xbf\xbd", &member));
	assert_int_equal(json_object_get_int(member), 5);
	assert_int_equal(json_object_object_length(object), 1);
	json_object_put(object);
}

/* The Arabic letter mark turns text around as its sisters do. */
static void marks_of_direction_are_escaped(void **state)
{
	static const char *const marks[] = { "\xd8\x9c", "\xe2\x80\x8f", "\xe2\x80\xae" };
	char shown[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		kcatch_text_escape(marks[i], strlen(marks[i]), shown, sizeof(shown));
		assert_memory_equal(shown, "\\x", 2);
	}
	kcatch_text_escape("\xd8\x9b", 2, shown, sizeof(shown));
	assert_string_equal(shown, "\xd8\x9b");
}

static void expect_json(const struct kcatch_value *value, const char *expected)
{
	struct json_writer json = { .length = 0 };

	value_json(&json, value);
	assert_false(json.failed);
	json_put_ready(&json, "", 1);
	assert_string_equal(json.text, expected);
	json_writer_deinit(&json);
}

static void expect_text(const struct kcatch_value *value, const char *expected)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	assert_non_null(out);
	value_text_argument(out, value, 0);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, expected);
	free(text);
}

/* The dots are where something is missing: at the beginning of a path, behind all else. */
static void cut_texts(void **state)
{
	struct kcatch_value file = { .name = "file", .kind = KCATCH_VALUE_POINTER, .number = 0x1000,
				     .text = ".../b c", .length = 7, .cut = true };
	struct kcatch_value name = { .name = "dev", .kind = KCATCH_VALUE_POINTER, .number = 0x1000,
				     .text = "eth", .length = 3, .cut = true };

	(void)state;
	expect_text(&file, "file=\".../b c\"");
	expect_text(&name, "dev=eth...");
}

/* What changed is the number behind the pointer, whether or not the kernel has a name for that. */
static void changed_numbers_behind_names(void **state)
{
	const struct kcatch_value before[] = { INTEGER(NULL, 3) }, after[] = { INTEGER(NULL, 4) };
	struct kcatch_value value = { .name = "pos", .kind = KCATCH_VALUE_POINTER,
				      .number = 0x1000, .nr_children = 1, .children = before,
				      .at_return = after };

	(void)state;
	expect_text(&value, "*pos=3 => 4");
	value.text = "some_variable";
	value.length = strlen(value.text);
	expect_text(&value, "*pos=3 => 4");
	value.at_return = NULL;
	expect_text(&value, "pos=some_variable");
}

/* What a terminal obeys does not reach it, whoever writes the JSON. */
static void control_characters_of_json(void **state)
{
	const struct kcatch_value name = STRING("comm", "\xc2\x9b" "31m\x7f\xc3\x9f\xc2\xa0\x1b\xff");

	(void)state;
	expect_json(&name, "\"\\u009b31m\\u007f\xc3\x9f\xc2\xa0\\u001b\xef\xbf\xbd\"");
}

static void expect_marks(const struct kcatch_value *value, enum value_mark mark,
			 const char *expected)
{
	struct json_writer json = { .length = 0 };

	json_put_begin(&json, false);
	value_json_marks(&json, value, mark);
	json_put_end(&json);
	json_put_ready(&json, "", 1);
	assert_string_equal(json.text, expected);
	assert_int_equal(value_json_marked(value, mark), strcmp(expected, "[]") != 0);
	json_writer_deinit(&json);
}

/* Of a buffer that the call fills, what is cut is known at the return only. */
static void marks_of_the_return(void **state)
{
	const struct kcatch_value member[] = {
		INTEGER("a", 3), { .name = "b", .kind = KCATCH_VALUE_STRUCT, .cut = true },
	};
	const struct kcatch_value bytes = { .kind = KCATCH_VALUE_BYTES, .cut = true, .text = "x",
					    .length = 1 };
	const struct kcatch_value target = { .kind = KCATCH_VALUE_STRUCT, .nr_children = 2,
					     .children = member };
	const struct kcatch_value buf = { .name = "buf", .kind = KCATCH_VALUE_POINTER, .number = 16,
					  .at_return = &bytes };
	const struct kcatch_value both = { .name = "it", .kind = KCATCH_VALUE_POINTER, .number = 16,
					   .nr_children = 1, .children = &target,
					   .at_return = &target };

	(void)state;
	expect_marks(&buf, VALUE_CUT, "[\"buf\"]");
	expect_marks(&buf, VALUE_UNREADABLE, "[]");
	expect_marks(&both, VALUE_CUT, "[\"it.b\"]");
}

/* Bytes that JSON cannot have are told in hexadecimal, at the entry and at the return. */
static void bytes_beside_json(void **state)
{
	struct kcatch_value member[] = { STRING("addr", "\x52\x54\x00\xab\xcd\xef"),
					 STRING("name", "eth\xc3\x9f") };
	const struct kcatch_value after = STRING(NULL, "\xff");
	const struct kcatch_value target = { .kind = KCATCH_VALUE_STRUCT, .nr_children = 2,
					     .children = member };
	const struct kcatch_value dev = { .name = "dev", .kind = KCATCH_VALUE_POINTER, .number = 16,
					  .nr_children = 1, .children = &target,
					  .at_return = &after };
	const struct kcatch_value whole = { .name = "dev", .kind = KCATCH_VALUE_POINTER,
					    .number = 16, .nr_children = 1,
					    .children = &member[1] };

	(void)state;
	expect_marks(&dev, VALUE_BYTES, "[\"dev.addr=525400abcdef\",\"dev=ff\"]");
	expect_marks(&dev, VALUE_CUT, "[]");
	expect_marks(&whole, VALUE_BYTES, "[]");
	member[0].kind = KCATCH_VALUE_BYTES;
	expect_marks(&dev, VALUE_BYTES, "[\"dev.addr=525400abcdef\",\"dev=ff\"]");
}

static void expect_return(const struct kcatch_value *value, const char *expected)
{
	struct json_writer json = { .length = 0 };

	value_json_return(&json, value);
	json_put_ready(&json, "", 1);
	assert_string_equal(json.text, expected);
	json_writer_deinit(&json);
}

/* A double has each integer up to 2^53, and no larger one for certain. */
static void numbers_that_doubles_have_not(void **state)
{
	static const struct { uint64_t number; bool is_signed; const char *json; } numbers[] = {
		{ 0, true, "0" },
		{ 1ULL << 53, false, "9007199254740992" },
		{ (1ULL << 53) + 1, false, "\"9007199254740993\"" },
		{ (1ULL << 53) + 1, true, "\"9007199254740993\"" },
		{ -(1ULL << 53), true, "-9007199254740992" },
		{ -(1ULL << 53) - 1, true, "\"-9007199254740993\"" },
		{ UINT64_MAX, true, "-1" },
		{ UINT64_MAX, false, "\"18446744073709551615\"" },
		{ 1ULL << 63, true, "\"-9223372036854775808\"" },
		{ 1ULL << 63, false, "\"9223372036854775808\"" },
	};
	struct kcatch_value value = { .kind = KCATCH_VALUE_INTEGER };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		value.number = numbers[i].number;
		value.is_signed = numbers[i].is_signed;
		expect_json(&value, numbers[i].json);
		expect_return(&value, numbers[i].json);
	}
}

static void addresses_are_text(void **state)
{
	struct kcatch_value value = { .kind = KCATCH_VALUE_POINTER };

	(void)state;
	expect_json(&value, "\"0x0\"");
	value.number = 0x7ffe7f1b6710;
	expect_json(&value, "\"0x7ffe7f1b6710\"");
	expect_return(&value, "\"0x7ffe7f1b6710\"");
	value.number = (uint64_t)-2;
	value.is_error = true;
	value.text = "ENOENT";
	value.length = 6;
	expect_json(&value, "-2");
	expect_return(&value, "-2");
}

/* A struct is not 0, nor is a value that no register holds. */
static void returned_values(void **state)
{
	const struct kcatch_value member[] = { INTEGER("a", 3) };
	const struct kcatch_value two = { .kind = KCATCH_VALUE_STRUCT, .nr_children = 1,
					  .children = member };
	const struct kcatch_value unknown = { .kind = KCATCH_VALUE_UNKNOWN };
	const struct kcatch_value error = { .kind = KCATCH_VALUE_POINTER, .is_error = true,
					    .number = (uint64_t)-2 };

	(void)state;
	expect_return(&two, "null");
	expect_return(&unknown, "null");
	expect_return(&error, "-2");
	expect_return(member, "3");
}

/* Members of one name are all written, in their order. */
static void members_of_one_name(void **state)
{
	const struct kcatch_value inner[] = { INTEGER("x", 1), INTEGER("x", 22) };
	const struct kcatch_value members[] = {
		INTEGER("a", 1), STRING("text", "long before"), INTEGER("b", -2),
		STRING("a", "now \x01 a text"),
		{ .name = "c", .kind = KCATCH_VALUE_STRUCT, .nr_children = 2, .children = inner },
		{ .name = "text", .kind = KCATCH_VALUE_UNKNOWN }, INTEGER("b", 3),
		INTEGER("a", 4),
	};
	const struct kcatch_value target = { .kind = KCATCH_VALUE_STRUCT, .nr_children = 8,
					     .children = members };
	const struct kcatch_value pointer = { .kind = KCATCH_VALUE_POINTER, .number = 16,
		.nr_children = 1, .children = &target, .text = "p\"", .length = 2 };

	(void)state;
#define MEMBERS "{\"a\":1,\"text\":\"long before\",\"b\":-2,\"a\":\"now \\u0001 a text\"," \
		"\"c\":{\"x\":1,\"x\":22},\"text\":null,\"b\":3,\"a\":4"
	expect_json(&target, MEMBERS "}");
	expect_json(&pointer, MEMBERS ",\"address\":\"0x10\",\"@text\":\"p\\\"\"}");
}

/* As printf() rounds, in the middle between two as well. */
static void latencies_are_rounded(void **state)
{
	char text[24], expected[24];
	uint64_t ns, i;

	(void)state;
	for (i = 0; i < 400000; i++) {
		ns = i < 200000 ? i : (i * 0x9e3779b97f4a7c15ULL >> (i % 50)) / 5000 * 5000;
		if (ns < 1000)
			snprintf(expected, sizeof(expected), "%" PRIu64 " ns", ns);
		else if (ns < 1000000)
			snprintf(expected, sizeof(expected), "%.*f us", ns < 100000 ? 2 : 1,
				 (double)ns / 1e3);
		else if (ns < 1000000000)
			snprintf(expected, sizeof(expected), "%.*f ms", ns < 100000000 ? 2 : 1,
				 (double)ns / 1e6);
		else
			snprintf(expected, sizeof(expected), "%.3f s", (double)ns / 1e9);
		assert_string_equal(value_text_latency(ns, text, sizeof(text)), expected);
	}
}

/* A sum of addresses has wrapped around; that of 2^40 values from everywhere may be any. */
static void means_lie_between(void **state)
{
	static const int64_t addresses[] = { -56791112383549184, -56791112383549184, -2 };
	struct kcatch_count_row row = { .nr_values = 0 };
	double mean;
	size_t i;

	(void)state;
	assert_false(counts_mean(&row, &mean));
	row.min = addresses[0];
	row.max = addresses[2];
	for (i = 0; i < 3000; i++) {
		row.sum = (int64_t)((uint64_t)row.sum + (uint64_t)addresses[i % 3]);
		row.nr_values++;
	}
	assert_false(counts_mean(&row, &mean));	/* they are 5e16 apart, 325 times in 2^64 */
	row.max = row.min + 1;
	row.nr_values = 1000;
	row.sum = (int64_t)((uint64_t)row.min * 1000 + 500);
	assert_true(counts_mean(&row, &mean));
	assert_true(mean >= (double)row.min && mean <= (double)row.max);
	row = (struct kcatch_count_row){ .nr_values = 4, .sum = -6, .min = -5, .max = 3 };
	assert_true(counts_mean(&row, &mean));
	assert_true(mean == -1.5);
	row = (struct kcatch_count_row){ .nr_values = 2, .sum = -2, .min = INT64_MAX,
					 .max = INT64_MAX };
	assert_true(counts_mean(&row, &mean));
	assert_true(mean == (double)INT64_MAX);
	row = (struct kcatch_count_row){ .nr_values = 1, .sum = INT64_MIN, .min = INT64_MIN,
					 .max = INT64_MIN };
	assert_true(counts_mean(&row, &mean));
	assert_true(mean == (double)INT64_MIN);
}

/* As in events: a number that a function returned, and no other, may be an errno. */
static void returned_errors_are_named(void **state)
{
	static const struct {
		const char *expression;
		bool is_signed;
		int64_t number;
		const char *text;
	} cases[] = {
		{ "ret", true, -2, "-ENOENT" }, { "ret", true, -512, "-ERESTARTSYS" },
		{ "ret", true, 0, "0" }, { "ret", true, 2, "2" }, { "ret", true, -4096, "-4096" },
		{ "ret", false, -2, "18446744073709551614" }, { "ret + 0", true, -2, "-2" },
		{ "level", true, -2, "-2" },
	};
	char text[40];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kcatch_count_key key = { .kind = KCATCH_KEY_NUMBER,
						.is_signed = cases[i].is_signed,
						.number = (uint64_t)cases[i].number };

		assert_int_equal(counts_key_text(NULL, &key, cases[i].expression, text,
						 sizeof(text)), 0);
		assert_string_equal(text, cases[i].text);
	}
}

/* Each byte at each place, and in lines that are nearly full: as written on its own. */
static void texts_in_lines_are_escaped(void **state)
{
	char text[20], *one, *other;
	size_t room, byte, at, one_size, other_size;

	(void)state;
	for (byte = 1; byte < 256; byte++) {
		for (at = 0; at < sizeof(text) - 1; at++) {
			FILE *out = open_memstream(&one, &one_size);
			FILE *alone = open_memstream(&other, &other_size);
			struct line line;

			memset(text, 'x', sizeof(text));
			text[at] = (char)byte;
			text[at + 1 + byte % (sizeof(text) - 1 - at)] = '\0';
			line_begin(&line, out);
			for (room = 0; room < LINE_ROOM - byte % 40; room++) {
				line_text(&line, "-");
				fputc('-', alone);
			}
			value_text_in_line(&line, text);
			value_text_escaped(alone, text, strlen(text), false);
			line_seconds(&line, byte * 1000000007);
			put_seconds(alone, byte * 1000000007);
			line_number(&line, byte << 50);
			put_number(alone, byte << 50);
			line_flush(&line);
			fclose(out);
			fclose(alone);
			assert_string_equal(one, other);
			free(one);
			free(other);
		}
	}
}

/* kcatch's own frame is a number that is no address. */
static void own_frames_have_a_name(void **state)
{
	static const uint64_t frames[] = { KCATCH_FRAME_SELF };
	static const char *const names[] = { "stack" };
	const struct kcatch_count_key key = { .kind = KCATCH_KEY_STACK, .frames = frames,
					      .nr_frames = 1 };
	const struct kcatch_count_row row = { .keys = &key, .count = 7 };
	const struct kcatch_counts counts = { .rows = &row, .nr_rows = 1, .nr_keys = 1 };
	const struct counts_view view = { .names = names, .end = "" };
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	(void)state;
	assert_non_null(out);
	assert_int_equal(counts_print_json(NULL, &counts, out, &view), 0);
	assert_int_equal(fclose(out), 0);
	assert_non_null(strstr(text, "[kcatch]"));
	assert_null(strstr(text, "0x1"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_members_are_utf8),
		cmocka_unit_test(marks_of_direction_are_escaped),
		cmocka_unit_test(cut_texts),
		cmocka_unit_test(changed_numbers_behind_names),
		cmocka_unit_test(control_characters_of_json),
		cmocka_unit_test(marks_of_the_return),
		cmocka_unit_test(bytes_beside_json),
		cmocka_unit_test(returned_values),
		cmocka_unit_test(numbers_that_doubles_have_not),
		cmocka_unit_test(addresses_are_text),
		cmocka_unit_test(members_of_one_name),
		cmocka_unit_test(latencies_are_rounded),
		cmocka_unit_test(means_lie_between),
		cmocka_unit_test(returned_errors_are_named),
		cmocka_unit_test(texts_in_lines_are_escaped),
		cmocka_unit_test(own_frames_have_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
