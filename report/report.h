/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - reports of a recording: one pass over its events, one file a format
 *
 * A format sees each event that the filter lets through once, in the order of time, and
 * keeps what it needs: never the events themselves but sums, so that memory is bounded by
 * what is different in a recording, and by the limits below where that is too much. What
 * a limit left out is counted and said in the report.
 *
 * Where events come from is the library's session interface alone (kcatch.h).
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <kcatch.h>
#include <kcatch_recording.h>

#include "losses.h"
#include "render.h"

struct report;

enum report_field {
	FIELD_TIME, FIELD_CPU, FIELD_PID, FIELD_TID, FIELD_COMM, FIELD_CONTEXT, FIELD_EVENT,
	FIELD_ARGS, FIELD_RET, FIELD_LATENCY, FIELD_CALLER, FIELD_STACK, FIELD_COUNT,
};

/**
 * struct report_filter - which events are reported; zeroed: all
 * @patterns: of names, any of them; "function" or "module:function"
 * @nr_patterns: how many
 * @pid: process; 0: any
 * @comm: pattern of the command; NULL: any
 * @cpus: list such as "0,2-3"; NULL: any
 * @since_ns: not before; @since_relative: counted from the first event
 * @until_ns: not from there on; 0: to the end
 * @since_relative: see @since_ns
 * @until_relative: the same for @until_ns
 * @failing: only calls that failed
 * @slower_ns: only calls that took as long; 0: all
 * @condition: in the language of conditions; NULL: none
 */
struct report_filter {
	const char **patterns;
	size_t nr_patterns;
	uint32_t pid;
	const char *comm;
	const char *cpus;
	uint64_t since_ns;
	uint64_t until_ns;
	bool since_relative;
	bool until_relative;
	bool failing;
	uint64_t slower_ns;
	const char *condition;
};

/**
 * struct report_format - a kind of report
 * @name: for --format
 * @description: one line
 * @binary: nothing for a terminal
 * @begin: before the first event: make report->state; NULL: nothing to do
 * @event: an event that the filter let through
 * @end: all events are seen and report->losses is set: write what is left
 * @destroy: forget report->state, which may be NULL
 *
 * All but @destroy return 0 or -errno with an error text.
 */
struct report_format {
	const char *name;
	const char *description;
	bool binary;
	int (*begin)(struct report *report);
	int (*event)(struct report *report, const struct kcatch_event *event);
	int (*end)(struct report *report);
	void (*destroy)(struct report *report);
};

extern const struct report_format report_text, report_json, report_tree, report_folded,
	report_flame, report_html, report_perfetto, report_pprof, report_stats;

/* All of them, with a NULL at the end. */
extern const struct report_format *const report_formats[];

/**
 * struct report_options - what is asked for
 * @format: which report
 * @filter: of which events
 * @view: of text and json: what is shown of an event
 * @fields: of text: which, in this order
 * @nr_fields: how many; 0: lines as kcatch shows them
 * @no_stack: of text: without stacks
 * @callees: of tree: from the outermost function down
 * @by_time: of tree, folded, flame: weighted by time
 * @no_comm: of folded, flame: commands make no difference
 * @rows: of html: events in its table
 * @min_share: of tree: leave out branches below this share, in 1/10000
 * @title: what is reported, for a heading
 */
struct report_options {
	const struct report_format *format;
	struct report_filter filter;
	struct render_options view;
	enum report_field fields[FIELD_COUNT];
	size_t nr_fields;
	bool no_stack;
	bool callees;
	bool by_time;
	bool no_comm;
	uint64_t rows;
	unsigned int min_share;
	const char *title;
};

/**
 * struct report - one that is being made
 * @options: what is asked for
 * @session: the recording
 * @out: where to
 * @state: the format's own
 * @events: seen so far
 * @reported: of them let through by the filter
 * @first_ns: time of the first event of the recording
 * @last_ns: of the last
 * @from_ns: time of the first that was let through
 * @to_ns: of the last
 * @losses: at the end: the recording's counters, and what it lacks
 * @progress: is called now and then; true ends the pass early. NULL: nobody asks
 * @interrupted: it did
 * @failed: the event at hand: 1 it failed, 0 not, -1 not looked at yet
 * @condition: of report_filter_init(); NULL: none
 * @undecided: events that it could not be tried with, and that were left out
 */
