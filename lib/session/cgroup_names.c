/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * cgroup_names.c - paths of cgroups by their ids, each looked up until it is known
 *
 * The kernel gives no id twice, and cgroups of the default hierarchy cannot be renamed: a path that
 * was found stays right. A cgroup that is gone has none.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_text.h>
#include "base/array.h"
#include "base/cgroups.h"
#include "session/cgroup_names.h"
#include "session/handle.h"

static struct kcatch_cgroup_name *find(const struct kcatch_cgroup_names *names, uint64_t id)
{
	const size_t *found = kcatch_table_find(&names->index, (const char *)&id, sizeof(id));

	return found ? names->names[*found] : NULL;
}

const char *kcatch_cgroup_names_find(const struct kcatch_cgroup_names *names, uint64_t id)
{
	const struct kcatch_cgroup_name *name = find(names, id);

	return name ? name->path : NULL;
}

int kcatch_cgroup_names_add(struct kcatch_cgroup_names *names, uint64_t id, const char *path)
{
	struct kcatch_cgroup_name **grown, *name;
	char *copy;

	if (kcatch_cgroup_names_find(names, id))
		return 0;
	name = kcatch_arena_take(&names->arena, sizeof(*name));
	copy = kcatch_arena_take(&names->arena, strlen(path) + 1);
	grown = kcatch_array_grow(names->names, names->nr, sizeof(*grown));
	if (grown)
		names->names = grown;
	if (!name || !copy || !grown)
		return kcatch_error_memory();
	strcpy(copy, path);
	*name = (struct kcatch_cgroup_name){ .id = id, .path = copy };
	if (kcatch_table_add(&names->index, (const char *)&name->id, sizeof(name->id),
			     names->nr) < 0)
		return kcatch_error_memory();
	names->names[names->nr++] = name;
	return 0;
}

void kcatch_cgroup_names_deinit(struct kcatch_cgroup_names *names)
{
	kcatch_table_deinit(&names->index);
	kcatch_arena_deinit(&names->arena);
	free(names->names);
	memset(names, 0, sizeof(*names));
}

/* A name that could not be looked up in time. @text: its path by now, or "(cgroup ID)" */
static int replace(struct kcatch_session *session, struct kcatch_cgroup_name *name,
		   const char *text)
{
	char *copy = kcatch_arena_take(&session->cgroups.arena, strlen(text) + 1);

	if (!copy)
		return kcatch_error_memory();
	name->path = strcpy(copy, text);
	name->unsure = false;
	return 0;
}

int kcatch_session_cgroup(struct kcatch_session *session, uint64_t id, const char **path)
{
	struct kcatch_cgroup_name *name = find(&session->cgroups, id);
	char text[KCATCH_CGROUP_PATH_MAX];
	int ret = -ENOENT, found;

	if (name && !name->unsure) {
		*path = name->path;
		return 0;
	}
	/* Ids of another boot mean nothing here. */
	if (session->fd < 0)
		snprintf(text, sizeof(text), "(cgroup %llu)", (unsigned long long)id);
	else
		ret = kcatch_cgroup_path(id, text, session->cgroups.since);
	if (!name)
		found = kcatch_cgroup_names_add(&session->cgroups, id, text);
	else
		found = ret == -EAGAIN ? 0 : replace(session, name, text);
	name = find(&session->cgroups, id);
	if (!found)
		name->unsure = ret == -EAGAIN;
	*path = found ? "" : name->path;
	return found;
}
