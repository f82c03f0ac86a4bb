// SPDX-License-Identifier: GPL-2.0-only
/*
 * lockup - a kernel thread that counts to ten and then spins for ever, so that its CPU
 * schedules nothing any more: the machine that hangs, made on purpose
 *
 *   cpus=N         so many CPUs, from the last one down (default 1). All of them bring
 *                  the machine down, unless stop_after is given
 *   irqs_off=1     spin with interrupts off (default 0)
 *   step_ms=N      from one number to the next (default 1000)
 *   hold=1         count only when 0 has been written to the parameter: the end of insmod
 *                  waits for all CPUs, so it has to come before the spinning, however slow
 *                  the machine is
 *   stop_after=N   give up after N seconds (default 0: never). A test that wants its
 *                  machine back says so, and writes 1 to the parameter stop when it has
 *                  seen what it came for
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/nmi.h>
#include <linux/sched.h>
#ifdef CONFIG_X86
#include <asm/tsc.h>
#define ticks()		rdtsc()
#define ticks_khz()	tsc_khz
#else
#include <clocksource/arm_arch_timer.h>
#define ticks()		__arch_counter_get_cntvct()
#define ticks_khz()	(arch_timer_get_cntfrq() / 1000)
#endif

static unsigned int cpus = 1;
module_param(cpus, uint, 0444);
MODULE_PARM_DESC(cpus, "CPUs that lock up");
static bool irqs_off;
module_param(irqs_off, bool, 0444);
MODULE_PARM_DESC(irqs_off, "spin with interrupts off");
static unsigned int step_ms = 1000;
module_param(step_ms, uint, 0444);
MODULE_PARM_DESC(step_ms, "milliseconds from one number to the next");
static unsigned int stop_after;
module_param(stop_after, uint, 0444);
MODULE_PARM_DESC(stop_after, "give up after so many seconds; 0: never");
static bool hold;
module_param(hold, bool, 0644);
MODULE_PARM_DESC(hold, "do not count before 0 has been written to it");
static bool stop;
module_param(stop, bool, 0644);
MODULE_PARM_DESC(stop, "to be written: 1 ends the spinning");
static unsigned int spinning;
module_param(spinning, uint, 0444);
MODULE_PARM_DESC(spinning, "to be read: CPUs that spin now");
static unsigned int begun;
module_param(begun, uint, 0444);
MODULE_PARM_DESC(begun, "to be read: CPUs that spin or have spun");

static int pid;
module_param(pid, int, 0444);
MODULE_PARM_DESC(pid, "to be read: the thread on the last CPU");

static struct task_struct *threads[NR_CPUS];
static DEFINE_SPINLOCK(spinning_lock);

void lockup_spin(void);
int lockup_thread(void *unused);

static void count_spinning(int change)
{
	unsigned long flags;

	spin_lock_irqsave(&spinning_lock, flags);
	spinning += change;
	if (change > 0)
		begun++;
	spin_unlock_irqrestore(&spinning_lock, flags);
}

/* By the time stamp counter: jiffies stand still when all CPUs have interrupts off. */
__attribute__((__noipa__)) noinline void lockup_spin(void)
{
	u64 end = ticks() + (u64)ticks_khz() * 1000 * stop_after;

	count_spinning(1);
	while (!READ_ONCE(stop) && (!stop_after || ticks() < end))
		cpu_relax();
	count_spinning(-1);
}

__attribute__((__noipa__)) noinline int lockup_thread(void *unused)
{
	unsigned long flags;
	int i;

	while (READ_ONCE(hold) && !kthread_should_stop())
		schedule_timeout_interruptible(1);
	for (i = 1; i < 10 && !kthread_should_stop(); i++) {
		pr_info("lockup: cpu %d counts %d\n", raw_smp_processor_id(), i);
		msleep(step_ms);
	}
	if (!kthread_should_stop()) {
		pr_info("lockup: cpu %d counts 10 and spins, interrupts %s\n",
			raw_smp_processor_id(), irqs_off ? "off" : "on");
		preempt_disable();
		if (irqs_off)
			local_irq_save(flags);
		lockup_spin();
		/* What it did on purpose is no case for the watchdog. */
		touch_softlockup_watchdog();
		if (irqs_off)
			local_irq_restore(flags);
		preempt_enable();
	}
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ);
	return 0;
}

static void stop_all(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (!threads[cpu])
			continue;
		kthread_stop(threads[cpu]);
		put_task_struct(threads[cpu]);
	}
}

static int __init lockup_init(void)
{
	struct task_struct *thread;
	unsigned int cpu, left = cpus;

	for (cpu = nr_cpu_ids; cpu-- > 0 && left;) {
		if (!cpu_online(cpu))
			continue;
		thread = kthread_create(lockup_thread, NULL, "lockup/%u", cpu);
		if (IS_ERR(thread)) {
			stop_all();
			return PTR_ERR(thread);
		}
		kthread_bind(thread, cpu);
		get_task_struct(thread);
		threads[cpu] = thread;
		if (!pid)
			pid = thread->pid;
		left--;
	}
	for_each_possible_cpu(cpu)
		if (threads[cpu])
			wake_up_process(threads[cpu]);
	return 0;
}

/* Waits for ever where it spins for ever. */
static void __exit lockup_exit(void)
{
	stop_all();
}

module_init(lockup_init);
module_exit(lockup_exit);
MODULE_DESCRIPTION("kcatch test: CPUs that schedule nothing any more");
MODULE_LICENSE("GPL");