struct report {
	const struct report_options *options;
	struct kcatch_session *session;
	FILE *out;
	void *state;
	uint64_t events;
	uint64_t reported;
	uint64_t first_ns;
	uint64_t last_ns;
	uint64_t from_ns;
	uint64_t to_ns;
	struct losses losses;
	bool (*progress)(const struct report *report);
	bool interrupted;
	int failed;
	struct kcatch_filter *condition;
	uint64_t undecided;
};

/**
 * report_format_find - by its name
 * @name: the name
 *
 * Return: the format, NULL.
 */
const struct report_format *report_format_find(const char *name);

/**
 * report_run - make a report
 * @report: zeroed but for options, session, out and progress
 *
 * Return: 0 or -errno with an error text.
 */
int report_run(struct report *report);

/**
 * report_losses - a sentence on what the recording lacks
 * @report: after its pass
 * @text: "nothing was lost", "lost: 12 events (ring full), 3 returns"
 * @room: bytes at @text; 400 suffice
 *
 * Return: @text.
 */
const char *report_losses(const struct report *report, char *text, size_t room);

/**
 * report_event_name - "vfs_read", "ovl_open [overlay]", "sched:sched_switch"
 * @report: the report
 * @number: of the probe
 * @text: room for it
 * @room: bytes at @text; what does not fit is cut
 *
 * Bytes are as they were: escape them.
 *
 * Return: @text.
 */
const char *report_event_name(struct report *report, uint32_t number, char *text, size_t room);

/**
 * report_event_failed - did the call at hand fail
 * @report: the report
 * @event: the event at hand
 *
 * Return: whether its return was seen, and was an error.
 */
bool report_event_failed(struct report *report, const struct kcatch_event *event);

/* filter.c */

/**
 * report_filter_init - read the condition, and see whether the recording can answer it
 * @report: the report, whose @condition is to be given to kcatch_filter_destroy()
 *
 * Return: 0 or -errno with an error text.
 */
int report_filter_init(struct report *report);

/**
 * report_filter_passes - is that event wanted
 * @report: the report
 * @event: the event at hand
 *
 * Return: 1, 0, -errno.
 */
int report_filter_passes(struct report *report, const struct kcatch_event *event);

/**
 * report_pattern_unknown - a name that was asked for and that no probe has
 * @report: the report
 * @text: the nearest names: "vfs_read or vfs_readv"; "" when nothing is near
 * @room: bytes at @text
 *
 * Return: the name; NULL: each is there, or is a pattern.
 */
const char *report_pattern_unknown(const struct report *report, char *text, size_t room);

/**
 * report_cpus_valid - is that a list of CPUs
 * @list: "0,2-3"
 *
 * Return: whether it is.
 */
bool report_cpus_valid(const char *list);

/* value_line.c */

/**
 * report_print_args - the arguments of the event at hand: "fd=3, buf=0x7f..."
 * report_print_return - what it returned, or in brackets why that is not known
 * @out: where to
 * @report: the report
 * @event: the event
 *
 * Return: 0 or -errno.
 */
int report_print_args(FILE *out, struct report *report, const struct kcatch_event *event);
int report_print_return(FILE *out, struct report *report, const struct kcatch_event *event);

/* escape.c: names from outside in the formats' own syntax */

/**
 * report_write_xml - text for XML and HTML
 * report_write_json - text inside a JSON string, fit for a <script> as well
 * @out: where to
 * @text: any bytes; what is not UTF-8 or no character there becomes U+FFFD
 * @length: how many
 */
void report_write_xml(FILE *out, const char *text, size_t length);
void report_write_json(FILE *out, const char *text, size_t length);

/* assets.c: files of report/assets, with an end mark */
extern const char report_asset_flame_js[], report_asset_page_html[];

#endif
