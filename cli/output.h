/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.h - standard output, with its errors never lost */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>

/**
 * output_flush - write what is buffered
 *
 * Says on stderr what went wrong, once.
 *
 * Return: whether all could be written so far.
 */
bool output_flush(void);

/**
 * output_finish - write the rest and close; the disk may be full only now
 * @status: exit status so far
 *
 * Return: @status, or STATUS_ERROR when something was not written.
 */
int output_finish(int status);

/**
 * output_has_colours - a terminal, and nobody objects
 *
 * Return: whether to colour what goes to standard output.
 */
bool output_has_colours(void);

/**
 * output_width - columns of the terminal that standard output is
 *
 * Return: how many, at least 60; 0: it is no terminal, and lines may be long.
 */
unsigned int output_width(void);

#endif
