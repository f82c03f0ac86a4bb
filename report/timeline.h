/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline.h - counts of events over time, a row for each CPU and task
 *
 * The length of a recording is known only at its end. So the spans of time begin with 1 us,
 * and two neighbours are joined whenever the recording turns out longer. Memory: 2 KB per row,
 * 8 MB for TIMELINE_ROWS rows.
 */
#ifndef REPORT_TIMELINE_H
#define REPORT_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include <kcatch_containers.h>

#define TIMELINE_SPANS 512U	/* spans of time in a row */
#define TIMELINE_ROWS 4096U	/* limit of rows */

/**
 * struct timeline_row - a CPU or a task
 * @key: number of the CPU or thread
 * @label: name to show; untrusted bytes
 * @count: number of events
 * @spans: number of events in each span of time
 */
struct timeline_row {
	uint64_t key;
	char label[32];
	uint64_t count;
	uint32_t spans[TIMELINE_SPANS];
};

/**
 * struct timeline - zeroed: empty
 * @rows: the rows in the order of their first events, or as timeline_sort() ordered them
 * @nr_rows: number of rows
 * @index: table of the rows' keys
 * @from_ns: begin of the first span
 * @span_ns: length of a span, nanoseconds; 0: no event yet
 * @other: number of events whose row would exceed TIMELINE_ROWS
 */
struct timeline {
	struct timeline_row **rows;
	size_t nr_rows;
	struct kcatch_table index;
	uint64_t from_ns;
	uint64_t span_ns;
	uint64_t other;
};

/**
 * timeline_add - count an event
 * @timeline: the timeline
 * @key: key of its row, which is created if it is new
 * @label: the row's label from now on
 * @time_ns: time of the event; a time before the first event's counts in the first span
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int timeline_add(struct timeline *timeline, uint64_t key, const char *label, uint64_t time_ns);

/**
 * timeline_span - find the span that a time is in
 * @timeline: the timeline, with an event
 * @time_ns: time of an event that was added
 *
 * Return: the number of the span.
 */
unsigned int timeline_span(const struct timeline *timeline, uint64_t time_ns);

/**
 * timeline_sort - sort the rows
 * @timeline: the timeline; do not add events afterwards
 * @by_count: nonzero: rows with the most events first; 0: by key
 */
void timeline_sort(struct timeline *timeline, int by_count);

/**
 * timeline_deinit - free the rows
 * @timeline: the timeline
 */
void timeline_deinit(struct timeline *timeline);

#endif
