/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stdout.c - standard output, or a file in its place: the first error is kept and reported once
 *
 * stdio forgets why a write failed, unless it is asked at once. So standard output is a stream
 * whose writes are ours. A file is written beside the one that it replaces, and takes its place
 * when it is complete: a full disk leaves the old one as it was.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "stdout.h"

static bool failed;
static bool ends_unread;	/* without a word, when nobody reads: SIGPIPE is not ignored */
static bool unread;		/* nobody reads standard output any more */
static int first_error;		/* of our writes; 0: none */
static char *file;		/* in place of standard output; NULL: none */
static char *beside;		/* what becomes @file when it is complete; NULL: @file is written */
static bool complete;

static void fail(int error)
{
	if (failed)
		return;
	failed = true;
	error = first_error ? first_error : error ? error : EIO;
	if (file)
		say("cannot write %s: %s", quoted(file), strerror(error));
	else if (error == EPIPE && ends_unread)
		unread = true;
	else if (error == EPIPE)
		say("cannot write: the reader of the output has gone (%s)", strerror(error));
	else
		say("cannot write to standard output: %s", strerror(error));
}

/* ---- the stream ------------------------------------------------------------------------- */

static ssize_t take(void *cookie, const char *bytes, size_t size)
{
	size_t done = 0;
	ssize_t put;

	(void)cookie;
	while (done < size) {
		put = write(STDOUT_FILENO, bytes + done, size - done);
		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0) {
			first_error = first_error ? first_error : errno;
			return 0;
		}
		done += (size_t)put;
	}
	return (ssize_t)done;
}

static int end(void *cookie)
{
	(void)cookie;
	if (!close(STDOUT_FILENO))
		return 0;
	first_error = first_error ? first_error : errno;
	return -1;
}

void stdout_begin(void)
{
	FILE *ours = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = take, .close = end });

	/* A write fails then, and what is left to do is done. */
	ends_unread = signal(SIGPIPE, SIG_IGN) != SIG_IGN;
	if (!ours)	/* without memory errors have no names */
		return;
	setvbuf(ours, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
	stdout = ours;
}

void stdout_check(void)
{
	if (ferror(stdout))
		fail(errno);
}

bool stdout_flush(void)
{
	if (failed)
		return false;
	errno = 0;
	if (fflush(stdout) || ferror(stdout))
		fail(errno);
	return !failed;
}

/* ---- a file in its place ------------------------------------------------------------------ */

/* A new file is as private as a recording: only its owner can read it. */
static int open_itself(const char *path)
{
	return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

/* The file beside @file, with owner and mode of the one that is there. Return: as open(). */
static int open_beside(const struct stat *old)
{
	char *copy = strdup(file);
	int fd = -1;

	if (!copy || asprintf(&beside, "%s/.kcatch-XXXXXX", dirname(copy)) < 0)
		beside = NULL;
	free(copy);
	if (!beside) {
		errno = ENOMEM;
		return -1;
	}
	fd = mkostemp(beside, O_CLOEXEC);
	if (fd >= 0 && old && ((fchown(fd, old->st_uid, old->st_gid) && errno != EPERM) ||
			       fchmod(fd, old->st_mode & 07777))) {
		unlink(beside);
		close(fd);
		fd = -1;
	}
	if (fd < 0) {
		free(beside);
		beside = NULL;
	}
	return fd;
}

bool stdout_to_file(const char *path)
{
	struct stat old;
	bool is_there = !stat(path, &old);
	int fd = -1;

	/* Where a link points to is replaced, and not the link. */
	file = is_there ? realpath(path, NULL) : strdup(path);
	if (!file) {
		fail(errno);
		return false;
	}
	if (!is_there || S_ISREG(old.st_mode)) {
		if (is_there && access(path, W_OK)) {
			fail(errno);
			return false;
		}
		fd = open_beside(is_there ? &old : NULL);
	}
	/* A pipe, a device, a file in a directory where no other one can be made. */
	if (fd < 0 && is_there && (!S_ISREG(old.st_mode) || errno == EACCES || errno == EPERM))
		fd = open_itself(path);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0) {
		fail(errno);
		if (beside)
			unlink(beside);
	}
	if (fd >= 0)
		close(fd);
	return !failed;
}

void stdout_complete(void)
{
	complete = true;
}

bool stdout_close(void)
{
	stdout_flush();
	errno = 0;
	/* A network file system may report a write error only at the close. */
	if (fclose(stdout) && !failed)
		fail(errno);
	if (beside && !failed && complete && rename(beside, file))
		fail(errno);
	if (beside && (failed || !complete))
		unlink(beside);
	return !failed;
}

void stdout_end_unread(void)
{
	if (!unread)
		return;
	signal(SIGPIPE, SIG_DFL);
	raise(SIGPIPE);
}

/* ---- the terminal ------------------------------------------------------------------------- */

bool stdout_has_colours(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_color && no_color[0]) &&
	       term && strcmp(term, "dumb") != 0;
}

unsigned int stdout_width(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return 0;
	return size.ws_col < 60 ? 60 : size.ws_col;
}
