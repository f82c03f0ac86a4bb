/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changes of a word that are atomic against interrupts of this CPU, but not among CPUs. 64-bit Arm
 * has no instruction for that alone: these are atomic among CPUs, too, and order nothing. User
 * space has its own: see ring/ring_platform.h.
 */
#ifndef _KCATCH_RING_ATOMICS_H
#define _KCATCH_RING_ATOMICS_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/types.h>

/** ring_exchange() - store @new if *@ptr is @old */
static __always_inline bool ring_exchange(u64 *ptr, u64 old, u64 new)
{
	return cmpxchg_local(ptr, old, new) == old;
}

static __always_inline void ring_increment(u64 *ptr)
{
	atomic64_inc((atomic64_t *)ptr);
}

static __always_inline void ring_decrement(u64 *ptr)
{
	atomic64_dec((atomic64_t *)ptr);
}

static __always_inline void ring_add(u64 *ptr, u64 much)
{
	atomic64_add(much, (atomic64_t *)ptr);
}

/** ring_nest_enter() - count one more writer. Need not be atomic: a writer that interrupts this one
 * restores the count before it returns */
static __always_inline void ring_nest_enter(u32 *nest)
{
	WRITE_ONCE(*nest, READ_ONCE(*nest) + 1);
	barrier();
}

#endif
