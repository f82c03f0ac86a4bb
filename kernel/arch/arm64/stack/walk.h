/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A walk from a frame record.
 */
#ifndef _KCATCH_STACK_WALK_H
#define _KCATCH_STACK_WALK_H

#include <linux/types.h>

struct kcatch_stack;

/**
 * kcatch_stack_walk_frame() - the stack of the current task above a function, as it is: frames of
 *	this module are not folded
 * @stack: result; its frames point to room for @depth
 * @frame: the function's frame record, whose return address is the first frame
 *
 * Context: any. Never faults, never waits.
 */
void kcatch_stack_walk_frame(struct kcatch_stack *stack, const unsigned long *frame, u32 depth);

#endif
