/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line.h - puts pieces of a line together and writes them as one
 *
 * A call of stdio for each of some twenty pieces takes longer than all else that a line needs.
 * What is written to the output itself meanwhile needs line_flush() before it.
 */
#ifndef RENDER_LINE_H
#define RENDER_LINE_H

#include <stdbool.h>

#include "put.h"

#define LINE_ROOM 256

/** struct line - bytes that were not written yet */
struct line {
	FILE *out;
	char *at;	/* behind the last byte */
	char text[LINE_ROOM];
};

/** line_begin - an empty line for @out */
static inline void line_begin(struct line *line, FILE *out)
{
	line->out = out;
	line->at = line->text;
}

/** line_flush - write what is there */
static inline void line_flush(struct line *line)
{
	put_bytes(line->out, line->text, (size_t)(line->at - line->text));
	line->at = line->text;
}

/** line_room - have room for @length bytes. Return: false: no line has so much */
static inline bool line_room(struct line *line, size_t length)
{
	if (length > (size_t)(line->text + LINE_ROOM - line->at))
		line_flush(line);
	return length <= LINE_ROOM;
}

/** line_bytes - add @length bytes at @text */
static inline void line_bytes(struct line *line, const char *text, size_t length)
{
	if (!line_room(line, length)) {
		put_bytes(line->out, text, length);
		return;
	}
	memcpy(line->at, text, length);
	line->at += length;
}

/** line_text - add a string; of one in quotes the compiler knows the length and copies words */
static inline __attribute__((always_inline)) void line_text(struct line *line, const char *text)
{
	size_t length = *text ? strlen(text) : 0;

	if (!length)
		return;
	if (length > 16 || !line_room(line, length)) {
		line_bytes(line, text, length);
		return;
	}
	memcpy(line->at, text, length);
	line->at += length;
}

/** line_number - add a number, decimal */
static inline void line_number(struct line *line, uint64_t number)
{
	char digits[PUT_DIGITS], *end = digits + sizeof(digits),
	     *first = put_digits(end, number);

	line_room(line, PUT_DIGITS);
	while (first < end)
		*line->at++ = *first++;
}

/** line_seconds - add @ns nanoseconds as "123.456789012" */
static inline void line_seconds(struct line *line, uint64_t ns)
{
	uint32_t part = (uint32_t)(ns % 1000000000);
	unsigned int i;

	line_number(line, ns / 1000000000);
	line_text(line, ".");
	line_room(line, 9);
	for (i = 9; i; i--, part /= 10)
		line->at[i - 1] = (char)('0' + part % 10);
	line->at += 9;
}

#endif
