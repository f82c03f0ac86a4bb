/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* stuck_threads.c - builds the list of threads without progress, and checks it a second time */
#include "stuck/stuck_threads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <kcatch_containers.h>
#include <kcatch_text.h>
#include <kcatch_waits.h>
#include "base/struct_size.h"
#include "base/syscall_name.h"
#include "stuck/spinning_cpus.h"
#include "stuck/user_side.h"
#include "stuck/wait_detail.h"
#include "symbols/symbols.h"

/* Frames in which the reason for waiting is looked for. */
#define TOP_FRAMES	12
/* Different user stacks that are unwound for a proof; those of circles always are. */
#define PROOFS_MAX	16
/* How often a memory map that is locked is looked at again, a millisecond apart. */
#define MAP_TRIES	20

struct stuck {
	struct kcatch_stuck stuck;
	struct kcatch_task_list *list;
	struct kcatch_session *session;
	struct kcatch_types *types;
	struct kcatch_kernel_locks *locks;
	struct kcatch_user_side *users;
	enum kcatch_stuck_what *what;	/* what each thread waits for, by its stack */
	uint32_t *members;
	uint32_t *next;
	uint32_t *circle;
	struct kcatch_table proofs;	/* of proof_key: is it what it looks like */
	struct kcatch_arena keys;
	uint32_t nr_proofs;
	uint32_t nr_named;		/* user stacks unwound for what has no owner */
	struct kcatch_stuck_details details;
};

/* A mutex of a process is one for each of its threads. */
struct proof_key {
	uint64_t mm;
	uint64_t address;
	uint64_t kind;
};

static struct stuck *stuck_of(const struct kcatch_stuck *stuck)
{
	return (struct stuck *)stuck;
}

uint64_t kcatch_stuck_age(const struct kcatch_stuck *stuck, uint32_t thread)
{
	const struct kcatch_task *task = &stuck->tasks[thread];
	uint64_t now = stuck_of(stuck)->list->now;

	if (stuck->threads[thread].runnable_ns)
		return stuck->threads[thread].runnable_ns;
	return now > task->ran_at ? now - task->ran_at : 0;
}

const char *kcatch_stuck_name(const struct kcatch_stuck *stuck, uint64_t address, uint32_t *offset)
{
	struct kcatch_name name;

	if (kcatch_symbols_find(stuck_of(stuck)->session->symbols, address, &name) || !name.symbol)
		return NULL;
	*offset = name.offset;
	return name.symbol;
}

uint32_t kcatch_stuck_queue(const struct kcatch_stuck *shown, uint32_t thread,
			    struct kcatch_lock_waiter *waiters, uint32_t room)
{
	struct stuck *stuck = stuck_of(shown);

	if (thread >= shown->nr_tasks || !stuck->locks)
		return 0;
	return kcatch_kernel_lock_queue(stuck->locks, stuck->list, &shown->threads[thread].lock,
					waiters, room);
}

static bool is_interrupted(const struct kcatch_task *task, uint32_t index)
{
	return task->interrupted >> index & 1;
}

int kcatch_stuck_frame(const struct kcatch_stuck *stuck, uint32_t thread, uint32_t index,
		       struct kcatch_frame *frame)
{
	const struct kcatch_task *task = &stuck->tasks[thread];
	struct kcatch_name name;

	memset(frame, 0, sizeof(*frame));
	if (thread >= stuck->nr_tasks || index >= task->nr_frames)
		return -ERANGE;
	if (kcatch_frame_stands_for(task->frames[index], frame))
		return 0;
	frame->address = task->frames[index];
	frame->interrupted = is_interrupted(task, index);
	if (kcatch_symbols_find(stuck_of(stuck)->session->symbols,
				frame->address - !frame->interrupted, &name))
		return 0;
	frame->symbol = name.symbol;
	frame->module = name.module;
	frame->offset = name.offset + !frame->interrupted;
	return 0;
}

/* ---- one thread --------------------------------------------------------------------- */

/* What a stack says, and the thread whose it is. */
struct hint {
	uint32_t of;
	bool known;
	struct kcatch_wait wait;
};

