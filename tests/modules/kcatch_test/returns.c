// SPDX-License-Identifier: GPL-2.0-only
/*
 * returns.c - calls whose returns can be told apart, and the module's own sums
 *
 * On two CPUs a thread calls kt_nest(), which calls itself and kt_leaf(): what each
 * returns follows from its two arguments alone, so a return that was put to a wrong
 * call shows. Both count their calls and add up arguments and return values, in
 * plain counters of the CPU that the thread is bound to.
 *
 * And calls that do not return in time: one that sleeps, and one in which its thread
 * ends.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "kcatch_test.h"

#define DEPTHS 12	/* outermost calls are 0 .. DEPTHS - 1 deep */
#define PAUSE 2048	/* calls from one rest for the reader to the next */
#define THREADS 2
#define DEATH_JIFFIES (60 * HZ)

struct sums {
	u64 calls, args, returns, odd;
};

struct nest {
	struct sums nest, leaf;
	struct task_struct *thread;
};

static DEFINE_PER_CPU(struct nest, nests);
static u64 nest_calls;
static struct task_struct *late_thread;
static DECLARE_COMPLETION(late_inside);
static DECLARE_COMPLETION(late_over);
static u64 late_returned;

u64 kt_nest(u64 depth, u64 value);
u64 kt_leaf(u64 depth, u64 value);
u64 kt_late(u64 number, u64 value);
u64 kt_dies(struct completion *done, u64 value);

static void add(struct sums *sums, u64 depth, u64 value, u64 result)
{
	sums->calls++;
	sums->args += depth + value;
	sums->returns += result;
	sums->odd += result & 1;
}

KT_FUNCTION u64 kt_leaf(u64 depth, u64 value)
{
	u64 result = (depth * 7 + 13) ^ value;

	add(this_cpu_ptr(&nests.leaf), depth, value, result);
	return result;
}

KT_FUNCTION u64 kt_nest(u64 depth, u64 value)
{
	u64 result = value ^ 0x5a;

	if (depth)
		result = kt_nest(depth - 1, value * 5 + 1) + kt_leaf(depth, value);
	add(this_cpu_ptr(&nests.nest), depth, value, result);
	return result;
}

