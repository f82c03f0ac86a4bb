/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel's unwinder does not know by itself.
 */
#ifndef _KCATCH_STACK_UNWINDER_H
#define _KCATCH_STACK_UNWINDER_H

#include <linux/types.h>

struct pt_regs;
struct unwind_state;

/**
 * kcatch_stack_is_hook() - does the kernel's unwinder have a trampoline's address for a return's?
 * @state: on a frame that was not interrupted
 * @address: of that frame
 *
 * Context: any.
 */
bool kcatch_stack_is_hook(struct unwind_state *state, unsigned long address);

/**
 * kcatch_stack_recover() - the true return address where the kernel's unwinder has a trampoline's
 * @state: on a frame, whose address is that of a trampoline
 * @regs: memory that @state needs from now on
 * @address: in and out: becomes KCATCH_FRAME_HOOKED where the true one is not known
 *
 * The unwinder looks a return up by one of the tracers that may have hooked it. Where several have,
 * it has the address of a trampoline, and loses the rest of the stack.
 *
 * Context: any in which unwind_start() may be called.
 * Return: true: @state is on the frame behind it, or done
 */
bool kcatch_stack_recover(struct unwind_state *state, struct pt_regs *regs,
			  unsigned long *address);

#endif
