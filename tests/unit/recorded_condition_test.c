// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: one language: each case of tests/condition_cases.inc gives what a C compiler
 * gives (or, where that is no C, what stands there) as instructions of the kernel and over a
 * record; generated conditions agree as well; what a record does not hold is refused, or
 * undecided, and never answered; keys and values of counts have their numbers and texts, or
 * say that the record lacks them, or that they could not be read.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "condition/count_parts.h"
#include "condition/recorded.h"
#include "condition_fixture.h"
#include "expression_cases.h"
#include <kcatch.h>

#define GENERATED 20000
#define SEED 11

static struct condition_world world;

static int set_up(void **state)
{
	(void)state;
	condition_world_init(&world);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	condition_world_deinit(&world);
	return 0;
}

static struct kcatch_expression *parse(const char *text)
{
	struct kcatch_expression *expression;

	if (kcatch_expression_parse(text, &expression))
		fail_msg("%s", kcatch_error_text());
	return expression;
}

static char kernel_says(const char *text, bool typed, const struct condition_call *call)
{
	struct kcatch_expression *expression = parse(text);
	char answer = condition_kernel_says(&world, expression, typed, call);

	kcatch_expression_destroy(expression);
	return answer;
}

static char record_says(const char *text, const struct kcatch_plan *plan,
			const struct condition_call *call)
{
	struct kcatch_expression *expression = parse(text);
	char answer = condition_record_says(&world, expression, plan, call);

	kcatch_expression_destroy(expression);
	return answer;
}

static bool is_typed(const struct condition_case *it)
{
	return it->kind == CASE_TYPED || it->kind == CASE_TYPED_OURS;
}

static bool is_c(const struct condition_case *it)
{
	return it->kind <= CASE_TYPED;
}

static void make_call(const struct condition_case *it, unsigned int env,
		      struct condition_call *call)
{
	if (is_typed(it))
		condition_call_typed(&condition_typed_envs[env], call);
	else
		condition_call_raw(&condition_raw_envs[env], call);
}

/* ---- the cases ----------------------------------------------------------------------- */

static void check_case(size_t index, unsigned int *wrong)
{
	const struct condition_case *it = &condition_cases[index];
	char says[4][8] = { "", "", "", "" };
	unsigned int env, nr = condition_case_envs(it);
	struct condition_call call;

	for (env = 0; env < nr; env++) {
		make_call(it, env, &call);
		says[0][env] = is_c(it) ? condition_case_c(index, env) : it->answers[env];
		says[1][env] = kernel_says(it->text, is_typed(it), &call);
		says[2][env] = record_says(it->text, is_typed(it) ? world.plan : world.raw, &call);
	}
	if (!strcmp(says[0], it->answers) && !strcmp(says[1], it->answers) &&
	    !strcmp(says[2], it->answers))
		return;
	++*wrong;
	print_message("# %s: here %s, C %s, kernel %s, record %s\n", it->text, it->answers, says[0],
		      says[1], says[2]);
	if (says[1][0] == '-' || says[2][0] == '-')
		print_message("#   %s\n", kcatch_error_text());
}

static void cases_mean_what_c_means(void **state)
{
	unsigned int wrong = 0;
	size_t i;

	(void)state;
	for (i = 0; i < condition_cases_nr; i++)
		check_case(i, &wrong);
	print_message("# %zu cases\n", condition_cases_nr);
	assert_int_equal(wrong, 0);
	assert_true(condition_cases_nr >= 300);
	for (i = 0; i < condition_cases_nr; i++)
		assert_int_equal(strlen(condition_cases[i].answers),
				 condition_case_envs(&condition_cases[i]));
}

/* ---- generated ones ---------------------------------------------------------------------- */

