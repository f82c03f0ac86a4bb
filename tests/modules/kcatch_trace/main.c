// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcatch_trace: events under the tests' control, counted by itself.
 *
 * Orders are written to /sys/module/kcatch_trace/parameters/order:
 *	kinds	one event of every size and kind
 *	texts	good, long, NULL and bad texts
 *	count N	N events from each of two threads bound to two CPUs (one where there is but
 *		one), and one in each of their timer interrupts; the payload of each tells
 *		who it is and which of its own it is
 *	pair	one event of two integers, from here and from the other file
 *	names	events whose fields are called like those of every record
 * What was emitted is in /sys/module/kcatch_trace/parameters/emitted.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/smp.h>
#include <linux/string.h>

#include <kcatch/ktrace.h>
#include "kcatch_trace.h"

static atomic_long_t emitted;

static int get_emitted(char *buffer, const struct kernel_param *param)
{
	return sysfs_emit(buffer, "%ld\n", atomic_long_read(&emitted));
}

static const struct kernel_param_ops emitted_ops = { .get = get_emitted };
module_param_cb(emitted, &emitted_ops, NULL, 0400);

static void emit_kinds(void)
{
	signed char i8 = -8;
	unsigned char u8_ = 200;
	short i16 = -1600;
	unsigned short u16_ = 61600;
	long i64 = -64000000000;
	unsigned long long u64_ = 18446744073709551000ULL;
	char text[] = "an array";

	DO_TRACE(kt_kinds, "i8=%hhd u8=%hhu i16=%hd u16=%hu i32=%d u32=%u i64=%ld u64=%llu c=%c p=%p",
		 i8, u8_, i16, u16_, -320000, 4000000000U, i64, u64_, 'x', (void *)0x1234UL);
	/* Promoted, and told by the conversion. */
	DO_TRACE("kt_promoted", "small=%d minus=%x letter=%c size=%zu", i8, i16, text[1],
		 sizeof(text));
	DO_TRACE(kt_nothing, "nothing at all");
	DO_TRACE(kt_mixed, "a=%s b=%d c=%s d=%lld", text, 7, "const", -1LL);
	atomic_long_add(4, &emitted);
}

static void emit_texts(void)
{
	static char text[400];

	memset(text, 'x', sizeof(text) - 1);
	DO_TRACE(kt_text, "text=%s", "good");
	DO_TRACE(kt_text, "text=%s", "");
	DO_TRACE(kt_text, "text=%s", text);
	DO_TRACE(kt_text, "text=%s", (char *)NULL);
	DO_TRACE(kt_text, "text=%s", (char *)0xffffffff00000000UL);
	DO_TRACE(kt_text, "text=%s", (char *)0xdead000000000000UL);
	atomic_long_add(6, &emitted);
}

static void emit_names(void)
{
	DO_TRACE(kt_names_hit, "pid=%d tid=%d comm=%s context=%u stack_flags=%u nr_frames=%u interrupted=%u frames=%u",
		 100001, 100002, "someone", 3, 4, 5, 6, 7);
	DO_TRACE(kt_names_call, "call=%u entered=%u latency=%u ret=%d faults=%u cut=%u size=%u user_size=%u user=%s user_stack=%u",
		 11, 12, 13, -14, 15, 16, 17, 18, "root", 19);
	DO_TRACE(kt_names_twice, "_pid=%d pid=%d pid_0=%d pid_1=%d pid=%d end_of_record=%d args=%d",
		 21, 22, 23, 24, 25, 26, 27);
	atomic_long_add(3, &emitted);
}

struct worker {
	struct hrtimer timer;
	struct completion done;
	unsigned int who;
	unsigned long nr;
	unsigned long ticks;
	bool ended;
};

static struct worker workers[2];

static enum hrtimer_restart interrupt(struct hrtimer *timer)
{
	struct worker *worker = container_of(timer, struct worker, timer);

	DO_TRACE(kt_count, "who=%u number=%lu", worker->who + 2, worker->ticks++);
	atomic_long_inc(&emitted);
	if (READ_ONCE(worker->ended))
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(100000));
	return HRTIMER_RESTART;
}

static int work(void *data)
{
	struct worker *worker = data;
	unsigned long i;

	hrtimer_start(&worker->timer, ns_to_ktime(100000), HRTIMER_MODE_REL_PINNED_HARD);
	for (i = 0; i < worker->nr; i++) {
		kt_second_count(worker->who, i);
		if (!(i % 1024))
			cond_resched();
	}
	atomic_long_add(worker->nr, &emitted);
	WRITE_ONCE(worker->ended, true);
	hrtimer_cancel(&worker->timer);
	complete(&worker->done);
	return 0;
}

static void timer_setup_hard(struct hrtimer *timer)
{
#ifdef KCATCH_HAVE_HRTIMER_SETUP	/* since 6.13; hrtimer_init() is gone since 6.15 */
	hrtimer_setup(timer, interrupt, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer->function = interrupt;
#endif
}

static int emit_count(unsigned long nr)
{
	unsigned int cpu, i = 0, started = 0;

	for_each_online_cpu(cpu) {
		struct worker *worker = &workers[i];
		struct task_struct *task;

		memset(worker, 0, sizeof(*worker));
		worker->who = i;
		worker->nr = nr;
		init_completion(&worker->done);
		timer_setup_hard(&worker->timer);
		task = kthread_create(work, worker, "kt_count/%u", i);
		if (IS_ERR(task))
			break;
		kthread_bind(task, cpu);
		wake_up_process(task);
		started++;
		if (++i == ARRAY_SIZE(workers))
			break;
	}
	for (i = 0; i < started; i++)
		wait_for_completion(&workers[i].done);
	return started ? 0 : -ENOMEM;
}

static int set_order(const char *value, const struct kernel_param *param)
{
	unsigned long nr;

	if (sysfs_streq(value, "kinds"))
		emit_kinds();
	else if (sysfs_streq(value, "texts"))
		emit_texts();
	else if (sysfs_streq(value, "names"))
		emit_names();
	else if (sscanf(value, "count %lu", &nr) == 1)
		return emit_count(nr);
	else if (sysfs_streq(value, "pair")) {
		DO_TRACE(kt_pair, "a=%d b=%d", 1, 2);
		kt_second_pair(3, 4);
		atomic_long_add(2, &emitted);
	} else {
		return -EINVAL;
	}
	return 0;
}

static const struct kernel_param_ops order_ops = { .set = set_order };
module_param_cb(order, &order_ops, NULL, 0200);

static int __init trace_init(void)
{
	DO_TRACE(kt_loaded, "by=%s", THIS_MODULE->name);
	return 0;
}

static void __exit trace_exit(void)
{
}

module_init(trace_init);
module_exit(trace_exit);
MODULE_DESCRIPTION("Events for kcatch's tests");
MODULE_LICENSE("GPL");
