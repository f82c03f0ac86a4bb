// SPDX-License-Identifier: GPL-2.0-only
/*
 * contexts.c - runs a call in process, softirq, hard interrupt, NMI, ... context
 *
 * One order at a time (main.c's lock), so what is passed to a handler is static.
 * Each run returns after its handler did: nothing is left for a module unload
 * to wait for, but for the last instructions of a handler, which the grace
 * period of kt_contexts_exit() covers (handlers of interrupts are RCU readers).
 */
#include <linux/completion.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#ifdef CONFIG_X86
#include <asm/apic.h>
#include <asm/msr.h>
#include <asm/nmi.h>
#include <asm/tsc.h>
#endif

#include "kcatch_test.h"

#define NMI_SECONDS 10

int kt_in_process(const struct kt_call *call);
int kt_in_irqs_off(const struct kt_call *call);
void kt_in_softirq(unsigned long unused);
void kt_in_timer(struct timer_list *timer);
void kt_in_hardirq(struct irq_work *work);
void kt_in_workqueue(struct work_struct *work);
int kt_in_kthread(void *unused);
int kt_in_nmi(unsigned int type, struct pt_regs *regs);
int kt_nmi_wait(void);

static const struct kt_call *pending;
static DECLARE_COMPLETION(done);

static int pending_wait(void)
{
	wait_for_completion(&done);
	return 0;
}

KT_FUNCTION int kt_in_process(const struct kt_call *call)
{
	kt_shape_call(call);
	return 0;
}

KT_FUNCTION int kt_in_irqs_off(const struct kt_call *call)
{
	unsigned long flags;

	local_irq_save(flags);
	kt_shape_call(call);
	local_irq_restore(flags);
	return 0;
}

/* A softirq on top of this very task: raised with softirqs held back, it runs
 * when they are let go, on the CPU's interrupt stack. */
KT_FUNCTION void kt_in_softirq(unsigned long unused)
{
	kt_shape_call(pending);
	complete(&done);
}

static DECLARE_TASKLET_OLD(tasklet, kt_in_softirq);

static int run_in_softirq(const struct kt_call *call)
{
	pending = call;
	local_bh_disable();
	tasklet_schedule(&tasklet);
	local_bh_enable();
	return pending_wait();
}

KT_FUNCTION void kt_in_timer(struct timer_list *timer)
{
	kt_shape_call(pending);
	complete(&done);
}

static DEFINE_TIMER(timer, kt_in_timer);

static int run_in_timer(const struct kt_call *call)
{
	pending = call;
	mod_timer(&timer, jiffies + 2);
	return pending_wait();
}

KT_FUNCTION void kt_in_hardirq(struct irq_work *work)
{
	kt_shape_call(pending);
	complete(&done);
}

/* In the interrupt itself, also where a kernel for real time has a thread for it. */
static struct irq_work hardirq = IRQ_WORK_INIT_HARD(kt_in_hardirq);

static int run_in_hardirq(const struct kt_call *call)
{
	pending = call;
	irq_work_queue(&hardirq);
	return pending_wait();
}

KT_FUNCTION void kt_in_workqueue(struct work_struct *work)
{
	kt_shape_call(pending);
	barrier();	/* or the call would be a jump */
}

static DECLARE_WORK(work, kt_in_workqueue);

static int run_in_workqueue(const struct kt_call *call)
{
	pending = call;
	schedule_work(&work);
	flush_work(&work);
	return 0;
}

