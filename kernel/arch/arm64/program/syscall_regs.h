/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registers at a system call of 64-bit Arm: its arguments are in x0 to x5, its number in x8.
 * At its end x0 is the result.
 */
#ifndef _KCATCH_PROGRAM_SYSCALL_REGS_H
#define _KCATCH_PROGRAM_SYSCALL_REGS_H

#include <linux/compiler.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/types.h>

/* Where pt_regs has each of them, in their order. All are in KCATCH_SHAPE_WORDS words from
 * KCATCH_CALL_BEGIN on. */
#define KCATCH_CALL_EACH(item)							\
	item(offsetof(struct pt_regs, regs[0])), item(offsetof(struct pt_regs, regs[1])), \
	item(offsetof(struct pt_regs, regs[2])), item(offsetof(struct pt_regs, regs[3])), \
	item(offsetof(struct pt_regs, regs[4])), item(offsetof(struct pt_regs, regs[5])),
#define KCATCH_CALL_BEGIN	offsetof(struct pt_regs, regs[0])
#define KCATCH_CALL_NUMBER	offsetof(struct pt_regs, regs[8])

/** kcatch_is_call() - are these the registers at a task's system call? They are at the end of its
 * stack, and can be read directly. Context: any */
static __always_inline bool kcatch_is_call(u64 regs, const struct task_struct *task)
{
	return likely((unsigned long)task_stack_page(task) ==
		      regs + sizeof(struct pt_regs) - THREAD_SIZE);
}

/** kcatch_put_call() - the first @nr arguments of a system call. Context: any */
static __always_inline void kcatch_put_call(u64 *to, const struct pt_regs *regs, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		to[i] = regs->regs[i];
}

#endif
