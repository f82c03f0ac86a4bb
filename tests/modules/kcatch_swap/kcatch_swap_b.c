// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcatch_swap_b: takes turns with kcatch_swap_a at one address. Writing to its parameter "call"
 * makes it call int_sqrt(2222). Its functions have other sizes, so they begin elsewhere.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

/* Read when it is called: the compiler shall not make functions of their own for it. */
static unsigned long input = 2222;

static noinline unsigned long swap_b_first(unsigned long value)
{
	return int_sqrt(value) * 3 + int_sqrt(value + 1) * 5 + int_sqrt(value + 2);
}

static noinline unsigned long swap_b_second(unsigned long value)
{
	return swap_b_first(value) ^ 2;
}

static noinline unsigned long swap_b_third(unsigned long value)
{
	return swap_b_second(value) + 7;
}

static int set_call(const char *value, const struct kernel_param *param)
{
	return swap_b_third(READ_ONCE(input)) ? 0 : -EINVAL;
}

static const struct kernel_param_ops call_ops = { .set = set_call };
module_param_cb(call, &call_ops, NULL, 0200);

MODULE_DESCRIPTION("A module that takes the place of kcatch_swap_a");
MODULE_LICENSE("GPL");