static bool same_stack(const struct kcatch_task *a, const struct kcatch_task *b)
{
	return !a->stack_error && !b->stack_error && a->nr_frames == b->nr_frames &&
	       !memcmp(a->frames, b->frames, a->nr_frames * sizeof(a->frames[0]));
}

static void find_waits_for(struct stuck *stuck, uint32_t at)
{
	const struct kcatch_task_list *list = stuck->list;
	struct kcatch_stuck_thread *thread = &stuck->stuck.threads[at];
	const struct kcatch_task *owner = NULL;

	if (thread->lock.kind && thread->lock.state == KCATCH_OWNER_THREAD)
		owner = kcatch_task_list_at(list, thread->lock.owner);
	else if (thread->user_lock.owner)
		owner = kcatch_task_list_of(list, thread->user_lock.owner);
	/* That one may have let go of it, but nobody else is known. */
	if (thread->lock.kind && thread->lock.state == KCATCH_OWNER_READERS && thread->lock.owner) {
		owner = kcatch_task_list_at(list, thread->lock.owner);
		thread->waits_for = owner ? (uint32_t)(owner - list->tasks) :
					    KCATCH_WAITS_FOR_NONE;
		return;
	}
	thread->waits_for = owner ? (uint32_t)(owner - list->tasks) : KCATCH_WAITS_FOR_NONE;
	/* Who has been woken and waits for a CPU only, or gives up in time, is in no circle. */
	thread->certain = owner && !thread->user_lock.gives_up &&
			  (list->tasks[at].state == 'D' || list->tasks[at].state == 'S');
}

/* What the functions on the stack say. */
static void read_stack(struct stuck *stuck, uint32_t at, struct hint *hint)
{
	const struct kcatch_task *task = &stuck->list->tasks[at];
	struct kcatch_frame frame;
	uint32_t i;

	*hint = (struct hint){ .of = at, .known = true };
	for (i = 0; i < task->nr_frames && i < TOP_FRAMES; i++) {
		kcatch_stuck_frame(&stuck->stuck, at, i, &frame);
		if (frame.symbol)
			kcatch_wait_look(&hint->wait, frame.symbol);
	}
}

static void examine(struct stuck *stuck, uint32_t at, struct hint *hint)
{
	const struct kcatch_task *task = &stuck->list->tasks[at];
	struct kcatch_stuck_thread *thread = &stuck->stuck.threads[at];

	thread->waits_for = KCATCH_WAITS_FOR_NONE;
	if (!kcatch_task_stands(task) || task->stack_error)
		return;
	if (kcatch_task_is_wide(task))
		thread->syscall = kcatch_syscall_name(kcatch_task_call(task));
	/* What it has waited for until it was woken, or preempted, is no matter. */
	if (task->state == 'R')
		return;
	/* Those that do the same were born one after the other. */
	if (!hint->known || !same_stack(task, &stuck->list->tasks[hint->of]))
		read_stack(stuck, at, hint);
	thread->reason = hint->wait.reason;
	if (hint->wait.lock && stuck->locks)
		kcatch_kernel_lock_find(stuck->locks, stuck->list, task, hint->wait.lock,
					&thread->lock);
	stuck->what[at] = hint->wait.what;
}

/* After the locks of the kernel and of programs. */
static void examine_rest(struct stuck *stuck, uint32_t at)
{
	const struct kcatch_task *task = &stuck->list->tasks[at];
	struct kcatch_stuck_thread *thread = &stuck->stuck.threads[at];

	if (task->state == 'Z' && task->tid == task->pid)
		kcatch_stuck_zombie_find(&stuck->details, at, thread);
	if (!kcatch_task_stands(task) || task->stack_error || task->state == 'R')
		return;
	find_waits_for(stuck, at);
	if (!thread->lock.kind && !thread->user_lock.kind && stuck->what[at])
		kcatch_stuck_detail_find(&stuck->details, at, stuck->what[at], thread);
}

uint32_t kcatch_stuck_user_stack(const struct kcatch_stuck *stuck, uint32_t thread,
				 struct kcatch_frame *frames, uint32_t room)
{
	return kcatch_user_side_stack(stuck_of(stuck)->users, thread, frames, room);
}

