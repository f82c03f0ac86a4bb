/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * user_files.c - gives libdw the files that a process has mapped
 *
 * If the kernel permits it, the mapped file itself is opened (map_files), even if it was
 * replaced since. Otherwise the file that the process sees under that name is opened, perhaps
 * in a container. Of mappings that the kernel recorded, a file of that name is opened which has
 * the build ID that was recorded with it: the process may have ended long ago. No path that a file
 * names is opened: whoever runs a program chooses what is in its files. For a recording a server is
 * asked by build ID for what is not here, if the environment names one (debuginfod).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "debuginfo/debuginfod.h"
#include "debuginfo/user_files.h"
#include "debuginfo/user_maps.h"

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

/* ---- recorded mappings -------------------------------------------------------------- */

static bool has_id(const struct kcatch_libdw *dw, Elf *elf, const void *wanted, size_t length)
{
	const void *id;
	ssize_t size = elf ? dw->elf_build_id(elf, &id) : -1;

	return size > 0 && (size_t)size == length && !memcmp(id, wanted, length);
}

static bool file_has_id(const struct kcatch_libdw *dw, int fd, const void *wanted, size_t length)
{
	Elf *elf = dw->elf_begin(fd, ELF_C_READ_MMAP, NULL);
	bool same = has_id(dw, elf, wanted, length);

	dw->elf_end(elf);
	return same;
}

