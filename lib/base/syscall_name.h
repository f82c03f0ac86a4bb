/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* syscall_name.h - names of x86-64 system calls by number */
#ifndef LIB_BASE_SYSCALL_NAME_H
#define LIB_BASE_SYSCALL_NAME_H

#include <stdint.h>

/**
 * kcatch_syscall_name - the name of an x86-64 system call
 * @number: its number, such as 0
 *
 * Return: its name, such as "read", a constant; NULL: neither the kernel headers that kcatch was
 * built with nor newer_syscalls.h have such a system call.
 */
const char *kcatch_syscall_name(uint64_t number);

#endif