bool kcatch_stuck_syscall(const struct kcatch_stuck *stuck, uint32_t thread, char *text,
			  size_t room)
{
	text[0] = 0;
	if (!stuck->threads[thread].syscall || !(stuck->tasks[thread].flags & KCATCH_TASK_REGS))
		return false;
	kcatch_user_side_syscall(stuck_of(stuck)->users, thread, text, room);
	return true;
}

/* A condition variable, barrier or semaphore: for each thread that waits for it the same. */
static void name_futex(struct stuck *stuck, uint32_t at)
{
	const struct kcatch_task *task = &stuck->list->tasks[at];
	struct kcatch_user_lock *lock = &stuck->stuck.threads[at].user_lock;
	struct proof_key key = { task->mm, lock->address, lock->kind }, *kept;
	bool gives_up = lock->gives_up;
	size_t *known = kcatch_table_find(&stuck->proofs, (const char *)&key, sizeof(key));

	if (known) {
		*lock = stuck->stuck.threads[*known].user_lock;
		lock->gives_up = gives_up;
		return;
	}
	if (!kcatch_user_side_prove(stuck->users, at, stuck->nr_named < PROOFS_MAX))
		return;
	stuck->nr_named++;
	kept = kcatch_arena_take(&stuck->keys, sizeof(key));
	if (kept) {
		*kept = key;
		(void)kcatch_table_add(&stuck->proofs, (const char *)kept, sizeof(*kept), at);
	}
}

static void prove(struct stuck *stuck, uint32_t at, bool in_circle)
{
	const struct kcatch_task *task = &stuck->list->tasks[at];
	struct kcatch_user_lock *lock = &stuck->stuck.threads[at].user_lock;
	struct proof_key key = { task->mm, lock->address, lock->kind }, *kept = NULL;

	if (lock->kind == KCATCH_USER_LOCK_NONE)
		return;
	if (lock->kind == KCATCH_USER_LOCK_FUTEX) {
		name_futex(stuck, at);
		return;
	}
	/* It is proven, and was looked at twice: who does not answer any more changes nothing. */
	if (stuck->stuck.threads[at].circle && !in_circle)
		return;
	if (lock->address && kcatch_table_find(&stuck->proofs, (const char *)&key, sizeof(key)))
		lock->proven = true;
	if (kcatch_user_side_prove(stuck->users, at, in_circle || stuck->nr_proofs < PROOFS_MAX)) {
		stuck->nr_proofs++;
		if (lock->proven)
			kept = kcatch_arena_take(&stuck->keys, sizeof(key));
	}
	if (kept) {
		*kept = key;
		/* Without memory for it, it is proven again. */
		(void)kcatch_table_add(&stuck->proofs, (const char *)kept, sizeof(*kept), 1);
	}
	find_waits_for(stuck, at);
}

void kcatch_stuck_prove(const struct kcatch_stuck *shown, uint32_t thread)
{
	struct stuck *stuck = stuck_of(shown);
	struct kcatch_stuck_thread *what = &stuck->stuck.threads[thread];

	prove(stuck, thread, false);
	/* Its words replace those of the kind. */
	if (!stuck->stuck.apart && !what->runnable_ns && stuck->what[thread])
		kcatch_stuck_end_find(&stuck->details, thread, stuck->what[thread], what);
	stuck->what[thread] = KCATCH_STUCK_OTHER;
}

/* ---- circles ------------------------------------------------------------------------ */

static void find_circles(struct stuck *stuck)
{
	size_t nr = stuck->list->nr, i;

	for (i = 0; i < nr; i++)
		stuck->next[i] = stuck->stuck.threads[i].certain ?
				 stuck->stuck.threads[i].waits_for : KCATCH_WAITS_FOR_NONE;
	stuck->stuck.nr_circles = kcatch_deadlock_circles(stuck->next, nr, stuck->circle);
	for (i = 0; i < nr; i++)
		stuck->stuck.threads[i].circle = stuck->circle[i];
}

