/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live.h - what kcatch top shows: functions and their callers, counted as they come
 *
 * Memory: about 1 KB a pair, at most LIVE_ROWS of them; the rest is one row "[other]".
 */
#ifndef REPORT_LIVE_H
#define REPORT_LIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <kcatch.h>

#define LIVE_ROWS 10000U

enum live_order {
	LIVE_BY_CALLS,		/* since the last picture */
	LIVE_BY_TOTAL,
	LIVE_BY_FAILED,
	LIVE_BY_TIME,		/* spent in the calls, since the last picture */
	LIVE_BY_P99,
	LIVE_BY_MAX,
	LIVE_ORDERS,
};

struct live;

/**
 * struct live_view - a picture that is asked for
 * @order: LIVE_BY_*
 * @rows: at most so many
 * @columns: of the terminal; 0: lines may be as long as they are
 * @seconds: since the last picture
 */
struct live_view {
	enum live_order order;
	unsigned int rows;
	unsigned int columns;
	double seconds;
};

/**
 * live_create - nothing counted
 *
 * Return: the counts, NULL without memory.
 */
struct live *live_create(void);

/**
 * live_destroy - forget them
 * @live: may be NULL
 */
void live_destroy(struct live *live);

/**
 * live_add - count an event
 * @live: the counts
 * @session: its session
 * @event: the event at hand
 *
 * Return: 0 or -errno with an error text.
 */
int live_add(struct live *live, struct kcatch_session *session, const struct kcatch_event *event);

/**
 * live_print - the picture; what is counted from now on is for the next
 * @live: the counts
 * @out: where to
 * @view: how
 * @end: at the end of each line: "\n", or what a terminal needs
 *
 * Return: 0 or -ENOMEM.
 */
int live_print(struct live *live, FILE *out, const struct live_view *view, const char *end);

/**
 * live_reset - begin anew
 * @live: the counts
 */
void live_reset(struct live *live);

/* Events since the last picture, and in all. */
uint64_t live_recent(const struct live *live);
uint64_t live_total(const struct live *live);

/**
 * live_order_find - an order by its name or key
 * @name: "calls", "total", "failed", "latency", "p99", "max"; or the first letter
 * @order: the order
 *
 * Return: whether there is one.
 */
bool live_order_find(const char *name, enum live_order *order);

#endif
