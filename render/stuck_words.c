/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stuck_words.c - sentences of kcatch stuck that its text and its JSON share
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch.h>

#include "stuck_show.h"

void stuck_seconds(char *text, size_t room, uint64_t ns)
{
	uint64_t s = ns / 1000000000;

	if (s >= 3600)
		snprintf(text, room, "%" PRIu64 " h %" PRIu64 " min", s / 3600, s / 60 % 60);
	else if (s >= 120)
		snprintf(text, room, "%" PRIu64 " min %" PRIu64 " s", s / 60, s % 60);
	else
		snprintf(text, room, s >= 10 ? "%.1f s" : "%.3f s", (double)ns / 1e9);
}

static void print_thread(FILE *out, const struct stuck_view *view, uint32_t thread)
{
	const struct kcatch_task *task = &view->stuck->tasks[thread];
	char comm[4 * sizeof(task->comm) + 1];

	kcatch_text_escape(task->comm, strnlen(task->comm, sizeof(task->comm)), comm, sizeof(comm));
	fprintf(out, "%s(%u)", comm, task->tid);
}

/* The lock's symbol; without one, its address, unless kernel addresses are hidden. */
static void print_lock_name(FILE *out, const struct stuck_view *view, uint64_t address)
{
	uint32_t offset;
	const char *name = kcatch_stuck_name(view->stuck, address, &offset);

	if (name && offset)
		fprintf(out, "%s+0x%x", name, offset);
	else if (name)
		fputs(name, out);
	else if (kcatch_machine_hides_addresses())
		fputs("(its address is hidden)", out);
	else
		fprintf(out, "0x%" PRIx64, address);
}

void stuck_lock_name(FILE *out, const struct stuck_view *view, uint32_t thread)
{
	static const char *const kinds[] = { "", "mutex", "rwsem", "rwsem" };
	const struct kcatch_lock *lock = &view->stuck->threads[thread].lock;

	fprintf(out, "%s ", kinds[lock->kind]);
	print_lock_name(out, view, lock->address);
}

static void print_readers(FILE *out, const struct stuck_view *view, uint32_t thread)
{
	const struct kcatch_stuck_thread *what = &view->stuck->threads[thread];

	if (!what->lock.readers) {
		fputs(" held by readers (the kernel does not know which)", out);
		return;
	}
	fprintf(out, " held by %u reader%s (", what->lock.readers,
		what->lock.readers == 1 ? "" : "s");
	if (what->waits_for == KCATCH_WAITS_FOR_NONE) {
		fputs("the kernel does not know which)", out);
		return;
	}
	fputs("the last to take it: ", out);
	print_thread(out, view, what->waits_for);
	fputs(what->lock.readers == 1 ? ")" : "; the kernel does not know the others)", out);
}

static void print_kernel_lock(FILE *out, const struct stuck_view *view, uint32_t thread)
{
	const struct kcatch_lock *lock = &view->stuck->threads[thread].lock;

	stuck_lock_name(out, view, thread);
	if (lock->kind != KCATCH_LOCK_MUTEX)
		fputs(lock->kind == KCATCH_LOCK_RWSEM_READ ? " (to read)" : " (to write)", out);
	switch (lock->state) {
	case KCATCH_OWNER_UNKNOWN:
		fputs(", whose owner is not known", out);
		break;
	case KCATCH_OWNER_NONE:
		fputs(", which nobody held at that moment", out);
		break;
	case KCATCH_OWNER_READERS:
		print_readers(out, view, thread);
		break;
	case KCATCH_OWNER_THREAD:
		break;	/* printed by the caller */
	}
}

/* The writer that goes first: readers behind it wait although the lock is held for reading. */
static void print_writer_ahead(FILE *out, const struct stuck_view *view, uint32_t thread)
{
	const struct kcatch_stuck *stuck = view->stuck;
	uint64_t writer = stuck->threads[thread].lock.writer;
	uint32_t i;

	for (i = 0; writer && i < stuck->nr_tasks; i++) {
		if (stuck->tasks[i].address != writer)
			continue;
		fputs(", behind ", out);
		print_thread(out, view, i);
		fputs(", which wants to write", out);
		break;
	}
}

