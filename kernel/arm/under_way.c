// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks at the calls of a session that have not returned. Process context, may sleep.
 *
 * The lists of hooked returns are those of tasks that run meanwhile: their entries are copied, and
 * so are the slots, whose memory stays as long as the session's groups. An entry that has left the
 * list leads on to that of another task, or nowhere. It is the task's own if it is of its stack,
 * the call was older than asked for before the entry was copied, as who takes over an entry begins
 * a new call, and the task is not dead, as others take over its stack. The head of a slot is copied
 * again: it is the same only if the first copy is whole, as a slot that is given back loses its run
 * first, and gets one last.
 *
 * Interrupts have stacks of their own: their calls are left out.
 *
 * Locks: session->lock, so that groups and probes stay; no user memory is accessed inside it.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "arm/session.h"
#include "arm/under_way.h"
#include "core/threads.h"
#include "hit/call_slot.h"

#define HOOKS_MAX 4096 /* hooked returns of a task */
#define TRIES     4    /* how often a call that changes is looked at again */

/* A call, copied: the slot, and what the entry kept. */
struct slot_copy {
	u64 words[(sizeof(struct kcatch_inflight) + sizeof(struct kcatch_condition_input) +
		   KCATCH_DATA_MAX + KCATCH_FETCH_SPILL) / sizeof(u64)];
};

/* One look at all threads. */
struct look {
	struct kcatch_session *session;
	struct kcatch_under_way *calls;
	u32 room;
	u8 *to;
	struct slot_copy *copy;
};

static const struct kcatch_group *group_of_hook(const struct kcatch_session *session,
						const struct llist_node *node)
{
	const struct kcatch_group *group;

	list_for_each_entry(group, &session->groups, list)
		if (group->returns && kcatch_rethook_is(node, &group->returns->kretprobe))
			return group;
	return NULL;
}

static bool is_probe(const struct kcatch_session *session, const struct kcatch_probe *probe)
{
	const struct kcatch_group *group;

	list_for_each_entry(group, &session->groups, list)
		if (probe >= group->probes && probe < group->probes + group->nr)
			return true;
	return false;
}

enum copied { COPIED_NONE, COPIED_PART, COPIED_CALL };

/* Return: whether a slot is that of a call; PART: it changes */
static enum copied copy_slot(struct slot_copy *copy, const struct kcatch_inflight *slot,
		      const struct kcatch_group *group)
{
	const struct kcatch_inflight *call = (void *)copy;
	struct kcatch_inflight again;
	u32 run;

	if (copy_from_kernel_nofault(copy, slot,
				     min_t(size_t, group->returns->data_size, sizeof(*copy))))
		return COPIED_NONE;
	/* Pairs with kcatch_inflight_fill(). If the copy has anything of a later call, its run is 0
	 * by now; or it is set again, and then the time is the later call's. */
	smp_rmb();
	if (call->run != group->run || copy_from_kernel_nofault(&run, &slot->run, sizeof(run)) ||
	    run != call->run)
		return COPIED_NONE;
	smp_rmb();
	if (copy_from_kernel_nofault(&again, slot, sizeof(again)))
		return COPIED_NONE;
	return again.run == call->run && again.time == call->time && again.call == call->call &&
	       again.probe == call->probe && again.switches == call->switches &&
	       again.out == call->out && again.off == call->off ?
		       COPIED_CALL :
		       COPIED_PART;
}

/* What the entry kept, of a call that has no record yet. Return: where it is in the copy */
static const u8 *kept_of(const struct slot_copy *copy, u32 data_size, u32 *size)
{
	const struct kcatch_inflight *call = (void *)copy;
	const u32 before = sizeof(*call) + kcatch_call_input_size(call->probe->program);

	*size = call->call ? 0 : call->entry_size;
	if (before + *size > min_t(size_t, data_size, sizeof(*copy)))
		*size = 0;
	return (const u8 *)copy + before;
}

static void put_lasting(struct look *look, const struct task_struct *task, u64 now, u64 ran,
		     u32 data_size)
{
	const struct kcatch_inflight *call = (void *)look->copy;
	struct kcatch_under_way *calls = look->calls;
	struct kcatch_lasting *to = (void *)(look->to + calls->size);
	struct kcatch_off_cpu off;
	const u8 *kept;
	u32 size;

	kept = kept_of(look->copy, data_size, &size);
	if (look->room - calls->size < ALIGN(sizeof(*to) + size, 8)) {
		calls->left_out++;
		return;
	}
	memset(to, 0, sizeof(*to));
	to->size = ALIGN(sizeof(*to) + size, 8);
	to->id = call->probe->id;
	to->pid = task->tgid;
	to->tid = task->pid;
	memcpy(to->comm, task->comm, sizeof(to->comm));
	to->comm[sizeof(to->comm) - 1] = '\0';
	to->time = call->time;
	to->call = call->call;
	to->lasted = kcatch_call_ns(now - call->time);
	off = kcatch_off_cpu_so_far(call, task, now, &to->away);
	to->runnable = off.runnable;
	to->blocked = off.blocked;
	to->switches = off.switches;
	to->ran = ran;
	to->cpu = task_cpu(task);
	to->faults = call->faults;
	to->cut = call->cut;
	to->context = call->context;
	to->data_size = size;
	memcpy(to->data, kept, size);
	memset(to->data + size, 0, to->size - sizeof(*to) - size);
	calls->size += to->size;
	calls->nr++;
}

