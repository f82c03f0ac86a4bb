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
#include <asm/nospec-branch.h>
#include <asm/ptrace.h>
#include <asm/unwind.h>
#include "compat/unwind.h"
#include "core/symbol.h"
#include "stack/stack.h"
#include "stack/thunk.h"

#define THUNKS		16	/* one a register, in the order of their numbers */
#define CALL		0xe8
#define JUMP		0xff	/* through a register; behind REX for the upper ones */
#define REX		0x41
#define LFENCE		0x0f

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

/* Are there as many, evenly spaced, and is each of a form that is known? */
static bool thunk_find(struct thunks *these, unsigned long first, unsigned long last)
{
	unsigned long size = (last - first) / (THUNKS - 1);
	unsigned int i;
	u8 code;

	if (!first || last <= first || size * (THUNKS - 1) != last - first || size > 128)
		return false;
	for (i = 0; i < THUNKS; i++) {
		if (copy_from_kernel_nofault(&code, (void *)(first + i * size), sizeof(code)) ||
		    (code != CALL && code != JUMP && code != REX && code != LFENCE))
			return false;
		if (code == CALL)
			these->are_calls |= 1U << i;
	}
	these->first = first;
	these->size = size;
	return true;
}

/* Modules are linked to the retpolines. The others have no name that is exported. */
#if defined(CONFIG_RETPOLINE) || defined(CONFIG_MITIGATION_RETPOLINE)	/* the former until 6.8 */
static bool find_retpolines(void)
{
	return thunk_find(&thunks[0], (unsigned long)&__x86_indirect_thunk_rax,
			  (unsigned long)&__x86_indirect_thunk_r15);
}
#else
static bool find_retpolines(void)
{
	return true;
}
#endif

void kcatch_thunk_init(void)
{
	bool needed = false, found;

	found = thunk_find(&thunks[1], kcatch_symbol_private("__x86_indirect_its_thunk_rax"),
			   kcatch_symbol_private("__x86_indirect_its_thunk_r15"));
#ifdef X86_FEATURE_INDIRECT_THUNK_ITS
	needed = boot_cpu_has(X86_FEATURE_INDIRECT_THUNK_ITS);
#endif
	if (find_retpolines() && (found || !needed))
		return;
	pr_notice("kcatch: indirect thunks are not known in this kernel: a stack that was interrupted in one ends there, and is told to be incomplete\n");
	kcatch_stack_doubt_ends();
}
