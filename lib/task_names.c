/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* task_names.c - names of threads by their numbers */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "task_names.h"

static struct kcatch_task_name *place_of(const struct kcatch_task_names *names, uint32_t tid)
{
	size_t i = (tid * 0x9e3779b1U >> 4) & (names->room - 1);

	while (names->places[i].tid && names->places[i].tid != tid)
		i = (i + 1) & (names->room - 1);
	return &names->places[i];
}

void kcatch_task_names_deinit(struct kcatch_task_names *names)
{
	free(names->places);
	memset(names, 0, sizeof(*names));
}

static bool grow(struct kcatch_task_names *names)
{
	struct kcatch_task_names more = { .room = names->room ? names->room * 2 : 256,
					  .count = names->count };
	size_t i;

	more.places = calloc(more.room, sizeof(*more.places));
	if (!more.places)
		return false;
	for (i = 0; i < names->room; i++) {
		if (names->places[i].tid)
			*place_of(&more, names->places[i].tid) = names->places[i];
	}
	free(names->places);
	*names = more;
	return true;
}

void kcatch_task_names_set(struct kcatch_task_names *names, uint32_t tid, const char *comm)
{
	struct kcatch_task_name *place;

	if (!tid || (names->count * 2 >= names->room && !grow(names)))
		return;
	place = place_of(names, tid);
	if (!place->tid) {
		if (names->count >= KCATCH_TASK_NAMES_MAX)
			return;
		place->tid = tid;
		names->count++;
	}
	strncpy(place->comm, comm, sizeof(place->comm) - 1);
}

const char *kcatch_task_names_find(const struct kcatch_task_names *names, uint32_t tid)
{
	if (!tid)
		return "swapper";
	return names->room ? place_of(names, tid)->comm : "";
}
