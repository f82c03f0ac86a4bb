// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcatch_stack_sample.c - a module that uses every function of kcatch_stack(9)
 *
 * When it is loaded, it saves its own stack, the stack of a thread that sleeps and the
 * stack of a thread that spins, and prints them to the kernel log.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <kcatch/stack.h>

static DECLARE_COMPLETION(there);
static bool stop_spinning;

/* Two functions in which two threads stay, so that their stacks are known. */
static noinline void sample_sleeps(void)
{
	complete(&there);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(MAX_SCHEDULE_TIMEOUT);
}

static noinline void sample_spins(void)
{
	complete(&there);
	while (!READ_ONCE(stop_spinning))
		cpu_relax();
}

static int sleeper(void *unused)
{
	sample_sleeps();
	return 0;
}

static int spinner(void *unused)
{
	sample_spins();
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

/* Saves its own stack and prints it with every function. */
static noinline int own_stack(struct stack *st)
{
	struct stack *copy = stack_create(GFP_KERNEL);
	struct seq_buf fixed, growing = {};
	char text[256];
	int error;

	if (!copy)
		return -ENOMEM;
	stack_save(st);
	pr_info("sample: stack_print\n");
	stack_print(st);
	pr_info("sample: stack_print_ddb\n");
	stack_print_ddb(st);
	pr_info("sample: stack_print_short\n");
	stack_print_short(st);
	pr_info("sample: stack_print_short_ddb\n");
	stack_print_short_ddb(st);

	/* The copy is unchanged when the original is emptied. */
	stack_copy(st, copy);
	stack_zero(st);
	pr_info("sample: stack_copy %d stack_zero %d\n", copy->depth, st->depth);

	/* Build a trace frame by frame: first one frame, then as many as fit. */
	stack_put(st, copy->pcs[0]);
	seq_buf_init(&fixed, text, sizeof(text));
	stack_sbuf_print(&fixed, st);
	stack_sbuf_print_ddb(&fixed, st);
	pr_info("sample: stack_sbuf_print %.*s\n", (int)fixed.len, text);
	while (!stack_put(st, copy->pcs[0]))
		;
	pr_info("sample: stack_put until there is no room: %d\n", st->depth);

	/* If the text may be long, let the buffer grow. */
	error = stack_sbuf_print_growing(&growing, st);
	if (!error)
		pr_info("sample: stack_sbuf_print_growing %zu bytes, %.*s\n", growing.len,
			(int)strcspn(growing.buffer, "\n"), growing.buffer);
	kfree(growing.buffer);
	stack_destroy(copy);
	return error;
}

static int thread_stack(struct stack *st, const char *name, int (*function)(void *),
			int (*save)(struct stack *st, struct task_struct *td))
{
	struct task_struct *thread = kthread_run(function, NULL, "sample_%s", name);
	int error, tries = 0;

	if (IS_ERR(thread))
		return PTR_ERR(thread);
	get_task_struct(thread);
	wait_for_completion(&there);
	msleep(20);
	/* -EBUSY: the thread does not sleep yet. */
	while ((error = save(st, thread)) == -EBUSY && ++tries < 1000)
		msleep(1);
	pr_info("sample: thread that %s: %d\n", name, error);
	if (!error)
		stack_print(st);
	WRITE_ONCE(stop_spinning, true);
	kthread_stop(thread);
	put_task_struct(thread);
	return error;
}

static int __init sample_init(void)
{
	struct stack *st = stack_create(GFP_KERNEL);
	int error;

	if (!st)
		return -ENOMEM;
	error = own_stack(st);
	if (!error)
		error = thread_stack(st, "spins", spinner, stack_save_td_running);
	if (!error)
		error = thread_stack(st, "sleeps", sleeper, stack_save_td);
	stack_destroy(st);
	return error;
}

static void __exit sample_exit(void)
{
}

module_init(sample_init);
module_exit(sample_exit);
MODULE_DESCRIPTION("kcatch sample: stack(9)");
MODULE_LICENSE("GPL");
