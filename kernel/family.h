/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Families: a process and all that it and its children fork, for the gate
 * KCATCH_ADD_CHILDREN. One bit for each number that a process can have, so that a hook
 * asks by one load in any context, and no process is ever too many.
 *
 * The bits are kept by a probe of our own at sched_process_fork, which the kernel calls
 * before the new process runs. A number is given anew only by a fork, which writes its bit:
 * so none need be cleared at exit, and what a process does while it exits is seen as well.
 */
#ifndef _KCATCH_FAMILY_H
#define _KCATCH_FAMILY_H

#include <linux/bitops.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/threads.h>
#include <linux/types.h>

struct tracepoint;

/**
 * struct kcatch_family - one
 * @users: groups; given back by kcatch_family_put()
 * @lock: orders forks and the search for children that are there already
 * @fork: the tracepoint we stand at
 * @root: the process it began with
 * @bits: by process number, in the first pid namespace (512 KB)
 */
struct kcatch_family {
	refcount_t users;
	raw_spinlock_t lock;
	struct tracepoint *fork;
	pid_t root;
	unsigned long bits[BITS_TO_LONGS(PID_MAX_LIMIT)];
};

/**
 * kcatch_family_create() - a process and those that descend from it now, and from now on
 * @root: its number in the first pid namespace
 * @family: result, with one user
 *
 * Who was orphaned before descends from whoever adopted it.
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM, or -EOPNOTSUPP: this kernel does not tell of forks
 */
int kcatch_family_create(pid_t root, struct kcatch_family **family);

/** kcatch_family_get() - one more user. Context: any */
static inline struct kcatch_family *kcatch_family_get(struct kcatch_family *family)
{
	refcount_inc(&family->users);
	return family;
}

/**
 * kcatch_family_put() - one user less
 * @family: NULL is fine; no hook asks for this user any more
 *
 * Context: may sleep.
 */
void kcatch_family_put(struct kcatch_family *family);

/** kcatch_family_has() - is a process of the family? Context: any, NMI too */
static __always_inline bool kcatch_family_has(const struct kcatch_family *family, pid_t tgid)
{
	return family && (u32)tgid < PID_MAX_LIMIT &&
	       (READ_ONCE(family->bits[(u32)tgid / BITS_PER_LONG]) >> ((u32)tgid % BITS_PER_LONG) & 1);
}

#endif
