/* SPDX-License-Identifier: GPL-2.0-or-later */
/* interrupt.h - Ctrl-C ends a catch, it does not kill it */
#ifndef CLI_COMMON_INTERRUPT_H
#define CLI_COMMON_INTERRUPT_H

#include <stdbool.h>

/**
 * signals_init - catch SIGINT, SIGTERM and SIGHUP from now on
 *
 * The first one is noted; the second ends the program at once, for whoever
 * reads our output may have stopped to. May be called again.
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
