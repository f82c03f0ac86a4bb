// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walking the stack. stack.h says what is promised.
 *
 * Limits: a frame whose rule needs registers other than SP and BP, code
 * generated at run time (BPF, trampolines of ftrace) and return addresses
 * replaced by the kernel (kretprobes, the function graph tracer) are left to
 * the kernel's unwinder.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/uaccess.h>
#include <asm/orc_types.h>
#include <asm/unwind.h>
#include "hook.h"
#include "compat/compat.h"
#include "orc.h"
#include "stack.h"

/* No frame of the kernel is larger: a whole task stack, an IRQ stack. */
#define FRAME_MAX	(2 * THREAD_SIZE)
/* Task, softirq or irq, exception and NMI stacks, and one in reserve. */
#define SWITCHES_MAX	8

/* Frames being collected. Too large for a module's static per-CPU space. */
struct scratch {
	u64 frames[KCATCH_LEVELS][KCATCH_DEPTH_MAX];
};

static struct scratch __percpu *scratch __read_mostly;
static bool fast __read_mostly;

enum step { STEP_FRAME, STEP_DONE, STEP_SLOW };

/* Registers of a frame that has yet to be left. */
struct walk {
	unsigned long ip, sp, bp;
	bool interrupted;
	u32 switches;
};

/* A word of kernel memory; false where there is none. */
static __always_inline bool peek(unsigned long address, unsigned long *value)
{
	if (unlikely(address < VMALLOC_START && address < PAGE_OFFSET))
		return false;
	__get_kernel_nofault(value, (unsigned long *)address, unsigned long, fault);
	return true;
fault:
	return false;
}

static __always_inline bool stack_address(unsigned long address)
{
	return address >= PAGE_OFFSET && !(address & 7);
}

static noinline enum step step_unusual(struct walk *walk, u64 answer)
{
	unsigned long cfa, bp = walk->bp, cs, saved_bp;
	u32 kind = KCATCH_ORC_KIND(answer);

	switch (kind) {
	case KCATCH_ORC_END:
		return STEP_DONE;
	case KCATCH_ORC_OTHER:
	case KCATCH_ORC_REGS:
	case KCATCH_ORC_IRET:
		break;
	default:
		return STEP_SLOW;
	}
	if (++walk->switches > SWITCHES_MAX)
		return STEP_SLOW;

	switch (KCATCH_ORC_SP_REG(answer)) {
	case ORC_REG_SP:
		cfa = walk->sp + KCATCH_ORC_SP_OFFSET(answer);
		break;
	case ORC_REG_BP:
		cfa = walk->bp + KCATCH_ORC_SP_OFFSET(answer);
		break;
	case ORC_REG_SP_INDIRECT:
		if (!peek(walk->sp, &cfa))
			return STEP_SLOW;
		cfa += KCATCH_ORC_SP_OFFSET(answer);
		break;
	case ORC_REG_BP_INDIRECT:
		if (!peek(walk->bp + KCATCH_ORC_SP_OFFSET(answer), &cfa))
			return STEP_SLOW;
		break;
	default:
		return STEP_SLOW;
	}
	if (!stack_address(cfa))
		return STEP_SLOW;
	switch (KCATCH_ORC_BP_REG(answer)) {
	case ORC_REG_PREV_SP:
		if (!peek(cfa + KCATCH_ORC_BP_OFFSET(answer), &bp))
			return STEP_SLOW;
		break;
	case ORC_REG_BP:
		if (!peek(walk->bp + KCATCH_ORC_BP_OFFSET(answer), &bp))
			return STEP_SLOW;
		break;
	}

	if (kind == KCATCH_ORC_OTHER) {
		if (!peek(cfa - 8, &walk->ip))
			return STEP_SLOW;
		walk->sp = cfa;
		walk->bp = bp;
		walk->interrupted = false;
		return STEP_FRAME;
	}

	/* Saved registers: the whole set, or what an interrupt pushes. */
	if (kind == KCATCH_ORC_IRET)
		cfa -= offsetof(struct pt_regs, ip);
	if (!peek(cfa + offsetof(struct pt_regs, cs), &cs))
		return STEP_SLOW;
	if (cs & 3)
		return STEP_DONE;	/* user mode */
	if (kind == KCATCH_ORC_REGS) {
		if (!peek(cfa + offsetof(struct pt_regs, bp), &saved_bp))
			return STEP_SLOW;
		if (KCATCH_ORC_BP_REG(answer) == ORC_REG_UNDEFINED)
			bp = saved_bp;
	}
	if (!peek(cfa + offsetof(struct pt_regs, ip), &walk->ip) ||
	    !peek(cfa + offsetof(struct pt_regs, sp), &walk->sp))
		return STEP_SLOW;
	walk->bp = bp;
	walk->interrupted = true;
	return stack_address(walk->sp) ? STEP_FRAME : STEP_SLOW;
}

