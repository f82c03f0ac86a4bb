/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * The code of conditions, as the module and the library have it: its arithmetic, its texts, and its
 * checker. uapi/kcatch_code.h describes the operations, run.h runs them.
 */
#ifndef _KCATCH_CODE_CODE_H
#define _KCATCH_CODE_CODE_H

#ifdef __KERNEL__
#include <linux/compiler.h>
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stdint.h>
#include <sys/cdefs.h>
#endif
#include <uapi/kcatch_code.h>

/**
 * struct kcatch_code_limits - what a code may look at
 * @fields: bytes that `fields` put
 * @items: items that they put
 * @texts: bytes of the program's texts
 * @outs: words that it may put
 * @recorded: it is for a recording, in which each value may be missing and a text has any size
 */
struct kcatch_code_limits {
	__u32 fields;
	__u32 items;
	__u32 texts;
	__u32 outs;
	bool recorded;
};

/* Beside the bits of KCATCH_FROM_*: there is a LOAD. */
#define KCATCH_CODE_LOADS (1U << 31)

/**
 * kcatch_code_check() - is a code sound?
 * @ops: the operations, a copy that nobody changes
 * @nr: number of them, 1..KCATCH_OPS_MAX
 * @limits: what it may look at
 * @sources: receives a bit for each KCATCH_FROM_* that it takes values from, and
 *	KCATCH_CODE_LOADS
 * @bad: receives the index of the first operation that is not sound
 *
 * Context: any; 1 KB of stack. Return: whether it is
 */
bool kcatch_code_check(const struct kcatch_op *ops, __u32 nr,
		       const struct kcatch_code_limits *limits, __u32 *sources, __u32 *bad);

/* Shifts right by the low 6 bits of @right, with the sign if it has KCATCH_RIGHT_SIGNED. */
static __always_inline __u64 kcatch_code_right(__u64 value, __u8 right)
{
	return right & KCATCH_RIGHT_SIGNED ? (__u64)((__s64)value >> (right & 63)) :
					     value >> (right & 63);
}

/* struct kcatch_op.left and .right. */
static __always_inline __u64 kcatch_code_cut(__u64 value, __u8 left, __u8 right)
{
	return kcatch_code_right(value << (left & 63), right);
}

/* What RANGE, or else BITS, comes to. Return: @yes or @no of the operation */
static __always_inline __u32 kcatch_code_test(const struct kcatch_op *op, __u64 value)
{
	if (op->op == KCATCH_OP_RANGE)
		return (value << (op->left & 63)) - op->a <= op->b ? op->yes : op->no;
	return (kcatch_code_cut(value, op->left, op->right) & op->a) == op->b ? op->yes : op->no;
}

/* struct kcatch_op.fit */
static __always_inline __u64 kcatch_code_fit(__u64 value, __u8 fit)
{
	return kcatch_code_cut(value, fit, fit);
}

/* DIV, DIV_S, MOD and MOD_S, not by 0. */
static inline __u64 kcatch_code_divide(__u8 op, __u64 a, __u64 b)
{
	if (op == KCATCH_OP_DIV)
		return a / b;
	if (op == KCATCH_OP_MOD)
		return a % b;
	/* The processor faults on -2^63 / -1. */
	if (b == ~(__u64)0)
		return op == KCATCH_OP_DIV_S ? -a : 0;
	return op == KCATCH_OP_DIV_S ? (__u64)((__s64)a / (__s64)b) : (__u64)((__s64)a % (__s64)b);
}

/**
 * kcatch_code_compute() - an operation from KCATCH_OP_ADD to _SAR
 * @op: KCATCH_OP_*
 * @value: its value
 * @acc: in and out: acc, which is not fitted
 *
 * Return: false: it has no result
 */
static inline bool kcatch_code_compute(__u8 op, __u64 value, __u64 *acc)
{
	switch (op) {
	case KCATCH_OP_ADD: *acc += value; return true;
	case KCATCH_OP_SUB: *acc -= value; return true;
	case KCATCH_OP_MUL: *acc *= value; return true;
	case KCATCH_OP_AND: *acc &= value; return true;
	case KCATCH_OP_OR: *acc |= value; return true;
	case KCATCH_OP_XOR: *acc ^= value; return true;
	case KCATCH_OP_SHL: *acc <<= value & 63; return true;
	case KCATCH_OP_SHR: *acc >>= value & 63; return true;
	case KCATCH_OP_SAR: *acc = (__u64)((__s64)*acc >> (value & 63)); return true;
	}
	if (!value)
		return false;
	*acc = kcatch_code_divide(op, *acc, value);
	return true;
}

/**
 * kcatch_code_compare() - the test TEXT, but for patterns
 * @op: the test
 * @wanted: what it compares with: op->b bytes, none of which is 0
 * @text: the text
 * @size: bytes of it that are there, up to a null byte or without one
 * @ended: it ends there; else more may follow
 *
 * Return: KCATCH_EXIT_*
 */
static __always_inline int kcatch_code_compare(const struct kcatch_op *op, const char *wanted,
					       const char *text, __u64 size, bool ended)
{
	__u64 i;

	for (i = 0; i < op->b; i++) {
		if (i == size)
			return ended ? KCATCH_EXIT_NO : KCATCH_EXIT_UNKNOWN;
		if (text[i] != wanted[i])
			return KCATCH_EXIT_NO;
	}
	if (op->fit & KCATCH_TEXT_PREFIX)
		return KCATCH_EXIT_YES;
	if (i < size)
		return text[i] ? KCATCH_EXIT_NO : KCATCH_EXIT_YES;
	return ended ? KCATCH_EXIT_YES : KCATCH_EXIT_UNKNOWN;
}

#endif
