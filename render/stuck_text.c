/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stuck_text.c - the findings of kcatch stuck as text
 */
#include <stdlib.h>
#include <string.h>

#include "render.h"
#include "stuck_show.h"

#define USER_FRAMES	128
#define NAMES_MAX	8	/* threads of a group whose names are printed */

static void print_name(FILE *out, const struct kcatch_task *task)
{
	char comm[4 * sizeof(task->comm) + 1];

	kcatch_text_escape(task->comm, strnlen(task->comm, sizeof(task->comm)), comm, sizeof(comm));
	fprintf(out, "%s(%u)", comm, task->tid);
}

static void print_kernel_stack(FILE *out, const struct stuck_view *view, uint32_t thread)
{
	const struct kcatch_task *task = &view->stuck->tasks[thread];
	const struct colours *c = render_colours();
	uint32_t i;

	if (task->stack_error) {
		fprintf(out, "    %sno kernel stack: %s%s\n", c->dim,
			task->flags & KCATCH_TASK_ON_CPU ? "it runs in user mode, or is this command" :
			"it ran meanwhile, or has ended", c->off);
		return;
	}
	for (i = 0; i < task->nr_frames; i++) {
		struct kcatch_frame frame;

		kcatch_stuck_frame(view->stuck, thread, i, &frame);
		render_frame(out, &frame);
	}
	if (!(task->stack_flags & KCATCH_STACK_COMPLETE))
		fprintf(out, "    %s(the stack goes on%s)%s\n", c->dim,
			task->stack_flags & KCATCH_STACK_DEPTH ? "" : "; it could not be followed further",
			c->off);
}

static void print_user_stack(FILE *out, const struct stuck_view *view, uint32_t thread,
			     const struct kcatch_frame *frames, uint32_t nr)
{
	const struct colours *c = render_colours();
	uint32_t i;

	if (view->stuck->threads[thread].unread)
		fprintf(out, "    %s-- memory and files of process %u were not read --%s\n", c->dim,
			view->stuck->tasks[thread].pid, c->off);
	if (!view->user || !nr)
		return;
	fprintf(out, "    %s-- user stack of %u --%s\n", c->dim, view->stuck->tasks[thread].tid,
		c->off);
	for (i = 0; i < nr; i++)
		render_frame(out, &frames[i]);
	render_user_end(out, &frames[nr - 1]);
}

/* What the members of a group wait for; identical lines are printed once, with a count. */
static void print_waits(FILE *out, const struct stuck_view *view,
			const struct kcatch_stuck_group *group)
{
	enum { LINES_MAX = 8 };
	char *lines[LINES_MAX] = { NULL };
	uint32_t counts[LINES_MAX] = { 0 }, nr = 0, more = 0, i, at;
	uint32_t *last = NULL;

	for (i = 0; i < group->nr; i++) {
		char *line = NULL;
		size_t size;
		FILE *text;

		if (i && last &&
		    stuck_waits_alike(view, group->members[i], group->members[i - 1])) {
			(*last)++;
			continue;
		}
		last = NULL;
		text = open_memstream(&line, &size);

		if (!text)
			return;
		if (!stuck_waits_for(text, view, group->members[i])) {
			fclose(text);
			free(line);
			continue;
		}
		fclose(text);
		for (at = 0; at < nr && strcmp(lines[at], line); at++)
			;
		if (at < nr) {
			last = &counts[at];
			(*last)++;
			free(line);
		} else if (nr < LINES_MAX) {
			last = &counts[nr];
			*last = 1;
			lines[nr++] = line;
		} else {
			last = &more;
			more++;
			free(line);
		}
	}
	for (i = 0; i < nr; i++) {
		if (view->stuck->threads[group->members[0]].runnable_ns)
			fprintf(out, "  %s\n", lines[i]);	/* it waits for nothing */
		else if (counts[i] < group->nr)
			fprintf(out, "  %u wait%s for %s\n", counts[i], counts[i] == 1 ? "s" : "",
				lines[i]);
		else
			fprintf(out, "  waits for %s\n", lines[i]);
		free(lines[i]);
	}
	if (more)
		fprintf(out, "  %u wait for others\n", more);
}

