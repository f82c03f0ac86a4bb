/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * top_table.h - what kcatch top shows: functions and their callers, counted as they come
 *
 * Memory: about 1 KB a pair, at most TOP_ROWS of them; the rest is one row "[other]".
 */
#ifndef REPORT_TOP_TABLE_H
#define REPORT_TOP_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <kcatch.h>

#define TOP_ROWS 10000U

enum top_order {
	TOP_BY_CALLS,		/* since the last picture */
	TOP_BY_TOTAL,
	TOP_BY_FAILED,
	TOP_BY_TIME,		/* spent in the calls, since the last picture */
	TOP_BY_P99,
	TOP_BY_MAX,
	TOP_ORDERS,
};

struct top_table;

/**
 * struct top_view - a picture that is asked for
 * @order: TOP_BY_*
 * @rows: at most so many
 * @columns: of the terminal; 0: lines may be as long as they are
 * @seconds: since the last picture
 */
struct top_view {
	enum top_order order;
	unsigned int rows;
	unsigned int columns;
	double seconds;
};

/**
 * top_table_create - nothing counted
 *
 * Return: the counts, NULL without memory.
 */
struct top_table *top_table_create(void);

/**
 * top_table_destroy - forget them
 * @table: may be NULL
 */
void top_table_destroy(struct top_table *table);

/**
 * top_table_add - count an event
 * @table: the counts
 * @session: its session
 * @event: the event at hand
 *
 * Return: 0 or -errno with an error text.
 */
int top_table_add(struct top_table *table, struct kcatch_session *session,
		  const struct kcatch_event *event);

/**
 * top_table_print - the picture; what is counted from now on is for the next
 * @table: the counts
 * @out: where to
 * @view: how
 * @end: at the end of each line: "\n", or what a terminal needs
 *
 * Return: 0 or -ENOMEM.
 */
int top_table_print(struct top_table *table, FILE *out, const struct top_view *view,
		    const char *end);

/**
 * top_table_reset - begin anew
 * @table: the counts
 */
void top_table_reset(struct top_table *table);

/* Events since the last picture, and in all. */
uint64_t top_table_recent(const struct top_table *table);
uint64_t top_table_total(const struct top_table *table);

/**
 * top_table_order_find - an order by its name or key
 * @name: "calls", "total", "failed", "latency", "p99", "max"; or the first letter
 * @order: the order
 *
 * Return: whether there is one.
 */
bool top_table_order_find(const char *name, enum top_order *order);

#endif
