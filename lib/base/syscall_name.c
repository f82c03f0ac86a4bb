/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* syscall_name.c - names of system calls; lib/build.mk makes the table */
#include "base/syscall_name.h"

#include <stddef.h>

static const char *const names[] = {
#include "base/syscall_names.inc"
};

const char *kcatch_syscall_name(uint64_t number)
{
	return number < sizeof(names) / sizeof(names[0]) ? names[number] : NULL;
}
