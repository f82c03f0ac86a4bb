/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * arch_x86.c - x86-64
 *
 * Calls: the System V ABI for x86-64, section 3.2.3, as far as the kernel uses it. struct pt_regs
 * has r15 r14 r13 r12 bp bx r11 r10 r9 r8 ax cx dx si di orig_ax ip cs flags sp ss, a word each.
 */
#include "arch/arch.h"

/* Indexes in struct pt_regs. */
enum { R15, R14, R13, R12, BP, BX, R11, R10, R9, R8, AX, CX, DX, SI, DI, ORIG_AX, IP, CS, FLAGS, SP,
       SS, WORDS };

/* rax rdx rcx rbx rsi rdi rbp rsp, r8 to r15 and rip. */
static const uint8_t dwarf[] = {
	AX, DX, CX, BX, SI, DI, BP, SP, R8, R9, R10, R11, R12, R13, R14, R15, IP,
};
/* Of i386: eax ecx edx ebx esp ebp esi edi and eip. */
static const uint8_t narrow[] = { AX, CX, DX, BX, SP, BP, SI, DI, IP };

static const char *const arguments[] = { "rdi", "rsi", "rdx", "rcx", "r8", "r9" };

const struct kcatch_arch kcatch_arch_x86 = {
	.name = "x86_64",
	.call = {
		.registers = 6, .vector_registers = 8, .names = arguments,
		.by_members = true, .result_is_argument = true,
	},
	.syscall = {
		.function = "__x64_sys_", .number_member = "orig_ax",
		.number = 8 * ORIG_AX, .number_size = 8,
		.args = { 8 * DI, 8 * SI, 8 * DX, 8 * R10, 8 * R8, 8 * R9 },
		.block = 8 * R10, .block_words = DI - R10 + 1,
		.places = { DI - R10, SI - R10, DX - R10, 0, R8 - R10, R9 - R10 },
		.not_its = AX - R10,	/* an errno */
		.ip = 8 * IP,
	},
	.user = {
		.words = WORDS,
		.nr_dwarf = sizeof(dwarf), .dwarf = dwarf,
		.nr_narrow = sizeof(narrow), .narrow = narrow,
		.ip = IP, .sp = SP, .mode = CS,
		.mode_mask = ~0ULL, .mode_narrow = 0x23, .mode_wide = 0x33,
		.call = ORIG_AX, .args = { DI, SI, DX, R10, R8, R9 },
		.saved = R15, .nr_saved = BX - R15 + 1,
	},
	.kernel = 0xffff800000000000ULL,
	.image = 0xffffffff80000000ULL,	/* the kernel's image, then modules */
};
