/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a condition demands before anything else: words of struct kcatch_condition that must have
 * certain values, as conditions that begin with comparisons joined by && do.
 */
#ifndef _KCATCH_CONDITION_DEMANDS_H
#define _KCATCH_CONDITION_DEMANDS_H

#include <linux/filter.h>

#define KCATCH_DEMANDS_MAX	8

/**
 * struct kcatch_demands - what a condition demands of struct kcatch_condition; at least one word
 *	of another value, and it does not hold
 * @nr: number of words
 * @all: it demands nothing else
 * @at: a word, as an offset in bytes
 * @mask: of that word; U32_MAX: all of it
 * @value: of these bits
 */
struct kcatch_demands {
	u32 nr;
	bool all;
	struct {
		u32 at;
		u32 mask;
		u32 value;
	} of[KCATCH_DEMANDS_MAX];
};

/**
 * kcatch_demands_of() - what a condition demands, as far as this can be seen
 * @code: instructions that the kernel has checked, loads as user space wrote them
 * @nr: number of instructions
 * @demands: result
 *
 * Context: any. The work is bounded.
 */
void kcatch_demands_of(const struct sock_filter *code, unsigned int nr,
		       struct kcatch_demands *demands);

#endif
