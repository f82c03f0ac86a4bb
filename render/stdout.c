/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stdout.c - standard output: write errors are remembered and reported once */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "message.h"
#include "stdout.h"

static bool failed;

static void fail(int error)
{
	if (failed)
		return;
	failed = true;
	if (error == EPIPE)
		say("cannot write: whoever reads the output has gone (%s)", strerror(error));
	else
		say("cannot write to standard output: %s", strerror(error ? error : EIO));
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

bool stdout_close(void)
{
	stdout_flush();
	errno = 0;
	/* A network file system may report a write error only at the close. */
	if (fclose(stdout) && !failed)
		fail(errno);
	return !failed;
}

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
