/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The guard that every hook runs under, and the grace period that fits it.
 *
 * Hooks run in any situation: while RCU is not watching, in NMIs, inside the functions that
 * hooks themselves call. A per-CPU word holds one bit for each kind of context that is
 * inside a hook on this CPU (task, softirq, hardirq, NMI). A hook that finds the bit of its
 * own context set was called by our own work. One such entry is admitted all the same,
 * under a fifth bit: interrupt entry code is traced before the kernel counts the interrupt,
 * so a true interrupt can look like the context it interrupted.
 *
 * Teardown waits for the bits (kcatch_quiesce()). The data that hooks read therefore does
 * not depend on RCU, and hooks in the idle loop are as safe as any. To enter takes no barrier:
 * kcatch_quiesce() puts one there from outside. To leave is a release: whoever sees the bit
 * cleared sees all that the hook wrote, and the hook reads nothing any more. (ftrace and kprobes
 * ensure, at unregistering, that no CPU is about to enter a hook whose code goes away.)
 */
#ifndef _KCATCH_GUARD_H
#define _KCATCH_GUARD_H

#include <linux/bitops.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <uapi/kcatch.h>
#include "core/assert.h"
#include "core/guard_word.h"

/* Contexts that can be inside a hook of one CPU at once. */
#define KCATCH_LEVELS		5
#define KCATCH_LEVEL_EXTRA	4
#define KCATCH_LEVEL_REFUSED	(-1)

/**
 * struct kcatch_guard - one execution of a hook
 * @level: 0..KCATCH_LEVELS - 1, or KCATCH_LEVEL_REFUSED; index of scratch space
 * @context: KCATCH_CONTEXT_* of the preempt count
 * @busy: kcatch_busy of this CPU before the hook entered
 */
struct kcatch_guard {
	int level;
	u32 context;
	u32 busy;
};

DECLARE_PER_CPU(u32, kcatch_busy);

/* On PREEMPT_RT, threads serve softirqs and count them per task. Hooks run with preemption
 * off, so no softirq enters a hook of another context: the bits of the busy word nest as
 * elsewhere. */
static __always_inline u32 kcatch_context_of_thread(void)
{
#ifdef CONFIG_PREEMPT_RT
	if (current->softirq_disable_cnt & SOFTIRQ_OFFSET)
		return KCATCH_CONTEXT_SOFTIRQ;
#endif
	return KCATCH_CONTEXT_TASK;
}

/** kcatch_context_of() - KCATCH_CONTEXT_* of a preempt count */
static __always_inline u32 kcatch_context_of(unsigned long count)
{
	if (likely(!(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET))))
		return kcatch_context_of_thread();
	if (count & NMI_MASK)
		return KCATCH_CONTEXT_NMI;
	return count & HARDIRQ_MASK ? KCATCH_CONTEXT_HARDIRQ : KCATCH_CONTEXT_SOFTIRQ;
}

/**
 * kcatch_guard_enter() - enter a hook
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

/* Since 7.3 a preempt count may be too small for the nesting of NMIs, which is elsewhere then: not
 * on x86, where such kernels always count preemption. */
static_assert(NMI_BITS > 1);

/**
 * kcatch_count_below_exception() - the preempt count of what an exception interrupted
 * @count: the present one: the exception, of a breakpoint or watchpoint, counts as an NMI
 */
static __always_inline unsigned long kcatch_count_below_exception(unsigned long count)
{
	return count & NMI_MASK ? count - NMI_OFFSET - HARDIRQ_OFFSET : count;
}

/**
 * kcatch_guard_enter_kprobe() - kcatch_guard_enter() in the handler of a kprobe
 *
 * The context is that of what was hit. One that is inside a hook has called the probed code
 * itself: it is refused.
 */
static __always_inline void kcatch_guard_enter_kprobe(struct kcatch_guard *guard,
						      const struct kprobe *kprobe)
{
	unsigned long count = preempt_count();

	if (!(kprobe->flags & KPROBE_FLAG_FTRACE))
		count = kcatch_count_below_exception(count);
	kcatch_guard_enter(guard);
	guard->context = kcatch_context_of(count);
	if (guard->busy & (1U << guard->context))
		guard->level = KCATCH_LEVEL_REFUSED;
}

