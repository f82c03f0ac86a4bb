/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - reports of a recording: one pass over its events, one file per format
 *
 * A format gets each event that passes the filter once, in the order of time. It keeps sums
 * and not the events, so memory depends on the number of different functions, stacks and
 * threads, and each format limits that number. The report says how much a limit left out.
 *
 * Events come from the library's session interface (kcatch.h), and from nothing else.
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

/* The columns of --fields. */
enum report_field {
	FIELD_TIME, FIELD_CPU, FIELD_PID, FIELD_TID, FIELD_COMM, FIELD_CONTEXT, FIELD_EVENT,
	FIELD_ARGS, FIELD_RET, FIELD_LATENCY, FIELD_CALLER, FIELD_STACK, FIELD_CGROUP, FIELD_COUNT,
};

/**
 * struct report_filter - which events are reported: those that pass all members; zeroed: all
 * @patterns: patterns of names, "function" or "module:function"; one of them must match
 * @nr_patterns: number of entries in @patterns; 0: any name
 * @pid: process; 0: any
 * @comm: pattern of the command's name; NULL: any
 * @cpus: list such as "0,2-3"; NULL: any
 * @since_ns: events from this time on, nanoseconds
 * @until_ns: events before this time, nanoseconds; 0: to the end
 * @since_relative: @since_ns counts from the first event, not as CLOCK_MONOTONIC
 * @until_relative: the same for @until_ns
 * @failing: only calls that failed
 * @slower_ns: only calls with at least this latency, nanoseconds; 0: any
 * @condition: an expression of kcatch-condition(7); NULL: none
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

struct stacks;
struct report_helper;

/**
 * struct report_format - a format of reports
 * @name: the name for --format
 * @description: one line for the list of formats
 * @binary: must not be written to a terminal
 * @user_stacks: events have their user stacks in @event, and not yet in @every
 * @begin: called before the first event, allocates report->state; may be NULL
 * @every: called for each event, before the filter; NULL: none is of use but those that pass
 * @event: called for each event that passes the filter
 * @end: called after the last event, with report->losses set; writes the rest. May be NULL
 * @destroy: frees report->state, which may be NULL; called even after an error. May be NULL
 * @stacks: the tree that is drawn in the end, between @begin and @end; NULL: none is
 * @forget: frees what the calling thread keeps between calls of @event. If it is set, @event
 *	depends on no other event, so a second thread may write some; NULL: it may not
 *
 * @begin, @every, @event and @end return 0, or -errno with an error text.
 */
struct report_format {
	const char *name;
	const char *description;
	bool binary;
	bool user_stacks;
	int (*begin)(struct report *report);
	int (*every)(struct report *report, const struct kcatch_event *event);
	int (*event)(struct report *report, const struct kcatch_event *event);
	int (*end)(struct report *report);
	void (*destroy)(struct report *report);
	struct stacks *(*stacks)(struct report *report);
	void (*forget)(void);
};

extern const struct report_format report_text, report_json, report_rows, report_tree, report_folded,
	report_flame, report_html, report_perfetto, report_pprof, report_stats, report_why;

/* All formats, NULL at the end. */
extern const struct report_format *const report_formats[];

/**
 * struct report_options - the parameters of a report
 * @format: the format
 * @filter: which events are reported
 * @view: text, json: what is shown of an event
 * @fields: text: the columns, in this order
 * @nr_fields: text: number of entries in @fields; 0: whole events, one line each
 * @no_stack: text: no stacks
 * @callees: tree: from the outermost function down
 * @by_time: tree, folded, flame: weigh by time, not by number of events
 * @sum_of: flame, pprof, of counts: the expression whose sum stands in place of a stack's time;
 *	NULL: a time
 * @sum_unit: its unit
 * @no_comm: folded, flame, html: do not tell commands apart
 * @rows: html: limit of events in its table
 * @directory: html: the recording, as a command names it
 * @calls: why: how many, the slowest
 * @chain: why: what those that woke had waited for, too
 * @json: why: an object a call
 * @min_share: tree: leave out branches below this share, in 1/10000
 * @title: heading of the report
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
	const char *sum_of;
	enum kcatch_count_unit sum_unit;
	bool no_comm;
	uint64_t rows;
	uint64_t calls;
	bool chain;
	bool json;
	const char *directory;
	unsigned int min_share;
	const char *title;
};

/**
 * struct report - a report that is being made
 * @options: the parameters
 * @session: the recording
 * @second: the same recording, opened again, for a second thread; NULL: one thread makes the report
 * @out: the output
 * @state: private to the format
 * @events: number of events read so far
 * @reported: number of events that passed the filter
 * @first_ns: time of the first event that was read, CLOCK_MONOTONIC like all times here
 * @last_ns: latest time of an event that was read
 * @from_ns: earliest time of an event that passed the filter
 * @to_ns: latest time of an event that passed the filter
 * @losses: what the recording lost; valid in @end
 * @progress: called every few thousand events; returns true to end the pass. May be NULL
 * @interrupted: @progress ended the pass
 * @failed: whether the current call failed: 1, 0, or -1: not evaluated yet
 * @condition: the compiled condition, see report_filter_init(); NULL: none
 * @undecided: number of events left out because the condition could not be evaluated for them
 * @helper: the second thread; NULL: there is none
 */
struct report {
	const struct report_options *options;
	struct kcatch_session *session;
	struct kcatch_session *second;
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
	struct report_helper *helper;
};

/**
 * report_format_find - find a format by its name
 * @name: the name
 *
 * Return: the format; NULL: there is none of that name.
 */
const struct report_format *report_format_find(const char *name);

/**
 * report_run - read the recording and write the report
 * @report: options, session, second, out, progress and condition are set, the others zero
 *
 * A write error of @out ends the report with 0: check ferror().
 *
 * Return: 0, or -errno with an error text.
 */
