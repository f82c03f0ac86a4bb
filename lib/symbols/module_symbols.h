/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* module_symbols.h - read the functions in a module's file */
#ifndef LIB_SYMBOLS_MODULE_SYMBOLS_H
#define LIB_SYMBOLS_MODULE_SYMBOLS_H

#include <stdint.h>

/**
 * struct kcatch_module_symbol - a function
 * @name: its name, valid during the visit
 * @section: index of its section in the file
 * @value: its offset in the section, bytes; two symbols at one place are one function
 */
struct kcatch_module_symbol {
	const char *name;
	uint32_t section;
	uint64_t value;
};

/**
 * typedef kcatch_module_symbols_visit - called for each function
 * @symbol: the function
 * @arg: the argument of kcatch_module_symbols_read()
 *
 * Return: 0 to continue; any other value ends the reading and becomes its result.
 */
typedef int kcatch_module_symbols_visit(const struct kcatch_module_symbol *symbol, void *arg);

/**
 * kcatch_module_symbols_read - visit all functions in a module's file, init code included
 * @path: the file: NAME.ko, or one packed by xz or zstd
 * @file: descriptor of it, as for kcatch_image_read()
 * @visit: called for each function
 * @arg: passed to @visit
 *
 * The file is in memory meanwhile, unpacked.
 *
 * Return: 0; the nonzero result of @visit; -EINVAL: not a 64-bit ELF file, or damaged (without
 * an error text); -errno of kcatch_image_read(), with an error text.
 */
int kcatch_module_symbols_read(const char *path, int file, kcatch_module_symbols_visit *visit,
			       void *arg);

#endif
