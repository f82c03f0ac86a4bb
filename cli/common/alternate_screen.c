/* SPDX-License-Identifier: GPL-2.0-or-later */
/* alternate_screen.c - the terminal's second screen, for pictures that are drawn again and again */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "alternate_screen.h"
#include "command.h"

static bool on, is_changed;
static struct termios before;

bool alternate_screen_is_there(void)
{
	const char *term = getenv("TERM");
	pid_t job;

	if (!isatty(STDOUT_FILENO) || (term && !strcmp(term, "dumb")))
		return false;
	/* Where no jobs are controlled, as under su -c, it is nobody else's: -1. */
	job = tcgetpgrp(STDOUT_FILENO);
	return job < 0 || job == getpgrp();
}

/*
 * ^Z and ^\ would leave this screen to the shell, without a cursor. A process in the background,
 * to which no key gets, would be stopped for the change.
 */
static void disable_keys(void)
{
	struct termios modes;

	if (tcgetpgrp(STDOUT_FILENO) != getpgrp() || tcgetattr(STDOUT_FILENO, &before))
		return;
	modes = before;
	modes.c_cc[VSUSP] = modes.c_cc[VQUIT] = _POSIX_VDISABLE;
	is_changed = !tcsetattr(STDOUT_FILENO, TCSADRAIN, &modes);
}

void alternate_screen_leave(void)
{
	if (!on)
		return;
	on = false;
	fputs("\x1b[?25h\x1b[?1049l", stdout);
	fflush(stdout);
	/* (It may have been put into the background.) */
	if (is_changed && tcgetpgrp(STDOUT_FILENO) == getpgrp())
		tcsetattr(STDOUT_FILENO, TCSADRAIN, &before);
	is_changed = false;
	messages_release();
}

void alternate_screen_enter(void)
{
	on = true;
	atexit(alternate_screen_leave);
	messages_hold();
	disable_keys();
	fputs("\x1b[?1049h\x1b[?25l", stdout);
}
