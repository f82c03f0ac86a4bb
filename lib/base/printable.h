/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* printable.h - names from outside, escaped and shortened for messages */
#ifndef LIB_BASE_PRINTABLE_H
#define LIB_BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kcatch_text.h>

/**
 * kcatch_text_number - parse a whole string as decimal or 0x-hexadecimal
 * @text: digits, nothing else
 * @length: length of @text, bytes
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