static bool is_younger(struct look *look, u64 since, u64 now)
{
	const u64 lasted = kcatch_call_ns(max_t(s64, now - since, 0));

	if (lasted >= look->calls->least)
		return false;
	look->calls->younger = max(look->calls->younger, lasted ?: 1);
	return true;
}

/* Whoever sees that a task was not dead yet has seen its own stack until then. */
static bool is_dead(const struct task_struct *task)
{
	smp_rmb();
	return READ_ONCE(task->__state) == TASK_DEAD;
}

/* @before: clock before the entry of the list was copied */
static void look_at_slot(struct look *look, const struct task_struct *task, u64 before,
			 const struct kcatch_inflight *slot, const struct kcatch_group *group)
{
	const struct kcatch_inflight *call = (void *)look->copy;
	enum copied copied = COPIED_PART;
	u64 ran = 0;
	u32 tries;

	for (tries = 0; tries < TRIES && copied == COPIED_PART; tries++) {
		ran = READ_ONCE(task->nvcsw) + READ_ONCE(task->nivcsw);
		smp_rmb();
		copied = copy_slot(look->copy, slot, group);
	}
	if (is_dead(task))
		return;
	if (copied == COPIED_PART)
		look->calls->left_out++;
	if (copied == COPIED_CALL && is_probe(look->session, call->probe) &&
	    !is_younger(look, call->time, before))
		put_lasting(look, task, kcatch_clock_read(), ran, group->returns->data_size);
}

static bool is_on_stack_of(const struct task_struct *task, unsigned long frame)
{
	return frame - (unsigned long)READ_ONCE(task->stack) < THREAD_SIZE;
}

static void look_at_task(struct look *look, const struct task_struct *task)
{
	const struct llist_node *node = kcatch_rethook_first(task);
	const struct kcatch_group *group;
	kcatch_rethook_copy_t hook;
	u32 i;

	for (i = 0; node && i < HOOKS_MAX; i++) {
		const u64 before = kcatch_clock_read();

		smp_mb();
		if (!kcatch_rethook_copy(&hook, node))
			return;
		group = group_of_hook(look->session, &hook.llist);
		if (group && is_on_stack_of(task, kcatch_rethook_frame(&hook.llist)))
			look_at_slot(look, task, before, kcatch_inflight_of(node), group);
		node = hook.llist.next;
	}
}

static int look_at_all(struct look *look, const struct kcatch_threads *threads)
{
	int error = 0;
	u32 i;

	mutex_lock(&look->session->lock);
	if (!look->session->running)
		error = -EINVAL;
	for (i = 0; i < threads->nr && !error; i++) {
		look_at_task(look, threads->of[i]);
		if (signal_pending(current))
			error = -EINTR;
		cond_resched();
	}
	mutex_unlock(&look->session->lock);
	return error;
}

int kcatch_under_way(struct kcatch_session *session, struct kcatch_under_way *calls)
{
	struct look look = { .session = session, .calls = calls, .room = calls->size };
	struct kcatch_threads threads;
	int error;

	if (calls->reserved || calls->size > KCATCH_UNDER_WAY_SIZE_MAX)
		return -EINVAL;
	if (static_key_enabled(&kcatch_returns_public))
		return -EOPNOTSUPP;
	calls->size = 0;
	calls->nr = 0;
	calls->left_out = 0;
	calls->younger = 0;
	error = kcatch_threads_hold(&threads, 0);
	if (error)
		return error;
	look.to = kvmalloc(max(look.room, 8U), GFP_KERNEL);
	look.copy = kmalloc(sizeof(*look.copy), GFP_KERNEL);
	error = look.to && look.copy ? look_at_all(&look, &threads) : -ENOMEM;
	kcatch_threads_put(&threads);
	if (!error && copy_to_user(u64_to_user_ptr(calls->buffer), look.to, calls->size))
		error = -EFAULT;
	kfree(look.copy);
	kvfree(look.to);
	return error;
}
