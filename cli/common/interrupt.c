/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interrupt.c - Ctrl-C ends a catch in order instead of killing kcatch
 *
 * The handler writes to a pipe, and poll() waits for that pipe too. So a signal that comes
 * between the test of the flag and the poll() still ends the poll().
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "interrupt.h"

/*
 * timeout(1) sends its signal to the command and then to the group that the command is in;
 * a terminal's signal may be passed on by a parent as well. What comes so soon after the
 * first signal is the same request, in nanoseconds.
 */
#define SAME_REQUEST 1000000000LL

static volatile sig_atomic_t came;
static struct timespec first;	/* CLOCK_MONOTONIC; valid once came is set */
static int wake = -1, woken = -1;	/* ends of the pipe */

static bool same_request(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - first.tv_sec) * 1000000000LL + now.tv_nsec - first.tv_nsec <
	       SAME_REQUEST;
}

static void on_signal(int number)
{
	int error = errno;

	if (!came) {
		clock_gettime(CLOCK_MONOTONIC, &first);
	} else if (!same_request()) {
		signal(number, SIG_DFL);
		raise(number);
	}
	came = 1;
	if (write(wake, "", 1) < 0)
		came = 1;	/* the pipe is full: the reader has been woken */
	errno = error;
}

int signals_init(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action, old;
	int ends[2];
	size_t i;

	if (woken >= 0)
		return woken;
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		return -errno;
	wake = ends[1];
	woken = ends[0];
	memset(&action, 0, sizeof(action));
	action.sa_handler = on_signal;
	action.sa_flags = SA_RESTART;
	/* One at a time: the handler reads what it has set. */
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaddset(&action.sa_mask, numbers[i]);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		/* nohup(1) ignores SIGHUP: keep that. */
		if (numbers[i] == SIGHUP && !sigaction(SIGHUP, NULL, &old) &&
		    old.sa_handler == SIG_IGN)
			continue;
		sigaction(numbers[i], &action, NULL);
	}
	return woken;
}

bool signals_came(void)
{
	return came;
}

void signals_begin_anew(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction old;
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (!sigaction(numbers[i], NULL, &old) && old.sa_handler == on_signal)
			signal(numbers[i], SIG_DFL);
	}
	close(wake);
	close(woken);
	wake = woken = -1;
	came = 0;
}