/* Is anything but a task running here, or any hook? */
static __always_inline bool kcatch_guard_is_odd(void)
{
	return kcatch_guard_any(preempt_count() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET),
				kcatch_busy);
}

/**
 * kcatch_guard_enter_off() - enter a hook, if no other runs on this CPU, as nearly always
 * @context: out: KCATCH_CONTEXT_*, which is also the level
 *
 * It takes the fewest instructions: kcatch_busy was 0, and is again after
 * kcatch_guard_leave_fast(0).
 *
 * Context: any, preemption off.
 * Return: true; false: not entered: kcatch_guard_enter_behind() may
 */
static __always_inline bool kcatch_guard_enter_off(u32 *context)
{
	u32 count;

	/* Constants: kcatch_context_of() of all would be computed. */
	if (likely(!kcatch_guard_is_odd())) {
		*context = kcatch_context_of_thread();
		this_cpu_write(kcatch_busy, 1U << *context);
		barrier();
		return true;
	}
	if (this_cpu_read(kcatch_busy))
		return false;
	count = preempt_count();
	*context = KCATCH_CONTEXT_SOFTIRQ;
	if (unlikely(count & (NMI_MASK | HARDIRQ_MASK)))
		*context = kcatch_context_of(count);
	this_cpu_write(kcatch_busy, 1U << *context);
	barrier();
	return true;
}

/** kcatch_guard_enter_alone() - kcatch_guard_enter_off() in any context. Preemption is off
 * afterwards, entered or not */
static __always_inline bool kcatch_guard_enter_alone(u32 *context)
{
	preempt_disable_notrace();
	return kcatch_guard_enter_off(context);
}

/** kcatch_guard_enter_behind() - kcatch_guard_enter_fast() with preemption off already */
static __always_inline bool kcatch_guard_enter_behind(u32 *context, u32 *busy)
{
	*context = kcatch_context_of(preempt_count());
	*busy = this_cpu_read(kcatch_busy);
	if (unlikely(*busy & (1U << *context)))
		return false;
	this_cpu_write(kcatch_busy, *busy | (1U << *context));
	barrier();
	return true;
}

/**
 * kcatch_guard_enter_fast() - enter a hook that is not nested, in fewer registers
 * @context: out: KCATCH_CONTEXT_*, which is also the level
 * @busy: out: argument of kcatch_guard_leave_fast()
 *
 * Context: any. Preemption is off afterwards in both cases.
 * Return: true; false: not entered, because this hit is inside our own work
 */
static __always_inline bool kcatch_guard_enter_fast(u32 *context, u32 *busy)
{
	preempt_disable_notrace();
	return kcatch_guard_enter_behind(context, busy);
}

/* Hooks that interrupted this one have restored the word: it differs from @busy, what it was
 * before, by the one bit of this hook; by none, if this hook was refused. */
static __always_inline void kcatch_guard_assert_leave(u32 busy)
{
	kcatch_assert(!preemptible() && (this_cpu_read(kcatch_busy) & busy) == busy &&
		      hweight32(this_cpu_read(kcatch_busy) ^ busy) <= 1);
}

/* Leaves what kcatch_guard_enter_off() entered. */
static __always_inline void kcatch_guard_leave_off(void)
{
	kcatch_guard_assert_leave(0);
	kcatch_guard_release(kcatch_busy, 0);
}

static __always_inline void kcatch_guard_leave_fast(u32 busy)
{
	kcatch_guard_assert_leave(busy);
	kcatch_guard_release(kcatch_busy, busy);
	preempt_enable_notrace();
}

/**
 * kcatch_guard_leave() - leave a hook; hooks that interrupted it have left before
 * @guard: from kcatch_guard_enter()
 *
 * Context: as kcatch_guard_enter().
 */
static __always_inline void kcatch_guard_leave(const struct kcatch_guard *guard)
{
	kcatch_guard_assert_leave(guard->busy);
	kcatch_guard_release(kcatch_busy, guard->busy);
	preempt_enable_notrace();
}

/* Bit of a reader that is no hook (kcatch_outside_enter()); kcatch_quiesce() waits for it. */
#define KCATCH_BUSY_OUTSIDE	(1U << KCATCH_LEVELS)

