/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* task_names.h - names of threads by their numbers */
#ifndef LIB_TASK_NAMES_H
#define LIB_TASK_NAMES_H

#include <stddef.h>
#include <stdint.h>

#define KCATCH_TASK_NAMES_MAX (1U << 20)	/* more are not noted */

struct kcatch_task_name {
	uint32_t tid;
	char comm[16];
};

/** struct kcatch_task_names - zeroed is empty; thread 0 is always known */
struct kcatch_task_names {
	struct kcatch_task_name *places;	/* tid 0: empty */
	size_t room;
	size_t count;
};

/**
 * kcatch_task_names_deinit - free it
 * @names: the names
 */
void kcatch_task_names_deinit(struct kcatch_task_names *names);

/**
 * kcatch_task_names_set - a thread is called so, from now on
 * @names: the names
 * @tid: which
 * @comm: its name, with an end mark
 *
 * Without memory it is not noted.
 */
void kcatch_task_names_set(struct kcatch_task_names *names, uint32_t tid, const char *comm);

/**
 * kcatch_task_names_find - what is a thread called
 * @names: the names
 * @tid: which
 *
 * Return: its name; "" when it is not known.
 */
const char *kcatch_task_names_find(const struct kcatch_task_names *names, uint32_t tid);

#endif
