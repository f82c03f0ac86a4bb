/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* ftrace_list.h - the functions that ftrace reaches */
#ifndef LIB_FTRACE_LIST_H
#define LIB_FTRACE_LIST_H

/**
 * kcatch_ftrace_list_read - visit every function that ftrace can hook
 * @visit: gets a name and its module, "" for the kernel itself; ends the
 *	reading when it does not return 0
 * @arg: for @visit
 *
 * Return: 0; what @visit returned; -ENODEV without tracefs, -EACCES or another
 * -errno with an error text.
 */
int kcatch_ftrace_list_read(int (*visit)(const char *name, const char *module, void *arg),
			    void *arg);

#endif
