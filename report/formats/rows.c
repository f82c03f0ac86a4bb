/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows.c - one flat JSON object per event and per set of counters, for databases
 *
 * An event's number counts those that the filters leave out as well: it is the same in each
 * report of a recording.
 */
#include "render.h"
#include "render_rows.h"
#include "report.h"

static int rows_take(struct report *report, const struct kcatch_event *event)
{
	return rows_event(report->out, report->session, event, report->events);
}

static int rows_end(struct report *report)
{
	const struct kcatch_recording_info *info = kcatch_session_recording(report->session);
	struct rows rows = {
		.out = report->out,
		.unix_ns = kcatch_session_realtime(report->session, report->last_ns ?
						   report->last_ns : info ? info->monotonic_ns : 0),
		.final = !report->interrupted && (!info || info->finished),
	};

	return rows_counters(&rows, report->session);
}

const struct report_format report_rows = {
	.name = "rows",
	.description = "a flat JSON object for each event, and for what was lost",
	.event = rows_take,
	.end = rows_end,
	.forget = render_rows_forget,
};
