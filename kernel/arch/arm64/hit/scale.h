/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Products of 128 bits.
 */
#ifndef _KCATCH_HIT_SCALE_H
#define _KCATCH_HIT_SCALE_H

#include <linux/types.h>

/** kcatch_scale() - @value * @multiplier >> @shift, a constant. Context: any */
static __always_inline u64 kcatch_scale(u64 value, u32 multiplier, const u32 shift)
{
	return (u64)(((unsigned __int128)value * multiplier) >> shift);
}

#endif
