// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts the calls whose thread waits for a CPU; waiting.h describes it.
 */
#include <linux/mutex.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>
#include "compat/tracepoint_types.h"
#include "core/tracepoint_list.h"
#include "hit/call.h"
#include "hit/call_slot.h"
#include "hit/off_cpu.h"
#include "hit/waiting.h"

atomic_t kcatch_calls_waiting = ATOMIC_INIT(0);

static DEFINE_MUTEX(waiting_lock);

/* @users: holds; @number: of the first of them; both waiting_lock. @now: the same number; 0: nobody
 * holds. @tracepoint: NULL: this kernel does not have it */
static struct {
	struct tracepoint *tracepoint;
	u32 users;
	u32 number;
	u32 now;
} waiting;

void kcatch_waiting_begins(struct kcatch_inflight *call)
{
	const u32 now = READ_ONCE(waiting.now);

	if (!now || call->waits == now)
		return;
	call->waits = now;
	atomic_inc(&kcatch_calls_waiting);
}

void kcatch_waiting_ends(struct kcatch_inflight *call)
{
	if (call->waits == READ_ONCE(waiting.now))
		atomic_dec(&kcatch_calls_waiting);
	call->waits = 0;
}

#ifdef CONFIG_SMP
/* A thread that runs still, or again, has no need to wait. */
static void on_wakeup(void *unused, struct task_struct *task)
{
	const struct llist_node *node = kcatch_rethook_first(task);

	if (likely(!node) || READ_ONCE(task->on_cpu))
		return;
	for (; node; node = node->next)
		if (kcatch_rethook_has(node, kcatch_call_returned))
			kcatch_waiting_begins(kcatch_inflight_of(node));
}

static void *wakeup_probe(void)
{
	return kcatch_probe_if_fits(on_wakeup, sched_wakeup, struct task_struct *);
}
#else
/* The kernel does not say which threads have a CPU. */
static void *wakeup_probe(void)
{
	return NULL;
}
#endif

static int waiting_found(struct tracepoint *tracepoint, void *unused)
{
	waiting.tracepoint = tracepoint;
	return 1;
}

/* Sees wakeups. */
static int waiting_register(void)
{
	void *probe = wakeup_probe();

	if (READ_ONCE(kcatch_off_cpu_begin) || !probe)
		return -EOPNOTSUPP;
	kcatch_tracepoint_find("sched_wakeup", waiting_found, NULL);
	if (!waiting.tracepoint || tracepoint_probe_register(waiting.tracepoint, probe, NULL))
		return -EOPNOTSUPP;
	return 0;
}

int kcatch_waiting_hold(bool *held)
{
	int error = 0;

	if (*held)
		return 0;
	mutex_lock(&waiting_lock);
	if (!waiting.users)
		error = waiting_register();
	if (!error && !waiting.users++) {
		waiting.number = waiting.number + 1 ?: 1;
		WRITE_ONCE(waiting.now, waiting.number);
	}
	mutex_unlock(&waiting_lock);
	*held = !error;
	return error;
}

void kcatch_waiting_release(bool *held)
{
	if (!*held)
		return;
	*held = false;
	mutex_lock(&waiting_lock);
	if (!--waiting.users) {
		WRITE_ONCE(waiting.now, 0);
		WARN_ON_ONCE(tracepoint_probe_unregister(waiting.tracepoint, wakeup_probe(), NULL));
		/* Then nobody who has read the number still counts by it. */
		tracepoint_synchronize_unregister();
		atomic_set(&kcatch_calls_waiting, 0);
	}
	mutex_unlock(&waiting_lock);
}
