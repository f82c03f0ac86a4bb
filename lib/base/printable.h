/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* printable.h - untrusted names, escaped and shortened for messages */
#ifndef LIB_BASE_PRINTABLE_H
#define LIB_BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kcatch_text.h>

/**
 * kcatch_text_number - parse a text as a decimal number, or hexadecimal after 0x
 * @text: the digits, without sign and blanks
 * @length: length of @text, bytes
 * @number: set to the value; unchanged if false is returned
 *
 * Return: whether all of @text is a number below 2^64.
 */
bool kcatch_text_number(const char *text, size_t length, uint64_t *number);

/**
 * kcatch_text_hex - parse the hexadecimal digits at the beginning of a text
 * @text: the text; something that is no digit ends them, such as its '\0'
 * @number: set to the value, of which the lowest 64 bits count; 0 without digits
 *
 * Return: behind the last digit.
 */
const char *kcatch_text_hex(const char *text, uint64_t *number);

/**
 * kcatch_text_unescape - undo kcatch_text_escape()
 * @text: the text, changed in place; a backslash that it would not write stays
 */
void kcatch_text_unescape(char *text);

/**
 * kcatch_text_read_file - read the beginning of a small file, without a final newline
 * @path: the file, of procfs, sysfs and the like: read with one read()
 * @text: set to the contents and '\0'; "" on failure
 * @room: size of @text, bytes; a longer file is cut
 *
 * Return: length of @text, bytes; -errno without an error text.
 */
int kcatch_text_read_file(const char *path, char *text, size_t room);

/**
 * kcatch_text_task_state - the letter of a thread's state, as proc(5) has it in stat
 * @pid: its process
 * @tid: the thread
 *
 * Return: the letter; 0: it has gone, or /proc hides it.
 */
char kcatch_text_task_state(uint32_t pid, uint32_t tid);

/*
 * A name, quoted and escaped for a message: kcatch_error_set(EINVAL, "no file %s", SHOWN(name)).
 * The text lives until the end of the enclosing block.
 */
#define SHOWN(name) kcatch_text_show(&(struct kcatch_shown){ .text = "" }, (name))

#endif
