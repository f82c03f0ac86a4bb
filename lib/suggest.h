/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* suggest.h - the names nearest to one that does not exist */
#ifndef LIB_SUGGEST_H
#define LIB_SUGGEST_H

#include <stddef.h>

#define KCATCH_SUGGEST_MAX	5	/* names */
#define KCATCH_SUGGEST_LENGTH	96	/* bytes of a name worth comparing */

/**
 * struct kcatch_suggest - the best names so far
 * @wanted: what was asked for
 * @length: of @wanted
 * @count: names
 * @names: best first
 * @scores: how far away, for each
 */
struct kcatch_suggest {
	const char *wanted;
	size_t length;
	size_t count;
	char names[KCATCH_SUGGEST_MAX][KCATCH_SUGGEST_LENGTH + 1];
	unsigned int scores[KCATCH_SUGGEST_MAX];
};

/**
 * kcatch_suggest_init - begin
 * @suggest: in the caller's memory
 * @wanted: the name that was not found; must stay as long as @suggest
 */
void kcatch_suggest_init(struct kcatch_suggest *suggest, const char *wanted);

/**
 * kcatch_suggest_offer - is this real name near?
 * @suggest: the best so far
 * @name: a real name
 * @length: of @name
 *
 * Work is bounded: names of more than KCATCH_SUGGEST_LENGTH bytes are passed by.
 */
void kcatch_suggest_offer(struct kcatch_suggest *suggest, const char *name, size_t length);

/**
 * kcatch_suggest_distance - letters to insert, delete, replace, or swap with the next
 * @a: a name
 * @a_length: its length, at most KCATCH_SUGGEST_LENGTH
 * @b: another
 * @b_length: its length, at most KCATCH_SUGGEST_LENGTH
 * @limit: do not care for more
 *
 * Return: the distance, or @limit + 1 when it is more than @limit.
 */
unsigned int kcatch_suggest_distance(const char *a, size_t a_length,
				     const char *b, size_t b_length, unsigned int limit);

/**
 * kcatch_suggest_format - "a, b or c"
 * @suggest: the best names
 * @text: with an end mark, "" when there is none
 * @room: bytes at @text
 */
void kcatch_suggest_format(const struct kcatch_suggest *suggest, char *text, size_t room);

#endif
