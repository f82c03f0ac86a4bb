// SPDX-License-Identifier: GPL-2.0-only
/*
 * faults.c - the kernel in trouble, as often as the test likes
 */
#include <linux/completion.h>
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

static DECLARE_COMPLETION(about_to_die);
static int calls_before;

static int dereference_null(void *unused)
{
	int i;

	for (i = 0; i < calls_before; i++)
		kt_before_fault(i);
	complete(&about_to_die);
	*(volatile int *)8 = 1;
	return 0;
}

/* NUMBER calls, a warning, and as many calls again. */
int kt_fault_warn(int number)
{
	int i;

	for (i = 0; i < number; i++)
		kt_before_fault(i);
	WARN(1, "kcatch_test: a warning on purpose\n");
	for (i = 0; i < number; i++)
		kt_after_fault(i);
	return 0;
}

/* NUMBER calls in a thread that then follows a null pointer; as many calls after it. */
int kt_fault_oops(int number)
{
	struct task_struct *thread;
	int i;

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
	for (i = 0; i < number; i++)
		kt_after_fault(i);
	return 0;
}

int kt_fault_panic(int number)
{
	int i;

	for (i = 0; i < number; i++)
		kt_before_fault(i);
	panic("kcatch_test: on purpose");
}