/**
 * kcatch_outside_enter() - read, outside of a hook, the data that hooks read
 *
 * Context: any. Preemption is off until kcatch_outside_leave(). Hooks run
 * meanwhile. Return: argument of kcatch_outside_leave()
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
	kcatch_guard_release(kcatch_busy, busy);
	preempt_enable_notrace();
}

/**
 * kcatch_guard_held() - is this CPU in a hook or between kcatch_outside_enter() and _leave()?
 *
 * For assertions: the data that hooks read may be read then, as kcatch_quiesce() waits.
 *
 * Context: any.
 */
static __always_inline bool kcatch_guard_held(void)
{
	return this_cpu_read(kcatch_busy);
}

/**
 * kcatch_quiesce() - wait until every hook that was running has left
 *
 * After it returns, no hook sees data that was unpublished before the call. It takes the time
 * of an interrupt to all CPUs, not of an RCU grace period. If a CPU does not answer because
 * it spins with interrupts off, the caller sleeps until it does.
 *
 * Context: may sleep.
 */
void kcatch_quiesce(void);

/**
 * kcatch_guard_init() - be told of hooks that never leave
 * @lost: called for this CPU's hooks, when a bit was found that no running hook can have set;
 *	interrupts are off
 *
 * Context: while the module is loaded.
 */
void kcatch_guard_init(void (*lost)(void));

/**
 * kcatch_guard_look() - ask CPUs that are in a hook whether it will ever leave, once a second
 *
 * Where nobody waits in kcatch_quiesce(), a hook that never leaves is found so. Until then calls in
 * its context on that CPU are taken for its own.
 *
 * Context: may sleep. What is found is told to kcatch_guard_init()'s @lost a moment later.
 */
void kcatch_guard_look(void);

/** kcatch_guard_exit() - end what kcatch_quiesce() began. Context: may sleep; nobody waits */
void kcatch_guard_exit(void);

/**
 * kcatch_cpus_answer() - does every CPU take interrupts?
 * @limit: longest wait in jiffies, or MAX_SCHEDULE_TIMEOUT
 * @state: TASK_KILLABLE, or TASK_IDLE for a wait that no signal ends
 *
 * A change of what is hooked interrupts all CPUs while it holds locks. If one of them spins
 * with interrupts off, the change waits for it, and everybody who needs the locks waits
 * too. So whoever is about to make a change asks first, holding no lock.
 *
 * Context: may sleep.
 * Return: 0; -ETIMEDOUT: a CPU has not answered; -EINTR: killed
 */
int kcatch_cpus_answer(long limit, unsigned int state);

/**
 * kcatch_cpus_schedule() - does every CPU take interrupts, and end what cannot be preempted?
 * @limit: as for kcatch_cpus_answer()
 * @state: as for kcatch_cpus_answer()
 *
 * Hooks of kprobes, tracepoints and returns are gone only after a grace period of RCU, for which
 * the kernel waits while we hold locks. It does not end while a CPU spins with preemption off. So
 * whoever is about to remove such hooks asks first, holding no lock.
 *
 * Context: may sleep, at least for a grace period.
 * Return: 0; -ETIMEDOUT: a CPU has not; -EINTR: killed
 */
int kcatch_cpus_schedule(long limit, unsigned int state);

/**
 * kcatch_tracepoints_leave() - kcatch_cpus_schedule(), and is what was called at tracepoints left?
 * @limit: as for kcatch_cpus_answer()
 * @state: as for kcatch_cpus_answer()
 *
 * On 6.1 and 6.12, what is called at a tracepoint cannot be preempted: kcatch_cpus_schedule() waits
 * for it. On 7.2 and 7.3 it can, and where programs of BPF may fault it can sleep for as long as a
 * file system does not answer. To remove a hook from a tracepoint waits for all of them, also for
 * those of others. So whoever is about to do that asks first, holding no lock.
 *
 * Context: may sleep, at least for a grace period of each kind.
 * Return: 0; -ETIMEDOUT: something has not left, or a CPU does not schedule; -EINTR: killed
 */
int kcatch_tracepoints_leave(long limit, unsigned int state);

/* How long a change that a process asked for waits for the CPUs, in jiffies. */
#define KCATCH_ANSWER_LIMIT	(10 * HZ)

#endif
