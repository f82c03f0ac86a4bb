/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers at the entry of a function, as ftrace hands them on.
 */
#ifndef _KCATCH_COMPAT_FTRACE_REGS_H
#define _KCATCH_COMPAT_FTRACE_REGS_H

#include <linux/ftrace.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include "compat/regs.h"

/**
 * kcatch_ftrace_with_regs() - call what handles a hit, with its registers
 * @ip: as ftrace calls us, like @parent and @fregs
 * @hit: may change where the function returns: kcatch_regs_set_caller()
 *
 * Of the registers those are set that a call passes on: x0 to x8, frame pointer, link register and
 * stack pointer, and the place. With DYNAMIC_FTRACE_WITH_ARGS (since 6.2) they lie in a smaller
 * structure, and are copied.
 *
 * Context: a callback of ftrace.
 */
static __always_inline void kcatch_ftrace_with_regs(unsigned long ip, unsigned long parent,
						    struct ftrace_regs *fregs,
						    void (*hit)(unsigned long ip,
								unsigned long parent,
								struct pt_regs *regs))
{
#ifdef HAVE_ARCH_FTRACE_REGS
	struct __arch_ftrace_regs *from = arch_ftrace_regs(fregs);
	struct pt_regs regs;

	BUILD_BUG_ON(sizeof(from->regs) != 9 * sizeof(regs.regs[0]));
	memcpy(regs.regs, from->regs, sizeof(from->regs));
	regs.regs[KCATCH_FP] = from->fp;
	regs.regs[KCATCH_LR] = from->lr;
	regs.sp = from->sp;
	regs.pc = from->pc;
	regs.pstate = 0;
	hit(ip, parent, &regs);
	from->lr = regs.regs[KCATCH_LR];
#else
	hit(ip, parent, &fregs->regs);
#endif
}

#endif
