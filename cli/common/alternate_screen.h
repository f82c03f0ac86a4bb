/* SPDX-License-Identifier: GPL-2.0-or-later */
/* alternate_screen.h - the terminal's second screen, for pictures that are drawn again and again */
#ifndef CLI_COMMON_ALTERNATE_SCREEN_H
#define CLI_COMMON_ALTERNATE_SCREEN_H

#include <stdbool.h>

/**
 * alternate_screen_is_there - may pictures be drawn on standard output?
 *
 * Return: whether it is a terminal which this process has, and not another job, and which is not
 * the "dumb" one of TERM.
 */
bool alternate_screen_is_there(void);

/**
 * alternate_screen_enter - show the terminal's second screen, without a cursor
 *
 * Standard output is a terminal; its keys ^Z and ^\ do nothing meanwhile. Messages are kept until
 * alternate_screen_leave(), which exit() calls at the latest: what is on the second screen vanishes
 * with it.
 */
void alternate_screen_enter(void);

/** alternate_screen_leave - show the first screen again, and the messages; else do nothing */
void alternate_screen_leave(void);

#endif
