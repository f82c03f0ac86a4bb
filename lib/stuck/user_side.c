/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* user_side.c - has a helper read processes, and leaves out those on which it blocks */
#include "stuck/user_side.h"

#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/helper_process.h"
#include "base/machine.h"
#include "base/timing.h"
#include "debuginfo/user_stack.h"
#include "stuck/syscall_text.h"
#include "stuck/user_locks.h"

/* Without any progress: a disk may have to spin up. */
#define LIMIT_MS	5000
/* After that a request for all threads looks at no further one, so that its limit is for one. */
#define PART_NS		1000000000ULL
/* Bytes of a user stack that are looked at. */
#define USER_STACK	65536
/* Return addresses, and functions that were inlined there. */
#define FRAMES_MAX	512
#define NAMES_ROOM	262144
#define CALL_ROOM	4096
/* Processes whose files are kept open and parsed: tens of megabytes with debug information. */
#define PROCESSES_MAX	2

enum request { FIND_ALL, FIND_AGAIN, PROVE, STACK, CALL };

/* The memory that the helper shares. */
struct desk {
	enum request request;
	uint32_t thread;	/* FIND_ALL: the first one; the helper counts on */
	bool may_unwind, unwound;
	uint32_t room;		/* STACK: frames; CALL: bytes */
	uint32_t nr_frames;
	struct kcatch_user_lock lock;
	struct kcatch_frame frames[FRAMES_MAX];
	size_t names_used;
	char names[NAMES_ROOM];	/* of @frames */
	char call[CALL_ROOM];
	struct kcatch_user_lock locks[];	/* FIND_ALL: of each thread */
};

struct kcatch_user_side {
	struct kcatch_stuck *stuck;
	struct kcatch_task_list *list;
	const struct kcatch_task_list *again;
	struct kcatch_helper *helper;
	char *names;		/* of the frames that were given out last */
	struct kcatch_syscall_cache last_call;
	/* In the helper only: */
	struct kcatch_user_stacks *stacks;
	uint32_t stacks_pid;	/* the last one */
	uint32_t nr_stacks_pids;	/* since all were forgotten */
};

/* Of a thread whose stack was seen, and that does not wait for a CPU or a lock of the kernel. */
static bool has_lock(const struct kcatch_user_side *side, size_t thread)
{
	const struct kcatch_task *task = &side->list->tasks[thread];

	return !task->stack_error && task->state != 'R' &&
	       !side->stuck->threads[thread].lock.kind &&
	       kcatch_user_lock_is_wait(task);
}

/* ---- in the helper ------------------------------------------------------------------- */

static uint32_t unwind(struct kcatch_user_side *side, const struct kcatch_task *task,
		       struct kcatch_frame *frames, uint32_t room)
{
	struct kcatch_user *user;
	uint32_t size = USER_STACK;
	int nr = 0;

	if (task->pid != side->stacks_pid && side->nr_stacks_pids++ >= PROCESSES_MAX) {
		kcatch_user_stacks_destroy(side->stacks);
		side->stacks = NULL;
		side->nr_stacks_pids = 1;
	}
	side->stacks_pid = task->pid;
	if (!side->stacks && kcatch_user_stacks_create(true, kcatch_arch_running(), &side->stacks))
		return 0;
	user = calloc(1, sizeof(*user) + size);
	if (!user)
		return 0;
	memcpy(user->regs, task->regs, sizeof(user->regs));
	/* The stack may end before: as much as there is. */
	while (size >= 64 && kcatch_user_read(task->tid, kcatch_task_sp(task), user->stack, size))
		size = size > 4096 ? size - 4096 : size / 2;
	user->size = size >= 64 ? size : 0;
	if (user->size)
		nr = kcatch_user_stack_unwind(side->stacks, task->pid, user,
					      sizeof(*user) + user->size, frames, room);
	free(user);
	return nr > 0 ? (uint32_t)nr : 0;
}

/* What finds no room is not known. */
static const char *copy_name(struct desk *desk, const char *name)
{
	size_t size = name ? strlen(name) + 1 : 0;
	char *copy = desk->names + desk->names_used;

	if (!size || size > sizeof(desk->names) - desk->names_used)
		return NULL;
	memcpy(copy, name, size);
	desk->names_used += size;
	return copy;
}

static void show_stack(struct kcatch_user_side *side, const struct kcatch_task *task,
		       struct desk *desk)
{
	struct kcatch_frame *frame;

	desk->names_used = 0;
	desk->nr_frames = unwind(side, task, desk->frames, desk->room);
	for (frame = desk->frames; frame < desk->frames + desk->nr_frames; frame++) {
		frame->symbol = copy_name(desk, frame->symbol);
		frame->module = copy_name(desk, frame->module);
		frame->file = copy_name(desk, frame->file);
	}
}

