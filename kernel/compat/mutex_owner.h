/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who holds a mutex. The kernel keeps that for itself: the low bits of the word with the owner are
 * flags (kernel/locking/mutex.h, MUTEX_FLAGS; rtmutex_common.h, RT_MUTEX_HAS_WAITERS). death.c
 * tries it when the module is loaded.
 */
#ifndef _KCATCH_COMPAT_MUTEX_OWNER_H
#define _KCATCH_COMPAT_MUTEX_OWNER_H

#include <linux/mutex.h>
#include <linux/sched.h>

/** kcatch_mutex_is_mine() - does the current task hold @lock? Context: any */
static inline bool kcatch_mutex_is_mine(struct mutex *lock)
{
#ifdef CONFIG_PREEMPT_RT
	unsigned long owner = (unsigned long)READ_ONCE(lock->rtmutex.owner) & ~1UL;
#else
	unsigned long owner = atomic_long_read(&lock->owner) & ~7UL;
#endif

	return owner == (unsigned long)current;
}

#endif
