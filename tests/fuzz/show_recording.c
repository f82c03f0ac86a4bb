/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show_recording.c - read a recording as a user does: all of it, in all forms */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include <kcatch_recording.h>
#include "fuzz.h"
#include "render.h"
#include "report.h"
#include "show_recording.h"

#define ROWS 100

static void make_options(const struct show_options *from, struct render_options *view)
{
	*view = (struct render_options){
		.arguments = true, .deep = from->view & 1, .verbose = from->view & 2,
		.groups = from->view & 4, .depth = from->view & 8 ? 2 : 0,
	};
}

/* What is not shown: registers of user mode, and numbers behind the last one. */
static void ask_more(struct kcatch_session *session, const struct kcatch_event *event)
{
	const struct kcatch_value *value;
	struct kcatch_watch_hit hit;
	struct kcatch_frame frame;

	kcatch_session_watch_hit(session, &hit);
	FUZZ_CHECK(kcatch_session_frame(session, event->nr_frames, &frame) < 0, "a frame too many");
	FUZZ_CHECK(kcatch_session_arg(session, event->nr_args, &value) < 0, "an argument too many");
}

/* An event in both forms; what programs read is JSON. */
static void show_event(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
		       const struct render_options *view)
{
	const struct kcatch_probe *probe;
	struct json_object *object;
	char *text = NULL;
	size_t length;
	FILE *json = open_memstream(&text, &length);

	FUZZ_CHECK(json, "no memory");
	render_text.event(out, session, event, view);
	if (!kcatch_session_probe(session, event->probe, &probe))
		render_call(out, session, event, probe, view, 4);
	render_json.event(json, session, event, view);
	fclose(json);
	object = json_tokener_parse(text);
	FUZZ_CHECK(object || !length, "no JSON: %s", text);
	json_object_put(object);
	free(text);
	ask_more(session, event);
}

/* The counters, as a summary shows them. */
static void show_end(struct kcatch_session *session, const struct render_options *view)
{
	struct outcome outcome = { .end = "count" };
	const struct kcatch_recording_info *info = kcatch_session_recording(session);
	struct kcatch_totals totals;
	const char *path = NULL;
	uint64_t done, all, id;
	uint32_t cpu;

	kcatch_recording_damage(session);
	kcatch_recording_progress(session, &done, &all);
	FUZZ_CHECK(done <= all, "read more than there is");
	for (cpu = 0; cpu <= info->nr_cpus; cpu++)
		kcatch_session_cpu_totals(session, cpu, &totals);
	for (id = 0; id < 100; id += 7)
		FUZZ_CHECK(kcatch_session_cgroup(session, id, &path) || *path,
			   "a cgroup without a path");
	if (kcatch_session_totals(session, &outcome.totals))
		return;
	render_text.summary(session, &outcome, view);
	render_json.summary(session, &outcome, view);
}

static void show_events(FILE *out, const char *directory, const struct render_options *view)
{
	const struct kcatch_event *event;
	struct kcatch_session *session;
	int ret = kcatch_recording_open(directory, &session);

	if (ret) {
		FUZZ_CHECK(*kcatch_error_text(), "no word on why it cannot be read");
		return;
	}
	while ((ret = kcatch_session_next(session, &event)) > 0)
		show_event(out, session, event, view);
	show_end(session, view);
	kcatch_session_close(session);
}

static void make_report(FILE *out, const char *directory, const struct report_options *options)
{
	struct report report = { .options = options, .out = out };

	if (kcatch_recording_open(directory, &report.session))
		return;
	if (!report_filter_init(&report))
		report_run(&report);
	kcatch_filter_destroy(report.condition);
	kcatch_session_close(report.session);
}

void show_recording(const char *directory, const char *condition,
		    const struct show_options *options)
{
	struct report_options report = {
		.rows = ROWS, .min_share = 10, .title = "fuzz", .directory = "fuzz", .calls = 3,
		.chain = true
	};
	FILE *out = fopen("/dev/null", "w");
	size_t i, nr;

	FUZZ_CHECK(out, "no /dev/null");
	make_options(options, &report.view);
	show_events(out, directory, &report.view);
	for (nr = 0; report_formats[nr]; nr++) {
		report.format = report_formats[nr];
		if (options->reports % 4 == 0)
			make_report(out, directory, &report);
	}
	for (i = 0; i < FIELD_COUNT; i++)
		report.fields[report.nr_fields++] = (enum report_field)i;
	report.format = report_formats[options->format % nr];
	report.filter.condition = condition;
	report.filter.failing = options->view & 16;
	report.callees = options->view & 32;
	report.by_time = options->view & 64;
	report.no_comm = options->view & 128;
	report.json = options->view & 16;
	make_report(out, directory, &report);
	fclose(out);
}
