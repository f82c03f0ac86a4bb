/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row.c - words in lines of a limited width */
#include <stdlib.h>

#include "put.h"
#include "row.h"
#include "stdout.h"

void row_begin(struct row *row, FILE *out, size_t indent, size_t width, unsigned int lines)
{
	size_t terminal = stdout_width();

	if (!terminal)
		terminal = ROW_WIDTH;
	if (terminal > ROW_WIDTH_MAX)
		terminal = ROW_WIDTH_MAX;
	*row = (struct row){ .out = out,
			     .indent = indent,
			     .column = indent,
			     .width = width ? width : terminal,
			     .line = 1,
			     .lines = lines };
}

size_t row_columns(const char *text, size_t length)
{
	const char *end = text + length;
	size_t count = 0;

	for (; text < end; text++) {
		if (*text == '\x1b')
			while (text < end && *text != 'm')
				text++;
		else
			count += ((unsigned char)*text & 0xc0) != 0x80;
	}
	return count;
}

bool row_add(struct row *row, const char *word, size_t length)
{
	size_t columns = row_columns(word, length);

	if (row->column > row->indent && row->column + 1 + columns > row->width) {
		if (row->lines && row->line == row->lines)
			return false;
		row->line++;
		fprintf(row->out, "\n%*s", (int)row->indent, "");
		row->column = row->indent;
	} else if (row->column > row->indent) {
		put_char(row->out, ' ');
		row->column++;
	}
	put_bytes(row->out, word, length);
	row->column += columns;
	return true;
}

FILE *row_word(struct row *row)
{
	if (row->memory)
		rewind(row->memory);
	else
		row->memory = open_memstream(&row->word, &row->length);
	if (row->memory)
		return row->memory;
	if (row->column > row->indent)
		put_char(row->out, ' ');
	row->column++;
	return row->out;
}

bool row_end(struct row *row)
{
	if (!row->memory)
		return true;
	if (fflush(row->memory))
		return false;
	return row_add(row, row->word, row->length);
}

void row_deinit(struct row *row)
{
	if (row->memory)
		fclose(row->memory);
	free(row->word);
	row->memory = NULL;
	row->word = NULL;
}
