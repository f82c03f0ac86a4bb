// SPDX-License-Identifier: GPL-2.0-only
/*
 * fault.c - makes the kernel report a fault, to see that vm/run notices
 *
 * insmod fault.ko kind=KIND. The module never stays loaded; with an oops the
 * process that loads it is killed by the kernel.
 */
#include <linux/bug.h>
#include <linux/delay.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/string.h>

static char *kind = "none";
module_param(kind, charp, 0);

static int __init fault_init(void)
{
	if (!strcmp(kind, "warning")) {
		WARN(1, "fault: a warning as asked\n");
	} else if (!strcmp(kind, "oops")) {
		*(volatile int *)8 = 0;
	} else if (!strcmp(kind, "bug")) {
		BUG();
	} else if (!strcmp(kind, "atomic")) {
		preempt_disable();
		schedule();
		preempt_enable();
	} else if (!strcmp(kind, "sleep")) {
		preempt_disable();
		msleep(1);
		preempt_enable();
	} else if (!strcmp(kind, "list")) {
		struct list_head head = LIST_HEAD_INIT(head), entry, *wrong = &entry;

		head.next = wrong;
		list_add(&entry, &head);
	} else if (!strcmp(kind, "refcount")) {
		refcount_t count = REFCOUNT_INIT(0);

		refcount_inc(&count);
	} else if (!strcmp(kind, "stall")) {
		preempt_disable();
		mdelay(30000);
		preempt_enable();
	} else if (!strcmp(kind, "panic")) {
		panic("fault: a panic as asked");
	} else if (strcmp(kind, "none")) {
		return -EINVAL;
	}
	return -ECANCELED;	/* done; there is nothing to stay for */
}

module_init(fault_init);
MODULE_DESCRIPTION("Provokes reports of the kernel for vm/selftest");
MODULE_LICENSE("GPL");
