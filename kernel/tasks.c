// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state of threads. Process context.
 *
 * Threads are collected under RCU with a reference each, then described one by one
 * with nothing held: a machine of many thousands is not kept from its work. What is
 * told of a thread belongs together: when it ran meanwhile, it is looked at again.
 */
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/pid_namespace.h>
#include <linux/sched/clock.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <kcatch/stack.h>
#include "compat/compat.h"
#include "compat/regs.h"
#include "core/threads.h"
#include "program/fetch_memory.h"
#include "tasks.h"

/* How often a thread that runs while it is looked at is looked at again. */
#define TRIES	4

struct work {
	struct kcatch_task task;
	struct stack stack;
};

static u32 flags_of(struct task_struct *thread)
{
	u32 flags = 0;

	if (thread->flags & PF_KTHREAD)
		flags |= KCATCH_TASK_KERNEL;
	/* What it left when it was switched out is read behind this: the scheduler's release. */
	if (smp_load_acquire(&thread->on_cpu))
		flags |= KCATCH_TASK_ON_CPU;
	if (kcatch_task_is_frozen(thread))
		flags |= KCATCH_TASK_FROZEN;
	if (thread->in_iowait)
		flags |= KCATCH_TASK_IO;
	return flags;
}

static u64 switches_of(const struct task_struct *thread)
{
	return READ_ONCE(thread->nvcsw) + READ_ONCE(thread->nivcsw);
}

/* Under RCU, which keeps the namespace. */
static u32 ns_tid_of(struct task_struct *thread)
{
	struct pid_namespace *space = task_active_pid_ns(thread);

	return space ? task_pid_nr_ns(thread, space) : 0;
}

/* Threads that the kernel makes for a process (io_uring, vhost) have copies of their maker's, but
 * for the instruction and the stack pointer: kcatch_user_registers() */
static void keep_user_registers(struct task_struct *thread, struct kcatch_task *task)
{
	struct pt_regs regs;

	if (copy_from_kernel_nofault(&regs, task_pt_regs(thread), sizeof(regs)) ||
	    (!kcatch_regs_ip(&regs) && !kcatch_regs_sp(&regs)))
		return;
	kcatch_regs_keep(task->regs, &regs);
	task->flags |= KCATCH_TASK_REGS;
}

static void tasks_describe(struct task_struct *thread, struct kcatch_task *task)
{
	memset(task, 0, offsetof(struct kcatch_task, frames));
	task->pid = thread->tgid;
	task->tid = thread->pid;
	rcu_read_lock();
	/* A released thread's parent may have been freed before this section began. */
	task->ppid = pid_alive(thread) ? rcu_dereference(thread->real_parent)->tgid : 0;
	task->uid = __kuid_val(__task_cred(thread)->uid);
	task->ns_tid = ns_tid_of(thread);
	rcu_read_unlock();
	task->nr_threads = get_nr_threads(thread);
	/* These first: if it does not run, and has not run when they are looked at again, all that
	 * follows is of one moment. */
	task->flags = flags_of(thread);
	task->switches = switches_of(thread);
	task->state = task_state_to_char(thread);
	task->cpu = task_cpu(thread);
	task->ran_at = thread->sched_info.last_arrival;
	task->address = (unsigned long)thread;
	task->mm = (unsigned long)READ_ONCE(thread->mm);
	task->clear_tid = (unsigned long)READ_ONCE(thread->clear_child_tid);
	memcpy(task->comm, thread->comm, sizeof(task->comm));
	task->comm[sizeof(task->comm) - 1] = '\0';
	rcu_read_lock();	/* keeps the stack's memory */
	if (refcount_read(&thread->stack_refcount)) {
		task->stack = (unsigned long)thread->stack;
		task->stack_end = task->stack + THREAD_SIZE;
	}
	if (task->stack && !(task->flags & KCATCH_TASK_ON_CPU)) {
		task->sp = kcatch_task_sp(thread);
		if (task->mm && !(task->flags & KCATCH_TASK_KERNEL))
			keep_user_registers(thread, task);
	}
	rcu_read_unlock();
}