KT_FUNCTION int kt_in_kthread(void *unused)
{
	kt_shape_call(pending);
	complete(&done);
	/* The module must not go before this thread is out of it: kthread_stop()
	 * waits for that. */
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static int run_in_kthread(const struct kt_call *call)
{
	struct task_struct *thread;

	pending = call;
	thread = kthread_create(kt_in_kthread, NULL, "kt_thread");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	get_task_struct(thread);
	wake_up_process(thread);
	pending_wait();
	kthread_stop(thread);
	put_task_struct(thread);
	return 0;
}

#ifdef CONFIG_X86
/*
 * An NMI that comes while this CPU is in kt_nmi_wait(): another CPU sends it, and no
 * sooner than this one waits there. An NMI of somebody else is not the one to catch,
 * as its stack would be a matter of luck; nor is one that came into an interrupt of this CPU,
 * after which another one is sent.
 */
#define NMI_WAIT_SIZE 128	/* bytes of kt_nmi_wait(), at least */
#define NMI_AGAIN 100	/* milliseconds */

static int nmi_cpu = -1;
static bool nmi_awaited;
static bool nmi_seen;
static bool nmi_sent;	/* the sender is done */

KT_FUNCTION int kt_in_nmi(unsigned int type, struct pt_regs *regs)
{
	int handled = NMI_DONE;

	if (READ_ONCE(nmi_cpu) == raw_smp_processor_id() && !READ_ONCE(nmi_seen) &&
	    regs->ip - (unsigned long)kt_nmi_wait < NMI_WAIT_SIZE) {
		kt_shape_call(pending);
		WRITE_ONCE(nmi_seen, true);
		handled = NMI_HANDLED;
	}
	kt_hammer_nmi();
	return handled;
}

static u64 nmi_end(void)
{
	return rdtsc() + (u64)tsc_khz * 1000 * NMI_SECONDS;
}

static void nmi_send(void *unused)
{
	u64 end = nmi_end();

	while (!READ_ONCE(nmi_awaited) && rdtsc() < end)
		cpu_relax();
	while (!READ_ONCE(nmi_seen) && rdtsc() < end) {
		u64 again = rdtsc() + (u64)tsc_khz * NMI_AGAIN;

		apic->send_IPI_mask(cpumask_of(READ_ONCE(nmi_cpu)), NMI_VECTOR);
		while (!READ_ONCE(nmi_seen) && rdtsc() < again)
			cpu_relax();
	}
	WRITE_ONCE(nmi_sent, true);
}

KT_FUNCTION int kt_nmi_wait(void)
{
	u64 end = nmi_end();

	WRITE_ONCE(nmi_awaited, true);
	while (!READ_ONCE(nmi_seen) && rdtsc() < end)
		cpu_relax();
	return READ_ONCE(nmi_seen) ? 0 : -ETIMEDOUT;
}

static int run_in_nmi(const struct kt_call *call)
{
	int cpu = get_cpu();
	unsigned int other = cpumask_any_but(cpu_online_mask, cpu);
	int result = -ENODEV;

	pending = call;
	nmi_seen = nmi_awaited = nmi_sent = false;
	WRITE_ONCE(nmi_cpu, cpu);
	if (other < nr_cpu_ids)
		result = smp_call_function_single(other, nmi_send, NULL, 0);
	if (!result) {
		result = kt_nmi_wait();
		while (!READ_ONCE(nmi_sent))
			cpu_relax();
	}
	WRITE_ONCE(nmi_cpu, -1);
	put_cpu();
	return result;
}

static int contexts_nmi_init(void)
{
	return register_nmi_handler(NMI_LOCAL, kt_in_nmi, NMI_FLAG_FIRST, "kcatch_test");
}

static void contexts_nmi_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, "kcatch_test");
}
#else
static int run_in_nmi(const struct kt_call *call)
{
	return -EOPNOTSUPP;
}

static int contexts_nmi_init(void)
{
	return 0;
}

static void contexts_nmi_exit(void)
{
}
#endif

static const struct kt_context contexts[] = {
	{ "process", kt_in_process },
	{ "irqs-off", kt_in_irqs_off },
	{ "softirq", run_in_softirq },
	{ "timer", run_in_timer },
	{ "hardirq", run_in_hardirq },
	{ "workqueue", run_in_workqueue },
	{ "kthread", run_in_kthread },
	{ "nmi", run_in_nmi },
};

const struct kt_context *kt_context_find(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(contexts); i++)
		if (!strcmp(contexts[i].name, name))
			return &contexts[i];
	return NULL;
}

int kt_contexts_init(void)
{
	return contexts_nmi_init();
}

void kt_contexts_exit(void)
{
	contexts_nmi_exit();
	irq_work_sync(&hardirq);
	tasklet_kill(&tasklet);
	synchronize_rcu();
}