/* Has the thread stood still since, and does it wait for the same? */
static bool is_the_same(struct stuck *stuck, uint32_t at, const struct kcatch_task_list *now)
{
	const struct kcatch_task *before = &stuck->list->tasks[at];
	const struct kcatch_stuck_thread *thread = &stuck->stuck.threads[at];
	const struct kcatch_task *task = kcatch_task_list_at(now, before->address);

	if (!task || task->tid != before->tid || task->switches != before->switches ||
	    !kcatch_task_stands(task) || task->state != before->state)
		return false;
	if (thread->lock.kind) {
		struct kcatch_lock lock;

		kcatch_kernel_lock_find(stuck->locks, now, task, thread->lock.kind, &lock);
		return lock.kind == thread->lock.kind && lock.address == thread->lock.address &&
		       lock.state == thread->lock.state && lock.owner == thread->lock.owner;
	} else if (!thread->user_lock.kind) {
		return true;	/* a child, a server: it did not run, so it still waits */
	} else {
		struct kcatch_user_lock lock;

		kcatch_user_side_find_again(stuck->users, task, &lock);
		return lock.kind == thread->user_lock.kind && thread->user_lock.proven &&
		       lock.address == thread->user_lock.address &&
		       lock.owner == thread->user_lock.owner;
	}
}

/* Those that do not stand a second look are none. */
static int prove_circles(struct stuck *stuck)
{
	struct kcatch_task_list *now = NULL;
	size_t nr = stuck->list->nr, i;
	int ret;

	for (i = 0; i < nr; i++) {
		struct kcatch_stuck_thread *thread = &stuck->stuck.threads[i];

		if (thread->circle && thread->user_lock.kind)
			prove(stuck, (uint32_t)i, true);
	}
	ret = kcatch_task_list_create(stuck->session, 0, false, &now);
	if (ret)
		return ret;
	kcatch_user_side_look_again(stuck->users, now);
	for (i = 0; i < nr; i++) {
		if (stuck->stuck.threads[i].circle && !is_the_same(stuck, (uint32_t)i, now))
			stuck->stuck.threads[i].certain = false;
	}
	kcatch_user_side_look_again(stuck->users, NULL);
	kcatch_task_list_destroy(now);
	find_circles(stuck);
	return 0;
}

/* ---- what is shown ------------------------------------------------------------------- */

static bool is_wanted(const struct stuck *stuck, uint32_t at,
		      const struct kcatch_stuck_options *options)
{
	const struct kcatch_task *task = &stuck->list->tasks[at];

	if (options->pid)
		return task->pid == options->pid;
	if (stuck->stuck.threads[at].circle)
		return true;
	if (task->flags & KCATCH_TASK_ON_CPU ||
	    kcatch_stuck_age(&stuck->stuck, at) < options->limit_ns)
		return false;
	/* The kernel's own sleep as its work is done: state I, and some that are older. */
	return task->state == 'D' || stuck->stuck.threads[at].runnable_ns ||
	       (options->sleeping && task->state == 'S');
}

static int by_stack(const void *a, const void *b, void *arg)
{
	const struct stuck *stuck = arg;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const struct kcatch_task *first = &stuck->list->tasks[i];
	const struct kcatch_task *second = &stuck->list->tasks[j];
	int order;

	if (first->stack_error != second->stack_error)
		return first->stack_error < second->stack_error ? -1 : 1;
	if (first->nr_frames != second->nr_frames)
		return first->nr_frames < second->nr_frames ? -1 : 1;
	order = memcmp(first->frames, second->frames, first->nr_frames * sizeof(first->frames[0]));
	if (order)
		return order;
	if (first->state != second->state)
		return first->state < second->state ? -1 : 1;
	if (first->ran_at != second->ran_at)
		return first->ran_at < second->ran_at ? -1 : 1;
	return (first->tid > second->tid) - (first->tid < second->tid);
}

/* Each thread of a deadlock is one of its own: what each does is the question. */
static bool same_group(const struct stuck *stuck, uint32_t i, uint32_t j)
{
	const struct kcatch_task *first = &stuck->list->tasks[i];
	const struct kcatch_task *second = &stuck->list->tasks[j];

	return !stuck->stuck.threads[i].circle && !stuck->stuck.threads[j].circle &&
	       first->state == second->state && first->stack_error == second->stack_error &&
	       (first->stack_error || same_stack(first, second));
}

