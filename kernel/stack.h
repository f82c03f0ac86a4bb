/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stack above a caught call.
 *
 * It starts at the true caller: the hooks hand over where the function's
 * return address stands. Two ways: the fast one steps by remembered ORC answers
 * (orc.h), about 30 instructions a frame; where that does not suffice, it drops
 * what it did and the kernel's own unwinder does the whole stack. An interrupt
 * that landed in a hook of ours has that hook on its stack: it is folded into
 * one marked frame, and what was interrupted follows.
 *
 * Memory: 10 KB a CPU for the frames being collected, one set for each context
 * that can be inside a hook at once.
 */
#ifndef _KCATCH_STACK_H
#define _KCATCH_STACK_H

#include <linux/ptrace.h>
#include "context.h"
#include "record.h"

/* Frames being collected. Too large for a module's static per-CPU space. */
struct kcatch_scratch {
	/* One more for what is walked and not shown. */
	u64 frames[KCATCH_LEVELS][KCATCH_DEPTH_MAX + 1];
};

extern struct kcatch_scratch __percpu *kcatch_scratch;

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
 * kcatch_stack_trampoline() - what the kernel puts where a return is hooked
 *
 * Context: any. Return: that return address; 0 when it is not known
 */
unsigned long kcatch_stack_trampoline(void);

/* The stack of a record without one. */
extern const struct kcatch_stack kcatch_no_stack;

/* The two ways; see kcatch_stack_walk_entry(). The fast one goes on from
 * a frame to be stored at @at, up to @end, and returns the number of frames in
 * all, 0 where the kernel's unwinder is needed. */
u32 kcatch_stack_walk_fast(u64 *at, unsigned long ip, unsigned long sp, unsigned long bp,
			   u64 *end, struct kcatch_stack *stack);
void kcatch_stack_walk_entry_kernel(struct kcatch_stack *stack, unsigned long ip,
				    unsigned long caller, unsigned long sp, unsigned long bp,
				    u32 depth);

/** kcatch_stack_frames() - per-CPU space for the frames of a guard's level, good
 * until the hook leaves */
static __always_inline u64 *kcatch_stack_frames(int level)
{
	return this_cpu_ptr(kcatch_scratch)->frames[level];
}

/**
 * kcatch_stack_walk_entry() - collect the stack above a function's entry
 * @stack: result; its frames point to room for them
 * @ip: the function
 * @caller: its return address
 * @sp: where that stands
 * @bp: BP at the entry
 * @depth: most frames, 1..KCATCH_DEPTH_MAX
 *
 * Context: any, inside a hook, NMI too. Never faults, never waits.
 */
static __always_inline void kcatch_stack_walk_entry(struct kcatch_stack *stack,
						    unsigned long ip, unsigned long caller,
						    unsigned long sp, unsigned long bp,
						    u32 depth)
{
	stack->interrupted = 0;
	stack->unusual = 0;
	stack->nr = kcatch_stack_walk_fast(stack->frames, caller, sp + sizeof(long), bp,
					   stack->frames + depth, stack);
	if (unlikely(!stack->nr))
		kcatch_stack_walk_entry_kernel(stack, ip, caller, sp, bp, depth);
}

/**
 * kcatch_stack_walk_inside() - the same from a place inside a function
 * @regs: all registers there
 */
void kcatch_stack_walk_inside(struct kcatch_stack *stack, unsigned long ip,
			      struct pt_regs *regs, u32 depth);

/**
 * kcatch_stack_walk_event() - the same above an event, from the hook it calls
 * @frame: the frame of our function that was called: BP of its caller, return address
 * @skip: where code between the event and us begins, whose frame is not shown; 0:
 *	there is none
 * @skip_size: bytes of it
 *
 * @stack's frames have room for one more.
 */
void kcatch_stack_walk_event(struct kcatch_stack *stack, const unsigned long *frame,
			     u32 depth, unsigned long skip, u32 skip_size);

/**
 * kcatch_stack_walk_task() - the stack of a task that does not run
 * @stack: result; the caller sets frames, to room for @depth
 * @task: held by the caller, who finds out afterwards whether it ran meanwhile: then
 *	what was collected means nothing
 * @new: it never ran yet
 *
 * Context: any, under RCU. Never faults, never waits.
 * Return: false where the kernel's unwinder is needed
 */
bool kcatch_stack_walk_task(struct kcatch_stack *stack, struct task_struct *task, bool new,
			    u32 depth);

#endif
