/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kernel_locks.h - what a thread that is blocked in the kernel waits for, and who has it
 *
 * A thread that waits for a mutex or an rwsem has a waiter structure on its own kernel
 * stack, which stands in the lock's list. Whether words on a stack are one, the list
 * proves: every link leads to a node that leads back, all nodes but one lie on stacks of
 * threads, and that one is the head, in the lock. Where things are in these structures
 * is known from the kernel's types. What cannot be proven is not said.
 */
#ifndef LIB_KERNEL_LOCKS_H
#define LIB_KERNEL_LOCKS_H

#include "tasks.h"
#include "types.h"

enum kcatch_lock_kind {
	KCATCH_LOCK_NONE,	/* it does not wait for one that is known */
	KCATCH_LOCK_MUTEX,
	KCATCH_LOCK_RWSEM_READ,	/* it wants to read */
	KCATCH_LOCK_RWSEM_WRITE,
};

enum kcatch_lock_owner {
	KCATCH_OWNER_UNKNOWN,	/* the lock does not say, or says what cannot be */
	KCATCH_OWNER_THREAD,
	KCATCH_OWNER_READERS,	/* readers have it: the kernel does not know which */
	KCATCH_OWNER_NONE,	/* nobody has it at this moment */
};

/**
 * struct kcatch_lock - what a thread waits for
 * @kind: KCATCH_LOCK_*
 * @address: of the lock
 * @state: KCATCH_OWNER_*
 * @owner: KCATCH_OWNER_THREAD: the struct task_struct
 */
struct kcatch_lock {
	enum kcatch_lock_kind kind;
	uint64_t address;
	enum kcatch_lock_owner state;
	uint64_t owner;
};

struct kcatch_kernel_locks;

/**
 * kcatch_kernel_locks_create - learn how this kernel's locks are laid out
 * @session: an open session
 * @types: the kernel's types
 * @locks: the new object
 *
 * Return: 0; -ENOENT the types do not tell; -ENOMEM.
 */
int kcatch_kernel_locks_create(struct kcatch_session *session, struct kcatch_types *types,
			       struct kcatch_kernel_locks **locks);

/** kcatch_kernel_locks_destroy - forget it; NULL is fine */
void kcatch_kernel_locks_destroy(struct kcatch_kernel_locks *locks);

/**
 * kcatch_kernel_lock_find - what a thread waits for
 * @locks: the layout
 * @list: threads, @task among them: all of the machine
 * @task: who waits
 * @kind: what its stack says it waits for (the functions of that are on it)
 * @lock: the answer; its kind is KCATCH_LOCK_NONE when nothing could be proven
 */
void kcatch_kernel_lock_find(struct kcatch_kernel_locks *locks,
			     const struct kcatch_task_list *list, const struct kcatch_task *task,
			     enum kcatch_lock_kind kind, struct kcatch_lock *lock);

/**
 * kcatch_kernel_map_is_locked - would who looks at a process's memory have to wait
 * @locks: the layout
 * @mm: kcatch_task.mm
 *
 * Its memory map is locked to write, or somebody waits for it: readers queue behind.
 */
bool kcatch_kernel_map_is_locked(struct kcatch_kernel_locks *locks, uint64_t mm);

/**
 * kcatch_kernel_lock_kind - what a function of the kernel waits for, by its name
 * @function: of a stack
 *
 * Return: KCATCH_LOCK_*.
 */
enum kcatch_lock_kind kcatch_kernel_lock_kind(const char *function);

#endif
