// SPDX-License-Identifier: GPL-2.0-only
/*
 * hammer.c - calls one function very often, and counts on its own
 *
 * On each online CPU a thread calls kt_hammered(). Every so often it sends an
 * interrupt to itself or to the next CPU, whose handler calls kt_hammered() too and
 * raises a tasklet that does the same; and so does each NMI that comes meanwhile (of
 * sysrq-l, say): so calls nest, and nobody can foresee where. The
 * caller counts, not the function, in plain per-CPU counters of its context, and passes
 * which one this is: its context (0 process, 1 softirq, 2 hardirq, 3 NMI) above, its number
 * from 0 on in the low 28 bits.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "kcatch_test.h"

#define EVERY 32	/* calls of a thread from one interrupt of another CPU to the next */
#define EVERY_OWN 10	/* the same for its own CPU */
#define NESTED 3	/* calls of a handler */

struct hammer {
	u64 process, softirq, hardirq, nmi;
	call_single_data_t call;
	struct irq_work own;
	bool hammering;
	struct tasklet_struct tasklet;
	struct task_struct *thread;
};

static DEFINE_PER_CPU(struct hammer, hammers);
static int hammer_calls;
static atomic_t hammer_running;
static DECLARE_COMPLETION(hammer_done);

int kt_hammered(int number);

KT_FUNCTION int kt_hammered(int number)
{
	barrier();
	return number;
}

static void hammer_softirq(struct tasklet_struct *tasklet)
{
	struct hammer *hammer = this_cpu_ptr(&hammers);
	int i;

	for (i = 0; i < NESTED; i++) {
		kt_hammered(1 << 28 | hammer->softirq);
		hammer->softirq++;
	}
}

static void hammer_hardirq(void *unused)
{
	struct hammer *hammer = this_cpu_ptr(&hammers);
	int i;

	for (i = 0; i < NESTED; i++) {
		kt_hammered(2 << 28 | hammer->hardirq);
		hammer->hardirq++;
	}
	/* An idle CPU makes the calls of others without an interrupt, where a kernel for real
	 * time wants no softirq raised. */
	if (!IS_ENABLED(CONFIG_PREEMPT_RT) || in_hardirq())
		tasklet_schedule(&hammer->tasklet);
}

static void hammer_own(struct irq_work *work)
{
	hammer_hardirq(NULL);
}

/* No call in an NMI but while the hammer is at work: then nothing else is counted. */
void kt_hammer_nmi(void)
{
	struct hammer *hammer = this_cpu_ptr(&hammers);
	int i;

	for (i = 0; hammer->hammering && i < NESTED; i++) {
		kt_hammered(3 << 28 | hammer->nmi);
		hammer->nmi++;
	}
}

static int hammer_process(void *data)
{
	struct hammer *hammer = data;
	int next, i;

	WRITE_ONCE(hammer->hammering, true);
	for (i = 0; i < hammer_calls; i++) {
		kt_hammered(hammer->process);
		hammer->process++;
		if (i % EVERY_OWN == EVERY_OWN - 1)
			irq_work_queue(&hammer->own);
		if (i % EVERY == EVERY - 1) {
			preempt_disable();
			next = cpumask_next(smp_processor_id(), cpu_online_mask);
			if (next >= nr_cpu_ids)
				next = cpumask_first(cpu_online_mask);
			/* EBUSY while the one before is on its way: no harm */
			smp_call_function_single_async(next, &hammer->call);
			preempt_enable();
			cond_resched();
		}
	}
	WRITE_ONCE(hammer->hammering, false);
	if (atomic_dec_and_test(&hammer_running))
		complete(&hammer_done);
	/* kthread_stop() waits until this thread is out of the module */
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static void hammer_nothing(void *unused)
{
}

static void hammer_reset(struct hammer *hammer)
{
	hammer->process = hammer->softirq = hammer->hardirq = hammer->nmi = 0;
	hammer->thread = NULL;
	hammer->own = IRQ_WORK_INIT_HARD(hammer_own);
	INIT_CSD(&hammer->call, hammer_hardirq, NULL);
	tasklet_setup(&hammer->tasklet, hammer_softirq);
}

/* CPUs that come or go meanwhile: the caller sees to it that none does. */
int kt_hammer(int calls)
{
	int cpu, result = 0;

	hammer_calls = calls;
	for_each_possible_cpu(cpu)
		hammer_reset(&per_cpu(hammers, cpu));
	atomic_set(&hammer_running, 1);
	for_each_online_cpu(cpu) {
		struct hammer *hammer = &per_cpu(hammers, cpu);
		struct task_struct *thread;

		thread = kthread_create(hammer_process, hammer, "kt_hammer/%d", cpu);
		if (IS_ERR(thread)) {
			result = PTR_ERR(thread);
			break;
		}
		kthread_bind(thread, cpu);
		get_task_struct(thread);
		hammer->thread = thread;
		atomic_inc(&hammer_running);
	}
	for_each_possible_cpu(cpu)
		if (per_cpu(hammers, cpu).thread)
			wake_up_process(per_cpu(hammers, cpu).thread);
	if (!atomic_dec_and_test(&hammer_running))
		wait_for_completion(&hammer_done);

	for_each_possible_cpu(cpu) {
		struct hammer *hammer = &per_cpu(hammers, cpu);

		if (hammer->thread) {
			kthread_stop(hammer->thread);
			put_task_struct(hammer->thread);
		}
	}
	/* After this call each CPU is at work on those before, at least: it answers the calls that
	 * are waited for first. After a grace period the interrupt that does so is over, and only
	 * then no tasklet is scheduled any more. */
	on_each_cpu(hammer_nothing, NULL, 1);
	synchronize_rcu();
	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(hammers, cpu).own);
	for_each_possible_cpu(cpu)
		tasklet_kill(&per_cpu(hammers, cpu).tasklet);
	return result;
}

void kt_hammer_show(struct seq_file *file)
{
	u64 total = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct hammer *hammer = &per_cpu(hammers, cpu);
		u64 sum = hammer->process + hammer->softirq + hammer->hardirq + hammer->nmi;

		seq_printf(file, "hammer.cpu%d %llu\n", cpu, sum);
		seq_printf(file, "hammer.cpu%d.process %llu\n", cpu, hammer->process);
		seq_printf(file, "hammer.cpu%d.softirq %llu\n", cpu, hammer->softirq);
		seq_printf(file, "hammer.cpu%d.nmi %llu\n", cpu, hammer->nmi);
		seq_printf(file, "hammer.cpu%d.hardirq %llu\n", cpu, hammer->hardirq);
		total += sum;
	}
	seq_printf(file, "hammer.total %llu\n", total);
}
