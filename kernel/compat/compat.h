/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only code that knows that kernels differ. Each difference is found by a feature of
 * the headers or by compat/detect (KCATCH_HAVE_*), never by a version number, because
 * distributions backport patches.
 */
#ifndef _KCATCH_COMPAT_COMPAT_H
#define _KCATCH_COMPAT_COMPAT_H

#include <linux/ftrace.h>
#include <linux/mm.h>
#if __has_include(<linux/panic_notifier.h>)	/* until 5.13 in linux/kernel.h */
#include <linux/panic_notifier.h>
#endif
#include <asm/orc_types.h>
#include <asm/unwind.h>

/*
 * ORC entries: until 6.3 a type of two bits and an end mark, the types being
 * numbers of linux/objtool.h; since 6.4 (commit fb799447ae29 "x86,objtool:
 * Split UNWIND_HINT_EMPTY in two") one type of three bits.
 */
#ifdef ORC_TYPE_CALL
static inline bool kcatch_orc_is_end(const struct orc_entry *entry)
{
	return entry->type == ORC_TYPE_END_OF_STACK;
}

static inline bool kcatch_orc_is_call(const struct orc_entry *entry)
{
	return entry->type == ORC_TYPE_CALL;
}

static inline bool kcatch_orc_is_regs(const struct orc_entry *entry)
{
	return entry->type == ORC_TYPE_REGS;
}

static inline bool kcatch_orc_is_iret(const struct orc_entry *entry)
{
	return entry->type == ORC_TYPE_REGS_PARTIAL;
}
#else
#include <linux/objtool.h>

static inline bool kcatch_orc_is_end(const struct orc_entry *entry)
{
	return entry->sp_reg == ORC_REG_UNDEFINED && entry->end;
}

static inline bool kcatch_orc_is_call(const struct orc_entry *entry)
{
	return entry->type == UNWIND_HINT_TYPE_CALL && !entry->end;
}

static inline bool kcatch_orc_is_regs(const struct orc_entry *entry)
{
	return entry->type == UNWIND_HINT_TYPE_REGS;
}

static inline bool kcatch_orc_is_iret(const struct orc_entry *entry)
{
	return entry->type == UNWIND_HINT_TYPE_REGS_PARTIAL;
}
#endif

/* Is the frame the unwinder stands on one that was interrupted? */
static inline bool kcatch_unwind_is_interrupted(const struct unwind_state *state)
{
#ifdef CONFIG_UNWINDER_ORC
	return state->signal;
#else
	return false;
#endif
}

/* The registers of the frame the unwinder stands on; false if it has none. */
static inline bool kcatch_unwind_registers(const struct unwind_state *state,
					   unsigned long *ip, unsigned long *sp,
					   unsigned long *bp)
{
#ifdef CONFIG_UNWINDER_ORC
	if (state->stack_info.type == STACK_TYPE_UNKNOWN)
		return false;
	*ip = state->ip;
	*sp = state->sp;
	*bp = state->bp;
	return true;
#else
	return false;
#endif
}

/*
 * What an ftrace callback gets: struct ftrace_regs with pt_regs inside, open
 * to all at first, behind arch_ftrace_regs() later, in Debian's 6.12 too (commit 7888af4166d4
 * "ftrace: Make ftrace_regs abstract from direct use").
 */
static __always_inline struct pt_regs *kcatch_ftrace_pt_regs(struct ftrace_regs *fregs)
{
#ifdef arch_ftrace_regs
	return &arch_ftrace_regs(fregs)->regs;
#else
	return &fregs->regs;
#endif
}

/* vm_flags may only be written through helpers since 6.3 (commit bc292ab00f6c
 * "mm: introduce vma->vm_flags wrapper functions"). */
static inline void kcatch_vma_flags(struct vm_area_struct *vma, unsigned long set,
				    unsigned long clear)
{
#ifdef KCATCH_HAVE_VM_FLAGS_CLEAR
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
#endif
}

#endif
