/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code of x86, as far as it is looked at: where functions begin, and calls. All functions: any
 * context.
 */
#ifndef _KCATCH_CORE_TEXT_H
#define _KCATCH_CORE_TEXT_H

#include <linux/compiler.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/text-patching.h>

/** kcatch_may_be_code() - may the kernel's code, or a module's, be at an address? */
static inline bool kcatch_may_be_code(unsigned long address)
{
	return address >= __START_KERNEL_map && address < MODULES_END;
}

/** kcatch_text_init() - nothing need be found here. Context: once, while the module is loaded */
static inline void kcatch_text_init(void)
{
}

/** kcatch_module_range() - does @address lie where modules are loaded? */
static inline bool kcatch_module_range(unsigned long address)
{
	return address >= MODULES_VADDR && address < MODULES_END;
}

/* Bytes of ENDBR64, with which a function may begin: asked for its name, the kernel puts a kprobe
 * behind it (arch_adjust_kprobe_addr()), where all is still as at the entry. */
#define KCATCH_MARK_SIZE	4
/* Bytes of the instruction that ftrace replaces, and that it puts there. */
#define KCATCH_SITE_SIZE	5

/* Where a function can be hooked, by its first bytes. */
enum kcatch_site_kind {
	KCATCH_SITE_NONE,
	KCATCH_SITE_SURE,
	KCATCH_SITE_DOUBTFUL,	/* a call: of a trampoline, or of what cannot be hooked */
};

/** kcatch_site_by() - which of these @code is, KCATCH_SITE_SIZE bytes at @address: the instruction
 * of five bytes that does nothing (Intel SDM, volume 2, NOP), the call that has taken its place,
 * or the breakpoint that stands there while one takes the place of the other */
static inline enum kcatch_site_kind kcatch_site_by(const u8 *code, unsigned long address)
{
	static const u8 nop[KCATCH_SITE_SIZE] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	bool is_call = *code == 0xe8, is_breakpoint = *code == 0xcc;
	s32 distance;
	unsigned long target;

	if (!memcmp(code + 1, nop + 1, sizeof(nop) - 1))
		return is_breakpoint || *code == *nop ? KCATCH_SITE_SURE : KCATCH_SITE_NONE;
	if (!is_call && !is_breakpoint)
		return KCATCH_SITE_NONE;
	memcpy(&distance, code + 1, sizeof(distance));
	target = address + KCATCH_SITE_SIZE + distance;
	return kcatch_may_be_code(target) ? KCATCH_SITE_DOUBTFUL : KCATCH_SITE_NONE;
}

/** kcatch_ftrace_place_is_hooked() - is a place of ftrace's hooked, by whomever? It has a call, and
 * while the kernel changes that a breakpoint */
static inline bool kcatch_ftrace_place_is_hooked(unsigned long ip)
{
	u8 first = READ_ONCE(*(const u8 *)ip);

	return first == CALL_INSN_OPCODE || first == INT3_INSN_OPCODE;
}

/* Bytes of a call, and between the places where one may begin. */
#define KCATCH_CALL_SIZE	5
#define KCATCH_CALL_STEP	1

/** kcatch_call_target() - where a call leads. @code: KCATCH_CALL_SIZE bytes; @at: their address.
 * Return: 0: it is no call */
static inline unsigned long kcatch_call_target(const u8 *code, unsigned long at)
{
	s32 distance;

	memcpy(&distance, &code[1], sizeof(distance));
	return code[0] == CALL_INSN_OPCODE ? at + KCATCH_CALL_SIZE + distance : 0;
}

#endif
