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

/* How to leave a frame: the low bits of a rule. (CFA: canonical frame address, the value of
 * SP before the frame's call.) */
enum kcatch_orc_kind {
	KCATCH_ORC_NONE,	/* no rule */
	/* The most frequent kinds. An offset from SP is checked when the rule is made: a
	 * multiple of 8, from 0 (8 in a call frame) to the size of a stack. */
	KCATCH_ORC_SP_BP,	/* CFA = SP + offset, BP saved at an offset from the CFA, not 0 */
	KCATCH_ORC_SP,		/* CFA = SP + offset, BP untouched */
	KCATCH_ORC_BP_BP,	/* CFA = BP + offset, BP saved below the CFA */
	KCATCH_ORC_BP_MEMORY,	/* CFA in memory, BP saved: both by BP (realigned stacks) */
	KCATCH_ORC_SP_REGS,	/* saved registers at SP + offset */
	KCATCH_ORC_OTHER,	/* a call frame with another rule: see the two register fields */
	KCATCH_ORC_REGS,	/* saved registers at the CFA */
	KCATCH_ORC_IRET,	/* an interrupt's return frame at the CFA */
	KCATCH_ORC_END,		/* the first function of this stack */
	KCATCH_ORC_OWN,		/* a hook of kcatch, which the stack walker folds */
	KCATCH_ORC_SLOW,	/* only the kernel's unwinder can leave the frame */
};

/*
 * A rule:
 *	63..48	CFA offset in bytes, signed
 *	47..32	BP offset in bytes, signed
 *	31..12	unspecified
 *	11..8	register of the CFA, ORC_REG_* of the kernel
 *	7..4	register of BP, ORC_REG_*
 *	3..0	enum kcatch_orc_kind
 *
 * A word of the cache has the same bits 63..32. Its key is the return address, or an
 * interrupted address + 1. Kernel and module text is in the top 2 GB of the address space, so
 * the low 32 bits identify a key; bits 12..0 select the word.
 *
 * A plain word is one of the kinds SP_BP and SP (BP offset 0). Its bits 31..0 are those of the
 * key, so that the walker knows both address and kind by one comparison. In every other word
 * bit 31 is clear, bits 30..13 are those of the key, bit 12 differs from the key's (so the
 * word is no plain one of any key), and bits 11..0 are those of the rule.
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
#define KCATCH_ORC_TAG			((u32)~KCATCH_ORC_MASK & ~(1U << 31))
#define KCATCH_ORC_OTHER_HALF		(KCATCH_ORC_WORDS / 2)

/* The cache. */
extern u64 kcatch_orc_memory[KCATCH_ORC_WORDS];

/**
 * kcatch_orc_init() - find and check the kernel's tables
 *
 * Context: may sleep; once, before any other function of this file.
 * Return: 0; -EOPNOTSUPP: not found or not valid, and the kernel's unwinder must walk every stack
 */
int kcatch_orc_init(void);

/**
 * kcatch_orc_search() - look a rule up in the tables and store it in the cache
 * @address: as for kcatch_orc_find(), like context and return value
 */
u64 kcatch_orc_search(unsigned long address);

/** kcatch_orc_is_plain() - is @word the plain word of @key? Context: any */
static __always_inline bool kcatch_orc_is_plain(u64 word, unsigned long key)
{
	return (u64)(s32)word == key;
}

/** kcatch_orc_is_other() - is @word, not plain, the word of @key? An empty word would match
 * the addresses below KCATCH_ORC_WORDS, where no code is. Context: any */
static __always_inline bool kcatch_orc_is_other(u64 word, unsigned long key)
{
	return (s64)((u64)(s32)word ^ key) >> KCATCH_ORC_BITS ==
	       (s64)KCATCH_ORC_TEXT >> KCATCH_ORC_BITS;
}

/** kcatch_orc_plain_rule() - the rule of a plain word. Context: any */
u64 kcatch_orc_plain_rule(u64 word);

/**
 * kcatch_orc_find() - the rule for leaving the frame of an address
 * @address: a kernel address: where a frame was interrupted, or its return address minus 1
 *
 * Context: any, NMI too; inside a hook or between kcatch_outside_enter() and
 * kcatch_outside_leave().
 * Return: a rule, never of kind KCATCH_ORC_NONE
 */
static __always_inline u64 kcatch_orc_find(unsigned long address)
{
	u64 word = READ_ONCE(kcatch_orc_memory[(address + 1) & KCATCH_ORC_MASK]);

	if (kcatch_orc_is_plain(word, address + 1))
		return kcatch_orc_plain_rule(word);
	return likely(word && kcatch_orc_is_other(word, address + 1)) ?
	       word : kcatch_orc_search(address);
}

#endif
