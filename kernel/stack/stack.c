// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stack of a hit, as far as it is the same on all machines. stack.h says what is promised;
 * stack_walk.c of each machine walks.
 */
#include <linux/percpu.h>
#include "core/trial.h"
#include "returns/returns.h"
#include "stack/stack.h"

struct kcatch_scratch __percpu *kcatch_scratch __read_mostly;
const struct kcatch_stack kcatch_no_stack = { .flags = KCATCH_STACK_NONE };
bool kcatch_stack_fast __read_mostly;
bool kcatch_stack_ends_doubted __read_mostly;

/* The first frame is code of the kernel's between an event and our hook. */
static noinline void skip_first(struct kcatch_stack *stack)
{
	u32 shift, interrupted = 0, index;

	stack->frames++;
	stack->nr--;
	for (shift = 0; shift < 32; shift += 8) {
		index = stack->interrupted >> shift & 255;
		if (index)
			interrupted |= (index - 1) << shift;
	}
	stack->interrupted = interrupted;
}

void kcatch_stack_walk_event(struct kcatch_stack *stack, const unsigned long *frame,
			     u32 depth, unsigned long skip, u32 skip_size, int level)
{
	unsigned long caller = kcatch_frame_caller(frame);
	bool between = caller - skip < skip_size;

	/* Where any function begins the frame is the same: ours stands for the hook. */
	kcatch_stack_walk_entry(stack, (unsigned long)&kcatch_stack_walk_event, caller,
				kcatch_frame_slot(frame), frame[0], depth + between, level);
	if (between && stack->nr)
		skip_first(stack);
}

int kcatch_stack_init(void)
{
	kcatch_scratch = alloc_percpu(struct kcatch_scratch);
	if (!kcatch_scratch)
		return -ENOMEM;
	kcatch_returns_find_trampolines();
	if (static_key_enabled(&kcatch_returns_graph_nameless))
		kcatch_stack_doubt_ends();
	kcatch_stack_fast = kcatch_trial_end(KCATCH_TRIAL_STACKS, kcatch_stack_try());
	/* A walk by rules that are remembered does not ask. */
	if (!kcatch_stack_fast)
		kcatch_stack_forget_all();
	return 0;
}

void kcatch_stack_exit(void)
{
	free_percpu(kcatch_scratch);
}

bool kcatch_stack_is_fast(void)
{
	return READ_ONCE(kcatch_stack_fast);
}

void kcatch_stack_distrust(void)
{
	WRITE_ONCE(kcatch_stack_fast, false);
}
