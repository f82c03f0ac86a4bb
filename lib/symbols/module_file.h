/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* module_file.h - find the file of a kernel module */
#ifndef LIB_SYMBOLS_MODULE_FILE_H
#define LIB_SYMBOLS_MODULE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#define KCATCH_MODULE_NAME_MAX 64	/* bytes, with the terminating '\0' */

/**
 * typedef kcatch_module_visit - called for each module of a list
 * @name: the module's name, with underscores; valid during the visit
 * @path: its file, absolute or relative to /lib/modules/RELEASE; may no longer exist. Valid
 *	during the visit
 * @arg: the argument of kcatch_module_list_read()
 *
 * Return: 0 to continue; any other value ends the reading and becomes its result.
 */
typedef int kcatch_module_visit(const char *name, const char *path, void *arg);

/**
 * kcatch_module_list_read - read a list of modules that depmod(8) made
 * @release: the kernel's release, as uname -r prints it
 * @list: "modules.dep" or "modules.builtin"
 * @visit: called for each module
 * @arg: passed to @visit
 *
 * Return: 0, also if the list cannot be read; the nonzero result of @visit.
 */
int kcatch_module_list_read(const char *release, const char *list, kcatch_module_visit *visit,
			    void *arg);

/**
 * kcatch_module_file - look a module up in modules.dep
 * @release: the kernel's release, as uname -r prints it
 * @name: the module's name, with underscores
 * @path: set to its file, absolute or (usually) relative to /lib/modules/RELEASE; the file may
 *	no longer exist
 * @room: size of @path, bytes
 *
 * Return: whether the module is in the list, and its path fits.
 */
bool kcatch_module_file(const char *release, const char *name, char *path, size_t room);

/**
 * kcatch_module_file_installed - find the file that modprobe would load
 * @name: the module's name, with underscores
 * @path: set to the file's absolute path; "": there is none
 * @room: size of @path, bytes
 *
 * Return: whether modules.dep of the running kernel has the module and its file exists.
 */
bool kcatch_module_file_installed(const char *name, char *path, size_t room);

/**
 * kcatch_module_is_builtin - is what could be a module part of the running kernel's image?
 * @name: the module's name, with underscores
 *
 * Return: whether modules.builtin of the running kernel has it.
 */
bool kcatch_module_is_builtin(const char *name);

/**
 * kcatch_module_file_open - open the file that a module would be loaded from
 * @module: the module's name, with underscores
 * @path: set to the file's path
 * @room: size of @path, bytes
 *
 * Tries the installed file, then NAME.ko in the directories of $KCATCH_DEBUG_PATH (separated
 * by colons), then in the working directory. There it must be root's or the user's own, and so
 * must a link to it be; elsewhere another user may have put it.
 *
 * Return: its descriptor, to be read instead of @path, which may be another file by then;
 * -ENOENT: there is none; another -errno of open().
 */
int kcatch_module_file_open(const char *module, char *path, size_t room);

#endif