/* From a server, if the environment names one. It may answer anything. */
static int fetch(const struct kcatch_libdw *dw, bool debug, const void *id, size_t size)
{
	int fd = kcatch_debuginfod_fetch(debug, id, size);

	if (fd >= 0 && !file_has_id(dw, fd, id, size)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool is_mapped_file(const struct kcatch_libdw *dw, int fd, const struct kcatch_user_map *map)
{
	struct stat status;

	if (!map->id_size)
		return !fstat(fd, &status) && status.st_ino == map->inode;
	return file_has_id(dw, fd, map->id, map->id_size);
}

static int open_same(const struct kcatch_user_files *files, const char *path,
		     const struct kcatch_user_map *map)
{
	int fd = open_regular(path);

	if (fd >= 0 && !is_mapped_file(files->dw, fd, map)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* The vDSO is the kernel's: under the same one, this process has the same. */
static Elf *own_vdso(const struct kcatch_libdw *dw, const struct kcatch_user_map *map)
{
	char *image = (char *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)image;
	Elf *elf;

	if (!image || head->e_ident[EI_CLASS] != ELFCLASS64)
		return NULL;
	/* Its sections' headers are its end. */
	elf = dw->elf_memory(image, head->e_shoff + (size_t)head->e_shnum * head->e_shentsize);
	if (elf && !has_id(dw, elf, map->id, map->id_size)) {
		dw->elf_end(elf);
		elf = NULL;
	}
	return elf;
}

/* Of a 32-bit process; also that of a kernel that runs no more. Some packages have it as a file. */
static int open_vdso(const struct kcatch_user_files *files, const struct kcatch_user_map *map)
{
	static const char *const names[] = { "vdso32.so", "vdso64.so" };
	char path[sizeof(struct utsname) + 64];
	struct utsname kernel;
	size_t i;
	int fd = -1;

	if (!map->id_size || uname(&kernel))
		return -1;
	for (i = 0; fd < 0 && i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "/usr/lib/modules/%s/vdso/%s", kernel.release,
			 names[i]);
		fd = open_same(files, path, map);
	}
	return fd;
}

const struct kcatch_user_map *kcatch_user_files_map(const struct kcatch_user_files *files,
						    uint64_t start)
{
	const struct kcatch_user_map *map;
	uint32_t at = 0;

	while (files->maps && (map = kcatch_user_maps_next(files->maps, &at)))
		if (map->start == start)
			return map;
	return NULL;
}

static int find_mapped(const struct kcatch_user_files *files, const char *name, uint64_t base,
		       Elf **elf)
{
	const struct kcatch_user_map *map = kcatch_user_files_map(files, base);
	char inside[PATH_MAX + 32];
	int fd = -1;

	/* libdw takes the begin of a module for that of its file. */
	if (!map || map->offset)
		return -1;
	if (name[0] != '/') {
		*elf = strcmp(name, "[vdso]") ? NULL : own_vdso(files->dw, map);
		return *elf || strcmp(name, "[vdso]") ? -1 : open_vdso(files, map);
	}
	if (files->pid) {
		snprintf(inside, sizeof(inside), "/proc/%u/root%s", files->pid, name);
		fd = open_same(files, inside, map);
	}
	if (fd < 0)
		fd = open_same(files, name, map);
	if (fd < 0 && files->ask && map->id_size)
		fd = fetch(files->dw, false, map->id, map->id_size);
	return fd;
}

const struct stat *kcatch_user_files_status(const struct kcatch_user_files *files, uint64_t start)
{
	uint32_t i;

	for (i = 0; i < files->nr_opened; i++)
		if (files->opened[i].start == start)
			return &files->opened[i].status;
	return NULL;
}

/* Without memory it is not noted. */
static void note_opened(struct kcatch_user_files *files, uint64_t start, int fd)
{
	struct kcatch_user_file *more = realloc(files->opened,
						(files->nr_opened + 1) * sizeof(*more));

	if (!more)
		return;
	files->opened = more;
	more[files->nr_opened].start = start;
	if (!fstat(fd, &more[files->nr_opened].status))
		files->nr_opened++;
}

static int find_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		    char **path, Elf **elf)
{
	struct kcatch_user_files *files = *data;
	char inside[PATH_MAX + 32];
	int fd;

	*elf = NULL;
	*path = NULL;
	if (files->maps) {
		fd = find_mapped(files, name, base, elf);
	} else if (name[0] != '/') { /* the vDSO and the like */
		return files->dw->proc_find_elf(module, data, name, base, path, elf);
	} else {
		fd = open_mapped(files->pid, base);
		if (fd < 0) {
			snprintf(inside, sizeof(inside), "/proc/%u/root%s", files->pid, name);
			fd = open_regular(inside);
		}
		if (fd < 0 && files->here)
			fd = open_regular(name);
	}
	if (fd < 0)
		return -1;
	*path = strdup(name);
	if (!*path) {
		close(fd);
		return -1;
	}
	note_opened(files, base, fd);
	return fd;
}

/* Separate debug information. Without @name it is the file that DWARF refers to (dwz). */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *module_name,
			  Dwarf_Addr base, const char *name, const char *link, GElf_Word crc,
			  char **path)
{
	struct kcatch_user_files *files = *data;
	const unsigned char *id;
	GElf_Addr at;
	int size, fd = files->dw->find_debuginfo(module, data, module_name, base, name, link, crc,
						 path);

	if (fd >= 0 || !name || !files->ask)
		return fd;
	size = files->dw->module_build_id(module, &id, &at);
	return size > 0 ? fetch(files->dw, true, id, (size_t)size) : -1;
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

/* That of the first file that can be read: a process has one kind. */
static int visit_class(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		       void *arg)
{
	struct kcatch_user_files *files = arg;
	GElf_Addr bias;
	Elf *elf = files->dw->module_elf(module, &bias);

	(void)data;
	(void)name;
	(void)base;
	if (elf)
		files->elf_class = files->dw->elf_class(elf);
	return elf ? DWARF_CB_ABORT : DWARF_CB_OK;
}

static void find_class(struct kcatch_user_files *files)
{
	files->dw->getmodules(files->dwfl, visit_class, files, 0);
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

static int load_maps(struct kcatch_user_files *files)
{
	const struct kcatch_libdw *dw = files->dw;
	const struct kcatch_user_map *map;
	char path[UINT16_MAX + 1];
	uint32_t at = 0;

	dw->report_begin_add(files->dwfl);
	while ((map = kcatch_user_maps_next(files->maps, &at))) {
		memcpy(path, map->path, map->path_size);
		path[map->path_size] = '\0';
		/* One that overlaps another is not added. */
		dw->report_module(files->dwfl, path, map->start, map->end);
	}
	if (dw->report_end(files->dwfl, NULL, NULL))
		return -EIO;
	dw->getmodules(files->dwfl, visit_module, files, 0);
	find_class(files);
	return 0;
}

static int load(struct kcatch_user_files *files)
{
	const struct kcatch_libdw *dw = files->dw;
	int ret;

	files->callbacks.find_elf = find_elf;
	files->callbacks.find_debuginfo = find_debuginfo;
	files->dwfl = dw->begin(&files->callbacks);
	if (!files->dwfl)
		return -ENOMEM;
	if (files->maps)
		return load_maps(files);
	files->here = sees_our_files(files->pid);
	ret = dw->proc_report(files->dwfl, (pid_t)files->pid);
	if (ret)
		return ret == ENOENT ? -ESRCH : ret > 0 ? -ret : -EIO;
	if (dw->report_end(files->dwfl, NULL, NULL))
		return -EIO;
	dw->getmodules(files->dwfl, visit_module, files, 0);
	find_class(files);
	return files->nr ? 0 : -ESRCH;	/* a zombie has none */
}

static int create(const struct kcatch_libdw *dw, const struct kcatch_user_maps *maps, uint32_t pid,
		  bool ask, struct kcatch_user_files **files)
{
	struct kcatch_user_files *new = calloc(1, sizeof(*new));
	int ret;

	if (!new)
		return -ENOMEM;
	new->dw = dw;
	new->pid = pid;
	new->ask = ask;
	new->maps = maps ? malloc(maps->size) : NULL;
	if (new->maps)
		memcpy(new->maps, maps, maps->size);
	ret = maps && !new->maps ? -ENOMEM : load(new);
	if (ret) {
		kcatch_user_files_destroy(new);
		return ret;
	}
	*files = new;
	return 0;
}

int kcatch_user_files_create(const struct kcatch_libdw *dw, uint32_t pid,
			     struct kcatch_user_files **files)
{
	return create(dw, NULL, pid, false, files);
}

int kcatch_user_files_of_maps(const struct kcatch_libdw *dw, const struct kcatch_user_maps *maps,
			      uint32_t pid, bool ask, struct kcatch_user_files **files)
{
	return create(dw, maps, pid, ask, files);
}

void kcatch_user_files_destroy(struct kcatch_user_files *files)
{
	if (!files)
		return;
	if (files->dwfl)
		files->dw->end(files->dwfl);
	free(files->opened);
	free(files->maps);
	free(files);
}
