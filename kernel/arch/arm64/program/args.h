/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arguments and results in registers, as calls pass them on 64-bit Arm (AAPCS64).
 */
#ifndef _KCATCH_PROGRAM_ARGS_H
#define _KCATCH_PROGRAM_ARGS_H

#include <linux/ptrace.h>
#include <linux/types.h>

/* x0 to x7, and x8, which points to where a large result goes. */
#define KCATCH_ARGS		9
/* Arguments among them. */
#define KCATCH_ARGS_NR		8
/* The word that is none, which is 0 where the words are made. */
#define KCATCH_ARGS_NONE	8

/** kcatch_args_place() - index of argument @nr, 0..KCATCH_ARGS_NR - 1, among the KCATCH_ARGS
 * words */
static __always_inline u32 kcatch_args_place(u32 nr)
{
	return nr;
}

/** kcatch_args_of() - the KCATCH_ARGS words of a function's entry, inside its pt_regs */
static __always_inline const u64 *kcatch_args_of(const struct pt_regs *regs)
{
	return regs->regs;
}

/** kcatch_results_of() - the words of a value that is returned, inside of pt_regs: the first, and
 * at KCATCH_RESULT_SECOND the second */
static __always_inline const u64 *kcatch_results_of(const struct pt_regs *regs)
{
	return regs->regs;
}

#define KCATCH_RESULT_SECOND	1

/*
 * Of a hook of a tracepoint, which is called with more arguments than it is declared to take: those
 * in registers behind the first five, which are parameters. Where the others are, on the stack, its
 * frame does not tell, which lies at the lower end of what it has there: they are not read.
 */
#define KCATCH_MORE_PARAMETERS		, u64 a5, u64 a6
#define KCATCH_MORE_ARGUMENTS		, a5, a6
#define KCATCH_NO_MORE_ARGUMENTS	, 0, 0
#define KCATCH_PUT_MORE(args, frame)						\
	((args)[5] = a5, (args)[6] = a6, (args)[7] = 0, (args)[KCATCH_ARGS_NONE] = 0)
#define KCATCH_FRAME_MORE(frame)	0UL

#endif
