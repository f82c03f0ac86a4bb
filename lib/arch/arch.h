/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * arch.h - what differs between the machines whose kernels kcatch knows
 *
 * All of them are known everywhere: a recording of the one is read on the other. What is asked of
 * the running kernel is asked of kcatch_arch_running().
 */
#ifndef LIB_ARCH_ARCH_H
#define LIB_ARCH_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KCATCH_ARCH_CALL_ARGS 6U  /* of a system call, on every machine */
#define KCATCH_ARCH_DWARF_MAX 33U /* registers that unwinding a user stack begins with */
#define KCATCH_ARCH_SAVED_MAX 10U

/**
 * struct kcatch_arch_call - where arguments of kernel functions are
 * @registers: integer registers for arguments
 * @vector_registers: those for floats
 * @names: names of the integer registers, as the kernel's developers write them
 * @large_by_address: a struct of more than 16 bytes is copied to memory, and its address is passed.
 *	Else the struct itself is on the stack
 * @by_members: members of a struct say whether it may be in registers, and which of its words are.
 *	Else all words of one of up to 16 bytes are, whatever its members
 * @closes: what no longer fits into registers goes to the stack, and so does all behind it
 * @even: a value that is aligned to 16 bytes begins at an even register
 * @result_is_argument: the address of a result in memory is an additional first argument
 */
struct kcatch_arch_call {
	uint32_t registers, vector_registers;
	const char *const *names;
	bool large_by_address, by_members, closes, even, result_is_argument;
};

/**
 * struct kcatch_arch_syscall - the registers of a system call: offsets in struct pt_regs, bytes
 * @function: begins the name of the function for 64-bit programs
 * @number_member: the member of struct pt_regs that has its number
 * @number: of that, and
 * @number_size: its bytes
 * @args: of each argument
 * @block: of @block_words words, among which are all arguments
 * @places: index of each argument among these
 * @not_its: index of one that is not the program's at the entry; 255: all are
 * @ip: of the instruction
 */
struct kcatch_arch_syscall {
	const char *function, *number_member;
	uint16_t number, number_size;
	uint16_t args[KCATCH_ARCH_CALL_ARGS];
	uint16_t block, block_words;
	uint8_t places[KCATCH_ARCH_CALL_ARGS], not_its;
	uint16_t ip;
};

/**
 * struct kcatch_arch_user - the registers of a user program: indexes in struct kcatch_user.regs
 * @words: how many there are
 * @nr_dwarf: registers of @dwarf
 * @dwarf: of DWARF's registers, from 0 on
 * @nr_narrow: the same of 32-bit programs
 * @narrow: likewise
 * @ip: of the instruction
 * @sp: of the stack pointer
 * @signed_from: return addresses may be signed in their bits from this one on; 0: they never are
 * @mode: of the word that tells whether it is a 32-bit program
 * @mode_mask: by these bits
 * @mode_narrow: their value if it is
 * @mode_wide: their value if it is a 64-bit program
 * @call: of the number of a system call
 * @args: of its arguments
 * @saved: the first of those that calls leave alone
 * @nr_saved: how many they are, at most KCATCH_ARCH_SAVED_MAX
 */
struct kcatch_arch_user {
	uint32_t words, nr_dwarf, nr_narrow;
	const uint8_t *dwarf, *narrow;
	uint8_t ip, sp, signed_from, mode;
	uint64_t mode_mask, mode_narrow, mode_wide;
	uint8_t call, args[KCATCH_ARCH_CALL_ARGS];
	uint8_t saved, nr_saved;
};

/**
 * struct kcatch_arch - a machine
 * @name: as `uname -m` has it
 * @call: calls of kernel functions
 * @syscall: system calls
 * @user: user programs
 * @kernel: addresses of the kernel are from here on
 * @image: and its code and variables from here on, with those of modules; else objects. 0: they are
 *	not apart
 */
struct kcatch_arch {
	const char *name;
	struct kcatch_arch_call call;
	struct kcatch_arch_syscall syscall;
	struct kcatch_arch_user user;
	uint64_t kernel, image;
};

extern const struct kcatch_arch kcatch_arch_x86, kcatch_arch_arm64;

/** kcatch_arch_running - the machine that this program was built for */
const struct kcatch_arch *kcatch_arch_running(void);

/** kcatch_arch_of - the machine of a name, as `uname -m` has it. Return: NULL: it is not known */
const struct kcatch_arch *kcatch_arch_of(const char *name);

/** kcatch_arch_is_narrow - whether registers of a user program are those of a 32-bit one */
static inline bool kcatch_arch_is_narrow(const struct kcatch_arch *arch, const uint64_t *regs)
{
	return (regs[arch->user.mode] & arch->user.mode_mask) == arch->user.mode_narrow;
}

/** kcatch_arch_is_wide - whether they are those of a 64-bit one */
static inline bool kcatch_arch_is_wide(const struct kcatch_arch *arch, const uint64_t *regs)
{
	return (regs[arch->user.mode] & arch->user.mode_mask) == arch->user.mode_wide;
}

#endif
