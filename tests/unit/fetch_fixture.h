/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kernel/program/fetch.c and items_check.c have of the kernel's headers, in user space, with
 * a memory of three kinds: at hand, elsewhere, and at hand but absent. The compiler includes it
 * before them.
 */
#ifndef TESTS_UNIT_FETCH_FIXTURE_H
#define TESTS_UNIT_FETCH_FIXTURE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define _KCATCH_CGROUP_H
#define _KCATCH_FETCH_MEMORY_H
#define _KCATCH_FETCH_PATH_H
#define _KCATCH_FETCH_TRIAL_H

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
#define U32_MAX 0xffffffffU
#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#define noinline __attribute__((noinline))
#define likely(x) (x)
#define unlikely(x) (x)
#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define max_t(type, a, b) ((type)(a) > (type)(b) ? (type)(a) : (type)(b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define ALIGN(x, to) (((x) + (to) - 1) & ~((typeof(x))(to) - 1))
#define BUILD_BUG_ON(x) _Static_assert(!(x), #x)
#define OPTIMIZER_HIDE_VAR(x) __asm__("" : "+r" (x))
#define PAGE_SIZE 4096UL
#define current ((void *)0x7a5c000)	/* ITEMS_TASK */

struct pt_regs {
#ifdef __aarch64__
	u64 regs[31];
#else
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di;
#endif
};

#include "program/fetch.h"

#define FETCH_MEMORY	4096U	/* bytes of each kind: a page, with none beside it */

/* The memory of the test; @fetch_absent faults when it is read. */
extern u8 *fetch_at_hand, *fetch_elsewhere, *fetch_absent;
extern bool fetch_paged_out;	/* what is elsewhere, that is the user's, is not there */

static inline bool fetch_is_in(const u8 *memory, unsigned long address, u32 size)
{
	return size <= FETCH_MEMORY && address - (uintptr_t)memory <= FETCH_MEMORY - size;
}

static inline void kcatch_direct_init(void)
{
}

static inline bool kcatch_at_hand(unsigned long address, u32 size)
{
	return fetch_is_in(fetch_at_hand, address, size) ||
	       fetch_is_in(fetch_absent, address, size);
}

static inline bool kcatch_is_user(unsigned long address)
{
	return fetch_is_in(fetch_elsewhere, address, 1);
}

static inline bool kcatch_read(void *to, unsigned long from, u32 size)
{
	if (!fetch_is_in(fetch_at_hand, from, size) &&
	    (fetch_paged_out || !fetch_is_in(fetch_elsewhere, from, size)))
		return false;
	memcpy(to, (const void *)from, size);
	return true;
}

static inline bool kcatch_read_user(void *to, unsigned long from, u32 size)
{
	return kcatch_read(to, from, size);
}

static inline void kcatch_load_more(u64 *to, unsigned long from, u32 size, u64 *fault)
{
	if (fetch_is_in(fetch_absent, from, size))
		*fault = ~0ULL;
	else
		memcpy(to, (const void *)from, size);
}

/* As the instructions do: 2 bytes for any size that is none of the others. */
static inline u64 kcatch_load_word(unsigned long from, u32 size, u64 *fault)
{
	u64 value = 0;

	if (fetch_is_in(fetch_absent, from, size))
		*fault = ~0ULL;
	else
		memcpy(&value, (const void *)from, size == 8 || size == 4 || size == 1 ? size : 2);
	return value;
}

static inline u64 kcatch_load_words(u64 *to, unsigned long from, u32 size)
{
	u64 fault = 0;

	kcatch_load_more(to, from, size, &fault);
	return fault;
}

static inline u32 kcatch_read_text(u8 *to, unsigned long from, u32 size, bool *ended)
{
	u32 length = 0;

	*ended = false;
	while (length < size && !*ended && kcatch_read(to + length, from + length, 1)) {
		*ended = !to[length];
		length += !*ended;
	}
	return length;
}

#define KCATCH_PATH_CUT	(1U << 31)
static inline u32 kcatch_read_path(u8 *to, unsigned long dentry, bool whole, u32 size)
{
	(void)to, (void)dentry, (void)whole, (void)size;
	return 0;
}

#define KCATCH_CGROUP_OWN	(-1)
#define FETCH_CGROUP	4242	/* ITEMS_CGROUP */
static inline u64 kcatch_cgroup_current(s32 level)
{
	(void)level;
	return FETCH_CGROUP;
}

static inline void kcatch_path_init(void)
{
}

static inline bool kcatch_fetch_try(void)
{
	return true;
}

#endif