static void print_user_lock(FILE *out, const struct stuck_view *view, uint32_t thread)
{
	static const char *const kinds[] = { "", "mutex", "robust mutex", "PI mutex",
					     "a PI mutex", "", "futex", "rwlock",
					     "condition variable (futex", "barrier", "semaphore" };
	const struct kcatch_user_lock *lock = &view->stuck->threads[thread].user_lock;
	bool refused = lock->kind == KCATCH_USER_LOCK_REFUSED && lock->proven, futex;

	futex = lock->kind == KCATCH_USER_LOCK_FUTEX ||
		(lock->kind == KCATCH_USER_LOCK_REFUSED && !refused);
	if (lock->kind == KCATCH_USER_LOCK_END) {
		fputs("the end of", out);
		return;
	}
	fputs(futex ? "futex" : kinds[lock->kind], out);
	if (refused) {
		fputs(" that it never gets: the kernel refused it (a deadlock, or its owner has ended)",
		      out);
		return;
	}
	fprintf(out, " 0x%" PRIx64 " of its process%s", lock->address,
		lock->kind == KCATCH_USER_LOCK_CONDITION ? ")" : "");
	if (lock->kind == KCATCH_USER_LOCK_RWLOCK)
		fputs(lock->to_write ? " (to write)" : " (to read)", out);
	if (lock->gives_up)
		fputs(" (for a limited time)", out);
	if (!lock->proven && !futex)
		fputs(" (by its looks)", out);
	if (lock->owner_ended)
		fputs(", whose owner has ended without unlocking it", out);
	else if (futex)
		fputs(" (a condition, a semaphore or the like: no owner is known)", out);
	else if (lock->kind == KCATCH_USER_LOCK_CONDITION)
		fputs(": who shall signal it is not known", out);
	else if (lock->kind == KCATCH_USER_LOCK_BARRIER)
		fprintf(out, ": %u of %u threads have come, which others shall come is not known",
			lock->arrived, lock->wanted);
	else if (lock->kind == KCATCH_USER_LOCK_SEMAPHORE)
		fputs(": who shall post it is not known", out);
	else if (lock->readers)
		fprintf(out, " held by %u reader%s (the lock does not say which)", lock->readers,
			lock->readers == 1 ? "" : "s");
	else if (!lock->owner)
		fputs(", whose owner is not known", out);
}

bool stuck_waits_for(FILE *out, const struct stuck_view *view, uint32_t thread)
{
	const struct kcatch_stuck_thread *what = &view->stuck->threads[thread];
	bool end = what->user_lock.kind == KCATCH_USER_LOCK_END;

	if (what->lock.kind)
		print_kernel_lock(out, view, thread);
	else if (what->user_lock.kind)
		print_user_lock(out, view, thread);
	else if (what->reason)
		fputs(what->reason, out);
	else
		return false;
	if (what->waits_for != KCATCH_WAITS_FOR_NONE && !what->named &&
	    what->lock.state != KCATCH_OWNER_READERS) {
		fputs(end ? " " : " held by ", out);
		print_thread(out, view, what->waits_for);
	}
	if (what->lock.kind)
		print_writer_ahead(out, view, thread);
	return true;
}

bool stuck_waits_alike(const struct stuck_view *view, uint32_t a, uint32_t b)
{
	const struct kcatch_stuck_thread *first = &view->stuck->threads[a];
	const struct kcatch_stuck_thread *second = &view->stuck->threads[b];

	return !first->user_lock.kind && !second->user_lock.kind &&
	       first->reason == second->reason && first->waits_for == second->waits_for &&
	       first->lock.kind == second->lock.kind &&
	       first->lock.address == second->lock.address &&
	       first->lock.state == second->lock.state &&
	       first->lock.writer == second->lock.writer;
}

void stuck_holders(const struct stuck_view *view, void (*show)(void *arg, uint32_t thread),
		   void *arg)
{
	const struct kcatch_stuck *stuck = view->stuck;
	bool *seen = calloc(stuck->nr_tasks, sizeof(*seen));
	uint32_t i, at;

	for (i = 0; seen && i < stuck->nr_tasks; i++) {
		if (!stuck->threads[i].shown)
			continue;
		for (at = stuck->threads[i].waits_for;
		     at != KCATCH_WAITS_FOR_NONE && !stuck->threads[at].shown && !seen[at];
		     at = stuck->threads[at].waits_for) {
			seen[at] = true;
			show(arg, at);
		}
	}
	free(seen);
}

bool stuck_is(const struct stuck_view *view)
{
	return view->stuck->nr_circles || view->stuck->nr_cpus ||
	       (!view->options->pid && view->stuck->nr_shown);
}

static void print_circle(FILE *out, const struct stuck_view *view, uint32_t circle)
{
	const struct kcatch_stuck *stuck = view->stuck;
	uint32_t first, at, nr = 0;

	for (first = 0; stuck->threads[first].circle != circle; first++)
		;
	at = first;
	do {
		nr++;
		at = stuck->threads[at].waits_for;
	} while (at != first);
	fprintf(out, "%u task%s deadlocked: ", nr, nr == 1 ? "" : "s");
	do {
		print_thread(out, view, at);
		fputs(" waits for ", out);
		stuck_waits_for(out, view, at);
		at = stuck->threads[at].waits_for;
		if (at != first)
			fputs(", ", out);
	} while (at != first);
}

/* What keeps all threads that are shown frozen; NULL: not all are, or not by the same. */
static const char *find_freezer(const struct kcatch_stuck *stuck)
{
	const char *first = NULL;
	uint32_t i;

	for (i = 0; i < stuck->nr_tasks; i++) {
		const char *by = stuck->threads[i].frozen_by;

		if (!stuck->threads[i].shown)
			continue;
		if (!by || (first && strcmp(first, by) != 0))
			return NULL;
		first = by;
	}
	return first;
}

