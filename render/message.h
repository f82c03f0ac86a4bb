/* SPDX-License-Identifier: GPL-2.0-or-later */
/* message.h - messages for the user, on standard error */
#ifndef RENDER_MESSAGE_H
#define RENDER_MESSAGE_H

/**
 * say - print "kcatch: ", a message and a newline to standard error
 * @format: as for printf(3), without a newline at the end
 *
 * Flushes standard output first. See messages_hold().
 */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * messages_hold - keep what say() has to say
 * messages_release - print it, in this order
 *
 * While the terminal shows a screen that vanishes. What is not said on a terminal is not kept.
 */
void messages_hold(void);
void messages_release(void);

/**
 * quoted - quote an untrusted word for a message
 * @word: any bytes; after the first 80 it is cut, and its length is given
 *
 * Return: the word in single quotes, escaped, in one of four static buffers that are used in
 * turn: the fourth later call overwrites it.
 */
const char *quoted(const char *word);

#endif
