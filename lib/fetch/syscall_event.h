/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * syscall_event.h - the events syscalls:sys_enter_NAME and sys_exit_NAME of tracefs
 *
 * They are no tracepoints: the kernel derives them from raw_syscalls:sys_enter and sys_exit.
 * Here they are these tracepoints with a condition on the system call's number, and with the
 * names and types of arguments that tracefs lists.
 */
#ifndef LIB_FETCH_SYSCALL_EVENT_H
#define LIB_FETCH_SYSCALL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#define KCATCH_SYSCALL_ARGS 6U

/* Of struct pt_regs on x86-64: the number of a system call. */
#define KCATCH_SYSCALL_REGS_NUMBER 120

/**
 * struct kcatch_syscall_event - one of them
 * @number: of the system call
 * @is_exit: of its return
 * @nr_args: arguments; 0 at its return
 * @args: their names, and their types as C writes them
 */
struct kcatch_syscall_event {
	uint32_t number;
	bool is_exit;
	uint32_t nr_args;
	struct {
		char name[32];
		char type[64];
	} args[KCATCH_SYSCALL_ARGS];
};

/**
 * kcatch_syscall_event_is - is it the name of one
 * @name: "sys_enter_openat"
 *
 * Return: whether it is, of a call that 64-bit programs have a number for.
 */
bool kcatch_syscall_event_is(const char *name);

/**
 * kcatch_syscall_event_read - what tracefs tells of one
 * @name: its name
 * @event: the new event, to be given to free()
 *
 * Return: 0; -ENOENT it is none; -ENOMEM; another -errno when tracefs cannot be read.
 */
int kcatch_syscall_event_read(const char *name, struct kcatch_syscall_event **event);

/**
 * kcatch_syscall_event_register - where an argument of a system call is
 * @index: which, below KCATCH_SYSCALL_ARGS
 *
 * Return: its offset in struct pt_regs.
 */
int32_t kcatch_syscall_event_register(uint32_t index);

#endif
