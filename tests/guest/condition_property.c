// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: conditions mean in the kernel what they mean in C: of the cases of
 * tests/condition_cases.inc about arguments and ret those calls are recorded for which a C
 * compiler says so; and of some fifty thousand calls with generated arguments and return
 * values exactly those for which a generated expression holds, worked out in user space.
 * The module runs them, at the entry and at the return.
 * Gate: older
 */
#include "guest.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "condition/condition.h"
#include "../unit/condition_cases.h"
#include "../unit/expression_cases.h"

#define EXPRESSIONS 32	/* in one batch: a probe each */
#define VALUES 16	/* sets of arguments for each */
#define BATCHES 100
#define SEED 7

struct property_call {
	uint64_t args[6], ret;
};

struct batch {
	char texts[EXPRESSIONS][EXPRESSION_CASE_ROOM];
	bool holds[EXPRESSIONS][VALUES];
	unsigned int recorded[EXPRESSIONS][VALUES];
	bool used[EXPRESSIONS];
	struct property_call calls[VALUES];
};

static unsigned int refused, held, cases, wrong, strange;

static bool load(struct session *session, const char *text, uint32_t *number)
{
	/* The seventh argument: which call it is. */
	static const struct kcatch_item entry[] = { ITEM(STACK, VALUE) };
	struct kcatch_condition_code code;
	struct kcatch_expression *expression;
	struct kcatch_program program = {};
	int ret = kcatch_expression_parse(text, &expression);

	if (ret)
		return false;
	ret = kcatch_condition_compile(expression, NULL, (struct kcatch_type){ .id = 0 }, true, 0,
				       &code);
	kcatch_expression_destroy(expression);
	if (ret)
		return false;
	program.entry = (struct kcatch_list){ .at = (uintptr_t)entry, .nr = 1 };
	program.fields = (struct kcatch_list){ .at = code.nr_fields ? (uintptr_t)code.fields : 0,
					       .nr = code.nr_fields };
	program.entry_condition = (struct kcatch_list){
		.at = code.nr_entry ? (uintptr_t)code.entry : 0, .nr = code.nr_entry
	};
	program.return_condition = (struct kcatch_list){
		.at = code.nr_return ? (uintptr_t)code.at_return : 0, .nr = code.nr_return };
	program.hops = (struct kcatch_list){ .at = code.nr_hops ? (uintptr_t)code.hops : 0,
					     .nr = code.nr_hops };
	program.texts = (struct kcatch_list){ .at = (uintptr_t)code.texts, .nr = code.nr_texts };
	if (!code.nr_return)
		program.flags = KCATCH_PROGRAM_ENTRY_ONLY;
	if (ioctl(session->fd, KCATCH_IOC_PROGRAM, &program))
		bail("the kernel takes the program of %s", text);
	kcatch_condition_code_deinit(&code);
	*number = program.number;
	return true;
}

/* The same random numbers give the same text, whatever the data are. */
static void make(struct batch *batch, unsigned int seed)
{
	struct code_input data[VALUES];
	unsigned int e, v;

	srandom(seed);
	for (v = 0; v < VALUES; v++) {
		expression_case_data(&data[v]);
		data[v].pid = (uint32_t)getpid();
		data[v].uid = 0;
		memcpy(batch->calls[v].args, data[v].args, sizeof(batch->calls[v].args));
		batch->calls[v].ret = data[v].ret;
	}
	for (e = 0; e < EXPRESSIONS; e++) {
		for (v = 0; v < VALUES; v++) {
			srandom(seed * 1000 + e);
			batch->holds[e][v] =
				expression_case_make(&data[v], false, batch->texts[e]) == '1';
		}
	}
}

/* The cases that a C compiler answered: those about arguments and ret, from number *@next on. */
static void make_cases(struct batch *batch, size_t *next)
{
	unsigned int e = 0, v;

	for (v = 0; v < VALUES; v++) {
		const struct condition_raw_env *env =
			&condition_raw_envs[v < CONDITION_RAW_ENVS ? v : 0];

		memcpy(batch->calls[v].args, env->args, sizeof(env->args));
		batch->calls[v].ret = env->ret;
	}
	for (; e < EXPRESSIONS && *next < condition_cases_nr; ++*next) {
		const struct condition_case *it = &condition_cases[*next];

		if (it->kind != CASE_RAW && it->kind != CASE_RAW_OURS)
			continue;
		snprintf(batch->texts[e], sizeof(batch->texts[e]), "%s", it->text);
		for (v = 0; v < VALUES; v++)
			batch->holds[e][v] = it->answers[v < CONDITION_RAW_ENVS ? v : 0] == '1';
		e++;
	}
	for (; e < EXPRESSIONS; e++)
		strcpy(batch->texts[e], "0 == 1");
}

