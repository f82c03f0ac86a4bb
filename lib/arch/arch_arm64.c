/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * arch_arm64.c - 64-bit Arm
 *
 * Calls: AAPCS64, section 6.8.2, stages B and C. struct pt_regs has x0 to x30, sp, pc, pstate and
 * orig_x0, a word each, then the number of the system call, four bytes. Of a user program the
 * module keeps those up to pstate, and behind them that number. Addresses:
 * Documentation/arch/arm64/memory.rst, with 52 bits.
 */
#include "arch/arch.h"

/* Indexes in struct pt_regs. */
enum { LR = 30, SP, PC, PSTATE, ORIG_X0, CALL };
/* In struct kcatch_user.regs. */
enum { USER_CALL = PSTATE + 1, USER_WORDS };

#define PSTATE_NARROW 0x10ULL	/* the processor's 32-bit state */

/* x0 to x30 and sp. */
static const uint8_t dwarf[] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
	25, 26, 27, 28, 29, LR, SP,
};
/* Of Arm: r0 to r14, and pc. */
static const uint8_t narrow[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, PC };

static const char *const arguments[] = { "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7" };

const struct kcatch_arch kcatch_arch_arm64 = {
	.name = "aarch64",
	.call = {
		.registers = 8, .vector_registers = 8, .names = arguments,
		.large_by_address = true, .closes = true, .even = true,
	},
	.syscall = {
		.function = "__arm64_sys_", .number_member = "syscallno",
		.number = 8 * CALL, .number_size = 4,
		.args = { 0, 8, 16, 24, 32, 40 },
		.block = 0, .block_words = 8,
		.places = { 0, 1, 2, 3, 4, 5 }, .not_its = 255,
		.ip = 8 * PC,
	},
	.user = {
		.words = USER_WORDS,
		.nr_dwarf = sizeof(dwarf), .dwarf = dwarf,
		.nr_narrow = sizeof(narrow), .narrow = narrow,
		.ip = PC, .sp = SP, .mode = PSTATE, .signed_from = 48,
		.mode_mask = PSTATE_NARROW, .mode_narrow = PSTATE_NARROW, .mode_wide = 0,
		.call = USER_CALL, .args = { 0, 1, 2, 3, 4, 5 },
		.saved = 19, .nr_saved = 10,
	},
	.kernel = 0xfff0000000000000ULL,
};
