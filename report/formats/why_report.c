/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why_report.c - where the time of the slowest calls went: blocked on what and ended by whom, ready
 * to run, on the CPU
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "sched_events.h"
#include "why.h"

static int refuse(struct report *report, const char *what)
{
	const char *function = why_caught(report);

	return kcatch_error_set(EINVAL,
				"--format why: the recording has no %s; record with "
				"kcatch record -f %s -e sched:sched_switch -e sched:sched_waking "
				"--stack -o DIR",
				what, function ? function : "FUNCTION");
}

static int why_begin(struct report *report)
{
	const char *missing;

	report->state = why_create(report->options->calls);
	if (!report->state)
		return -ENOMEM;
	missing = why_missing(report);
	if (missing)
		return refuse(report, missing);
	if (report->options->chain && sched_events_in_call(report))
		return kcatch_error_set(EINVAL,
					"--chain: the recording has only switches about threads inside "
					"calls, not those of who woke them; record without --in-call");
	return 0;
}

static int why_every(struct report *report, const struct kcatch_event *event)
{
	return why_take(report->state, report, event);
}

static int why_event(struct report *report, const struct kcatch_event *event)
{
	return why_take_call(report->state, report, event);
}

static int write_calls(struct report *report)
{
	struct why *why = report->state;
	struct why_times times;
	size_t i;
	int ret = 0;

	for (i = 0; i < why->nr && !ret && !ferror(report->out); i++) {
		ret = why_times_find(why, &why->calls[i], report->options->chain, &times);
		if (!ret && i && !report->options->json)
			fputc('\n', report->out);
		if (!ret)
			ret = (report->options->json ? why_json_call : why_text_call)(
				report->out, why, &why->calls[i], &times);
		why_times_deinit(&times);
	}
	return ret;
}

static int why_end(struct report *report)
{
	struct why *why = report->state;
	int ret;

	report->reported = why->passed;
	if (!why->passed && why->pending)
		return kcatch_error_set(ENODATA,
					"--format why: %llu call%s had not returned when "
					"the recording ended, and no other passes",
					(unsigned long long)why->pending,
					why->pending == 1 ? "" : "s");
	if (!why->passed)
		return 0;
	if (why->switches && why->unreadable == why->switches)
		return refuse(report, "arguments of sched:sched_switch (--no-args)");
	ret = why_finish(why, report);
	return ret ? ret : write_calls(report);
}

static void why_format_destroy(struct report *report)
{
	why_destroy(report->state);
}

const struct report_format report_why = {
	.name = "why",
	.description =
		"where the time of the slowest calls went, and who ended each of their sleeps",
	.begin = why_begin,
	.every = why_every,
	.event = why_event,
	.end = why_end,
	.destroy = why_format_destroy,
};
