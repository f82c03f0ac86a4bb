// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the code of conditions and of counts over what a hit has. Any context, NMI too, inside a
 * hook: no lock, no memory.
 */
#include <linux/nospec.h>
#include "code/run.h"
#include "program/condition_input.h"
#include "program/fetch_memory.h"

struct kcatch_code_run {
	const void *input;
	const struct kcatch_code *code;
	bool loads, again;
};

/* The mark of a FIELD's item; where the switches of a call are not known, that. */
static __always_inline bool is_faulty(const struct kcatch_code_run *run, const struct kcatch_op *op)
{
	const struct kcatch_condition_input *input = run->input;

	if (op->from == KCATCH_FROM_FIELD)
		return input->faults >> (op->index & 63) & 1;
	return unlikely(KCATCH_FROM_IS_OFF_CPU(op->from)) &&
	       input->switches == KCATCH_SWITCHES_UNKNOWN;
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

static noinline void load_field(struct kcatch_condition_input *input, const struct kcatch_op *op,
				unsigned long from, bool again)
{
	u64 bit = 1ULL << (op->index & 63), value = 0, fault = 0;

	if (again && op->a && !(input->faults & bit && kcatch_is_user(from)))
		return;
	if (!op->a)
		value = from;
	else if (likely(kcatch_at_hand(from, op->a)))
		value = kcatch_load_word(from, op->a, &fault);
	else if (!kcatch_read(&value, from, op->a))
		fault = ~0ULL;
	*(u64 *)((void *)input + op->offset) = value & ~fault;
	input->faults = (input->faults & ~bit) | (fault & bit);
}

/* A code with it has fields, so that the input is whole, and its own. */
static __always_inline void code_load(const struct kcatch_code_run *run, const struct kcatch_op *op,
				      __u64 from)
{
	if (run->loads)
		load_field((struct kcatch_condition_input *)run->input, op, from, run->again);
}

static noinline u32 answer_loading(const struct kcatch_code *code, const void *input, bool again)
{
	const struct kcatch_code_run run = {
		.input = input, .code = code, .loads = true, .again = again
	};

	return kcatch_code_run(&run, code->ops, NULL);
}

/* A code that loads is run by a copy of its own: most codes call nothing. */
u32 kcatch_condition_answer(const struct kcatch_code *code, const void *input)
{
	const struct kcatch_code_run run = { .input = input, .code = code };

	if (unlikely(code->sources & KCATCH_CODE_LOADS))
		return answer_loading(code, input, false);
	return kcatch_code_run(&run, code->ops, NULL);
}

u32 kcatch_condition_again(const struct kcatch_code *code, struct kcatch_condition_input *input)
{
	return answer_loading(code, input, true);
}

void kcatch_code_put(const struct kcatch_code *code, const void *input, u64 *out, u32 nr)
{
	const struct kcatch_code_run run = { .input = input, .code = code };

	while (nr--)
		out[nr] = 0;
	kcatch_code_run(&run, code->ops, out);
}
