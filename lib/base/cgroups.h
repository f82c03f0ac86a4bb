/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * cgroups.h - cgroups of this machine: from a path to an id and back
 *
 * A cgroup is a directory of the default hierarchy's file system (cgroup2); its id is the inode
 * number of that directory. Paths begin at the mount point: "/" is the root of what is mounted.
 */
#ifndef LIB_BASE_CGROUPS_H
#define LIB_BASE_CGROUPS_H

#include <stddef.h>
#include <stdint.h>

#define KCATCH_CGROUP_PATH_MAX 4096U	/* bytes, with the null byte */

/**
 * kcatch_cgroup_find - get the id and level of a cgroup
 * @path: its path, such as "/system.slice"; one that begins with the mount point is fine too
 * @id: receives the id
 * @level: receives the number of cgroups above it, also above the mount point's (in a cgroup
 *	namespace); 0: the root of all. NULL: not wanted
 *
 * Return: 0; with an error text -ENOENT there is no such cgroup; -ENODEV no cgroup2 file system is
 * mounted; -EINVAL it is not a path; -EOPNOTSUPP what is above the mount point cannot be read;
 * another -errno.
 */
int kcatch_cgroup_find(const char *path, uint64_t *id, unsigned int *level);

/**
 * kcatch_cgroup_path - get the path of a cgroup
 * @id: its id
 * @path: receives the path, KCATCH_CGROUP_PATH_MAX bytes
 * @since: who may not look a cgroup up by its id (CAP_DAC_READ_SEARCH) looks through all of them:
 *	no more than once after this time of kcatch_timing_now_ns(), for a tenth of all time at
 *	most, and what is not found then has no path; 0: once a second at most, and -EAGAIN
 *	meanwhile
 *
 * Return: 0; or else @path is "(cgroup ID)", and there is no error text: -ENOENT it does not exist;
 * -EAGAIN it is too early to say: ask again a second later.
 */
int kcatch_cgroup_path(uint64_t id, char *path, uint64_t since);

/**
 * kcatch_cgroup_each - call a function for each cgroup that exists, parents first
 * @each: called with id and path; a result other than 0 ends the walk
 * @arg: first argument of @each
 *
 * Return: 0; the result of @each; -ENODEV with an error text.
 */
int kcatch_cgroup_each(int (*each)(void *arg, uint64_t id, const char *path), void *arg);

#endif