static int stay_until_stopped(void)
{
	/* kthread_stop() waits until this thread is out of the module */
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static int nest_thread(void *data)
{
	struct nest *nest = data;
	u64 value = raw_smp_processor_id() + 1, next = PAUSE;

	while (nest->nest.calls + nest->leaf.calls < nest_calls) {
		kt_nest(value % DEPTHS, value << 8);
		value++;
		if (nest->nest.calls + nest->leaf.calls >= next) {
			next += PAUSE;
			schedule_timeout_uninterruptible(1);
		}
	}
	return stay_until_stopped();
}

/* About @calls calls on each of two CPUs. */
int kt_returns_nest(int calls)
{
	int cpu, result = 0, count = 0;

	nest_calls = calls;
	for_each_possible_cpu(cpu)
		memset(&per_cpu(nests, cpu), 0, sizeof(struct nest));
	for_each_online_cpu(cpu) {
		struct nest *nest = &per_cpu(nests, cpu);
		struct task_struct *thread;

		if (count++ == THREADS)
			break;
		thread = kthread_create(nest_thread, nest, "kt_nest/%d", cpu);
		if (IS_ERR(thread)) {
			result = PTR_ERR(thread);
			break;
		}
		kthread_bind(thread, cpu);
		get_task_struct(thread);
		nest->thread = thread;
	}
	for_each_possible_cpu(cpu)
		if (per_cpu(nests, cpu).thread)
			wake_up_process(per_cpu(nests, cpu).thread);
	for_each_possible_cpu(cpu) {
		struct nest *nest = &per_cpu(nests, cpu);

		if (!nest->thread)
			continue;
		while (nest_calls > READ_ONCE(nest->nest.calls) + READ_ONCE(nest->leaf.calls))
			schedule_timeout_uninterruptible(1);
		kthread_stop(nest->thread);
		put_task_struct(nest->thread);
		nest->thread = NULL;
	}
	return result;
}

KT_FUNCTION u64 kt_late(u64 number, u64 value)
{
	complete(&late_inside);
	wait_for_completion(&late_over);
	return value;
}

static int late(void *number)
{
	u64 result = kt_late((unsigned long)number, 77);

	WRITE_ONCE(late_returned, result);
	return stay_until_stopped();
}

/* Begins a call, and returns while it is inside; 0: ends it, and waits until it has returned. */
int kt_returns_late(int number)
{
	struct task_struct *thread;

	if (number) {
		if (late_thread)
			return -EBUSY;
		reinit_completion(&late_inside);
		reinit_completion(&late_over);
		late_returned = 0;
		thread = kthread_create(late, (void *)(unsigned long)number, "kt_late");
		if (IS_ERR(thread))
			return PTR_ERR(thread);
		get_task_struct(thread);
		late_thread = thread;
		wake_up_process(thread);
		wait_for_completion(&late_inside);
		return 0;
	}
	if (!late_thread)
		return -ENOENT;
	complete(&late_over);
	while (!READ_ONCE(late_returned))
		schedule_timeout_uninterruptible(1);
	kthread_stop(late_thread);
	put_task_struct(late_thread);
	late_thread = NULL;
	return 0;
}

KT_FUNCTION u64 kt_dies(struct completion *done, u64 value)
{
	if (done)	/* always: a function that cannot return is no test */
		kthread_complete_and_exit(done, 0);
	return value;
}

static int dies(void *done)
{
	return kt_dies(done, 0) + KT_STAY;
}

/* So many threads, one after the other, that end inside kt_dies(). */
int kt_returns_die(int threads)
{
	DECLARE_COMPLETION_ONSTACK(done);
	int tries __maybe_unused;

	while (threads-- > 0) {
		struct task_struct *thread;

		reinit_completion(&done);
		thread = kthread_create(dies, &done, "kt_dies");
		if (IS_ERR(thread))
			return PTR_ERR(thread);
		get_task_struct(thread);
		wake_up_process(thread);
		wait_for_completion(&done);
		/* Off its CPU for good, and what it had under way is put back. */
		while (!READ_ONCE(thread->exit_state))
			schedule_timeout_uninterruptible(1);
#ifdef CONFIG_RETHOOK
		/* The kernel does so a grace period later. */
		for (tries = 0; READ_ONCE(thread->rethooks.first) && tries < DEATH_JIFFIES; tries++)
			schedule_timeout_uninterruptible(1);
#endif
		put_task_struct(thread);
	}
	rcu_barrier();
	return 0;
}

static void show(struct seq_file *file, const char *name, const struct sums *sums)
{
	seq_printf(file, "%s.calls %llu\n", name, sums->calls);
	seq_printf(file, "%s.args %llu\n", name, sums->args);
	seq_printf(file, "%s.returns %llu\n", name, sums->returns);
	seq_printf(file, "%s.odd %llu\n", name, sums->odd);
}

static void sum(struct sums *sums, const struct sums *more)
{
	sums->calls += more->calls;
	sums->args += more->args;
	sums->returns += more->returns;
	sums->odd += more->odd;
}

void kt_returns_show(struct seq_file *file)
{
	struct sums nest = {}, leaf = {};
	int cpu;

	for_each_possible_cpu(cpu) {
		sum(&nest, &per_cpu(nests, cpu).nest);
		sum(&leaf, &per_cpu(nests, cpu).leaf);
	}
	show(file, "nest", &nest);
	show(file, "leaf", &leaf);
	seq_printf(file, "late.returned %llu\n", READ_ONCE(late_returned));
}

/* A late call that nobody waited for. */
void kt_returns_exit(void)
{
	if (late_thread)
		kt_returns_late(0);
}
