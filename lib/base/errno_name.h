/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* errno_name.h - names of errnos, including those internal to the kernel */
#ifndef LIB_BASE_ERRNO_NAME_H
#define LIB_BASE_ERRNO_NAME_H

#include <stdint.h>

#include <kcatch_text.h>

/**
 * kcatch_errno_untyped - what a return register says where no type is known
 * @value: the register
 *
 * An int leaves the register's upper half 0: 0xfffffffe is -ENOENT, as 0xfffffffffffffffe
 * is. The one judge of text, JSON, filters and `ret` of conditions (condition/typing.c).
 *
 * Return: a negative errno sign-extended, any other value as it is.
 */
static inline uint64_t kcatch_errno_untyped(uint64_t value)
{
	if (value <= UINT32_MAX && value >= (uint32_t)-KCATCH_ERRNO_MAX)
		return value | (uint64_t)UINT32_MAX << 32;
	return value;
}

#endif
