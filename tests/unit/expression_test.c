// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: conditions mean what C says: generated expressions give, as classic BPF
 * run as the kernel runs it, what a plain evaluator gives; the ret of an event is an argument;
 * hostile texts are refused; and errors point at their place.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "code_fixture.h"
#include "btf_fixture.h"
#include "condition/condition.h"
#include "expression_cases.h"
#include <kcatch.h>

#define CASES 40000
#define SEED 3

/* ---- expressions and what they mean ------------------------------------------------- */

static int compile(const char *text, struct kcatch_condition_code *code)
{
	struct kcatch_expression *expression;
	int ret = kcatch_expression_parse(text, &expression);

	memset(code, 0, sizeof(*code));
	if (ret)
		return ret;
	ret = kcatch_condition_compile(expression, NULL, (struct kcatch_type){ .id = 0 }, true, 0,
				       code);
	kcatch_expression_destroy(expression);
	return ret;
}

static int compile_event(const char *text, const struct kcatch_event_info *info,
			 struct kcatch_condition_code *code)
{
	struct kcatch_expression *expression;
	int ret = kcatch_expression_parse(text, &expression);

	assert_int_equal(ret, 0);
	ret = kcatch_condition_compile_event(expression, NULL, (struct kcatch_type){ .id = 0 },
					     info, NULL, code);
	kcatch_expression_destroy(expression);
	return ret;
}

static bool holds(const struct kcatch_condition_code *code, const struct code_input *data)
{
	return code_says(code, data) == '1';
}

static void meaning(void **state)
{
	static char text[EXPRESSION_CASE_ROOM];
	struct kcatch_condition_code code;
	struct code_input data;
	int i, refused = 0, held = 0;

	(void)state;
	print_message("# seed %d\n", SEED);
	srandom(SEED);
	for (i = 0; i < CASES; i++) {
		char holding;

		expression_case_data(&data);
		holding = expression_case_make(&data, true, text);
		if (compile(text, &code)) {
			/* The only reasons there are. */
			if (!strstr(kcatch_error_text(), "too complicated") &&
			    !strstr(kcatch_error_text(), "division by zero"))
				fail_msg("%s", kcatch_error_text());
			refused++;
			continue;
		}
		if (code_says(&code, &data) != holding)
			fail_msg("case %d: %s is %c", i, text, holding);
		held += holding == '1';
		kcatch_condition_code_deinit(&code);
	}
	print_message("# %d cases, %d refused, %d true\n", CASES, refused, held);
	assert_true(refused < CASES / 5 && held > CASES / 5);
}

/* ---- texts -------------------------------------------------------------------------- */

static void names(void **state)
{
	static const struct {
		const char *text, *comm;
		bool holds;
	} table[] = {
		{ "comm == \"dd\"", "dd", true }, { "comm == \"dd\"", "ddd", false },
		{ "comm == \"dd\"", "d", false }, { "comm != \"dd\"", "dd", false },
		{ "comm == \"abcd\"", "abcd", true }, { "comm == \"abcd\"", "abcde", false },
		{ "comm ~ \"ab*\"", "abc", true }, { "comm ~ \"ab*\"", "ab", true },
		{ "comm ~ \"ab*\"", "a", false }, { "comm ~ \"*\"", "", true },
		{ "comm ~ \"ab\"", "abc", false }, { "comm == \"\"", "", true },
		{ "comm == \"\"", "x", false }, { "!(comm == \"x\")", "x", false },
		{ "comm == \"123456789012345\"", "123456789012345", true },
		{ "\"dd\" == comm && comm ~ \"d*\"", "dd", true },
		/* An address needs no quotes. */
		{ "comm == fd09::2", "fd09::2", true }, { "comm==::1", "::1", true },
		{ "comm == ::ffff:10.0.0.1", "::ffff:10.0.0.1", true },
		{ "comm == :: ? 1 == 1 : 1 == 2", "::", true },
	};
	struct kcatch_condition_code code;
	struct code_input data;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		memset(&data, 0x5a, sizeof(data)); /* what is behind the end mark is anything */
		strcpy(data.comm, table[i].comm);
		if (compile(table[i].text, &code))
			fail_msg("%s", kcatch_error_text());
		if (holds(&code, &data) != table[i].holds)
			fail_msg("%s of %s", table[i].text, table[i].comm);
		kcatch_condition_code_deinit(&code);
	}
}

