/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* task_names.c - names of threads by thread ID */
#include <string.h>

#include "recording/task_names.h"

void kcatch_task_names_deinit(struct kcatch_task_names *names)
{
	kcatch_table_deinit(&names->known);
	kcatch_arena_deinit(&names->memory);
}

static struct kcatch_task_name *find(const struct kcatch_task_names *names, uint32_t tid)
{
	const size_t *known = kcatch_table_find(&names->known, (const char *)&tid, sizeof(tid));

	return known ? (struct kcatch_task_name *)*known : NULL;
}

static struct kcatch_task_name *add(struct kcatch_task_names *names, uint32_t tid)
{
	struct kcatch_task_name *name;

	if (names->known.count >= KCATCH_TASK_NAMES_MAX)
		return NULL;
	name = kcatch_arena_take(&names->memory, sizeof(*name));
	if (!name)
		return NULL;
	name->tid = tid;
	return kcatch_table_add(&names->known, (const char *)&name->tid, sizeof(tid),
				(size_t)name) ? NULL : name;
}

void kcatch_task_names_set(struct kcatch_task_names *names, uint32_t tid, const char *comm)
{
	struct kcatch_task_name *name = tid ? find(names, tid) : NULL;

	if (!name && tid)
		name = add(names, tid);
	if (name)
		strncpy(name->comm, comm, sizeof(name->comm) - 1);
}

const char *kcatch_task_names_find(const struct kcatch_task_names *names, uint32_t tid)
{
	const struct kcatch_task_name *name;

	if (!tid)
		return "swapper";
	name = find(names, tid);
	return name ? name->comm : "";
}