int report_run(struct report *report);

/**
 * report_losses - describe in a sentence what the recording lost, see losses_text()
 * @report: the report, after all events
 * @text: set to the sentence
 * @room: size of @text, bytes; LOSSES_TEXT suffices
 *
 * Return: @text.
 */
const char *report_losses(const struct report *report, char *text, size_t room);

/**
 * report_event_name - name a probe: "vfs_read", "ovl_open [overlay]", "sched:sched_switch"
 * @report: the report
 * @number: the probe's number
 * @text: set to the name, untrusted and not escaped
 * @room: size of @text, bytes; a longer name is cut
 *
 * Return: @text.
 */
const char *report_event_name(struct report *report, uint32_t number, char *text, size_t room);

/**
 * report_event_failed - check whether the current call failed
 * @report: the report
 * @event: the session's current event
 *
 * Return: whether its return was recorded and value_is_failure() holds for the value.
 */
bool report_event_failed(struct report *report, const struct kcatch_event *event);

/**
 * report_take - take an event: count it, and write it if it passes the filter
 * @report: the report
 * @event: the session's current event
 * @written: it is another thread's to filter and to write: only its time is taken
 *
 * Return: 0, or -errno with an error text.
 */
int report_take(struct report *report, const struct kcatch_event *event, bool written);

/* helper.c */

/**
 * report_helper_start - let a second thread write every other batch of events
 * @report: the report, before the first event; its @helper is set unless @second is NULL, the
 *	format's @event depends on other events, or there can be no thread
 *
 * Return: 0, or -errno with an error text.
 */
int report_helper_start(struct report *report);

/**
 * report_helper_writes - whether the next event is the second thread's to write
 * @report: the report
 */
bool report_helper_writes(const struct report *report);

/**
 * report_helper_fetch - write what the second thread made, if a batch of its own has passed
 * @report: the report, behind an event
 * @at_end: no event follows
 *
 * Waits for the second thread.
 *
 * Return: 0, or -errno with an error text.
 */
int report_helper_fetch(struct report *report, bool at_end);

/**
 * report_helper_stop - end the second thread
 * @report: the report; its @helper becomes NULL
 */
void report_helper_stop(struct report *report);

/* filter.c */

/**
 * report_filter_init - compile the filter's condition for this recording
 * @report: its @condition is set, to be freed with kcatch_filter_destroy()
 *
 * Return: 0, or -errno with an error text: a syntax error, or the recording lacks a name.
 */
int report_filter_init(struct report *report);

/**
 * report_wanted_name - the value of the name `event` for a probe
 * @arg: the report
 * @number: the probe's number
 *
 * Return: the name, valid until the next call; NULL: the filter's patterns leave the probe out, or
 * the recording does not describe it.
 */
const char *report_wanted_name(void *arg, uint32_t number);

/**
 * report_filter_passes - check an event against the filter
 * @report: the report; its @undecided may be increased
 * @event: the session's current event
 *
 * Return: 1: it passes; 0: it does not; -errno with an error text.
 */
int report_filter_passes(struct report *report, const struct kcatch_event *event);

/**
 * report_filter_print - write the filter as options of kcatch report, but for its times
 * @filter: the filter
 * @out: the output
 */
void report_filter_print(const struct report_filter *filter, FILE *out);

/**
 * report_pattern_unknown - find a name in the filter that no probe has
 * @report: the report
 * @text: set to the nearest names, "vfs_read or vfs_readv"; "": none is near
 * @room: size of @text, bytes
 *
 * Return: the name; NULL: every name is a probe's, or contains a wildcard.
 */
const char *report_pattern_unknown(const struct report *report, char *text, size_t room);

/**
 * report_pattern_unknown_text - what to say of the name that report_pattern_unknown() returned
 * @report: the report
 *
 * Return: "no function or event of the recording is called", or, since a recording of very many
 * functions has the names of those that were hit alone, "... that was hit is called"; the name
 * follows.
 */
const char *report_pattern_unknown_text(const struct report *report);

/**
 * report_cpus_valid - check the syntax of a list of CPUs
 * @list: a list such as "0,2-3"
 *
 * Return: whether it is valid.
 */
bool report_cpus_valid(const char *list);

/* value_line.c */

/**
 * report_print_args - write the arguments of an event: "fd=3, buf=0x7f..."
 * @out: the output
 * @report: the report
 * @event: the session's current event
 *
 * Return: 0, or -errno with an error text.
 */
int report_print_args(FILE *out, struct report *report, const struct kcatch_event *event);

/**
 * report_print_return - write what a call returned, or in parentheses why that is not known
 * @out: the output
 * @report: the report
 * @event: the session's current event
 *
 * Return: 0, or -errno with an error text.
 */
int report_print_return(FILE *out, struct report *report, const struct kcatch_event *event);

/* escape.c: untrusted names in the formats' syntax */

/**
 * report_write_xml - write untrusted text into XML or HTML, as text or quoted attribute
 * @out: the output
 * @text: any bytes; control characters and bytes that are not UTF-8 become U+FFFD
 * @length: number of bytes
 */
void report_write_xml(FILE *out, const char *text, size_t length);

/**
 * report_write_json - write untrusted text into a JSON string, also inside a <script>
 * @out: the output
 * @text: any bytes; bytes that are not UTF-8 become U+FFFD
 * @length: number of bytes
 */
void report_write_json(FILE *out, const char *text, size_t length);

/**
 * report_write_shell - write a word so that a shell takes it as it is
 * @out: the output
 * @word: the word
 */
void report_write_shell(FILE *out, const char *word);

/* assets.c: the files of report/assets/, terminated by '\0' */
extern const char report_asset_flame_js[], report_asset_page_html[];

#endif
