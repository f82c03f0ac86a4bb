/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * syntax_error.c - shows an error in a condition with a caret; the memory of a condition
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "condition/expression.h"
#include <kcatch.h>

#define BEFORE 50U	/* bytes of the condition shown before the caret */
#define BEHIND 30U	/* bytes shown from the caret on */

/* Number of columns of valid UTF-8, at one column a character. */
static unsigned int columns(const char *text)
{
	unsigned int count = 0;

	for (; *text; text++)
		count += ((unsigned char)*text & 0xc0) != 0x80;
	return count;
}

static size_t character_start(const char *text, size_t at)
{
	size_t back;

	for (back = 0; back < 3 && at && ((unsigned char)text[at] & 0xc0) == 0x80; back++)
		at--;
	return at;
}

int kcatch_expression_error(const struct kcatch_expression *expression, int error, size_t at,
			    const char *format, ...)
{
	char message[1024], before[4 * BEFORE + 16], behind[4 * BEHIND + 16];
	const char *text = expression->text;
	size_t length = strlen(text), from, to;
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	if (at > length)
		at = length;
	from = at > BEFORE ? character_start(text, at - BEFORE) : 0;
	to = length - at > BEHIND ? character_start(text, at + BEHIND) : length;
	kcatch_text_escape(text + from, at - from, before, sizeof(before));
	kcatch_text_escape(text + at, to > at ? to - at : 0, behind, sizeof(behind));
	error = kcatch_error_set(error, "bad %s: %s\n    %s%s%s%s\n    %*s^", expression->what,
				 message, from ? "..." : "", before, behind,
				 to < length ? "..." : "",
				 (int)columns(before) + (from ? 3 : 0), "");
	/* What is left of a->b without quotes. */
	if (at == length && length > 1 && text[length - 1] == '-' && text[length - 2] != '-')
		kcatch_error_append("\n  the shell takes a > for itself, and writes a file: put "
				    "'%s>...' in quotes", before);
	return error;
}

/* ---- memory ------------------------------------------------------------------- */

struct kcatch_piece {
	struct kcatch_piece *before;
	max_align_t memory[];
};

void *kcatch_pieces_take(struct kcatch_pieces *pieces, size_t size)
{
	struct kcatch_piece *piece = calloc(1, sizeof(*piece) + size);

	if (!piece) {
		kcatch_error_memory();
		return NULL;
	}
	piece->before = pieces->last;
	pieces->last = piece;
	return piece->memory;
}

void kcatch_pieces_move(struct kcatch_pieces *to, struct kcatch_pieces *from)
{
	struct kcatch_piece **first = &from->last;

	while (*first)
		first = &(*first)->before;
	*first = to->last;
	to->last = from->last;
	from->last = NULL;
}

void kcatch_pieces_deinit(struct kcatch_pieces *pieces)
{
	while (pieces->last) {
		struct kcatch_piece *piece = pieces->last;

		pieces->last = piece->before;
		free(piece);
	}
}
