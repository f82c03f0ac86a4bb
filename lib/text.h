/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* text.h - names from outside, fit to be shown */
#ifndef LIB_TEXT_H
#define LIB_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for a name in a message: long ones are shortened, visibly. */
struct kcatch_shown {
	char text[320];
};

/**
 * kcatch_text_show_n - a name in quotes, escaped, shortened when it is long
 * @shown: room for it
 * @name: bytes
 * @length: how many
 *
 * Return: the text in @shown.
 */
const char *kcatch_text_show_n(struct kcatch_shown *shown, const char *name, size_t length);

/**
 * kcatch_text_show - the same for a string
 * @shown: room for it
 * @name: the string
 *
 * Return: the text in @shown.
 */
const char *kcatch_text_show(struct kcatch_shown *shown, const char *name);

/**
 * kcatch_text_number - parse a whole string as decimal or 0x-hexadecimal
 * @text: digits, nothing else
 * @length: how many
 * @number: the value
 *
 * Return: whether it is a number that fits.
 */
bool kcatch_text_number(const char *text, size_t length, uint64_t *number);

/**
 * kcatch_text_read_file - the first bytes of a small file, without its last newline
 * @path: of procfs, sysfs and the like
 * @text: with an end mark, "" on failure
 * @room: bytes at @text
 *
 * Return: bytes read or -errno.
 */
int kcatch_text_read_file(const char *path, char *text, size_t room);

/* Compound literal: kcatch_error_set(EINVAL, "no such thing: %s", SHOWN(name)) */
#define SHOWN(name) kcatch_text_show(&(struct kcatch_shown){ .text = "" }, (name))

#endif
