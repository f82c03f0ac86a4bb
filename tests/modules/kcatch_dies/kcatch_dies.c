// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcatch_dies: code that fails where kcatch calls the kernel. It hooks the function "at",
 * by ftrace or as "with" says (kprobe), with a handler that ends the thread, the next "times" times
 * that a thread called "comm" gets there out of a function of kcatch ("in_kcatch=0": from
 * anywhere), by the way "how":
 *   null   reads from address 8
 *   bug    BUG()
 *   exit   ends the thread, which must be one of the kernel's
 * After a death in the handler of a kprobe the kernel keeps the kprobe's address for ever
 * ("current_kprobe"): then this module must stay. "times" counts down, so that it tells whether it
 * happened. Writing an address to "call" calls kcatch_dies_called() with it, in the thread that
 * writes; writing to "call_in_thread" does so in a thread of the kernel that is called "comm".
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <asm/unwind.h>

static char *at = "copy_from_user_nofault";
module_param(at, charp, 0400);
static char *comm = "dier";
module_param(comm, charp, 0400);
static char *with = "ftrace";
module_param(with, charp, 0400);
static char *how = "null";
module_param(how, charp, 0400);
static bool in_kcatch = true;
module_param(in_kcatch, bool, 0400);
MODULE_PARM_DESC(in_kcatch, "only below a function of the module kcatch");
static int times = 1;
module_param(times, int, 0600);

static bool is_below_kcatch(void)
{
	char name[KSYM_SYMBOL_LEN];
	struct unwind_state state;

	for (unwind_start(&state, current, NULL, NULL); !unwind_done(&state);
	     unwind_next_frame(&state)) {
		unsigned long address = unwind_get_return_address(&state);

		if (!address)
			break;
		sprint_symbol_no_offset(name, address);
		if (strstr(name, "[kcatch]"))
			return true;
	}
	return false;
}

static void die_here(void)
{
	if (READ_ONCE(times) <= 0 || strcmp(current->comm, comm) ||
	    (in_kcatch && !is_below_kcatch()))
		return;
	times--;
	if (!strcmp(how, "bug"))
		BUG();
	if (!strcmp(how, "exit"))
		kthread_complete_and_exit(NULL, 0);
	times += *(volatile int *)8;
}

static int at_kprobe(struct kprobe *kprobe, struct pt_regs *regs)
{
	die_here();
	return 0;
}

static struct kprobe kprobe = { .pre_handler = at_kprobe };

static void at_ftrace(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
		      struct ftrace_regs *regs)
{
	die_here();
}

/* Without the kernel's guard, which a hook that is called in a hook would not pass. */
static struct ftrace_ops hook = { .func = at_ftrace, .flags = FTRACE_OPS_FL_RECURSION };

int kcatch_dies_called(const char __user *text, int number);

noinline int kcatch_dies_called(const char __user *text, int number)
{
	barrier();
	return text ? number + 1 : -EINVAL;
}

static int call_set(const char *value, const struct kernel_param *param)
{
	unsigned long address;
	int error = kstrtoul(value, 0, &address);

	if (!error)
		kcatch_dies_called((const char __user *)address, 1);
	return error;
}

static int thread(void *data)
{
	kcatch_dies_called(data, 2);
	return 0;
}

static int thread_set(const char *value, const struct kernel_param *param)
{
	struct task_struct *task;
	unsigned long address;
	int error = kstrtoul(value, 0, &address);

	if (error)
		return error;
	task = kthread_run(thread, (void *)address, "%s", comm);
	return PTR_ERR_OR_ZERO(task);
}

static const struct kernel_param_ops thread_ops = { .set = thread_set };
module_param_cb(call_in_thread, &thread_ops, NULL, 0200);

static const struct kernel_param_ops call_ops = { .set = call_set };
module_param_cb(call, &call_ops, NULL, 0200);

static int __init dies_init(void)
{
	int error;

	kprobe.symbol_name = at;
	if (!strcmp(with, "kprobe"))
		return register_kprobe(&kprobe);
	error = ftrace_set_filter(&hook, at, strlen(at), 1);
	return error ?: register_ftrace_function(&hook);
}

static void __exit dies_exit(void)
{
	if (!strcmp(with, "kprobe"))
		unregister_kprobe(&kprobe);
	else
		unregister_ftrace_function(&hook);
}

module_init(dies_init);
module_exit(dies_exit);

MODULE_DESCRIPTION("Code of another's that fails where kcatch calls the kernel");
MODULE_LICENSE("GPL");
