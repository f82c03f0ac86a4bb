/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code symbols of one module, sorted.
 *
 * The kernel looks for the name of an address through all symbols of its module, one after the
 * other: for all functions of a large module, seconds. Copied and sorted once they take
 * milliseconds.
 */
#ifndef _KCATCH_MODULE_NAMES_H
#define _KCATCH_MODULE_NAMES_H

#include <linux/module.h>

struct kcatch_symbol;

/**
 * struct kcatch_module_name - a symbol of code
 * @address: its first byte
 * @size: bytes to the next symbol or to the end of the code
 * @name: where its name begins in kcatch_module_names.texts
 */
struct kcatch_module_name {
	unsigned long address;
	u32 size;
	u32 name;
};

/**
 * struct kcatch_module_names - those of a module, one for each address
 * @bytes: size of the whole
 * @module: name of the module
 * @nr: number of symbols
 * @texts: their names
 * @list: in order of address
 */
struct kcatch_module_names {
	u64 bytes;
	char module[MODULE_NAME_LEN];
	u32 nr;
	const char *texts;
	struct kcatch_module_name list[];
};

/**
 * kcatch_module_names_read() - copy the code symbols of a module
 * @module: it stays meanwhile: its notifier runs, or kcatch_modules_each()
 *
 * While a module initialises its init code is among them. Of several symbols at one address the
 * first of the module's table is taken, as the kernel does it.
 *
 * Context: may sleep. Return: the symbols, to be freed by kvfree(): none where the kernel keeps
 * none; NULL: no memory
 */
struct kcatch_module_names *kcatch_module_names_read(const struct module *module);

/**
 * kcatch_module_names_find() - the symbol of an address, as sprint_symbol() has it
 * @names: of a module
 * @symbol: its address is set; the rest is filled in
 *
 * Context: any. Return: false: it is no code of theirs: @symbol is untouched
 */
bool kcatch_module_names_find(const struct kcatch_module_names *names,
			      struct kcatch_symbol *symbol);

#endif
