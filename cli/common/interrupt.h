/* SPDX-License-Identifier: GPL-2.0-or-later */
/* interrupt.h - Ctrl-C ends a catch in order instead of killing kcatch */
#ifndef CLI_COMMON_INTERRUPT_H
#define CLI_COMMON_INTERRUPT_H

#include <stdbool.h>

/**
 * signals_init - handle SIGINT, SIGTERM and SIGHUP from now on
 *
 * The first signal sets a flag. One that comes more than a second later kills the program at
 * once, because it may be blocked writing to a reader that has stopped. An ignored SIGHUP
 * stays ignored. Later calls change nothing.
 *
 * Return: a descriptor, not to be closed, that is readable once a signal came; or -errno.
 */
int signals_init(void);

/**
 * signals_came - check whether a signal has asked the program to end
 *
 * Return: true after the first signal.
 */
bool signals_came(void);

/**
 * signals_begin_anew - in a child, behind fork(): no signal has come yet
 *
 * What runs there calls signals_init(), and gets a descriptor of its own.
 */
void signals_begin_anew(void);

#endif
