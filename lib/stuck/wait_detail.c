/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* wait_detail.c - finds the page, child, FUSE server or file lock that a thread waits for */
#include "stuck/wait_detail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "stuck/open_files.h"
#include "symbols/symbols.h"

/* Bytes of a kernel stack, from its end on, in which who waits has its structure. */
#define STACK_MAX 4096U
/* Bytes of a name, with the null byte: NAME_MAX of the kernel. */
#define NAME_ROOM 256
#define PAGE_SIZE UINT64_C(4096)
/* Threads in a queue that are followed. */
#define QUEUE_MAX 65536U
/* Children that are named. */
#define CHILDREN_MAX 4

void kcatch_stuck_details_deinit(struct kcatch_stuck_details *details)
{
	kcatch_stuck_fuse_destroy(details->fuse);
	kcatch_stuck_files_destroy(details->files);
	kcatch_stuck_tcp_destroy(details->tcp);
	free(details->first_child);
	free(details->next_child);
	kcatch_arena_deinit(&details->texts);
}

const char *kcatch_stuck_say(struct kcatch_stuck_details *details, const char *format, ...)
{
	char text[1024], *kept;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (length < 0)
		return NULL;
	kept = kcatch_arena_take(&details->texts, strlen(text) + 1);
	if (kept)
		strcpy(kept, text);
	return kept;
}

uint64_t kcatch_stuck_word(const struct kcatch_stuck_details *details, uint64_t address)
{
	uint64_t word;

	return kcatch_kernel_read(details->session, address, &word, sizeof(word)) ? 0 : word;
}

bool kcatch_stuck_learn(const struct kcatch_stuck_details *details,
			struct kcatch_stuck_place *places, size_t nr)
{
	size_t i;

	if (!details->types)
		return false;
	for (i = 0; i < nr; i++) {
		if (kcatch_types_offset(details->types, places[i].type, places[i].member,
					&places[i].offset))
			return false;
	}
	return true;
}

void kcatch_stuck_text(const struct kcatch_stuck_details *details, uint64_t address, char *shown,
		       size_t room)
{
	char text[NAME_ROOM] = "";
	size_t here = PAGE_SIZE - address % PAGE_SIZE, all = sizeof(text) - 1;

	/* The next page may not be there. */
	if (here > all)
		here = all;
	if (kcatch_kernel_read(details->session, address, text, here))
		text[0] = '\0';
	else if (here < all && !memchr(text, '\0', here) &&
		 kcatch_kernel_read(details->session, address + here, text + here, all - here))
		text[here] = '\0';
	kcatch_text_escape(text, strnlen(text, all), shown, room);
	if (strlen(shown) + sizeof("...") > room)
		strcpy(shown + room - sizeof("..."), "...");
}

void kcatch_stuck_task_name(const struct kcatch_task *task, char *text, size_t room)
{
	char comm[4 * sizeof(task->comm) + 1];

	kcatch_text_escape(task->comm, strnlen(task->comm, sizeof(task->comm)), comm, sizeof(comm));
	snprintf(text, room, "%s(%u)", comm, task->tid);
}

bool kcatch_stuck_is_named(const struct kcatch_stuck_details *details, uint64_t address,
			   const char *name)
{
	struct kcatch_name found;

	return !kcatch_symbols_find(details->session->symbols, address, &found) && found.symbol &&
	       !found.offset && !strncmp(found.symbol, name, strlen(name));
}

uint64_t kcatch_stuck_entry_find(const struct kcatch_stuck_details *details,
				 const struct kcatch_task *task, uint32_t private, uint32_t func,
				 const char *function)
{
	uint64_t words[STACK_MAX / 8], size = task->stack_end - task->sp, at;

	if (!task->sp || task->sp % 8 || task->sp < task->stack || task->sp >= task->stack_end)
		return 0;
	if (size > STACK_MAX)
		size = STACK_MAX;
	if (kcatch_kernel_read(details->session, task->sp, words, size))
		return 0;
	for (at = private; at + 8 <= size; at += 8) {
		uint64_t waker = at - private + func;

		if (words[at / 8] == task->address && waker + 8 <= size &&
		    kcatch_stuck_is_named(details, words[waker / 8], function))
			return task->sp + at - private;
	}
	return 0;
}

