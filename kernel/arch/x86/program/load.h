/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loads that may fault, in instructions of x86. Any context.
 */
#ifndef _KCATCH_PROGRAM_LOAD_H
#define _KCATCH_PROGRAM_LOAD_H

#include <linux/types.h>
#include <asm/asm.h>

/*
 * Loads that may fault, from an address that is at hand. A fault sets @register to @imm, which is
 * sign-extended, and the load goes on: a single instruction where __get_kernel_nofault() has a
 * test and a jump with it, on kernels whose compiler has no asm goto with outputs.
 */
#define KCATCH_FIXUP(register, imm) \
	_ASM_EXTABLE_TYPE_REG(1b, 2b, (EX_TYPE_IMM_REG | EX_DATA_IMM(imm)), register)
#define KCATCH_LOAD(mov, value, fault, from)				\
	asm volatile("1:	" mov "\n2:\n"				\
		     KCATCH_FIXUP(%[bad], -1)				\
		     : [to] "=&r" (value), [bad] "+r" (fault)		\
		     : [at] "m" (*(const u8 (*)[8])(from)))

/** kcatch_load_word() - 1, 2, 4 or 8 bytes at hand, zero-extended. A fault sets *@fault to ~0, and
 * then the result is anything. */
static __always_inline u64 kcatch_load_word(unsigned long from, u32 size, u64 *fault)
{
	u64 value, bad = *fault;

	if (size == 8)
		KCATCH_LOAD("movq %[at], %[to]", value, bad, from);
	else if (size == 4)
		KCATCH_LOAD("movl %[at], %k[to]", value, bad, from);
	else if (size == 1)
		KCATCH_LOAD("movzbl %[at], %k[to]", value, bad, from);
	else
		KCATCH_LOAD("movzwl %[at], %k[to]", value, bad, from);
	*fault = bad;
	return value;
}

/* A word from an address, sign-extended @imm (-0x8000..0x7fff) if it faults. */
#define KCATCH_LOAD_OR(imm, from)							\
({											\
	unsigned long __value;								\
											\
	asm volatile("1:	movq %[at], %[to]\n2:\n"				\
		     KCATCH_FIXUP(%[to], imm)						\
		     : [to] "=r" (__value) : [at] "m" (*(const u64 *)(from)));		\
	__value;									\
})

/** kcatch_load_pointer() - a word at hand; 0 if it faults */
static __always_inline unsigned long kcatch_load_pointer(unsigned long from)
{
	return KCATCH_LOAD_OR(0, from);
}

/* A word of kcatch_load_words(), at @label; a fault skips the rest. */
#define KCATCH_COPY_WORD(label, offset)					\
	#label ":	movq " #offset "(%[from]), %[word]\n"		\
	"	movq %[word], " #offset "(%[from],%[away])\n"		\
	_ASM_EXTABLE_TYPE_REG(label##b, 9f, (EX_TYPE_IMM_REG | EX_DATA_IMM(-1)), %[bad])

/** kcatch_load_more() - @size bytes at hand, a multiple of 8, to @to. A fault sets *@fault to ~0,
 * and then some of @to are anything */
static __always_inline void kcatch_load_more(u64 *to, unsigned long from, u32 size, u64 *fault)
{
	u64 word, bad = *fault, away = (unsigned long)to - from;

	/* In one piece: a compiler would count each of the registers. */
	asm volatile("	subl $64, %[size]\n"
		     "	jb 2f\n"
		     "1:\n"
		     KCATCH_COPY_WORD(10, 0) KCATCH_COPY_WORD(11, 8)
		     KCATCH_COPY_WORD(12, 16) KCATCH_COPY_WORD(13, 24)
		     KCATCH_COPY_WORD(14, 32) KCATCH_COPY_WORD(15, 40)
		     KCATCH_COPY_WORD(16, 48) KCATCH_COPY_WORD(17, 56)
		     "	addq $64, %[from]\n"
		     "	subl $64, %[size]\n"
		     "	jae 1b\n"
		     "2:	testl $56, %[size]\n"
		     "	jz 9f\n"
		     "	testl $32, %[size]\n"
		     "	jz 3f\n"
		     KCATCH_COPY_WORD(20, 0) KCATCH_COPY_WORD(21, 8)
		     KCATCH_COPY_WORD(22, 16) KCATCH_COPY_WORD(23, 24)
		     "	addq $32, %[from]\n"
		     "3:	testl $16, %[size]\n"
		     "	jz 4f\n"
		     KCATCH_COPY_WORD(30, 0) KCATCH_COPY_WORD(31, 8)
		     "	addq $16, %[from]\n"
		     "4:	testl $8, %[size]\n"
		     "	jz 9f\n"
		     KCATCH_COPY_WORD(40, 0)
		     "9:\n"
		     : [word] "=&r" (word), [bad] "+r" (bad), [from] "+r" (from),
		       [size] "+r" (size)
		     : [away] "r" (away) : "memory", "cc");
	*fault = bad;
}

#endif
