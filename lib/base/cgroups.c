/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * cgroups.c - cgroups of this machine: from a path to an id and back
 *
 * An id becomes a path without a search: the file handle of a directory of cgroup2 is its id. That
 * takes CAP_DAC_READ_SEARCH; without it, all cgroups are looked at. Whoever has a cgroup can make
 * thousands in it and delete them again, so that is done seldom.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kcatch_containers.h>
#include <kcatch_text.h>
#include "base/cgroups.h"
#include "base/printable.h"
#include "base/timing.h"

#ifndef FILEID_KERNFS
#define FILEID_KERNFS 0xfe	/* linux/exportfs.h, which is not for programs */
#endif

#define ROOT_ID 1	/* of the whole hierarchy */
#define DEPTH_MAX 64	/* of a walk; the kernel's own limit is the administrator's */
/* From a walk to the next: a second, and no more than a tenth of the time is spent in walks. */
#define WALK_NS 1000000000ULL
#define WALK_TIMES 9

/* The mount point of cgroup2, unescaped. */
static bool find_mount(char *mount, size_t room)
{
	FILE *file = fopen("/proc/self/mounts", "re");
	char line[8192], *at, *end, *type;
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		at = strchr(line, ' ');
		end = at ? strchr(at + 1, ' ') : NULL;
		type = end ? end + 1 : NULL;
		if (!type || strncmp(type, "cgroup2 ", 8) != 0)
			continue;
		*end = '\0';
		found = (size_t)snprintf(mount, room, "%s", at + 1) < room && !strchr(mount, '\\');
	}
	if (file)
		fclose(file);
	return found;
}

static int no_mount(void)
{
	return kcatch_error_set(ENODEV, "no cgroup2 file system is mounted; mount it: "
				"mount -t cgroup2 none /sys/fs/cgroup");
}

/* Components of a path, without empty ones. */
static unsigned int count_levels(const char *path)
{
	unsigned int levels = 0;

	for (; *path; path++)
		levels += *path != '/' && (path[1] == '/' || !path[1]);
	return levels;
}

/* "." and ".." are no cgroups: the level would be wrong. */
static bool has_dots(const char *path)
{
	size_t length;

	for (; *path; path += length + (path[length] == '/')) {
		length = strcspn(path, "/");
		if ((length == 1 || length == 2) && strspn(path, ".") >= length)
			return true;
	}
	return false;
}

/* The directory of a cgroup; -1: it is gone. */
static int open_id(int mount, uint64_t id)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + sizeof(id)];
	} of;

	memset(&of, 0, sizeof(of));
	of.handle.handle_bytes = sizeof(id);
	of.handle.handle_type = FILEID_KERNFS;
	memcpy(of.handle.f_handle, &id, sizeof(id));
	return open_by_handle_at(mount, &of.handle, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* The path that a descriptor was opened at, below @mount. */
static bool path_of(int fd, const char *mount, char *path)
{
	char link[64], text[PATH_MAX + 32];
	size_t skip = strlen(mount);
	struct stat status;
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, text, sizeof(text) - 1);
	if (length < 0 || fstat(fd, &status) || !status.st_nlink)
		return false;
	text[length] = '\0';
	if (strncmp(text, mount, skip) != 0)
		return false;
	snprintf(path, KCATCH_CGROUP_PATH_MAX, "%s", text[skip] ? text + skip : "/");
	return true;
}

struct walk {
	int (*each)(void *arg, uint64_t id, const char *path);
	void *arg;
	char path[KCATCH_CGROUP_PATH_MAX];	/* below the mount point; "" is the root */
};

/* Takes over @fd. A cgroup that goes meanwhile is left out. */
static int walk_below(struct walk *walk, int fd, unsigned int depth)
{
	size_t length = strlen(walk->path);
	struct dirent *entry;
	struct stat status;
	DIR *directory;
	int ret, below;

	if (fd < 0)
		return 0;
	directory = fdopendir(fd);
	if (!directory) {
		close(fd);
		return 0;
	}
	ret = fstat(fd, &status) ? 0 : walk->each(walk->arg, status.st_ino,
						  length ? walk->path : "/");
	while (!ret && depth < DEPTH_MAX && (entry = readdir(directory))) {
		if (entry->d_type != DT_DIR || !strcmp(entry->d_name, ".") ||
		    !strcmp(entry->d_name, "..") ||
		    length + strlen(entry->d_name) + 2 > sizeof(walk->path))
			continue;
		snprintf(walk->path + length, sizeof(walk->path) - length, "/%s", entry->d_name);
		below = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		ret = walk_below(walk, below, depth + 1);
		walk->path[length] = '\0';
	}
	closedir(directory);
	return ret;
}

