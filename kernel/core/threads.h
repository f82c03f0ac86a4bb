/* SPDX-License-Identifier: GPL-2.0-only */
/* All threads of the machine, or of a process, each with a reference. */
#ifndef _KCATCH_THREADS_H
#define _KCATCH_THREADS_H

#include <linux/types.h>

struct task_struct;

/**
 * struct kcatch_threads - threads, held
 * @of: the threads
 * @nr: number of entries in @of
 */
struct kcatch_threads {
	struct task_struct **of;
	u32 nr;
};

/** kcatch_threads_hold() - collect the threads under RCU. @tgid: of this process alone; 0: all. The
 * result is for kcatch_threads_put(). Memory: 9 bytes a thread. Context: may sleep. Return: 0 or
 * -ENOMEM */
int kcatch_threads_hold(struct kcatch_threads *threads, pid_t tgid);

/** kcatch_threads_put() - let go of the threads. Context: may sleep */
void kcatch_threads_put(struct kcatch_threads *threads);

#endif
