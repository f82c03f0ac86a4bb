/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stdout.h - standard output, with its errors never lost */
#ifndef RENDER_STDOUT_H
#define RENDER_STDOUT_H

#include <stdbool.h>

/**
 * stdout_flush - write what is buffered
 *
 * Says on stderr what went wrong, once.
 *
 * Return: whether all could be written so far.
 */
bool stdout_flush(void);

/**
 * stdout_close - write the rest and close; the disk may be full only now
 *
 * Return: whether all was written.
 */
bool stdout_close(void);

/**
 * stdout_has_colours - a terminal, and nobody objects
 *
 * Return: whether to colour what goes to standard output.
 */
bool stdout_has_colours(void);

/**
 * stdout_width - columns of the terminal that standard output is
 *
 * Return: how many, at least 60; 0: it is no terminal, and lines may be long.
 */
unsigned int stdout_width(void);

#endif
