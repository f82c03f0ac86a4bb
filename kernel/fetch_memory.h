/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading memory that may not be there, or not be memory.
 */
#ifndef _KCATCH_FETCH_MEMORY_H
#define _KCATCH_FETCH_MEMORY_H

#include <linux/types.h>

/**
 * kcatch_read() - copy from any address, of the kernel or the current task
 * @to: where
 * @from: address
 * @size: bytes, at most a page
 *
 * Context: any, inside a hook. Return: all of it could be read
 */
bool kcatch_read(void *to, unsigned long from, u32 size);

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
