/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_rows.h - the rows of a page's table, chosen over the whole time
 *
 * The length of a recording is known only at its end. So its time has parts, spans of the time
 * line that are joined as those are. When the table is full, the parts that hold the most rows
 * give up every other one, and take half as many from then on. Each part keeps its first row.
 */
#ifndef REPORT_TABLE_ROWS_H
#define REPORT_TABLE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timeline.h"

/**
 * struct table_row - an event that is in the table
 * @time_ns: its time
 * @node: number of its stack's node
 * @text: the row, on the heap
 */
struct table_row {
	uint64_t time_ns;
	uint32_t node;
	char *text;
};

/**
 * struct table_part - a part of the time
 * @level: one of 2^@level events is taken
 * @seen: number of events so far
 */
struct table_part {
	unsigned int level;
	uint64_t seen;
};

/**
 * struct table_rows - zeroed, with @most set: empty
 * @most: limit of rows
 * @rows: the rows, in the order in which they were added
 * @nr_rows: number of rows
 * @span_ns: length of the time line's spans when a row was last added
 * @was_full: rows were given up, or not taken
 * @parts: the parts of the time
 */
struct table_rows {
	size_t most;
	struct table_row *rows;
	size_t nr_rows;
	uint64_t span_ns;
	bool was_full;
	struct table_part parts[TIMELINE_SPANS];
};

/**
 * table_rows_takes - decide whether the next event is in the table, and make room for its row
 * @table: the table
 * @line: the time line, with this event and all before it
 * @time_ns: the event's time
 *
 * Return: whether table_rows_add() is to follow.
 */
bool table_rows_takes(struct table_rows *table, const struct timeline *line, uint64_t time_ns);

/**
 * table_rows_add - add the row of the event that table_rows_takes() was asked of
 * @table: the table
 * @time_ns: the event's time
 * @node: number of its stack's node
 * @text: the row; belongs to the table from now on, also after an error
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int table_rows_add(struct table_rows *table, uint64_t time_ns, uint32_t node, char *text);

/**
 * table_rows_deinit - free the rows
 * @table: the table
 */
void table_rows_deinit(struct table_rows *table);

#endif
