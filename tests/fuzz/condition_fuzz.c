/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * condition_fuzz.c - fuzzes the language of conditions: parser, types, compiler, evaluator
 *
 * Two oracles. A text that both ways accept must mean the same as instructions of the kernel and
 * over a record. A text that is made out of the input, together with what C makes of it, must
 * mean that.
 */
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include <uapi/kcatch.h>

#include "code_fixture.h"
#include "condition/condition.h"
#include "condition_fixture.h"
#include "expression_cases.h"
#include "fuzz.h"

enum { MODE_RAW, MODE_TYPED, MODE_EVENT, MODE_MADE, MODES };

static struct condition_world world;
static struct fuzz_input choices;

/* The generator of texts takes its choices from the input: see build.mk. */
long fuzz_random(void)
{
	return (long)fuzz_number(&choices, 3);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	setenv("CMOCKA_TEST_ABORT", "1", 1);
	condition_world_init(&world);
	return 0;
}

static struct kcatch_expression *parse(const char *text)
{
	struct kcatch_expression *expression = NULL;

	if (kcatch_expression_parse(text, &expression))
		FUZZ_CHECK(*kcatch_error_text() && !expression, "no word on what is wrong");
	return expression;
}

static void check_equal(const char *text, char kernel, char record)
{
	if (kernel == '-' || record == '-' || record == '?')
		return;
	FUZZ_CHECK(kernel == record, "%s: kernel %c, record %c", text, kernel, record);
}

static void try_raw(const char *text, const struct kcatch_expression *expression, unsigned int env)
{
	struct condition_call call;

	condition_call_raw(&condition_raw_envs[env % CONDITION_RAW_ENVS], &call);
	check_equal(text, condition_kernel_says(&world, expression, false, &call),
		    condition_record_says(&world, expression, world.raw, &call));
}

static void try_typed(const char *text, const struct kcatch_expression *expression,
		      unsigned int env)
{
	struct condition_call call;
	char kernel;

	condition_call_typed(&condition_typed_envs[env % CONDITION_TYPED_ENVS], &call);
	kernel = condition_kernel_says(&world, expression, true, &call);
	check_equal(text, kernel, condition_record_says(&world, expression, world.plan, &call));
	check_equal(text, kernel, condition_record_says(&world, expression, world.flat, &call));
}

/* A tracepoint and a DO_TRACE event: the instructions are sound, and end. */
static void try_event(const struct kcatch_expression *expression)
{
	static const struct kcatch_event_info info = { .name = "said", .nr_args = 4,
		.format = "n=%d t=%s p=%p %llu", .args = { 20, 32, 72, 8 } };
	struct kcatch_condition_code code;
	struct code_input data;
	const struct kcatch_type none = { .id = 0 };
	int i;

	memset(&data, 0x5a, sizeof(data));
	for (i = 0; i < 2; i++) {
		if (kcatch_condition_compile_event(expression, world.types, i ? none : world.proto,
						   i ? &info : NULL, NULL, &code))
			continue;
		code_says(&code, &data);
		FUZZ_CHECK(!code.nr_return, "an event has no return");
		kcatch_condition_code_deinit(&code);
	}
}

static void try_text(unsigned int mode, unsigned int env, const char *text)
{
	struct kcatch_expression *expression = parse(text);

	if (!expression)
		return;
	if (mode == MODE_RAW)
		try_raw(text, expression, env);
	else if (mode == MODE_TYPED)
		try_typed(text, expression, env);
	else
		try_event(expression);
	kcatch_expression_destroy(expression);
}

/* What C makes of it is known. */
static void try_made(void)
{
	static char text[EXPRESSION_CASE_ROOM];
	struct kcatch_expression *expression;
	struct code_input data;
	struct condition_raw_env env;
	struct condition_call call;
	char kernel, record, c;

	expression_case_data(&data);
	data.pid = 4321;
	data.uid = 0;
	c = expression_case_make(&data, true, text);
	memcpy(env.args, data.args, sizeof(env.args));
	env.ret = data.ret;
	env.latency = data.latency;
	condition_call_raw(&env, &call);
	expression = parse(text);
	if (!expression)
		return;
	kernel = condition_kernel_says(&world, expression, false, &call);
	record = condition_record_says(&world, expression, world.raw, &call);
	kcatch_expression_destroy(expression);
	if (strstr(text, "uid"))
		return;		/* is in no recording, and the fixture has none */
	check_equal(text, kernel, c);
	check_equal(text, c, record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = { data, size };
	unsigned int mode = fuzz_number(&input, 1) % MODES, env = fuzz_number(&input, 1);
	char *text;

	if (mode == MODE_MADE) {
		choices = input;
		try_made();
		return 0;
	}
	/* Of just that size: the sanitizer sees who reads beyond. */
	text = malloc(input.left + 1);
	memcpy(text, input.at, input.left);
	text[input.left] = '\0';
	try_text(mode, env, text);
	free(text);
	return 0;
}

/* ---- mutations ----------------------------------------------------------------------- */

static const char *choose_piece(void)
{
	static const char *const words[] = {
		" && ", " || ", " ? ", " : ", "!", "-", "~", "(", ")", "(u8)", "(long)", "(int)",
		" == ", " ~ ", " < ", " >> ", " / ", " % ", "->", ".", "[1]", "*", "&", "p", "name",
		"ret", "i", "l", "latency", "comm", "\"a*\"", "arg0", "next", "self", "three",
		"either", "text", "NULL", "ENOENT", "0x8000000000000000", "64K", "1ms", "'\\n'",
		"current", "event", "n", "t", "cgroup", "failure",
	};

	if (fuzz_choose(3))
		return words[fuzz_choose(sizeof(words) / sizeof(words[0]))];
	return condition_cases[fuzz_choose(condition_cases_nr)].text;
}

/* A condition that means something. Return: its size as an input. */
static size_t put_case(uint8_t *data, size_t most)
{
	const struct condition_case *it = &condition_cases[fuzz_choose(condition_cases_nr)];
	bool typed = it->kind == CASE_TYPED || it->kind == CASE_TYPED_OURS;
	size_t length = strlen(it->text);

	if (length + 2 > most)
		return 0;
	data[0] = typed ? MODE_TYPED : MODE_RAW;
	data[1] = (uint8_t)fuzz_choose(CONDITION_RAW_ENVS);
	memcpy(data + 2, it->text, length);
	return length + 2;
}

/* Words and whole conditions are put together. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	const char *piece;
	size_t at, length;

	fuzz_seed(seed);
	if (size < 3 || !fuzz_choose(50))
		return put_case(data, most);
	piece = choose_piece();
	length = strlen(piece);
	if (data[0] % MODES == MODE_MADE || size + length > most || !fuzz_choose(3))
		return LLVMFuzzerMutate(data, size, most);
	at = 2 + fuzz_choose(size - 1);
	memmove(data + at + length, data + at, size - at);
	memcpy(data + at, piece, length);
	return size + length;
}