/* Leave one frame. */
static __always_inline enum step step(struct walk *walk)
{
	u64 answer = kcatch_orc_find(walk->ip - !walk->interrupted);
	unsigned long cfa;

	switch (KCATCH_ORC_KIND(answer)) {
	case KCATCH_ORC_SP:
	case KCATCH_ORC_SP_BP:
		cfa = walk->sp + KCATCH_ORC_SP_OFFSET(answer);
		break;
	case KCATCH_ORC_BP_BP:
		cfa = walk->bp + KCATCH_ORC_SP_OFFSET(answer);
		break;
	default:
		return step_unusual(walk, answer);
	}
	/* Upwards, and by no more than a stack is long. */
	if (unlikely(cfa - walk->sp - 8 > FRAME_MAX || (cfa & 7)))
		return STEP_SLOW;
	if (KCATCH_ORC_KIND(answer) != KCATCH_ORC_SP &&
	    unlikely(!peek(cfa + KCATCH_ORC_BP_OFFSET(answer), &walk->bp)))
		return STEP_SLOW;
	if (unlikely(!peek(cfa - 8, &walk->ip)))
		return STEP_SLOW;
	walk->sp = cfa;
	walk->interrupted = false;
	return STEP_FRAME;
}

static __always_inline void note_interrupted(struct kcatch_stack *stack)
{
	if (stack->nr <= 255 && stack->nr_interrupted < ARRAY_SIZE(stack->interrupted))
		stack->interrupted[stack->nr_interrupted++] = stack->nr;
}

/* The fast way: false when the kernel's unwinder must do it. */
static __always_inline bool walk_fast(struct kcatch_stack *stack, struct walk *walk,
				      u32 depth)
{
	enum step next;

	do {
		stack->frames[stack->nr++] = walk->ip;
		if (unlikely(walk->interrupted))
			note_interrupted(stack);
		next = step(walk);
		if (next != STEP_FRAME) {
			stack->flags = KCATCH_STACK_COMPLETE;
			return next == STEP_DONE;
		}
	} while (stack->nr < depth);
	stack->flags = KCATCH_STACK_DEPTH;
	return true;
}

static bool is_own(unsigned long address)
{
	return within_module(address, THIS_MODULE) || kcatch_hook_is_trampoline(address);
}

/* Did the walk end where user mode was left? */
static bool at_user_mode(struct unwind_state *state)
{
	struct pt_regs *regs = unwind_get_entry_regs(state, NULL);

	return regs && user_mode(regs);
}

/* The kernel's way, over a state that stands on the first frame wanted. */
static void walk_kernel(struct kcatch_stack *stack, struct unwind_state *state, u32 depth)
{
	for (; !unwind_done(state); unwind_next_frame(state)) {
		unsigned long address = unwind_get_return_address(state);

		if (!address) {
			stack->flags = at_user_mode(state) ? KCATCH_STACK_COMPLETE :
							     KCATCH_STACK_BROKEN;
			return;
		}
		if (is_own(address)) {
			if (stack->nr && stack->frames[stack->nr - 1] == KCATCH_FRAME_SELF)
				continue;
			address = KCATCH_FRAME_SELF;
		}
		if (stack->nr == depth) {
			stack->flags = KCATCH_STACK_DEPTH;
			return;
		}
		stack->frames[stack->nr++] = address;
		if (kcatch_unwind_is_interrupted(state) && address != KCATCH_FRAME_SELF)
			note_interrupted(stack);
	}
	stack->flags = unwind_error(state) ? KCATCH_STACK_BROKEN : KCATCH_STACK_COMPLETE;
}