int kcatch_cgroup_each(int (*each)(void *arg, uint64_t id, const char *path), void *arg)
{
	struct walk walk = { .each = each, .arg = arg };
	char mount[PATH_MAX];

	if (!find_mount(mount, sizeof(mount)))
		return no_mount();
	return walk_below(&walk, open(mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0);
}

struct search {
	uint64_t id;
	char *path;
};

static int match_id(void *arg, uint64_t id, const char *path)
{
	const struct search *search = arg;

	if (id != search->id)
		return 0;
	snprintf(search->path, KCATCH_CGROUP_PATH_MAX, "%s", path);
	return 1;
}

/*
 * In a cgroup namespace, and where a part of the hierarchy is mounted, there are cgroups above that
 * of the mount point. No path leads to them, but a handle opens the hierarchy's root.
 */
static int add_level_of_mount(const char *mount, unsigned int *level)
{
	char path[KCATCH_CGROUP_PATH_MAX];
	struct search search = { .path = path };
	struct walk walk = { .each = match_id, .arg = &search };
	struct stat status;
	bool found = false;
	int at = open(mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (at >= 0 && !fstat(at, &status)) {
		search.id = status.st_ino;
		found = search.id == ROOT_ID ? match_id(&search, ROOT_ID, "/") :
					       walk_below(&walk, open_id(at, ROOT_ID), 0) == 1;
	}
	if (at >= 0)
		close(at);
	if (!found)
		return kcatch_error_set(EOPNOTSUPP, "%s is not the root of all cgroups, and where it is "
					"cannot be read (that needs CAP_DAC_READ_SEARCH): compare "
					"cgroup == \"PATH\", or run kcatch outside of the cgroup "
					"namespace", mount);
	*level += count_levels(path);
	return 0;
}

int kcatch_cgroup_find(const char *path, uint64_t *id, unsigned int *level)
{
	char mount[PATH_MAX], whole[2 * PATH_MAX], file[2 * PATH_MAX + 16];
	struct stat status;
	size_t length;

	if (!find_mount(mount, sizeof(mount)))
		return no_mount();
	length = strlen(mount);
	if (!strncmp(path, mount, length) && (path[length] == '/' || !path[length]))
		path += length;
	if ((*path && *path != '/') || has_dots(path) || strlen(path) >= PATH_MAX)
		return kcatch_error_set(EINVAL, "%s is no path of a cgroup; it begins at the root: "
					"/system.slice", SHOWN(path));
	snprintf(whole, sizeof(whole), "%s%s", mount, path);
	snprintf(file, sizeof(file), "%s/cgroup.procs", whole);
	if (stat(file, &status) || stat(whole, &status))
		return kcatch_error_set(ENOENT, "there is no cgroup %s below %s", SHOWN(path),
					mount);
	*id = status.st_ino;
	if (!level)
		return 0;
	*level = count_levels(path);
	return add_level_of_mount(mount, level);
}

/* ---- what the last walk found ------------------------------------------------------- */

struct entry {
	uint64_t id;
	char path[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	struct kcatch_arena arena;
	struct kcatch_table ids;	/* id: struct entry * */
	uint64_t begin;			/* time of the last walk */
	uint64_t rested;		/* until then it was a tenth of the time, or more */
	uint64_t next;			/* of the next one; 0: there was none yet */
} last;					/* protected by @lock */

static int keep(void *arg, uint64_t id, const char *path)
{
	struct entry *entry = kcatch_arena_take(&last.arena, sizeof(*entry) + strlen(path) + 1);

	(void)arg;
	if (!entry)
		return -ENOMEM;
	entry->id = id;
	strcpy(entry->path, path);
	return kcatch_table_add(&last.ids, (const char *)&entry->id, sizeof(entry->id),
				(size_t)entry) < 0 ? -ENOMEM : 0;
}

static void walk_all(void)
{
	uint64_t took;

	kcatch_table_deinit(&last.ids);
	kcatch_arena_reset(&last.arena);
	last.begin = kcatch_timing_now_ns();
	kcatch_cgroup_each(keep, NULL);
	took = kcatch_timing_now_ns() - last.begin;
	last.rested = last.begin + took + took * WALK_TIMES;
	last.next = last.begin + took + WALK_NS;
	if (last.next < last.rested)
		last.next = last.rested;
}

/* @lock is held. Takes no system call: it may be asked for each record. */
static bool find_walked(uint64_t id, char *path)
{
	const size_t *found = kcatch_table_find(&last.ids, (const char *)&id, sizeof(id));

	if (found)
		snprintf(path, KCATCH_CGROUP_PATH_MAX, "%s", ((struct entry *)*found)->path);
	return found;
}

/*
 * Was there a walk so late that there is none now? Walks never take more than a tenth of all time,
 * also where each of many rules asks for one. @lock is held.
 */
static bool is_walked(uint64_t since)
{
	uint64_t now = kcatch_timing_now_ns();

	return last.next && (since ? last.begin >= since || now < last.rested : now < last.next);
}

static int walk_for(uint64_t id, char *path, uint64_t since)
{
	int ret = -ENOENT;

	pthread_mutex_lock(&lock);
	if (!is_walked(since))
		walk_all();
	if (find_walked(id, path))
		ret = 0;
	pthread_mutex_unlock(&lock);
	return ret;
}

static int look_up(uint64_t id, char *path, uint64_t since)
{
	char mount[PATH_MAX];
	int at = -1, fd = -1, ret = -ENOENT;

	if (find_mount(mount, sizeof(mount)))
		at = open(mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (at >= 0)
		fd = open_id(at, id);
	if (fd >= 0) {
		ret = path_of(fd, mount, path) ? 0 : -ENOENT;
		close(fd);
	} else if (at >= 0 && (errno == EPERM || errno == EACCES || errno == ENOSYS)) {
		/* Without CAP_DAC_READ_SEARCH, or where a service may not ask so. */
		ret = walk_for(id, path, since);
	}
	if (at >= 0)
		close(at);
	return ret;
}

int kcatch_cgroup_path(uint64_t id, char *path, uint64_t since)
{
	bool asks = false;
	int ret = 0;

	pthread_mutex_lock(&lock);
	if (find_walked(id, path))
		;
	else if (is_walked(since))
		ret = since ? -ENOENT : -EAGAIN;
	else
		asks = true;
	pthread_mutex_unlock(&lock);
	if (asks)
		ret = look_up(id, path, since);
	if (ret)
		snprintf(path, KCATCH_CGROUP_PATH_MAX, "(cgroup %llu)", (unsigned long long)id);
	return ret;
}
