// SPDX-License-Identifier: GPL-2.0-only
/*
 * Detects soft lockups; see lockup.h. The hook runs in the watchdog's timer, in hardirq context on
 * the CPU that is locked up. `lock` serialises hooking and unhooking, which sleep. A work item
 * unhooks: ftrace waits under its lock until every CPU has scheduled, which a lockup keeps it from.
 */
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>
#include "compat/compat.h"
#include "core/guard.h"
#include "core/robust.h"
#include "core/symbol.h"
#include "core/text.h"
#include "freeze/freeze.h"
#include "freeze/lockup.h"

static DEFINE_MUTEX(lock);
static unsigned int users;
static bool hooked;
static unsigned long place __read_mostly;	/* of print_modules(); 0: none */

static const char reporter[] = "watchdog_timer_fn";

static void modules_listed(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			   struct ftrace_regs *fregs)
{
	char name[sizeof(reporter)];

	if (!in_hardirq() || !READ_ONCE(users))
		return;
	/* Compares the beginning of the name only: no suffix such as .cold, no offset. */
	snprintf(name, sizeof(name), "%ps", (void *)parent);
	if (!strcmp(name, reporter))
		kcatch_freeze_lockup();
}

static struct ftrace_ops ops = {
	.func = modules_listed,
	.flags = FTRACE_OPS_FL_PERMANENT,
};

/*
 * By address: without memory, ftrace_set_filter() says that all is well and leaves a filter without
 * a function, which stands for all functions.
 */
static int lockup_hook(void)
{
	int error;

	lockdep_assert_held(&lock);
	if (hooked)
		return 0;
	error = place ? ftrace_set_filter_ip(&ops, place, 0, 1) : -EOPNOTSUPP;
	if (!error)
		error = register_ftrace_function(&ops);
	if (error && place)
		ftrace_set_filter(&ops, NULL, 0, 1);
	hooked = !error;
	return error;
}

static void lockup_unhook(struct work_struct *unused)
{
	/* Without a lock: then ftrace does not wait for long, nor for a CPU that takes no
	 * interrupts. */
	synchronize_rcu_tasks();
	kcatch_cpus_answer(MAX_SCHEDULE_TIMEOUT, TASK_IDLE);
	mutex_lock(&lock);
	if (hooked && !users) {
		WARN_ON_ONCE(unregister_ftrace_function(&ops));
		ftrace_set_filter(&ops, NULL, 0, 1);
		hooked = false;
	}
	mutex_unlock(&lock);
}

static DECLARE_WORK(unhook_work, lockup_unhook);

int kcatch_lockup_watch(void)
{
	int error = 0;

	mutex_lock(&lock);
	if (!users)
		error = lockup_hook();
	WRITE_ONCE(users, users + !error);
	mutex_unlock(&lock);
	return error && error != -ENOMEM && error != -EBUSY ? -EOPNOTSUPP : error;
}

/* A call may lead to a few bytes before the function, to what counts how deep calls are. */
#define BEFORE_MAX	16

/* Does the code of the function that begins at @address, or of the part of it that the compiler has
 * put elsewhere, call the place? */
static bool calls_place(unsigned long address)
{
	struct kcatch_symbol *symbol = kcatch_symbol_of(address);
	unsigned long at = address, end = address + (symbol ? symbol->size : 0);
	u8 code[KCATCH_CALL_SIZE];
	bool calls = false;

	kfree(symbol);
	for (; !calls && at + sizeof(code) <= end; at += KCATCH_CALL_STEP) {
		if (copy_from_kernel_nofault(code, (void *)at, sizeof(code)))
			break;
		calls = place - kcatch_call_target(code, at) <= BEFORE_MAX;
	}
	return calls;
}

void kcatch_lockup_init(void)
{
	unsigned long watchdog = kcatch_symbol_private(reporter);

	kcatch_robust_add(&lock);
	place = kcatch_symbol_private("print_modules");
	if (place && watchdog &&
	    (calls_place(watchdog) || calls_place(kcatch_symbol_address("watchdog_timer_fn.cold"))))
		return;
	place = 0;
	pr_notice("kcatch: a soft lockup freezes no recorder (--freeze-on lockup): the kernel's report of one is not made as it is expected\n");
}

void kcatch_lockup_unwatch(void)
{
	mutex_lock(&lock);
	WRITE_ONCE(users, users - 1);
	if (!users)
		kcatch_queue_work(&unhook_work);
	mutex_unlock(&lock);
	kcatch_quiesce();
}

void kcatch_lockup_exit(void)
{
	flush_work(&unhook_work);
}
