/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the path of a file, without a lock or a reference, for steps of a program.
 */
#ifndef _KCATCH_FETCH_PATH_H
#define _KCATCH_FETCH_PATH_H

#include <linux/types.h>

/**
 * kcatch_read_path() - copy the path of a dentry, without a terminator
 * @to: @size bytes
 * @dentry: address of a dentry; with @whole: of a struct path
 * @whole: follow the mounts up to the root of the mount namespace; otherwise the path
 *	ends at the root of the dentry's file system
 * @size: maximum length of the path in bytes; a longer one loses its first components
 * @complete: out: no component is missing at the front
 *
 * @dentry is untrusted: every read may fail. If a component is renamed meanwhile, the path has
 * its old or its new name.
 *
 * Context: any, NMI too, inside a hook. Return: length in bytes; 0: not readable
 */
u32 kcatch_read_path(u8 *to, unsigned long dentry, bool whole, u32 size, bool *complete);

/**
 * kcatch_path_init() - test whether our paths equal those of d_path()
 *
 * If they differ, paths end at the root of their mount from then on.
 *
 * Context: may sleep; once.
 */
void kcatch_path_init(void);

#endif