uint64_t kcatch_stuck_queue_find(const struct kcatch_stuck_details *details,
				 const struct kcatch_task *task, const char *function)
{
	enum { PRIVATE, FUNC, ENTRY, HEAD };
	struct kcatch_stuck_place places[] = {
		[PRIVATE] = { "struct wait_queue_entry", "private", 0 },
		[FUNC] = { "struct wait_queue_entry", "func", 0 },
		[ENTRY] = { "struct wait_queue_entry", "entry", 0 },
		[HEAD] = { "struct wait_queue_head", "head", 0 },
	};
	uint64_t entry, node;
	uint32_t i;

	if (!kcatch_stuck_learn(details, places, sizeof(places) / sizeof(places[0])))
		return 0;
	entry = kcatch_stuck_entry_find(details, task, places[PRIVATE].offset,
					places[FUNC].offset, function);
	node = entry ? kcatch_stuck_word(details, entry + places[ENTRY].offset) : 0;
	for (i = 0; i < QUEUE_MAX && node && kcatch_task_list_on_stack(details->list, node); i++)
		node = kcatch_stuck_word(details, node);
	return node && i < QUEUE_MAX ? node - places[HEAD].offset : 0;
}

/* ---- children ----------------------------------------------------------------------- */

static bool index_children(struct kcatch_stuck_details *details)
{
	const struct kcatch_task_list *list = details->list;
	uint32_t i;

	if (details->next_child)
		return true;
	details->first_child = malloc(list->nr * sizeof(*details->first_child));
	details->next_child = malloc(list->nr * sizeof(*details->next_child));
	if (!details->first_child || !details->next_child)
		return false;
	memset(details->first_child, 0xff, list->nr * sizeof(*details->first_child));
	memset(details->next_child, 0xff, list->nr * sizeof(*details->next_child));
	for (i = 0; i < list->nr; i++) {
		const struct kcatch_task *parent = kcatch_task_list_of(list, list->tasks[i].ppid);

		if (!parent || list->tasks[i].tid != list->tasks[i].pid)
			continue;
		details->next_child[i] = details->first_child[parent - list->tasks];
		details->first_child[parent - list->tasks] = i;
	}
	return true;
}

/* Which child wait4() and waitid() want: -1 any; 0 one of a group. */
static int64_t wanted_child(const struct kcatch_task *task)
{
	enum { ANY, PROCESS };		/* P_ALL, P_PID */

	if (!kcatch_task_is_wide(task))
		return 0;
	switch (kcatch_task_call(task)) {
	case SYS_wait4:
		return (int32_t)kcatch_task_arg(task, 0) > 0   ? (int32_t)kcatch_task_arg(task, 0) :
		       (int32_t)kcatch_task_arg(task, 0) == -1 ? -1 :
								 0;
	case SYS_waitid:
		return kcatch_task_arg(task, 0) == ANY     ? -1 :
		       kcatch_task_arg(task, 0) == PROCESS ? (int32_t)kcatch_task_arg(task, 1) :
							     0;
	default:
		return 0;
	}
}

static void find_child(struct kcatch_stuck_details *details, uint32_t at, bool vfork,
		       struct kcatch_stuck_thread *thread)
{
	const struct kcatch_task_list *list = details->list;
	const struct kcatch_task *task = &list->tasks[at], *process, *child = NULL;
	char names[CHILDREN_MAX * 90 + 1] = "";
	int64_t wanted = vfork ? -1 : wanted_child(task);
	uint32_t i, nr = 0, only = 0;
	size_t used = 0;

