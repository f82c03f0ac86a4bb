/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the path of a file, without a lock or a reference.
 */
#ifndef _KCATCH_FETCH_PATH_H
#define _KCATCH_FETCH_PATH_H

#include <linux/types.h>

/**
 * kcatch_read_path() - the path of a dentry
 * @to: room for @size
 * @dentry: its address, or that of a struct path
 * @whole: it is a struct path: go on through the mounts to the root of all
 * @size: most bytes
 * @complete: out: nothing is missing at the front
 *
 * A rename meanwhile may show the old or the new names.
 *
 * Context: any, inside a hook. Return: bytes; 0: not readable
 */
u32 kcatch_read_path(u8 *to, unsigned long dentry, bool whole, u32 size, bool *complete);

/** kcatch_path_init() - compare with the kernel's own; paths end at their mount
 * where it does not agree */
void kcatch_path_init(void);

#endif
