/* SPDX-License-Identifier: GPL-2.0-or-later */
/* count_show.h - rows of counts as a table, as JSON, or as folded stacks */
#ifndef RENDER_COUNT_SHOW_H
#define RENDER_COUNT_SHOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <kcatch.h>

/**
 * struct counts_view - how counts are shown
 * @names: what was counted by, one text for each part of a key
 * @fine: the table has the kernel's buckets, an eighth as wide as their values; false: powers of
 *	two
 * @by_sum: shares and bars are of the sums of values; false: of the numbers of calls
 * @rows: rows to show at most; 0: all
 * @columns: width of the terminal: where it is narrow, keys have the room of bars and of some
 *	values; 0: lines may be of any length
 * @end: end of a line
 */
struct counts_view {
	const char *const *names;
	bool fine;
	bool by_sum;
	size_t rows;
	unsigned int columns;
	const char *end;
};

/**
 * counts_mean - the mean of a row's values
 * @row: the row
 * @mean: receives the mean
 *
 * The row's sum has wrapped around where its values are large: the bounds of the values tell by
 * how much, unless they are too far apart.
 *
 * Return: whether it is known.
 */
bool counts_mean(const struct kcatch_count_row *row, double *mean);

/**
 * counts_key_text - a part of a key as text; of a stack only its number of frames
 * @session: the session, for the names of addresses
 * @key: the part
 * @expression: what it is counted by: a negative "ret" has the name of its errno
 * @text: receives the text
 * @room: bytes of @text
 *
 * Return: 0, or -errno with an error text.
 */
int counts_key_text(struct kcatch_session *session, const struct kcatch_count_key *key,
		    const char *expression, char *text, size_t room);

/**
 * counts_print - print counts as a table: keys, bars, values, histograms, stacks
 * @session: the session, for the names of addresses
 * @counts: the rows
 * @out: where to
 * @view: how
 *
 * Return: 0, or -errno with an error text.
 */
int counts_print(struct kcatch_session *session, const struct kcatch_counts *counts, FILE *out,
		 const struct counts_view *view);

/**
 * counts_print_json - print an object a row
 *
 * Return: as counts_print().
 */
int counts_print_json(struct kcatch_session *session, const struct kcatch_counts *counts,
		      FILE *out, const struct counts_view *view);

/**
 * counts_check_sums - can the sums of values be weights of stacks?
 * @counts: the rows
 *
 * Return: 0, also without values; -ERANGE with an error text: a sum is negative.
 */
int counts_check_sums(const struct kcatch_counts *counts);

/**
 * counts_print_folded - print a line for each row: the other keys, the user stack and the stack,
 * outermost frame first, separated by semicolons; then the sum of its values, of which rows without
 * one are left out, or without values the count
 *
 * Return: as counts_print().
 */
int counts_print_folded(struct kcatch_session *session, const struct kcatch_counts *counts,
			FILE *out, const struct counts_view *view);

#endif
