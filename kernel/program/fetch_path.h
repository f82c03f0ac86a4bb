/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the path of a file, without a lock or a reference, for items of a program.
 */
#ifndef _KCATCH_FETCH_PATH_H
#define _KCATCH_FETCH_PATH_H

#include <linux/types.h>

/**
 * kcatch_read_path() - copy the path of a dentry, without a terminator
 * @to: room for @size bytes and KCATCH_FETCH_SPILL
 * @dentry: address of a dentry; with @whole: of a struct path
 * @whole: follow the mounts up to the root of the mount namespace; otherwise the path
 *	ends at the root of the dentry's file system
 * @size: maximum length of the path in bytes; a longer one loses its first components
 *
 * @dentry is untrusted: every read may fail. If a component is renamed meanwhile, the path has
 * its old or its new name.
 *
 * Context: any, NMI too, inside a hook. Return: length in bytes, with
 * KCATCH_PATH_CUT if components are missing at the front; 0: not readable
 */
#define KCATCH_PATH_CUT	(1U << 31)
u32 kcatch_read_path(u8 *to, unsigned long dentry, bool whole, u32 size);

/**
 * kcatch_path_init() - test whether our paths equal those of d_path()
 *
 * If they differ, paths end at the root of their mount from then on.
 *
 * Context: may sleep; once.
 */
void kcatch_path_init(void);

#endif