static void generated_ones_agree(void **state)
{
	static char text[EXPRESSION_CASE_ROOM];
	struct code_input data;
	int i, refused = 0, held = 0;
	struct condition_call call;

	(void)state;
	print_message("# seed %d\n", SEED);
	srandom(SEED);
	for (i = 0; i < GENERATED; i++) {
		struct condition_raw_env env;
		char kernel, record;
		char holds;

		expression_case_data(&data);
		data.pid = 4321;
		data.uid = 0;
		holds = expression_case_make(&data, true, text);
		if (strstr(text, "uid"))
			continue;	/* is in no recording */
		memcpy(env.args, data.args, sizeof(env.args));
		env.ret = data.ret;
		env.latency = data.latency;
		condition_call_raw(&env, &call);
		kernel = kernel_says(text, false, &call);
		record = record_says(text, world.raw, &call);
		refused += kernel == '-';
		held += holds == '1';
		if (kernel != '-' && kernel != record)
			fail_msg("%s: kernel %c, record %c", text, kernel, record);
		if (record != '-' && record != holds)
			fail_msg("%s: record %c, and C %c", text, record, holds);
	}
	print_message("# %d refused in the kernel, %d true\n", refused, held);
	assert_true(held > GENERATED / 5 && refused < GENERATED / 5);
}

/* Parts of the typed cases, put together at random. */
static void combined_ones_agree(void **state)
{
	static const char *const joints[] = { " && ", " || ", " ? 1 == 1 : ", " == !" };
	const struct condition_case *a, *b;
	char text[400];
	struct condition_call call;
	int i, tried = 0;

	(void)state;
	srandom(SEED);
	for (i = 0; i < 8000; i++) {
		unsigned int env = (unsigned int)random() % CONDITION_TYPED_ENVS;
		char kernel, record;

		a = &condition_cases[(size_t)random() % condition_cases_nr];
		b = &condition_cases[(size_t)random() % condition_cases_nr];
		if (!is_typed(a) || !is_typed(b))
			continue;
		snprintf(text, sizeof(text), "%s(%s)%s(%s)", random() % 2 ? "!" : "", a->text,
			 joints[random() % 4], b->text);
		condition_call_typed(&condition_typed_envs[env], &call);
		kernel = kernel_says(text, true, &call);
		record = record_says(text, world.plan, &call);
		if (kernel != record)
			fail_msg("%s of environment %u: kernel %c, record %c: %s", text, env,
				 kernel, record, kcatch_error_text());
		tried++;
	}
	assert_true(tried > 200);
}

/* ---- what records do not hold ----------------------------------------------------------- */

static void expect_refusal(const char *text, const struct kcatch_plan *plan, int error,
			   const char *words)
{
	struct kcatch_recorded_probe probe = { .types = world.types,
					       .plan = plan,
					       .returns = plan };
	struct kcatch_expression *expression = parse(text);
	struct kcatch_recorded_condition *condition;

	assert_int_equal(kcatch_recorded_condition_create(expression, &probe, &condition), error);
	if (!strstr(kcatch_error_text(), words))
		fail_msg("%s: %s", text, kcatch_error_text());
	assert_null(condition);
	kcatch_expression_destroy(expression);
}

static void what_was_not_fetched_is_refused(void **state)
{
	(void)state;
	expect_refusal("p->next->next->x == 1", world.plan, -EINVAL,
		"this is not in the recording: the memory that this points to was not fetched (--deep follows "
		"pointers in structs); give this condition when recording\n"
		"    p->next->next->x == 1\n                   ^");
	expect_refusal("p->in.a == 7", world.flat, -EINVAL, "only the first 48 bytes");
	expect_refusal("p->text == \"x\"", world.flat, -EINVAL, "only the first 48 bytes");
	expect_refusal("p->self->x == 1", world.flat, -EINVAL, "not in the recording");
	expect_refusal("uid == 0", world.plan, -EINVAL, "the user is not in a recording");
	expect_refusal("current->flags == 0", world.plan, -EINVAL, "comm, pid and tgid of the thread");
	expect_refusal("current == NULL", world.plan, -EINVAL, "comm, ->pid and ->tgid");
	expect_refusal("p->next == &no_such_table", world.plan, -EINVAL,
		       "no function of the recorded kernel is called 'no_such_table'");
	expect_refusal("cpu == 1 && (ret < 0 || cpu == 2)", world.plan, -EINVAL, "that of the return");
	expect_refusal("cuont == 1", world.plan, -ENOENT, "there is no cuont here");
	expect_refusal("named == NULL", world.plan, -ENOENT, "did you mean name?");
	expect_refusal("p->y == 1", world.plan, -ENOENT, "struct thing has no member y");
	expect_refusal("count == 1", NULL, -ENOENT, "no arguments were recorded");
	expect_refusal("arg0 == 1", NULL, -ENOENT, "register arg0 is not in the recording");
	expect_refusal("ret == 1", NULL, -ENOENT, "record without --entry");
	expect_refusal("((struct thing *)l)->x == 1", world.plan, -EINVAL, "not in the recording");
	expect_refusal("p->x / 0 == 1", world.plan, -EINVAL, "a division by zero");
	expect_refusal("p == \"x\"", world.plan, -ENOENT, "this is no text");
	expect_refusal("event + 1 == 2", world.plan, -EINVAL, "a text can only be compared");
}

