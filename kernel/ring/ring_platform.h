/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The environment of the ring and the record encoder, once for the kernel and once for user
 * space: unit tests, sanitizers and native benchmarks run the kernel's code.
 *
 * All writers of a ring run on its CPU and interrupt each other strictly nested, so a single
 * instruction is atomic among them without a lock prefix. The one reader may run anywhere;
 * acquire and release order its accesses.
 *
 * In user space a "CPU" is a thread, and an interrupt is a signal handler.
 */
#ifndef _KCATCH_RING_RING_PLATFORM_H
#define _KCATCH_RING_RING_PLATFORM_H

#ifdef __KERNEL__

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>
#include <uapi/kcatch.h>
#include "ring/clock.h"

#define ring_load(ptr)			READ_ONCE(*(ptr))
#define ring_store(ptr, value)		WRITE_ONCE(*(ptr), value)
#define ring_load_acquire(ptr)		smp_load_acquire(ptr)
#define ring_store_release(ptr, value)	smp_store_release(ptr, value)
#define ring_barrier()			barrier()
#define ring_write_barrier()		smp_wmb()
#define ring_full_barrier()		smp_mb()
#define ring_clock_may_go_back()	(!kcatch_clock_is_tsc)

/* Exchange that is atomic against interrupts of this CPU only. (By the flag: the kernel's
 * macro compares once more.) */
static __always_inline bool ring_exchange(u64 *ptr, u64 old, u64 new)
{
	bool done;

	asm volatile("cmpxchgq %3, %1"
		     : "=@ccz" (done), "+m" (*ptr), "+a" (old) : "r" (new) : "memory");
	return done;
}

/* Atomic against interrupts of this CPU only. */
static __always_inline void ring_increment(u64 *ptr)
{
	asm volatile("incq %0" : "+m" (*ptr));
}

static __always_inline void ring_decrement(u64 *ptr)
{
	asm volatile("decq %0" : "+m" (*ptr));
}

/* One writer more. Those that interrupt it are gone when it goes on, so the
 * count is what it was: nothing need be atomic. */
static __always_inline void ring_nest_enter(u32 *nest)
{
	asm volatile("incl %0" : "+m" (*nest) : : "memory");
}

#else

#include <stdbool.h>
#include <string.h>
#include "uapi/kcatch.h"

typedef __u64 u64;
typedef __u32 u32;
typedef __u16 u16;
typedef __u8 u8;

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#ifndef __always_inline
#define __always_inline	inline __attribute__((always_inline))
#endif

#define ring_load(ptr)			__atomic_load_n(ptr, __ATOMIC_RELAXED)
#define ring_store(ptr, value)		__atomic_store_n(ptr, value, __ATOMIC_RELAXED)
#define ring_load_acquire(ptr)		__atomic_load_n(ptr, __ATOMIC_ACQUIRE)
#define ring_store_release(ptr, value)	__atomic_store_n(ptr, value, __ATOMIC_RELEASE)
#define ring_barrier()			__atomic_signal_fence(__ATOMIC_SEQ_CST)
#ifdef __SANITIZE_THREAD__	/* does not know fences; x86 orders stores anyhow */
#define ring_write_barrier()		ring_barrier()
#else
#define ring_write_barrier()		__atomic_thread_fence(__ATOMIC_RELEASE)
#endif
#define ring_full_barrier()		__sync_synchronize()
#ifndef ring_clock_may_go_back
#define ring_clock_may_go_back()	true
#endif

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
/* As the kernel's: one instruction, which a signal cannot split, without a lock. */
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

static __always_inline void ring_nest_enter(u32 *nest)
{
	__asm__ volatile("incl %0" : "+m" (*nest) : : "memory");
}
#else
static __always_inline bool ring_exchange(u64 *ptr, u64 old, u64 new)
{
	return __atomic_compare_exchange_n(ptr, &old, new, false,
					   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static __always_inline void ring_increment(u64 *ptr)
{
	__atomic_fetch_add(ptr, 1, __ATOMIC_RELAXED);
}

static __always_inline void ring_decrement(u64 *ptr)
{
	__atomic_fetch_sub(ptr, 1, __ATOMIC_RELAXED);
}

static __always_inline void ring_nest_enter(u32 *nest)
{
	ring_store(nest, ring_load(nest) + 1);
	ring_barrier();
}
#endif

/* The program that links the ring supplies its clock. */
#ifndef kcatch_clock_read
u64 kcatch_clock_read(void);
#endif

#endif
#endif