static void print_group(FILE *out, const struct stuck_view *view,
			const struct kcatch_stuck_group *group)
{
	const struct kcatch_stuck *stuck = view->stuck;
	uint32_t first = group->members[0], last = group->members[group->nr - 1], i, nr;
	struct kcatch_frame *frames = calloc(USER_FRAMES, sizeof(*frames));
	const struct kcatch_task *task = &stuck->tasks[first];
	const struct colours *c = render_colours();
	char longest[40], shortest[40], *call;

	if (!frames)
		return;
	for (i = 0; i < group->nr; i++)
		kcatch_stuck_prove(stuck, group->members[i]);
	nr = view->user ? kcatch_stuck_user_stack(stuck, first, frames, USER_FRAMES) : 0;
	stuck_seconds(longest, sizeof(longest), kcatch_stuck_age(stuck, first));
	stuck_seconds(shortest, sizeof(shortest), kcatch_stuck_age(stuck, last));
	fprintf(out, "\n%s", c->head);
	if (group->nr > 1)
		fprintf(out, "%u threads, state %c, for %s to %s: ", group->nr, (int)task->state,
			shortest, longest);
	for (i = 0; i < group->nr && i < NAMES_MAX; i++) {
		if (i)
			fputs(", ", out);
		print_name(out, &stuck->tasks[group->members[i]]);
	}
	if (i < group->nr)
		fprintf(out, " and %u more", group->nr - i);
	if (group->nr == 1)
		fprintf(out, "  process %u, state %c, for %s", task->pid, (int)task->state,
			longest);
	fprintf(out, "%s%s\n", task->flags & KCATCH_TASK_FROZEN ? ", frozen" : "", c->off);
	call = stuck_syscall(view, first);
	if (call)
		fprintf(out, "  in %s%s\n", call, group->nr > 1 ? "  (the first of them)" : "");
	free(call);
	print_waits(out, view, group);
	print_kernel_stack(out, view, first);
	print_user_stack(out, view, first, frames, nr);
	free(frames);
}

/* ---- threads of one process ------------------------------------------------------------ */

/* What a thread of a group does, beside the group's kernel stack. */
struct doing {
	char *waits_for;	/* NULL: not known */
	char *call;		/* NULL: none, or not known */
	uint64_t *frames;	/* addresses of its user stack */
	uint32_t nr_frames;
	bool printed;
};