/* Fields without a name are arg0, arg1 and so on; what is smaller than int becomes an int. */
static void fields_of_events(void **state)
{
	static const struct kcatch_event_info info = {
		.nr_args = 4, .format = "%d %d port=%hu low=%hhd",
		.args = { 4 | KCATCH_EVENT_ARG_SIGNED, 4 | KCATCH_EVENT_ARG_SIGNED, 2,
			  1 | KCATCH_EVENT_ARG_SIGNED },
	};
	static const char *const hold[] = { "arg0 == 3 && arg1 == -5", "port - 1024 < 0",
					    "port > -1", "port == 80", "low == -2", "low < port" };
	struct code_input data = { .args = { 3 | 0xfffffffbULL << 32, 0xfe0050 } };
	struct kcatch_condition_code code;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(hold) / sizeof(hold[0]); i++) {
		if (compile_event(hold[i], &info, &code))
			fail_msg("%s", kcatch_error_text());
		if (!holds(&code, &data))
			fail_msg("%s", hold[i]);
		kcatch_condition_code_deinit(&code);
	}
}

/* What a call has at its return may be an argument's name in an event. */
static void arguments_of_events(void **state)
{
	static const struct kcatch_event_info info = {
		.nr_args = 4, .format = "nr=%ld ret=%ld latency=%u failure=%d",
		.args = { 8 | KCATCH_EVENT_ARG_SIGNED, 8 | KCATCH_EVENT_ARG_SIGNED, 4,
			  4 | KCATCH_EVENT_ARG_SIGNED },
	}, bare = { .nr_args = 1, .format = "nr=%ld", .args = { 8 | KCATCH_EVENT_ARG_SIGNED } };
	static const struct {
		const char *text;
		bool holds;
	} table[] = {
		{ "ret == -13 && nr == 5", true }, { "ret > 0", false }, { "arg.ret < 0", true },
		{ "latency == 0xfffffffe", true }, { "failure == -7", true },
		{ "failure > latency || ret > 0", false },
	};
	struct code_input data = { .args = { 5, -13ULL, 0xfffffff9fffffffeULL },
					 .ret = 1, .latency = 2 };
	struct kcatch_condition_code code;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (compile_event(table[i].text, &info, &code))
			fail_msg("%s", kcatch_error_text());
		assert_int_equal(code.nr_return, 0);
		if (holds(&code, &data) != table[i].holds)
			fail_msg("%s", table[i].text);
		kcatch_condition_code_deinit(&code);
	}
	assert_int_equal(compile_event("ret < 0", &bare, &code), -ENOENT);
	assert_string_equal(kcatch_error_text(), "bad condition: an event does not return, so it "
			    "has no ret\n    ret < 0\n    ^");
	assert_int_equal(compile_event("latency > 1ms", &bare, &code), -ENOENT);
	assert_int_equal(compile_event("failure", &bare, &code), -ENOENT);
}

/* ---- what is refused -------------------------------------------------------------------- */

static void errors(void **state)
{
	static const struct {
		const char *text, *error;
	} table[] = {
		{ "", "bad condition: the condition is empty\n    \n    ^" },
		{ "arg0 ==", "bad condition: expected a name, a number or a text\n"
		  "    arg0 ==\n           ^" },
		{ "(arg0 == 1", "bad condition: this parenthesis is never closed\n"
		  "    (arg0 == 1\n    ^" },
		{ "arg0 & 1 == 0", "bad condition: & would take the result of the comparison, as in C; "
		  "write (a & b) == c\n    arg0 & 1 == 0\n         ^" },
		{ "latency > 5parsec", "bad condition: no such unit; the units are ns us ms s and "
		  "B K M G (steps of 1024)\n    latency > 5parsec\n               ^" },
		{ "arg0 = 1", "bad condition: a condition cannot assign; equality is ==\n"
		  "    arg0 = 1\n         ^" },
		{ "comm == \"a", "bad condition: the text has no end\n    comm == \"a\n            ^" },
		{ "\033[31m \x80", "bad condition: '\\x1b' has no meaning here\n"
		  "    \\x1b[31m \\x80\n    ^" },
		{ "pid == 1 /\n", "bad condition: expected a name, a number or a text\n"
		  "    pid == 1 /\\n\n                ^" },
		{ "foo == 1", "bad condition: this function's types are not known, so 'foo' is not "
		  "a name here; its arguments are arg0 to arg5\n    foo == 1\n    ^" },
		{ "pid / 0", "bad condition: a division by zero\n    pid / 0\n          ^" },
		{ "comm ~ \"a*b\"", "bad condition: the only pattern is \"beginning*\"; "
		  "== takes * ? [ literally\n    comm ~ \"a*b\"\n           ^" },
		{ "pid ? 1", "bad condition: this ? has no : behind it; write a ? b : c\n"
		  "    pid ? 1\n        ^" },
		{ "pid : 1", "bad condition: this : has no ? before it\n    pid : 1\n        ^" },
		{ "(pid ? comm : \"x\") == \"y\"", "bad condition: ?: chooses between numbers; "
		  "compare each text: a ? b == \"x\" : b == \"y\"\n    (pid ? comm : \"x\") == \"y\"\n         ^" },
		{ "current->pid == 1", "bad condition: the kernel's types are not known here, so current "
		  "has no members; pid, tid, uid and comm work\n    current->pid == 1\n    ^" },
		{ "pid and 1", "bad condition: expected an operator; in C, and is &&, or is ||, not is !\n"
		  "    pid and 1\n        ^" },
		{ "S_ISREG(pid)", "bad condition: functions cannot be called; S_ISREG(mode) is "
		  "(mode & S_IFMT) == S_IFREG\n    S_ISREG(pid)\n           ^" },
		{ "pid == &pid->x", "bad condition: & takes the address of a kernel symbol, "
		  "&ext4_file_operations; as \"and\" it needs a number before it\n"
		  "    pid == &pid->x\n           ^" },
	};
	struct kcatch_condition_code code;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		assert_true(compile(table[i].text, &code) < 0);
		assert_string_equal(kcatch_error_text(), table[i].error);
	}
}

