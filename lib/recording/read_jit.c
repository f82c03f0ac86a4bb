/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * read_jit.c - reads the names of code that programs made at run time, as a recording has them
 *
 * The files were the programs' own: they may hold anything.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "debuginfo/user_stack.h"
#include "recording/recorder.h"
#include "recording/recording.h"

/* A recorder copies no more, but a piece may have older copies. */
#define BYTES_MAX (1ULL << 30)

static bool is_map(const char *name, uint32_t *pid, uint32_t *number)
{
	char again[48];

	if (sscanf(name, KCATCH_RECORDING_JIT "-%u-%u.map", pid, number) != 2)
		return false;
	snprintf(again, sizeof(again), KCATCH_RECORDING_JIT "-%u-%u.map", *pid, *number);
	return !strcmp(name, again);
}

static int add_map(struct kcatch_session *session, const char *name, uint32_t pid, uint32_t number)
{
	const int flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC;
	struct kcatch_recording *recording = session->own;
	int fd = openat(recording->side, name, flags), ret = 0;
	struct stat status;

	if (fd < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode) ||
	    recording->jit_bytes + (uint64_t)status.st_size > BYTES_MAX) {
		kcatch_recording_note(session, "%s cannot be read: code has no names", name);
	} else {
		recording->jit_bytes += (uint64_t)status.st_size;
		ret = kcatch_session_user_stacks(session);
		if (!ret)
			ret = kcatch_user_stacks_add_map(session->user_stacks, pid, fd, number);
	}
	if (fd >= 0)
		close(fd);
	return ret;
}

int kcatch_recording_read_jit(struct kcatch_session *session)
{
	const struct kcatch_recording *recording = session->own;
	int fd = openat(recording->side, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;
	DIR *files = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	uint32_t pid, number;

	if (!files && fd >= 0)
		close(fd);
	while (!ret && files && (entry = readdir(files)))
		if (is_map(entry->d_name, &pid, &number))
			ret = add_map(session, entry->d_name, pid, number);
	if (files)
		closedir(files);
	return ret;
}
