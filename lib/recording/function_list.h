/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* function_list.h - the kernel's functions, as a recording's file "symbols" has them */
#ifndef LIB_RECORDING_FUNCTION_LIST_H
#define LIB_RECORDING_FUNCTION_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "symbols/loaded_modules.h"

/**
 * struct kcatch_function_text - the functions of one module
 * @text: their lines, allocated, terminated by '\0'; NULL: none
 * @size: bytes of @text, without the '\0'
 */
struct kcatch_function_text {
	char *text;
	size_t size;
};

/**
 * struct kcatch_function_list - the functions of the kernel's list of symbols
 * @fd: the session's descriptor, which is asked where a module's code ends
 * @modules: the modules that are loaded. Those whose @code is 0 are new: it is found out
 * @file: output of the functions; not with @texts
 * @kernel: write the functions of the kernel itself and of all modules, and set @ends; not with
 *	@texts. Else, those of modules that are not new are left out
 * @texts: an entry for each of @modules, which is set for those that are new; NULL: use @file
 * @ends: first and end of the kernel's code, and of its init code; 0: not known
 *
 * The other members are private.
 */
struct kcatch_function_list {
	int fd;
	struct kcatch_loaded_modules *modules;
	FILE *file;
	bool kernel;
	struct kcatch_function_text *texts;
	uint64_t ends[4];
	char module[64];
	uint64_t last;
	uint64_t last_function;
	struct kcatch_loaded_module *at;
	bool left_out;
};

/**
 * kcatch_function_list_read - read the kernel's list of symbols, and write its functions
 * @list: with the public members set, and all others zero
 *
 * Return: 0, -ENOMEM, or another -errno, with an error text: the list cannot be read. Errors of
 * @file are left to its owner.
 */
int kcatch_function_list_read(struct kcatch_function_list *list);

#endif
