/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The self-check of the fast stack walker: each N-th stack is walked by the kernel's unwinder
 * as well, and the fast walker is not used any more after the first difference.
 */
#ifndef _KCATCH_STACK_CHECK_H
#define _KCATCH_STACK_CHECK_H

#include <linux/jump_label.h>
#include <linux/types.h>

struct kcatch_stack;

/* On while the module parameter selfcheck is not 0, and for ever after a difference. */
DECLARE_STATIC_KEY_FALSE(kcatch_stack_checked);

/**
 * kcatch_stack_check() - compare a stack of the fast walker with the kernel's, when its turn comes
 * @stack: what the fast walker found. After a difference, now or before, it becomes what the
 *	kernel's unwinder finds
 *
 * The others are those of kcatch_stack_walk_entry().
 *
 * Context: any, inside a hook, NMI too. Never faults, never waits.
 */
void kcatch_stack_check(struct kcatch_stack *stack, unsigned long ip, unsigned long caller,
			unsigned long sp, unsigned long bp, u32 depth, int level);

/**
 * kcatch_stack_check_init() - begin what the parameter asked for when the module was loaded
 *
 * Context: may sleep; after kcatch_stack_init(). Without memory it stays off, with a warning.
 */
void kcatch_stack_check_init(void);
/** kcatch_stack_check_exit() - wait for the message, free memory; no hook runs any more */
void kcatch_stack_check_exit(void);

#endif
