/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * user_locks.h - what a thread that is blocked in futex() waits for, and who has it
 *
 * glibc's mutexes hold the number of the thread that has them, as that thread's own pid
 * namespace numbers it. The kernel knows only an address; whether a mutex is there, its
 * own fields, the thread's list of robust mutexes and the functions on its user stack
 * tell. What they do not prove is not said.
 */
#ifndef LIB_USER_LOCKS_H
#define LIB_USER_LOCKS_H

#include "kcatch.h"
#include "tasks.h"

enum kcatch_user_lock_kind {
	KCATCH_USER_LOCK_NONE,		/* it is not in futex(), or not in one that waits */
	KCATCH_USER_LOCK_MUTEX,
	KCATCH_USER_LOCK_ROBUST,	/* mutex with PTHREAD_MUTEX_ROBUST */
	KCATCH_USER_LOCK_PI,		/* with PTHREAD_PRIO_INHERIT */
	KCATCH_USER_LOCK_REFUSED,	/* the kernel refused a PI mutex; glibc sleeps for ever then */
	KCATCH_USER_LOCK_END,		/* it waits for the end of a thread: pthread_join() */
	KCATCH_USER_LOCK_FUTEX,		/* something else: a condition, a semaphore ... */
};

/**
 * struct kcatch_user_lock - what a thread waits for, if it is what it looks like
 * @kind: KCATCH_USER_LOCK_*
 * @proven: it is that for sure; else kcatch_user_lock_prove() has to show it
 * @shared: who has it may be of another process
 * @gives_up: it waits until a certain time
 * @owner_ended: a thread had it that has ended
 * @owner: thread number of who has it (or is waited for), as in kcatch_task.tid; 0: not
 *	known
 * @address: in its process; 0: not known
 */
struct kcatch_user_lock {
	enum kcatch_user_lock_kind kind;
	bool proven;
	bool shared;
	bool gives_up;
	bool owner_ended;
	uint32_t owner;
	uint64_t address;
};

/**
 * kcatch_user_lock_find - what a thread seems to wait for
 * @list: threads, all of the machine
 * @task: one of them
 * @lock: the answer
 */
void kcatch_user_lock_find(const struct kcatch_task_list *list, const struct kcatch_task *task,
			   struct kcatch_user_lock *lock);

/**
 * kcatch_user_lock_prove - is it that
 * @list: threads, all of the machine
 * @task: who waits
 * @lock: what kcatch_user_lock_find() said; what is not proven by this becomes
 *	KCATCH_USER_LOCK_FUTEX without an owner
 * @frames: of its user stack, with names
 * @nr_frames: how many
 */
void kcatch_user_lock_prove(const struct kcatch_task_list *list, const struct kcatch_task *task,
			    struct kcatch_user_lock *lock, const struct kcatch_frame *frames,
			    uint32_t nr_frames);

/**
 * kcatch_user_lock_is_pending - does the thread's list of robust mutexes say that it wants it
 * @task: who waits
 * @lock: for what
 *
 * The format of that list is the kernel's: it proves what the user stack need not.
 */
bool kcatch_user_lock_is_pending(const struct kcatch_task *task,
				 const struct kcatch_user_lock *lock);

/** kcatch_user_read - copy a process's memory; 0 or -errno */
int kcatch_user_read(uint32_t pid, uint64_t address, void *to, size_t size);

#endif
