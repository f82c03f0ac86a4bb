// SPDX-License-Identifier: GPL-2.0-only
/*
 * Detects soft lockups; see lockup.h. The hook runs in the watchdog's timer, in hardirq context on
 * the CPU that is locked up. `lock` serialises hooking and unhooking, which sleep.
 */
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include "freeze.h"
#include "lockup.h"

static DEFINE_MUTEX(lock);
static unsigned int users;

static void modules_listed(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			   struct ftrace_regs *fregs)
{
	static const char reporter[] = "watchdog_timer_fn";
	char name[sizeof(reporter)];

	if (!in_hardirq())
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

int kcatch_lockup_watch(void)
{
	static unsigned char function[] = "print_modules";
	int error = 0;

	mutex_lock(&lock);
	if (!users) {
		error = ftrace_set_filter(&ops, function, sizeof(function) - 1, 1);
		if (!error)
			error = register_ftrace_function(&ops);
		if (error)
			ftrace_set_filter(&ops, NULL, 0, 1);
	}
	users += !error;
	mutex_unlock(&lock);
	return error ? -EOPNOTSUPP : 0;
}

void kcatch_lockup_unwatch(void)
{
	mutex_lock(&lock);
	if (!--users) {
		WARN_ON_ONCE(unregister_ftrace_function(&ops));
		ftrace_set_filter(&ops, NULL, 0, 1);
	}
	mutex_unlock(&lock);
}
