/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* array.h - arrays that grow at the end */
#ifndef LIB_BASE_ARRAY_H
#define LIB_BASE_ARRAY_H

#include <stddef.h>

/**
 * kcatch_array_grow - make room for one more element
 * @array: the array, grown only by this function; NULL: empty
 * @count: number of its elements
 * @size: size of an element, bytes
 *
 * The capacity is not stored: it is the power of two at or above @count, so the array is
 * reallocated to twice the size whenever @count is a power of two.
 *
 * Return: the array, possibly moved, to be freed with free(); NULL: out of memory, and @array
 * is unchanged.
 */
void *kcatch_array_grow(void *array, size_t count, size_t size);

#endif
