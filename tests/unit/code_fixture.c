/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The code of conditions and counts, checked and run as the module does it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cmocka.h>

#include "code/run.h"
#include "code_fixture.h"

struct kcatch_code_run {
	const struct code_input *input;
	const char *texts;
};

static bool is_faulty(const struct kcatch_code_run *run, const struct kcatch_op *op)
{
	if (KCATCH_FROM_IS_OFF_CPU(op->from))
		return run->input->switches == KCATCH_SWITCHES_UNKNOWN;
	return op->from == KCATCH_FROM_FIELD && run->input->faults >> op->index & 1;
}

static __always_inline bool code_value(const struct kcatch_code_run *run,
				       const struct kcatch_op *op, __u64 *value)
{
	const struct code_input *input = run->input;

	switch (op->from) {
	case KCATCH_FROM_ARG: *value = input->args[op->index]; break;
	case KCATCH_FROM_FIELD: memcpy(value, input->fields + op->offset, 8); break;
	case KCATCH_FROM_RET: *value = input->ret; break;
	case KCATCH_FROM_LATENCY: *value = input->latency; break;
	case KCATCH_FROM_PID: *value = input->pid; break;
	case KCATCH_FROM_TID: *value = input->tid; break;
	case KCATCH_FROM_CPU: *value = input->cpu; break;
	case KCATCH_FROM_UID: *value = input->uid; break;
	case KCATCH_FROM_ONCPU: *value = input->oncpu; break;
	case KCATCH_FROM_RUNNABLE: *value = input->runnable; break;
	case KCATCH_FROM_BLOCKED: *value = input->blocked; break;
	case KCATCH_FROM_SWITCHES: *value = input->switches; break;
	default: *value = 0; fail_msg("source %u", op->from);
	}
	return !is_faulty(run, op);
}

static __always_inline int code_text(const struct kcatch_code_run *run, const struct kcatch_op *op)
{
	const char *text = op->from == KCATCH_FROM_COMM ? run->input->comm :
			   (const char *)run->input->fields + op->offset;

	if (is_faulty(run, op))
		return KCATCH_EXIT_UNKNOWN;
	return kcatch_code_compare(op, run->texts + op->a, text, op->b + 1, false);
}

/* Memory is this process's. */
static __always_inline void code_load(const struct kcatch_code_run *run, const struct kcatch_op *op,
				      __u64 from)
{
	struct code_input *input = (struct code_input *)run->input;
	uint64_t value = 0, bit = 1ULL << op->index;

	input->faults |= bit;
	if (!op->a) {
		value = from;
		input->faults &= ~bit;
	} else {
		struct iovec to = { &value, op->a }, at = { (void *)(uintptr_t)from, op->a };

		/* A computed address may be any: memory that is not there is a fault. */
		if (process_vm_readv(getpid(), &to, 1, &at, 1, 0) == (ssize_t)op->a)
			input->faults &= ~bit;
		else
			value = 0;
	}
	memcpy(input->fields + op->offset, &value, sizeof(value));
}

static int run_code(const struct kcatch_op *ops, uint32_t nr, const char *texts, uint32_t nr_texts,
		    const struct code_input *input, __u64 *out)
{
	const struct kcatch_code_limits limits = {
		.fields = KCATCH_FIELDS_MAX, .items = KCATCH_ITEMS_MAX, .texts = nr_texts,
		.outs = out ? KCATCH_OUTS_MAX : 0,
	};
	const struct kcatch_code_run run = { .input = input, .texts = texts ? texts : "" };
	uint32_t sources, bad;

	if (!kcatch_code_check(ops, nr, &limits, &sources, &bad))
		fail_msg("operation %u of %u is refused", bad, nr);
	return kcatch_code_run(&run, ops, out);
}

int code_result(const struct kcatch_op *ops, uint32_t nr, const char *texts, uint32_t nr_texts,
		const struct code_input *input)
{
	return run_code(ops, nr, texts, nr_texts, input, NULL);
}

char code_says(const struct kcatch_condition_code *code, const struct code_input *input)
{
	int entry = KCATCH_EXIT_YES, at_return = KCATCH_EXIT_YES;

	if (code->nr_entry)
		entry = code_result(code->entry, code->nr_entry, code->texts, code->nr_texts,
				    input);
	if (code->nr_return)
		at_return = code_result(code->at_return, code->nr_return, code->texts,
					code->nr_texts, input);
	if (entry == KCATCH_EXIT_NO || at_return == KCATCH_EXIT_NO)
		return '0';
	return entry == KCATCH_EXIT_YES && at_return == KCATCH_EXIT_YES ? '1' : '?';
}

/* The value of a part. */
static uint64_t value_of(const struct kcatch_count_wants *wants, const struct kcatch_part *part,
			 const struct code_input *input)
{
	const struct kcatch_op word[] = {
		{ .op = KCATCH_OP_SET, .from = part->from, .index = part->index,
		  .left = part->left, .right = part->right, .offset = (uint16_t)part->offset,
		  .unknown = part->from == KCATCH_FROM_FIELD ? KCATCH_EXIT_OP + 2 : 0 },
		{ .op = KCATCH_OP_OUT },
		{ .op = KCATCH_OP_GO, .yes = KCATCH_EXIT_YES },
	};
	__u64 out[KCATCH_OUTS_MAX] = { 0 };

	if (part->kind == KCATCH_PART_CODE) {
		run_code(wants->code, wants->nr_code, NULL, 0, input, out);
		return out[part->index];
	}
	assert_int_equal(part->kind, KCATCH_PART_WORD);
	run_code(word, 3, NULL, 0, input, out);
	return out[0];
}

uint64_t code_part(const struct kcatch_count_wants *wants, uint32_t index,
		   const struct code_input *input)
{
	return value_of(wants, &wants->codes[index].part, input);
}

uint64_t code_marks(const struct kcatch_count_wants *wants, const struct code_input *input)
{
	return value_of(wants, &wants->marks, input);
}
