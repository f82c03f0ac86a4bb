// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcatch_stack_test - calls the functions of kcatch/stack.h where they are hard to call
 *
 * A write to /proc/kcatch_stack_test is one order:
 *
 *   in CONTEXT       in process, irqs-off, spinlock, hardirq or nmi context: all functions
 *                    that are allowed there
 *   td PID           stack_save_td() of a thread; running PID: stack_save_td_running()
 *   masked PID       the second with interrupts off
 *   storm PID N      both, N times, and each frame must be what a stack can have; PID 0 is
 *                    a thread on another CPU that calls by a thunk all the time
 *
 * A read gives what came of it.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/seq_buf.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#ifdef CONFIG_X86
#include <asm/apic.h>
#include <asm/nmi.h>
#include <asm/nospec-branch.h>
#include <asm/tsc.h>
#endif
#include <kcatch/stack.h>

#define NAME "kcatch_stack_test"
#define KT_FUNCTION __attribute__((__noipa__)) noinline

static DEFINE_MUTEX(order_lock);
static DEFINE_SPINLOCK(some_lock);
static char text[8192];
static struct seq_buf result;
static struct stack own, copied, other;
static struct task_struct *sleeper;

void kst_calls(void);
void kst_nmi_wait(void);
void kst_hardirq(struct irq_work *work);
int kst_sleeper(void *unused);
int kst_nmi(unsigned int type, struct pt_regs *regs);
void kst_by_thunk(void);
int kst_thunker(void *unused);

KT_FUNCTION int kst_sleeper(void *unused)
{
	while (!kthread_should_stop())
		schedule_timeout_uninterruptible(MAX_SCHEDULE_TIMEOUT);
	return 0;
}

/* Everything that may be called here. No check needs a lock. */
KT_FUNCTION void kst_calls(void)
{
	/* where a kernel for real time cannot be preempted, nothing may be allocated */
	bool may_allocate = IS_ENABLED(CONFIG_PREEMPT_RT) ? preemptible() : !in_nmi();
	struct stack *allocated = NULL;
	int error;

	/* lockdep may be told to judge by the rules of those kernels */
	if (IS_ENABLED(CONFIG_PROVE_RAW_LOCK_NESTING) && in_hardirq())
		may_allocate = false;
	if (may_allocate)
		allocated = stack_create(GFP_ATOMIC);
	stack_zero(&own);
	stack_save(&own);
	stack_copy(&own, &copied);
	seq_buf_printf(&result, "own %d %u\n", own.depth, own.flags);
	stack_sbuf_print_ddb(&result, &copied);
	stack_print_ddb(&copied);
	stack_print_short_ddb(&copied);

	error = stack_save_td(&other, sleeper);
	seq_buf_printf(&result, "sleeper %d\n", error);
	stack_sbuf_print_ddb(&result, &other);
	error = stack_save_td_running(&other, sleeper);
	seq_buf_printf(&result, "sleeper as running %d %d\n", error, other.depth);
	error = stack_save_td(&other, current);
	seq_buf_printf(&result, "current %d %pS\n", error, (void *)other.pcs[0]);

	stack_zero(&other);
	seq_buf_printf(&result, "put %d", stack_put(&other, (unsigned long)kst_calls));
	while (!stack_put(&other, 0))
		;
	seq_buf_printf(&result, " %d, then %d\n", other.depth, stack_put(&other, 0));
	stack_destroy(allocated);
}

KT_FUNCTION void kst_hardirq(struct irq_work *work)
{
	kst_calls();
	barrier();
}

/* In the interrupt itself, also where a kernel for real time has a thread for it. */
static struct irq_work hardirq = IRQ_WORK_INIT_HARD(kst_hardirq);

#ifdef CONFIG_X86
static int nmi_cpu = -1;

KT_FUNCTION void kst_nmi_wait(void)
{
	u64 end = rdtsc() + (u64)tsc_khz * 5000;

	while (READ_ONCE(nmi_cpu) >= 0 && rdtsc() < end)
		cpu_relax();
}

static int run_in_nmi(void)
{
	WRITE_ONCE(nmi_cpu, get_cpu());
	apic->send_IPI_mask(cpumask_of(smp_processor_id()), NMI_VECTOR);
	kst_nmi_wait();
	put_cpu();
	return xchg(&nmi_cpu, -1) >= 0 ? -ETIMEDOUT : 0;
}
#else
static int run_in_nmi(void)
{
	return -EOPNOTSUPP;
}
#endif

static int run_in(const char *context)
{
	unsigned long flags;

	if (!strcmp(context, "process")) {
		kst_calls();
	} else if (!strcmp(context, "irqs-off")) {
		local_irq_save(flags);
		kst_calls();
		local_irq_restore(flags);
	} else if (!strcmp(context, "spinlock")) {
		spin_lock_irqsave(&some_lock, flags);
		kst_calls();
		spin_unlock_irqrestore(&some_lock, flags);
	} else if (!strcmp(context, "hardirq")) {
		irq_work_queue(&hardirq);
		irq_work_sync(&hardirq);
	} else if (!strcmp(context, "nmi")) {
		return run_in_nmi();
	} else {
		return -EINVAL;
	}
	return 0;
}

