/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack(9): declarations that its files share. include/kcatch/stack.h declares and documents
 * the exported functions.
 */
#ifndef _KCATCH_STACK_API_H
#define _KCATCH_STACK_API_H

#include <kcatch/stack.h>

struct pt_regs;
struct task_struct;

/**
 * kcatch_stack_api_save_current() - save the stack of the current thread
 * @st: result
 * @frame: frame address of the function that is left out, with all that it calls
 * @caller: return address of that function: the first frame
 *
 * Where RCU is not watching (idle and entry code), only @caller is saved, with STACK_BROKEN.
 *
 * Context: any, NMI too.
 */
void kcatch_stack_api_save_current(struct stack *st, unsigned long *frame, unsigned long caller);

/**
 * kcatch_stack_api_save_regs() - save the stack of the current thread from where it was
 * interrupted
 * @st: result; its first frame is the place in @regs
 * @regs: the interrupted registers, of kernel mode
 *
 * Context: any, NMI too.
 */
void kcatch_stack_api_save_regs(struct stack *st, struct pt_regs *regs);

/**
 * kcatch_stack_api_save_task() - save the stack of another thread in the kernel's own way
 * @st: result
 * @td: does not run; the caller checks afterwards whether it ran meanwhile
 *
 * Context: any, under RCU. Return: 0, -EOPNOTSUPP: that would not be safe
 */
int kcatch_stack_api_save_task(struct stack *st, struct task_struct *td);

/**
 * kcatch_stack_api_init() - register the NMI handler that saves the stacks of running threads
 *
 * If this machine cannot send an NMI, kcatch_stack_save_td_running() returns -EOPNOTSUPP.
 *
 * Context: may sleep.
 */
void kcatch_stack_api_init(void);
/** kcatch_stack_api_exit() - wait for NMIs under way, at most a second for each CPU, and unregister
 * the handler. Context: may sleep */
void kcatch_stack_api_exit(void);

#endif