/* ---- what is right and perhaps not meant --------------------------------------------------- */

/* usage: what is told of a condition, in the records of @probe; "": nothing */
static void expect_note(const char *text, const struct kcatch_recorded_probe *given,
			const char *words)
{
	struct kcatch_condition_notes notes = { .nr = 0 };
	struct kcatch_recorded_probe probe = *given;
	struct kcatch_expression *expression = parse(text);
	struct kcatch_recorded_condition *condition;
	char told[600] = "";

	probe.notes = &notes;
	if (kcatch_recorded_condition_create(expression, &probe, &condition))
		fail_msg("%s: %s", text, kcatch_error_text());
	if (notes.nr)
		kcatch_condition_note_text(&notes.of[0], "f", told, sizeof(told));
	if (*words ? !strstr(told, words) || notes.nr != 1 : notes.nr != 0)
		fail_msg("%s: %u notes: %s", text, notes.nr, told);
	kcatch_recorded_condition_destroy(condition);
	kcatch_expression_destroy(expression);
}

static void what_was_not_meant_is_told(void **state)
{
	static const struct kcatch_event_info info = {
		.format = "pid=%d count=%u", .nr_args = 2,
		.args = { KCATCH_EVENT_ARG_SIGNED | 4, 4 },
	};
	const struct kcatch_recorded_probe event = { .info = &info };
	const struct kcatch_recorded_probe typed = { .types = world.types, .plan = world.plan,
						     .returns = true };

	(void)state;
	expect_note("pid == 3", &event,
		    "pid is the number of the process here, not what 'f' calls so: that is arg.pid");
	expect_note("pid == 3 && pid != 4", &event, "arg.pid");
	expect_note("arg.pid == 3 && tid == 4 && count > 4", &event, "");
	expect_note("pid == 3 && i == 4", &typed, "");
	expect_note("ret == EAGAIN", &typed, "ret is compared with EAGAIN, which is positive");
	expect_note("ENOENT != (int)ret", &typed, "negative errnos: -ENOENT");
	expect_note("failure == EINTR", &typed, "-EINTR");
	expect_note("ret == -EAGAIN && i == EAGAIN && ret == EPOLLIN", &typed, "");
	expect_note("c == 300", &typed, "comparing 'c' with 300 says nothing: in 'f' it is a number of "
		    "-128 to 127");
	expect_note("-129 == c", &typed, "comparing 'c' with -129");
	expect_note("c <= 127", &typed, "comparing 'c' with 127");
	expect_note("c == -128 && c < 127 && h != 65535 && u == -1 && i == 70000", &typed, "");
	expect_note("u == 0x100000000", &typed, "0 to 4294967295");
	expect_note("(u8)l == 256", &typed, "0 to 255");
	expect_note("l == 0x100000000 && latency > 5000000000", &typed, "");
}

