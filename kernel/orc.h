/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unwind rules of kernel addresses: the kernel's ORC tables, with a cache in front.
 *
 * The kernel's unwinder searches its tables for each frame, which takes about 400
 * instructions. Return addresses repeat, so the cache keeps the rule of each one. An entry
 * is one 64-bit word that holds the rule and the rest of the address, so it is read and
 * written atomically, in any context, without a lock.
 *
 * Memory: 64 KB for the cache.
 */
#ifndef _KCATCH_ORC_H
#define _KCATCH_ORC_H

#include <linux/types.h>

struct module;

/* What is to be done at a frame, in the low bits of an answer. */
enum kcatch_orc_kind {
	KCATCH_ORC_NONE,	/* nothing known here */
	/* The frequent ones. Where the CFA is counted from SP, its offset is
	 * known to be a multiple of 8, upwards, and no larger than a stack. */
	KCATCH_ORC_SP_BP,	/* CFA = SP + offset, BP saved below the CFA */
	KCATCH_ORC_SP,		/* CFA = SP + offset, BP untouched */
	KCATCH_ORC_BP_BP,	/* CFA = BP + offset, BP saved below the CFA */
	KCATCH_ORC_BP_MEMORY,	/* CFA in memory, BP saved: both by BP (realigned stacks) */
	KCATCH_ORC_SP_REGS,	/* saved registers at SP + offset */
	KCATCH_ORC_OTHER,	/* a plain call frame with another rule */
	KCATCH_ORC_REGS,	/* saved registers at the CFA */
	KCATCH_ORC_IRET,	/* an interrupt's return frame at the CFA */
	KCATCH_ORC_END,		/* the first function of this stack */
	KCATCH_ORC_OWN,		/* our own hook, by whatever rule: to be folded */
	KCATCH_ORC_SLOW,	/* the kernel's unwinder must do it */
};

/*
 * An answer:  63..48 CFA offset, 47..32 BP offset (both signed),
 *             31..13 the same bits of the address, 12 unused,
 *             11..8 CFA rule, 7..4 BP rule (the ORC_REG_* of the kernel),
 *             3..0 kind
 *
 * Kernel and module text lie in the top 2 GB, so 31 bits tell an address: the
 * low 13 pick the word, the others stand in it. Bit 31 is always set in them,
 * so an empty word fits no address.
 */
#define KCATCH_ORC_TEXT			0xffffffff80000000UL
#define KCATCH_ORC_BITS			13
#define KCATCH_ORC_WORDS		(1U << KCATCH_ORC_BITS)
#define KCATCH_ORC_MASK			(KCATCH_ORC_WORDS - 1)
#define KCATCH_ORC_KIND(answer)		((u32)(answer) & 15)
#define KCATCH_ORC_BP_REG(answer)	(((u32)(answer) >> 4) & 15)
#define KCATCH_ORC_SP_REG(answer)	(((u32)(answer) >> 8) & 15)
#define KCATCH_ORC_BP_OFFSET(answer)	((s16)((answer) >> 32))
#define KCATCH_ORC_SP_OFFSET(answer)	((s64)(answer) >> 48)

extern u64 kcatch_orc_memory[KCATCH_ORC_WORDS];

/**
 * kcatch_orc_init() - find the kernel's tables
 *
 * Return: 0; -EOPNOTSUPP when this kernel has none that make sense (then
 * every stack is the kernel's unwinder's work).
 */
int kcatch_orc_init(void);

/** kcatch_orc_rethook() - return address that stands where a kretprobe hooked a
 * return, on kernels where the task's list of them tells the true one; or 0 */
unsigned long kcatch_orc_rethook(void);

/** kcatch_orc_search() - the answer for @address from the tables, remembered */
u64 kcatch_orc_search(unsigned long address);

/**
 * kcatch_orc_forget() - drop all answers about a module's addresses
 * @module: which comes, goes, or frees its init part
 */
void kcatch_orc_forget(struct module *module);

/** kcatch_orc_fits() - is a word of the memory the answer for @address? (An empty one
 * looks like that for the lowest addresses, which are no code's.) */
static __always_inline bool kcatch_orc_fits(u64 word, unsigned long address)
{
	/* The bits of an answer, extended, are those of an address in the top 2 GB. */
	return ((u64)(s32)word ^ address) < KCATCH_ORC_WORDS;
}

/**
 * kcatch_orc_find() - how to leave the frame that @address is in
 * @address: in kernel space; a return address minus 1
 *
 * Context: any, inside a hook or between kcatch_outside_enter() and
 * kcatch_outside_leave().
 * Return: an answer, never of kind KCATCH_ORC_NONE
 */
static __always_inline u64 kcatch_orc_find(unsigned long address)
{
	u64 word = READ_ONCE(kcatch_orc_memory[address & KCATCH_ORC_MASK]);

	return likely(word && kcatch_orc_fits(word, address)) ? word : kcatch_orc_search(address);
}

#endif
