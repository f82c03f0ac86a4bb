/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline.c - counts of events over time
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_text.h>
#include "timeline.h"

#define FIRST_SPAN_NS 1000	/* length of the spans before any were joined */

static void join_spans(struct timeline *timeline)
{
	size_t row, i;

	for (row = 0; row < timeline->nr_rows; row++) {
		uint32_t *spans = timeline->rows[row]->spans;

		for (i = 0; i < TIMELINE_SPANS / 2; i++)
			spans[i] = spans[2 * i] + spans[2 * i + 1];
		memset(spans + i, 0, TIMELINE_SPANS / 2 * sizeof(*spans));
	}
	timeline->span_ns *= 2;
}

static struct timeline_row *row_of(struct timeline *timeline, uint64_t key)
{
	size_t *known = kcatch_table_find(&timeline->index, (const char *)&key, sizeof(key));
	struct timeline_row *row;

	if (known)
		return timeline->rows[*known];
	if (!timeline->rows)
		timeline->rows = calloc(TIMELINE_ROWS, sizeof(*timeline->rows));
	row = timeline->rows ? calloc(1, sizeof(*row)) : NULL;
	if (!row)
		return NULL;
	row->key = key;
	if (kcatch_table_add(&timeline->index, (const char *)&row->key, sizeof(key),
			     timeline->nr_rows) < 0) {
		free(row);
		return NULL;
	}
	timeline->rows[timeline->nr_rows++] = row;
	return row;
}

static uint64_t spans_since_begin(const struct timeline *timeline, uint64_t time_ns)
{
	return time_ns > timeline->from_ns ? (time_ns - timeline->from_ns) / timeline->span_ns : 0;
}

unsigned int timeline_span(const struct timeline *timeline, uint64_t time_ns)
{
	return (unsigned int)spans_since_begin(timeline, time_ns);
}

int timeline_add(struct timeline *timeline, uint64_t key, const char *label, uint64_t time_ns)
{
	struct timeline_row *row;

	if (!timeline->span_ns) {
		timeline->span_ns = FIRST_SPAN_NS;
		timeline->from_ns = time_ns;
	}
	while (spans_since_begin(timeline, time_ns) >= TIMELINE_SPANS)
		join_spans(timeline);
	if (timeline->nr_rows >= TIMELINE_ROWS &&
	    !kcatch_table_find(&timeline->index, (const char *)&key, sizeof(key))) {
		timeline->other++;
		return 0;
	}
	row = row_of(timeline, key);
	if (!row)
		return kcatch_error_memory();
	snprintf(row->label, sizeof(row->label), "%s", label);
	row->count++;
	row->spans[timeline_span(timeline, time_ns)]++;
	return 0;
}

static int by_key(const void *a, const void *b)
{
	const struct timeline_row *const *one = a, *const *two = b;

	return (*one)->key < (*two)->key ? -1 : (*one)->key > (*two)->key;
}

static int busiest(const void *a, const void *b)
{
	const struct timeline_row *const *one = a, *const *two = b;

	if ((*one)->count != (*two)->count)
		return (*one)->count > (*two)->count ? -1 : 1;
	return by_key(a, b);
}

void timeline_sort(struct timeline *timeline, int by_count)
{
	if (timeline->nr_rows)
		qsort(timeline->rows, timeline->nr_rows, sizeof(*timeline->rows),
		      by_count ? busiest : by_key);
}

void timeline_deinit(struct timeline *timeline)
{
	size_t i;

	for (i = 0; i < timeline->nr_rows; i++)
		free(timeline->rows[i]);
	free(timeline->rows);
	kcatch_table_deinit(&timeline->index);
}
