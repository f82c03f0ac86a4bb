/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* task_names.h - names of threads by thread ID */
#ifndef LIB_RECORDING_TASK_NAMES_H
#define LIB_RECORDING_TASK_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include <kcatch_containers.h>

#define KCATCH_TASK_NAMES_MAX (1U << 20)	/* more are not noted */

struct kcatch_task_name {
	uint32_t tid;
	char comm[16];
};

/** struct kcatch_task_names - table of thread names; zeroed is empty; thread 0 is always known */
struct kcatch_task_names {
	struct kcatch_table known;	/* tid: its struct kcatch_task_name */
	struct kcatch_arena memory;	/* of those */
};

/**
 * kcatch_task_names_deinit - free all names
 * @names: the names
 */
void kcatch_task_names_deinit(struct kcatch_task_names *names);

/**
 * kcatch_task_names_set - set a thread's name
 * @names: the names
 * @tid: thread ID
 * @comm: name of the thread, NUL-terminated
 *
 * If memory is short, the name is not stored.
 */
void kcatch_task_names_set(struct kcatch_task_names *names, uint32_t tid, const char *comm);

/**
 * kcatch_task_names_find - find a thread's name
 * @names: the names
 * @tid: thread ID
 *
 * Return: the name; "" if it is not known.
 */
const char *kcatch_task_names_find(const struct kcatch_task_names *names, uint32_t tid);

#endif
