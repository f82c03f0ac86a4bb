/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds functions by patterns of their names, in the tables of symbols of the kernel and its
 * modules.
 *
 * ftrace can match names as well (ftrace_match.h), and looks up the name of each place that it
 * knows to do so: a tenth of a second, and seconds where a large module is loaded.
 */
#ifndef _KCATCH_FUNCTION_MATCH_H
#define _KCATCH_FUNCTION_MATCH_H

#include <linux/types.h>

/**
 * kcatch_function_match_init() - find out whether functions are found in this way
 *
 * Where the first bytes of a known function say that ftrace hooks it must be where ftrace has it.
 *
 * Context: may sleep; after kcatch_ftrace_match_init() and kcatch_symbol_table_init().
 */
void kcatch_function_match_init(void);

/** kcatch_function_match_exit() - frees what is kept. Context: nothing asks any more */
void kcatch_function_match_exit(void);

/** kcatch_function_can_match() - did the test of kcatch_function_match_init() succeed? */
bool kcatch_function_can_match(void);

/**
 * kcatch_function_match() - find the functions that ftrace can hook and a pattern matches
 * @module: whose functions; NULL: anybody's
 * @pattern: a glob, as glob_match() has it
 * @ips: out: where ftrace hooks them, in order of address; the caller's to kvfree()
 * @kinds: out: KCATCH_NAME_* of each; the caller's to kvfree()
 *
 * Of functions with several names the one that the kernel tells is matched. Some may have gone with
 * a module since, or with the init part of one. What all functions are is kept until a module
 * comes or goes: 9 bytes for each.
 *
 * Context: may sleep. Return: number of functions; -ENOMEM
 */
int kcatch_function_match(const char *module, const char *pattern, unsigned long **ips,
			  u8 **kinds);

#endif
