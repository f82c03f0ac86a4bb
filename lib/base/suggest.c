/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * suggest.c - the names nearest to a name that does not exist
 *
 * Two names are near if few letters differ, or if one is a part of the other. Every kernel
 * symbol is offered, more than 100,000 of them, so the cheap tests come first.
 *
 * The distance is the optimal string alignment distance (Damerau-Levenshtein, where no part
 * is edited twice), computed only in the band around the diagonal that the limit allows.
 */
#include <stdio.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/suggest.h"

unsigned int kcatch_suggest_distance(const char *a, size_t a_length,
				     const char *b, size_t b_length, unsigned int limit)
{
	unsigned int rows[3][KCATCH_SUGGEST_LENGTH + 1];
	unsigned int *before = rows[0], *above = rows[1], *row = rows[2];
	size_t i, j;

	if (a_length > KCATCH_SUGGEST_LENGTH || b_length > KCATCH_SUGGEST_LENGTH ||
	    a_length > b_length + limit || b_length > a_length + limit)
		return limit + 1;
	for (j = 0; j <= b_length; j++)
		above[j] = (unsigned int)j;
	for (i = 1; i <= a_length; i++) {
		unsigned int best = row[0] = (unsigned int)i, *spare;
		size_t from = i > limit + 1 ? i - limit - 1 : 1;
		size_t to = i + limit + 1 < b_length ? i + limit + 1 : b_length;

		/* Outside the band, every distance exceeds the limit. */
		if (from > 1)
			row[from - 1] = limit + 1;
		for (j = from; j <= to; j++) {
			unsigned int cost = above[j - 1] + (a[i - 1] != b[j - 1]);

			if (above[j] + 1 < cost)
				cost = above[j] + 1;
			if (row[j - 1] + 1 < cost)
				cost = row[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < cost)
				cost = before[j - 2] + 1;
			row[j] = cost;
			if (cost < best)
				best = cost;
		}
		if (to < b_length)
			row[to + 1] = limit + 1;
		if (best > limit)
			return limit + 1;
		spare = before;
		before = above;
		above = row;
		row = spare;
	}
	return above[b_length] > limit ? limit + 1 : above[b_length];
}

void kcatch_suggest_init(struct kcatch_suggest *suggest, const char *wanted)
{
	memset(suggest, 0, sizeof(*suggest));
	suggest->wanted = wanted;
	suggest->length = strlen(wanted);
}

/* The score of two names of which one is a part of the other; less is nearer. ~0: neither is. */
static unsigned int score_part(const struct kcatch_suggest *suggest, const char *name,
			       size_t length)
{
	size_t longer = length > suggest->length ? length - suggest->length : 0;
	const char *at;

	/* Names of up to three letters are a part of too many others. */
	if (suggest->length >= 4 && longer) {
		at = memmem(name, length, suggest->wanted, suggest->length);
		if (at == name)
			return 3 + (unsigned int)longer / 4;
		if (at)
			return (at[-1] == '_' ? 4 : 6) + (unsigned int)longer / 4;
	}
	/* The wanted name is a real one with up to 8 letters more. */
	if (length >= 6 && length < suggest->length && !memcmp(name, suggest->wanted, length) &&
	    suggest->length - length <= 8)
		return 5 + (unsigned int)(suggest->length - length) / 2;
	return ~0U;
}

void kcatch_suggest_offer(struct kcatch_suggest *suggest, const char *name, size_t length)
{
	unsigned int score, limit, distance;
	size_t i;

	if (!suggest->length || suggest->length > KCATCH_SUGGEST_LENGTH ||
	    !length || length > KCATCH_SUGGEST_LENGTH)
		return;
	limit = suggest->length <= 3 ? 1 : suggest->length <= 7 ? 2 : suggest->length <= 14 ? 3 : 4;
	score = score_part(suggest, name, length);
	distance = kcatch_suggest_distance(suggest->wanted, suggest->length, name, length, limit);
	/* The first letter is seldom wrong: a name that differs there is farther. */
	if (distance <= limit) {
		distance = 2 * distance + (suggest->wanted[0] != name[0]);
		if (distance < score)
			score = distance;
	}
	if (score == ~0U)
		return;

	for (i = 0; i < suggest->count; i++) {
		if (strlen(suggest->names[i]) == length && !memcmp(suggest->names[i], name, length))
			return;
	}
	for (i = suggest->count; i > 0 && score < suggest->scores[i - 1]; i--)
		;
	if (i == KCATCH_SUGGEST_MAX)
		return;
	if (suggest->count < KCATCH_SUGGEST_MAX)
		suggest->count++;
	memmove(suggest->names + i + 1, suggest->names + i,
		(suggest->count - 1 - i) * sizeof(suggest->names[0]));
	memmove(suggest->scores + i + 1, suggest->scores + i,
		(suggest->count - 1 - i) * sizeof(suggest->scores[0]));
	memcpy(suggest->names[i], name, length);
	suggest->names[i][length] = '\0';
	suggest->scores[i] = score;
}

void kcatch_suggest_format(const struct kcatch_suggest *suggest, char *text, size_t room)
{
	size_t i, at = 0;

	text[0] = '\0';
	for (i = 0; i < suggest->count; i++) {
		const char *between = !i ? "" : i + 1 == suggest->count ? " or " : ", ";
		char shown[4 * KCATCH_SUGGEST_LENGTH + 1];
		int more;

		/* They may be of a recording, whose names are any bytes. */
		kcatch_text_escape(suggest->names[i], strlen(suggest->names[i]), shown,
				   sizeof(shown));
		more = snprintf(text + at, room - at, "%s%s", between, shown);
		if (more < 0 || (size_t)more >= room - at) {
			text[at] = '\0';
			return;
		}
		at += (size_t)more;
	}
}
