/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processor's counter: on x86 the time stamp counter. All functions: any context.
 */
#ifndef _KCATCH_RING_CYCLES_H
#define _KCATCH_RING_CYCLES_H

#include <linux/types.h>
#include <asm/cpufeature.h>
#include <asm/tsc.h>

/** kcatch_cycles_read() - the counter, unordered: an interrupt waits for the instruction, so on one
 * CPU it never goes back between nested writers */
static __always_inline u64 kcatch_cycles_read(void)
{
	return rdtsc();
}

/** kcatch_cycles_khz() - how many thousands of them a second has; 0: there is no counter */
static inline u32 kcatch_cycles_khz(void)
{
	return boot_cpu_has(X86_FEATURE_TSC) ? tsc_khz : 0;
}

/** kcatch_cycles_are_stable() - does the kernel hold it for a clock? It may find out at any time
 * that it is none */
static inline bool kcatch_cycles_are_stable(void)
{
	return !check_tsc_unstable();
}

#endif
