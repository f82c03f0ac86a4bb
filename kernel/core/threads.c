// SPDX-License-Identifier: GPL-2.0-only
/* All threads of the machine, or of a process, each with a reference. Process context. */
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "core/threads.h"

/* The threads wanted, each held; false: there are more than @room. */
static bool hold_threads(struct kcatch_threads *threads, u32 room, pid_t tgid)
{
	struct task_struct *process, *thread;
	bool whole = true;

	threads->nr = 0;
	rcu_read_lock();
	for_each_process_thread(process, thread) {
		if (tgid && process->tgid != tgid)
			continue;
		if (threads->nr == room) {
			whole = false;
			goto full;
		}
		get_task_struct(thread);
		threads->of[threads->nr++] = thread;
	}
full:
	rcu_read_unlock();
	return whole;
}

int kcatch_threads_hold(struct kcatch_threads *threads, pid_t tgid)
{
	struct task_struct *process, *thread;
	u32 room = 0;

	rcu_read_lock();
	for_each_process_thread(process, thread)
		room++;
	rcu_read_unlock();
	for (room += room / 8 + 64;; room *= 2) {
		threads->of = kvmalloc_array(room, sizeof(threads->of[0]), GFP_KERNEL);
		if (!threads->of)
			return -ENOMEM;
		if (hold_threads(threads, room, tgid))
			return 0;
		/* Many were born meanwhile. */
		kcatch_threads_put(threads);
	}
}

void kcatch_threads_put(struct kcatch_threads *threads)
{
	while (threads->nr) {
		put_task_struct(threads->of[--threads->nr]);
		cond_resched();
	}
	kvfree(threads->of);
	threads->of = NULL;
}
