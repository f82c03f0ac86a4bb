/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* module_symbols.h - the functions in the file of a module */
#ifndef LIB_SYMBOLS_MODULE_SYMBOLS_H
#define LIB_SYMBOLS_MODULE_SYMBOLS_H

#include <stdint.h>

/**
 * struct kcatch_module_symbol - a function
 * @name: its name; as long as the visit
 * @section: number of its section
 * @value: where in the section: two names of one place are one function
 */
struct kcatch_module_symbol {
	const char *name;
	uint32_t section;
	uint64_t value;
};

/**
 * typedef kcatch_module_symbols_visit - look at one of them
 * @symbol: the function
 * @arg: of the caller
 *
 * Return: 0: go on; else kcatch_module_symbols_read() returns it.
 */
typedef int kcatch_module_symbols_visit(const struct kcatch_module_symbol *symbol, void *arg);

/**
 * kcatch_module_symbols_read - all functions in a module's file, its init included
 * @path: NAME.ko, also one packed by xz or zstd
 * @visit: called for each
 * @arg: for @visit
 *
 * Return: 0; what @visit returned; -EINVAL it is no ELF file of this machine
 * or is damaged; another -errno of kcatch_image_read().
 */
int kcatch_module_symbols_read(const char *path, kcatch_module_symbols_visit *visit, void *arg);

#endif
