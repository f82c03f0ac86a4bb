/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kernel/program/condition_range.c has of the kernel's headers, and of fetch.h, in user space.
 * The compiler includes it before that file.
 */
#ifndef TESTS_UNIT_CONDITION_RANGE_FIXTURE_H
#define TESTS_UNIT_CONDITION_RANGE_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#define _KCATCH_FETCH_H
typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
#define U8_MAX 0xffU
#define U16_MAX 0xffffU
#define U32_MAX 0xffffffffU
#define U64_MAX UINT64_MAX
#define fallthrough __attribute__((fallthrough))
#define unlikely(x) (x)
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define swap(a, b) do { typeof(a) t = (a); (a) = (b); (b) = t; } while (0)
#define sizeof_field(type, member) sizeof(((type *)0)->member)

static inline bool is_power_of_2(u32 n)
{
	return n && !(n & (n - 1));
}

static inline int fls(u32 n)
{
	return n ? 32 - __builtin_clz(n) : 0;
}

static inline u32 kcatch_args_place(u32 nr)
{
	return nr;
}

#endif
