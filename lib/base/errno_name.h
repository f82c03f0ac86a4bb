/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* errno_name.h - names of errnos, including those internal to the kernel */
#ifndef LIB_BASE_ERRNO_NAME_H
#define LIB_BASE_ERRNO_NAME_H

#include <stdint.h>

#include <kcatch_text.h>

/**
 * kcatch_errno_untyped - read a return register as an errno when the type is not known
 * @value: the register
 *
 * A function that returns int leaves the upper half of the register 0, so both 0xfffffffe and
 * 0xfffffffffffffffe mean -ENOENT. Text, JSON, filters and `ret` of conditions
 * (condition/typing.c) all use this rule.
 *
 * Return: a negative errno, sign-extended to 64 bits; any other value unchanged.
 */
static inline uint64_t kcatch_errno_untyped(uint64_t value)
{
	if (value <= UINT32_MAX && value >= (uint32_t)-KCATCH_ERRNO_MAX)
		return value | (uint64_t)UINT32_MAX << 32;
	return value;
}

#endif
