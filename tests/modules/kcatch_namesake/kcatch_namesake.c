// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcatch_namesake: a tracepoint sys_enter that is not the kernel's and has six arguments. Writing
 * to its parameter "order" passes 11 to 16.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/tracepoint.h>

/* Since Linux 6.16 the other one appends to the name. */
#ifndef DECLARE_TRACE_EVENT
#define DECLARE_TRACE_EVENT DECLARE_TRACE
#endif

DECLARE_TRACE_EVENT(sys_enter, TP_PROTO(long a, long b, long c, long d, long e, long f),
		    TP_ARGS(a, b, c, d, e, f));
DEFINE_TRACE(sys_enter, TP_PROTO(long a, long b, long c, long d, long e, long f),
	     TP_ARGS(a, b, c, d, e, f));

static int set_order(const char *value, const struct kernel_param *param)
{
	trace_sys_enter(11, 12, 13, 14, 15, 16);
	return 0;
}

static const struct kernel_param_ops order_ops = { .set = set_order };
module_param_cb(order, &order_ops, NULL, 0200);

static int __init namesake_init(void)
{
	return 0;
}

static void __exit namesake_exit(void)
{
	tracepoint_synchronize_unregister();
}

module_init(namesake_init);
module_exit(namesake_exit);

MODULE_DESCRIPTION("A tracepoint with the name of another");
MODULE_LICENSE("GPL");