static void describe_stack(struct task_struct *thread, struct work *work, bool running)
{
	struct kcatch_task *task = &work->task;
	struct stack *stack = &work->stack;
	int error = -EBUSY;

	if (thread == current)
		error = -EDEADLK;
	else if (!(task->flags & KCATCH_TASK_ON_CPU))
		error = kcatch_stack_save_td(stack, thread);
	else if (running)
		error = kcatch_stack_save_td_running(stack, thread);
	task->stack_error = error;
	if (error)
		return;
	BUILD_BUG_ON(ARRAY_SIZE(task->frames) != STACK_MAX);
	task->nr_frames = stack->depth;
	task->stack_flags = stack->flags & STACK_COMPLETE ? KCATCH_STACK_COMPLETE :
			    stack->flags & STACK_CUT ? KCATCH_STACK_DEPTH : KCATCH_STACK_BROKEN;
	task->interrupted = stack->interrupted;
	memcpy(task->frames, stack->pcs, stack->depth * sizeof(stack->pcs[0]));
}

/* Describes a thread; all of it is of one moment if the thread does not run meanwhile. */
static void tasks_examine(struct task_struct *thread, struct work *work, u32 flags)
{
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		tasks_describe(thread, &work->task);
		if (flags & KCATCH_TASKS_STACKS)
			describe_stack(thread, work, flags & KCATCH_TASKS_RUNNING);
		smp_rmb();
		if ((work->task.flags & KCATCH_TASK_ON_CPU) ||
		    (switches_of(thread) == work->task.switches && !READ_ONCE(thread->on_cpu)))
			return;
	}
	work->task.flags |= KCATCH_TASK_MOVED;
}

int kcatch_tasks_list(struct kcatch_tasks *list)
{
	struct kcatch_task __user *to = u64_to_user_ptr(list->buffer);
	struct kcatch_threads threads;
	struct work *work;
	u32 i, done = 0;
	int error;

	if (list->flags & ~(KCATCH_TASKS_STACKS | KCATCH_TASKS_RUNNING) || list->reserved)
		return -EINVAL;
	work = kmalloc(sizeof(*work), GFP_KERNEL);
	if (!work)
		return -ENOMEM;
	error = kcatch_threads_hold(&threads, list->pid);
	if (error) {
		kfree(work);
		return error;
	}
	list->now = local_clock();
	for (i = 0; i < threads.nr && !error && done < list->count; i++) {
		size_t size;

		tasks_examine(threads.of[i], work, list->flags);
		size = offsetof(struct kcatch_task, frames) +
		       work->task.nr_frames * sizeof(work->task.frames[0]);
		if (copy_to_user(&to[done++], &work->task, size))
			error = -EFAULT;
		else if (signal_pending(current))
			error = -EINTR;
		cond_resched();
	}
	list->count = done;
	list->total = threads.nr;
	kcatch_threads_put(&threads);
	kfree(work);
	return error;
}

/* The direct map has pages of devices as well (memremap_pages()), and pages that a hypervisor has
 * taken back: neither is online memory. */
static bool is_online(unsigned long address)
{
	struct page *page;

	if (!kcatch_in_direct_map(address))
		return true;	/* kcatch_read() looks at the others */
	page = pfn_to_online_page((address - PAGE_OFFSET) >> PAGE_SHIFT);
	return page && !PageOffline(page);
}

int kcatch_tasks_read(const struct kcatch_read *read)
{
	u8 __user *to = u64_to_user_ptr(read->buffer);
	u32 done = 0, part;
	int error = 0;
	void *page;

	if (read->reserved || read->size > KCATCH_READ_MAX || read->address < PAGE_OFFSET ||
	    read->address + read->size < read->address)
		return -EINVAL;
	page = kmalloc(PAGE_SIZE, GFP_KERNEL);
	if (!page)
		return -ENOMEM;
	while (!error && done < read->size) {
		part = min_t(u32, read->size - done,
			     PAGE_SIZE - offset_in_page(read->address + done));
		if (!is_online(read->address + done) ||
		    !kcatch_read(page, read->address + done, part) ||
		    copy_to_user(to + done, page, part))
			error = -EFAULT;
		done += part;
	}
	kfree(page);
	return error;
}