static void what_one_record_lacks_is_undecided(void **state)
{
	struct condition_call call;

	(void)state;
	condition_call_typed(&condition_typed_envs[2], &call);
	/* Eight bytes of the name were kept: "/etc/pas". */
	assert_int_equal(record_says("name == \"/etc/passwdx\"", world.flat, &call), '?');
	assert_int_equal(record_says("!(name == \"/etc/passwdx\")", world.flat, &call), '?');
	assert_int_equal(record_says("name == \"/etc/passwdx\" || i == 5", world.flat, &call), '1');
	assert_int_equal(record_says("name == \"/etc/passwdx\" && i == 6", world.flat, &call), '0');
	assert_int_equal(record_says("name == \"/usr/lib\"", world.flat, &call), '0');
	assert_int_equal(record_says("name != \"/usr/lib\"", world.flat, &call), '1');
	assert_int_equal(record_says("name ~ \"/etc/*\"", world.flat, &call), '1');
	assert_int_equal(record_says("name + 1 == \"etc/passwdx\"", world.plan, &call), '1');
	assert_int_equal(record_says("name ~ \"/e*x\"", world.flat, &call), '?');
	assert_int_equal(record_says("name ~ \"/e*x\"", world.plan, &call), '1');
	assert_int_equal(record_says("name ~ \"?etc/[pq]*\"", world.plan, &call), '1');
	assert_int_equal(record_says("name ~ \"/etc/passwd?\"", world.plan, &call), '1');
	assert_int_equal(record_says("name ~ \"/etc/passwd[\"", world.plan, &call), '0');
	assert_int_equal(record_says("comm ~ \"d?\"", world.plan, &call), '1');
	assert_int_equal(record_says("comm ~ \"?\"", world.plan, &call), '0');
	assert_int_equal(record_says("(name == \"/etc/passwdx\" ? 1 : 1) == 1", world.flat, &call), '?');
	assert_int_equal(record_says("(name == \"/etc/passwdx\" ? 1 : 2) == 1", world.flat, &call), '?');
	assert_int_equal(record_says("name[9] == 's'", world.flat, &call), '-');
	call.event.returned = KCATCH_RETURN_PENDING;
	assert_int_equal(record_says("ret == 7", world.plan, &call), '?');
	assert_int_equal(record_says("latency > 1s", world.plan, &call), '?');
	assert_int_equal(record_says("ret == 7 && i == 6", world.plan, &call), '0');
	assert_int_equal(
		record_says("current->pid == 4322 && current->tgid == pid", world.plan, &call),
		'1');
	assert_int_equal(record_says("current->comm == \"dd\" && time == 0", world.plan, &call),
			 '1');
	/* A text that ends where it was not asked for is known, with its end mark. */
	assert_int_equal(record_says("name[12] == 0", world.plan, &call), '1');
	assert_int_equal(record_says("name[13] == 0", world.plan, &call), '?');
}

/* An event does not return: its ret is an argument. */
/* Where the kernel does not let switches be seen, live and in the record. */
static void where_time_went_may_be_unknown(void **state)
{
	static const struct {
		const char *text;
		char answer;
	} cases[] = {
		{ "blocked > 0", '?' },
		{ "!(oncpu == latency)", '?' },
		{ "switches == 0 || runnable", '?' },
		{ "pid == 1 && blocked > 0", '0' },
		{ "pid == 4321 || blocked > 0", '1' },
		{ "(blocked ? 1 : 2) > 0", '?' },
		{ "latency >= 0", '1' },
	};
	struct condition_call call;
	size_t i;

	(void)state;
	condition_call_raw(&condition_raw_envs[0], &call);
	call.event.off_cpu_known = false;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char kernel = kernel_says(cases[i].text, false, &call);
		char record = record_says(cases[i].text, world.raw, &call);

		if (kernel != cases[i].answer || record != cases[i].answer)
			fail_msg("%s: %c and %c, not %c", cases[i].text, kernel, record,
				 cases[i].answer);
	}
}

