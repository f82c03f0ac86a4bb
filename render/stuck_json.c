/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stuck_json.c - the findings of kcatch stuck as JSON: an object per thread, then a summary
 */
#include <stdlib.h>
#include <string.h>

#include "render.h"
#include "stuck_show.h"
#include "value_json.h"

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

/* Where the thread is in the lock's queue, from 1; beyond QUEUE_MAX it is not told. */
static void put_queue(struct json_writer *json, const struct stuck_view *view, uint32_t thread,
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
			json_add_number(json, "place_in_queue", i + 1);
	}
}

static void put_waits_for(struct json_writer *json, const struct stuck_view *view,
			  uint32_t thread, struct queue *queue)
{
	const struct kcatch_stuck_thread *what = &view->stuck->threads[thread];
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	bool waits;

	if (!out)
		return;
	waits = stuck_waits_for(out, view, thread);
	fclose(out);
	if (waits) {
		json_add(json, "waits_for");
		json_put_string(json, text, size);
	}
	free(text);
	/* A lock that is held to read tells no more than who took it last. */
	if (what->waits_for != KCATCH_WAITS_FOR_NONE)
		json_add_number(json, what->lock.kind && what->lock.state == KCATCH_OWNER_READERS ?
				"last_reader_tid" : "owner_tid",
				view->stuck->tasks[what->waits_for].tid);
	if (what->lock.kind)
		put_queue(json, view, thread, queue);
	if (what->circle)
		json_add_number(json, "deadlock", what->circle);
}

static void put_stacks(struct json_writer *json, const struct stuck_view *view, uint32_t thread,
		       const struct kcatch_frame *user, uint32_t nr_user)
{
	const struct kcatch_task *task = &view->stuck->tasks[thread];
	struct kcatch_frame frame;
	uint32_t i;

	json_add_begin(json, "stack", false);
	for (i = 0; !task->stack_error && i < task->nr_frames; i++) {
		kcatch_stuck_frame(view->stuck, thread, i, &frame);
		render_json_frame(json, &frame);
	}
	json_put_end(json);
	json_add_bool(json, "stack_complete",
		      !task->stack_error && (task->stack_flags & KCATCH_STACK_COMPLETE));
	if (!nr_user)
		return;
	json_add_begin(json, "user_stack", false);
	for (i = 0; i < nr_user; i++)
		render_json_frame(json, &user[i]);
	json_put_end(json);
	json_add_word(json, "user_stack_end", value_json_stack_end(user[nr_user - 1].end));
}

/* @group is 0 for a thread that the options leave out and that others wait for. */
static void show_thread(FILE *out, const struct stuck_view *view, uint32_t thread, uint32_t group,
			const struct kcatch_stuck_cpu *cpu, bool user, struct queue *queue)
{
	const struct kcatch_task *task = &view->stuck->tasks[thread];
	struct kcatch_frame *frames = calloc(USER_FRAMES, sizeof(*frames));
	struct json_writer json = { .length = 0 };
	char state = (char)task->state, *call = stuck_syscall(view, thread);
	uint32_t nr = 0;

	kcatch_stuck_prove(view->stuck, thread);
	if (frames && user)
		nr = kcatch_stuck_user_stack(view->stuck, thread, frames, USER_FRAMES);
	json_put_begin(&json, true);
	json_add_number(&json, "pid", task->pid);
	json_add_number(&json, "tid", task->tid);
	json_add(&json, "comm");
	json_put_string(&json, task->comm, strnlen(task->comm, sizeof(task->comm)));
	json_add(&json, "state");
	json_put_string(&json, &state, 1);
	json_add_number(&json, "blocked_ns", kcatch_stuck_age(view->stuck, thread));
	if (cpu) {
		json_add_number(&json, "cpu", cpu->cpu);
		json_add_word(&json, "interrupts", cpu->interrupts_off ? "off" : "on");
	} else if (group) {
		json_add_number(&json, "group", group);
	} else {
		json_add_bool(&json, "holder", true);
	}
	if (call)
		json_add_word(&json, "syscall", call);
	put_waits_for(&json, view, thread, queue);
	put_stacks(&json, view, thread, frames, nr);
	if (view->stuck->threads[thread].unread)
		json_add_bool(&json, "unread", true);
	json_put_end(&json);
	json_print(&json, out, "\n");
	json_writer_deinit(&json);
	free(frames);
	free(call);
}

static void show_summary(FILE *out, const struct stuck_view *view)
{
	struct json_writer json = { .length = 0 };
	char *text = NULL;
	size_t size = 0;
	FILE *verdict = open_memstream(&text, &size);

	json_put_begin(&json, true);
	json_add_begin(&json, "summary", true);
	if (verdict) {
		stuck_verdict(verdict, view);
		fclose(verdict);
		json_add(&json, "verdict");
		json_put_string(&json, text, size ? size - 1 : 0);
		free(text);
	}
	json_add_number(&json, "threads", view->stuck->nr_shown);
	json_add_number(&json, "deadlocks", view->stuck->nr_circles);
	json_add_number(&json, "cpus", view->stuck->nr_cpus);
	json_add_number(&json, "threads_examined", view->stuck->nr_tasks);
	json_add_number(&json, "unread", view->stuck->nr_unread);
	if (view->stuck->suspended)
		json_add_word(&json, "suspended", view->stuck->suspended);
	json_put_end(&json);
	json_put_end(&json);
	json_print(&json, out, "\n");
	json_writer_deinit(&json);
}

/* Where to, and of what. */
struct page {
	FILE *out;
	const struct stuck_view *view;
	struct queue *queue;
};

static void show_holder(void *arg, uint32_t thread)
{
	const struct page *page = arg;

	show_thread(page->out, page->view, thread, 0, NULL, page->view->user, page->queue);
}

void stuck_json(FILE *out, const struct stuck_view *view)
{
	const struct kcatch_stuck *stuck = view->stuck;
	struct queue queue = { .lock = 0 };
	struct page page = { .out = out, .view = view, .queue = &queue };
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
	stuck_holders(view, show_holder, &page);
	show_summary(out, view);
}
