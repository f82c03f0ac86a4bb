/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Products of 128 bits.
 */
#ifndef _KCATCH_HIT_SCALE_H
#define _KCATCH_HIT_SCALE_H

#include <linux/types.h>

/** kcatch_scale() - @value * @multiplier >> @shift, a constant. mul_u64_u32_shr() has a variable of
 * 128 bits, for which the compiler aligns the stack. Context: any */
static __always_inline u64 kcatch_scale(u64 value, u32 multiplier, const u32 shift)
{
	u64 low = value, high;

	asm("mulq %2\n\tshrdq %3, %1, %0"
	    : "+&a" (low), "=&d" (high) : "r" ((u64)multiplier), "i" (shift) : "cc");
	return low;
}

#endif
