/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers at the entry of a function, as ftrace hands them on.
 */
#ifndef _KCATCH_COMPAT_FTRACE_REGS_H
#define _KCATCH_COMPAT_FTRACE_REGS_H

#include <linux/ftrace.h>
#include <linux/ptrace.h>

/*
 * The pt_regs in the struct ftrace_regs that an ftrace callback gets. Since commit 7888af4166d4
 * "ftrace: Make ftrace_regs abstract from direct use", which Debian's 6.12 has too,
 * arch_ftrace_regs() is the way to them; before, they are a member.
 */
static __always_inline struct pt_regs *kcatch_ftrace_pt_regs(struct ftrace_regs *fregs)
{
#ifdef arch_ftrace_regs
	return &arch_ftrace_regs(fregs)->regs;
#else
	return &fregs->regs;
#endif
}

/**
 * kcatch_ftrace_with_regs() - call what handles a hit, with its registers
 * @ip: as ftrace calls us, like @parent and @fregs
 * @hit: may change where the function returns: kcatch_regs_set_caller()
 *
 * Context: a callback of ftrace.
 */
static __always_inline void kcatch_ftrace_with_regs(unsigned long ip, unsigned long parent,
						    struct ftrace_regs *fregs,
						    void (*hit)(unsigned long ip,
								unsigned long parent,
								struct pt_regs *regs))
{
	hit(ip, parent, kcatch_ftrace_pt_regs(fregs));
}

#endif
