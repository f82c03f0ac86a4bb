/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * module_file.c - find the file of a kernel module
 *
 * Reads the lists that depmod(8) makes, each time anew.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "symbols/module_file.h"

/* The module's name in "kernel/fs/NAME.ko.xz: ...", with each - replaced by _. */
static bool name_in(const char *line, size_t length, char *name, size_t room)
{
	const char *file = memrchr(line, '/', length), *end;
	size_t i;

	file = file ? file + 1 : line;
	length -= (size_t)(file - line);
	end = memchr(file, '.', length);
	if (!end || end == file || (size_t)(end - file) >= room || strncmp(end, ".ko", 3) ||
	    !strchr(".:\n", end[3]))
		return false;
	length = (size_t)(end - file);
	for (i = 0; i < length; i++)
		name[i] = file[i] == '-' ? '_' : file[i];
	name[i] = '\0';
	return true;
}

int kcatch_module_list_read(const char *release, const char *list, kcatch_module_visit *visit,
			    void *arg)
{
	char path[PATH_MAX], name[KCATCH_MODULE_NAME_MAX];
	char *line = NULL;
	size_t size = 0;
	FILE *file;
	int ret = 0;

	snprintf(path, sizeof(path), "/lib/modules/%s/%s", release, list);
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (!ret && getline(&line, &size, file) > 0) {
		size_t length = strcspn(line, ":\n");

		if (!name_in(line, length, name, sizeof(name)))
			continue;
		line[length] = '\0';
		ret = visit(name, line, arg);
	}
	free(line);
	fclose(file);
	return ret;
}

struct wanted {
	const char *name;
	char *path;
	size_t room;
};

static int look_for(const char *name, const char *path, void *arg)
{
	const struct wanted *wanted = arg;

	return !strcmp(name, wanted->name) &&
	       (size_t)snprintf(wanted->path, wanted->room, "%s", path) < wanted->room;
}

bool kcatch_module_file(const char *release, const char *name, char *path, size_t room)
{
	struct wanted wanted = { name, path, room };

	return kcatch_module_list_read(release, "modules.dep", look_for, &wanted) == 1;
}

static int is_named(const char *name, const char *path, void *arg)
{
	(void)path;
	return !strcmp(name, arg);
}

bool kcatch_module_is_builtin(const char *name)
{
	struct utsname uts;

	return !uname(&uts) &&
	       kcatch_module_list_read(uts.release, "modules.builtin", is_named, (void *)name);
}

bool kcatch_module_file_installed(const char *name, char *path, size_t room)
{
	char file[PATH_MAX / 2];
	struct utsname uts;
	int length;

	path[0] = '\0';
	if (uname(&uts) || !kcatch_module_file(uts.release, name, file, sizeof(file)))
		return false;
	length = file[0] == '/' ? snprintf(path, room, "%s", file) :
				  snprintf(path, room, "/lib/modules/%s/%s", uts.release, file);
	/* The file may have been removed since depmod made the list. */
	if ((size_t)length >= room || access(path, F_OK))
		path[0] = '\0';
	return path[0];
}

/* Find DIRECTORY/NAME.ko; the file's name may have - in place of any _. */
static bool find_in(const char *directory, const char *module, char *path, size_t room)
{
	DIR *stream = opendir(directory);
	size_t length = strlen(module), i;
	struct dirent *entry;
	bool found = false;

	while (stream && !found && (entry = readdir(stream))) {
		const char *name = entry->d_name;

		if (strncmp(name + strnlen(name, length), ".ko", 4))
			continue;
		for (i = 0; i < length && module[i] == (name[i] == '-' ? '_' : name[i]); i++)
			;
		found = i == length &&
			(size_t)snprintf(path, room, "%s/%s", directory, name) < room;
	}
	if (stream)
		closedir(stream);
	return found;
}

static bool is_ours(int file, mode_t kind)
{
	struct stat status;

	return file >= 0 && !fstat(file, &status) && (status.st_mode & S_IFMT) == kind &&
	       (!status.st_uid || status.st_uid == geteuid());
}

static int open_file(const char *path, int flags)
{
	int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags);

	return file < 0 ? -errno : file;
}

/* What the link in the current directory points to, if the link itself is ours. */
static int open_linked(const char *path)
{
	int link = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC), file = -ENOENT;
	char target[PATH_MAX];
	ssize_t length = -1;

	if (is_ours(link, S_IFLNK))
		length = readlinkat(link, "", target, sizeof(target) - 1);
	if (length > 0) {
		target[length] = '\0';
		file = open_file(target, 0);
	}
	if (link >= 0)
		close(link);
	return file;
}

/* The name may be another file a moment later: what is open is checked, and read. */
static int open_own(const char *path)
{
	int file = open_file(path, O_NOFOLLOW);

	if (file == -ELOOP)
		file = open_linked(path);
	if (file < 0 || is_ours(file, S_IFREG))
		return file;
	close(file);
	return -ENOENT;
}

int kcatch_module_file_open(const char *module, char *path, size_t room)
{
	const char *at = getenv("KCATCH_DEBUG_PATH");

	if (kcatch_module_file_installed(module, path, room))
		return open_file(path, 0);
	while (at && *at) {
		size_t length = strcspn(at, ":");
		char *directory = strndup(at, length);
		bool found = directory && length && find_in(directory, module, path, room);

		free(directory);
		if (found)
			return open_file(path, 0);
		at += length + (at[length] == ':');
	}
	/* In /tmp anybody may have put one. */
	return find_in(".", module, path, room) ? open_own(path) : -ENOENT;
}
