/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where kernel memory lies that may be read without looking it up. All functions: any context.
 */
#ifndef _KCATCH_PROGRAM_RANGES_H
#define _KCATCH_PROGRAM_RANGES_H

#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/memory.h>
#include "core/text.h"

/** kcatch_on_own_stack() - do all @size bytes lie on the stack of the current task? */
static __always_inline bool kcatch_on_own_stack(unsigned long address, u32 size)
{
	return address - (unsigned long)task_stack_page(current) <= THREAD_SIZE - size;
}

/* The kernel's direct map of memory, less a page at its end. Set once. */
extern unsigned long kcatch_direct_start, kcatch_direct_size;

/** kcatch_in_direct_map() - do the bytes from @address, at most a page, lie in the direct map?
 * Only memory is mapped there; what is not mapped faults. */
static __always_inline bool kcatch_in_direct_map(unsigned long address)
{
	return address - kcatch_direct_start <= kcatch_direct_size;
}

/** kcatch_at_hand() - can @size bytes, at most a page, be read without looking them up? They lie
 * in the direct map, on this task's stack, or in the kernel's image. Unmapped addresses there
 * fault. */
static __always_inline bool kcatch_at_hand(unsigned long address, u32 size)
{
	return likely(kcatch_in_direct_map(address)) || kcatch_on_own_stack(address, size) ||
	       (address - kcatch_image_start < kcatch_image_size &&
		address - kcatch_image_start + size <= kcatch_image_size);
}

/** kcatch_direct_init() - set the bounds of the direct map. Context: once, while the module is
 * loaded */
static inline void kcatch_direct_init(void)
{
	kcatch_direct_start = PAGE_OFFSET;
	kcatch_direct_size = PAGE_END - PAGE_OFFSET - PAGE_SIZE;
}

#endif
