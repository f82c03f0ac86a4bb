/* SPDX-License-Identifier: GPL-2.0-or-later */
/* message.h - messages for the user, on standard error */
#ifndef RENDER_MESSAGE_H
#define RENDER_MESSAGE_H

/**
 * say - a message on stderr, "kcatch: " before it
 * @format: without a newline at the end
 */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * quoted - a word from the command line, fit to be shown
 * @word: any bytes
 *
 * Return: in quotes, escaped, long ones shortened; in one of four static
 * buffers that are used in turn.
 */
const char *quoted(const char *word);

#endif
