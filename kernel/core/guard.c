// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waiting for hooks to leave. Process context, sleeps; fences_lock is taken inside all
 * other locks of ours. Memory: two cache lines a CPU.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/workqueue.h>
#ifdef KCATCH_HAVE_TRACEPOINTS_SLEEP
#include <linux/rcupdate_trace.h>
#include <linux/srcu.h>
#include <linux/tracepoint.h>
#endif
#include "core/guard.h"
#include "core/robust.h"

DEFINE_PER_CPU(u32, kcatch_busy);

/**
 * struct fence - the interrupt that kcatch_quiesce() sends to one CPU
 * @call: the interrupt
 * @asked: the interrupt has not arrived yet
 */
struct fence {
	call_single_data_t call;
	bool asked;
};

static DEFINE_PER_CPU_ALIGNED(struct fence, fences);
static DEFINE_MUTEX(fences_lock);	/* one asks at a time; the innermost lock */

static void guard_pass(void *data)
{
	struct fence *fence = data;

	smp_mb();
	smp_store_release(&fence->asked, false);
}

/*
 * Most often it takes microseconds, but a CPU that spins with interrupts off takes for
 * ever: then whoever waits sleeps, and the machine can be looked at meanwhile. (The
 * kernel's on_each_cpu() would spin as well, with preemption off.)
 */
static void guard_relax(unsigned int *tries)
{
	++*tries;
	if (*tries > 2048)
		schedule_timeout_idle(1);
	else if (*tries > 1024)
		usleep_range(20, 100);
	else
		cpu_relax();
	cond_resched();
}

/* A barrier on each CPU that is online. */
static void fence_all(void)
{
	unsigned int tries = 0;
	int cpu;

	lockdep_assert_held(&fences_lock);
	for_each_online_cpu(cpu) {
		struct fence *fence = per_cpu_ptr(&fences, cpu);

		INIT_CSD(&fence->call, guard_pass, fence);
		WRITE_ONCE(fence->asked, true);
		/* It has been answered, so it is free; and the CPU stays online. */
		if (smp_call_function_single_async(cpu, &fence->call))
			WRITE_ONCE(fence->asked, false);
	}
	for_each_online_cpu(cpu)
		while (smp_load_acquire(&per_cpu(fences, cpu).asked))
			guard_relax(&tries);
}

/* ---- hooks that never leave -------------------------------------------------- */

/* How long a hook may take, in jiffies, before it is looked at; before the log tells. */
#define HOOK_LIMIT	HZ
#define HOOK_TOLD	(10 * HZ)

static DEFINE_PER_CPU(struct work_struct, lookers);
static void (*hooks_lost)(void);

/*
 * In a thread of its own on that CPU. Hooks run with preemption off and never sleep, so that none
 * of a task can be under way while another task runs here, and no interrupt is under way below a
 * task. A bit that is set was set by a context that never came back: its thread ended inside the
 * hook. (An oops there is told by the die notifier, at once: death.c.)
 */
static void guard_look(struct work_struct *work)
{
	unsigned long flags;

	local_irq_save(flags);
	if (this_cpu_read(kcatch_busy)) {
		hooks_lost();
		kcatch_guard_release(kcatch_busy, 0);
	}
	local_irq_restore(flags);
}

/* A CPU that is not online runs no hook. */
static void guard_look_at(int cpu)
{
	cpus_read_lock();
	if (cpu_online(cpu))
		schedule_work_on(cpu, per_cpu_ptr(&lookers, cpu));
	else
		smp_store_release(per_cpu_ptr(&kcatch_busy, cpu), 0);
	cpus_read_unlock();
}

/* Waits until the hooks of a CPU have left. */
static void wait_for_hooks(int cpu)
{
	unsigned long begin = jiffies, asked = begin;
	unsigned int tries = 0;
	bool told = false;
	u32 busy;

	while ((busy = READ_ONCE(per_cpu(kcatch_busy, cpu)))) {
		if (time_after(jiffies, asked + HOOK_LIMIT)) {
			guard_look_at(cpu);
			asked = jiffies;
		}
		if (!told && time_after(jiffies, begin + HOOK_TOLD)) {
			pr_warn("kcatch: %s(%d) has waited 10 s for a hook on CPU %d (contexts %#x), where no other thread gets to run\n",
				current->comm, current->pid, cpu, busy);
			told = true;
		}
		guard_relax(&tries);
	}
}

void kcatch_guard_look(void)
{
	static unsigned long looked;
	unsigned long before = READ_ONCE(looked);
	int cpu;

	if (!time_after(jiffies, before + HOOK_LIMIT) ||
	    cmpxchg(&looked, before, jiffies) != before)
		return;
	for_each_possible_cpu(cpu)
		if (READ_ONCE(per_cpu(kcatch_busy, cpu)))
			guard_look_at(cpu);
}

void kcatch_guard_init(void (*lost)(void))
{
	int cpu;

	hooks_lost = lost;
	for_each_possible_cpu(cpu)
		INIT_WORK(per_cpu_ptr(&lookers, cpu), guard_look);
	kcatch_robust_add(&fences_lock);
}

