/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* btf.h - finds which BTF (the kernel's or a module's) describes a function */
#ifndef LIB_TYPES_BTF_H
#define LIB_TYPES_BTF_H

#include <stddef.h>

/**
 * kcatch_btf_find_function - find the kernel or the loaded module whose BTF has a function
 * @name: the function
 * @module: receives "vmlinux" or the module's name, null-terminated, cut at @room
 * @room: size of @module, bytes
 *
 * Reads every file in /sys/kernel/btf until one has the function: up to tens of megabytes.
 * Meant for explaining an error.
 *
 * Return: 0; -ENOENT no BTF has a function @name; -EOPNOTSUPP the kernel's BTF cannot be
 * read, usually because the kernel was built without it.
 */
int kcatch_btf_find_function(const char *name, char *module, size_t room);

#endif
