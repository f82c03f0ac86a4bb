/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* struct_size.h - take structs that programs fill in */
#ifndef LIB_BASE_STRUCT_SIZE_H
#define LIB_BASE_STRUCT_SIZE_H

#include <stddef.h>

/**
 * kcatch_struct_copy - copy a program's struct, if it is of this library's headers
 * @own: set to the copy
 * @own_size: size of @own, bytes
 * @given: the program's struct; begins with a size_t, its size in the program
 * @name: name of the struct, for error texts
 *
 * Return: 0; -EINVAL with an error text: @given is NULL, or its size is another.
 */
int kcatch_struct_copy(void *own, size_t own_size, const void *given, const char *name);

#endif
