/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* ftrace_list.h - reads the list of functions that ftrace can hook */
#ifndef LIB_TARGET_FTRACE_LIST_H
#define LIB_TARGET_FTRACE_LIST_H

/**
 * kcatch_ftrace_list_read - visit every function that ftrace can hook
 * @visit: called with a function's name and its module, "" for the kernel itself; a nonzero
 *	return value ends the reading
 * @arg: passed to @visit
 *
 * Return: 0; the nonzero value of @visit; -ENODEV without tracefs, -EACCES or another -errno
 * with an error text.
 */
int kcatch_ftrace_list_read(int (*visit)(const char *name, const char *module, void *arg),
			    void *arg);

#endif
