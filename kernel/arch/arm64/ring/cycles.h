/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processor's counter: on 64-bit Arm the virtual counter of the generic timer. All functions:
 * any context.
 */
#ifndef _KCATCH_RING_CYCLES_H
#define _KCATCH_RING_CYCLES_H

#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <clocksource/arm_arch_timer.h>
#include <asm/arch_timer.h>

/** kcatch_cycles_read() - the counter, in the order of the program: else a later read might be done
 * before an earlier one */
static __always_inline u64 kcatch_cycles_read(void)
{
	return __arch_counter_get_cntvct();
}

/** kcatch_cycles_khz() - how many thousands of them a second has; 0: there is no counter. Of a
 * counter whose rate is no multiple of that, none is used */
static inline u32 kcatch_cycles_khz(void)
{
	u32 hertz = arch_timer_get_cntfrq();

	return hertz % 1000 ? 0 : hertz / 1000;
}

/** kcatch_cycles_are_stable() - can it be read as kcatch_cycles_read() does? Some processors'
 * counter must be read in a way of their own, and then this is none */
static inline bool kcatch_cycles_are_stable(void)
{
#ifdef CONFIG_ARM_ARCH_TIMER_OOL_WORKAROUND
	const struct arch_timer_erratum_workaround *workaround;
	int cpu;

	for_each_possible_cpu(cpu) {
		workaround = READ_ONCE(per_cpu(timer_unstable_counter_workaround, cpu));
		if (workaround && workaround->read_cntvct_el0)
			return false;
	}
#endif
	return true;
}

#endif
