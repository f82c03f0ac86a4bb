// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chooses the clock of the records, and relates it to CLOCK_MONOTONIC.
 */
#include <linux/irqflags.h>
#include <linux/module.h>
#include <uapi/kcatch.h>
#include "ring/clock.h"

bool kcatch_clock_is_cycles __read_mostly;
DEFINE_STATIC_KEY_FALSE(kcatch_clock_fast);

void kcatch_clock_choose(void)
{
	bool is_cycles = kcatch_cycles_khz() && kcatch_cycles_are_stable();

	/* Code is only changed where it has to be: that asks all CPUs. */
	if (is_cycles == kcatch_clock_is_cycles)
		return;
	kcatch_clock_is_cycles = is_cycles;
	if (kcatch_clock_is_cycles)
		static_branch_enable(&kcatch_clock_fast);
	else
		static_branch_disable(&kcatch_clock_fast);
}

bool kcatch_clock_is_sound(void)
{
	return !kcatch_clock_is_cycles || kcatch_cycles_are_stable();
}

void kcatch_clock_describe(struct kcatch_info *info)
{
	unsigned long flags;

	info->clock = kcatch_clock_is_cycles ? KCATCH_CLOCK_TSC : KCATCH_CLOCK_MONOTONIC;
	info->clock_khz = kcatch_clock_is_cycles ? kcatch_cycles_khz() : 1000000;
	local_irq_save(flags);
	info->monotonic_now = ktime_get_mono_fast_ns();
	info->clock_now = kcatch_clock_read();
	info->monotonic_now += (ktime_get_mono_fast_ns() - info->monotonic_now) / 2;
	info->realtime_now = ktime_get_real_fast_ns();
	local_irq_restore(flags);
}
