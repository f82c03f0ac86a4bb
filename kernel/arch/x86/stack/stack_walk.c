// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walking the stack of x86. stack.h says what is promised.
 *
 * Limits: a frame whose rule needs registers other than SP and BP, and code
 * generated at run time (BPF, other tracers' trampolines) are left to the kernel's
 * unwinder.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/uaccess.h>
#include <asm/orc_types.h>
#include <asm/switch_to.h>
#include <asm/unwind.h>
#include "compat/unwind.h"
#include "core/guard.h"
#include "program/fetch_memory.h"
#include "returns/returns.h"
#include "stack/orc.h"
#include "stack/stack.h"
#include "stack/thunk.h"
#include "stack/trampoline.h"
#include "stack/unwinder.h"

/* No frame of the kernel is larger: a whole task stack, an IRQ stack. */
#define FRAME_MAX	(2 * THREAD_SIZE)
/* Frames that are not plain, in one stack: ends a walk that goes in a circle. */
#define UNUSUAL_MAX	KCATCH_DEPTH_MAX

#define UNREADABLE	-0x5eed	/* no address, and hardly a number */

enum step { STEP_FRAME, STEP_DONE, STEP_SLOW };

/* Registers of a frame that has yet to be left. */
struct walk {
	unsigned long ip, sp, bp;
	bool interrupted;
};

/* A word of memory where kernel data should be; false where there is none. */
static __always_inline bool walk_peek(unsigned long address, unsigned long *value)
{
#ifdef CONFIG_CC_HAS_ASM_GOTO_OUTPUT
	__get_kernel_nofault(value, (unsigned long *)address, unsigned long, fault);
	return true;
fault:
	return false;
#else
	/* Here that keeps a flag in a register of its own, five instructions a frame. A word that
	 * is as if there were none only sends the walk the slow way. */
	*value = KCATCH_LOAD_OR(UNREADABLE, address);
	return *value != (unsigned long)UNREADABLE;
#endif
}

/* Could this be on a stack? (A non-canonical address would make the processor
 * complain in another way than walk_peek() is ready for.) */
static __always_inline bool stack_address(unsigned long address)
{
	return address >= PAGE_OFFSET && !(address & 7);
}

static __always_inline bool peek_checked(unsigned long address, unsigned long *value)
{
	return stack_address(address) && walk_peek(address, value);
}

/* A word of what a walk may read. @high: its last word */
static __always_inline bool peek_between(unsigned long address, unsigned long low,
					 unsigned long high, unsigned long *value)
{
	return address >= low && address <= high && !(address & 7) && walk_peek(address, value);
}

/* Leave one frame, by whatever rule. Nothing is read but from @low to @high. */
static __always_inline enum step step_between(struct walk *walk, u64 answer, unsigned long low,
					      unsigned long high)
{
	unsigned long cfa, bp = walk->bp, cs, saved_bp;
	u32 kind = KCATCH_ORC_KIND(answer);

	switch (kind) {
	case KCATCH_ORC_END:
		return STEP_DONE;
	case KCATCH_ORC_SP_BP:
	case KCATCH_ORC_SP:
	case KCATCH_ORC_BP_BP:
	case KCATCH_ORC_BP_MEMORY:
	case KCATCH_ORC_OTHER:
	case KCATCH_ORC_OWN:
	case KCATCH_ORC_SP_REGS:
	case KCATCH_ORC_REGS:
	case KCATCH_ORC_IRET:
		break;
	default:
		return STEP_SLOW;
	}
	switch (KCATCH_ORC_SP_REG(answer)) {
	case ORC_REG_SP:
		cfa = walk->sp + KCATCH_ORC_SP_OFFSET(answer);
		break;
	case ORC_REG_BP:
		cfa = walk->bp + KCATCH_ORC_SP_OFFSET(answer);
		break;
	case ORC_REG_SP_INDIRECT:
		if (!peek_between(walk->sp, low, high, &cfa))
			return STEP_SLOW;
		cfa += KCATCH_ORC_SP_OFFSET(answer);
		break;
	case ORC_REG_BP_INDIRECT:
		if (!peek_between(walk->bp + KCATCH_ORC_SP_OFFSET(answer), low, high, &cfa))
			return STEP_SLOW;
		break;
	default:
		return STEP_SLOW;
	}
	if (!stack_address(cfa))
		return STEP_SLOW;
	switch (KCATCH_ORC_BP_REG(answer)) {
	case ORC_REG_PREV_SP:
		if (!peek_between(cfa + KCATCH_ORC_BP_OFFSET(answer), low, high, &bp))
			return STEP_SLOW;
		break;
	case ORC_REG_BP:
		if (!peek_between(walk->bp + KCATCH_ORC_BP_OFFSET(answer), low, high, &bp))
			return STEP_SLOW;
		break;
	}

	if (kind != KCATCH_ORC_SP_REGS && kind != KCATCH_ORC_REGS && kind != KCATCH_ORC_IRET) {
		if (!peek_between(cfa - 8, low, high, &walk->ip))
			return STEP_SLOW;
		walk->sp = cfa;
		walk->bp = bp;
		walk->interrupted = false;
		return STEP_FRAME;
	}

	/* Saved registers: the whole set, or what an interrupt pushes. */
	if (kind == KCATCH_ORC_IRET)
		cfa -= offsetof(struct pt_regs, ip);
	if (!peek_between(cfa + offsetof(struct pt_regs, cs), low, high, &cs))
		return STEP_SLOW;
	if (cs & 3)
		return STEP_DONE;	/* user mode */
	if (kind != KCATCH_ORC_IRET) {
		if (!peek_between(cfa + offsetof(struct pt_regs, bp), low, high, &saved_bp))
			return STEP_SLOW;
		if (KCATCH_ORC_BP_REG(answer) == ORC_REG_UNDEFINED)
			bp = saved_bp;
	}
	if (!peek_between(cfa + offsetof(struct pt_regs, ip), low, high, &walk->ip) ||
	    !peek_between(cfa + offsetof(struct pt_regs, sp), low, high, &walk->sp))
		return STEP_SLOW;
	walk->bp = bp;
	walk->interrupted = true;
	return stack_address(walk->sp) ? STEP_FRAME : STEP_SLOW;
}

static noinline enum step step_slow(struct walk *walk, u64 answer)
{
	return step_between(walk, answer, PAGE_OFFSET, ULONG_MAX);
}

/* The same on a task's stack from @low on. If the task runs, what is there is anything, and what is
 * read as an address may be a device's. */
static noinline enum step step_task(struct walk *walk, u64 answer, unsigned long low)
{
	return step_between(walk, answer, low, low + THREAD_SIZE - sizeof(long));
}

enum plain { PLAIN_OTHER, PLAIN_SLOW, PLAIN_USER, PLAIN_DEPTH };

/*
 * Steps over plain frames. SP only grows along these, by an offset that was checked when the
 * rule was remembered, so it needs no check here. 17 instructions for a frame that saved BP, 16
 * for one that did not. @end: of the frames; @index: of the next, counted up to 0: place and end
 * in one register
 */
static __always_inline enum plain walk_plain(u64 *end, long *index, struct walk *walk)
{
	unsigned long ip = walk->ip, sp = walk->sp, bp = walk->bp, cfa, cs;
	enum plain result = PLAIN_OTHER;
	long i = *index, saved;
	u64 word;

	do {
		word = READ_ONCE(kcatch_orc_memory[ip & KCATCH_ORC_MASK]);
		if (likely(kcatch_orc_is_plain(word, ip))) {
			sp += word >> 48;
			/* KCATCH_ORC_BP_OFFSET(), in a register: a test less. */
			saved = word << 16;
			OPTIMIZER_HIDE_VAR(saved);
			saved >>= 48;
			if (saved && unlikely(!walk_peek(sp + saved, &bp)))
				return PLAIN_SLOW;
		} else if (unlikely(!kcatch_orc_is_other(word, ip))) {
			break;
		} else if (KCATCH_ORC_KIND(word) == KCATCH_ORC_BP_BP) {
			cfa = bp + KCATCH_ORC_SP_OFFSET(word);
			/* Not a multiple of 8, rotated: more than any. */
			if (unlikely(ror64(cfa - sp - 8, 3) > FRAME_MAX / 8 ||
				     !walk_peek(cfa + KCATCH_ORC_BP_OFFSET(word), &bp)))
				return PLAIN_SLOW;
			sp = cfa;
		} else if (KCATCH_ORC_KIND(word) == KCATCH_ORC_SP_REGS) {
			/* The end of most walks. */
			if (unlikely(!walk_peek(sp + KCATCH_ORC_SP_OFFSET(word) +
							offsetof(struct pt_regs, cs),
						&cs) ||
				     !(cs & 3)))
				break;
			end[i++] = ip;
			result = PLAIN_USER;
			break;
		} else if (likely(KCATCH_ORC_KIND(word) == KCATCH_ORC_BP_MEMORY)) {
			if (unlikely(bp - sp > FRAME_MAX ||
				     !walk_peek(bp + KCATCH_ORC_SP_OFFSET(word), &cfa) ||
				     ror64(cfa - sp - 8, 3) > FRAME_MAX / 8 ||
				     !walk_peek(bp + KCATCH_ORC_BP_OFFSET(word), &bp)))
				return PLAIN_SLOW;
			sp = cfa;
		} else {
			break;
		}
		end[i] = ip;
		if (unlikely(!walk_peek(sp - 8, &ip)))
			return PLAIN_SLOW;
		if (unlikely(!++i)) {
			result = PLAIN_DEPTH;
			break;
		}
	} while (1);
	walk->ip = ip;
	walk->sp = sp;
	walk->bp = bp;
	*index = i;
	return result;
}

static __always_inline u64 walk_walked(u32 flags, unsigned long depth, long index)
{
	return (depth + index) << 16 | flags << 8;
}

/*
 * A frame that is not plain, and those it leads to as long as they are not; then on over plain
 * frames, and so on. The others as those of walk_plain() and kcatch_stack_walk_fast().
 */
static noinline u64 walk_unusual(u64 *end, long i, unsigned long ip, unsigned long sp,
				 unsigned long bp, unsigned long depth)
{
	struct walk walk = { .ip = ip, .sp = sp, .bp = bp };
	u32 interrupted = 0, unusual = 0, flags;
	enum plain plain;
	u64 rule;

	do {
		if (!kcatch_stack_fast || ++unusual > UNUSUAL_MAX)
			return 0;
		do {
			/* A hooked return, by us or by another tracer. */
			if (!walk.interrupted &&
			    kcatch_returns_is_hook(walk.ip, current, walk.sp - sizeof(long))) {
				walk.ip = kcatch_returns_address(walk.sp - sizeof(long));
				if (!walk.ip)
					return 0;
			}
			end[i++] = walk.ip;
			rule = kcatch_orc_find(walk.ip - !walk.interrupted);
			if (KCATCH_ORC_KIND(rule) == KCATCH_ORC_OWN) {
				/* Frames of ours, one or many, are one marked frame. */
				end[i - 1] = KCATCH_FRAME_SELF;
				if (depth + i > 1 && end[i - 2] == KCATCH_FRAME_SELF)
					i--;
			} else if (walk.interrupted) {
				kcatch_stack_note_interrupted(&interrupted, depth + i - 1);
			}
			switch (step_slow(&walk, rule)) {
			case STEP_SLOW:
				return 0;
			case STEP_DONE:
				flags = walk.interrupted && kcatch_stack_ends_doubted ?
					KCATCH_STACK_BROKEN : KCATCH_STACK_COMPLETE;
				goto done;
			case STEP_FRAME:
				break;
			}
			if (!i) {
				flags = KCATCH_STACK_DEPTH;
				goto done;
			}
		} while (walk.interrupted);
		plain = walk_plain(end, &i, &walk);
		if (plain == PLAIN_SLOW)
			return 0;
	} while (plain == PLAIN_OTHER);
	flags = plain == PLAIN_USER ? KCATCH_STACK_COMPLETE : KCATCH_STACK_DEPTH;
done:
	return walk_walked(flags, depth, i) | (u64)interrupted << 32;
}

/* A leaf, for what it would save and restore costs more than a frame. */
u64 kcatch_stack_walk_fast(u64 *frames, unsigned long ip, unsigned long sp, unsigned long bp,
			   unsigned long depth)
{
	struct walk walk = { .ip = ip, .sp = sp, .bp = bp };
	u64 *end = frames + depth;
	long i = -depth;

	switch (walk_plain(end, &i, &walk)) {
	case PLAIN_USER:
		return walk_walked(KCATCH_STACK_COMPLETE, depth, i);
	case PLAIN_DEPTH:
		return walk_walked(KCATCH_STACK_DEPTH, depth, i);
	case PLAIN_SLOW:
		return 0;
	default:
		return walk_unusual(end, i, walk.ip, walk.sp, walk.bp, depth);
	}
}

static bool is_own(unsigned long address)
{
	unsigned long offset;

	return within_module(address, THIS_MODULE) ||
	       kcatch_trampoline_has(address, &offset);
}

/* Did the walk end where user mode was left? */
static bool at_user_mode(struct unwind_state *state)
{
	struct pt_regs *regs = unwind_get_entry_regs(state, NULL);

	return regs && user_mode(regs);
}

bool kcatch_stack_is_hook(struct unwind_state *state, unsigned long address)
{
	unsigned long ip, sp, bp;

	if (kcatch_returns_is_trampoline(address))
		return true;
	/* The kernel's unwinder looks most of them up by itself. */
	if (!static_branch_unlikely(&kcatch_returns_graph_nameless) ||
	    !kcatch_unwind_registers(state, &ip, &sp, &bp))
		return false;
	sp -= sizeof(long);
	return kcatch_returns_is_hook(address, state->task, sp) &&
	       kcatch_returns_address_of(state->task, sp) != address;
}

bool kcatch_stack_recover(struct unwind_state *state, struct pt_regs *regs, unsigned long *address)
{
	unsigned long ip, sp, bp, found = 0;

	if (kcatch_unwind_registers(state, &ip, &sp, &bp))
		found = kcatch_returns_address_of(state->task, sp - sizeof(long));
	*address = found ?: KCATCH_FRAME_HOOKED;
	if (!found)
		return false;
	/* Registers are taken for those of an interrupted place: the rule of that very
	 * address is searched, and it must be the call's. */
	*regs = (struct pt_regs){
		.ip = found - 1, .sp = sp, .bp = bp, .cs = __KERNEL_CS, .ss = __KERNEL_DS,
	};
	unwind_start(state, state->task, regs, NULL);
	return true;
}

/* The kernel's way, over a state that stands on the first frame wanted. */
static void walk_kernel(struct kcatch_stack *stack, struct unwind_state *state, u32 depth)
{
	unsigned long called_from = 0;	/* where it was in a thunk: the next frame */
	bool interrupted = false;
	struct pt_regs made;

	while (called_from || !unwind_done(state)) {
		unsigned long address = called_from ?: unwind_get_return_address(state);
		bool is_behind = called_from;

		interrupted = !called_from && kcatch_unwind_is_interrupted(state);
		if (!interrupted && !is_behind && kcatch_stack_is_hook(state, address))
			is_behind = kcatch_stack_recover(state, &made, &address);
		if (!address) {
			stack->flags = at_user_mode(state) ? KCATCH_STACK_COMPLETE :
							     KCATCH_STACK_BROKEN;
			return;
		}
		if (is_own(address))
			address = KCATCH_FRAME_SELF;
		if (address != KCATCH_FRAME_SELF || !stack->nr ||
		    stack->frames[stack->nr - 1] != KCATCH_FRAME_SELF) {
			if (stack->nr == depth) {
				stack->flags = KCATCH_STACK_DEPTH;
				return;
			}
			if (interrupted && address != KCATCH_FRAME_SELF)
				kcatch_stack_note_interrupted(&stack->interrupted, stack->nr);
			stack->frames[stack->nr++] = address;
		}
		if (address == KCATCH_FRAME_HOOKED) {
			stack->flags = KCATCH_STACK_BROKEN;
			return;
		}
		called_from = is_behind ? 0 : kcatch_thunk_next(state, &made);
		if (!is_behind && !called_from)
			unwind_next_frame(state);
	}
	stack->flags = unwind_error(state) || (interrupted && kcatch_stack_ends_doubted) ?
		       KCATCH_STACK_BROKEN : KCATCH_STACK_COMPLETE;
}

static noinline void walk_from(struct kcatch_stack *stack, struct pt_regs *regs, u32 depth,
			       unsigned long caller)
{
	struct unwind_state state;

	stack->nr = 0;
	stack->interrupted = 0;
	/* The unwinder looks modules up under RCU. */
	if (!rcu_is_watching()) {
		if (caller)
			stack->frames[stack->nr++] = caller;
		stack->flags = KCATCH_STACK_BROKEN;
		return;
	}
	unwind_start(&state, current, regs, NULL);
	walk_kernel(stack, &state, depth);
}

/*
 * Given registers, the unwinder starts on the frame after them. For a
 * function's entry they are made up: inside its first instruction, with SP at
 * the return address. Started at the return address itself it would take that
 * for an interrupted place, and may take the wrong rule.
 */
void kcatch_stack_walk_entry_kernel(struct kcatch_stack *stack, unsigned long ip,
				    unsigned long caller, unsigned long sp, unsigned long bp,
				    u32 depth)
{
	struct pt_regs entry = {
		.ip = ip, .sp = sp, .bp = bp,
		.cs = __KERNEL_CS, .ss = __KERNEL_DS,
	};

	walk_from(stack, &entry, depth, kcatch_returns_caller(caller, sp));
}

void kcatch_stack_walk_inside(struct kcatch_stack *stack, unsigned long ip,
			      struct pt_regs *regs, u32 depth)
{
	struct walk walk = { .ip = ip, .sp = regs->sp, .bp = regs->bp };

	u64 word = 0;

	if (kcatch_stack_fast && step_slow(&walk, kcatch_orc_find(ip)) == STEP_FRAME &&
	    !walk.interrupted)
		word = kcatch_stack_walk_fast(stack->frames, walk.ip, walk.sp, walk.bp, depth);
	kcatch_stack_unpack(stack, word);
	if (!word) {
		/* The exception may report the address behind the breakpoint,
		 * where another rule may hold. */
		struct pt_regs at_probe = *regs;

		at_probe.ip = ip;
		walk_from(stack, &at_probe, depth, 0);
	}
}

/*
 * It lies on the task's own stack as a whole, and nothing else may be read. What the
 * context switch saved is at its end.
 */
bool kcatch_stack_walk_task(struct kcatch_stack *stack, struct task_struct *task, bool new,
			    u32 depth)
{
	unsigned long low = (unsigned long)READ_ONCE(task->stack);
	unsigned long saved = READ_ONCE(task->thread.sp), sp;
	struct walk walk = {
		.sp = saved + sizeof(struct inactive_task_frame),
		.interrupted = new,	/* ip is the first instruction of a function */
	};

	stack->nr = stack->flags = stack->interrupted = 0;
	if (!kcatch_stack_fast || !low || saved < low || walk.sp > low + THREAD_SIZE ||
	    !peek_checked(saved + offsetof(struct inactive_task_frame, ret_addr), &walk.ip) ||
	    !walk_peek(saved + offsetof(struct inactive_task_frame, bp), &walk.bp))
		return false;
	do {
		if (!walk.interrupted &&
		    kcatch_returns_is_hook(walk.ip, task, walk.sp - sizeof(long))) {
			walk.ip = kcatch_returns_address_of(task, walk.sp - sizeof(long));
			if (!walk.ip)
				return false;
		}
		if (stack->nr == depth) {
			stack->flags = KCATCH_STACK_DEPTH;
			return true;
		}
		if (walk.interrupted)
			kcatch_stack_note_interrupted(&stack->interrupted, stack->nr);
		stack->frames[stack->nr++] = walk.ip;
		sp = walk.sp;
		switch (step_task(&walk, kcatch_orc_find(walk.ip - !walk.interrupted), low)) {
		case STEP_SLOW:
			return false;
		case STEP_DONE:
			stack->flags = KCATCH_STACK_COMPLETE;
			return true;
		case STEP_FRAME:
			break;
		}
	} while (walk.sp > sp && walk.sp <= low + THREAD_SIZE);
	return false;
}

/* Both ways over the stack that called us must agree, frame by frame. */
static bool agrees_with_kernel(void)
{
	static u64 ours[KCATCH_DEPTH_MAX], theirs[KCATCH_DEPTH_MAX];
	struct kcatch_stack mine = { .frames = ours }, kernel = { .frames = theirs };
	struct unwind_state state;
	unsigned long ip, sp, bp;
	bool complete;
	u32 busy;

	busy = kcatch_outside_enter();
	unwind_start(&state, current, NULL, NULL);
	while (!unwind_done(&state) &&
	       within_module(unwind_get_return_address(&state), THIS_MODULE))
		unwind_next_frame(&state);
	kcatch_stack_fast = true;
	complete = kcatch_unwind_registers(&state, &ip, &sp, &bp);
	if (complete)
		kcatch_stack_unpack(&mine, kcatch_stack_walk_fast(ours, ip, sp, bp,
								  KCATCH_DEPTH_MAX));
	walk_kernel(&kernel, &state, KCATCH_DEPTH_MAX);
	kcatch_outside_leave(busy);
	return complete && mine.nr == kernel.nr && mine.nr > 2 &&
	       mine.flags == kernel.flags &&
	       !memcmp(ours, theirs, mine.nr * sizeof(ours[0]));
}

bool kcatch_stack_try(void)
{
	kcatch_thunk_init();
	return !kcatch_orc_init() && agrees_with_kernel();
}

bool kcatch_stack_has_own(struct pt_regs *regs)
{
	struct unwind_state state;
	unsigned long address;

	for (unwind_start(&state, current, regs, NULL); !unwind_done(&state);
	     unwind_next_frame(&state)) {
		address = unwind_get_return_address(&state);
		if (!address)
			break;
		if (within_module_core(address, THIS_MODULE))
			return true;
	}
	return false;
}
