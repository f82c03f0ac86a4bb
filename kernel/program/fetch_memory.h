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
#include "compat/regs.h"
#include "program/fetch.h"
#include "program/load.h"
#include "program/ranges.h"

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

/**
 * kcatch_user_registers() - the registers of user mode of the current task
 *
 * A kernel thread has none. A thread that was made in the kernel for a process (io_uring, vhost)
 * has copies of its maker's, but for an instruction and a stack pointer of 0.
 *
 * Context: any. Return: them, or NULL
 */
static __always_inline const struct pt_regs *kcatch_user_registers(void)
{
	const struct pt_regs *regs = task_pt_regs(current);

	if (!current->mm || (current->flags & PF_KTHREAD))
		return NULL;
	return kcatch_regs_ip(regs) || kcatch_regs_sp(regs) ? regs : NULL;
}

/** kcatch_is_user() - may there be user memory at the address? */
static __always_inline bool kcatch_is_user(unsigned long address)
{
	return address < KCATCH_USER_END;
}

/**
 * kcatch_copy_user() - copy from the current task's memory, but from no device that it has mapped
 * @to: destination
 * @from: an address for which kcatch_is_user() holds, of a task that has memory
 * @size: bytes, at most a page
 *
 * Context: any. Return: true if all bytes were read
 */
bool kcatch_copy_user(void *to, unsigned long from, u32 size);

/** kcatch_read_user() - kcatch_read() of an address for which kcatch_is_user() holds */
static __always_inline bool kcatch_read_user(void *to, unsigned long from, u32 size)
{
	return current->mm && !(current->flags & PF_KTHREAD) && from >= PAGE_SIZE &&
	       kcatch_copy_user(to, from, size);
}

/** kcatch_load_words() - kcatch_load_more(). Return: 0, or ~0 if a word faults */
static __always_inline u64 kcatch_load_words(u64 *to, unsigned long from, u32 size)
{
	u64 fault = 0;

	kcatch_load_more(to, from, size, &fault);
	return fault;
}

/** kcatch_fetch_one() - the quick reader of a list with @one set, as most conditions have it.
 * Return: true; false: it is no such list, or not read */
static __always_inline bool kcatch_fetch_one(const struct kcatch_items *list, const u64 *args,
					     u64 *to)
{
	const struct kcatch_read_item *item = list->items;
	unsigned long from;
	u64 fault = 0;

	if (unlikely(!list->one))
		return false;
	from = args[item->place] + item->offset;
	if (unlikely(!kcatch_at_hand(from, item->size)))
		return false;
	if (likely(item->size == 4))
		*to = kcatch_load_word(from, 4, &fault);
	else
		*to = kcatch_load_word(from, item->size, &fault);
	return !fault;
}

/**
 * kcatch_read_text() - copy a string up to its terminator, excluding it
 * @to: room for @size, rounded up to a multiple of 8
 * @from: address
 * @size: maximum bytes
 * @ended: out: the terminator was found
 *
 * Context: any. Return: bytes before the terminator or the first unreadable byte, at most @size
 */
u32 kcatch_read_text(u8 *to, unsigned long from, u32 size, bool *ended);

#endif
