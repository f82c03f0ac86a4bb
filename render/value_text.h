/* SPDX-License-Identifier: GPL-2.0-or-later */
/* value_text.h - arguments and return values for people */
#ifndef RENDER_VALUE_TEXT_H
#define RENDER_VALUE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <kcatch.h>

/**
 * value_text_escaped - bytes from anywhere, fit for a terminal
 * @out: where to
 * @text: the bytes
 * @length: how many
 * @quote: in double quotes
 */
void value_text_escaped(FILE *out, const char *text, size_t length, bool quote);

#define VALUE_CHANGES 4	/* in a line that is to be read at a glance */

/**
 * value_text_argument - name=value, short, in one line
 * @out: where to
 * @value: an argument or member
 * @changes: at most so many of what the call changed behind a pointer, and each of
 *	them short; how many more there are is said. 0: all, as they are
 *
 * A pointer whose target is a number is shown as *name=number; what the call
 * changed behind it as name={member: before -> after}.
 */
void value_text_argument(FILE *out, const struct kcatch_value *value, unsigned int changes);

/**
 * value_text_return - what came back: a number, -ENOENT, true, NULL ...
 * @out: where to
 * @value: the return value
 */
void value_text_return(FILE *out, const struct kcatch_value *value);

/**
 * value_text_struct - the members of the struct an argument points to
 * @out: where to
 * @value: the argument
 * @lines: at most so many lines; 0: all
 *
 * Prints nothing where there is no struct.
 */
void value_text_struct(FILE *out, const struct kcatch_value *value, unsigned int lines);

/**
 * value_text_latency - "12.3 us"
 * @ns: nanoseconds
 * @text: room for it
 * @room: bytes at @text; 24 suffice
 *
 * Return: @text.
 */
const char *value_text_latency(uint64_t ns, char *text, size_t room);

/**
 * value_is_failure - a negative errno, an error pointer, NULL
 * @value: a return value
 *
 * Return: whether it says that the call failed.
 */
bool value_is_failure(const struct kcatch_value *value);

/**
 * value_is_hidden - is that an address that must not be shown
 * @address: the address
 *
 * Return: whether it is the kernel's and the sysctl kernel.kptr_restrict is 2.
 */
bool value_is_hidden(uint64_t address);

#endif
