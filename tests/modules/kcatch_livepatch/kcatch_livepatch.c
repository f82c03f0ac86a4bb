// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcatch_livepatch: a live patch of kcatch_test. kt_c() returns 1000 more than what it is given;
 * with function=kt_b its caller returns 100 more than kt_c() returns.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>

#ifdef CONFIG_LIVEPATCH
#include <linux/livepatch.h>

static int patched_kt_c(int number)
{
	return number + 1000;
}

int kt_c(int number);

static int patched_kt_b(int number)
{
	return kt_c(number) + 100;
}

static char *function = "kt_c";
module_param(function, charp, 0444);
MODULE_PARM_DESC(function, "which function is replaced: kt_c or kt_b");

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
	if (!strcmp(function, "kt_b"))
		functions[0] = (struct klp_func) {
			.old_name = "kt_b", .new_func = patched_kt_b,
		};
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