static void prove(struct kcatch_user_side *side, const struct kcatch_task *task, struct desk *desk)
{
	struct kcatch_user_lock *lock = &desk->lock;
	uint32_t nr = 0;

	if (!lock->proven)
		lock->proven = kcatch_user_lock_is_pending(task, lock);
	if (!lock->proven && !desk->may_unwind)
		return;
	desk->unwound = !lock->proven;
	if (desk->unwound)
		nr = unwind(side, task, desk->frames, FRAMES_MAX);
	kcatch_user_lock_prove(side->list, task, lock, desk->frames, nr);
}

static void find_all(struct kcatch_user_side *side, struct desk *desk)
{
	const uint64_t until = kcatch_timing_now_ns() + PART_NS;
	const struct kcatch_task_list *list = side->list;
	uint32_t i = desk->thread;
	bool is_over = false;

	while (i < list->nr && !is_over) {
		if (has_lock(side, i)) {
			kcatch_user_lock_find(list, &list->tasks[i], &desk->locks[i]);
			is_over = kcatch_timing_now_ns() >= until;
		}
		/* Who reads this reads the locks before it, also while this goes on. */
		__atomic_store_n(&desk->thread, ++i, __ATOMIC_RELEASE);
	}
}

static void work(void *arg, void *memory)
{
	struct kcatch_user_side *side = arg;
	struct desk *desk = memory;
	const struct kcatch_task_list *list = desk->request == FIND_AGAIN ? side->again :
									    side->list;
	const struct kcatch_task *task = &list->tasks[desk->thread];

	switch (desk->request) {
	case FIND_ALL:
		find_all(side, desk);
		break;
	case FIND_AGAIN:
		kcatch_user_lock_find(list, task, &desk->lock);
		break;
	case PROVE:
		prove(side, task, desk);
		break;
	case STACK:
		show_stack(side, task, desk);
		break;
	case CALL:
		kcatch_syscall_text(side->stuck->threads[desk->thread].syscall,
				    &side->last_call, task, desk->call, desk->room);
		break;
	}
}

/* ---- for the caller ------------------------------------------------------------------- */

static void leave_out(struct kcatch_user_side *side, uint32_t pid)
{
	size_t i;

	side->stuck->nr_unread++;
	for (i = 0; i < side->list->nr; i++) {
		if (side->list->tasks[i].pid != pid)
			continue;
		side->list->tasks[i].flags |= KCATCH_TASK_UNREAD;
		side->stuck->threads[i].unread = true;
	}
}

static struct desk *get_desk(struct kcatch_user_side *side, enum request request, uint32_t thread)
{
	struct desk *desk = kcatch_helper_memory(side->helper);

	if (desk) {
		desk->request = request;
		desk->thread = thread;
	}
	return desk;
}

/* Return: the answer; NULL: there is none, and the process is left out. */
static const struct desk *ask(struct kcatch_user_side *side, uint32_t pid, struct desk *desk)
{
	if (desk && !kcatch_helper_run(side->helper))
		return desk;
	leave_out(side, pid);
	return NULL;
}

static bool is_readable(const struct kcatch_task *task)
{
	return (task->flags & KCATCH_TASK_REGS) && !(task->flags & KCATCH_TASK_UNREAD);
}

void kcatch_user_side_find_locks(struct kcatch_user_side *side)
{
	size_t nr = side->list->nr, begin = 0, end, i;

	for (;;) {
		const struct desk *answer;
		struct desk *desk;

		while (begin < nr && !has_lock(side, begin))
			begin++;
		if (begin >= nr)
			return;
		desk = get_desk(side, FIND_ALL, (uint32_t)begin);
		answer = desk && !kcatch_helper_run(side->helper) ? desk : NULL;
		/* It has come as far as there, and perhaps goes on yet. */
		end = desk ? __atomic_load_n(&desk->thread, __ATOMIC_ACQUIRE) : begin;
		if (end < begin || end > nr)
			end = begin;
		for (i = begin; i < end; i++)
			side->stuck->threads[i].user_lock = desk->locks[i];
		if (!answer && end < nr)
			leave_out(side, side->list->tasks[end].pid);
		begin = end;
	}
}

void kcatch_user_side_look_again(struct kcatch_user_side *side,
				 const struct kcatch_task_list *list)
{
	side->again = list;
	if (list)
		kcatch_helper_renew(side->helper);	/* it knows @list then */
}

