/* SPDX-License-Identifier: GPL-2.0-or-later */
/* alternate_screen.c - the terminal's second screen, for pictures that are drawn again and again */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "alternate_screen.h"
#include "command.h"

static bool on;

void alternate_screen_leave(void)
{
	if (!on)
		return;
	on = false;
	fputs("\x1b[?25h\x1b[?1049l", stdout);
	fflush(stdout);
	messages_release();
}

void alternate_screen_enter(void)
{
	on = true;
	atexit(alternate_screen_leave);
	messages_hold();
	fputs("\x1b[?1049h\x1b[?25l", stdout);
}
