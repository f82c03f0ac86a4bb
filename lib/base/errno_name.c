/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* errno_name.c - names of errnos, including those internal to the kernel */
#include <stddef.h>
#include <string.h>

#include "base/errno_name.h"

#define FIRST_INTERNAL 512	/* ERESTARTSYS; numbers from the kernel's include/linux/errno.h */

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
