/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The test of a hook that begins, in as few instructions as x86 needs.
 */
#ifndef _KCATCH_CORE_GUARD_WORD_H
#define _KCATCH_CORE_GUARD_WORD_H

#include <linux/percpu.h>
#include <linux/types.h>

/* The older kernels' declaration names no address space. */
#ifndef __my_cpu_var
#define __my_cpu_var(variable)	(variable)
#endif

/* Is any bit of @word or of @variable, a u32 of this CPU, set? One test for both. The clobber:
 * what is rarely needed reads them again, so that they are kept in no register. */
#define kcatch_guard_any(word, variable)						\
({											\
	u32 __word = word;								\
	bool __any;									\
											\
	asm volatile("orl " __percpu_arg(2) ", %1"					\
		     : "=@ccnz" (__any), "+r" (__word) : "m" (__my_cpu_var(variable))	\
		     : "memory");							\
	__any;										\
})

/* Sets @variable, a u32 of this CPU, as smp_store_release() does: for all CPUs, what this one has
 * read and written comes before it. On x86 a store is that. */
#define kcatch_guard_release(variable, value)						\
do {											\
	barrier();									\
	this_cpu_write(variable, value);						\
} while (0)

#endif
