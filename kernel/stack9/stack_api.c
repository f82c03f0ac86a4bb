// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack(9): storage, the stack of the current thread, and the stack of a thread that does not
 * run. include/kcatch/stack.h documents the functions and their contexts.
 *
 * The stack of another thread is read without holding it, because put_task_stack() is not
 * exported on all kernels. Reads of freed memory fail without harm, and afterwards a check tells
 * whether the thread ran meanwhile. If it was on no CPU before and after, and its number of
 * context switches is the same, it did not run; so its stack neither changed nor went away.
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "core/guard.h"
#include "stack/stack.h"
#include "stack9/stack_api.h"

#define TRIES	8	/* for a thread that runs again and again */

struct stack *kcatch_stack_create(gfp_t flags)
{
	return kzalloc(sizeof(struct stack), flags);
}
EXPORT_SYMBOL_GPL(kcatch_stack_create);

void kcatch_stack_destroy(struct stack *st)
{
	kfree(st);
}
EXPORT_SYMBOL_GPL(kcatch_stack_destroy);

int kcatch_stack_put(struct stack *st, unsigned long pc)
{
	if (st->depth < 0 || st->depth >= STACK_MAX)
		return -ENOSPC;
	st->pcs[st->depth++] = pc;
	return 0;
}
EXPORT_SYMBOL_GPL(kcatch_stack_put);

void kcatch_stack_copy(const struct stack *src, struct stack *dst)
{
	*dst = *src;
}
EXPORT_SYMBOL_GPL(kcatch_stack_copy);

void kcatch_stack_zero(struct stack *st)
{
	memset(st, 0, sizeof(*st));
}
EXPORT_SYMBOL_GPL(kcatch_stack_zero);

noinline void kcatch_stack_save(struct stack *st)
{
	kcatch_stack_api_save_current(st, __builtin_frame_address(0), _RET_IP_);
}
EXPORT_SYMBOL_GPL(kcatch_stack_save);

/* False: the thread runs. It did not run between two calls that return true with equal
 * @switches. */
static bool api_standing(const struct task_struct *td, unsigned long *switches)
{
	/* Pairs with the release of on_cpu when a thread has been switched away
	 * from: its saved registers and counts are there. */
	if (smp_load_acquire(&td->on_cpu))
		return false;
	*switches = READ_ONCE(td->nvcsw) + READ_ONCE(td->nivcsw);
	return true;
}

static bool has_stack(struct task_struct *td)
{
	return refcount_read(&td->stack_refcount) && READ_ONCE(td->stack);
}

static int save_standing(struct stack *st, struct task_struct *td, bool new)
{
	struct kcatch_stack walked = { .frames = (u64 *)st->pcs };
	unsigned int i;
	bool done;
	u32 busy;

	BUILD_BUG_ON(sizeof(st->pcs[0]) != sizeof(u64) || STACK_HOOKED != KCATCH_FRAME_HOOKED);
	kcatch_stack_zero(st);
	/* The walk reads the table of modules, which kcatch_quiesce() protects. */
	busy = kcatch_outside_enter();
	done = kcatch_stack_walk_task(&walked, td, new, STACK_MAX);
	kcatch_outside_leave(busy);
	if (!done) {
		kcatch_stack_zero(st);
		return kcatch_stack_api_save_task(st, td);
	}
	st->depth = walked.nr;
	st->flags = walked.flags & KCATCH_STACK_COMPLETE ? STACK_COMPLETE :
		    walked.flags & KCATCH_STACK_DEPTH ? STACK_CUT : STACK_BROKEN;
	for (i = 0; i < 32; i += 8)
		if (walked.interrupted >> i & 255)
			st->interrupted |= 1ULL << ((walked.interrupted >> i & 255) - 1);
	return 0;
}

noinline int kcatch_stack_save_td(struct stack *st, struct task_struct *td)
{
	unsigned long before, after;
	int tries, result = -EBUSY;

	if (td == current) {
		kcatch_stack_api_save_current(st, __builtin_frame_address(0), _RET_IP_);
		return 0;
	}
	for (tries = 0; tries < TRIES && result == -EBUSY; tries++) {
		if (!api_standing(td, &before))
			break;
		rcu_read_lock();
		if (has_stack(td))
			result = save_standing(st, td, !before);
		else
			result = -ESRCH;
		rcu_read_unlock();
		/* All of the stack was read before this looks. */
		smp_rmb();
		if (!api_standing(td, &after) || after != before)
			result = -EBUSY;
		else if (!has_stack(td))
			result = -ESRCH;
	}
	if (result)
		kcatch_stack_zero(st);
	return result;
}
EXPORT_SYMBOL_GPL(kcatch_stack_save_td);
