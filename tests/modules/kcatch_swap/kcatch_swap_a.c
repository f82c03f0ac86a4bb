// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcatch_swap_a: takes turns with kcatch_swap_b at one address. Writing to its parameter "call"
 * makes it call int_sqrt(1111).
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

/* Read when it is called: the compiler shall not make functions of their own for it. */
static unsigned long input = 1111;

static noinline unsigned long swap_a_inner(unsigned long value)
{
	return int_sqrt(value) + 1;
}

static noinline unsigned long swap_a_outer(unsigned long value)
{
	return swap_a_inner(value) + 2;
}

static int set_call(const char *value, const struct kernel_param *param)
{
	return swap_a_outer(READ_ONCE(input)) ? 0 : -EINVAL;
}

static const struct kernel_param_ops call_ops = { .set = set_call };
module_param_cb(call, &call_ops, NULL, 0200);

MODULE_DESCRIPTION("A module whose place kcatch_swap_b takes");
MODULE_LICENSE("GPL");
