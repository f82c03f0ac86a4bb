/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.c - one JSON object per line, as kcatch --json prints them
 */
#include "render.h"
#include "report.h"

static int json_event(struct report *report, const struct kcatch_event *event)
{
	return render_json.event(report->out, report->session, event, &report->options->view);
}

static int json_end(struct report *report)
{
	const struct kcatch_recording_info *info = kcatch_session_recording(report->session);
	const struct outcome outcome = {
		.totals = report->losses.totals,
		.shown = report->reported,
		.events = report->reported,
		.elapsed_ns = report->last_ns - report->first_ns,
		.end = report->interrupted ? "interrupt" : "recording",
		.unstopped = report->interrupted || (info && !info->finished),
		.missing = report->losses.missing,
		.discarded = report->losses.discarded,
	};

	return render_json.summary(report->session, &outcome, &report->options->view);
}

const struct report_format report_json = {
	.name = "json",
	.description = "an object a line, as kcatch --json, and a summary",
	.user_stacks = true,
	.event = json_event,
	.end = json_end,
	.forget = render_json_forget,
};
