/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * syscall_event.h - system calls: their numbers, their arguments, and their functions
 *
 * The events syscalls:sys_enter_NAME and sys_exit_NAME of tracefs are no tracepoints: the kernel
 * derives them from raw_syscalls:sys_enter and sys_exit. kcatch arms those two with a condition on
 * the system call's number.
 *
 * A system call's function, on x86-64 __x64_sys_NAME, has one argument: a struct pt_regs with those
 * of the system call. Their names and types are in tracefs, or in the types of __do_sys_NAME.
 */
#ifndef LIB_FETCH_SYSCALL_EVENT_H
#define LIB_FETCH_SYSCALL_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "types/types.h"

#define KCATCH_SYSCALL_ARGS KCATCH_ARCH_CALL_ARGS
/* Of a number as a key of a count: it is of a 32-bit program. */
#define KCATCH_SYSCALL_COMPAT_BIT 32
#define KCATCH_SYSCALL_NUMBERS    1024U /* above every number of a system call */

/**
 * struct kcatch_syscall_event - the entry or exit of one system call, or its function
 * @number: number of the system call for 64-bit programs; not set for a function
 * @is_function: the function of the system call, and no event
 * @is_exit: the exit; else the entry
 * @nr_args: number of entries in @args; 0 for an exit
 * @args: names of the arguments, and their types as C writes them
 */
struct kcatch_syscall_event {
	uint32_t number;
	bool is_function;
	bool is_exit;
	uint32_t nr_args;
	struct {
		char name[32];
		char type[64];
	} args[KCATCH_SYSCALL_ARGS];
};

/**
 * kcatch_syscall_event_is - whether a name is that of a system call's event
 * @name: the name without "syscalls:", as "sys_enter_openat"
 *
 * Return: whether it is, for a system call that 64-bit programs have.
 */
bool kcatch_syscall_event_is(const char *name);

/**
 * kcatch_syscall_event_read - read a system call's number and arguments
 * @name: name of the event without "syscalls:"
 * @event: receives the new event; free it with free()
 *
 * Reads tracefs for an entry, nothing for an exit.
 *
 * Return: 0; -ENOENT 64-bit programs have no such system call; -ENOMEM; another -errno if
 * tracefs cannot be read. The error text is set.
 */
int kcatch_syscall_event_read(const char *name, struct kcatch_syscall_event **event);

/**
 * kcatch_syscall_of_function - read the arguments of a system call from its function's name
 * @types: types of the kernel
 * @function: name of the function
 * @event: receives what is known of it; free it with free(). NULL: the function is that of no
 *	system call of 64-bit programs, or the arguments are not known
 *
 * Reads tracefs. Without tracefs the arguments may be known from @types.
 *
 * Return: 0; -ENOMEM.
 */
int kcatch_syscall_of_function(struct kcatch_types *types, const char *function,
			       struct kcatch_syscall_event **event);

/**
 * kcatch_syscall_function - name the function of a system call
 * @call: name of the system call, as "openat" or "stat"
 * @function: receives the name of its function, as "__x64_sys_newstat"
 * @room: size of @function, bytes; 64 suffice
 *
 * Return: whether 64-bit programs have a system call of that name.
 */
bool kcatch_syscall_function(const char *call, char *function, size_t room);

/**
 * kcatch_syscall_event_register - locate an argument of a system call
 * @index: index of the argument, 0 .. KCATCH_SYSCALL_ARGS - 1
 *
 * Return: offset of its register in struct pt_regs, bytes.
 */
int32_t kcatch_syscall_event_register(uint32_t index);

#endif
