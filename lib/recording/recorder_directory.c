/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorder_directory.c - creates and checks a recording's directory, and removes it on failure
 *
 * All paths are relative to the descriptors of the parent directory, the recording's directory
 * and its side directory. A directory that others own or can write to is refused: they could
 * place links where files will be created. Only files that the recorder created are removed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "base/printable.h"
#include "recording/recorder.h"

#define OPEN_DIRECTORY (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

static DIR *list(int directory, const char *inner)
{
	int fd = openat(directory, inner, OPEN_DIRECTORY | O_NOFOLLOW);
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !entries)
		close(fd);
	return entries;
}

static bool is_empty(int directory)
{
	DIR *entries = list(directory, ".");
	struct dirent *entry;
	bool empty = true;

	if (!entries)
		return false;
	while (empty && (entry = readdir(entries)))
		empty = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
			!strcmp(entry->d_name, "lost+found");
	closedir(entries);
	return empty;
}

/* The directory that holds it, and its name there: "." is one, too. */
static int open_parent(struct kcatch_recorder *recorder)
{
	size_t length = strlen(recorder->path);
	char *slash;

	while (length > 1 && recorder->path[length - 1] == '/')
		recorder->path[--length] = '\0';
	slash = strrchr(recorder->path, '/');
	if (!length || !slash || !slash[1]) {
		recorder->name = recorder->path;
		recorder->parent = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	} else {
		recorder->name = slash + 1;
		*slash = '\0';
		recorder->parent = open(slash == recorder->path ? "/" : recorder->path,
					O_PATH | O_DIRECTORY | O_CLOEXEC);
		*slash = '/';
	}
	if (recorder->parent >= 0)
		return 0;
	return kcatch_error_set(errno, "cannot make the directory %s: %s%s", SHOWN(recorder->path),
				strerror(errno),
				errno == ENOENT ? " (make the one that is to hold it first)" : "");
}

