/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loads, stores, barriers, the clock and the thread of the ring and the record encoder: once for
 * the kernel and once for user space, where unit tests, sanitizers and native benchmarks run the
 * same code.
 * In user space a "CPU" is a thread, and an interrupt is a signal handler.
 *
 * All writers of a ring run on its CPU, and a writer that interrupts another one finishes first:
 * ring/atomics.h is enough among them. The reader may run on
 * any CPU; acquire loads and release stores order its accesses.
 */
#ifndef _KCATCH_RING_RING_PLATFORM_H
#define _KCATCH_RING_RING_PLATFORM_H

#ifdef __KERNEL__

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>
#include <uapi/kcatch.h>
#include "ring/atomics.h"
#include "ring/clock.h"

#define ring_load(ptr)			READ_ONCE(*(ptr))
/* Reads a word that only interrupts of this CPU change, or that is a hint, in the instruction that
 * uses it; READ_ONCE() would add a load. */
#define ring_peek(ptr)			data_race(*(ptr))
#define ring_store(ptr, value)		WRITE_ONCE(*(ptr), value)
#define ring_load_acquire(ptr)		smp_load_acquire(ptr)
#define ring_store_release(ptr, value)	smp_store_release(ptr, value)
#define ring_barrier()			barrier()
#define ring_write_barrier()		smp_wmb()
#define ring_full_barrier()		smp_mb()
#define ring_exchange_shared(ptr, old, new) cmpxchg(ptr, old, new)
#define ring_clock_may_go_back()	(!kcatch_clock_is_cycles)

/* Process and thread of a task, as the fields of a record for them lie: the process in the lower
 * half. */
static __always_inline u64 ring_ids_of(const struct task_struct *task)
{
	if (offsetof(struct task_struct, tgid) == offsetof(struct task_struct, pid) + 4)
		return rol64(*(const u64 *)&task->pid, 32);
	return (u32)task->tgid | (u64)task->pid << 32;
}

#define ring_ids()			ring_ids_of(current)
#define ring_comm()			current->comm

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
#define ring_peek(ptr)			ring_load(ptr)
#define ring_store(ptr, value)		__atomic_store_n(ptr, value, __ATOMIC_RELAXED)
#define ring_load_acquire(ptr)		__atomic_load_n(ptr, __ATOMIC_ACQUIRE)
#define ring_store_release(ptr, value)	__atomic_store_n(ptr, value, __ATOMIC_RELEASE)
#define ring_barrier()			__atomic_signal_fence(__ATOMIC_SEQ_CST)
#ifdef __SANITIZE_THREAD__	/* it does not support fences, and x86 orders stores anyway */
#define ring_write_barrier()		ring_barrier()
#else
#define ring_write_barrier()		__atomic_thread_fence(__ATOMIC_RELEASE)
#endif
#define ring_full_barrier()		__sync_synchronize()
#define ring_exchange_shared(ptr, old, new) __sync_val_compare_and_swap(ptr, old, new)
#ifndef ring_clock_may_go_back
#define ring_clock_may_go_back()	true
#endif

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#include "ring/atomics.h"
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

/* The program that links the record encoder defines the thread that its records are of. */
struct ring_thread {
	u64 ids;	/* the process in the lower half */
	char comm[KCATCH_COMM_LEN];
};
extern struct ring_thread ring_thread;
#define ring_ids()	ring_thread.ids
#define ring_comm()	ring_thread.comm

/* The program that links the ring defines the clock. */
#ifndef kcatch_clock_read
u64 kcatch_clock_read(void);
#endif

#endif
#endif
