/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Descendants: a process and all processes that it and its children fork, for the gate
 * KCATCH_ADD_CHILDREN. One bit for each possible process ID, so a hook tests a process by
 * one load in any context, and the number of descendants is unlimited.
 *
 * A probe of our own at sched_process_fork maintains the bits; the kernel calls it before
 * the new process runs. Only a fork reuses a process ID, and the fork writes its bit: so no
 * bit need be cleared at exit, and calls made during exit are seen as well.
 */
#ifndef _KCATCH_DESCENDANTS_H
#define _KCATCH_DESCENDANTS_H

#include <linux/bitops.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/threads.h>
#include <linux/types.h>

struct tracepoint;

/**
 * struct kcatch_descendants - a process and its descendants
 * @users: groups; given back by kcatch_descendants_put()
 * @lock: orders forks and the search for children that are there already
 * @fork: the tracepoint we stand at
 * @root: the process it began with
 * @bits: by process number, in the first pid namespace (512 KB)
 */
struct kcatch_descendants {
	refcount_t users;
	raw_spinlock_t lock;
	struct tracepoint *fork;
	pid_t root;
	unsigned long bits[BITS_TO_LONGS(PID_MAX_LIMIT)];
};

/**
 * kcatch_descendants_create() - a process and those that descend from it now, and from now on
 * @root: its number in the first pid namespace
 * @descendants: result, with one user
 *
 * A process orphaned before this call counts as a descendant of its adopter.
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM, or -EOPNOTSUPP: this kernel does not report forks
 */
int kcatch_descendants_create(pid_t root, struct kcatch_descendants **descendants);

/** kcatch_descendants_get() - one more user. Context: any */
static inline struct kcatch_descendants *
kcatch_descendants_get(struct kcatch_descendants *descendants)
{
	refcount_inc(&descendants->users);
	return descendants;
}

/**
 * kcatch_descendants_put() - one user less
 * @descendants: NULL is fine; no hook asks for this user any more
 *
 * Context: may sleep.
 */
void kcatch_descendants_put(struct kcatch_descendants *descendants);

/** kcatch_descendants_has() - is a process the root or a descendant of it? Context: any, NMI too */
static __always_inline bool kcatch_descendants_has(const struct kcatch_descendants *descendants,
						   pid_t tgid)
{
	return descendants && (u32)tgid < PID_MAX_LIMIT &&
	       (READ_ONCE(descendants->bits[(u32)tgid / BITS_PER_LONG]) >>
			((u32)tgid % BITS_PER_LONG) &
		1);
}

#endif
