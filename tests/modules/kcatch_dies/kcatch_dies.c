// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcatch_dies: code that fails where kcatch calls the kernel. It hooks the function "at",
 * by ftrace or as "with" says (kprobe), with a handler that ends the thread, the next "times" times
 * that a thread called "comm" gets there below a function whose name has "below" in it (kcatch's,
 * unless told), by the way "how":
 *   null   reads from address 8
 *   bug    BUG()
 *   exit   ends the thread, which must be one of the kernel's
 * After a death in the handler of a kprobe the kernel keeps the kprobe's address for ever
 * ("current_kprobe"): then this module must stay, but writing to "withdraw" removes its hook.
 * "times" counts down, so that it tells whether it happened. Writing to "call" calls
 * memory_read_from_buffer(), in the thread that writes; writing to "call_in_thread" does so in a
 * thread of the kernel that is called "comm". It is called with a pointer to memory that kcatch
 * does not read without a call of the kernel's function for it.
 */
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

static char *at = "copy_from_user_nofault";
module_param(at, charp, 0400);
static char *comm = "dier";
module_param(comm, charp, 0400);
static char *with = "ftrace";
module_param(with, charp, 0400);
static char *how = "null";
module_param(how, charp, 0400);
static char *below = "[kcatch]";
module_param(below, charp, 0400);
MODULE_PARM_DESC(below, "only below a function whose name, with its module, has this in it");
static int times = 1;
module_param(times, int, 0600);

static bool is_below(void)
{
	unsigned long frames[48];
	char name[KSYM_SYMBOL_LEN];
	unsigned int nr = stack_trace_save(frames, ARRAY_SIZE(frames), 0), i;

	for (i = 0; i < nr; i++) {
		sprint_symbol_no_offset(name, frames[i]);
		if (strstr(name, below))
			return true;
	}
	return false;
}

static void die_here(void)
{
	if (READ_ONCE(times) <= 0 || strcmp(current->comm, comm) || !is_below())
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

static loff_t *place;

/* A function whose types are known: kcatch reads a place, and at the return this again. */
static int call_set(const char *value, const struct kernel_param *param)
{
	static const char from[] = "abcdef";
	char to[4];

	*place = 2;
	return memory_read_from_buffer(to, sizeof(to), place, from, sizeof(from)) == 4 ? 0 : -EIO;
}

static int thread(void *data)
{
	return call_set(NULL, NULL);
}

static int thread_set(const char *value, const struct kernel_param *param)
{
	return PTR_ERR_OR_ZERO(kthread_run(thread, NULL, "%s", comm));
}

static const struct kernel_param_ops thread_ops = { .set = thread_set };
module_param_cb(call_in_thread, &thread_ops, NULL, 0200);

static const struct kernel_param_ops call_ops = { .set = call_set };
module_param_cb(call, &call_ops, NULL, 0200);

static bool hooked;

static void unhook(void)
{
	if (!hooked)
		return;
	hooked = false;
	if (!strcmp(with, "kprobe"))
		unregister_kprobe(&kprobe);
	else
		unregister_ftrace_function(&hook);
}

static int withdraw_set(const char *value, const struct kernel_param *param)
{
	unhook();
	return 0;
}

static const struct kernel_param_ops withdraw_ops = { .set = withdraw_set };
module_param_cb(withdraw, &withdraw_ops, NULL, 0200);

static int __init dies_init(void)
{
	int error;

	place = vzalloc(sizeof(*place));
	if (!place)
		return -ENOMEM;
	kprobe.symbol_name = at;
	if (!strcmp(with, "kprobe"))
		error = register_kprobe(&kprobe);
	else
		error = ftrace_set_filter(&hook, at, strlen(at), 1) ?:
			register_ftrace_function(&hook);
	hooked = !error;
	if (error)
		vfree(place);
	return error;
}

static void __exit dies_exit(void)
{
	unhook();
	vfree(place);
}

module_init(dies_init);
module_exit(dies_exit);

MODULE_DESCRIPTION("Code of another's that fails where kcatch calls the kernel");
MODULE_LICENSE("GPL");
