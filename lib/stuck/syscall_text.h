/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* syscall_text.h - the system call of a blocked thread, with its arguments */
#ifndef LIB_STUCK_SYSCALL_TEXT_H
#define LIB_STUCK_SYSCALL_TEXT_H

#include "constants/constant_names.h"
#include "fetch/syscall_event.h"
#include "stuck/task_list.h"

/**
 * struct kcatch_syscall_cache - the arguments of the last system call; zeroed: none
 * @name: name of the system call
 * @known: @call could be read
 * @call: C type and name of each argument
 * @named: arguments whose numbers have names; NULL: none
 */
struct kcatch_syscall_cache {
	char name[64];
	bool known;
	struct kcatch_syscall_event call;
	const struct kcatch_named_argument *named;
};

/**
 * kcatch_syscall_text - format a system call: read(fd=3 </tmp/x>, buf=0x7ffc..., count=4096)
 * @name: name of the system call, as "read"
 * @last: cache between calls: thousands of threads may be in the same system call
 * @task: the thread, with KCATCH_TASK_REGS
 * @text: receives the text
 * @room: bytes at @text; "..." replaces what does not fit
 *
 * Files, sockets and strings are read from the live process and are current.
 */
void kcatch_syscall_text(const char *name, struct kcatch_syscall_cache *last,
			 const struct kcatch_task *task, char *text, size_t room);

#endif
