/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * user_locks.h - the lock that a thread waits for in futex(), and its owner
 *
 * glibc's mutexes hold the thread ID of their owner, in the owner's own PID namespace. The
 * kernel knows only an address. The mutex's own fields, the thread's list of robust mutexes
 * and the functions on its user stack tell whether there is a mutex at that address. A mutex
 * that they do not prove is not reported.
 *
 * All functions but kcatch_user_lock_is_wait() read the memory or maps of processes, which may
 * block for ever: user_side.c runs them in a helper.
 */
#ifndef LIB_STUCK_USER_LOCKS_H
#define LIB_STUCK_USER_LOCKS_H

#include <kcatch_stuck.h>

#include "stuck/task_list.h"

/**
 * kcatch_user_lock_is_wait - check whether kcatch_user_lock_find() would read memory
 * @task: a thread
 *
 * Return: true if the thread is blocked in a call of futex(), and its memory is to be read.
 */
bool kcatch_user_lock_is_wait(const struct kcatch_task *task);

/**
 * kcatch_user_lock_find - find the lock that a thread seems to wait for
 * @list: all threads of the machine
 * @task: a thread of @list
 * @lock: the lock, not yet proven
 */
void kcatch_user_lock_find(const struct kcatch_task_list *list, const struct kcatch_task *task,
			   struct kcatch_user_lock *lock);

/**
 * kcatch_user_lock_prove - prove the lock by the functions on the thread's user stack
 * @list: all threads of the machine
 * @task: the waiting thread
 * @lock: the result of kcatch_user_lock_find(); if not proven, it becomes
 *	KCATCH_USER_LOCK_FUTEX without an owner; and that, if a function tells it, a condition
 *	variable, barrier or semaphore
 * @frames: frames of the thread's user stack, with function names
 * @nr_frames: number of entries in @frames
 */
void kcatch_user_lock_prove(const struct kcatch_task_list *list, const struct kcatch_task *task,
			    struct kcatch_user_lock *lock, const struct kcatch_frame *frames,
			    uint32_t nr_frames);

/**
 * kcatch_user_lock_is_pending - check whether a thread's robust list names a lock as pending
 * @task: the waiting thread
 * @lock: the lock
 *
 * The kernel defines the format of that list, so it is a proof without the user stack.
 *
 * Return: true if the list's pending entry is @lock.
 */
bool kcatch_user_lock_is_pending(const struct kcatch_task *task,
				 const struct kcatch_user_lock *lock);

/**
 * kcatch_user_read - copy @size bytes of a thread's memory; 0 or -errno
 *
 * By the number of the thread: a process whose first thread has ended has no memory by its own.
 */
int kcatch_user_read(uint32_t tid, uint64_t address, void *to, size_t size);

#endif
