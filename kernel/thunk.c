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
 * it is the one above. Process context to find them, any to ask; no lock, no memory.
 *
 * Limit: copies that the kernel makes at run time for modules, on processors with indirect
 * target selection, are in no table. A stack through one ends marked as broken.
 */
#include <linux/kernel.h>
#include <linux/uaccess.h>
#include <asm/ptrace.h>
#include <asm/unwind.h>
#include "compat/compat.h"
#include "symbol.h"
#include "thunk.h"

#define THUNKS		16	/* one a register, in the order of their numbers */
#define CALL		0xe8

/* One a register, evenly spaced. */
struct thunks {
	unsigned long first, size;
	u16 are_calls;		/* a bit each: of the last form */
};

/* The retpolines; those of processors with indirect target selection, which are jumps. */
static struct thunks thunks[2];

unsigned int kcatch_thunk_frame(unsigned long ip)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(thunks); i++) {
		const struct thunks *these = &thunks[i];
		unsigned long offset = ip - these->first;

		if (likely(offset >= THUNKS * these->size))
			continue;
		return offset % these->size && these->are_calls >> offset / these->size & 1 ?
		       2 * sizeof(long) : sizeof(long);
	}
	return 0;
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

static void find(struct thunks *these, const char *rax, const char *r15)
{
	unsigned long first = kcatch_symbol_address(rax), last = kcatch_symbol_address(r15), size;
	unsigned int i;
	u8 code;

	size = (last - first) / (THUNKS - 1);
	if (!first || last <= first || size * (THUNKS - 1) != last - first || size > 128)
		return;
	for (i = 0; i < THUNKS; i++) {
		if (copy_from_kernel_nofault(&code, (void *)(first + i * size), sizeof(code)))
			return;
		if (code == CALL)
			these->are_calls |= 1U << i;
	}
	these->first = first;
	these->size = size;
}

void kcatch_thunk_init(void)
{
	find(&thunks[0], "__x86_indirect_thunk_rax", "__x86_indirect_thunk_r15");
	find(&thunks[1], "__x86_indirect_its_thunk_rax", "__x86_indirect_its_thunk_r15");
}
