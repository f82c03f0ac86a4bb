/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorder_output.c - creates, appends to and closes a recording's files, with error texts
 *
 * No link is followed. The directories belong to the recorder's user, and nobody else can write
 * to them: recorder_directory.c has checked that.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "base/printable.h"
#include "recording/recorder.h"

#define OPEN_FLAGS (O_WRONLY | O_NOFOLLOW | O_CLOEXEC)

static FILE *open_stream(int fd, const char *mode)
{
	FILE *file = fd < 0 ? NULL : fdopen(fd, mode);

	if (fd >= 0 && !file)
		close(fd);
	return file;
}

FILE *kcatch_recorder_file(int directory, const char *name)
{
	return open_stream(openat(directory, name, OPEN_FLAGS | O_CREAT | O_EXCL, 0600), "w");
}

FILE *kcatch_recorder_append_file(int directory, const char *name)
{
	const int flags = OPEN_FLAGS | O_APPEND;
	int fd = openat(directory, name, flags | O_CREAT | O_EXCL, 0600);

	if (fd < 0 && errno == EEXIST)
		fd = openat(directory, name, flags);
	return open_stream(fd, "a");
}

int kcatch_recorder_fail_file(const struct kcatch_recorder *recorder, const char *name, int error)
{
	return kcatch_error_set(error, "cannot write %s of %s: %s", name, SHOWN(recorder->path),
				strerror(error));
}

int kcatch_recorder_check_file(const struct kcatch_recorder *recorder, FILE *file, const char *name)
{
	errno = 0;
	if (!fflush(file) && !ferror(file))
		return 0;
	return kcatch_recorder_fail_file(recorder, name, errno ? errno : EIO);
}

int kcatch_recorder_close_file(const struct kcatch_recorder *recorder, FILE *file, const char *name)
{
	int ret = kcatch_recorder_check_file(recorder, file, name);

	if (fclose(file) && !ret)
		ret = kcatch_recorder_fail_file(recorder, name, errno);
	return ret;
}