static void report(const char *name, int error)
{
	seq_buf_printf(&result, "%s %d %u\n", name, error, other.flags);
	stack_sbuf_print(&result, &other);
}

static void called(void)
{
}

/* A call through a pointer, as the compiler makes it, by a thunk that is known. */
KT_FUNCTION void kst_by_thunk(void)
{
	void (*function)(void) = called;

#ifdef CONFIG_X86
	asm volatile("call __x86_indirect_thunk_rax" : "+a" (function), ASM_CALL_CONSTRAINT :
		     : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
#else
	OPTIMIZER_HIDE_VAR(function);
	function();
#endif
}

static struct task_struct *thunker;
static bool thunker_runs;
static int thunks_right, thunks_wrong;

KT_FUNCTION int kst_thunker(void *unused)
{
	int i;

	while (!kthread_should_stop()) {
		WRITE_ONCE(thunker_runs, true);
		for (i = 0; i < 100000; i++)
			kst_by_thunk();
		cond_resched();
	}
	return 0;
}

static bool in_thunk(unsigned long address)
{
#ifdef CONFIG_X86
	return address - (unsigned long)__x86_indirect_thunk_rax < RETPOLINE_THUNK_SIZE;
#else
	return false;
#endif
}

/* In an NMI that came in a thunk: does the stack lead on to who called by it? */
static struct stack wrong_in_thunk;	/* the first that does not */

#ifdef CONFIG_X86
static void look_at_thunk(unsigned long ip)
{
	int i = 0;

	stack_save(&own);
	while (i < own.depth && own.pcs[i] != ip)
		i++;
	if (i + 2 < own.depth && (own.flags & STACK_COMPLETE) &&
	    own.pcs[i + 1] - (unsigned long)kst_by_thunk < 64 &&
	    own.pcs[i + 2] - (unsigned long)kst_thunker < 256)
		thunks_right++;
	else if (!thunks_wrong++)
		wrong_in_thunk = own;
}

/* Sent by ourselves to ourselves; or by kcatch, to look at the thunker. */
KT_FUNCTION int kst_nmi(unsigned int type, struct pt_regs *regs)
{
	/* Interrupts and the scheduler use that thunk too, with other pointers in the register. */
	if (current == READ_ONCE(thunker) && in_thunk(regs->ip) &&
	    regs->ax == (unsigned long)called)
		look_at_thunk(regs->ip);
	if (READ_ONCE(nmi_cpu) != raw_smp_processor_id())
		return NMI_DONE;
	kst_calls();
	WRITE_ONCE(nmi_cpu, -1);
	return NMI_HANDLED;
}

static int kst_nmi_register(void)
{
	return register_nmi_handler(NMI_LOCAL, kst_nmi, 0, NAME);
}

static void kst_nmi_unregister(void)
{
	unregister_nmi_handler(NMI_LOCAL, NAME);
}
#else
static int kst_nmi_register(void)
{
	return 0;
}

static void kst_nmi_unregister(void)
{
}
#endif

/* Does a call end here, as it does at each return address? */
#ifdef CONFIG_X86
static bool behind_call(unsigned long address)
{
	u8 code[7];
	int i;

	if (copy_from_kernel_nofault(code, (void *)(address - sizeof(code)), sizeof(code)))
		return false;
	if (code[2] == 0xe8)
		return true;
	for (i = 0; i < 6; i++)
		if (code[i] == 0xff && (code[i + 1] >> 3 & 7) == 2)
			return true;
	return false;
}
#else
static bool behind_call(unsigned long address)	/* BL, or BLR and its like */
{
	u32 code;

	if (copy_from_kernel_nofault(&code, (void *)(address - sizeof(code)), sizeof(code)))
		return false;
	return code >> 26 == 0x25 || (code & 0xfefff800U) == 0xd63f0000U ||
	       (code & 0xfefff800U) == 0xd63f0800U;
}
#endif

static bool could_be(const struct stack *st)
{
	int i;

	if (st->depth < 1 || !st->flags)
		return false;
	for (i = 0; i < st->depth; i++)
		if (!(st->interrupted >> i & 1) && !behind_call(st->pcs[i]))
			return false;
	return true;
}

/*
 * The thread comes and goes as it likes. A trace that was given out is no mixture of two:
 * which shows in that each frame is a place that was interrupted or the end of a call. A
 * trace that is marked as broken says less, nothing false; in a thunk there is no need.
 */
static void storm(struct task_struct *td, int times)
{
	int saved = 0, broken = 0, thunks = 0, busy = 0, user = 0, wrong = 0, i, error;

	for (i = 0; i < times; i++) {
		error = i & 1 ? stack_save_td_running(&other, td) : stack_save_td(&other, td);
		if (!error && (!could_be(&other) ||
			       ((other.flags & STACK_BROKEN) && in_thunk(other.pcs[0])))) {
			if (!wrong++)
				stack_sbuf_print(&result, &other);
		} else if (!error) {
			saved++;
			thunks += in_thunk(other.pcs[0]);
			if ((other.flags & STACK_BROKEN) && !broken++)
				stack_sbuf_print(&result, &other);
		} else if (other.depth) {
			wrong++;
		} else if (error == -EBUSY) {
			busy++;
		} else if (error == -EAGAIN) {
			user++;
		} else {
			seq_buf_printf(&result, "error %d\n", error);
			wrong++;
		}
		cond_resched();
		/* Processors that are emulated in turn go on to the next one here. */
		cpu_relax();
	}
	if (td == thunker) {
		seq_buf_printf(&result, "in NMI: right %d wrong %d\n", thunks_right, thunks_wrong);
		if (thunks_wrong)
			stack_sbuf_print(&result, &wrong_in_thunk);
	}
	seq_buf_printf(&result, "storm saved %d (%d broken, %d in a thunk) busy %d user %d wrong %d\n",
		       saved, broken, thunks, busy, user, wrong);
}

/* Appends whole traces to one buffer, until so many are in it or one does not go in. */
static void grow(int wanted)
{
	struct seq_buf growing = {};
	int i, error = 0;

	stack_zero(&other);
	while (!stack_put(&other, (unsigned long)kst_calls + 1))
		;
	for (i = 0; !error && i < wanted; i++)
		error = stack_sbuf_print_growing(&growing, &other);
	seq_buf_printf(&result, "grow %d: %d, beyond 88 KB %d\n", i, error, growing.len > 89600);
	kfree(growing.buffer);
}

static int order_run(char *order)
{
	struct task_struct *td;
	unsigned long flags;
	char word[16];
	int pid, times = 0, error;

	seq_buf_init(&result, text, sizeof(text));
	if (sscanf(order, "in %15s", word) == 1)
		return run_in(word);
	if (sscanf(order, "grow %d", &times) == 1) {
		grow(times);
		return 0;
	}
	if (sscanf(order, "%15s %d %d", word, &pid, &times) < 2)
		return -EINVAL;
	if (!pid && !thunker) {
		td = kthread_create(kst_thunker, NULL, "kst_thunker");
		if (IS_ERR(td))
			return PTR_ERR(td);
		kthread_bind(td, cpumask_any_but(cpu_online_mask, raw_smp_processor_id()));
		thunker = get_task_struct(td);
		WRITE_ONCE(thunker_runs, false);
		wake_up_process(td);
		while (!READ_ONCE(thunker_runs))
			msleep(1);
	}
	rcu_read_lock();
	td = !pid ? thunker : pid_task(find_vpid(pid), PIDTYPE_PID);
	if (td)
		get_task_struct(td);
	rcu_read_unlock();
	if (!td)
		return -ESRCH;
	if (!strcmp(word, "td")) {
		report(word, stack_save_td(&other, td));
	} else if (!strcmp(word, "running")) {
		report(word, stack_save_td_running(&other, td));
	} else if (!strcmp(word, "masked")) {
		local_irq_save(flags);
		error = stack_save_td_running(&other, td);
		local_irq_restore(flags);
		report(word, error);
	} else if (!strcmp(word, "storm")) {
		storm(td, times);
	} else {
		times = -EINVAL;
	}
	put_task_struct(td);
	if (!pid) {
		kthread_stop(thunker);
		put_task_struct(thunker);
		thunker = NULL;
	}
	return times < 0 ? times : 0;
}

static ssize_t order_write(struct file *file, const char __user *from, size_t size, loff_t *at)
{
	char order[64];
	int error;

	if (size >= sizeof(order))
		return -EINVAL;
	if (copy_from_user(order, from, size))
		return -EFAULT;
	order[size] = '\0';
	mutex_lock(&order_lock);
	error = order_run(order);
	mutex_unlock(&order_lock);
	return error ?: size;
}

static int show(struct seq_file *file, void *unused)
{
	mutex_lock(&order_lock);
	seq_write(file, text, min(result.len, sizeof(text)));
	seq_printf(file, "sleeper pid %d\n", sleeper->pid);
	mutex_unlock(&order_lock);
	return 0;
}

static int open(struct inode *inode, struct file *file)
{
	return single_open(file, show, NULL);
}

static const struct proc_ops operations = {
	.proc_open = open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = order_write,
};

static int __init kst_init(void)
{
	int error;

	sleeper = kthread_run(kst_sleeper, NULL, "kst_sleeper");
	if (IS_ERR(sleeper))
		return PTR_ERR(sleeper);
	get_task_struct(sleeper);
	error = kst_nmi_register();
	if (!error && !proc_create(NAME, 0600, NULL, &operations)) {
		kst_nmi_unregister();
		error = -ENOMEM;
	}
	if (error) {
		kthread_stop(sleeper);
		put_task_struct(sleeper);
	}
	return error;
}

static void __exit kst_exit(void)
{
	remove_proc_entry(NAME, NULL);
	kst_nmi_unregister();
	kthread_stop(sleeper);
	put_task_struct(sleeper);
}

module_init(kst_init);
module_exit(kst_exit);
MODULE_DESCRIPTION("kcatch test: stack(9) in all contexts");
MODULE_LICENSE("GPL");
