// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcatch_leaver: while its parameter "hold" is not 0, it does not finish unloading. Writing to its
 * parameter "order" calls set_order(), a name of kcatch_trace as well.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

static int hold;
module_param(hold, int, 0600);
MODULE_PARM_DESC(hold, "not 0: unloading does not end");

static int set_order(const char *value, const struct kernel_param *param)
{
	return *value ? 0 : -EINVAL;
}

static const struct kernel_param_ops order_ops = { .set = set_order };
module_param_cb(order, &order_ops, NULL, 0200);

static int __init leaver_init(void)
{
	return 0;
}

static void __exit leaver_exit(void)
{
	while (READ_ONCE(hold))
		msleep(20);
}

module_init(leaver_init);
module_exit(leaver_exit);

MODULE_DESCRIPTION("A module whose unloading takes as long as a test wants");
MODULE_LICENSE("GPL");
