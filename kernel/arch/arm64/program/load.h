/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loads that may fault, in instructions of 64-bit Arm. Any context. Not for addresses of user
 * memory: there the kernel takes such a fault for a fatal one.
 */
#ifndef _KCATCH_PROGRAM_LOAD_H
#define _KCATCH_PROGRAM_LOAD_H

#include <linux/types.h>
#include <asm/asm-extable.h>

/* A load that may fault. The fault sets the register @bad to an error, and the load goes on, with
 * a value of 0. */
#define KCATCH_LOAD(load, value, bad, from)					\
	asm volatile("1:	" load "\n2:\n"					\
		     _ASM_EXTABLE_KACCESS_ERR_ZERO(1b, 2b, %w[fault], %w[to])	\
		     : [to] "=&r" (value), [fault] "+r" (bad)			\
		     : [at] "Q" (*(const u8 (*)[8])(from)))

/** kcatch_load_word() - 1, 2, 4 or 8 bytes at hand, zero-extended. A fault sets *@fault to ~0, and
 * then the result is anything. */
static __always_inline u64 kcatch_load_word(unsigned long from, u32 size, u64 *fault)
{
	s32 bad = 0;
	u64 value;

	if (size == 8)
		KCATCH_LOAD("ldr	%[to], %[at]", value, bad, from);
	else if (size == 4)
		KCATCH_LOAD("ldr	%w[to], %[at]", value, bad, from);
	else if (size == 1)
		KCATCH_LOAD("ldrb	%w[to], %[at]", value, bad, from);
	else
		KCATCH_LOAD("ldrh	%w[to], %[at]", value, bad, from);
	*fault |= (s64)bad;
	return value;
}

/** kcatch_load_pointer() - a word at hand; 0 if it faults */
static __always_inline unsigned long kcatch_load_pointer(unsigned long from)
{
	u64 fault = 0;

	return kcatch_load_word(from, sizeof(long), &fault);
}

/** kcatch_load_more() - @size bytes at hand, a multiple of 8, to @to. A fault sets *@fault to ~0,
 * and then some of @to are anything */
static __always_inline void kcatch_load_more(u64 *to, unsigned long from, u32 size, u64 *fault)
{
	u32 i;

	for (i = 0; i < size / sizeof(*to) && !*fault; i++)
		to[i] = kcatch_load_word(from + i * sizeof(*to), sizeof(*to), fault);
}

#endif
