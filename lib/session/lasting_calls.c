/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * lasting_calls.c - calls of a live session that have not returned, as events
 *
 * The module tells what the entry kept of them; the stack is that of the thread now. Both become
 * the record that the entry would have made, so everything else is that of caught calls.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "ring/calls.h"
#include "session/handle.h"
#include "session/lasting_calls.h"

#define ROOM (256U << 10) /* bytes for calls */

/* @tasks: threads of @process as they were after this look; its calls often follow each other */
struct kcatch_lasting_calls {
	struct kcatch_task *tasks;
	uint32_t nr_tasks, process;
	uint32_t nr, size;
	uint8_t data[ROOM];
};

static void forget_tasks(struct kcatch_lasting_calls *calls)
{
	free(calls->tasks);
	calls->tasks = NULL;
	calls->nr_tasks = 0;
	calls->process = 0;
}

void kcatch_lasting_calls_destroy(struct kcatch_lasting_calls *calls)
{
	if (calls)
		forget_tasks(calls);
	free(calls);
}

int kcatch_session_lasting(struct kcatch_session *session, uint64_t least_ns, uint64_t *wait_ns,
			   uint32_t *left_out)
{
	struct kcatch_under_way ask = { .size = ROOM, .least = least_ns };
	int ret;

	if (!session->running)
		return kcatch_error_set(EINVAL, "the session does not run");
	if (!session->lasting)
		session->lasting = calloc(1, sizeof(*session->lasting));
	if (!session->lasting)
		return kcatch_error_memory();
	session->lasting->nr = 0;
	forget_tasks(session->lasting);
	ask.buffer = (uintptr_t)session->lasting->data;
	ret = kcatch_session_ioctl(session, KCATCH_IOC_UNDER_WAY, &ask);
	if (ret == -EOPNOTSUPP)
		return kcatch_error_set(EOPNOTSUPP, "this kernel does not tell which calls are "
						    "under way");
	if (ret)
		return kcatch_error_system(ret, "look at the calls that are under way");
	*wait_ns = ask.younger < least_ns ? least_ns - ask.younger : 0;
	*left_out = ask.left_out;
	session->lasting->nr = ask.nr;
	session->lasting->size = ask.size;
	return (int)ask.nr;
}

static const struct kcatch_lasting *find(const struct kcatch_lasting_calls *calls, uint32_t index)
{
	const struct kcatch_lasting *call;
	uint32_t at = 0;

	if (!calls || index >= calls->nr)
		return NULL;
	for (;; at += call->size) {
		if (calls->size - at < sizeof(*call))
			return NULL;
		call = (const void *)(calls->data + at);
		if (call->size < sizeof(*call) || call->size > calls->size - at || call->size & 7 ||
		    call->data_size > call->size - sizeof(*call))
			return NULL;
		if (!index--)
			return call;
	}
}

static void list_tasks(struct kcatch_session *session, uint32_t process)
{
	struct kcatch_lasting_calls *calls = session->lasting;
	struct kcatch_tasks list = { .flags = KCATCH_TASKS_STACKS, .pid = process };

	forget_tasks(calls);
	if (kcatch_session_ioctl(session, KCATCH_IOC_TASKS, &list))
		return;
	list.count = list.total + 16;
	calls->tasks = calloc(list.count, sizeof(*calls->tasks));
	list.buffer = (uintptr_t)calls->tasks;
	if (!calls->tasks || kcatch_session_ioctl(session, KCATCH_IOC_TASKS, &list))
		return;
	calls->nr_tasks = list.count;
	calls->process = process;
}

/* The thread, as it has been since its call was looked at. NULL: it has run, or runs */
static const struct kcatch_task *thread_of(struct kcatch_session *session,
					   const struct kcatch_lasting *lasting)
{
	const struct kcatch_lasting_calls *calls = session->lasting;
	const struct kcatch_task *task;

	if (!lasting->away)
		return NULL;
	if (calls->process != lasting->pid)
		list_tasks(session, lasting->pid);
	for (task = calls->tasks; task < calls->tasks + calls->nr_tasks; task++)
		if (task->tid == lasting->tid)
			return task->switches == lasting->ran &&
					       !(task->flags &
						 (KCATCH_TASK_ON_CPU | KCATCH_TASK_MOVED)) ?
				       task :
				       NULL;
	return NULL;
}

/* The record that the entry would have made, with the stack of now. */
static struct kcatch_hit *make_hit(const struct kcatch_lasting *lasting,
				   const struct kcatch_task *task)
{
	const bool has_stack = task && !task->stack_error && task->nr_frames;
	const uint32_t nr = has_stack ? task->nr_frames : 0;
	const size_t size = sizeof(struct kcatch_hit) + nr * sizeof(uint64_t) +
			    sizeof(struct kcatch_call_part) + ((lasting->data_size + 7U) & ~7U);
	struct kcatch_hit *hit = calloc(1, size);
	struct kcatch_call_part *part;
	uint32_t i, interrupted = 0;

	if (!hit)
		return NULL;
	hit->head.id = KCATCH_RECORD_ENTRY | lasting->id;
	hit->head.size = (uint32_t)size;
	hit->head.time = lasting->time;
	hit->pid = lasting->pid;
	hit->tid = lasting->tid;
	memcpy(hit->comm, lasting->comm, sizeof(hit->comm));
	hit->context = (uint8_t)lasting->context;
	hit->stack_flags = has_stack ? (uint8_t)task->stack_flags : KCATCH_STACK_NONE;
	hit->nr_frames = (uint16_t)nr;
	for (i = 0; i < nr; i++) {
		hit->frames[i] = task->frames[i];
		if (task->interrupted >> i & 1 && interrupted < sizeof(hit->interrupted))
			hit->interrupted[interrupted++] = (uint8_t)(i + 1);
	}
	part = (void *)(hit->frames + nr);
	part->faults[0] = lasting->faults;
	part->cut[0] = lasting->cut;
	part->size[0] = lasting->data_size;
	memcpy(part->data, lasting->data, lasting->data_size);
	return hit;
}

int kcatch_session_lasting_call(struct kcatch_session *session, uint32_t index,
				const struct kcatch_event **event)
{
	const struct kcatch_lasting *lasting = find(session->lasting, index);
	struct kcatch_call *call;

	if (!lasting || KCATCH_RECORD_PROBE(lasting->id) >= session->nr_slots)
		return kcatch_error_set(ERANGE, "there is no such call");
	if (lasting->call)
		return kcatch_error_set(EINVAL, "the entry of this call is recorded already: only "
						"with a condition on the return it waits for that");
	call = calloc(1, sizeof(*call));
	if (!call)
		return kcatch_error_memory();
	call->hit = make_hit(lasting, thread_of(session, lasting));
	if (!call->hit) {
		kcatch_call_destroy(call);
		return kcatch_error_memory();
	}
	call->cpu = lasting->cpu;
	call->entry_time = lasting->time;
	call->id = lasting->time;
	call->returned = KCATCH_RETURN_UNDER_WAY;
	call->latency = lasting->lasted;
	call->runnable = lasting->runnable;
	call->blocked = lasting->blocked;
	call->away = lasting->away;
	call->switches = lasting->switches;
	return kcatch_session_show_call(session, call, event);
}