static void see(void *context, uint32_t cpu, const struct kcatch_record *record)
{
	struct batch *batch = context;
	uint32_t probe = KCATCH_RECORD_PROBE(record->id);
	const struct kcatch_call_part *part;
	uint64_t number;

	(void)cpu;
	if (KCATCH_RECORD_KIND(record->id) == KCATCH_RECORD_RETURN)
		return;
	part = call_part((const struct kcatch_hit *)record);
	if (KCATCH_RECORD_KIND(record->id) == KCATCH_RECORD_HIT || part->size[0] != 8 ||
	    probe >= EXPRESSIONS) {
		strange++;
		return;
	}
	memcpy(&number, part->data, sizeof(number));
	if (number >= VALUES)
		strange++;
	else
		batch->recorded[probe][number]++;
}

static void compare(const struct batch *batch)
{
	unsigned int e, v, i;

	for (e = 0; e < EXPRESSIONS; e++) {
		for (v = 0; batch->used[e] && v < VALUES; v++) {
			cases++;
			held += batch->holds[e][v];
			if (batch->recorded[e][v] == batch->holds[e][v])
				continue;
			if (wrong++ >= 5)
				continue;
			note("%s holds: %d; recorded: %u times", batch->texts[e],
			     batch->holds[e][v], batch->recorded[e][v]);
			for (i = 0; i < 6; i++)
				note("  arg%u = 0x%lx", i, (unsigned long)batch->calls[v].args[i]);
			note("  ret = 0x%lx", (unsigned long)batch->calls[v].ret);
		}
	}
}

/* @next: of the cases; NULL: those that @seed makes. */
static void run(struct session *session, int property, unsigned int seed, size_t *next)
{
	static struct batch batch;
	struct kcatch_binding bindings[EXPRESSIONS];
	struct kcatch_bind call = { .nr = EXPRESSIONS, .bindings = (uintptr_t)bindings };
	unsigned int e;

	memset(&batch, 0, sizeof(batch));
	if (next)
		make_cases(&batch, next);
	else
		make(&batch, seed);
	for (e = 0; e < EXPRESSIONS; e++) {
		bindings[e] = (struct kcatch_binding){ .probe = e };
		batch.used[e] = load(session, batch.texts[e], &bindings[e].program);
		refused += !batch.used[e];
	}
	if (ioctl(session->fd, KCATCH_IOC_BIND, &call))
		bail("programs are bound");
	session_start(session);
	if (write(property, batch.calls, sizeof(batch.calls)) != sizeof(batch.calls))
		bail("the test module makes the calls");
	session_stop(session);
	/* Without a program it is a plain hit, of all calls. */
	session_read_records(session, false, see, &batch);
	strange -= (EXPRESSIONS - call.done) * VALUES;
	for (e = 0; e < EXPRESSIONS; e++)
		strange -= batch.used[e] ? 0 : VALUES;
	compare(&batch);
}

int main(void)
{
	struct kcatch_counters counters;
	struct session session;
	unsigned int i, rounds = 0;
	size_t next = 0;
	int property;

	test_module_load();
	property = open("/proc/kcatch_test_property", O_WRONLY | O_CLOEXEC);
	if (property < 0)
		bail("the test module has kt_property");
	session_open(&session, 4 << 20, 65536);
	for (i = 0; i < EXPRESSIONS; i++) {
		const struct add_options options = {
			.flags = KCATCH_ADD_RETURN | KCATCH_ADD_NO_STACK,
		};

		if (session_add(&session, "kt_property", &options, NULL))
			bail("kt_property is armed %u times", i + 1);
	}
	session_map(&session);
	for (; next < condition_cases_nr; rounds++)
		run(&session, property, 0, &next);
	note("%u of the cases that C answered", cases);
	check_equal(wrong, 0, "each case of the list means what C says");
	check_equal(refused, 0, "none of them is refused");
	check(cases > 250 * VALUES, "there were hundreds");
	for (i = 0; i < BATCHES; i++)
		run(&session, property, SEED + i, NULL);
	note("%u cases, %u true, %u expressions refused", cases, held, refused);
	check_equal(wrong, 0, "recorded is what holds");
	check_equal(strange, 0, "nothing else is recorded");
	check(cases >= 30000 && held > cases / 5, "there were tens of thousands");
	session_counters(&session, 0, KCATCH_CPU_ALL, &counters);
	check(equation_holds(&counters), "the equation holds");
	check_equal(counters.hits, (uint64_t)(BATCHES + rounds) * VALUES, "hits are the calls");
	session_close(&session);
	close(property);
	return finish();
}
