/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arguments and results in registers, as calls pass them on x86.
 */
#ifndef _KCATCH_PROGRAM_ARGS_H
#define _KCATCH_PROGRAM_ARGS_H

#include <linux/ptrace.h>
#include <linux/types.h>

/*
 * In the order in which struct pt_regs has them, so that those of a function's entry need not be
 * copied: r9 r8 ax cx dx si di.
 */
#define KCATCH_ARGS		7
/* Arguments among them. */
#define KCATCH_ARGS_NR		6
/* The word that is none, which is 0 where the words are made. */
#define KCATCH_ARGS_NONE	2

/** kcatch_args_place() - index of argument @nr, 0..KCATCH_ARGS_NR - 1, among the KCATCH_ARGS
 * words */
static __always_inline u32 kcatch_args_place(u32 nr)
{
	return nr < 3 ? 6 - nr : nr == 3 ? 3 : 5 - nr;
}

/** kcatch_args_of() - the KCATCH_ARGS words of a function's entry, inside its pt_regs */
static __always_inline const u64 *kcatch_args_of(const struct pt_regs *regs)
{
	BUILD_BUG_ON(offsetof(struct pt_regs, di) - offsetof(struct pt_regs, r9) !=
		     (KCATCH_ARGS - 1) * sizeof(u64));
	return (const u64 *)&regs->r9;
}

/** kcatch_results_of() - the words of a value that is returned, inside of pt_regs: the first, and
 * at KCATCH_RESULT_SECOND the second */
static __always_inline const u64 *kcatch_results_of(const struct pt_regs *regs)
{
	return (const u64 *)&regs->ax;
}

#define KCATCH_RESULT_SECOND \
	((offsetof(struct pt_regs, dx) - offsetof(struct pt_regs, ax)) / sizeof(long))

/*
 * Of a hook of a tracepoint, which is called with more arguments than it is declared to take: those
 * in registers behind the first five, which are parameters (none here), and by its frame the sixth,
 * and where the others are.
 */
#define KCATCH_MORE_PARAMETERS
#define KCATCH_MORE_ARGUMENTS
#define KCATCH_NO_MORE_ARGUMENTS
/* NOCHECK: there may be no sixth argument, and KASAN would report the read. */
#define KCATCH_PUT_MORE(args, frame)						\
	((args)[kcatch_args_place(5)] = READ_ONCE_NOCHECK(((unsigned long *)(frame))[2]))
#define KCATCH_FRAME_MORE(frame)	((unsigned long)&((const unsigned long *)(frame))[3])

#endif
