/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* struct_size.h - structs of callers that were built for an earlier or a later library */
#ifndef LIB_BASE_STRUCT_SIZE_H
#define LIB_BASE_STRUCT_SIZE_H

#include <stddef.h>

/*
 * Bytes of a struct up to a member and with it. Who adds a member to such a struct adds it at the
 * end, and not where older programs have padding: they did not clear that.
 */
#define KCATCH_SIZE_THROUGH(type, member) \
	(offsetof(struct type, member) + sizeof(((struct type *)NULL)->member))

/**
 * kcatch_struct_copy - a caller's struct as this library knows it
 * @own: gets it; what the caller does not know is zero
 * @own_size: bytes at @own
 * @first_size: bytes of the least that a caller must know
 * @given: the caller's; begins with a size_t: its size as the caller knows it
 * @name: of the struct, for messages
 *
 * A size of more than @own_size is taken when all that follows is zero.
 *
 * Return: 0; -E2BIG the caller asks for what this library does not know; -EINVAL there is
 * none, or its size was not set; with an error text.
 */
int kcatch_struct_copy(void *own, size_t own_size, size_t first_size, const void *given,
		       const char *name);

#endif
