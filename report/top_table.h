/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * top_table.h - the table of kcatch top: functions and their callers, with counts
 *
 * The kernel counts by function, caller and failure, with a histogram of latencies; rows that
 * differ in their failures are one here. Memory: about 1 KB for each pair of
 * function and caller, and at most TOP_ROWS pairs; further pairs are counted in one row "[other]".
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
	TOP_BY_CALLS,		/* calls between the last two updates */
	TOP_BY_TOTAL,
	TOP_BY_FAILED,
	TOP_BY_TIME,		/* time in calls between the last two updates */
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
 * @seconds: time between the last two updates
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
 * top_table_request - ask for the counts that the table shows
 * @request: receives keys and histogram
 */
void top_table_request(struct kcatch_count_request *request);

/**
 * top_table_update - take over new counts; they are compared with those of the last update
 * @table: the table
 * @counts: all counts of a session with top_table_request() since its start or
 *	kcatch_session_count_reset()
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int top_table_update(struct top_table *table, const struct kcatch_counts *counts);

/**
 * top_table_print - draw a picture
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

/** top_table_recent - number of calls between the last two updates */
uint64_t top_table_recent(const struct top_table *table);

/** top_table_total - number of calls since the table was created or reset */
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