void kcatch_user_side_find_again(struct kcatch_user_side *side, const struct kcatch_task *task,
				 struct kcatch_user_lock *lock)
{
	const struct kcatch_task *before = kcatch_task_list_at(side->list, task->address);
	const struct desk *answer = NULL;

	memset(lock, 0, sizeof(*lock));
	if (before && is_readable(before) && kcatch_user_lock_is_wait(task))
		answer = ask(side, task->pid, get_desk(side, FIND_AGAIN,
						       (uint32_t)(task - side->again->tasks)));
	if (answer)
		*lock = answer->lock;
}

bool kcatch_user_side_prove(struct kcatch_user_side *side, uint32_t thread, bool may_unwind)
{
	const struct kcatch_task *task = &side->list->tasks[thread];
	struct kcatch_user_lock *lock = &side->stuck->threads[thread].user_lock;
	const struct desk *answer = NULL;
	struct desk *desk;

	if (lock->proven ? !lock->shared || !lock->owner :
			   !may_unwind && lock->kind != KCATCH_USER_LOCK_ROBUST)
		return false;
	if (is_readable(task)) {
		desk = get_desk(side, PROVE, thread);
		if (desk) {
			desk->lock = *lock;
			desk->may_unwind = may_unwind;
			desk->unwound = false;
		}
		answer = ask(side, task->pid, desk);
	}
	if (answer)
		*lock = answer->lock;
	else if (lock->shared)
		lock->owner = 0;	/* whether it has that memory is not known */
	return answer && answer->unwound;
}

/* Names that stay when the helper and its memory go. */
static bool keep_names(struct kcatch_user_side *side, const struct desk *desk)
{
	size_t used = desk->names_used <= sizeof(desk->names) ? desk->names_used : 0;
	char *names = realloc(side->names, used + 1);

	if (!names)
		return false;
	memcpy(names, desk->names, used);
	names[used] = '\0';
	side->names = names;
	return true;
}

static const char *kept(const struct kcatch_user_side *side, const struct desk *desk,
			const char *name)
{
	return name ? side->names + (name - desk->names) : NULL;
}

uint32_t kcatch_user_side_stack(struct kcatch_user_side *side, uint32_t thread,
				struct kcatch_frame *frames, uint32_t room)
{
	const struct kcatch_task *task = &side->list->tasks[thread];
	const struct desk *answer;
	struct desk *desk;
	uint32_t i;

	if (!is_readable(task))
		return 0;
	desk = get_desk(side, STACK, thread);
	if (desk)
		desk->room = room < FRAMES_MAX ? room : FRAMES_MAX;
	answer = ask(side, task->pid, desk);
	if (!answer || !keep_names(side, answer))
		return 0;
	for (i = 0; i < answer->nr_frames && i < room; i++) {
		frames[i] = answer->frames[i];
		frames[i].symbol = kept(side, answer, frames[i].symbol);
		frames[i].module = kept(side, answer, frames[i].module);
		frames[i].file = kept(side, answer, frames[i].file);
	}
	return i;
}

void kcatch_user_side_syscall(struct kcatch_user_side *side, uint32_t thread, char *text,
			      size_t room)
{
	const struct kcatch_task *task = &side->list->tasks[thread];
	const struct desk *answer = NULL;
	struct desk *desk;

	if (is_readable(task)) {
		desk = get_desk(side, CALL, thread);
		if (desk)
			desk->room = room < CALL_ROOM ? (uint32_t)room : CALL_ROOM;
		answer = ask(side, task->pid, desk);
	}
	if (answer)
		snprintf(text, room, "%.*s", (int)strnlen(answer->call, answer->room - 1),
			 answer->call);
	else	/* what there is without its memory */
		kcatch_syscall_text(side->stuck->threads[thread].syscall,
				    &side->last_call, task, text, room);
}

/* ---- all ----------------------------------------------------------------------------- */

int kcatch_user_side_create(struct kcatch_stuck *stuck, struct kcatch_task_list *list,
			    struct kcatch_user_side **result)
{
	struct kcatch_user_side *side = calloc(1, sizeof(*side));
	int ret;

	if (!side)
		return kcatch_error_memory();
	side->stuck = stuck;
	side->list = list;
	ret = kcatch_helper_create(work, side,
				   sizeof(struct desk) + list->nr * sizeof(struct kcatch_user_lock),
				   LIMIT_MS, &side->helper);
	if (ret) {
		free(side);
		return ret;
	}
	*result = side;
	return 0;
}

void kcatch_user_side_destroy(struct kcatch_user_side *side)
{
	if (!side)
		return;
	kcatch_helper_destroy(side->helper);
	free(side->names);
	free(side);
}
