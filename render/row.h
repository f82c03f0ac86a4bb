/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row.h - words in lines of a limited width */
#ifndef RENDER_ROW_H
#define RENDER_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define ROW_WIDTH     100 /* columns where standard output is no terminal */
#define ROW_WIDTH_MAX 120 /* columns of a line on any terminal, unless one word is longer */

/** struct row - words, with a blank between two, broken into lines */
struct row {
	FILE *out;
	size_t indent, column, width;
	unsigned int line, lines;
	FILE *memory; /* the word that is being made */
	char *word;
	size_t length;
};

/**
 * row_begin - begin with the first line, whose indentation the caller has written
 * @row: receives the row
 * @out: the output
 * @indent: columns in front of each line
 * @width: columns of a line; 0: of the terminal, at most ROW_WIDTH_MAX
 * @lines: most lines; 0: any number
 */
void row_begin(struct row *row, FILE *out, size_t indent, size_t width, unsigned int lines);

/**
 * row_add - write a word
 * @row: the row
 * @word: UTF-8
 * @length: of it, bytes
 *
 * Return: false: the last line is full, and nothing was written.
 */
bool row_add(struct row *row, const char *word, size_t length);

/**
 * row_word - begin a word that is written in pieces
 * @row: the row
 *
 * Return: where its pieces are written to, until row_end(). Where there is no memory, it is the
 * output itself: then the line may become longer.
 */
FILE *row_word(struct row *row);

/** row_columns - width of a UTF-8 text in characters, without escape sequences of colours */
size_t row_columns(const char *text, size_t length);

/** row_end - write the word of row_word(), as row_add() does */
bool row_end(struct row *row);

/** row_deinit - free what it has; the last line is not ended */
void row_deinit(struct row *row);

#endif
