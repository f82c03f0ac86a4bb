/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code_fuzz.c - fuzzes the checker of code, which the module trusts
 *
 * What it passes is run over memory of just the size that it may look at, as the module has it and
 * as recordings have it: the sanitizer sees who looks beyond.
 */
#include <stdlib.h>
#include <string.h>

#include "code/run.h"
#include "fuzz.h"

struct kcatch_code_run {
	const struct kcatch_code_limits *limits;
	const uint8_t *fields;
	const char *comm, *texts;
};

static __always_inline bool code_value(const struct kcatch_code_run *run,
				       const struct kcatch_op *op, __u64 *value)
{
	static const __u64 args[6] = { 0, 1, ~0ULL, 1ULL << 63, 0x80000000, 7 };

	*value = op->from;
	if (op->from == KCATCH_FROM_ARG)
		*value = args[op->index];
	if (op->from == KCATCH_FROM_FIELD)
		memcpy(value, run->fields + op->offset, 8);
	FUZZ_CHECK(op->from != KCATCH_FROM_FIELD || op->index < run->limits->items,
		   "item %u of %u", op->index, run->limits->items);
	FUZZ_CHECK(op->from > KCATCH_FROM_SAVED && op->from < KCATCH_FROMS &&
			   op->from != KCATCH_FROM_COMM,
		   "source %u", op->from);
	if (KCATCH_FROM_IS_OFF_CPU(op->from))
		return run->comm[0] & 1;
	return run->limits->recorded ? op->index & 1 : op->from != KCATCH_FROM_FIELD ||
						       op->index & 1;
}

static __always_inline int code_text(const struct kcatch_code_run *run, const struct kcatch_op *op)
{
	const char *text = op->from == KCATCH_FROM_COMM ? run->comm :
			   (const char *)run->fields + op->offset;
	/* A recording tells how much there is. */
	__u64 size = op->b + 1, room = op->from == KCATCH_FROM_COMM ? 16 :
				       run->limits->fields - op->offset;

	FUZZ_CHECK(op->fit != KCATCH_TEXT_PATTERN || run->limits->recorded, "a pattern");
	if (run->limits->recorded && size > room)
		size = room;
	return kcatch_code_compare(op, run->texts + op->a, text, size, false);
}

static __always_inline void code_load(const struct kcatch_code_run *run, const struct kcatch_op *op,
				      __u64 from)
{
	FUZZ_CHECK(op->index < run->limits->items, "item %u of %u", op->index, run->limits->items);
	memcpy((uint8_t *)run->fields + op->offset, &from, sizeof(from));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = { data, size };
	struct kcatch_code_limits limits = {
		.fields = 8 * (uint32_t)fuzz_number(&input, 1) % 64,
		.items = (uint32_t)fuzz_number(&input, 1) % 64,
		.texts = (uint32_t)fuzz_number(&input, 1),
		.outs = fuzz_number(&input, 1) & 1 ? KCATCH_OUTS_MAX : 0,
		.recorded = fuzz_number(&input, 1) & 1,
	};
	struct kcatch_code_run run = { .limits = &limits };
	uint32_t nr = (uint32_t)(input.left / sizeof(struct kcatch_op)), sources, bad, i;
	struct kcatch_op *ops = malloc(nr * sizeof(*ops) + !nr);
	__u64 *out = limits.outs ? calloc(limits.outs, sizeof(*out)) : NULL;
	uint8_t *fields = calloc(1, limits.fields + !limits.fields);
	char *texts = calloc(1, limits.texts + !limits.texts), *comm = calloc(1, 16);
	int result;

	memcpy(ops, input.at, nr * sizeof(*ops));
	if (kcatch_code_check(ops, nr, &limits, &sources, &bad)) {
		for (i = 0; i < limits.texts; i++)
			texts[i] = (char)('a' + i % 3);
		memset(fields, 'a', limits.fields);
		run.fields = fields;
		run.texts = texts;
		run.comm = comm;
		result = kcatch_code_run(&run, ops, out);
		FUZZ_CHECK(result >= KCATCH_EXIT_NO && result <= KCATCH_EXIT_UNKNOWN,
			   "result %d", result);
	} else {
		FUZZ_CHECK(bad < nr || !bad, "operation %u of %u is wrong", bad, nr);
	}
	free(ops);
	free(out);
	free(fields);
	free(texts);
	free(comm);
	return 0;
}

/* ---- mutations ----------------------------------------------------------------------- */

/* An operation whose fields are near to what may be. */
static struct kcatch_op choose_op(unsigned int at, unsigned int nr)
{
	struct kcatch_op op = { .op = (uint8_t)fuzz_choose(KCATCH_OPS) };

	if (op.op && op.op < KCATCH_OP_SAVE)
		op.from = (uint8_t)(1 + fuzz_choose(KCATCH_FROMS - 1));
	if (op.from == KCATCH_FROM_ARG || op.from == KCATCH_FROM_SAVED || op.op >= KCATCH_OP_SAVE)
		op.index = (uint8_t)fuzz_choose(6);
	if (op.from == KCATCH_FROM_FIELD)
		op.offset = (uint16_t)(8 * fuzz_choose(4));
	if (op.op <= KCATCH_OP_TEXT)
		op.yes = (uint8_t)fuzz_choose(KCATCH_EXIT_OP + 1);
	if (op.op && op.op <= KCATCH_OP_TEXT)
		op.no = (uint8_t)(KCATCH_EXIT_OP + at + 1 + fuzz_choose(nr + 1));
	if (op.from == KCATCH_FROM_FIELD && !fuzz_choose(2))
		op.unknown = KCATCH_EXIT_UNKNOWN;
	if (op.op == KCATCH_OP_TEXT || op.from == KCATCH_FROM_CONST)
		op.a = fuzz_choose(20);
	if (op.op == KCATCH_OP_TEXT)
		op.b = fuzz_choose(20);
	return op;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	const size_t head = 5, one = sizeof(struct kcatch_op);
	size_t nr = size > head ? (size - head) / one : 0, at;
	struct kcatch_op op;

	fuzz_seed(seed);
	if (head + (nr + 1) * one > most || !fuzz_choose(3))
		return LLVMFuzzerMutate(data, size, most);
	if (size < head)
		memset(data, 1, head);
	at = fuzz_choose(nr + 1);
	op = choose_op((unsigned int)at, (unsigned int)(nr - at));
	memcpy(data + head + at * one, &op, one);
	return head + (at == nr ? nr + 1 : nr) * one;
}
