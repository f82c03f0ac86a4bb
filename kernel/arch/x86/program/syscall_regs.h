/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registers at a system call of x86: its arguments are in di, si, dx, r10, r8, r9, its number
 * in orig_ax.
 */
#ifndef _KCATCH_PROGRAM_SYSCALL_REGS_H
#define _KCATCH_PROGRAM_SYSCALL_REGS_H

#include <linux/compiler.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/types.h>

/* Where pt_regs has each of them, in their order. All are in KCATCH_SHAPE_WORDS words from
 * KCATCH_CALL_BEGIN on. */
#define KCATCH_CALL_EACH(item)							\
	item(offsetof(struct pt_regs, di)), item(offsetof(struct pt_regs, si)),	\
	item(offsetof(struct pt_regs, dx)), item(offsetof(struct pt_regs, r10)), \
	item(offsetof(struct pt_regs, r8)), item(offsetof(struct pt_regs, r9)),
#define KCATCH_CALL_BEGIN	offsetof(struct pt_regs, r10)
#define KCATCH_CALL_NUMBER	offsetof(struct pt_regs, orig_ax)

/** kcatch_is_call() - are these the registers at a task's system call? They are at the end of its
 * stack, and can be read directly. Context: any */
static __always_inline bool kcatch_is_call(u64 regs, const struct task_struct *task)
{
	return likely((unsigned long)task_stack_page(task) ==
		      regs + sizeof(struct pt_regs) + TOP_OF_KERNEL_STACK_PADDING - THREAD_SIZE);
}

/** kcatch_put_call() - the first @nr arguments of a system call. Context: any */
static __always_inline void kcatch_put_call(u64 *to, const struct pt_regs *regs, u32 nr)
{
	if (!nr)
		return;
	to[0] = regs->di;
	if (nr < 2)
		return;
	to[1] = regs->si;
	if (nr < 3)
		return;
	to[2] = regs->dx;
	if (nr < 4)
		return;
	to[3] = regs->r10;
	if (nr < 5)
		return;
	to[4] = regs->r8;
	if (nr < 6)
		return;
	to[5] = regs->r9;
}

#endif