static noinline void walk_slow(struct kcatch_stack *stack,
			       const struct kcatch_origin *origin, u32 depth)
{
	struct unwind_state state;
	struct pt_regs entry = {
		.ip = origin->ip, .sp = origin->sp, .bp = origin->bp,
		.cs = __KERNEL_CS, .ss = __KERNEL_DS,
	};

	stack->nr = 0;
	stack->nr_interrupted = 0;
	memset(stack->interrupted, 0, sizeof(stack->interrupted));
	/* The unwinder looks modules up under RCU. */
	if (!rcu_is_watching()) {
		stack->frames[stack->nr++] = origin->caller;
		stack->flags = KCATCH_STACK_BROKEN;
		return;
	}
	/*
	 * Given registers, the unwinder starts on the frame after them. For a
	 * function's entry they are made up: inside its first instruction,
	 * with SP at the return address. Started at the return address itself
	 * it would take that for an interrupted place, and may take the wrong
	 * rule.
	 */
	unwind_start(&state, current, origin->regs ?: &entry, NULL);
	walk_kernel(stack, &state, depth);
}

void kcatch_stack_walk(struct kcatch_stack *stack, const struct kcatch_origin *origin,
		       u32 depth, int level)
{
	struct walk walk = { .switches = 0 };

	stack->frames = this_cpu_ptr(scratch)->frames[level];
	stack->nr = 0;
	stack->nr_interrupted = 0;
	memset(stack->interrupted, 0, sizeof(stack->interrupted));
	if (unlikely(!fast))
		goto slow;
	if (likely(!origin->regs)) {
		walk.ip = origin->caller;
		walk.sp = origin->sp + sizeof(long);
		walk.bp = origin->bp;
		walk.interrupted = false;
	} else {
		walk.ip = origin->ip;
		walk.sp = origin->regs->sp;
		walk.bp = origin->regs->bp;
		walk.interrupted = true;
		if (step(&walk) != STEP_FRAME)
			goto slow;
	}
	if (likely(walk_fast(stack, &walk, depth)))
		return;
slow:
	walk_slow(stack, origin, depth);
}

/* Both ways over the stack that called us must agree, frame by frame. */
static bool agrees_with_kernel(void)
{
	static u64 ours[KCATCH_DEPTH_MAX], theirs[KCATCH_DEPTH_MAX];
	struct kcatch_stack mine = { .frames = ours }, kernel = { .frames = theirs };
	struct unwind_state state;
	struct walk walk = { .switches = 0 };
	bool complete;

	preempt_disable();
	unwind_start(&state, current, NULL, NULL);
	while (!unwind_done(&state) &&
	       within_module(unwind_get_return_address(&state), THIS_MODULE))
		unwind_next_frame(&state);
	complete = kcatch_unwind_registers(&state, &walk.ip, &walk.sp, &walk.bp) &&
		   walk_fast(&mine, &walk, KCATCH_DEPTH_MAX);
	walk_kernel(&kernel, &state, KCATCH_DEPTH_MAX);
	preempt_enable();
	return complete && mine.nr == kernel.nr && mine.nr > 2 &&
	       mine.flags == kernel.flags &&
	       !memcmp(ours, theirs, mine.nr * sizeof(ours[0]));
}

int kcatch_stack_init(void)
{
	scratch = alloc_percpu(struct scratch);
	if (!scratch)
		return -ENOMEM;
	if (kcatch_orc_init()) {
		pr_info("kcatch: no ORC tables found, stacks are walked by the kernel\n");
		return 0;
	}
	fast = agrees_with_kernel();
	if (!fast)
		pr_warn("kcatch: own stack walker disagrees with the kernel's, not used\n");
	return 0;
}

void kcatch_stack_exit(void)
{
	free_percpu(scratch);
}

bool kcatch_stack_is_fast(void)
{
	return fast;
}
