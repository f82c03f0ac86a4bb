/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's indirect thunks: a call through a pointer goes through
 * __x86_indirect_thunk_REGISTER (retpolines) or, if the processor needs it,
 * __x86_indirect_its_thunk_REGISTER.
 *
 * The kernel's unwinder has no rule for them: objtool marks them as the end of a stack (6.1,
 * so that the stack counts as complete) or as unknown (6.12), and before their last
 * instruction the jump target is mistaken for a return address. An interrupt that arrives in
 * a thunk would lose all frames above, or show a function that never called.
 */
#ifndef _KCATCH_THUNK_H
#define _KCATCH_THUNK_H

#include <linux/types.h>

struct pt_regs;
struct unwind_state;

/** kcatch_thunk_init() - find the kernel's thunks, if it has any. Context: may sleep */
void kcatch_thunk_init(void);

/**
 * kcatch_thunk_frame() - the frame of an instruction in a thunk
 * @ip: address that was interrupted
 *
 * Context: any.
 * Return: bytes from SP up to behind the caller's return address; 0: @ip is in no thunk
 */
unsigned int kcatch_thunk_frame(unsigned long ip);

/**
 * kcatch_thunk_up() - step from a thunk to its caller
 * @regs: registers of the interrupted place; become those of the call
 *
 * Context: any.
 * Return: the return address of the call; 0: not in a thunk, @regs unchanged
 */
unsigned long kcatch_thunk_up(struct pt_regs *regs);

/**
 * kcatch_thunk_next() - to the next frame, where the kernel's unwinder would go wrong
 * @state: on a frame
 * @regs: memory that @state needs from now on
 *
 * Context: any in which unwind_start() may be called.
 * Return: the address of the next frame when @state was in a thunk, and @state is on the
 * one behind that, or done; 0: it was not, and nothing is changed
 */
unsigned long kcatch_thunk_next(struct unwind_state *state, struct pt_regs *regs);

#endif
