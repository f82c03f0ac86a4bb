/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* syscall_name.h - names of x86-64 system calls by number */
#ifndef LIB_BASE_SYSCALL_NAME_H
#define LIB_BASE_SYSCALL_NAME_H

#include <stdint.h>

/** kcatch_syscall_name - "read" of 0; NULL when there is none of that number */
const char *kcatch_syscall_name(uint64_t number);

#endif