static void repeat(char *text, const char *piece, size_t bytes)
{
	size_t length = strlen(piece), i;

	for (i = 0; i + length <= bytes; i += length)
		memcpy(text + i, piece, length);
	text[i] = '\0';
}

static void hostile(void **state)
{
	static const char *const pieces[] = {
		"(", ")", "!", "-", "~", "*", "(int)", "(u8)(", "1+", "a[", "a.b.", "((((1))))", "\"",
		"'", "\\", "\x80", "\xff", "9", "0x", "arg0&&", "arg0||", "1 ", "!(", "(a*", "->",
		"comm==\"a\"||", "(-", "latency*(", "\"\\x41\"", "arg0*arg1+", "(pid==1)+", "arg.",
	};
	static const size_t sizes[] = { 1, 2, 3, 50, 500, 5000, 8192, 1 << 20 };
	struct kcatch_condition_code code;
	char *text = malloc((1 << 20) + 64);
	size_t i, j;

	(void)state;
	for (i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		for (j = 0; j < sizeof(sizes) / sizeof(sizes[0]); j++) {
			repeat(text, pieces[i], sizes[j]);
			if (!compile(text, &code))
				kcatch_condition_code_deinit(&code);
			if (sizes[j] > 8192)
				continue;
			strcat(text, "1");
			if (!compile(text, &code))
				kcatch_condition_code_deinit(&code);
		}
	}
	free(text);
}

/* Bytes and words thrown together: nothing crashes, and what compiles is valid. */
static void noise(void **state)
{
	static const char *const words[] = {
		"arg0", "ret",    "latency", "pid", "comm",   "(",    ")",     "(",
		")",    "->",     ".",       "[",   "]",      "!",    "~",     "-",
		"*",    "&",      "&&",      "||",  "==",     "!=",   "<",     "<<",
		"1",    "0x10",   "64K",     "5ms", "\"a*\"", "'c'",  "(u32)", "(struct file *)",
		"NULL", "ENOENT", "x",       "/",   "%",      "\x01",
	};
	struct kcatch_condition_code code;
	struct code_input data;
	char text[400];
	int i, j, compiled = 0;

	(void)state;
	srandom(SEED);
	for (i = 0; i < 100000; i++) {
		text[0] = '\0';
		for (j = (int)(random() % 12); j >= 0; j--) {
			strcat(text, words[(size_t)random() % (sizeof(words) / sizeof(words[0]))]);
			strcat(text, " ");
		}
		if (compile(text, &code))
			continue;
		expression_case_data(&data);
		holds(&code, &data);
		compiled++;
		kcatch_condition_code_deinit(&code);
	}
	assert_true(compiled > 100);
}

/* A call that the usual condition rejects costs little. */
static void cheap(void **state)
{
	struct kcatch_condition_code code;

	(void)state;
	assert_int_equal(compile("arg2 > 64K", &code), 0);
	assert_int_equal(code.nr_entry, 1);
	assert_int_equal(code.entry[0].op, KCATCH_OP_RANGE);
	assert_int_equal(code.nr_fields, 0);
	assert_int_equal(code.nr_return, 0);
	kcatch_condition_code_deinit(&code);
	assert_int_equal(compile("ret < 0 && arg0", &code), 0);
	/* Without a type, an errno of 32 bits is one as well. */
	assert_true(code.nr_return <= 8);
	kcatch_condition_code_deinit(&code);
}

