/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* syscall_text.h - the system call that a blocked thread is in, with its arguments */
#ifndef LIB_SYSCALL_TEXT_H
#define LIB_SYSCALL_TEXT_H

#include "tasks.h"

/**
 * kcatch_syscall_text - describe it: read(fd=3 </tmp/x>, buf=0x7ffc..., count=4096)
 * @tracefs: where that is mounted: it knows the arguments; "" without them
 * @name: of the system call, as "read"
 * @task: the thread, with KCATCH_TASK_REGS
 * @text: the text
 * @room: bytes at @text; what does not fit is left out, with "..." in its place
 *
 * Files, sockets and texts are those of this moment: looked at in the live process.
 */
void kcatch_syscall_text(const char *tracefs, const char *name, const struct kcatch_task *task,
			 char *text, size_t room);

#endif
