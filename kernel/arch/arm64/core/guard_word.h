/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The test of a hook that begins.
 */
#ifndef _KCATCH_CORE_GUARD_WORD_H
#define _KCATCH_CORE_GUARD_WORD_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>

/* Is any bit of @word or of @variable, a u32 of this CPU, set? Preemption is off. */
#define kcatch_guard_any(word, variable)						\
({											\
	u32 __any = (word) | READ_ONCE(*raw_cpu_ptr(&(variable)));			\
											\
	barrier();									\
	__any != 0;									\
})

/* Store @value into @variable of this CPU, behind all that this CPU has read and written before.
 * Preemption is off. */
#define kcatch_guard_release(variable, value)						\
	smp_store_release(raw_cpu_ptr(&(variable)), value)

#endif
