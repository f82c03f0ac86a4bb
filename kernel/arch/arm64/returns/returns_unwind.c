// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine's part of hooking returns. Any context.
 */
#include <linux/linkage.h>
#include <linux/ptrace.h>
#include "compat/regs.h"
#include "returns/returns.h"

/* The kernel's unwinder cannot be asked about one return. */
unsigned long kcatch_returns_address_by_kernel(unsigned long slot)
{
	return kcatch_returns_address_of_graph(current, slot);
}

/* ---- a function that hooks its own return ------------------------------------------ */

static void (*entered)(struct pt_regs *regs);

/* Called by the function below, with registers as they were at its entry. Return: its new return
 * address */
asmlinkage unsigned long kcatch_returns_own_entry(unsigned long frame, unsigned long caller,
						  unsigned long sp);

asmlinkage __used unsigned long kcatch_returns_own_entry(unsigned long frame,
							 unsigned long caller, unsigned long sp)
{
	struct pt_regs regs = { .sp = sp, .pc = (unsigned long)&kcatch_returns_own_entry };

	regs.regs[KCATCH_FP] = frame;
	regs.regs[KCATCH_LR] = caller;
	entered(&regs);
	return kcatch_regs_caller(&regs);
}

unsigned long kcatch_returns_own_call(void);

/* Compiled code would sign its return address before it could be replaced. */
asm(".pushsection .text, \"ax\"\n"
    ".global kcatch_returns_own_call\n"
    ".type kcatch_returns_own_call, %function\n"
    "kcatch_returns_own_call:\n"
    "	stp	x29, x30, [sp, #-16]!\n"
    "	mov	x0, x29\n"
    "	mov	x1, x30\n"
    "	add	x2, sp, #16\n"
    "	mov	x29, sp\n"
    "	bl	kcatch_returns_own_entry\n"
    "	ldp	x29, x30, [sp], #16\n"
    "	mov	x30, x0\n"
    "	mov	x0, #" __stringify(KCATCH_RETURNS_VALUE) "\n"
    "	ret\n"
    ".size kcatch_returns_own_call, . - kcatch_returns_own_call\n"
    ".popsection\n");

unsigned long kcatch_returns_call(void (*hook)(struct pt_regs *regs))
{
	unsigned long value;

	entered = hook;
	value = kcatch_returns_own_call();
	barrier();	/* it is no jump */
	return value;
}
