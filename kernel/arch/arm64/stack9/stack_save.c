// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack(9) by frame records. stack_api.h says what is promised.
 */
#include <linux/errno.h>
#include <linux/sched.h>
#include "compat/regs.h"
#include "stack/stack.h"
#include "stack/walk.h"
#include "stack9/stack_api.h"

static void api_take(struct stack *st, const struct kcatch_stack *walked)
{
	u32 i;

	st->depth = walked->nr;
	st->flags = walked->flags & KCATCH_STACK_COMPLETE ? STACK_COMPLETE :
		    walked->flags & KCATCH_STACK_DEPTH ? STACK_CUT : STACK_BROKEN;
	for (i = 0; i < 32; i += 8)
		if (walked->interrupted >> i & 255)
			st->interrupted |= 1ULL << ((walked->interrupted >> i & 255) - 1);
}

void kcatch_stack_api_save_current(struct stack *st, unsigned long *frame, unsigned long caller)
{
	struct kcatch_stack walked = { .frames = (u64 *)st->pcs };

	kcatch_stack_zero(st);
	kcatch_stack_walk_frame(&walked, frame, STACK_MAX);
	api_take(st, &walked);
}

/* Without NMIs no CPU is asked for its registers. */
void kcatch_stack_api_save_regs(struct stack *st, struct pt_regs *regs)
{
	kcatch_stack_zero(st);
	st->pcs[st->depth++] = kcatch_regs_ip(regs);
	st->interrupted = 1;
	st->flags = STACK_BROKEN;
}

int kcatch_stack_api_save_task(struct stack *st, struct task_struct *td)
{
	return -EOPNOTSUPP;
}
