/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass.c - the pass over a recording's events, shared by all formats
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_history.h>
#include <kcatch_text.h>
#include "report.h"
#include "value_text.h"

#define LOOK_EVERY 4096	/* events between two calls of @progress */

const struct report_format *const report_formats[] = {
	&report_text, &report_json, &report_rows, &report_tree, &report_folded, &report_flame,
	&report_html, &report_perfetto, &report_pprof, &report_stats, &report_why, NULL
};

const struct report_format *report_format_find(const char *name)
{
	size_t i;

	for (i = 0; report_formats[i]; i++) {
		if (!strcmp(report_formats[i]->name, name))
			return report_formats[i];
	}
	return NULL;
}

/* A killed recording is not finished: how old, in seconds, may its counters be? */
static unsigned int unknown_seconds(const struct report *report)
{
	const struct kcatch_recording_info *info = kcatch_session_recording(report->session);

	return !info || info->finished ? 0 : info->counted_s;
}

const char *report_losses(const struct report *report, char *text, size_t room)
{
	return losses_text(&report->losses, unknown_seconds(report), text, room);
}

/* Append @more to the text, which ends at @at, as far as there is room. Return: the new end. */
static size_t append(char *text, size_t at, size_t room, const char *more)
{
	size_t length = strlen(more);

	if (!room)
		return at;
	if (length > room - 1 - at)
		length = room - 1 - at;
	memcpy(text + at, more, length);
	text[at + length] = '\0';
	return at + length;
}

const char *report_event_name(struct report *report, uint32_t number, char *text, size_t room)
{
	const struct kcatch_probe *probe;
	char digits[24];
	size_t at = 0;
	bool event;

	if (kcatch_session_probe(report->session, number, &probe)) {
		snprintf(text, room, "probe %" PRIu32, number);
		return text;
	}
	event = probe->mechanism == KCATCH_BY_TRACEPOINT || probe->mechanism == KCATCH_BY_EVENT;
	if (probe->function && event && probe->module) {
		at = append(text, at, room, probe->module);
		at = append(text, at, room, ":");
	}
	if (!probe->function)
		value_text_address(probe->address, digits, sizeof(digits));
	at = append(text, at, room, probe->function ? probe->function : digits);
	if (probe->offset) {
		snprintf(digits, sizeof(digits), "+0x%x", probe->offset);
		at = append(text, at, room, digits);
	}
	if (probe->which)
		at = append(text, at, room, probe->which);
	if (probe->module && !event) {
		at = append(text, at, room, " [");
		at = append(text, at, room, probe->module);
		append(text, at, room, "]");
	}
	return text;
}

bool report_event_failed(struct report *report, const struct kcatch_event *event)
{
	const struct kcatch_value *value;

	if (report->failed < 0)
		report->failed = event->returned == KCATCH_RETURN_SEEN &&
				 !kcatch_session_return_value(report->session, &value) &&
				 value_is_failure(value);
	return report->failed;
}

int report_take(struct report *report, const struct kcatch_event *event, bool written)
{
	int ret;

	report->failed = -1;
	if (!report->events++)
		report->first_ns = report->last_ns = event->time_ns;
	/* A call is read when it has returned, so the times of entries are not quite in order. */
	if (event->time_ns > report->last_ns)
		report->last_ns = event->time_ns;
	if (written)
		return 0;
	ret = report->options->format->every ? report->options->format->every(report, event) : 0;
	if (ret)
		return ret;
	ret = report_filter_passes(report, event);
	if (ret <= 0)
		return ret;
	if (!report->reported++)
		report->from_ns = report->to_ns = event->time_ns;
	if (event->time_ns < report->from_ns)
		report->from_ns = event->time_ns;
	if (event->time_ns > report->to_ns)
		report->to_ns = event->time_ns;
	if (report->options->format->user_stacks) {
		ret = kcatch_recording_unwind_user(report->session);
		if (ret)
			return ret;
	}
	return report->options->format->event(report, event);
}

static int look_for_losses(struct report *report)
{
	const struct kcatch_recording_info *info = kcatch_session_recording(report->session);
	uint32_t cpu;

	for (cpu = 0; info && cpu < info->nr_cpus; cpu++) {
		report->losses.discarded += kcatch_recording_cpu_discarded(report->session, cpu);
		report->losses.missing += kcatch_recording_cpu_missing(report->session, cpu);
	}
	return losses_of_session(&report->losses, report->session);
}

/* 1: the output cannot be written: the caller reports it when it closes the file. */
static int read_all(struct report *report)
{
	const struct kcatch_event *event;
	char error[1000];
	int ret;

	while ((ret = kcatch_session_next(report->session, &event)) > 0) {
		ret = report_take(report, event, report_helper_writes(report));
		if (!ret)
			ret = report_helper_fetch(report, false);
		if (ret)
			return ret;
		if (ferror(report->out))
			return 1;
		if (report->progress && !(report->events % LOOK_EVERY) &&
		    report->progress(report)) {
			report->interrupted = true;
			return 0;
		}
	}
	if (ret < 0) {
		/* What precedes the error is written, too. */
		snprintf(error, sizeof(error), "%s", kcatch_error_text());
		report_helper_fetch(report, true);
		return kcatch_error_set(-ret, "%s", error);
	}
	return report_helper_fetch(report, true);
}

static int run(struct report *report)
{
	const struct report_format *format = report->options->format;
	int ret = format->begin ? format->begin(report) : 0;

	kcatch_recording_defer_user(report->session);
	if (report->second)
		kcatch_recording_defer_user(report->second);
	if (!ret)
		ret = report_helper_start(report);
	if (!ret)
		ret = read_all(report);
	report_helper_stop(report);
	if (ret)
		return ret < 0 ? ret : 0;
	ret = look_for_losses(report);
	if (ret)
		return ret;
	return format->end ? format->end(report) : 0;
}

int report_run(struct report *report)
{
	int ret = run(report);

	if (report->options->format->destroy)
		report->options->format->destroy(report);
	report->state = NULL;
	return ret;
}
