/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds functions by ftrace's own names and addresses.
 */
#ifndef _KCATCH_FTRACE_MATCH_H
#define _KCATCH_FTRACE_MATCH_H

#include <linux/types.h>

/**
 * kcatch_ftrace_match_init() - find out whether names can be matched in the kernel
 *
 * The list of what ftrace would trace is read out of a private structure;
 * this tries it on a known function first.
 */
void kcatch_ftrace_match_init(void);

/** kcatch_ftrace_can_match() - did the test of kcatch_ftrace_match_init() succeed? */
bool kcatch_ftrace_can_match(void);

/**
 * kcatch_ftrace_match() - find the functions that a name or a glob matches
 * @pattern: as in set_ftrace_filter
 * @ips: where ftrace hooks them, in order of address; the caller's to kvfree()
 *
 * Context: may sleep. Return: number of functions; -ENOMEM; -EOPNOTSUPP: the layout
 * of ftrace's list is unknown
 */
int kcatch_ftrace_match(const char *pattern, unsigned long **ips);

/** kcatch_addresses_sort() - sort by value. Context: any */
void kcatch_addresses_sort(unsigned long *addresses, size_t nr);

/* There may be no such place: ftrace is asked about it by itself. */
#define KCATCH_FTRACE_DOUBTFUL	(1U << 6)

/**
 * kcatch_ftrace_confirm() - leave those of many addresses at which ftrace hooks a function
 * @ips: addresses
 * @kinds: a byte for each, which stays with its address; KCATCH_FTRACE_DOUBTFUL is cleared
 * @nr: number of them
 *
 * Context: may sleep. Return: how many are left, in the same order; -errno: ftrace cannot say
 */
int kcatch_ftrace_confirm(unsigned long *ips, u8 *kinds, u32 nr);

/* Between the first byte of a function and ftrace's place in it: ENDBR at most. */
#define KCATCH_FTRACE_PLACE_MAX	16

/**
 * kcatch_ftrace_place() - the address at which ftrace hooks a function
 * @address: its first byte
 *
 * Context: may sleep. Return: the ip that ftrace will report; 0: it cannot hook it
 */
unsigned long kcatch_ftrace_place(unsigned long address);

#endif
