// SPDX-License-Identifier: GPL-2.0-only
/*
 * Indirect thunks. One is, by the boot's choice,
 *
 *	lfence; jmp *%reg	or	jmp *%reg	or	call 1f
 *							int3 (never reached)
 *						1:	mov %reg,(%rsp)
 *							ret
 *
 * so the return address of who called is the word at SP; behind the call of the last form
 * it is the one above.
 */
#include <linux/kernel.h>
#include <linux/uaccess.h>
#include <asm/ptrace.h>
#include <asm/unwind.h>
#include "compat/compat.h"
#include "resolve.h"
#include "thunk.h"

#define THUNKS		16	/* one a register, in the order of their numbers */
#define CALL		0xe8

static unsigned long first_thunk, thunk_size;
static u16 are_calls;		/* a bit each: of the last form */

unsigned int kcatch_thunk_frame(unsigned long ip)
{
	unsigned long offset = ip - first_thunk;

	if (likely(offset >= THUNKS * thunk_size))
		return 0;
	return offset % thunk_size && are_calls >> offset / thunk_size & 1 ?
	       2 * sizeof(long) : sizeof(long);
}

unsigned long kcatch_thunk_up(struct pt_regs *regs)
{
	unsigned int frame = kcatch_thunk_frame(regs->ip);
	unsigned long ret;

	if (!frame || regs->sp < PAGE_OFFSET || (regs->sp & 7) ||
	    copy_from_kernel_nofault(&ret, (void *)(regs->sp + frame - sizeof(ret)), sizeof(ret)))
		return 0;
	/* Registers are taken for those of an interrupted place: the rule of that very
	 * address is searched, and it must be the call's. */
	regs->ip = ret - 1;
	regs->sp += frame;
	return ret;
}

unsigned long kcatch_thunk_next(struct unwind_state *state, struct pt_regs *regs)
{
	unsigned long ip, sp, bp, ret;

	if (likely(!kcatch_unwind_is_interrupted(state)) ||
	    !kcatch_unwind_registers(state, &ip, &sp, &bp) || !kcatch_thunk_frame(ip))
		return 0;
	*regs = (struct pt_regs){
		.ip = ip, .sp = sp, .bp = bp, .cs = __KERNEL_CS, .ss = __KERNEL_DS,
	};
	ret = kcatch_thunk_up(regs);
	if (ret)
		unwind_start(state, state->task, regs, NULL);
	return ret;
}

void kcatch_thunk_init(void)
{
	unsigned long first = kcatch_resolve_symbol("__x86_indirect_thunk_rax"), size;
	unsigned long last = kcatch_resolve_symbol("__x86_indirect_thunk_r15");
	unsigned int i;
	u8 code;

	size = (last - first) / (THUNKS - 1);
	if (!first || last <= first || size * (THUNKS - 1) != last - first || size > 128)
		return;
	for (i = 0; i < THUNKS; i++) {
		if (copy_from_kernel_nofault(&code, (void *)(first + i * size), sizeof(code)))
			return;
		if (code == CALL)
			are_calls |= 1U << i;
	}
	first_thunk = first;
	thunk_size = size;
}
