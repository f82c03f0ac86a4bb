/* SPDX-License-Identifier: GPL-2.0-or-later */
/* signals.h - Ctrl-C ends a catch, it does not kill it */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

/**
 * signals_init - catch SIGINT, SIGTERM and SIGHUP from now on
 *
 * The first one is noted; the second ends the program at once, for whoever
 * reads our output may have stopped to.
 *
 * Return: a descriptor that becomes readable when one came, -errno.
 */
int signals_init(void);

/**
 * signals_came - was the program asked to end
 *
 * Return: whether it was.
 */
bool signals_came(void);

#endif
