/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* array.h - arrays that grow at their end */
#ifndef LIB_BASE_ARRAY_H
#define LIB_BASE_ARRAY_H

#include <stddef.h>

/**
 * kcatch_array_grow - room for one more element
 * @array: NULL when it is empty; has grown by this alone
 * @count: elements that it has
 * @size: bytes of one
 *
 * It grows by doubling: it is full at powers of two, and nobody has to note its room.
 *
 * Return: the array, which may have moved; NULL: there is no memory, and @array is as it was.
 */
void *kcatch_array_grow(void *array, size_t count, size_t size);

#endif