static int by_number(const void *a, const void *b)
{
	const struct kcatch_stuck_group *first = a, *second = b;

	return (first->nr < second->nr) - (first->nr > second->nr);
}

/* Nobody asked for deadlocks none of whose threads is shown: the others are numbered anew. */
static void leave_out_circles(struct stuck *stuck)
{
	uint32_t *number = stuck->next, nr = 0, i;
	struct kcatch_stuck_thread *thread;

	memset(number, 0, stuck->list->nr * sizeof(*number));
	for (i = 0; i < stuck->list->nr; i++) {
		thread = &stuck->stuck.threads[i];
		if (thread->shown && thread->circle && !number[thread->circle - 1])
			number[thread->circle - 1] = ++nr;
	}
	for (i = 0; i < stuck->list->nr; i++) {
		thread = &stuck->stuck.threads[i];
		if (thread->circle)
			thread->circle = number[thread->circle - 1];
	}
	stuck->stuck.nr_circles = nr;
}

static void find_suspended(struct stuck *stuck)
{
	uint32_t i;

	for (i = 0; i < stuck->list->nr && !stuck->stuck.suspended; i++) {
		if (!stuck->stuck.threads[i].shown || stuck->list->tasks[i].state != 'D')
			continue;
		stuck->stuck.suspended = kcatch_stuck_suspended_find(&stuck->details);
		break;
	}
}

static int make_groups(struct stuck *stuck, const struct kcatch_stuck_options *options)
{
	uint32_t nr = 0, i, begin;

	for (i = 0; i < stuck->list->nr; i++) {
		stuck->stuck.threads[i].shown = is_wanted(stuck, i, options);
		if (stuck->stuck.threads[i].shown)
			stuck->members[nr++] = i;
	}
	stuck->stuck.nr_shown = nr;
	leave_out_circles(stuck);
	qsort_r(stuck->members, nr, sizeof(*stuck->members), by_stack, stuck);
	stuck->stuck.groups = calloc(nr + 1, sizeof(*stuck->stuck.groups));
	if (!stuck->stuck.groups)
		return kcatch_error_memory();
	for (begin = 0; begin < nr; begin = i) {
		for (i = begin + 1;
		     i < nr && same_group(stuck, stuck->members[begin], stuck->members[i]); i++)
			;
		stuck->stuck.groups[stuck->stuck.nr_groups++] = (struct kcatch_stuck_group){
			.members = stuck->members + begin, .nr = i - begin,
		};
	}
	qsort(stuck->stuck.groups, stuck->stuck.nr_groups, sizeof(*stuck->stuck.groups), by_number);
	return 0;
}

/* ---- all ----------------------------------------------------------------------------- */

/* Numbers of processes mean the same to us as to the kernel. */
static bool is_apart(const struct kcatch_task_list *list)
{
	const struct kcatch_task *self = kcatch_task_list_of(list, (uint32_t)getpid());

	return !self || self->stack_error != -EDEADLK;
}

/*
 * Who reads the memory of a process waits for its map. Where that is locked by a thread
 * that is stuck, we would be the next.
 */
static void find_locked_maps(struct stuck *stuck)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	struct kcatch_task_list *list = stuck->list;
	uint32_t tries = 0;
	bool locked = false;
	uint64_t mm = 0;
	size_t i;

	for (i = 0; i < list->nr; i++) {
		struct kcatch_task *task = &list->tasks[i];

		if (stuck->stuck.apart)
			task->flags &= ~KCATCH_TASK_REGS;
		if (!stuck->locks || !task->mm || !(task->flags & KCATCH_TASK_REGS))
			continue;
		if (task->mm != mm) {
			mm = task->mm;
			locked = kcatch_kernel_map_is_locked(stuck->locks, mm);
			while (locked && tries++ < MAP_TRIES && !nanosleep(&moment, NULL))
				locked = kcatch_kernel_map_is_locked(stuck->locks, mm);
		}
		if (locked)
			task->flags |= KCATCH_TASK_UNREAD;
	}
}

