/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * perf_map.c - names of code that a program made at run time, as it wrote them for perf(1)
 *
 * The file is the program's own: it may hold anything.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/printable.h"
#include "debuginfo/perf_map.h"
#include "debuginfo/process_identity.h"

#define OLDER_BY_S 2 /* seconds that a file may seem to be older than its process */

struct line {
	uint64_t start, end;
	const char *name;
};

struct kcatch_perf_map {
	char path[32];
	char *text;
	struct line *lines; /* in the order of addresses; none overlaps another */
	size_t nr;
};

/* ---- the file of a process --------------------------------------------------------------- */

/* What its file must be like. */
struct owner {
	uint32_t number;
	unsigned int user;
	time_t began; /* CLOCK_REALTIME */
};

/* The last number of a line is that of the innermost namespace. */
static bool read_numbers(uint32_t pid, struct owner *owner)
{
	char path[64], text[8192], *users, *numbers, *last;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	if (kcatch_text_read_file(path, text, sizeof(text)) <= 0)
		return false;
	users = strstr(text, "\nUid:");
	numbers = strstr(text, "\nNStgid:");
	if (!users || !numbers || sscanf(users, "\nUid: %*u %u", &owner->user) != 1)
		return false;
	numbers++;
	numbers[strcspn(numbers, "\n")] = '\0';
	last = strrchr(numbers, '\t');
	owner->number = last ? (uint32_t)strtoul(last, NULL, 10) : 0;
	return owner->number;
}

static bool read_begin(uint32_t pid, struct owner *owner)
{
	struct kcatch_process_identity identity;
	struct timespec now, boot;

	if (!kcatch_process_identity_read(pid, &identity) || clock_gettime(CLOCK_REALTIME, &now) ||
	    clock_gettime(CLOCK_BOOTTIME, &boot))
		return false;
	owner->began = now.tv_sec - boot.tv_sec +
		       (time_t)(identity.start_time / (unsigned long long)sysconf(_SC_CLK_TCK));
	return true;
}

/* Links and directories are those of the process: none leads out of its root directory. */
static int open_inside(uint32_t pid, const char *name)
{
	const struct open_how how = {
		.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	char path[64];
	int root, fd;

	snprintf(path, sizeof(path), "/proc/%u/root", pid);
	root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return -1;
	fd = (int)syscall(SYS_openat2, root, name, &how, sizeof(how));
	close(root);
	return fd;
}

static bool is_owners(const struct stat *status, const struct owner *owner)
{
	return S_ISREG(status->st_mode) && (!status->st_uid || status->st_uid == owner->user) &&
	       status->st_mtime >= owner->began - OLDER_BY_S && status->st_size > 0 &&
	       status->st_size <= KCATCH_PERF_MAP_MAX;
}

bool kcatch_perf_map_open(uint32_t pid, struct kcatch_perf_map_file *file)
{
	struct owner owner;
	char name[32];
	int named;

	file->fd = -1;
	if (!read_numbers(pid, &owner) || !read_begin(pid, &owner))
		return false;
	file->number = owner.number;
	snprintf(name, sizeof(name), "tmp/perf-%u.map", owner.number);
	named = open_inside(pid, name);
	if (named < 0)
		return false;
	if (!fstat(named, &file->status) && is_owners(&file->status, &owner)) {
		snprintf(name, sizeof(name), "/proc/self/fd/%d", named);
		file->fd = open(name, O_RDONLY | O_CLOEXEC);
	}
	close(named);
	return file->fd >= 0;
}

/* ---- its lines ---------------------------------------------------------------------------- */

/* Some programs write 0x before a number. NULL: there is none */
static const char *read_hex(const char *text, uint64_t *number)
{
	const char *digits = text[0] == '0' && text[1] == 'x' ? text + 2 : text;
	const char *end = kcatch_text_hex(digits, number);

	return end > digits && end - digits <= 16 && *end == ' ' ? end + 1 : NULL;
}

static bool read_line(const char *text, struct line *line)
{
	const char *at = read_hex(text, &line->start);
	uint64_t length;

	if (at)
		at = read_hex(at, &length);
	if (!at || !*at || !length || length > UINT32_MAX || line->start + length < line->start)
		return false;
	line->end = line->start + length;
	line->name = at;
	return true;
}

/* Names lie in the text in the order of lines. */
static int compare(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static void drop_overwritten(struct kcatch_perf_map *map)
{
	size_t i, kept = 0;

	for (i = 0; i < map->nr; i++) {
		const struct line line = map->lines[i];

		while (kept && map->lines[kept - 1].end > line.start &&
		       map->lines[kept - 1].name < line.name)
			kept--;
		if (!kept || map->lines[kept - 1].end <= line.start)
			map->lines[kept++] = line;
	}
	map->nr = kept;
}

static bool read_lines(struct kcatch_perf_map *map)
{
	char *text, *end;
	size_t room = 0;

	for (text = map->text; (text = strchr(text, '\n')); text++)
		room++;
	map->lines = calloc(room + 1, sizeof(*map->lines));
	if (!map->lines)
		return false;
	for (text = map->text; (end = strchr(text, '\n')); text = end + 1) {
		*end = '\0';
		map->nr += read_line(text, &map->lines[map->nr]);
	}
	if (map->nr)
		qsort(map->lines, map->nr, sizeof(*map->lines), compare);
	drop_overwritten(map);
	return true;
}

static char *read_text(int fd)
{
	struct stat status;
	size_t size, at = 0;
	ssize_t got = 1;
	char *text;

	if (fstat(fd, &status) || status.st_size < 0 || status.st_size > KCATCH_PERF_MAP_MAX)
		return NULL;
	size = (size_t)status.st_size;
	text = malloc(size + 1);
	while (text && at < size && (got = pread(fd, text + at, size - at, (off_t)at)) > 0)
		at += (size_t)got;
	if (text && got < 0) {
		free(text);
		return NULL;
	}
	if (text)
		text[at] = '\0';
	return text;
}

struct kcatch_perf_map *kcatch_perf_map_read(int fd, uint32_t number)
{
	struct kcatch_perf_map *map = calloc(1, sizeof(*map));

	if (!map)
		return NULL;
	snprintf(map->path, sizeof(map->path), "/tmp/perf-%u.map", number);
	map->text = read_text(fd);
	if (map->text && read_lines(map))
		return map;
	kcatch_perf_map_destroy(map);
	return NULL;
}

const char *kcatch_perf_map_find(const struct kcatch_perf_map *map, uint64_t address,
				 uint32_t *offset)
{
	size_t low = 0, high = map ? map->nr : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct line *line = &map->lines[middle];

		if (address < line->start) {
			high = middle;
		} else if (address >= line->end) {
			low = middle + 1;
		} else {
			*offset = (uint32_t)(address - line->start);
			return line->name;
		}
	}
	return NULL;
}

const char *kcatch_perf_map_path(const struct kcatch_perf_map *map)
{
	return map->path;
}

void kcatch_perf_map_destroy(struct kcatch_perf_map *map)
{
	if (!map)
		return;
	free(map->lines);
	free(map->text);
	free(map);
}
