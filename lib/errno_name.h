/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* errno_name.h - names of errors, those that stay in the kernel among them */
#ifndef LIB_ERRNO_NAME_H
#define LIB_ERRNO_NAME_H

#define KCATCH_ERRNO_MAX 4095	/* of error pointers */

/**
 * kcatch_errno_name - "ENOENT"
 * @error: positive
 *
 * Return: its name; NULL: nobody knows one.
 */
const char *kcatch_errno_name(int error);

#endif
