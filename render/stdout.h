/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stdout.h - standard output, or a file in its place: the first error is kept, reported once */
#ifndef RENDER_STDOUT_H
#define RENDER_STDOUT_H

#include <stdbool.h>

/**
 * stdout_begin - remember why a write to standard output fails
 *
 * Before anything is printed. Without it errors are found all the same, but some have no name.
 * Ignores SIGPIPE: a write for nobody is an error like any other, which is told only if the signal
 * was ignored already.
 */
void stdout_begin(void);

/**
 * stdout_to_file - write a file in place of standard output
 * @path: its name. What is not a regular file is written as it is; a regular one is replaced by
 *	stdout_close(), if stdout_complete() was called and all was written, and keeps its mode.
 *	A new one can be read by its owner only
 *
 * Before anything is printed, once. Prints the error to standard error.
 *
 * Return: whether it can be written.
 */
bool stdout_to_file(const char *path);

/** stdout_complete - what was printed is what the file of stdout_to_file() is to hold */
void stdout_complete(void);

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
 * stdout_end_unread - end the program by SIGPIPE if nobody reads standard output any more
 *
 * After everything is done. Returns if it is read, or if SIGPIPE was ignored at the start.
 */
void stdout_end_unread(void);

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