/* Whose is a file that we make there? Not always ours: to NFS, root is nobody. */
static bool owns_what_we_make(const struct kcatch_recorder *recorder, uid_t owner)
{
	static const char name[] = ".kcatch-owner";
	int fd = openat(recorder->directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct stat status;
	bool owns;

	if (fd < 0)
		return false;
	owns = !fstat(fd, &status) && status.st_uid == owner;
	close(fd);
	unlinkat(recorder->directory, name, 0);
	return owns;
}

static int check(const struct kcatch_recorder *recorder)
{
	struct stat status;

	if (fstat(recorder->directory, &status))
		return kcatch_error_system(errno, "look at the recording's directory");
	/* One that we made is ours, unless somebody has put another one in its place since. */
	if (recorder->made && is_empty(recorder->directory) &&
	    (status.st_uid == geteuid() || owns_what_we_make(recorder, status.st_uid)))
		return 0;
	if (status.st_uid != geteuid())
		return kcatch_error_set(EPERM, "%s belongs to another user (%u), who could change "
					"the recording: name a directory that is not there yet",
					SHOWN(recorder->path), (unsigned int)status.st_uid);
	if (status.st_mode & 022)
		return kcatch_error_set(EPERM, "other users can write to %s: name a directory that "
					"is not there yet, or take that right away (chmod go-w)",
					SHOWN(recorder->path));
	if (!is_empty(recorder->directory))
		return kcatch_error_set(EEXIST, "%s is there and not empty: a recording needs a "
					"directory of its own", SHOWN(recorder->path));
	return 0;
}

static int open_side(struct kcatch_recorder *recorder)
{
	int ret;

	if (mkdirat(recorder->directory, KCATCH_RECORDING_SIDE, 0700))
		return kcatch_error_set(errno, "cannot write to %s: %s", SHOWN(recorder->path),
					strerror(errno));
	recorder->side = openat(recorder->directory, KCATCH_RECORDING_SIDE,
				OPEN_DIRECTORY | O_NOFOLLOW);
	if (recorder->side >= 0)
		return 0;
	ret = kcatch_error_system(errno, "open the recording's own directory");
	unlinkat(recorder->directory, KCATCH_RECORDING_SIDE, AT_REMOVEDIR);
	return ret;
}

/* What has been opened is what holds the pieces. */
static void begin_pieces(struct kcatch_recorder *recorder)
{
	struct kcatch_rotation *rotation = &recorder->rotation;

	rotation->parent = recorder->parent;
	rotation->name = recorder->name;
	rotation->made = recorder->made;
	recorder->parent = recorder->directory;
	recorder->directory = -1;
	recorder->made = false;
}

int kcatch_recorder_piece_open(struct kcatch_recorder *recorder)
{
	struct kcatch_rotation *rotation = &recorder->rotation;
	int ret;

	kcatch_piece_name(rotation->number, rotation->piece);
	recorder->name = rotation->piece;
	recorder->directory = recorder->side = -1;
	if (mkdirat(recorder->parent, recorder->name, 0700))
		return kcatch_error_set(errno, "cannot begin piece %u of %s: %s", rotation->number,
					SHOWN(recorder->path), strerror(errno));
	recorder->made = true;
	recorder->directory = openat(recorder->parent, recorder->name, OPEN_DIRECTORY | O_NOFOLLOW);
	ret = recorder->directory < 0 ?
		      kcatch_error_system(errno, "open a piece of the recording") :
		      open_side(recorder);
	if (!ret)
		return 0;
	if (recorder->directory >= 0)
		close(recorder->directory);
	recorder->directory = -1;
	recorder->made = false;
	unlinkat(recorder->parent, recorder->name, AT_REMOVEDIR);
	return ret;
}

int kcatch_recorder_piece_show(struct kcatch_recorder *recorder)
{
	const char *hidden = recorder->rotation.piece;

	if (renameat(recorder->parent, hidden, recorder->parent, hidden + 1))
		return kcatch_error_set(errno, "cannot begin piece %u of %s: %s",
					recorder->rotation.number, SHOWN(recorder->path),
					strerror(errno));
	recorder->name = hidden + 1;
	return 0;
}

int kcatch_recorder_directory_open(struct kcatch_recorder *recorder)
{
	int ret = open_parent(recorder);

	if (ret)
		return ret;
	recorder->made = !mkdirat(recorder->parent, recorder->name, 0700);
	if (!recorder->made && errno != EEXIST)
		return kcatch_error_set(errno, "cannot make the directory %s: %s",
					SHOWN(recorder->path), strerror(errno));
	/* One that was made a moment ago is no link, or somebody has put one there. */
	recorder->directory = openat(recorder->parent, recorder->name,
				     OPEN_DIRECTORY | (recorder->made ? O_NOFOLLOW : 0));
	if (recorder->directory < 0)
		return kcatch_error_set(errno, "cannot record to %s: %s", SHOWN(recorder->path),
					strerror(errno));
	ret = check(recorder);
	if (ret)
		return ret;
	if (!recorder->rotation.number)
		return open_side(recorder);
	begin_pieces(recorder);
	return kcatch_recorder_piece_open(recorder);
}

/* What recorder_files.c makes; the directory is ours alone. */
static void remove_side(const struct kcatch_recorder *recorder)
{
	static const char *const names[] = { "session.json", "plans.json", "probes.json", "symbols",
					     "modules", "cgroups", "counters", "counters.new",
					     "metadata.new",
					     KCATCH_RECORDING_CLOCK, KCATCH_RECORDER_RESERVE };
	DIR *types = list(recorder->side, "btf"), *all = list(recorder->side, ".");
	struct dirent *entry;
	size_t i;

	while (all && (entry = readdir(all))) {
		if (!strncmp(entry->d_name, KCATCH_RECORDING_JIT, strlen(KCATCH_RECORDING_JIT)))
			unlinkat(recorder->side, entry->d_name, 0);
	}
	if (all)
		closedir(all);
	while (types && (entry = readdir(types))) {
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			unlinkat(dirfd(types), entry->d_name, 0);
	}
	if (types)
		closedir(types);
	unlinkat(recorder->side, "btf", AT_REMOVEDIR);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlinkat(recorder->side, names[i], 0);
	unlinkat(recorder->directory, KCATCH_RECORDING_SIDE, AT_REMOVEDIR);
}

void kcatch_recorder_directory_remove(struct kcatch_recorder *recorder)
{
	uint32_t cpu;

	for (cpu = 0; recorder->cpus && cpu < recorder->session->info.nr_cpus; cpu++) {
		const char *hidden = recorder->cpus[cpu].stream.name;

		if (!recorder->cpus[cpu].made)
			continue;
		unlinkat(recorder->directory, hidden, 0);
		unlinkat(recorder->directory, hidden + 1, 0);
	}
	if (recorder->ctf.out)
		unlinkat(recorder->directory, "metadata", 0);
	if (recorder->side >= 0)
		remove_side(recorder);
	/* Not one that somebody put in its place: that is not empty, or it is nobody's loss. */
	if (recorder->made)
		unlinkat(recorder->parent, recorder->name, AT_REMOVEDIR);
	if (recorder->rotation.made)
		unlinkat(recorder->rotation.parent, recorder->rotation.name, AT_REMOVEDIR);
}

/* All files of a directory, but for directories. @bytes: those of the streams are added; or NULL */
static void remove_files(int at, const char *name, uint64_t *bytes)
{
	DIR *entries = list(at, name);
	struct dirent *entry;
	struct stat status;

	while (entries && (entry = readdir(entries))) {
		bool is_stream = !strncmp(entry->d_name, "cpu", 3) && bytes;
		uint64_t size = is_stream && !fstatat(dirfd(entries), entry->d_name, &status,
						      AT_SYMLINK_NOFOLLOW) ?
					(uint64_t)status.st_size :
					0;

		if (entry->d_type != DT_DIR && !unlinkat(dirfd(entries), entry->d_name, 0) && size)
			*bytes += size;
	}
	if (entries)
		closedir(entries);
}

void kcatch_recorder_piece_remove(int whole, const char *name, uint64_t *bytes)
{
	int piece = openat(whole, name, OPEN_DIRECTORY | O_NOFOLLOW);

	if (bytes)
		*bytes = 0;
	if (piece < 0)
		return;
	remove_files(piece, ".", bytes);
	remove_files(piece, KCATCH_RECORDING_SIDE "/btf", NULL);
	unlinkat(piece, KCATCH_RECORDING_SIDE "/btf", AT_REMOVEDIR);
	remove_files(piece, KCATCH_RECORDING_SIDE, NULL);
	unlinkat(piece, KCATCH_RECORDING_SIDE, AT_REMOVEDIR);
	close(piece);
	unlinkat(whole, name, AT_REMOVEDIR);
}

/* File systems without a disk refuse, and need none. */
static int sync_fd(int fd)
{
	if (!fsync(fd) || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP)
		return 0;
	return -errno;
}

/* All files of a directory, and the directory. */
static int sync_files(int at, const char *name)
{
	DIR *directory = list(at, name);
	struct dirent *entry;
	int ret = 0;

	if (!directory)
		return errno == ENOENT ? 0 : -errno;
	while (!ret && (entry = readdir(directory))) {
		int fd;

		if (entry->d_type == DT_DIR)
			continue;
		fd = openat(dirfd(directory), entry->d_name,
			    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			continue;
		ret = sync_fd(fd);
		close(fd);
	}
	if (!ret)
		ret = sync_fd(dirfd(directory));
	closedir(directory);
	return ret;
}

/* Its entry in the parent, if we may read that one. */
static int sync_parent(const struct kcatch_recorder *recorder)
{
	int fd = openat(recorder->parent, ".", OPEN_DIRECTORY), ret;

	if (fd < 0)
		return 0;
	ret = sync_fd(fd);
	close(fd);
	return ret;
}

int kcatch_recorder_directory_sync(const struct kcatch_recorder *recorder)
{
	int ret = sync_files(recorder->side, "btf");

	if (!ret)
		ret = sync_files(recorder->side, ".");
	if (!ret)
		ret = sync_files(recorder->directory, ".");
	if (!ret && recorder->made)
		ret = sync_parent(recorder);
	return ret ? kcatch_error_set(ret, "cannot write to %s: %s", SHOWN(recorder->path),
				      strerror(-ret)) :
		     0;
}

void kcatch_recorder_directory_close(struct kcatch_recorder *recorder)
{
	if (recorder->side >= 0)
		close(recorder->side);
	if (recorder->directory >= 0)
		close(recorder->directory);
	if (recorder->parent >= 0)
		close(recorder->parent);
	if (recorder->rotation.name && recorder->rotation.parent >= 0)
		close(recorder->rotation.parent);
	recorder->side = recorder->directory = recorder->parent = -1;
}

int kcatch_recorder_check_directory(const char *path, bool *made)
{
	struct kcatch_recorder recorder = { .path = strdup(path), .parent = -1, .directory = -1,
					    .side = -1 };
	int ret = recorder.path ? kcatch_recorder_directory_open(&recorder) : kcatch_error_memory();

	*made = !ret && recorder.made;
	/* Only what was made to see that it can be. */
	recorder.made = ret && recorder.made;
	kcatch_recorder_directory_remove(&recorder);
	kcatch_recorder_directory_close(&recorder);
	free(recorder.path);
	return ret;
}
