/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's own table of symbols (kallsyms), without those of modules.
 *
 * Nothing exported tells how many functions have a name. ftrace does, by comparing the names of all
 * that it knows, for each of which it searches this table: a twentieth of a second and more. To
 * read the table itself from front to back takes a few milliseconds.
 */
#ifndef _KCATCH_SYMBOL_TABLE_H
#define _KCATCH_SYMBOL_TABLE_H

#include <linux/types.h>

/**
 * kcatch_symbol_table_init() - find the table, and try it
 *
 * All names are read, and of some hundred functions, the last one too, name and address are
 * compared with what sprint_symbol() says.
 *
 * Context: may sleep; while the module is loaded.
 */
void kcatch_symbol_table_init(void);

/** kcatch_symbol_table_known() - did the trial of kcatch_symbol_table_init() succeed? */
bool kcatch_symbol_table_known(void);

/**
 * kcatch_symbol_table_find() - addresses of the code that may have a name
 * @name: without a module
 * @addresses: the first bytes, in order; the caller's to kvfree()
 *
 * A symbol with the name and a suffix (.llvm.123) is found as well: the kernel may leave suffixes
 * out when it tells a name. The caller looks at the name of each address. Memory: 8 bytes for
 * each.
 *
 * Context: may sleep. Return: number of addresses; 0 too when the table is not known; -ENOMEM
 */
int kcatch_symbol_table_find(const char *name, unsigned long **addresses);

#endif
