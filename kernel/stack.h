/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stack above a caught call.
 *
 * It starts at the true caller: the hooks hand over where the function's
 * return address stands, so nothing of ours is ever walked through. Two ways:
 * the fast one steps by remembered ORC answers (orc.h), about 30 instructions
 * a frame; wherever it meets anything but plain frames, it drops what it did
 * and the kernel's own unwinder does the whole stack.
 *
 * Memory: 10 KB a CPU for the frames being collected, one set for each context
 * that can be inside a hook at once.
 */
#ifndef _KCATCH_STACK_H
#define _KCATCH_STACK_H

#include <linux/ptrace.h>
#include "context.h"
#include "record.h"

/**
 * struct kcatch_origin - where a call was caught
 * @ip: the address that was hit
 * @caller: return address, where @regs is NULL
 * @sp: where that return address stands
 * @bp: the frame pointer register
 * @regs: all registers, at a place inside a function (kprobe); or NULL
 */
struct kcatch_origin {
	unsigned long ip;
	unsigned long caller;
	unsigned long sp;
	unsigned long bp;
	struct pt_regs *regs;
};

/**
 * kcatch_stack_init() - find the ORC tables and try the fast walker
 *
 * It walks the stack of this call and compares with the kernel's unwinder;
 * when they differ, the fast one is never used.
 *
 * Return: 0 or -ENOMEM
 */
int kcatch_stack_init(void);
void kcatch_stack_exit(void);

/** kcatch_stack_is_fast() - did the fast walker pass its test */
bool kcatch_stack_is_fast(void);

/**
 * kcatch_stack_walk() - collect the stack above a caught call
 * @stack: result; its frames point into per-CPU space that is good until the
 *	hook leaves
 * @origin: where
 * @depth: most frames, 1..KCATCH_DEPTH_MAX
 * @level: of the guard (enum in context.h)
 *
 * Context: any, inside a hook, NMI too. Never faults, never waits.
 */
void kcatch_stack_walk(struct kcatch_stack *stack, const struct kcatch_origin *origin,
		       u32 depth, int level);

#endif
