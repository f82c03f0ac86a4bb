/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* task_list.c - gets and sorts all threads by one call of the module; reads kernel memory */
#include "stuck/task_list.h"

#include <errno.h>
#include <stdlib.h>

#include <kcatch_text.h>

/* Threads there is room for at first. */
#define FIRST_ROOM 512

static int by_stack(const void *a, const void *b, void *tasks)
{
	uint64_t first = ((struct kcatch_task *)tasks)[*(const uint32_t *)a].stack;
	uint64_t second = ((struct kcatch_task *)tasks)[*(const uint32_t *)b].stack;

	return (first > second) - (first < second);
}

static int by_ns_tid(const void *a, const void *b, void *tasks)
{
	uint32_t first = ((struct kcatch_task *)tasks)[*(const uint32_t *)a].ns_tid;
	uint32_t second = ((struct kcatch_task *)tasks)[*(const uint32_t *)b].ns_tid;

	return (first > second) - (first < second);
}

static int index_them(struct kcatch_task_list *list)
{
	size_t i;

	list->by_stack = calloc(list->nr, sizeof(*list->by_stack));
	list->by_ns_tid = calloc(list->nr, sizeof(*list->by_ns_tid));
	if (!list->by_stack || !list->by_ns_tid)
		return kcatch_error_memory();
	for (i = 0; i < list->nr; i++) {
		struct kcatch_task *task = &list->tasks[i];

		if (task->stack)
			list->by_stack[list->nr_stacks++] = (uint32_t)i;
		if (task->ns_tid)
			list->by_ns_tid[list->nr_ns_tids++] = (uint32_t)i;
		if (kcatch_table_add(&list->by_address, (const char *)&task->address,
				     sizeof(task->address), i) < 0 ||
		    kcatch_table_add(&list->by_tid, (const char *)&task->tid,
				     sizeof(task->tid), i) < 0)
			return kcatch_error_memory();
	}
	qsort_r(list->by_stack, list->nr_stacks, sizeof(*list->by_stack), by_stack, list->tasks);
	qsort_r(list->by_ns_tid, list->nr_ns_tids, sizeof(*list->by_ns_tid), by_ns_tid,
		list->tasks);
	return 0;
}

/* Fewer than there were are enough: some may have ended. */
static int fill(struct kcatch_session *session, struct kcatch_task_list *list,
		struct kcatch_tasks *ask)
{
	uint32_t room = FIRST_ROOM;

	for (;;) {
		int ret;

		free(list->tasks);
		list->tasks = calloc(room, sizeof(*list->tasks));
		if (!list->tasks)
			return kcatch_error_memory();
		ask->count = room;
		ask->buffer = (uintptr_t)list->tasks;
		ret = kcatch_session_ioctl(session, KCATCH_IOC_TASKS, ask);
		if (ret)
			return kcatch_error_system(ret, "cannot look at the threads of this machine");
		if (ask->total <= room)
			break;
		room = ask->total + ask->total / 8 + 64;
	}
	list->nr = ask->count;
	list->now = ask->now;
	return 0;
}

int kcatch_task_list_create(struct kcatch_session *session, uint32_t pid, bool running,
			    struct kcatch_task_list **result)
{
	struct kcatch_tasks ask = {
		.flags = KCATCH_TASKS_STACKS | (running ? KCATCH_TASKS_RUNNING : 0), .pid = pid,
	};
	struct kcatch_task_list *list = calloc(1, sizeof(*list));
	int ret;

	if (!list)
		return kcatch_error_memory();
	ret = fill(session, list, &ask);
	if (!ret && !list->nr)
		ret = kcatch_error_set(ESRCH, "there is no process %u", pid);
	if (!ret)
		ret = index_them(list);
	if (ret) {
		kcatch_task_list_destroy(list);
		return ret;
	}
	*result = list;
	return 0;
}

void kcatch_task_list_destroy(struct kcatch_task_list *list)
{
	if (!list)
		return;
	kcatch_table_deinit(&list->by_address);
	kcatch_table_deinit(&list->by_tid);
	free(list->by_stack);
	free(list->by_ns_tid);
	free(list->tasks);
	free(list);
}

const struct kcatch_task *kcatch_task_list_at(const struct kcatch_task_list *list,
					      uint64_t address)
{
	size_t *at = kcatch_table_find(&list->by_address, (const char *)&address, sizeof(address));

	return at ? &list->tasks[*at] : NULL;
}

const struct kcatch_task *kcatch_task_list_of(const struct kcatch_task_list *list, uint32_t tid)
{
	size_t *at = kcatch_table_find(&list->by_tid, (const char *)&tid, sizeof(tid));

	return at ? &list->tasks[*at] : NULL;
}

const struct kcatch_task *kcatch_task_list_of_ns(const struct kcatch_task_list *list,
						 uint32_t ns_tid, uint32_t index)
{
	size_t low = 0, high = list->nr_ns_tids;
	const struct kcatch_task *task;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (list->tasks[list->by_ns_tid[middle]].ns_tid < ns_tid)
			low = middle + 1;
		else
			high = middle;
	}
	if (index >= list->nr_ns_tids - low)
		return NULL;
	task = &list->tasks[list->by_ns_tid[low + index]];
	return task->ns_tid == ns_tid ? task : NULL;
}

const struct kcatch_task *kcatch_task_list_on_stack(const struct kcatch_task_list *list,
						    uint64_t address)
{
	size_t low = 0, high = list->nr_stacks;

	/* The last that begins at or before it. */
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (list->tasks[list->by_stack[middle]].stack <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address >= list->tasks[list->by_stack[low - 1]].stack_end)
		return NULL;
	return &list->tasks[list->by_stack[low - 1]];
}

bool kcatch_task_stands(const struct kcatch_task *task)
{
	return !(task->flags & (KCATCH_TASK_ON_CPU | KCATCH_TASK_MOVED));
}

int kcatch_kernel_read(const struct kcatch_session *session, uint64_t address, void *to,
		       size_t size)
{
	struct kcatch_read ask = {
		.address = address, .buffer = (uintptr_t)to, .size = (uint32_t)size,
	};

	return kcatch_session_ioctl(session, KCATCH_IOC_READ, &ask);
}
