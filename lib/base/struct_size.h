/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* struct_size.h - read structs of programs that were built for another release of the library */
#ifndef LIB_BASE_STRUCT_SIZE_H
#define LIB_BASE_STRUCT_SIZE_H

#include <stddef.h>

/*
 * Bytes of a struct up to the end of a member. New members of such a struct are added at the
 * end, and never in place of padding, because older programs do not clear padding.
 */
#define KCATCH_SIZE_THROUGH(type, member) \
	(offsetof(struct type, member) + sizeof(((struct type *)NULL)->member))

/**
 * kcatch_struct_copy - copy a program's struct into this library's version of it
 * @own: set to the copy; its size member becomes @own_size, members that the program does not
 *	know become zero
 * @own_size: size of @own, bytes
 * @first_size: size of the struct's first release, bytes; a smaller size is refused
 * @given: the program's struct; begins with a size_t, the struct's size in the program
 * @name: name of the struct, for error texts
 *
 * A size above @own_size is accepted if all further bytes are zero.
 *
 * Return: 0; with an error text: -E2BIG: the program uses a member that this library does not
 * know; -EINVAL: @given is NULL, or its size is not possible.
 */
int kcatch_struct_copy(void *own, size_t own_size, size_t first_size, const void *given,
		       const char *name);

#endif