/* Memory: int, a signed bitfield, what cannot be read; a narrow argument. */
static void memory(void **state)
{
	static const struct {
		const char *text;
		uint64_t field, faults, arg1;
		bool holds;
	} table[] = {
		{ "p->x == -5", 0xfffffffb, 0, 0, true }, { "p->x != -5", 0xfffffffb, 0, 0, false },
		{ "p->x != -5", 0, 1, 0, false }, { "!(p->x == -5)", 0, 1, 0, false },
		{ "p->x < 0 || 1", 0, 1, 0, true }, { "p->c == -1", 0xfff8, 0, 0, true },
		{ "p->c == 5", 5 << 3, 0, 0, true }, { "n == -2", 0, 0, 0x1234fffe, true },
		{ "n > 0", 0, 0, 0xffff8000, false }, { "(n ? p->x : 7) == 7", 0, 1, 0, true },
		{ "(n ? p->x : 7) == 0", 0, 1, 1, false }, { "n ? p->x == 0 : n == 0", 0, 1, 0,
		true },
		{ "(p->x == 3 ? 1 : 2) == 2", 3, 1, 0, false }, { "n ? 0 : 0 ? 0 : 1", 0, 0, 0,
		true }, { "arg.n == 7", 0, 0, 0xabcd0007, true },
	};
	struct btf_fixture_parameter parameters[] = { { "p", 0 }, { "n", 0 }, BTF_FIXTURE_END };
	static struct btf_fixture fixture;
	struct kcatch_condition_code code;
	struct kcatch_expression *expression;
	struct code_input data;
	struct kcatch_types *types;
	struct kcatch_type proto;
	uint32_t number, type;
	size_t i;

	(void)state;
	btf_fixture_init(&fixture);
	number = btf_fixture_int(&fixture, "int", 4, BTF_INT_SIGNED, 32);
	parameters[1].type = btf_fixture_int(&fixture, "short", 2, BTF_INT_SIGNED, 16);
	type = btf_fixture_type(&fixture, "t", BTF_KIND_STRUCT, true, 2, 8);
	btf_fixture_member(&fixture, "x", number, 0, 0);
	btf_fixture_member(&fixture, "c", number, 35, 7);
	parameters[0].type = btf_fixture_pointer(&fixture, type);
	btf_fixture_function(&fixture, "f", number, parameters);
	assert_int_equal(btf_fixture_open(&fixture, &types), 0);
	assert_int_equal(kcatch_types_function(types, NULL, "f", &proto), 0);
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		memset(&data, 0, sizeof(data));
		data.args[1] = table[i].arg1;
		data.faults = table[i].faults;
		memcpy(data.fields, &table[i].field, 8);
		assert_int_equal(kcatch_expression_parse(table[i].text, &expression), 0);
		if (kcatch_condition_compile(expression, types, proto, true, 0, &code))
			fail_msg("%s", kcatch_error_text());
		if (holds(&code, &data) != table[i].holds)
			fail_msg("%s", table[i].text);
		kcatch_condition_code_deinit(&code);
		kcatch_expression_destroy(expression);
	}
	assert_int_equal(kcatch_expression_parse("ret < 0 && n", &expression), 0);
	assert_int_equal(kcatch_condition_compile(expression, types, proto, true, 0, &code), 0);
	assert_int_equal(code.nr_return, 1);
	kcatch_condition_code_deinit(&code);
	kcatch_expression_destroy(expression);
	kcatch_types_close(types);
}

/* What is compared is what is shown: a float is in no integer register. */
static void beside_floats(void **state)
{
	struct btf_fixture_parameter parameters[] = { { "x", 0 }, { "n", 0 }, { "m", 0 },
						      BTF_FIXTURE_END };
	struct code_input data = { .args = { 7, 9 } };
	struct kcatch_condition_code code;
	struct kcatch_expression *expression;
	struct btf_fixture fixture;
	struct kcatch_types *types;
	struct kcatch_type proto;

	(void)state;
	btf_fixture_init(&fixture);
	parameters[0].type = btf_fixture_type(&fixture, "double", BTF_KIND_FLOAT, false, 0, 8);
	parameters[1].type = btf_fixture_int(&fixture, "int", 4, BTF_INT_SIGNED, 32);
	parameters[2].type = parameters[1].type;
	btf_fixture_function(&fixture, "f", parameters[1].type, parameters);
	assert_int_equal(btf_fixture_open(&fixture, &types), 0);
	assert_int_equal(kcatch_types_function(types, NULL, "f", &proto), 0);
	assert_int_equal(kcatch_expression_parse("n == 7 && m == 9", &expression), 0);
	assert_int_equal(kcatch_condition_compile(expression, types, proto, true, 0, &code), 0);
	assert_true(holds(&code, &data));
	kcatch_condition_code_deinit(&code);
	kcatch_expression_destroy(expression);
	kcatch_types_close(types);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(meaning), cmocka_unit_test(names), cmocka_unit_test(errors),
		cmocka_unit_test(hostile), cmocka_unit_test(noise), cmocka_unit_test(cheap),
		cmocka_unit_test(memory), cmocka_unit_test(arguments_of_events),
		cmocka_unit_test(fields_of_events), cmocka_unit_test(beside_floats),
	};

	return cmocka_run_group_tests_name("expressions", tests, NULL, NULL);
}
