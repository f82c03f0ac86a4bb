/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * user_files.c - gives libdw the files that a process has mapped
 *
 * If the kernel permits it, the mapped file itself is opened (map_files), even if it was
 * replaced since. Otherwise the file that the process sees under that name is opened, perhaps
 * in a container. Nothing is fetched from a network, and no path that a file names is opened:
 * whoever runs a program chooses what is in its files.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "debuginfo/user_files.h"

/* Root's own directory. */
#define DEBUG "/usr/lib/debug/"
/* Of other sizes libdw looks for no file by build ID. */
#define BUILD_ID_LEAST 3
#define BUILD_ID_MOST 64

/* To open a device or a pipe would do things. What has the name may be exchanged at any time. */
static int open_regular(const char *path)
{
	int named = open(path, O_PATH | O_CLOEXEC), fd = -1;
	struct stat status;
	char found[32];

	if (named < 0)
		return -1;
	if (!fstat(named, &status) && S_ISREG(status.st_mode)) {
		snprintf(found, sizeof(found), "/proc/self/fd/%d", named);
		fd = open(found, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	}
	close(named);
	return fd;
}

/* The mapping that starts at @base. */
static int open_mapped(uint32_t pid, uint64_t base)
{
	char path[64 + NAME_MAX];
	struct dirent *entry;
	DIR *directory;
	int fd = -1;

	snprintf(path, sizeof(path), "/proc/%u/map_files", pid);
	directory = opendir(path);
	if (!directory)
		return -1;
	while ((entry = readdir(directory))) {
		if (entry->d_name[0] == '.' || strtoull(entry->d_name, NULL, 16) != base)
			continue;
		snprintf(path, sizeof(path), "/proc/%u/map_files/%s", pid, entry->d_name);
		fd = open_regular(path);
		break;
	}
	closedir(directory);
	return fd;
}

static int find_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		    char **path, Elf **elf)
{
	struct kcatch_user_files *files = *data;
	char inside[PATH_MAX + 32];
	int fd;

	*elf = NULL;
	*path = NULL;
	if (name[0] != '/')	/* the vDSO and the like */
		return files->dw->proc_find_elf(module, data, name, base, path, elf);
	fd = open_mapped(files->pid, base);
	if (fd < 0) {
		snprintf(inside, sizeof(inside), "/proc/%u/root%s", files->pid, name);
		fd = open_regular(inside);
	}
	if (fd < 0 && files->here)
		fd = open_regular(name);
	if (fd < 0)
		return -1;
	*path = strdup(name);
	if (!*path) {
		close(fd);
		return -1;
	}
	return fd;
}

/* find_elf() finds us by this. */
static int visit_module(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			void *arg)
{
	struct kcatch_user_files *files = arg;

	(void)module;
	(void)name;
	(void)base;
	*data = files;
	files->nr++;
	return DWARF_CB_OK;
}

static bool has_build_id_file(const uint8_t *id, size_t size)
{
	char path[sizeof(DEBUG) + 2 * BUILD_ID_MOST + 32];
	size_t length, i;
	int fd;

	if (size < BUILD_ID_LEAST || size > BUILD_ID_MOST)
		return false;
	length = (size_t)snprintf(path, sizeof(path), DEBUG ".build-id/%02x/", id[0]);
	for (i = 1; i < size; i++)
		length += (size_t)snprintf(path + length, sizeof(path) - length, "%02x", id[i]);
	snprintf(path + length, sizeof(path) - length, ".debug");
	fd = open_regular(path);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/*
 * DWARF may refer to strings and DIEs of another file (dwz makes such files). When it meets the
 * first one, libdw opens that file: by its build ID in /usr/lib/debug, or else whatever path
 * DWARF names.
 */
static bool alternate_is_safe(const struct kcatch_libdw *dw, Dwarf *dwarf)
{
	const char *name;
	const void *id;
	ssize_t size = dw->debugaltlink(dwarf, &name, &id);

	if (size <= 0)	/* then libdw opens none */
		return true;
	if (!strncmp(name, DEBUG, strlen(DEBUG)) && !strstr(name, "/../"))
		return true;
	return has_build_id_file(id, (size_t)size);
}

Dwarf *kcatch_user_files_dwarf(const struct kcatch_user_files *files, Dwfl_Module *module,
			       Dwarf_Addr *bias)
{
	Dwarf *dwarf = files->dw->module_dwarf(module, bias);

	return dwarf && alternate_is_safe(files->dw, dwarf) ? dwarf : NULL;
}

static bool sees_our_files(uint32_t pid)
{
	struct stat theirs, ours;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/root", pid);
	if (stat(path, &theirs) || stat("/", &ours) || theirs.st_dev != ours.st_dev ||
	    theirs.st_ino != ours.st_ino)
		return false;
	snprintf(path, sizeof(path), "/proc/%u/ns/mnt", pid);
	return !stat(path, &theirs) && !stat("/proc/self/ns/mnt", &ours) &&
	       theirs.st_ino == ours.st_ino;
}

static int load(struct kcatch_user_files *files)
{
	const struct kcatch_libdw *dw = files->dw;
	int ret;

	files->callbacks.find_elf = find_elf;
	files->callbacks.find_debuginfo = dw->find_debuginfo;
	files->here = sees_our_files(files->pid);
	files->dwfl = dw->begin(&files->callbacks);
	if (!files->dwfl)
		return -ENOMEM;
	ret = dw->proc_report(files->dwfl, (pid_t)files->pid);
	if (ret)
		return ret == ENOENT ? -ESRCH : ret > 0 ? -ret : -EIO;
	if (dw->report_end(files->dwfl, NULL, NULL))
		return -EIO;
	dw->getmodules(files->dwfl, visit_module, files, 0);
	return files->nr ? 0 : -ESRCH;	/* a zombie has none */
}

int kcatch_user_files_create(const struct kcatch_libdw *dw, uint32_t pid,
			     struct kcatch_user_files **files)
{
	struct kcatch_user_files *new = calloc(1, sizeof(*new));
	int ret;

	if (!new)
		return -ENOMEM;
	new->dw = dw;
	new->pid = pid;
	ret = load(new);
	if (ret) {
		kcatch_user_files_destroy(new);
		return ret;
	}
	*files = new;
	return 0;
}

void kcatch_user_files_destroy(struct kcatch_user_files *files)
{
	if (!files)
		return;
	if (files->dwfl)
		files->dw->end(files->dwfl);
	free(files);
}
