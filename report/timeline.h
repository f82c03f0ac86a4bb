/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline.h - when it happened: counts over time, a row for each CPU and task
 *
 * How long a recording is shows at its end only: the spans begin small and are joined
 * two by two when it gets longer. Memory: 2 KB a row, at most TIMELINE_ROWS of them.
 */
#ifndef REPORT_TIMELINE_H
#define REPORT_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include <kcatch_containers.h>

#define TIMELINE_SPANS 512U
#define TIMELINE_ROWS 4096U

/**
 * struct timeline_row - a CPU or a task
 * @key: which
 * @label: for people; any bytes
 * @count: events
 * @spans: events in each
 */
struct timeline_row {
	uint64_t key;
	char label[32];
	uint64_t count;
	uint32_t spans[TIMELINE_SPANS];
};

/**
 * struct timeline - zeroed is empty
 * @rows: as they came
 * @nr_rows: how many
 * @index: of keys
 * @from_ns: when the first span begins
 * @span_ns: length of each; 0: none yet
 * @other: events of rows for which there was no room
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
 * timeline_add - an event
 * @timeline: the timeline
 * @key: of its row
 * @label: of its row; the last one stays
 * @time_ns: when; before the first one counts as with it
 *
 * Return: 0 or -ENOMEM.
 */
int timeline_add(struct timeline *timeline, uint64_t key, const char *label, uint64_t time_ns);

/**
 * timeline_sort - the busiest first, or by key
 * @timeline: nothing may be added afterwards
 * @by_count: the busiest first
 */
void timeline_sort(struct timeline *timeline, int by_count);

/**
 * timeline_deinit - give its memory back
 * @timeline: the timeline
 */
void timeline_deinit(struct timeline *timeline);

#endif