static int look(struct stuck *stuck, const struct kcatch_stuck_options *options)
{
	struct hint hint = { .known = false };
	uint32_t i;
	size_t nr;
	int ret;

	ret = kcatch_task_list_create(stuck->session, 0, true, &stuck->list);
	if (ret)
		return ret;
	nr = stuck->list->nr;
	stuck->stuck.tasks = stuck->list->tasks;
	stuck->stuck.nr_tasks = (uint32_t)nr;
	stuck->stuck.threads = calloc(nr, sizeof(*stuck->stuck.threads));
	stuck->what = calloc(nr, sizeof(*stuck->what));
	stuck->members = calloc(nr, sizeof(*stuck->members));
	stuck->next = calloc(nr, sizeof(*stuck->next));
	stuck->circle = calloc(nr, sizeof(*stuck->circle));
	if (!stuck->stuck.threads || !stuck->what || !stuck->members || !stuck->next ||
	    !stuck->circle)
		return kcatch_error_memory();
	ret = kcatch_user_side_create(&stuck->stuck, stuck->list, &stuck->users);
	if (ret)
		return ret;
	stuck->stuck.apart = is_apart(stuck->list);
	if (stuck->stuck.apart && options->pid)
		return kcatch_error_set(EOPNOTSUPP, "process %u may be another one for the kernel: in "
					"this PID namespace numbers differ", options->pid);
	stuck->details = (struct kcatch_stuck_details){
		.session = stuck->session, .types = stuck->types, .list = stuck->list,
	};
	/* At once: a moment later they may have got a CPU. */
	for (i = 0; i < nr; i++) {
		const struct kcatch_task *task = &stuck->list->tasks[i];

		if (task->state == 'R' && kcatch_task_stands(task))
			kcatch_stuck_runnable_find(&stuck->details, i, &stuck->stuck.threads[i]);
	}
	find_locked_maps(stuck);
	for (i = 0; i < nr; i++)
		examine(stuck, i, &hint);
	kcatch_user_side_find_locks(stuck->users);
	for (i = 0; i < nr; i++)
		examine_rest(stuck, i);
	find_circles(stuck);
	if (stuck->stuck.nr_circles)
		ret = prove_circles(stuck);
	if (!ret)
		ret = make_groups(stuck, options);
	if (!ret)
		find_suspended(stuck);
	if (!ret && options->pid && !stuck->stuck.nr_shown)
		ret = kcatch_error_set(ESRCH, "there is no process %u", options->pid);
	if (!ret && !options->pid)
		ret = kcatch_stuck_cpus_find(&stuck->stuck, options->limit_ns);
	return ret;
}

int kcatch_stuck_create(struct kcatch_session *session, const struct kcatch_stuck_options *options,
			const struct kcatch_stuck **result)
{
	struct kcatch_stuck_options own;
	struct stuck *stuck;
	int ret = kcatch_struct_copy(&own, sizeof(own), options, "kcatch_stuck_options");

	if (ret)
		return ret;
	stuck = calloc(1, sizeof(*stuck));
	if (!stuck)
		return kcatch_error_memory();
	stuck->session = session;
	/* Without types there are no locks of the kernel to be known. */
	if (!kcatch_types_open(&stuck->types))
		ret = kcatch_kernel_locks_create(session, stuck->types, &stuck->locks);
	if (!ret || ret == -ENOENT)
		ret = look(stuck, &own);
	if (ret) {
		kcatch_stuck_destroy(&stuck->stuck);
		return ret;
	}
	*result = &stuck->stuck;
	return 0;
}

void kcatch_stuck_destroy(const struct kcatch_stuck *shown)
{
	struct stuck *stuck = stuck_of(shown);

	if (!stuck)
		return;
	kcatch_user_side_destroy(stuck->users);
	kcatch_task_list_destroy(stuck->list);
	kcatch_kernel_locks_destroy(stuck->locks);
	kcatch_types_close(stuck->types);
	kcatch_table_deinit(&stuck->proofs);
	kcatch_arena_deinit(&stuck->keys);
	kcatch_stuck_details_deinit(&stuck->details);
	free(stuck->stuck.threads);
	free(stuck->stuck.groups);
	free(stuck->stuck.cpus);
	free(stuck->what);
	free(stuck->members);
	free(stuck->next);
	free(stuck->circle);
	free(stuck);
}
