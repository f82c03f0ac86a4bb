/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * real_time_locks.h - the lock that a thread waits for, on a kernel for real time (PREEMPT_RT)
 *
 * A mutex and an rwsem are made of an rt_mutex there. The kernel itself keeps what a thread waits
 * for: task_struct.pi_blocked_on is the waiter structure on the thread's stack, and that one has
 * the thread and the rt_mutex. The waiter lies in the rt_mutex's tree, which proves it. Who has
 * locked an rwsem to write owns its rt_mutex.
 */
#ifndef LIB_STUCK_REAL_TIME_LOCKS_H
#define LIB_STUCK_REAL_TIME_LOCKS_H

#include <kcatch_stuck.h>

#include "stuck/task_list.h"
#include "types/types.h"

/** struct kcatch_real_time_layout - where the members are, in bytes */
struct kcatch_real_time_layout {
	uint32_t task_blocked_on;	/* of struct task_struct */
	uint32_t waiter_task;		/* of struct rt_mutex_waiter */
	uint32_t waiter_lock;
	uint32_t waiter_node;
	uint32_t waiter_size;
	uint32_t lock_tree;		/* of struct rt_mutex_base */
	uint32_t lock_owner;
	uint32_t mutex_base;		/* of struct mutex */
	uint32_t rwsem_base;		/* of struct rw_semaphore */
	uint32_t rwsem_readers;
};

/**
 * kcatch_real_time_locks_learn - read the layout from the kernel's types
 * @types: the kernel's types
 * @layout: the layout
 *
 * Return: 0; -ENOENT not a kernel for real time, or the types lack a member.
 */
int kcatch_real_time_locks_learn(struct kcatch_types *types,
				 struct kcatch_real_time_layout *layout);

/**
 * kcatch_real_time_lock_find - find the lock that a thread waits for, and its owner
 * @session: an open session
 * @layout: the layout
 * @list: all threads of the machine, @task among them
 * @task: the waiting thread, which stands
 * @stack: its kernel stack from its stack pointer on
 * @size: bytes of @stack
 * @kind: kind of lock, from the functions on the thread's stack
 * @lock: the lock, all zero; stays so if no lock could be proven
 */
void kcatch_real_time_lock_find(struct kcatch_session *session,
				const struct kcatch_real_time_layout *layout,
				const struct kcatch_task_list *list,
				const struct kcatch_task *task, const uint8_t *stack,
				uint64_t size, enum kcatch_lock_kind kind,
				struct kcatch_lock *lock);

/**
 * kcatch_real_time_rwsem_is_locked - check whether reading would block
 * @session: an open session
 * @layout: the layout
 * @rwsem: kernel address of a struct rw_semaphore
 *
 * Return: true if it is locked for writing, or if a thread waits to do that.
 */
bool kcatch_real_time_rwsem_is_locked(struct kcatch_session *session,
				      const struct kcatch_real_time_layout *layout,
				      uint64_t rwsem);

#endif
