/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* errno_name.c - names of errors, those that stay in the kernel among them */
#include <stddef.h>
#include <string.h>

#include "base/errno_name.h"

#define FIRST_INTERNAL 512	/* include/linux/errno.h of the kernel */

const char *kcatch_errno_name(int error)
{
	static const char *const internal[] = {
		"ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND", "ENOIOCTLCMD",
		"ERESTART_RESTARTBLOCK", "EPROBE_DEFER", "EOPENSTALE", "ENOPARAM", NULL,
		"EBADHANDLE", "ENOTSYNC", "EBADCOOKIE", "ENOTSUPP", "ETOOSMALL", "ESERVERFAULT",
		"EBADTYPE", "EJUKEBOX", "EIOCBQUEUED", "ERECALLCONFLICT", "ENOGRACE",
	};

	if (error <= 0)
		return NULL;
	if (error >= FIRST_INTERNAL &&
	    (size_t)error - FIRST_INTERNAL < sizeof(internal) / sizeof(internal[0]))
		return internal[error - FIRST_INTERNAL];
	return strerrorname_np(error);
}
