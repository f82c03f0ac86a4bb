// SPDX-License-Identifier: GPL-2.0-only
/*
 * faults.c - the kernel in trouble, as often as the test likes
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/panic.h>
#include <linux/preempt.h>

#include "kcatch_test.h"

int kt_before_fault(int number);
int kt_after_fault(int number);

KT_FUNCTION int kt_before_fault(int number)
{
	barrier();
	return number;
}

KT_FUNCTION int kt_after_fault(int number)
{
	barrier();
	return number + 1;
}

int kt_fault_before(int number)
{
	int i;

	for (i = 0; i < number; i++)
		kt_before_fault(i);
	return 0;
}

int kt_fault_after(int number)
{
	int i;

	for (i = 0; i < number; i++)
		kt_after_fault(i);
	return 0;
}

static DECLARE_COMPLETION(about_to_die);
static int calls_before;

static int dereference_null(void *unused)
{
	kt_fault_before(calls_before);
	complete(&about_to_die);
	*(volatile int *)8 = 1;
	return 0;
}

static struct task_struct *stuck;	/* made by "lock" or "hang" */
static bool released;
static DECLARE_COMPLETION(let_go);

static int lock_up(void *unused)
{
	preempt_disable();
	while (!READ_ONCE(released))
		cpu_relax();
	preempt_enable();
	wait_for_completion(&let_go);
	return 0;
}

static int hang(void *unused)
{
	wait_for_completion(&let_go);	/* in D state */
	return 0;
}

static int make_stuck(int (*function)(void *), const char *name, int cpu)
{
	if (stuck)
		return -EBUSY;
	reinit_completion(&let_go);
	WRITE_ONCE(released, false);
	stuck = kthread_create(function, NULL, name);
	if (IS_ERR(stuck)) {
		int error = PTR_ERR(stuck);

		stuck = NULL;
		return error;
	}
	get_task_struct(stuck);
	if (cpu >= 0)
		kthread_bind(stuck, cpu);
	wake_up_process(stuck);
	return 0;
}

/* Processor NUMBER schedules nothing any more until "release". */
int kt_fault_lock(int cpu)
{
	return cpu_online(cpu) ? make_stuck(lock_up, "kt_lock", cpu) : -EINVAL;
}

/* A thread waits in D state until "release". */
int kt_fault_hang(int unused)
{
	return make_stuck(hang, "kt_hang", -1);
}

int kt_fault_release(int unused)
{
	if (!stuck)
		return 0;
	WRITE_ONCE(released, true);
	complete(&let_go);
	while (!(READ_ONCE(stuck->flags) & PF_EXITING))
		msleep(1);
	put_task_struct(stuck);
	stuck = NULL;
	return 0;
}

/* NUMBER calls, a warning, and as many calls again. */
int kt_fault_warn(int number)
{
	kt_fault_before(number);
	WARN(1, "kcatch_test: a warning on purpose\n");
	return kt_fault_after(number);
}

/* NUMBER calls in a thread that then follows a null pointer; as many calls after it. */
int kt_fault_oops(int number)
{
	struct task_struct *thread;

	calls_before = number;
	reinit_completion(&about_to_die);
	thread = kthread_create(dereference_null, NULL, "kt_oops");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	get_task_struct(thread);
	wake_up_process(thread);
	wait_for_completion(&about_to_die);
	while (!(READ_ONCE(thread->flags) & PF_EXITING))
		msleep(1);
	put_task_struct(thread);
	return kt_fault_after(number);
}

int kt_fault_panic(int number)
{
	kt_fault_before(number);
	panic("kcatch_test: on purpose");
}
