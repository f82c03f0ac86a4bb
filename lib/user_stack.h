/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * user_stack.h - stacks of user mode, unwound from registers and a piece of memory
 *
 * The kernel copies what is at the stack pointer; which calls that is, only the
 * programs' own unwind tables (.eh_frame) tell. They are read by libdw from the files
 * that the process has mapped, so the process must still be there, or must have been
 * unwound a moment ago.
 *
 * Limits: what lies beyond the copied bytes is not seen (a deep stack, or the stack below
 * a signal's alternative one). Code without a file (a JIT's) and files without unwind
 * tables are walked by frame pointers, which need not be right. Only 64-bit processes.
 * A process whose maps cannot be seen from here (another pid namespace) is -ESRCH.
 */
#ifndef LIB_USER_STACK_H
#define LIB_USER_STACK_H

#include <stdint.h>

#include <uapi/kcatch.h>

#include "kcatch.h"

#define KCATCH_USER_DEPTH_MAX 128	/* return addresses; inlined functions come on top */

struct kcatch_user_stacks;

/**
 * kcatch_user_stacks_create - unwind stacks of any processes
 * @stacks: the new object
 *
 * Costs nothing: libdw is loaded at the first unwind.
 * Memory: what libdw keeps of up to 32 processes.
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_user_stacks_create(struct kcatch_user_stacks **stacks);

/**
 * kcatch_user_stacks_destroy - forget all of it, strings too
 * @stacks: may be NULL
 */
void kcatch_user_stacks_destroy(struct kcatch_user_stacks *stacks);

/**
 * kcatch_user_stack_prepare - learn what a process has mapped while it lives
 * @stacks: the object
 * @pid: the process; no error when it has gone already
 */
void kcatch_user_stack_prepare(struct kcatch_user_stacks *stacks, uint32_t pid);

/**
 * kcatch_user_stack_unwind - the frames of one stack
 * @stacks: the object
 * @pid: its process
 * @user: registers and memory; @user->size bytes are behind it
 * @frames: innermost first: the first is where the thread was, the others are return
 *	addresses; module is the file, or "[vdso]". The strings live until the next call
 * @room: most frames
 *
 * Return: how many; 0 for a kernel thread; -ESRCH the process has gone; -EOPNOTSUPP
 * libdw is not installed; -ENOMEM; another -errno.
 */
int kcatch_user_stack_unwind(struct kcatch_user_stacks *stacks, uint32_t pid,
			     const struct kcatch_user *user, struct kcatch_frame *frames,
			     uint32_t room);

#endif
