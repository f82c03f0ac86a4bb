/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* syscall_text.h - the system call that a blocked thread is in, with its arguments */
#ifndef LIB_SYSCALL_TEXT_H
#define LIB_SYSCALL_TEXT_H

#include "tasks.h"

/**
 * struct kcatch_syscall_arguments - of the system call that was asked for last; zeroed: none
 * @name: of the call
 * @known: its arguments are
 * @nr: how many
 * @arguments: types as in C, and names
 */
struct kcatch_syscall_arguments {
	char name[64];
	bool known;
	unsigned int nr;
	struct {
		char type[64];
		char name[32];
	} arguments[6];
};

/**
 * kcatch_syscall_text - describe it: read(fd=3 </tmp/x>, buf=0x7ffc..., count=4096)
 * @tracefs: where that is mounted: it knows the arguments; "" without them
 * @name: of the system call, as "read"
 * @last: thousands of threads may be in the same one
 * @task: the thread, with KCATCH_TASK_REGS
 * @text: the text
 * @room: bytes at @text; what does not fit is left out, with "..." in its place
 *
 * Files, sockets and texts are those of this moment: looked at in the live process.
 */
void kcatch_syscall_text(const char *tracefs, const char *name,
			 struct kcatch_syscall_arguments *last, const struct kcatch_task *task,
			 char *text, size_t room);

#endif