static void find_doing(const struct stuck_view *view, uint32_t thread, struct doing *doing)
{
	struct kcatch_frame *frames = calloc(USER_FRAMES, sizeof(*frames));
	size_t size;
	FILE *text;
	uint32_t i;

	kcatch_stuck_prove(view->stuck, thread);
	text = open_memstream(&doing->waits_for, &size);
	if (text) {
		bool known = stuck_waits_for(text, view, thread);

		fclose(text);
		if (!known) {
			free(doing->waits_for);
			doing->waits_for = NULL;
		}
	}
	doing->call = stuck_syscall(view, thread);
	if (frames && view->user)
		doing->nr_frames = kcatch_stuck_user_stack(view->stuck, thread, frames,
							   USER_FRAMES);
	doing->frames = calloc(doing->nr_frames + 1, sizeof(*doing->frames));
	if (!doing->frames)
		doing->nr_frames = 0;
	for (i = 0; i < doing->nr_frames; i++)
		doing->frames[i] = frames[i].address;
	free(frames);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool do_the_same(const struct doing *a, const struct doing *b)
{
	return same_text(a->waits_for, b->waits_for) && same_text(a->call, b->call) &&
	       a->nr_frames == b->nr_frames &&
	       !memcmp(a->frames, b->frames, a->nr_frames * sizeof(*a->frames));
}

/* What each thread does is shown; those that do the same in user mode as well, once. */
static void print_each(FILE *out, const struct stuck_view *view,
		       const struct kcatch_stuck_group *group)
{
	struct doing *doing = calloc(group->nr, sizeof(*doing));
	uint32_t *members = calloc(group->nr, sizeof(*members)), i, j;

	for (i = 0; doing && members && i < group->nr; i++)
		find_doing(view, group->members[i], &doing[i]);
	for (i = 0; doing && members && i < group->nr; i++) {
		struct kcatch_stuck_group alike = { .members = members, .nr = 0 };

		for (j = i; !doing[i].printed && j < group->nr; j++) {
			if (j > i && (doing[j].printed || !do_the_same(&doing[i], &doing[j])))
				continue;
			members[alike.nr++] = group->members[j];
			doing[j].printed = j > i;
		}
		if (alike.nr)
			print_group(out, view, &alike);
	}
	for (i = 0; doing && i < group->nr; i++) {
		free(doing[i].waits_for);
		free(doing[i].call);
		free(doing[i].frames);
	}
	free(doing);
	free(members);
}

/* ---- all -------------------------------------------------------------------------------- */

static bool in_circle(const struct stuck_view *view, const struct kcatch_stuck_group *group)
{
	uint32_t i;

	for (i = 0; i < group->nr; i++) {
		if (view->stuck->threads[group->members[i]].circle)
			return true;
	}
	return false;
}

/* Where to, and of what. */
struct page {
	FILE *out;
	const struct stuck_view *view;
};

static void print_holder(void *arg, uint32_t thread)
{
	const struct page *page = arg;
	struct kcatch_stuck_group alone = { .members = &thread, .nr = 1 };

	fprintf(page->out, "\nwaited for by others:");
	print_group(page->out, page->view, &alone);
}

/* Of each lock of the kernel for which several wait, the order in which they get it. */
static void print_queues(FILE *out, const struct stuck_view *view)
{
	const struct kcatch_stuck *stuck = view->stuck;
	struct kcatch_lock_waiter waiters[NAMES_MAX];
	bool *seen = calloc(stuck->nr_tasks, sizeof(*seen));
	uint32_t i, j, nr;

	for (i = 0; seen && i < stuck->nr_tasks; i++) {
		const struct kcatch_lock *lock = &stuck->threads[i].lock;

		if (!stuck->threads[i].shown || !lock->kind || seen[i])
			continue;
		for (j = i; j < stuck->nr_tasks; j++)
			seen[j] |= stuck->threads[j].lock.address == lock->address;
		nr = kcatch_stuck_queue(stuck, i, waiters, NAMES_MAX);
		if (nr < 2)
			continue;
		fputs("\nqueue of ", out);
		stuck_lock_name(out, view, i);
		fputs(", who gets it next first: ", out);
		for (j = 0; j < nr && j < NAMES_MAX; j++) {
			fputs(j ? ", " : "", out);
			print_name(out, &stuck->tasks[waiters[j].thread]);
			if (lock->kind != KCATCH_LOCK_MUTEX)
				fputs(waiters[j].to_write ? " to write" : " to read", out);
		}
		if (j < nr)
			fprintf(out, " and %u more", nr - j);
		fputc('\n', out);
	}
	free(seen);
}

/* Those that came to light while all was shown. */
static void print_unread(FILE *out, const struct stuck_view *view)
{
	uint32_t nr = view->stuck->nr_unread;

	if (nr)
		fprintf(out, "\nmemory and files of %u process%s were not read: who reads them is blocked as well\n",
			nr, nr == 1 ? "" : "es");
}

void stuck_text(FILE *out, const struct stuck_view *view)
{
	const struct kcatch_stuck *stuck = view->stuck;
	struct page page = { .out = out, .view = view };
	const struct colours *c = render_colours();
	uint32_t i;

	fputs(stuck_is(view) ? c->warn : "", out);
	stuck_verdict(out, view);
	fputs(stuck_is(view) ? c->off : "", out);
	fflush(out);	/* what follows may take its time */
	/* Deadlocks first. */
	for (i = 0; i < stuck->nr_groups; i++) {
		if (in_circle(view, &stuck->groups[i]))
			print_group(out, view, &stuck->groups[i]);
	}
	for (i = 0; i < stuck->nr_cpus; i++) {
		const struct kcatch_task *task = &stuck->tasks[stuck->cpus[i].thread];

		fprintf(out, "\n%sCPU %u: ", c->head, stuck->cpus[i].cpu);
		print_name(out, task);
		fprintf(out, "  process %u, runs, interrupts %s%s\n", task->pid,
			stuck->cpus[i].interrupts_off ? "off" : "on", c->off);
		print_kernel_stack(out, view, stuck->cpus[i].thread);
	}
	for (i = 0; i < stuck->nr_groups; i++) {
		if (in_circle(view, &stuck->groups[i]))
			continue;
		if (view->options->pid && stuck->groups[i].nr > 1)
			print_each(out, view, &stuck->groups[i]);
		else
			print_group(out, view, &stuck->groups[i]);
	}
	print_queues(out, view);
	stuck_holders(view, print_holder, &page);
	if (stuck->suspended)
		fprintf(out, "\nsuspended, so who reads or writes waits until dmsetup resume: %s\n",
			stuck->suspended);
	print_unread(out, view);
}
