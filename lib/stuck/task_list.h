/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* task_list.h - reads the state of every thread of the machine, and kernel memory */
#ifndef LIB_STUCK_TASK_LIST_H
#define LIB_STUCK_TASK_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include <kcatch_containers.h>
#include "session/handle.h"

/* kcatch_task.flags, set here: who reads the process's memory or files would block. */
#define KCATCH_TASK_UNREAD (1U << 31)

/* Of the registers with which a thread entered the kernel: the stack pointer; the number of the
 * system call, an argument of it; whether it has those of 64-bit programs. */
static inline uint64_t kcatch_task_sp(const struct kcatch_task *task)
{
	return task->regs[kcatch_arch_running()->user.sp];
}

static inline uint64_t kcatch_task_call(const struct kcatch_task *task)
{
	return task->regs[kcatch_arch_running()->user.call];
}

static inline uint64_t kcatch_task_arg(const struct kcatch_task *task, unsigned int nr)
{
	return task->regs[kcatch_arch_running()->user.args[nr]];
}

static inline bool kcatch_task_is_wide(const struct kcatch_task *task)
{
	return (task->flags & KCATCH_TASK_REGS) &&
	       kcatch_arch_is_wide(kcatch_arch_running(), (const uint64_t *)task->regs);
}

/**
 * struct kcatch_task_list - threads of the machine or of a process
 * @tasks: the threads
 * @nr: number of entries in @tasks
 * @now: time of the list in ns, on the clock of kcatch_task.ran_at
 * @by_address: finds a thread by kcatch_task.address
 * @by_tid: finds a thread by kcatch_task.tid
 * @by_stack: indexes in @tasks of threads with a stack, sorted by the stack's address
 * @nr_stacks: number of entries in @by_stack
 * @by_ns_tid: indexes in @tasks of threads that have not ended, sorted by kcatch_task.ns_tid
 * @nr_ns_tids: number of entries in @by_ns_tid
 *
 * Memory: 1 KB a thread.
 */
struct kcatch_task_list {
	struct kcatch_task *tasks;
	size_t nr;
	uint64_t now;
	struct kcatch_table by_address;
	struct kcatch_table by_tid;
	uint32_t *by_stack;
	size_t nr_stacks;
	uint32_t *by_ns_tid;
	size_t nr_ns_tids;
};

/**
 * kcatch_task_list_create - read the state of the machine's threads, or of one process
 * @session: an open session, with or without probes
 * @pid: process ID; 0: all processes
 * @running: also read the stacks of running threads
 * @list: the new list
 *
 * Return: 0; -ESRCH no such process; -ENOMEM; another -errno.
 */
int kcatch_task_list_create(struct kcatch_session *session, uint32_t pid, bool running,
			    struct kcatch_task_list **list);

/** kcatch_task_list_destroy - free a list; NULL is ignored */
void kcatch_task_list_destroy(struct kcatch_task_list *list);

/**
 * kcatch_task_list_at - find a thread by the address of its task_struct
 * kcatch_task_list_of - find a thread by its thread ID
 * @list: the threads
 * @address: kernel address of the task_struct
 * @tid: thread ID
 *
 * Return: the thread or NULL.
 */
const struct kcatch_task *kcatch_task_list_at(const struct kcatch_task_list *list,
					      uint64_t address);
const struct kcatch_task *kcatch_task_list_of(const struct kcatch_task_list *list, uint32_t tid);

/**
 * kcatch_task_list_of_ns - find threads by thread ID in their own PID namespaces
 * @list: the threads
 * @ns_tid: thread ID in the thread's own namespace
 * @index: 0 for the first thread with that ID, 1 for the second, and so on
 *
 * Return: the thread; NULL: @index or fewer threads have that ID.
 */
const struct kcatch_task *kcatch_task_list_of_ns(const struct kcatch_task_list *list,
						 uint32_t ns_tid, uint32_t index);

/** kcatch_task_list_on_stack - find the thread whose kernel stack contains @address, or NULL */
const struct kcatch_task *kcatch_task_list_on_stack(const struct kcatch_task_list *list,
						    uint64_t address);

/** kcatch_task_stands - true if the thread was off the CPU and did not run while it was read */
bool kcatch_task_stands(const struct kcatch_task *task);

/**
 * kcatch_kernel_read - copy kernel memory
 * @session: an open session
 * @address: kernel address
 * @to: buffer of @size bytes
 * @size: bytes, up to KCATCH_READ_MAX
 *
 * Return: 0 or -errno, without an error text.
 */
int kcatch_kernel_read(const struct kcatch_session *session, uint64_t address, void *to,
		       size_t size);

#endif