/* "its only thread", or "2 of its 3 threads" */
static void print_part(FILE *out, uint32_t nr, uint32_t all, const char *one, const char *many)
{
	if (all == 1)
		fprintf(out, "its only thread %s", one);
	else
		fprintf(out, "%u of its %u threads %s", nr, all, nr == 1 ? one : many);
}

static void print_process(FILE *out, const struct stuck_view *view)
{
	const struct kcatch_stuck *stuck = view->stuck;
	uint32_t i, running = 0, runnable = 0, first = stuck->groups[0].members[0];
	uint64_t longest = 0;
	char age[40];

	for (i = 0; i < stuck->nr_tasks; i++) {
		if (!stuck->threads[i].shown)
			continue;
		if (stuck->threads[i].runnable_ns) {
			runnable++;
			if (stuck->threads[i].runnable_ns > longest)
				longest = stuck->threads[i].runnable_ns;
		} else {
			running += stuck->tasks[i].flags & KCATCH_TASK_ON_CPU ||
				   stuck->tasks[i].state == 'R';
		}
		if (kcatch_stuck_age(stuck, i) < kcatch_stuck_age(stuck, first))
			first = i;
	}
	fprintf(out, "process %u", view->options->pid);
	if (running) {
		fputs(" moves: ", out);
		print_part(out, running, stuck->nr_shown, "runs", "run");
		if (runnable)
			fprintf(out, ", %u wait%s for a CPU", runnable, runnable == 1 ? "s" : "");
	} else if (runnable) {
		stuck_seconds(age, sizeof(age), longest);
		fputs(" does not run: ", out);
		print_part(out, runnable, stuck->nr_shown, "is", "are");
		fprintf(out, " runnable, and ha%s had no CPU for %s%s", runnable == 1 ? "s" : "ve",
			runnable == 1 ? "" : "up to ", age);
	} else if (find_freezer(stuck)) {
		fprintf(out, " does not run: it is frozen by %s", find_freezer(stuck));
	} else {
		stuck_seconds(age, sizeof(age), kcatch_stuck_age(stuck, first));
		if (stuck->nr_shown == 1)
			fprintf(out, ": its only thread has not run for %s", age);
		else
			fprintf(out, ": none of its %u threads has run for %s",
				stuck->nr_shown, age);
	}
}

/* Of the whole machine: those that are blocked, and those that could run. */
static void print_shown(FILE *out, const struct kcatch_stuck *stuck)
{
	uint64_t blocked_ns = 0, runnable_ns = 0, age;
	uint32_t blocked, runnable = 0, i, j;
	char text[40];

	for (i = 0; i < stuck->nr_groups; i++) {
		for (j = 0; j < stuck->groups[i].nr; j++) {
			uint32_t thread = stuck->groups[i].members[j];

			age = kcatch_stuck_age(stuck, thread);
			if (stuck->threads[thread].runnable_ns) {
				runnable++;
				runnable_ns = age > runnable_ns ? age : runnable_ns;
			} else {
				blocked_ns = age > blocked_ns ? age : blocked_ns;
			}
		}
	}
	blocked = stuck->nr_shown - runnable;
	if (blocked) {
		stuck_seconds(text, sizeof(text), blocked_ns);
		fprintf(out, "%u task%s blocked, for up to %s", blocked, blocked == 1 ? " is" : "s are",
			text);
	}
	if (runnable) {
		stuck_seconds(text, sizeof(text), runnable_ns);
		fprintf(out, "%s%u task%s had no CPU, for up to %s", blocked ? "; " : "", runnable,
			runnable == 1 ? " has" : "s have", text);
	}
}

void stuck_verdict(FILE *out, const struct stuck_view *view)
{
	const struct kcatch_stuck *stuck = view->stuck;
	char text[40];
	uint32_t i;

	for (i = 1; i <= stuck->nr_circles; i++) {
		if (i > 1)
			fputs("; ", out);
		print_circle(out, view, i);
	}
	if (stuck->nr_circles) {
		fputc('\n', out);
		return;
	}
	for (i = 0; i < stuck->nr_cpus; i++) {
		stuck_seconds(text, sizeof(text), kcatch_stuck_age(stuck, stuck->cpus[i].thread));
		fprintf(out, "%sCPU %u does not schedule: ", i ? "; " : "", stuck->cpus[i].cpu);
		print_thread(out, view, stuck->cpus[i].thread);
		fprintf(out, " has run in the kernel for %s, interrupts %s", text,
			stuck->cpus[i].interrupts_off ? "off" : "on");
	}
	if (!stuck->nr_cpus && view->options->pid) {
		print_process(out, view);
	} else if (!stuck->nr_cpus && stuck->nr_shown) {
		print_shown(out, stuck);
	} else if (!stuck->nr_cpus) {
		fputs("nothing is stuck", out);
	}
	fputc('\n', out);
}

char *stuck_syscall(const struct stuck_view *view, uint32_t thread)
{
	enum { ROOM = 1024 };
	char *text = malloc(ROOM);

	if (text && !kcatch_stuck_syscall(view->stuck, thread, text, ROOM)) {
		free(text);
		return NULL;
	}
	return text;
}
