/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading memory that may not be there, or not be memory.
 */
#ifndef _KCATCH_FETCH_MEMORY_H
#define _KCATCH_FETCH_MEMORY_H

#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include "fetch.h"

/**
 * kcatch_read() - copy from any address, of the kernel or the current task
 * @to: where
 * @from: address
 * @size: bytes, at most a page
 *
 * Context: any, inside a hook. Return: all of it could be read
 */
bool kcatch_read(void *to, unsigned long from, u32 size);

/** kcatch_on_own_stack() - is all of this on the stack of the current task? */
static __always_inline bool kcatch_on_own_stack(unsigned long address, u32 size)
{
	return address - (unsigned long)task_stack_page(current) <= THREAD_SIZE - size;
}

/**
 * kcatch_read_word() - copy 1, 2, 4 or 8 bytes, zero-extended
 *
 * Memory of the kernel's direct map and this task's stack, where nearly all pointers
 * go, in a few instructions: nothing that is mapped there is anything but memory,
 * and what is not mapped faults.
 *
 * Context: any, inside a hook. Return: it could be read
 */
static __always_inline bool kcatch_read_word(u64 *to, unsigned long from, u32 size)
{
	if (unlikely(from - PAGE_OFFSET > VMALLOC_START - PAGE_OFFSET - sizeof(u64) &&
		     !kcatch_on_own_stack(from, size)))
		return kcatch_read(to, from, size);
	switch (size) {
	case 1:
		__get_kernel_nofault(to, (u8 *)from, u8, fault);
		break;
	case 2:
		__get_kernel_nofault(to, (u16 *)from, u16, fault);
		break;
	case 4:
		__get_kernel_nofault(to, (u32 *)from, u32, fault);
		break;
	default:
		__get_kernel_nofault(to, (u64 *)from, u64, fault);
	}
	return true;
fault:
	return false;
}

/**
 * kcatch_fetch_direct() - do what a list with direct items says, where that is easy
 * @args: as in struct kcatch_fetch
 * @to: has room for its size_max
 *
 * Calls nothing. Not easy is what is neither on this stack nor in the direct map (see
 * kcatch_read_word()) nor of the kernel's image (its first task is) or a module, or faults.
 *
 * Context: as kcatch_fetch_run(). Return: false: do all of it by kcatch_fetch_words()
 */
static __always_inline bool kcatch_fetch_direct(const struct kcatch_steps *steps,
						const u64 *args, u64 *to)
{
	const struct kcatch_direct *item = steps->direct, *end = item + steps->nr_direct;
	const unsigned long own = (unsigned long)task_stack_page(current);

	for (; item < end; item++) {
		u64 from = args[item->place], low, word;
		u32 size = item->size, span = item->span;

		if (item->how == KCATCH_DIRECT_ARG) {
			*to++ = from;
			continue;
		}
		if (span) {
			low = from + item->low;
			if (low - own > THREAD_SIZE - span &&
			    low - PAGE_OFFSET > VMALLOC_START - PAGE_OFFSET - span &&
			    unlikely(low - __START_KERNEL_map >
				     MODULES_END - __START_KERNEL_map - span))
				return false;
		}
		from += item->offset;
		if (item->how == KCATCH_DIRECT_WORDS) {
			do {
				__get_kernel_nofault(&word, (u64 *)from, u64, fault);
				*to++ = word;
				from += sizeof(word);
				size -= sizeof(word);
			} while (size);
		} else if (likely(size == 4)) {
			u32 half;

			__get_kernel_nofault(&half, (u32 *)from, u32, fault);
			*to++ = half;
		} else {
			u16 two;
			u8 one;

			if (size == 2) {
				__get_kernel_nofault(&two, (u16 *)from, u16, fault);
				*to++ = two;
			} else {
				__get_kernel_nofault(&one, (u8 *)from, u8, fault);
				*to++ = one;
			}
		}
	}
	return true;
fault:
	return false;
}

/**
 * kcatch_read_text() - copy a text up to its end mark, without it
 * @to: room for @size, a multiple of 8
 * @from: address
 * @size: most bytes
 * @ended: out: the end mark was found
 *
 * Return: bytes before the end mark, the unreadable place, or @size
 */
u32 kcatch_read_text(u8 *to, unsigned long from, u32 size, bool *ended);

#endif
