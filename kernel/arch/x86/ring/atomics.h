/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changes of a word that are atomic against interrupts of this CPU, NMIs too, but not among CPUs:
 * on x86 one instruction without lock prefix. User space has them, too: see ring/ring_platform.h.
 */
#ifndef _KCATCH_RING_ATOMICS_H
#define _KCATCH_RING_ATOMICS_H

/** ring_exchange() - store @new if *@ptr is @old. It returns the processor's flag; the kernel's
 * macro would compare once more */
static __always_inline bool ring_exchange(u64 *ptr, u64 old, u64 new)
{
	bool done;

	__asm__ volatile("cmpxchgq %3, %1"
			 : "=@ccz" (done), "+m" (*ptr), "+a" (old) : "r" (new) : "memory");
	return done;
}

static __always_inline void ring_increment(u64 *ptr)
{
	__asm__ volatile("incq %0" : "+m" (*ptr));
}

static __always_inline void ring_decrement(u64 *ptr)
{
	__asm__ volatile("decq %0" : "+m" (*ptr));
}

static __always_inline void ring_add(u64 *ptr, u64 much)
{
	__asm__ volatile("addq %1, %0" : "+m" (*ptr) : "er" (much));
}

/** ring_nest_enter() - count one more writer. Need not be atomic: a writer that interrupts this one
 * restores the count before it returns */
static __always_inline void ring_nest_enter(u32 *nest)
{
	__asm__ volatile("incl %0" : "+m" (*nest) : : "memory");
}

#endif
