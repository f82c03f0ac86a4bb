/* SPDX-License-Identifier: GPL-2.0-or-later */
/* render_rows.h - an event, and the counters, as flat rows for databases: kcatch-rows(5) */
#ifndef RENDER_RENDER_ROWS_H
#define RENDER_RENDER_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <kcatch.h>

#define ROWS_COUNTERS_NS ((uint64_t)10000000000)	/* live: between two sets of counters */

/**
 * struct rows - where rows of counters go
 * @out: the output
 * @sequence: number of the last one
 * @unix_ns: the time they are true for, CLOCK_REALTIME, ns; 0: unknown
 * @final: the session has ended
 */
struct rows {
	FILE *out;
	uint64_t sequence;
	uint64_t unix_ns;
	bool final;
};

/**
 * rows_event - write an event as a row
 * @out: the output
 * @session: the session
 * @event: its current event
 * @sequence: number of the event in the session, from 1
 *
 * Return: 0, or -errno with an error text.
 */
int rows_event(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
	       uint64_t sequence);

/**
 * rows_counters - write a row for each probe and each CPU that was hit, and one for the session
 * @rows: where to
 * @session: the session; a recording is read to its end
 *
 * Return: 0, or -errno with an error text.
 */
int rows_counters(struct rows *rows, struct kcatch_session *session);

#endif
