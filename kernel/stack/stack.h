/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stack of a hit.
 *
 * It starts with the true caller, because each hook passes the place of the function's
 * return address. The fast path is our own walk, on x86 by cached ORC rules (orc.h), about 30
 * instructions a frame. If a rule is missing, it discards its frames, and the kernel's unwinder
 * walks the whole stack (the slow path). An interrupt that arrived in one of our hooks has that
 * hook on its stack: the hook's frames are folded into one marked frame, and the interrupted
 * frames follow.
 *
 * Memory: 10 KB a CPU for the frames being collected, one set for each context that can be
 * inside a hook at once.
 */
#ifndef _KCATCH_STACK_H
#define _KCATCH_STACK_H

#include <linux/percpu.h>
#include <linux/ptrace.h>
#include "compat/regs.h"
#include "core/guard.h"
#include "ring/record_encoder.h"
#include "stack/stack_check.h"

/* Frames being collected. Too large for a module's static per-CPU space. */
struct kcatch_scratch {
	/* One more for a frame that is walked but not shown. */
	u64 frames[KCATCH_LEVELS][KCATCH_DEPTH_MAX + 1];
};

struct module;

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

/** kcatch_stack_try() - the machine's part: find what the fast walker needs, and compare it with
 * the kernel's over the stack of this call. Context: may sleep. Return: it may be used */
bool kcatch_stack_try(void);

/* The fast walker is used. */
extern bool kcatch_stack_fast;

/** kcatch_stack_is_fast() - is the fast walker used? It passed the test of kcatch_stack_init(),
 * and the self-check found no difference */
bool kcatch_stack_is_fast(void);

/* Code of the kernel's that may be interrupted, and has a wrong rule there, was not found. */
extern bool kcatch_stack_ends_doubted;

/** kcatch_stack_doubt_ends() - a stack that ends where it was interrupted is told to be incomplete.
 * Context: while the module is loaded */
static inline void kcatch_stack_doubt_ends(void)
{
	kcatch_stack_ends_doubted = true;
}

/** kcatch_stack_distrust() - use the fast walker no more; stack_check.h. Context: any */
void kcatch_stack_distrust(void);

/**
 * kcatch_stack_has_own() - is a function of this module on the stack of the current task?
 * @regs: where it begins
 *
 * Context: of a notifier of deaths.
 */
bool kcatch_stack_has_own(struct pt_regs *regs);

/**
 * kcatch_stack_forget_all() - remove all that is remembered of addresses of code
 *
 * Context: any.
 */
void kcatch_stack_forget_all(void);

/**
 * kcatch_stack_forget() - remove all that is remembered of a module's addresses
 * @module: module that is loaded, unloaded, or about to free its init part
 *
 * Context: any; hooks may run meanwhile.
 */
void kcatch_stack_forget(struct module *module);

/**
 * kcatch_stack_try_trampoline() - is the code that leads to one of our ftrace hooks what it is
 *	taken for? Else the kernel's unwinder walks stacks that go through it
 * @trampoline: its first byte; 0: there is none
 *
 * Context: may sleep.
 */
void kcatch_stack_try_trampoline(unsigned long trampoline);

/* The stack of a record without one. */
extern const struct kcatch_stack kcatch_no_stack;

/** kcatch_stack_note_interrupted() - the frame of this index was interrupted: its index + 1 goes
 * into the next free byte of @interrupted. Context: any */
static inline void kcatch_stack_note_interrupted(u32 *interrupted, u32 index)
{
	u32 shift = 0;

	while (shift < 32 && *interrupted >> shift & 255)
		shift += 8;
	if (index < 255 && shift < 32)
		*interrupted |= (index + 1) << shift;
}

/* The two ways; see kcatch_stack_walk_entry(). The fast one returns number, flags and interrupted
 * frames as struct kcatch_hit has them, with context 0 (kcatch_stack_unpack()); 0: the kernel's
 * unwinder is needed. */
u64 kcatch_stack_walk_fast(u64 *frames, unsigned long ip, unsigned long sp, unsigned long bp,
			   unsigned long depth);
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
 * @sp: address of the stack slot that holds @caller
 * @bp: BP at the entry
 * @depth: maximum frames, 1..KCATCH_DEPTH_MAX
 * @level: level of the guard
 *
 * Context: any, inside a hook, NMI too. Never faults, never waits.
 */
static __always_inline void kcatch_stack_walk_entry(struct kcatch_stack *stack,
						    unsigned long ip, unsigned long caller,
						    unsigned long sp, unsigned long bp,
						    u32 depth, int level)
{
	kcatch_stack_unpack(stack, kcatch_stack_walk_fast(stack->frames, caller, kcatch_slot_sp(sp),
							  bp, depth));
	if (unlikely(!stack->nr))
		kcatch_stack_walk_entry_kernel(stack, ip, caller, sp, bp, depth);
	else if (static_branch_unlikely(&kcatch_stack_checked))
		kcatch_stack_check(stack, ip, caller, sp, bp, depth, level);
}

/**
 * kcatch_stack_walk_inside() - collect the stack from a place inside a function
 * @regs: all registers at that place
 */
void kcatch_stack_walk_inside(struct kcatch_stack *stack, unsigned long ip,
			      struct pt_regs *regs, u32 depth);

/**
 * kcatch_stack_walk_event() - collect the stack above an event, from the hook it calls
 * @frame: frame address of our hook: BP of its caller, return address
 * @skip: start of the code between the event and the hook, whose frame is left out; 0:
 *	none
 * @skip_size: bytes of that code
 * @level: level of the guard
 *
 * @stack's frames have room for one more.
 */
void kcatch_stack_walk_event(struct kcatch_stack *stack, const unsigned long *frame,
			     u32 depth, unsigned long skip, u32 skip_size, int level);

/**
 * kcatch_stack_walk_task() - the stack of a task that does not run
 * @stack: result; the caller sets frames, to room for @depth
 * @task: held by the caller, who checks afterwards whether it ran meanwhile: then the
 *	frames are invalid
 * @new: the task has never run
 *
 * Context: any, under RCU; inside a hook or between kcatch_outside_enter() and
 * kcatch_outside_leave(). Never faults, never waits.
 * Return: false where the kernel's unwinder is needed
 */
bool kcatch_stack_walk_task(struct kcatch_stack *stack, struct task_struct *task, bool new,
			    u32 depth);

#endif
