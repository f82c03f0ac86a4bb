/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* module_file.h - the path of a kernel module's file */
#ifndef LIB_SYMBOLS_MODULE_FILE_H
#define LIB_SYMBOLS_MODULE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#define KCATCH_MODULE_NAME_MAX 64	/* with its end mark */

/**
 * typedef kcatch_module_visit - look at one of a list
 * @name: of the module, with underscores
 * @path: its file, absolute or below /lib/modules/RELEASE; may have gone since
 * @arg: of the caller
 *
 * Return: 0: go on; else kcatch_module_list_read() returns it.
 */
typedef int kcatch_module_visit(const char *name, const char *path, void *arg);

/**
 * kcatch_module_list_read - a list of modules that depmod made
 * @release: of the kernel
 * @list: "modules.dep", "modules.builtin"
 * @visit: called for each
 * @arg: for @visit
 *
 * Return: 0, also without such a list; what @visit returned.
 */
int kcatch_module_list_read(const char *release, const char *list, kcatch_module_visit *visit,
			    void *arg);

/**
 * kcatch_module_file - the file of a module, as modules.dep names it
 * @release: of the kernel
 * @name: of the module, with underscores
 * @path: absolute, or (mostly) below /lib/modules/RELEASE; the file may have gone since
 * @room: bytes at @path
 *
 * Return: is it in the list.
 */
bool kcatch_module_file(const char *release, const char *name, char *path, size_t room);

/**
 * kcatch_module_file_installed - the file that modprobe would load
 * @name: of the module, with underscores
 * @path: the file; "" when there is none
 * @room: bytes at @path
 *
 * Return: whether modules.dep of the running kernel names one, and it is there.
 */
bool kcatch_module_file_installed(const char *name, char *path, size_t room);

/**
 * kcatch_module_file_find - the file that a module would be loaded from
 * @module: its name, with underscores
 * @path: the file
 * @room: bytes at @path
 *
 * The installed one; else NAME.ko in a directory of $KCATCH_DEBUG_PATH, or here.
 *
 * Return: whether there is one.
 */
bool kcatch_module_file_find(const char *module, char *path, size_t room);

#endif
