/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kernel_locks.h - the lock that a thread waits for in the kernel, and its owner
 *
 * A thread that waits for a mutex or an rwsem has a waiter structure on its own kernel stack,
 * linked into the lock's wait list. The list proves whether words on a stack are such a
 * structure: every link leads to a node that links back, all nodes but one lie on stacks of
 * threads, and that one is the head, in the lock. The kernel's types give the layout of these
 * structures; real_time_locks.h is for kernels for real time. A lock that cannot be proven is not
 * reported.
 */
#ifndef LIB_STUCK_KERNEL_LOCKS_H
#define LIB_STUCK_KERNEL_LOCKS_H

#include <kcatch_stuck.h>

#include "stuck/task_list.h"
#include "types/types.h"

struct kcatch_kernel_locks;

/* Addresses of the kernel begin there, with 5 levels of page tables, too. */
#define KCATCH_KERNEL_MIN 0xff00000000000000ULL

/**
 * kcatch_kernel_locks_create - read the layout of this kernel's locks from its types
 * @session: an open session
 * @types: the kernel's types
 * @locks: the new object
 *
 * Return: 0; -ENOENT the types lack a needed structure or member; -ENOMEM.
 */
int kcatch_kernel_locks_create(struct kcatch_session *session, struct kcatch_types *types,
			       struct kcatch_kernel_locks **locks);

/** kcatch_kernel_locks_destroy - free the layout; NULL is ignored */
void kcatch_kernel_locks_destroy(struct kcatch_kernel_locks *locks);

/**
 * kcatch_kernel_lock_find - find the lock that a thread waits for, and its owner
 * @locks: the layout
 * @list: all threads of the machine, @task among them
 * @task: the waiting thread
 * @kind: kind of lock, from the functions on the thread's stack
 * @lock: the lock; its kind is KCATCH_LOCK_NONE if no lock could be proven
 */
void kcatch_kernel_lock_find(struct kcatch_kernel_locks *locks,
			     const struct kcatch_task_list *list, const struct kcatch_task *task,
			     enum kcatch_lock_kind kind, struct kcatch_lock *lock);

/**
 * kcatch_kernel_lock_queue - find the threads that wait for a lock, the one that gets it next first
 * @locks: the layout
 * @list: all threads of the machine
 * @lock: the lock, of a thread that waits for it
 * @waiters: receives them
 * @room: number of entries that fit in @waiters
 *
 * Return: how many wait; 0: not known, as on a kernel for real time.
 */
uint32_t kcatch_kernel_lock_queue(struct kcatch_kernel_locks *locks,
				  const struct kcatch_task_list *list,
				  const struct kcatch_lock *lock,
				  struct kcatch_lock_waiter *waiters, uint32_t room);

/**
 * kcatch_kernel_map_is_locked - check whether reading a process's memory would block
 * @locks: the layout
 * @mm: kcatch_task.mm of the process
 *
 * Return: true if the process's memory map is locked for writing, or if a thread waits for that
 * lock: new readers queue behind it.
 */
bool kcatch_kernel_map_is_locked(struct kcatch_kernel_locks *locks, uint64_t mm);

#endif