	process = kcatch_task_list_of(list, task->pid);
	if (!wanted || !process || !index_children(details))
		return;
	for (i = details->first_child[process - list->tasks]; i < list->nr;
	     i = details->next_child[i]) {
		char comm[4 * sizeof(child->comm) + 1];

		child = &list->tasks[i];
		/* As the parent numbers it: one that is in a namespace of its own is another. */
		if ((vfork && child->mm != task->mm) ||
		    (wanted > 0 &&
		     (task->ns_tid == task->tid ? child->tid : child->ns_tid) != wanted))
			continue;
		only = i;
		kcatch_text_escape(child->comm, strnlen(child->comm, sizeof(child->comm)), comm,
				   sizeof(comm));
		if (nr++ < CHILDREN_MAX)
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s(%u)",
						 nr > 1 ? ", " : "", comm, child->tid);
	}
	if (!nr)
		return;
	if (nr > 1) {
		thread->reason =
			kcatch_stuck_say(details, "any of its %u children to end: %s%s", nr,
			names, nr > CHILDREN_MAX ? " ..." : "") ?:
				thread->reason;
		return;
	}
	child = &list->tasks[only];
	thread->reason = kcatch_stuck_say(details, vfork ? "its child %s, made by vfork(), to exec or to end" :
					  "its child %s to end", names) ?: thread->reason;
	thread->waits_for = only;
	thread->named = true;
	/* Of several threads of the child any may go on. */
	thread->certain = child->nr_threads == 1 && (task->state == 'S' || task->state == 'D');
}

void kcatch_stuck_zombie_find(struct kcatch_stuck_details *details, uint32_t at,
			      struct kcatch_stuck_thread *thread)
{
	const struct kcatch_task *task = &details->list->tasks[at];
	const struct kcatch_task *parent = kcatch_task_list_of(details->list, task->ppid);
	char name[KCATCH_STUCK_NAME_ROOM];

	if (task->nr_threads > 1) {
		thread->reason = "the other threads of its process: it has ended itself";
		return;
	}
	if (!parent)
		return;
	kcatch_stuck_task_name(parent, name, sizeof(name));
	thread->reason = kcatch_stuck_say(details, "its parent %s to ask how it ended: it is a zombie",
					  name);
}

void kcatch_stuck_detail_find(struct kcatch_stuck_details *details, uint32_t at,
			      enum kcatch_stuck_what what, struct kcatch_stuck_thread *thread)
{
	switch (what) {
	case KCATCH_STUCK_OTHER:
	case KCATCH_STUCK_WEAK:
	case KCATCH_STUCK_COMPLETION:
	case KCATCH_STUCK_PIPE_DATA:	/* when it is shown: other_ends.c */
	case KCATCH_STUCK_PIPE_ROOM:
	case KCATCH_STUCK_UNIX:
	case KCATCH_STUCK_UNIX_QUEUE:
	case KCATCH_STUCK_TCP:
	case KCATCH_STUCK_EVENTFD:
	case KCATCH_STUCK_POLL:
	case KCATCH_STUCK_EPOLL:
		break;
	case KCATCH_STUCK_FUSE:
		kcatch_stuck_fuse_find(details, at, thread);
		break;
	case KCATCH_STUCK_PAGE:
		kcatch_stuck_page_find(details, at, thread);
		break;
	case KCATCH_STUCK_BUFFER:
		kcatch_stuck_buffer_find(details, at, thread);
		break;
	case KCATCH_STUCK_DIRECT:
		kcatch_stuck_direct_find(details, at, thread);
		break;
	case KCATCH_STUCK_THAW:
		kcatch_stuck_thaw_find(details, at, thread);
		break;
	case KCATCH_STUCK_CHILD:
	case KCATCH_STUCK_VFORK:
		find_child(details, at, what == KCATCH_STUCK_VFORK, thread);
		break;
	case KCATCH_STUCK_STOPPED:
		kcatch_stuck_freezer_find(details, at, thread);
		break;
	case KCATCH_STUCK_FILE_LOCK:
		kcatch_stuck_file_lock_find(details, at, thread);
		break;
	}
}
