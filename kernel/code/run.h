/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * The interpreter of the code of conditions (uapi/kcatch_code.h), once for the module and once for
 * the library: who includes it says where values and texts come from, by these functions:
 *
 *     bool code_value(const struct kcatch_code_run *run, const struct kcatch_op *op, __u64 *value)
 *         The value of a source from KCATCH_FROM_ARG on, not cut. False: it is not known.
 *     int code_text(const struct kcatch_code_run *run, const struct kcatch_op *op)
 *         KCATCH_EXIT_*: what the test TEXT comes to.
 *     void code_load(const struct kcatch_code_run *run, const struct kcatch_op *op, __u64 from)
 *         LOAD of the address @from.
 *
 * A code was checked by kcatch_code_check(): nothing but values is looked at here. Any context,
 * inside a hook too. No memory.
 */
#ifndef _KCATCH_CODE_RUN_H
#define _KCATCH_CODE_RUN_H

#include "code/code.h"

struct kcatch_code_run;

static __always_inline bool code_value(const struct kcatch_code_run *run,
				       const struct kcatch_op *op, __u64 *value);
static __always_inline int code_text(const struct kcatch_code_run *run,
				     const struct kcatch_op *op);
static __always_inline void code_load(const struct kcatch_code_run *run, const struct kcatch_op *op,
				      __u64 from);

static __always_inline bool code_source(const struct kcatch_code_run *run,
					const struct kcatch_op *op, __u64 acc, const __u64 *saved,
					__u64 *value)
{
	if (op->from >= KCATCH_FROM_ARG)
		return code_value(run, op, value);
	*value = op->from == KCATCH_FROM_CONST ? op->a : op->from == KCATCH_FROM_ACC ? acc :
		 saved[op->index % KCATCH_SAVED_MAX];
	return true;
}

/**
 * kcatch_code_run() - run a code
 * @run: where values and texts come from
 * @ops: a checked code, with at least one operation
 * @out: room for the words that it puts, zeros; NULL if it puts none
 *
 * Context: any. Return: KCATCH_EXIT_NO, _YES or _UNKNOWN
 */
static __always_inline int kcatch_code_run(const struct kcatch_code_run *run,
					   const struct kcatch_op *ops, __u64 *out)
{
	const struct kcatch_op *op = ops;
	__u64 saved[KCATCH_SAVED_MAX], acc = 0, value;
	__u32 way;

	for (;;) {
		if (op->op == KCATCH_OP_RANGE || op->op == KCATCH_OP_BITS) {
			if (!code_source(run, op, acc, saved, &value))
				goto unknown;
			way = kcatch_code_test(op, value);
			goto leave;
		}
		if (op->op == KCATCH_OP_GO) {
			way = op->yes;
			goto leave;
		}
		if (op->op == KCATCH_OP_TEXT) {
			int answer = code_text(run, op);

			way = answer == KCATCH_EXIT_YES ? op->yes :
			      answer == KCATCH_EXIT_NO ? op->no : op->unknown;
			goto leave;
		}
		if (op->op >= KCATCH_OP_SAVE) {
			if (op->op == KCATCH_OP_SAVE)
				saved[op->index % KCATCH_SAVED_MAX] = acc;
			else if (op->op == KCATCH_OP_OUT)
				out[op->index % KCATCH_OUTS_MAX] = acc;
			else if (op->op == KCATCH_OP_MARK)
				out[op->index % KCATCH_OUTS_MAX] |= op->a;
			else
				code_load(run, op, acc);
			op++;
			continue;
		}
		if (!code_source(run, op, acc, saved, &value))
			goto unknown;
		value = kcatch_code_cut(value, op->left, op->right);
		if (op->op >= KCATCH_OP_SET) {
			if (op->op == KCATCH_OP_SET)
				acc = kcatch_code_fit(value, op->fit);
			else if (kcatch_code_compute(op->op, value, &acc))
				acc = kcatch_code_fit(acc, op->fit);
			else
				goto unknown;
			op++;
			continue;
		}
		if (op->op == KCATCH_OP_EQUAL)
			way = acc == value ? op->yes : op->no;
		else if (op->op == KCATCH_OP_LESS)
			way = acc < value ? op->yes : op->no;
		else
			way = (__s64)acc < (__s64)value ? op->yes : op->no;
leave:
		if (way < KCATCH_EXIT_OP)
			return (int)way;
		op = ops + (way - KCATCH_EXIT_OP);
		continue;
unknown:
		way = op->unknown;
		goto leave;
	}
}

#endif
