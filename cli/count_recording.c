/* SPDX-License-Identifier: GPL-2.0-or-later */
/* count_recording.c - kcatch count -i DIR: counts the events of a recording */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_recording.h>

#include "command.h"
#include "count.h"
#include "interrupt.h"
#include "judge.h"
#include "report.h"
#include "session_open.h"
#include "stdout.h"
#include "words.h"

/* Events that passed the filters, and were not counted. */
struct uncounted {
	uint64_t lacking;	/* the record lacks a value */
	uint64_t left_out;	/* a key does not apply to the function or event */
};

static int refuse(const struct count_options *options)
{
	const struct options *shared = &options->shared;
	const char *name = shared->count ? "-n" : shared->time_ns ? "-t" :
			   shared->request.depth ? "--depth" :
			   options->count.table_size ? "--size" :
			   options->interval_ns ? "-d" : NULL;
	const char *cgroup = shared->request.cgroup;
	int length = cgroup ? (int)strlen(cgroup) : 0;

	while (length && cgroup[length - 1] == '/')
		length--;
	if (name)
		say("%s is about calls that are made now; a recording is read to its end", name);
	if (length)
		say("--cgroup is about calls that are made now; give a condition: "
		    "'cgroup == \"%.*s\" || cgroup ~ \"%.*s/*\"'", length, cgroup, length, cgroup);
	else if (cgroup)
		say("--cgroup is about calls that are made now; give a condition: 'cgroup ~ \"/*\"'");
	return name || shared->request.cgroup ? STATUS_ERROR : -1;
}

int count_recording_words(struct count_options *options, char **words, size_t nr)
{
	struct kcatch_request *request = &options->shared.request;
	int status = refuse(options);
	size_t i;

	for (i = 0; i < request->nr_events && status < 0; i++)
		status = options_add_name(&options->patterns, &options->nr_patterns,
					  request->events[i]);
	for (i = 0; i < nr && status < 0; i++) {
		if (!word_is_condition(words[i])) {
			status = options_add_name(&options->patterns, &options->nr_patterns,
						  words[i]);
		} else if (request->condition) {
			say("two conditions: %s and %s; join them with && or ||",
			    quoted(request->condition), quoted(words[i]));
			status = STATUS_ERROR;
		} else {
			request->condition = words[i];
		}
	}
	/* For the title of a picture. */
	request->functions = options->patterns;
	request->nr_functions = options->nr_patterns;
	request->nr_events = 0;
	return status;
}

static int take_event(struct report *report, const struct kcatch_event *event)
{
	struct uncounted *uncounted = report->state;
	int ret = kcatch_recording_count_event(report->session);

	(void)event;
	uncounted->lacking += !ret;
	uncounted->left_out += ret == KCATCH_COUNT_LEFT_OUT;
	return ret < 0 ? ret : 0;
}

static const struct report_format counting = { .name = "count", .event = take_event };

static bool is_interrupted(const struct report *report)
{
	(void)report;
	return signals_came();
}

/* The terms of the equation: what the filters refused was filtered. */
static struct kcatch_totals terms_of(const struct report *report,
				     const struct uncounted *uncounted, uint64_t other)
{
	struct kcatch_totals totals = report->losses.totals;

	totals.filtered += report->events - report->reported - report->undecided +
			   uncounted->left_out;
	totals.undecided += report->undecided + uncounted->lacking;
	totals.missed += totals.lost + report->losses.missing;
	totals.recorded = report->reported - uncounted->lacking - uncounted->left_out - other;
	totals.lost = other;
	return totals;
}

static int judge_recording(const struct report *report, const struct kcatch_counts *counts,
			   const struct uncounted *uncounted)
{
	const struct kcatch_recording_info *info = kcatch_session_recording(report->session);
	uint64_t lacking = report->undecided + uncounted->lacking, left_out = uncounted->left_out;
	uint64_t other = judge_counts_other(counts);
	char losses[LOSSES_TEXT], near[300];
	const char *unknown = report_pattern_unknown(report, near, sizeof(near));
	int status = judge_status(&report->losses, counts->total);

	if (unknown)
		say("%s %s%s%s%s", report_pattern_unknown_text(report), quoted(unknown),
		    *near ? "; is it " : "", near, *near ? "?" : "");
	if (left_out)
		say("%" PRIu64 " event%s left out: a key or value does not apply to %s", left_out,
		    left_out == 1 ? " is" : "s are",
		    left_out == 1 ? "its function" : "their functions");
	if (lacking)
		say("%" PRIu64 " event%s not counted: the recording lacks what the condition or a key "
		    "needs of %s (a text that is cut, a call that had not returned)", lacking,
		    lacking == 1 ? " is" : "s are", lacking == 1 ? "it" : "them");
	if (other)
		say("%" PRIu64 " event%s counted as (other): there are too many keys", other,
		    other == 1 ? " is" : "s are");
	if (losses_any(&report->losses) || (info && !info->finished))
		say("%s", report_losses(report, losses, sizeof(losses)));
	if (report->interrupted)
		say("interrupted: this is the count of the first %" PRIu64 " events",
		    report->events);
	if (report->interrupted)
		return STATUS_ERROR;
	if (!counts->total)
		say("no event was counted");
	return lacking || other ? STATUS_LOSSES : status;
}

static int run(struct count *count, struct report *report)
{
	struct uncounted uncounted = { .lacking = 0 };
	const struct kcatch_recording_info *info = kcatch_session_recording(report->session);
	const struct kcatch_counts *counts;
	struct kcatch_totals totals;

	report->state = &uncounted;
	if (report_filter_init(report) ||
	    kcatch_recording_count(report->session, &count->options.count, report_wanted_name,
				   report))
		return -1;
	session_say_notes(report->session);
	if (report_run(report) || kcatch_session_count(report->session, &counts))
		return -1;
	totals = terms_of(report, &uncounted, judge_counts_other(counts));
	count->follow.started_ns = report->from_ns;
	count->ended_ns = report->to_ns;
	if (count_print(count, counts, &report->losses))
		return -1;
	if (count->options.shared.json)
		count_print_summary(
			&totals, counts, report->interrupted ? "interrupt" : "recording",
			!report->interrupted && (!info || (info->finished && !info->snapshot)),
			NULL);
	return stdout_flush() ? judge_recording(report, counts, &uncounted) : STATUS_ERROR;
}

int count_recording(struct count *count)
{
	const struct kcatch_request *request = &count->options.shared.request;
	const struct report_options options = {
		.format = &counting,
		.filter = { .patterns = count->options.patterns,
			    .nr_patterns = count->options.nr_patterns, .pid = request->pid,
			    .comm = request->comm, .condition = request->condition },
	};
	struct report report = { .options = &options, .out = stdout, .progress = is_interrupted };
	int status = -1;

	signals_init();
	if (!kcatch_recording_open(count->options.recording, &count->follow.session)) {
		report.session = count->follow.session;
		status = run(count, &report);
	}
	if (status < 0)
		say("%s", kcatch_error_text());
	kcatch_filter_destroy(report.condition);
	return status < 0 ? STATUS_ERROR : status;
}
