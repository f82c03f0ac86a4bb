/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* tasks.h - what every thread of the machine is at, at one moment; and kernel memory */
#ifndef LIB_TASKS_H
#define LIB_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include "session.h"
#include "table.h"

/* kcatch_task.regs[KCATCH_REG_CS] of 64-bit code: other code has other system calls. */
#define KCATCH_CODE_64 0x33

/* kcatch_task.flags, set by us: its memory map is locked, who reads its memory would wait. */
#define KCATCH_TASK_MAP_LOCKED (1U << 31)

/* Places in kcatch_task.regs and kcatch_user.regs: the order of struct pt_regs. */
enum kcatch_reg {
	KCATCH_REG_BP = 4,
	KCATCH_REG_R10 = 7,
	KCATCH_REG_R9,
	KCATCH_REG_R8,
	KCATCH_REG_AX,
	KCATCH_REG_CX,
	KCATCH_REG_DX,
	KCATCH_REG_SI,
	KCATCH_REG_DI,
	KCATCH_REG_ORIG_AX,
	KCATCH_REG_IP,
	KCATCH_REG_CS,
	KCATCH_REG_FLAGS,
	KCATCH_REG_SP,
};

/**
 * struct kcatch_task_list - threads
 * @tasks: the threads
 * @nr: how many
 * @now: the clock of their ran_at, ns
 * @by_address: index by kcatch_task.address
 * @by_tid: index by kcatch_task.tid
 * @by_stack: places of those with a stack in @tasks, by its address
 * @nr_stacks: how many
 * @by_ns_tid: places of those that have not ended in @tasks, by their ns_tid
 * @nr_ns_tids: how many
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
 * kcatch_task_list_create - look at the threads of the machine, or of a process
 * @session: an open session; nothing need be armed
 * @pid: only this process; 0: all
 * @running: stacks of running threads as well
 * @list: the threads
 *
 * Return: 0; -ESRCH no such process; -ENOMEM; another -errno.
 */
int kcatch_task_list_create(struct kcatch_session *session, uint32_t pid, bool running,
			    struct kcatch_task_list **list);

/** kcatch_task_list_destroy - forget them; NULL is fine */
void kcatch_task_list_destroy(struct kcatch_task_list *list);

/**
 * kcatch_task_list_at - the thread of a struct task_struct
 * kcatch_task_list_of - the thread of a number
 * @list: the threads
 * @address: of the task_struct
 * @tid: its number
 *
 * Return: the thread or NULL.
 */
const struct kcatch_task *kcatch_task_list_at(const struct kcatch_task_list *list,
					      uint64_t address);
const struct kcatch_task *kcatch_task_list_of(const struct kcatch_task_list *list, uint32_t tid);

/**
 * kcatch_task_list_of_ns - threads that have a number in their own pid namespaces
 * @list: the threads
 * @ns_tid: the number
 * @index: which of them
 *
 * Return: the thread; NULL: there are not so many.
 */
const struct kcatch_task *kcatch_task_list_of_ns(const struct kcatch_task_list *list,
						 uint32_t ns_tid, uint32_t index);

/** kcatch_task_list_on_stack - the thread on whose kernel stack @address is, or NULL */
const struct kcatch_task *kcatch_task_list_on_stack(const struct kcatch_task_list *list,
						    uint64_t address);

/** kcatch_task_stands - is it off the CPU, and did it stand still while it was looked at */
bool kcatch_task_stands(const struct kcatch_task *task);

/**
 * kcatch_kernel_read - copy kernel memory
 * @session: an open session
 * @address: of the kernel
 * @to: room
 * @size: bytes, up to KCATCH_READ_MAX
 *
 * Return: 0 or -errno, without an error text.
 */
int kcatch_kernel_read(const struct kcatch_session *session, uint64_t address, void *to,
		       size_t size);

#endif
