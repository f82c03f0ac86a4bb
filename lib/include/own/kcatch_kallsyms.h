/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kcatch_kallsyms.h - read the kernel's symbol list, /proc/kallsyms, from beginning to end
 *
 * For kcatch's own programs, as kcatch_containers.h: not installed.
 */
#ifndef KCATCH_KALLSYMS_H
#define KCATCH_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct kcatch_kallsym - one line of /proc/kallsyms
 * @address: the address; 0: the kernel hides addresses
 * @type: the letter that nm(1) prints: t T w W are code. Data that the kernel's list calls code,
 *	as Linux 7.3 does all of .data, are D
 * @in_init: of the kernel's part for booting, or of the init part of a module that is loaded: code
 *	of that name has run, and its memory is another's. From Linux 6.15 on per-CPU variables of
 *	the kernel are there, too
 * @name: the name, terminated by '\0'; valid during the visit
 * @length: length of @name, bytes
 * @module: name of the module, terminated by '\0'; "": the kernel itself. Valid during the
 *	visit
 */
struct kcatch_kallsym {
	uint64_t address;
	char type;
	bool in_init;
	const char *name;
	size_t length;
	const char *module;
};

/**
 * typedef kcatch_kallsyms_visit - called for each symbol
 * @symbol: the symbol
 * @arg: the argument of kcatch_kallsyms_read_all()
 *
 * Return: 0 to continue; any other value ends the reading and becomes its result.
 */
typedef int kcatch_kallsyms_visit(const struct kcatch_kallsym *symbol, void *arg);

/**
 * kcatch_kallsyms_read_all - visit every symbol of the running kernel, modules included
 * @visit: called for each symbol
 * @arg: passed to @visit
 *
 * Skips lines that it cannot parse. Reads about 5 MB, which the kernel generates meanwhile.
 *
 * Return: 0; the nonzero result of @visit; -errno with an error text.
 */
int kcatch_kallsyms_read_all(kcatch_kallsyms_visit *visit, void *arg);

/**
 * kcatch_kallsyms_is_function - check whether a symbol can be the start of a function
 * @symbol: the symbol
 *
 * Return: false for data, for code that is never called (padding, cold parts of functions)
 * and for generated code outside of kernel and modules (eBPF, trampolines). Functions that ran
 * when the kernel booted or a module was loaded (@symbol->in_init) are functions.
 */
bool kcatch_kallsyms_is_function(const struct kcatch_kallsym *symbol);

/**
 * kcatch_kallsyms_is_label - check whether a symbol of code is a mere label
 * @symbol: the symbol
 *
 * Labels are where sections begin and end, and thunks and static calls that the kernel makes: their
 * names look like those of functions.
 *
 * Return: true for these; false for functions, and for data.
 */
bool kcatch_kallsyms_is_label(const struct kcatch_kallsym *symbol);

#endif
