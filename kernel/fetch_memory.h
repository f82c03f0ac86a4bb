/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads memory that may be absent, or be a device.
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
 * @to: destination
 * @from: address, from any source
 * @size: bytes, at most a page
 *
 * Never reads a device: addresses that are not mapped as memory are refused.
 *
 * Context: any. Return: true if all bytes were read
 */
bool kcatch_read(void *to, unsigned long from, u32 size);

/** kcatch_on_own_stack() - do all @size bytes lie on the stack of the current task? */
static __always_inline bool kcatch_on_own_stack(unsigned long address, u32 size)
{
	return address - (unsigned long)task_stack_page(current) <= THREAD_SIZE - size;
}

/**
 * kcatch_read_word() - copy 1, 2, 4 or 8 bytes, zero-extended
 *
 * Nearly all pointers lead to the kernel's direct map or to this task's stack. Those are read
 * in a few instructions: only memory is mapped there, and unmapped addresses fault.
 *
 * Context: any, inside a hook. Return: true if the bytes were read
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
 * kcatch_fetch_direct() - run a list of direct items on the fast path
 * @args: as in struct kcatch_fetch
 * @to: room for size_max bytes
 *
 * Calls nothing. Reads only this stack, the direct map (see kcatch_read_word()), the kernel's
 * image (it holds the first task) and modules, and gives up on a fault.
 *
 * Context: as kcatch_fetch_run(). Return: true; false: run the list by kcatch_fetch_words()
 */
static __always_inline bool kcatch_fetch_direct(const struct kcatch_steps *steps,
						const u64 *args, u64 *to)
{
	const struct kcatch_direct *item = steps->direct, *end = item + steps->nr_direct;

	for (; item < end; item++) {
		u64 from = args[item->place], low, word;
		u32 size = item->size, span = item->span;

		if (item->how == KCATCH_DIRECT_ARG) {
			*to++ = from;
			continue;
		}
		if (span) {
			low = from + item->low;
			if (low - PAGE_OFFSET > VMALLOC_START - PAGE_OFFSET - span &&
			    low - (unsigned long)task_stack_page(current) >
				    THREAD_SIZE - span &&
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
 * kcatch_read_text() - copy a string up to its terminator, excluding it
 * @to: room for @size, a multiple of 8
 * @from: address
 * @size: maximum bytes
 * @ended: out: the terminator was found
 *
 * Context: any. Return: bytes before the terminator or the first unreadable byte, at most @size
 */
u32 kcatch_read_text(u8 *to, unsigned long from, u32 size, bool *ended);

#endif
