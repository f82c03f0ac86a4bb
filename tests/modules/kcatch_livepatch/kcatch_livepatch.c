// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcatch_livepatch: a live patch of kcatch_test: kt_c() returns 1000 more than what it is given.
 */
#include <linux/kernel.h>
#include <linux/module.h>

#ifdef CONFIG_LIVEPATCH
#include <linux/livepatch.h>

static int patched_kt_c(int number)
{
	return number + 1000;
}

static struct klp_func functions[] = {
	{ .old_name = "kt_c", .new_func = patched_kt_c },
	{ }
};

static struct klp_object objects[] = {
	{ .name = "kcatch_test", .funcs = functions },
	{ }
};

static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objects };

static int __init livepatch_init(void)
{
	return klp_enable_patch(&patch);
}

static void __exit livepatch_exit(void)
{
}

module_init(livepatch_init);
module_exit(livepatch_exit);
MODULE_INFO(livepatch, "Y");
#endif

MODULE_DESCRIPTION("A live patch of a function that is caught");
MODULE_LICENSE("GPL");
