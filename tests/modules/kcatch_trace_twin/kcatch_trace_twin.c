// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcatch_trace_twin: an event that kcatch_trace has as well, and one under a name of
 * that one whose format differs. `echo pair > .../parameters/order` emits both.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>

#include <kcatch/ktrace.h>

static int set_order(const char *value, const struct kernel_param *param)
{
	if (!sysfs_streq(value, "pair"))
		return -EINVAL;
	DO_TRACE(kt_pair, "a=%d b=%d", 5, 6);
	DO_TRACE(kt_text, "text=%s and more=%d", "refused", 1);
	return 0;
}

static const struct kernel_param_ops order_ops = { .set = set_order };
module_param_cb(order, &order_ops, NULL, 0200);

static int __init twin_init(void)
{
	DO_TRACE(kt_twin_loaded, "by=%s", THIS_MODULE->name);
	return 0;
}

static void __exit twin_exit(void)
{
}

module_init(twin_init);
module_exit(twin_exit);
MODULE_DESCRIPTION("Events that another module of kcatch's tests has as well");
MODULE_LICENSE("GPL");
