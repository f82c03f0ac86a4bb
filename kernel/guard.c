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
#ifdef KCATCH_HAVE_TRACEPOINTS_SLEEP
#include <linux/rcupdate_trace.h>
#include <linux/srcu.h>
#include <linux/tracepoint.h>
#endif
#include "guard.h"

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

static void pass(void *data)
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
static void relax(unsigned int *tries)
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

		INIT_CSD(&fence->call, pass, fence);
		WRITE_ONCE(fence->asked, true);
		/* It has been answered, so it is free; and the CPU stays online. */
		if (smp_call_function_single_async(cpu, &fence->call))
			WRITE_ONCE(fence->asked, false);
	}
	for_each_online_cpu(cpu)
		while (smp_load_acquire(&per_cpu(fences, cpu).asked))
			relax(&tries);
}

/*
 * A hook sets its bit and then loads the published pointers, without a barrier
 * between, for that would cost every hit. The interrupt puts the barrier there
 * from outside: after it, a CPU whose word is 0 has no hook that began before.
 * (An NMI that was inside a hook while the interrupt waited still shows its
 * bit, and is waited for.) A refused hook sets no bit, but runs inside one
 * that did.
 */
void kcatch_quiesce(void)
{
	unsigned int tries;
	int cpu;

	/* A CPU that comes or goes would run hooks without being fenced. */
	cpus_read_lock();
	mutex_lock(&fences_lock);
	smp_mb();
	fence_all();
	mutex_unlock(&fences_lock);
	for_each_possible_cpu(cpu)
		for (tries = 0; READ_ONCE(per_cpu(kcatch_busy, cpu));)
			relax(&tries);
	smp_mb();
	cpus_read_unlock();
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

static void answer(void *data)
{
	struct question *question = data;

	/* In this order: who still sees it asked, and so does not ask again, has read the count
	 * before it changes. */
	atomic_set(&question->asked, 0);
	smp_mb__before_atomic();
	atomic_inc(&question->answers);
}

static void ask(struct question *question, int cpu)
{
	if (atomic_xchg(&question->asked, 1))
		return;		/* the answer to another one will do */
	INIT_CSD(&question->call, answer, question);
	if (smp_call_function_single_async(cpu, &question->call))
		atomic_set_release(&question->asked, 0);	/* it went offline */
}

/* Since there were @answers. No interrupt is on its way then, for the module may go next. */
static bool is_answered(struct question *question, int answers)
{
	return atomic_read_acquire(&question->answers) != answers &&
	       !atomic_read(&question->asked);
}

/* Like relax(), but the sleep ends with a signal that @state lets through. */
static void relax_in(unsigned int *tries, unsigned int state)
{
	if (*tries < 2048) {
		relax(tries);
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
			ask(question, cpu);
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
