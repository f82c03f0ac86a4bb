/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clock of all records: the processor's counter if the kernel holds it for stable, else
 * the NMI-safe reading of CLOCK_MONOTONIC. Reading the counter costs about a sixth of the
 * other (measured: 9 and 52 instructions).
 */
#ifndef _KCATCH_RING_CLOCK_H
#define _KCATCH_RING_CLOCK_H

#include <linux/jump_label.h>
#include <linux/ktime.h>
#include "ring/cycles.h"

struct kcatch_info;

extern bool kcatch_clock_is_cycles;
/* The same, patched into the code. */
DECLARE_STATIC_KEY_FALSE(kcatch_clock_fast);

/**
 * kcatch_clock_choose() - choose the clock by the kernel's present view of the counter
 *
 * The kernel may find the counter unstable at any time, long after boot.
 *
 * Context: may sleep; no session has records that bear a time.
 */
void kcatch_clock_choose(void);

/** kcatch_clock_is_sound() - is the choice of kcatch_clock_choose() still valid? */
bool kcatch_clock_is_sound(void);

/**
 * kcatch_clock_describe() - the clock's part of struct kcatch_info
 * @info: clock, clock_khz and the three readings of now are set
 *
 * Context: may be interrupted, does not sleep.
 */
void kcatch_clock_describe(struct kcatch_info *info);

/**
 * kcatch_clock_read() - the present time, in units of the clock
 *
 * On one CPU it never goes back between nested writers.
 *
 * Context: any, NMI too.
 */
static __always_inline u64 kcatch_clock_read(void)
{
	if (likely(kcatch_clock_is_cycles))
		return kcatch_cycles_read();
	return ktime_get_mono_fast_ns();
}

#endif
