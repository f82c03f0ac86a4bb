// SPDX-License-Identifier: GPL-2.0-only
/*
 * ktrace_sample.c - a module with DO_TRACE events
 *
 * It needs only the header, and kcatch loaded before it.
 *
 *	insmod ktrace_sample.ko
 *	kcatch -e ktrace:sample_said -n 3 &
 *	echo "hello there" > /sys/module/ktrace_sample/parameters/say
 *
 * Each string written to the parameter emits an event with count, length and text. A timer
 * emits another event twice a second.
 */
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/timer.h>

#include <kcatch/ktrace.h>

static int count;

static int say(const char *value, const struct kernel_param *param)
{
	count++;
	DO_TRACE(sample_said, "count=%d length=%zu text=%s", count, strlen(value), value);
	return 0;
}

static const struct kernel_param_ops say_ops = { .set = say };

module_param_cb(say, &say_ops, NULL, 0200);
MODULE_PARM_DESC(say, "a text to make an event of");

static void tick(struct timer_list *timer)
{
	DO_TRACE(sample_tick, "jiffies=%lu", jiffies);
	mod_timer(timer, jiffies + HZ / 2);
}

static DEFINE_TIMER(timer, tick);

static int __init sample_init(void)
{
	DO_TRACE(sample_loaded, "interval=%d", HZ / 2);
	mod_timer(&timer, jiffies + HZ / 2);
	return 0;
}

static void __exit sample_exit(void)
{
	timer_delete_sync(&timer);
}

module_init(sample_init);
module_exit(sample_exit);
MODULE_DESCRIPTION("A client of kcatch's DO_TRACE");
MODULE_LICENSE("GPL");
