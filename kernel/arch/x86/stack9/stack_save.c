// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack(9) by the kernel's unwinder. stack_api.h says what is promised.
 */
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <asm/unwind.h>
#include "compat/unwind.h"
#include "returns/returns.h"
#include "stack/stack.h"
#include "stack/thunk.h"
#include "stack/unwinder.h"
#include "stack9/stack_api.h"

/* Saves the frames from the unwinder's present one on. */
static void api_collect(struct stack *st, struct unwind_state *state)
{
	unsigned long called_from = 0;	/* where it was in a thunk: the next frame */
	bool interrupted = false;
	struct pt_regs made;

	while (called_from || !unwind_done(state)) {
		unsigned long address = called_from ?: unwind_get_return_address(state);
		bool is_behind = called_from;
		struct pt_regs *regs;

		interrupted = !called_from && kcatch_unwind_is_interrupted(state);
		if (!interrupted && !is_behind && kcatch_stack_is_hook(state, address))
			is_behind = kcatch_stack_recover(state, &made, &address);
		if (!address) {
			regs = unwind_get_entry_regs(state, NULL);
			st->flags = regs && user_mode(regs) ? STACK_COMPLETE : STACK_BROKEN;
			return;
		}
		if (st->depth == STACK_MAX) {
			st->flags = STACK_CUT;
			return;
		}
		if (interrupted)
			st->interrupted |= 1ULL << st->depth;
		st->pcs[st->depth++] = address;
		if (address == KCATCH_FRAME_HOOKED) {
			st->flags = STACK_BROKEN;
			return;
		}
		called_from = is_behind ? 0 : kcatch_thunk_next(state, &made);
		if (!is_behind && !called_from)
			unwind_next_frame(state);
	}
	st->flags = unwind_error(state) || (interrupted && kcatch_stack_ends_doubted) ?
		    STACK_BROKEN : STACK_COMPLETE;
}

void kcatch_stack_api_save_current(struct stack *st, unsigned long *frame,
				unsigned long caller)
{
	struct unwind_state state;

	kcatch_stack_zero(st);
	/* The unwinder looks modules up under RCU. */
	if (!rcu_is_watching()) {
		st->pcs[st->depth++] = caller;
		st->flags = STACK_BROKEN;
		return;
	}
	unwind_start(&state, current, NULL, frame);
	api_collect(st, &state);
}

void kcatch_stack_api_save_regs(struct stack *st, struct pt_regs *regs)
{
	struct unwind_state state;
	struct pt_regs made = *regs;
	unsigned long called_from;

	kcatch_stack_zero(st);
	st->pcs[st->depth++] = regs->ip;
	st->interrupted = 1;
	called_from = kcatch_thunk_up(&made);
	if (called_from)
		st->pcs[st->depth++] = called_from;
	/* Given registers, it begins with the frame after them. */
	unwind_start(&state, current, &made, NULL);
	api_collect(st, &state);
}

/* The unwinder's reads may not fail: with VMAP_STACK, RCU keeps
 * the stack's memory. It warns about a runnable thread with a hooked return. */
int kcatch_stack_api_save_task(struct stack *st, struct task_struct *td)
{
	struct unwind_state state;

	if (!IS_ENABLED(CONFIG_VMAP_STACK) || kcatch_returns_pending(td))
		return -EOPNOTSUPP;
	unwind_start(&state, td, NULL, NULL);
	api_collect(st, &state);
	return 0;
}
