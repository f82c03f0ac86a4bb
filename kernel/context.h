/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The guard every hook runs under, and the grace period that fits it.
 *
 * Hooks run where anything may happen: with RCU not watching, in NMIs, inside
 * the functions that we ourselves call. A per-CPU word holds one bit for each
 * kind of context that is inside a hook on this CPU (task, softirq, hardirq,
 * NMI). A hook that finds the bit of its own context set is inside our own
 * work. One such entry is let in all the same, under a fifth bit: interrupt
 * entry code is traced before the kernel counts the interrupt, so a true
 * interrupt can look like the context it interrupted.
 *
 * The bits are also what teardown waits for (kcatch_quiesce()), so that what
 * hooks look at does not depend on RCU, and hooks in the idle loop are as safe
 * as any. (That no CPU is about to enter a hook when its code goes is for
 * ftrace and kprobes to see to, at unregistering.)
 */
#ifndef _KCATCH_CONTEXT_H
#define _KCATCH_CONTEXT_H

#include <linux/percpu.h>
#include <linux/preempt.h>
#include <uapi/kcatch.h>

/* Contexts that can be inside a hook of one CPU at once. */
#define KCATCH_LEVELS		5
#define KCATCH_LEVEL_EXTRA	4
#define KCATCH_LEVEL_REFUSED	(-1)

/**
 * struct kcatch_guard - one stay in a hook
 * @level: 0..KCATCH_LEVELS - 1, or KCATCH_LEVEL_REFUSED; picks scratch space
 * @context: KCATCH_CONTEXT_* of the preempt count
 * @busy: the word as it was found
 */
struct kcatch_guard {
	int level;
	u32 context;
	u32 busy;
};

DECLARE_PER_CPU(u32, kcatch_busy);

/** kcatch_context_of() - KCATCH_CONTEXT_* of a preempt count */
static __always_inline u32 kcatch_context_of(unsigned long count)
{
	if (likely(!(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET))))
		return KCATCH_CONTEXT_TASK;
	if (count & NMI_MASK)
		return KCATCH_CONTEXT_NMI;
	return count & HARDIRQ_MASK ? KCATCH_CONTEXT_HARDIRQ : KCATCH_CONTEXT_SOFTIRQ;
}

/**
 * kcatch_guard_enter() - begin the work of a hook
 * @guard: filled; its level is KCATCH_LEVEL_REFUSED when this hit is inside our own
 *	work: then look up and count, but call nothing
 *
 * Context: any. Preemption is off until kcatch_guard_leave().
 */
static __always_inline void kcatch_guard_enter(struct kcatch_guard *guard)
{
	u32 level, busy;

	preempt_disable_notrace();
	level = kcatch_context_of(preempt_count());
	busy = this_cpu_read(kcatch_busy);
	guard->context = level;
	guard->busy = busy;
	if (unlikely(busy & (1U << level))) {
		level = KCATCH_LEVEL_EXTRA;
		if (busy & (1U << level)) {
			guard->level = KCATCH_LEVEL_REFUSED;
			return;
		}
	}
	guard->level = level;
	this_cpu_write(kcatch_busy, busy | (1U << level));
	barrier();
}

/**
 * kcatch_guard_enter_quick() - the same where nothing is odd, in fewer registers
 * @context: out: KCATCH_CONTEXT_*, the level as well
 * @busy: out: for kcatch_guard_leave_quick()
 *
 * Context: any. Preemption is off afterwards in both cases.
 * Return: false: not entered, this hit is inside our own work
 */
static __always_inline bool kcatch_guard_enter_quick(u32 *context, u32 *busy)
{
	preempt_disable_notrace();
	*context = kcatch_context_of(preempt_count());
	*busy = this_cpu_read(kcatch_busy);
	if (unlikely(*busy & (1U << *context)))
		return false;
	this_cpu_write(kcatch_busy, *busy | (1U << *context));
	barrier();
	return true;
}

static __always_inline void kcatch_guard_leave_quick(u32 busy)
{
	barrier();
	this_cpu_write(kcatch_busy, busy);
	preempt_enable_notrace();
}

/**
 * kcatch_guard_leave() - end it; what interrupted us has left before
 * @guard: as it was filled
 */
static __always_inline void kcatch_guard_leave(const struct kcatch_guard *guard)
{
	barrier();
	this_cpu_write(kcatch_busy, guard->busy);
	preempt_enable_notrace();
}

/* A stay outside of hooks that kcatch_quiesce() waits for as well. */
#define KCATCH_BUSY_OUTSIDE	(1U << KCATCH_LEVELS)

/**
 * kcatch_outside_enter() - look at what hooks look at, without being one
 *
 * Context: any. Preemption is off until kcatch_outside_leave(). Hooks work meanwhile.
 * Return: for kcatch_outside_leave()
 */
static inline u32 kcatch_outside_enter(void)
{
	u32 busy;

	preempt_disable_notrace();
	busy = this_cpu_read(kcatch_busy);
	this_cpu_write(kcatch_busy, busy | KCATCH_BUSY_OUTSIDE);
	barrier();
	return busy;
}

static inline void kcatch_outside_leave(u32 busy)
{
	barrier();
	this_cpu_write(kcatch_busy, busy);
	preempt_enable_notrace();
}

/**
 * kcatch_quiesce() - wait until every hook that was running has left
 *
 * What was unpublished before the call is seen by no hook after it. Takes the
 * time of an interrupt to all CPUs, not of an RCU grace period.
 *
 * Context: may sleep.
 */
void kcatch_quiesce(void);

#endif
