/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stuck_json.c - the findings of kcatch stuck as JSON: an object per thread, then a summary
 */
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "render.h"
#include "stuck_show.h"
#include "value_json.h"

#define FORM (JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)
#define USER_FRAMES 128
#define QUEUE_MAX 64	/* threads in the queue of a lock whose place is told */

/* The queue of the lock that was asked for last: thousands wait for one, one after the other. */
struct queue {
	uint64_t lock;
	uint32_t nr;
	struct kcatch_lock_waiter waiters[QUEUE_MAX];
};
/* Threads of a group that are shown with their user stack, without -p. */
#define USER_STACKS 1

static void put(struct json_object *object, const char *key, struct json_object *value)
{
	json_object_object_add(object, key, value);
}

static void put_text(struct json_object *object, const char *key, const char *text, size_t length)
{
	put(object, key, value_json_string(text, length));
}

/* Where the thread is in the lock's queue, from 1; beyond QUEUE_MAX it is not told. */
static void put_queue(struct json_object *object, const struct stuck_view *view, uint32_t thread,
		      struct queue *queue)
{
	uint64_t lock = view->stuck->threads[thread].lock.address;
	uint32_t i;

	if (queue->lock != lock) {
		queue->nr = kcatch_stuck_queue(view->stuck, thread, queue->waiters, QUEUE_MAX);
		queue->lock = lock;
	}
	for (i = 0; i < queue->nr && i < QUEUE_MAX; i++) {
		if (queue->waiters[i].thread == thread)
			put(object, "place_in_queue", json_object_new_int64(i + 1));
	}
}

static void put_waits_for(struct json_object *object, const struct stuck_view *view,
			  uint32_t thread, struct queue *queue)
{
	const struct kcatch_stuck_thread *what = &view->stuck->threads[thread];
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	if (stuck_waits_for(out, view, thread)) {
		fclose(out);
		put_text(object, "waits_for", text, size);
	} else {
		fclose(out);
	}
	free(text);
	/* A lock that is held to read tells no more than who took it last. */
	if (what->waits_for != KCATCH_WAITS_FOR_NONE)
		put(object, what->lock.kind && what->lock.state == KCATCH_OWNER_READERS ?
				    "last_reader_tid" : "owner_tid",
		    json_object_new_int64(view->stuck->tasks[what->waits_for].tid));
	if (what->lock.kind)
		put_queue(object, view, thread, queue);
	if (what->circle)
		put(object, "deadlock", json_object_new_int64(what->circle));
}

static void show_thread(FILE *out, const struct stuck_view *view, uint32_t thread, uint32_t group,
			const struct kcatch_stuck_cpu *cpu, bool user, struct queue *queue)
{
	const struct kcatch_task *task = &view->stuck->tasks[thread];
	struct kcatch_frame *frames = calloc(USER_FRAMES, sizeof(*frames));
	struct json_object *object = json_object_new_object(), *stack = json_object_new_array();
	char state = (char)task->state, *call = stuck_syscall(view, thread);
	uint32_t i, nr = 0;

	kcatch_stuck_prove(view->stuck, thread);
	if (frames && user)
		nr = kcatch_stuck_user_stack(view->stuck, thread, frames, USER_FRAMES);
	put(object, "pid", json_object_new_int64(task->pid));
	put(object, "tid", json_object_new_int64(task->tid));
	put_text(object, "comm", task->comm, strnlen(task->comm, sizeof(task->comm)));
	put_text(object, "state", &state, 1);
	put(object, "blocked_ns",
	    json_object_new_int64((int64_t)kcatch_stuck_age(view->stuck, thread)));
	if (cpu) {
		put(object, "cpu", json_object_new_int64(cpu->cpu));
		put(object, "interrupts",
		    json_object_new_string(cpu->interrupts_off ? "off" : "on"));
	} else {
		put(object, "group", json_object_new_int64(group));
	}
	if (call)
		put_text(object, "syscall", call, strlen(call));
	put_waits_for(object, view, thread, queue);
	for (i = 0; !task->stack_error && i < task->nr_frames; i++) {
		struct kcatch_frame frame;

		kcatch_stuck_frame(view->stuck, thread, i, &frame);
		json_object_array_add(stack, render_json_frame(&frame));
	}
	put(object, "stack", stack);
	put(object, "stack_complete",
	    json_object_new_boolean(!task->stack_error &&
				    (task->stack_flags & KCATCH_STACK_COMPLETE)));
	if (nr) {
		stack = json_object_new_array();
		for (i = 0; i < nr; i++)
			json_object_array_add(stack, render_json_frame(&frames[i]));
		put(object, "user_stack", stack);
		put(object, "user_stack_end",
		    json_object_new_string(value_json_stack_end(frames[nr - 1].end)));
	}
	if (view->stuck->threads[thread].unread)
		put(object, "unread", json_object_new_boolean(true));
	value_json_print(out, object, FORM);
	fputc('\n', out);
	json_object_put(object);
	free(frames);
	free(call);
}

static void show_summary(FILE *out, const struct stuck_view *view)
{
	struct json_object *object = json_object_new_object(), *summary = json_object_new_object();
	char *text = NULL;
	size_t size = 0;
	FILE *verdict = open_memstream(&text, &size);

	if (verdict) {
		stuck_verdict(verdict, view);
		fclose(verdict);
		put_text(summary, "verdict", text, size ? size - 1 : 0);
		free(text);
	}
	put(summary, "threads", json_object_new_int64(view->stuck->nr_shown));
	put(summary, "deadlocks", json_object_new_int64(view->stuck->nr_circles));
	put(summary, "cpus", json_object_new_int64(view->stuck->nr_cpus));
	put(summary, "threads_examined", json_object_new_int64((int64_t)view->stuck->nr_tasks));
	put(summary, "unread", json_object_new_int64(view->stuck->nr_unread));
	if (view->stuck->suspended)
		put_text(summary, "suspended", view->stuck->suspended,
			 strlen(view->stuck->suspended));
	put(object, "summary", summary);
	value_json_print(out, object, FORM);
	fputc('\n', out);
	json_object_put(object);
}

void stuck_json(FILE *out, const struct stuck_view *view)
{
	const struct kcatch_stuck *stuck = view->stuck;
	struct queue queue = { .lock = 0 };
	uint32_t i, j;

	for (i = 0; i < stuck->nr_cpus; i++)
		show_thread(out, view, stuck->cpus[i].thread, 0, &stuck->cpus[i], false, &queue);
	for (i = 0; i < stuck->nr_groups; i++) {
		for (j = 0; j < stuck->groups[i].nr; j++)
			show_thread(out, view, stuck->groups[i].members[j], i + 1, NULL,
				    view->user &&
					    (j < USER_STACKS || view->options->pid ||
					     stuck->threads[stuck->groups[i].members[j]].circle),
				    &queue);
	}
	show_summary(out, view);
}
