/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Conditions that compare one argument with constants, as one comparison.
 *
 * A condition is classic BPF. To call it costs a hit 20 instructions and more beside its own: a
 * retpoline, saved registers, and for users without CAP_SYS_ADMIN a barrier. So when a program
 * is loaded, the values of the argument that the condition accepts are worked out. Those of
 * `arg OP constant` are one range, with the operators == != < <= > >=, signed or not, of 8, 16,
 * 32 or 64 bits; a range that wraps around is one too.
 */
#ifndef _KCATCH_CONDITION_RANGE_H
#define _KCATCH_CONDITION_RANGE_H

#include <linux/filter.h>

/**
 * struct kcatch_range - accepts arguments with (arg * scale) - low <= span, of 64 bits
 * @scale: moves the bits that count to the top, so that the others do not; 0: no range
 * @low: the least, scaled
 * @span: the distance from the least to the largest, scaled
 * @place: index of the argument among the words
 */
struct kcatch_range {
	u64 scale;
	u64 low;
	u64 span;
	u32 place;
};

/**
 * kcatch_range_of() - the range that a condition accepts
 * @code: instructions that the kernel has checked, loads as user space wrote them
 * @nr: number of instructions
 * @range: result; scale is 0 if it is not one range of one argument
 *
 * Context: any. The work is bounded.
 */
void kcatch_range_of(const struct sock_filter *code, unsigned int nr, struct kcatch_range *range);

/** kcatch_range_has() - does a range with a scale accept these arguments? @args: KCATCH_ARGS words.
 * Context: any, inside a hook */
static __always_inline bool kcatch_range_has(const struct kcatch_range *range, const u64 *args)
{
	return args[range->place] * range->scale - range->low <= range->span;
}

#endif
