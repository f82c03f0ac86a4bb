/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * top_table.h - the table of kcatch top: functions and their callers, with counts
 *
 * Memory: about 1 KB for each pair of function and caller, and at most TOP_ROWS pairs; further
 * pairs are counted in one row "[other]".
 */
#ifndef REPORT_TOP_TABLE_H
#define REPORT_TOP_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <kcatch.h>

#define TOP_ROWS 10000U	/* limit of rows, besides "[other]" */

/* What the rows are sorted by, the largest first. */
enum top_order {
	TOP_BY_CALLS,		/* events since the last picture */
	TOP_BY_TOTAL,
	TOP_BY_FAILED,
	TOP_BY_TIME,		/* time in calls since the last picture */
	TOP_BY_P99,
	TOP_BY_MAX,
	TOP_ORDERS,
};

struct top_table;

/**
 * struct top_view - how a picture is drawn
 * @order: what the rows are sorted by
 * @rows: limit of rows
 * @columns: width of the terminal; 0: do not cut lines
 * @seconds: time since the last picture
 */
struct top_view {
	enum top_order order;
	unsigned int rows;
	unsigned int columns;
	double seconds;
};

/**
 * top_table_create - create an empty table
 *
 * Return: the table, to be freed with top_table_destroy(); NULL: out of memory.
 */
struct top_table *top_table_create(void);

/**
 * top_table_destroy - free the table
 * @table: the table, or NULL
 */
void top_table_destroy(struct top_table *table);

/**
 * top_table_add - count an event
 * @table: the table
 * @session: the session
 * @event: its current event
 *
 * Return: 0, or -errno with an error text.
 */
int top_table_add(struct top_table *table, struct kcatch_session *session,
		  const struct kcatch_event *event);

/**
 * top_table_print - draw a picture and set the counts since the last picture to 0
 * @table: the table
 * @out: the output
 * @view: how to draw it
 * @end: printed at the end of each line: "\n", or escape sequences for a terminal
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int top_table_print(struct top_table *table, FILE *out, const struct top_view *view,
		    const char *end);

/**
 * top_table_reset - remove all rows and counts
 * @table: the table
 */
void top_table_reset(struct top_table *table);

/** top_table_recent - number of events since the last picture */
uint64_t top_table_recent(const struct top_table *table);

/** top_table_total - number of events since the table was created or reset */
uint64_t top_table_total(const struct top_table *table);

/**
 * top_table_order_find - find an order by its name or first letter
 * @name: "calls", "total", "failed", "latency", "p99" or "max", or the first letter of one
 * @order: set to the order
 *
 * Return: whether there is such an order; otherwise @order is not changed.
 */
bool top_table_order_find(const char *name, enum top_order *order);

#endif
