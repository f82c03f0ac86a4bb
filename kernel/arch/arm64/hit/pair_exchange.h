/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The exchange of two words at once: CASP, or LDXP and STXP.
 */
#ifndef _KCATCH_HIT_PAIR_EXCHANGE_H
#define _KCATCH_HIT_PAIR_EXCHANGE_H

/** kcatch_pair_exchange() - store two new words if both are as told. @words: aligned to 16 bytes.
 * Orders all accesses before it and after it if it stores. Context: any, among all CPUs.
 * Return: done */
static __always_inline bool kcatch_pair_exchange(void *words, u64 first, u64 second,
						 u64 new_first, u64 new_second)
{
	u64 (*both)[2] = words;
	u64 old_first, old_second;
	u32 differs;

	/* A pair that is read is one only if the store that follows finds it unchanged. */
	__asm__ volatile("1:	ldaxp	%[old_first], %[old_second], %[both]\n"
			 "	eor	%[old_first], %[old_first], %[first]\n"
			 "	eor	%[old_second], %[old_second], %[second]\n"
			 "	orr	%[old_first], %[old_first], %[old_second]\n"
			 "	cbnz	%[old_first], 2f\n"
			 "	stlxp	%w[differs], %[new_first], %[new_second], %[both]\n"
			 "	cbnz	%w[differs], 1b\n"
			 "	dmb	ish\n"
			 "2:\n"
			 : [old_first] "=&r" (old_first), [old_second] "=&r" (old_second),
			   [differs] "=&r" (differs), [both] "+Q" (*both)
			 : [first] "r" (first), [second] "r" (second),
			   [new_first] "r" (new_first), [new_second] "r" (new_second)
			 : "memory");
	return !old_first;
}

#ifdef __KERNEL__
/** kcatch_pair_exchange_possible() - can this processor? Context: any */
static inline bool kcatch_pair_exchange_possible(void)
{
	return true;
}
#endif

#endif
