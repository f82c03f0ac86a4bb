/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code of 64-bit Arm, as far as it is looked at: where functions begin, and calls. Encodings: Arm
 * Architecture Reference Manual, chapter C6. All functions: any context.
 */
#ifndef _KCATCH_CORE_TEXT_H
#define _KCATCH_CORE_TEXT_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/memory.h>

/** kcatch_may_be_code() - may the kernel's code, or a module's, be at an address? */
static inline bool kcatch_may_be_code(unsigned long address)
{
	return address >= _PAGE_END(VA_BITS_MIN) && address < VMALLOC_END && !(address & 3);
}

/* The kernel's image, code and data; of size 0 if it is not known. Set once. */
extern unsigned long kcatch_image_start, kcatch_image_size;

/** kcatch_text_init() - find it. Context: once, while the module is loaded, before the modules are
 * looked at */
void kcatch_text_init(void);

/** kcatch_module_range() - does @address lie where modules are loaded? Kernels choose a place
 * around their image when they begin */
static inline bool kcatch_module_range(unsigned long address)
{
	return address >= _PAGE_END(VA_BITS_MIN) && address < VMALLOC_END &&
	       address - kcatch_image_start >= kcatch_image_size;
}

/* Bytes of an instruction. */
#define KCATCH_INSTRUCTION	4

/* Bytes of the instruction before ftrace's: it keeps the link register (MOV X9, X30). */
#define KCATCH_MARK_SIZE	4
/* Bytes of the instruction that ftrace replaces, and that it puts there. */
#define KCATCH_SITE_SIZE	4

#define KCATCH_INSN_NOP		0xd503201fU
#define KCATCH_INSN_KEEP_LR	0xaa1e03e9U	/* MOV X9, X30 */

/** kcatch_is_bl() - is it a call of a place that the instruction names? */
static inline bool kcatch_is_bl(u32 instruction)
{
	return instruction >> 26 == 0x25;
}

/** kcatch_bl_target() - where a call leads, or a jump of the same form. @at: its address */
static inline unsigned long kcatch_bl_target(u32 instruction, unsigned long at)
{
	return at + (((s64)instruction << 38) >> 36);
}

/** kcatch_is_blr() - is it a call of the place in a register, which may be signed? */
static inline bool kcatch_is_blr(u32 instruction)
{
	return (instruction & 0xfffffc1fU) == 0xd63f0000U ||
	       (instruction & 0xfefff800U) == 0xd63f0800U;
}

/* Where a function can be hooked, by its first bytes. */
enum kcatch_site_kind {
	KCATCH_SITE_NONE,
	KCATCH_SITE_SURE,
	KCATCH_SITE_DOUBTFUL,	/* a call: of a trampoline, or of what cannot be hooked */
};

/** kcatch_site_by() - which of these @code is, KCATCH_SITE_SIZE bytes at @address: the instruction
 * that does nothing, or the call that has taken its place. The one before it, which functions
 * begin with, is no such place */
static inline enum kcatch_site_kind kcatch_site_by(const u8 *code, unsigned long address)
{
	u32 instruction;

	memcpy(&instruction, code, sizeof(instruction));
	if (instruction == KCATCH_INSN_NOP)
		return KCATCH_SITE_DOUBTFUL;
	return kcatch_is_bl(instruction) &&
	       kcatch_may_be_code(kcatch_bl_target(instruction, address)) ? KCATCH_SITE_DOUBTFUL :
									   KCATCH_SITE_NONE;
}

/** kcatch_ftrace_place_is_hooked() - is a place of ftrace's hooked, by whomever? It has a call */
static inline bool kcatch_ftrace_place_is_hooked(unsigned long ip)
{
	return kcatch_is_bl(READ_ONCE(*(const u32 *)ip));
}

/* Bytes of a call, and between the places where one may begin. */
#define KCATCH_CALL_SIZE	KCATCH_INSTRUCTION
#define KCATCH_CALL_STEP	KCATCH_INSTRUCTION

/** kcatch_call_target() - where a call leads. @code: KCATCH_CALL_SIZE bytes; @at: their address.
 * Return: 0: it is no call */
static inline unsigned long kcatch_call_target(const u8 *code, unsigned long at)
{
	u32 instruction;

	memcpy(&instruction, code, sizeof(instruction));
	return kcatch_is_bl(instruction) ? kcatch_bl_target(instruction, at) : 0;
}

#endif
