/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* kallsyms.h - reads the kernel's symbol list, once from beginning to end */
#ifndef LIB_SYMBOLS_KALLSYMS_H
#define LIB_SYMBOLS_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct kcatch_kallsym - one line of /proc/kallsyms
 * @address: 0 when the kernel hides addresses
 * @type: as nm says it: t T w W are functions
 * @name: with an end mark, valid during the visit
 * @length: of @name
 * @module: with an end mark; "" for the kernel itself
 */
struct kcatch_kallsym {
	uint64_t address;
	char type;
	const char *name;
	size_t length;
	const char *module;
};

typedef int kcatch_kallsyms_visit(const struct kcatch_kallsym *symbol, void *arg);

/**
 * kcatch_kallsyms_read_all - visit every symbol of the running kernel
 * @visit: what to do; ends the reading when it does not return 0
 * @arg: for @visit
 *
 * Lines that are not of that form are passed by.
 *
 * Return: 0, what @visit returned, -errno with an error text.
 */
int kcatch_kallsyms_read_all(kcatch_kallsyms_visit *visit, void *arg);

/**
 * kcatch_kallsyms_is_function - can this symbol be the start of a function
 * @symbol: the symbol
 *
 * Return: false for data, for code that is not called (padding, cold parts of
 * functions) and for what is neither the kernel's nor a module's (eBPF, trampolines).
 */
bool kcatch_kallsyms_is_function(const struct kcatch_kallsym *symbol);

#endif
