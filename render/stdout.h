/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stdout.h - standard output: write errors are remembered and reported once */
#ifndef RENDER_STDOUT_H
#define RENDER_STDOUT_H

#include <stdbool.h>

/**
 * stdout_flush - write the buffered output
 *
 * Prints the first error to standard error. May block until the reader takes the output.
 *
 * Return: whether all output so far was written.
 */
bool stdout_flush(void);

/**
 * stdout_check - notice an error of what was printed since errno was set to 0
 *
 * For what may not fit into the buffer: stdio writes a part itself, and forgets why it could not.
 * Prints the first error to standard error.
 */
void stdout_check(void);

/**
 * stdout_close - write the rest and close standard output
 *
 * Prints the first error to standard error.
 *
 * Return: whether all output was written.
 */
bool stdout_close(void);

/**
 * stdout_has_colours - decide whether to colour standard output
 *
 * Return: whether it is a terminal, NO_COLOR is unset or empty, and TERM is set and not
 * "dumb".
 */
bool stdout_has_colours(void);

/**
 * stdout_width - width of the terminal at standard output
 *
 * Return: its columns, at least 60; 0: not a terminal, so lines may be of any length.
 */
unsigned int stdout_width(void);

#endif
