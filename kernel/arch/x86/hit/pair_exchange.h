/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The exchange of two words at once, which CMPXCHG16B is on x86.
 */
#ifndef _KCATCH_HIT_PAIR_EXCHANGE_H
#define _KCATCH_HIT_PAIR_EXCHANGE_H

/** kcatch_pair_exchange() - store two new words if both are as told. @words: aligned to 16 bytes.
 * Context: any, among all CPUs: a full barrier where it is done. Return: done */
static __always_inline bool kcatch_pair_exchange(void *words, u64 first, u64 second,
						 u64 new_first, u64 new_second)
{
	u64 (*both)[2] = words;
	bool done;

	__asm__ volatile("lock cmpxchg16b %1"
			 : "=@ccz" (done), "+m" (*both), "+a" (first), "+d" (second)
			 : "b" (new_first), "c" (new_second)
			 : "memory");
	return done;
}

#ifdef __KERNEL__
#include <asm/cpufeature.h>

/** kcatch_pair_exchange_possible() - can this processor? Context: any */
static inline bool kcatch_pair_exchange_possible(void)
{
	return boot_cpu_has(X86_FEATURE_CX16);
}
#endif

#endif
