// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hook that does nothing but count, with the recursion guard that every
 * hook needs: the least that any tracer of function entries can cost.
 *
 *	insmod empty.ko function=__netif_rx; ...; cat /sys/module/empty/parameters/hits
 *
 * A function of several names has to be called by the one that
 * available_filter_functions shows.
 */
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/trace_recursion.h>

static char *function;
module_param(function, charp, 0400);
static unsigned long hits;	/* one processor: no need to be exact on two */
module_param(hits, ulong, 0400);

static void hook(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
		 struct ftrace_regs *fregs)
{
	int bit = ftrace_test_recursion_trylock(ip, parent);

	if (bit < 0)
		return;
	hits++;
	ftrace_test_recursion_unlock(bit);
}

static struct ftrace_ops ops = { .func = hook };

static int __init empty_init(void)
{
	int error;

	if (!function)
		return -EINVAL;
	error = ftrace_set_filter(&ops, function, strlen(function), 1);
	return error ?: register_ftrace_function(&ops);
}

static void __exit empty_exit(void)
{
	unregister_ftrace_function(&ops);
}

module_init(empty_init);
module_exit(empty_exit);
MODULE_DESCRIPTION("A hook that does nothing");
MODULE_LICENSE("GPL");
