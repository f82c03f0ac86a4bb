// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the code of conditions and of counts over what a hit has. Any context, NMI too, inside a
 * hook: no lock, no memory.
 */
#include <linux/nospec.h>
#include "code/run.h"
#include "program/condition_input.h"

struct kcatch_code_run {
	const void *input;
	const struct kcatch_code *code;
};

/* The mark of a FIELD's item. */
static __always_inline bool is_faulty(const struct kcatch_code_run *run, const struct kcatch_op *op)
{
	const struct kcatch_condition_input *input = run->input;

	return op->from == KCATCH_FROM_FIELD && input->faults >> (op->index & 63) & 1;
}

static __always_inline bool code_value(const struct kcatch_code_run *run,
				       const struct kcatch_op *op, __u64 *value)
{
	*value = *(const u64 *)(run->input + op->offset);
	return !is_faulty(run, op);
}

/* There is as much of the text as is compared: the checker has seen to that. */
static __always_inline int code_text(const struct kcatch_code_run *run, const struct kcatch_op *op)
{
	u64 wanted = array_index_nospec(op->a, run->code->texts_size + 1UL);

	if (unlikely(is_faulty(run, op)))
		return KCATCH_EXIT_UNKNOWN;
	return kcatch_code_compare(op, run->code->texts + wanted, run->input + op->offset,
				   op->b + 1, false);
}

u32 kcatch_condition_answer(const struct kcatch_code *code, const void *input)
{
	const struct kcatch_code_run run = { .input = input, .code = code };

	return kcatch_code_run(&run, code->ops, NULL);
}

void kcatch_code_put(const struct kcatch_code *code, const void *input, u64 *out, u32 nr)
{
	const struct kcatch_code_run run = { .input = input, .code = code };

	while (nr--)
		out[nr] = 0;
	kcatch_code_run(&run, code->ops, out);
}