static void ret_of_an_event_is_an_argument(void **state)
{
	static const struct kcatch_event_info info = {
		.nr_args = 2, .format = "nr=%d ret=%ld",
		.args = { 4 | KCATCH_EVENT_ARG_SIGNED, 8 | KCATCH_EVENT_ARG_SIGNED },
	}, bare = { .nr_args = 1, .format = "nr=%d", .args = { 4 | KCATCH_EVENT_ARG_SIGNED } };
	static const uint8_t payload[] = "\5\0\0\0\xf3\xff\xff\xff\xff\xff\xff\xff";
	const struct kcatch_event head = { .ret = 1 };
	const struct kcatch_fetched fetched = { .entry = payload, .entry_size = 12 };
	const struct kcatch_recorded_event event = { .event = &head, .fetched = &fetched };
	struct kcatch_recorded_probe probe = { .info = &info };
	struct kcatch_recorded_condition *condition;
	struct kcatch_expression *expression = parse("nr == 5 && ret == -13");

	(void)state;
	if (kcatch_recorded_condition_create(expression, &probe, &condition))
		fail_msg("%s", kcatch_error_text());
	assert_int_equal(kcatch_recorded_condition_evaluate(condition, &event), KCATCH_ANSWER_YES);
	kcatch_recorded_condition_destroy(condition);
	probe.info = &bare;
	assert_int_equal(kcatch_recorded_condition_create(expression, &probe, &condition), -ENOENT);
	assert_non_null(strstr(kcatch_error_text(), "an event does not return, so it has no ret"));
	kcatch_expression_destroy(expression);
}

/* ---- keys and values of counts ----------------------------------------------------------- */

/* What a key is of one record: "missing", "unreadable", a number, or "text" in quotes. */
static void expect_key(const char *text, const struct kcatch_plan *plan,
			 const struct condition_call *call, const char *expected)
{
	const struct kcatch_recorded_probe probe = { .types = world.types, .plan = plan,
						     .returns = true };
	struct kcatch_expression *expression = parse(text);
	struct kcatch_fetched fetched = { .returned = true };
	const struct kcatch_recorded_event event = { .event = &call->event, .fetched = &fetched };
	struct kcatch_recorded_expression *key;
	struct kcatch_recorded_value value;
	struct kcatch_part_type type;
	static struct items_output items;
	const struct kcatch_item *read;
	const int32_t *hops;
	char got[80];
	uint32_t nr;

	if (kcatch_recorded_expression_create(expression, &probe, &type, &key))
		fail_msg("%s: %s", text, kcatch_error_text());
	hops = kcatch_plan_hops(plan, &nr);
	read = kcatch_plan_entry(plan, &nr);
	items_run(read, nr, hops, &call->input, &items);
	fetched.entry = items.data;
	fetched.entry_size = items.size;
	fetched.entry_faults = items.faults;
	fetched.entry_cut = items.cut;
	kcatch_recorded_expression_evaluate(key, &event, &value);
	if (value.missing || value.unreadable)
		snprintf(got, sizeof(got), "%s%s", value.missing ? "missing" : "",
			 value.unreadable ? "unreadable" : "");
	else if (type.is_text || type.is_comm)
		snprintf(got, sizeof(got), "\"%.*s\"", (int)value.length, value.text);
	else
		snprintf(got, sizeof(got), "%lld", (long long)value.number);
	if (strcmp(got, expected))
		fail_msg("%s is %s, not %s", text, got, expected);
	kcatch_recorded_expression_destroy(key);
	kcatch_expression_destroy(expression);
}

/* The same text as a key that the kernel counts by. */
static void expect_live_text(const char *text, const struct condition_call *call,
			     const char *expected)
{
	const struct kcatch_count_source source = { .types = world.types, .proto = world.proto,
						    .returns = true };
	struct kcatch_expression *expression = parse(text);
	const struct kcatch_expression *const wanted[] = { expression };
	struct kcatch_count_wants wants = { .expressions = wanted, .nr = 1 };
	static struct items_output output;
	struct kcatch_condition_code code;

	if (kcatch_condition_compile_count(&source, &wants, &code))
		fail_msg("%s: %s", text, kcatch_error_text());
	items_run(code.fields, code.nr_fields, code.hops, &call->input, &output);
	assert_true(wants.codes[0].type.is_text);
	assert_string_equal((const char *)output.data + wants.codes[0].part.offset, expected);
	kcatch_count_wants_deinit(&wants);
	kcatch_condition_code_deinit(&code);
	kcatch_expression_destroy(expression);
}

