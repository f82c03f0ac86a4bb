/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* btf.h - a function's types, from the kernel's type information (BTF) */
#ifndef LIB_TYPES_BTF_H
#define LIB_TYPES_BTF_H

#include <stddef.h>

/**
 * kcatch_btf_find_function - has the kernel or a loaded module types for it
 * @name: the function
 * @module: "vmlinux" or the module's name
 * @room: bytes at @module
 *
 * Slow (tens of megabytes are read): only for explaining an error.
 *
 * Return: 0; -ENOENT when none has; -EOPNOTSUPP when there is no type information.
 */
int kcatch_btf_find_function(const char *name, char *module, size_t room);

#endif