void kcatch_guard_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		cancel_work_sync(per_cpu_ptr(&lookers, cpu));
}

/*
 * A hook sets its bit and then loads the published pointers, without a barrier
 * between, for that would cost every hit. The interrupt puts the barrier there
 * from outside: after it, a CPU whose word is 0 has no hook that began before.
 * (An NMI that was inside a hook while the interrupt waited still shows its
 * bit, and is waited for.) A refused hook sets no bit, but runs inside one
 * that did.
 *
 * The last barrier pairs with the release by which a hook leaves: who frees or
 * reads what hooks used does so after them.
 */
void kcatch_quiesce(void)
{
	int cpu;

	/* A CPU that comes or goes would run hooks without being fenced. */
	cpus_read_lock();
	mutex_lock(&fences_lock);
	smp_mb();
	fence_all();
	mutex_unlock(&fences_lock);
	/* Hooks of a CPU that comes now begin after what was unpublished. */
	cpus_read_unlock();
	for_each_possible_cpu(cpu)
		wait_for_hooks(cpu);
	smp_mb();
}

/* ---- do all CPUs answer? ------------------------------------------------- */

/**
 * struct question - the interrupt by which kcatch_cpus_answer() finds a CPU alive
 * @call: the interrupt; it belongs to whoever set @asked
 * @asked: it is under way, for whoever waits for it
 * @answers: how many have arrived
 *
 * Apart from the fences, because those may be waited for under locks for ever.
 */
struct question {
	call_single_data_t call;
	atomic_t asked;
	atomic_t answers;
};

static DEFINE_PER_CPU_ALIGNED(struct question, questions);

static void guard_answer(void *data)
{
	struct question *question = data;

	/* In this order: who still sees it asked, and so does not ask again, has read the count
	 * before it changes. */
	atomic_set(&question->asked, 0);
	smp_mb__before_atomic();
	atomic_inc(&question->answers);
}

static void guard_ask(struct question *question, int cpu)
{
	if (atomic_xchg(&question->asked, 1))
		return;		/* the answer to another one will do */
	INIT_CSD(&question->call, guard_answer, question);
	if (smp_call_function_single_async(cpu, &question->call))
		atomic_set_release(&question->asked, 0);	/* it went offline */
}

/* Since there were @answers. No interrupt is on its way then, for the module may go next. */
static bool is_answered(struct question *question, int answers)
{
	return atomic_read_acquire(&question->answers) != answers &&
	       !atomic_read(&question->asked);
}

/* Like guard_relax(), but the sleep ends with a signal that @state lets through. */
static void relax_in(unsigned int *tries, unsigned int state)
{
	if (*tries < 2048) {
		guard_relax(tries);
		return;
	}
	__set_current_state(state);
	schedule_timeout(1);
}

/* Shall whoever waits since @begin give up? Else wait a little more. */
static int wait_more(unsigned long begin, long limit, unsigned int *tries, unsigned int state)
{
	if (jiffies - begin > limit)
		return -ETIMEDOUT;
	if (*tries >= 2048 && signal_pending_state(state, current))
		return -EINTR;
	relax_in(tries, state);
	return 0;
}

int kcatch_cpus_answer(long limit, unsigned int state)
{
	unsigned long begin = jiffies;
	unsigned int tries = 0;
	int cpu, error;

	for_each_online_cpu(cpu) {
		struct question *question = per_cpu_ptr(&questions, cpu);
		int answers = atomic_read(&question->answers);

		while (!is_answered(question, answers) && cpu_online(cpu)) {
			/* Each time: it may have been offline when it was asked, and be back. */
			guard_ask(question, cpu);
			error = wait_more(begin, limit, &tries, state);
			if (error)
				return error;
		}
	}
	return 0;
}

/* Expedited, as it costs each CPU another interrupt only. */
int kcatch_cpus_schedule(long limit, unsigned int state)
{
	unsigned long begin = jiffies, period;
	int error = kcatch_cpus_answer(limit, state);
	unsigned int tries = 0;

	if (error)
		return error;
	period = start_poll_synchronize_rcu_expedited();
	while (!error && !poll_state_synchronize_rcu(period))
		error = wait_more(begin, limit, &tries, state);
	return error;
}

#ifdef KCATCH_HAVE_TRACEPOINTS_SLEEP
/* Both periods at once. tracepoint_synchronize_unregister() waits for the same two. */
int kcatch_tracepoints_leave(long limit, unsigned int state)
{
	unsigned long begin = jiffies, period, sleepers;
	int error = kcatch_cpus_schedule(limit, state);
	unsigned int tries = 0;

	if (error)
		return error;
	period = start_poll_synchronize_srcu(&tracepoint_srcu);
	sleepers = start_poll_synchronize_srcu(&rcu_tasks_trace_srcu_struct);
	while (!error && !(poll_state_synchronize_srcu(&tracepoint_srcu, period) &&
			   poll_state_synchronize_srcu(&rcu_tasks_trace_srcu_struct, sleepers)))
		error = wait_more(begin, limit, &tries, state);
	return error;
}
#else
int kcatch_tracepoints_leave(long limit, unsigned int state)
{
	return kcatch_cpus_schedule(limit, state);
}
#endif
