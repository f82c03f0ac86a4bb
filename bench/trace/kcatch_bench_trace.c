// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a DO_TRACE with two integers costs, on and off.
 *
 *	echo 10000 > /sys/module/kcatch_bench_trace/parameters/run
 *	cd /sys/module/kcatch_bench_trace/parameters && cat with without
 *
 * `with` and `without` are the nanoseconds of two loops that differ in the event alone.
 */
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#include <kcatch/ktrace.h>

static unsigned long with, without;
module_param(with, ulong, 0400);
module_param(without, ulong, 0400);

static noinline unsigned long loop_without(unsigned int nr)
{
	u64 from = ktime_get_ns();
	unsigned int i;

	for (i = 0; i < nr; i++)
		barrier();
	return ktime_get_ns() - from;
}

static noinline unsigned long loop_with(unsigned int nr)
{
	u64 from = ktime_get_ns();
	unsigned int i;

	for (i = 0; i < nr; i++) {
		DO_TRACE(bench_two, "a=%d b=%u", 42, i);
		barrier();
	}
	return ktime_get_ns() - from;
}

static int run(const char *value, const struct kernel_param *param)
{
	unsigned int nr;
	int error = kstrtouint(value, 0, &nr);

	if (error)
		return error;
	without = loop_without(nr);
	with = loop_with(nr);
	return 0;
}

static const struct kernel_param_ops run_ops = { .set = run };

module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "how many events to emit");
MODULE_DESCRIPTION("What DO_TRACE costs");
MODULE_LICENSE("GPL");
