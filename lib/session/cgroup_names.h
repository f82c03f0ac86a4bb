/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* cgroup_names.h - paths of cgroups by their ids, each looked up until it is known */
#ifndef LIB_SESSION_CGROUP_NAMES_H
#define LIB_SESSION_CGROUP_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kcatch_containers.h>

/**
 * struct kcatch_cgroup_name - a path that is known
 * @id: the cgroup's
 * @path: its path, or else "(cgroup ID)"
 * @unsure: it was too early to say whether it exists
 */
struct kcatch_cgroup_name {
	uint64_t id;
	const char *path;
	bool unsure;
};

/**
 * struct kcatch_cgroup_names - zeroed is empty
 * @index: id to index in @names
 * @names: ids and paths, in the order in which they were added
 * @nr: number of entries in @names
 * @arena: memory of ids and paths
 * @since: see kcatch_cgroup_path(): the time at which the last counts were taken, whose keys are
 *	the same text at each reading; 0 where nothing is counted
 */
struct kcatch_cgroup_names {
	struct kcatch_table index;
	struct kcatch_cgroup_name **names;
	size_t nr;
	struct kcatch_arena arena;
	uint64_t since;
};

/**
 * kcatch_cgroup_names_find - find the path of an id
 *
 * Return: the path, valid as long as @names; NULL: it was not added.
 */
const char *kcatch_cgroup_names_find(const struct kcatch_cgroup_names *names, uint64_t id);

/**
 * kcatch_cgroup_names_add - add an id and a copy of its path; one that exists stays as it is
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_cgroup_names_add(struct kcatch_cgroup_names *names, uint64_t id, const char *path);

/** kcatch_cgroup_names_deinit - free the memory, and leave @names empty */
void kcatch_cgroup_names_deinit(struct kcatch_cgroup_names *names);

#endif
