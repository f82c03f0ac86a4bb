/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack(9): declarations shared by its files. The functions and their contexts are in
 * include/kcatch/stack.h.
 */
#ifndef _KCATCH_STACK_API_H
#define _KCATCH_STACK_API_H

#include <kcatch/stack.h>

struct pt_regs;

/**
 * kcatch_stack_api_save_current() - the current thread, from a caller on
 * @frame: frame address of a function: it and all that it calls are left out
 * @caller: its return address
 *
 * Context: any.
 */
void kcatch_stack_api_save_current(struct stack *st, unsigned long *frame, unsigned long caller);

/**
 * kcatch_stack_api_save_regs() - the current thread, from where it was interrupted
 * @regs: of that place, in kernel mode
 *
 * Context: any, NMI too.
 */
void kcatch_stack_api_save_regs(struct stack *st, struct pt_regs *regs);

/** kcatch_stack_api_init() - be ready to interrupt other CPUs, where that can be done */
void kcatch_stack_api_init(void);
void kcatch_stack_api_exit(void);

#endif