/* A text may fill its array. What is behind the array is no part of it, whoever looks. */
static void array_ends_text(void **state)
{
	struct condition_call call;

	(void)state;
	condition_call_typed(&condition_typed_envs[2], &call);
	memcpy(condition_typed_envs[2].p->tag + sizeof(condition_typed_envs[2].p->tag), "z", 2);
	expect_key("p->tag", world.plan, &call, "\"kcatch12\"");
	expect_live_text("p->tag", &call, "kcatch12");
	expect_live_text("(char *)p->tag", &call, "kcatch12z");
	assert_int_equal(record_says("p->tag ~ \"*z*\"", world.plan, &call), '0');
	assert_int_equal(record_says("p->tag ~ \"*12\"", world.plan, &call), '1');
}

static void keys_of_one_record(void **state)
{
	struct condition_call call;

	(void)state;
	condition_call_typed(&condition_typed_envs[2], &call);
	expect_key("i", world.plan, &call, "5");
	expect_key("p->s", world.plan, &call, "-32768");
	expect_key("i * 100 + 7", world.plan, &call, "507");
	expect_key("ret", world.plan, &call, "7");
	expect_key("name", world.plan, &call, "\"/etc/passwdx\"");
	expect_key("100 / (i - 5)", world.plan, &call, "unreadable");
	/* Eight bytes of the name were kept, and eight of it are not all. */
	expect_key("name", world.flat, &call, "missing");
	call.event.returned = KCATCH_RETURN_PENDING;
	expect_key("ret", world.plan, &call, "missing");
	expect_key("latency / 10", world.plan, &call, "missing");
	expect_key("i", world.plan, &call, "5");
	condition_call_typed(&condition_typed_envs[5], &call);
	expect_key("p->x", world.plan, &call, "unreadable");
	expect_key("name", world.plan, &call, "unreadable");
}

/* Any bytes for a record: nothing crashes, and nothing is read beyond them. */
static void hostile(void **state)
{
	struct kcatch_recorded_probe probe = { .types = world.types,
					       .plan = world.plan,
					       .returns = true };
	struct kcatch_event head = { .returned = KCATCH_RETURN_SEEN };
	size_t i, j, size, answers = 0;

	(void)state;
	srandom(SEED);
	for (i = 0; i < condition_cases_nr; i++) {
		struct kcatch_recorded_condition *condition;
		struct kcatch_expression *expression;

		if (!is_typed(&condition_cases[i]))
			continue;
		expression = parse(condition_cases[i].text);
		assert_int_equal(kcatch_recorded_condition_create(expression, &probe, &condition),
				 0);
		for (j = 0; j < 60; j++) {
			struct kcatch_fetched fetched = { .entry_faults = (uint64_t)random() &
									  (uint64_t)random() };
			struct kcatch_recorded_event event = { .event = &head,
							       .fetched = &fetched };
			uint8_t *bytes;

			size = (size_t)random() % 600;
			bytes = malloc(size);
			for (fetched.entry_size = 0; fetched.entry_size < size;
			     fetched.entry_size++)
				bytes[fetched.entry_size] = random() % 3 ? 0 : (uint8_t)random();
			fetched.entry = bytes;
			answers += kcatch_recorded_condition_evaluate(condition, &event) !=
				   KCATCH_ANSWER_UNDECIDED;
			free(bytes);
		}
		kcatch_recorded_condition_destroy(condition);
		kcatch_expression_destroy(expression);
	}
	assert_true(answers > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cases_mean_what_c_means),
		cmocka_unit_test(generated_ones_agree),
		cmocka_unit_test(combined_ones_agree),
		cmocka_unit_test(what_was_not_fetched_is_refused),
		cmocka_unit_test(what_was_not_meant_is_told),
		cmocka_unit_test(what_one_record_lacks_is_undecided),
		cmocka_unit_test(where_time_went_may_be_unknown),
		cmocka_unit_test(ret_of_an_event_is_an_argument),
		cmocka_unit_test(array_ends_text),
		cmocka_unit_test(keys_of_one_record),
		cmocka_unit_test(hostile),
	};

	return cmocka_run_group_tests_name("conditions over records", tests, set_up, tear_down);
}
