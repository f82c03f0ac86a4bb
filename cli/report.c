/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - kcatch report: read a recording and write a report in one of several formats
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <libgen.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <kcatch.h>
#include <kcatch_text.h>
#include <report.h>

#include "command.h"
#include "interrupt.h"
#include "judge.h"
#include "options.h"
#include "session_open.h"
#include "stdout.h"

#define ROWS 5000U	/* default of --rows */
#define CALLS_MAX 1000U	/* of -n */
#define PROGRESS_MS 500
#define TWO_THREADS_BYTES (8U << 20)	/* of a recording: smaller ones are read at once */

struct command_line {
	struct options shared;
	struct report_options options;
	const char *directory;
	const char *vmcore;
};

static int unknown_format(const char *name)
{
	size_t i;

	say("no format %s; there are:", quoted(name));
	for (i = 0; report_formats[i]; i++)
		fprintf(stderr, "  %-9s %s\n", report_formats[i]->name,
			report_formats[i]->description);
	return STATUS_ERROR;
}

static void say_unknown(const char *option, const char *what, const char *name, const char *near)
{
	say("%s: %s %s%s%s%s", option, what, quoted(name), *near ? "; is it " : "", near,
	    *near ? "?" : "");
}

static int take_fields(const struct option_rule *rule, const char *text, void *target)
{
	static const char *const names[FIELD_COUNT] = {
		[FIELD_TIME] = "time",       [FIELD_CPU] = "cpu",       [FIELD_PID] = "pid",
		[FIELD_TID] = "tid",         [FIELD_COMM] = "comm",     [FIELD_CONTEXT] = "context",
		[FIELD_EVENT] = "event",     [FIELD_ARGS] = "args",     [FIELD_RET] = "ret",
		[FIELD_LATENCY] = "latency", [FIELD_CALLER] = "caller", [FIELD_STACK] = "stack",
		[FIELD_CGROUP] = "cgroup",
	};
	struct report_options *options = &((struct command_line *)target)->options;
	struct kcatch_suggest suggest;
	unsigned char given[FIELD_COUNT];
	char name[64], near[200];
	size_t length, i;

	for (options->nr_fields = 0; ; text += length + 1) {
		length = strcspn(text, ",");
		snprintf(name, sizeof(name), "%.*s",
			 (int)(length < sizeof(name) ? length : sizeof(name)), text);
		kcatch_suggest_init(&suggest, name);
		for (i = 0; i < FIELD_COUNT && strcmp(names[i], name) != 0; i++)
			kcatch_suggest_offer(&suggest, names[i], strlen(names[i]));
		if (i == FIELD_COUNT) {
			kcatch_suggest_format(&suggest, near, sizeof(near));
			say_unknown("--fields", "there is no field", name, near);
			say("a list such as time,comm,event,args,ret; there are time cpu pid tid comm context event "
			    "args ret latency caller stack cgroup");
			return STATUS_ERROR;
		}
		if (memchr(given, (int)i, options->nr_fields))
			return option_refuse(rule, text);
		given[options->nr_fields] = (unsigned char)i;
		options->fields[options->nr_fields++] = (enum report_field)i;
		if (!text[length])
			return -1;
	}
}

/* "123.5" is a time as events show it; "+0.25" counts from the first event. */
static int parse_time(const struct option_rule *rule, const char *text, uint64_t *ns,
		      bool *relative)
{
	*relative = *text == '+';
	if (!option_seconds(text + *relative, ns) || (!*relative && !*ns))
		return option_refuse(rule, text);
	return -1;
}

static int take_since(const struct option_rule *rule, const char *value, void *target)
{
	struct report_filter *filter = &((struct command_line *)target)->options.filter;

	return parse_time(rule, value, &filter->since_ns, &filter->since_relative);
}

static int take_until(const struct option_rule *rule, const char *value, void *target)
{
	struct report_filter *filter = &((struct command_line *)target)->options.filter;
	int status = parse_time(rule, value, &filter->until_ns, &filter->until_relative);

	/* Nothing is before the first event; 0 is no limit. */
	return status < 0 && !filter->until_ns ? option_refuse(rule, value) : status;
}

static int take_slower(const struct option_rule *rule, const char *value, void *target)
{
	static const struct { const char *name; double ns; } units[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
	};
	uint64_t *slower = &((struct command_line *)target)->options.filter.slower_ns;
	char *end;
	double number = strtod(value, &end);
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]) && *value >= '0' && *value <= '9'; i++) {
		if (!strcmp(end, units[i].name) && number * units[i].ns < 1e18) {
			*slower = (uint64_t)(number * units[i].ns);
			if (!*slower)	/* 0 is no limit */
				break;
			return -1;
		}
	}
	return option_refuse(rule, value);
}

static int take_share(const struct option_rule *rule, const char *value, void *target)
{
	char *end;
	double share = strtod(value, &end);

	if (end == value || (*end && strcmp(end, "%") != 0) || !(share >= 0 && share <= 100))
		return option_refuse(rule, value);
	((struct command_line *)target)->options.min_share = (unsigned int)(share * 100 + 0.5);
	return -1;
}

static int take_format(const struct option_rule *rule, const char *value, void *target)
{
	struct command_line *line = target;

	(void)rule;
	line->options.format = report_format_find(value);
	return line->options.format ? -1 : unknown_format(value);
}

static int take_pattern(const struct option_rule *rule, const char *value, void *target)
{
	struct report_filter *filter = &((struct command_line *)target)->options.filter;

	(void)rule;
	return options_add_name(&filter->patterns, &filter->nr_patterns, value);
}

static int take_cpus(const struct option_rule *rule, const char *value, void *target)
{
	((struct command_line *)target)->options.filter.cpus = value;
	return report_cpus_valid(value) ? -1 : option_refuse(rule, value);
}

/* --callees, --callers */
static int take_direction(const struct option_rule *rule, const char *value, void *target)
{
	(void)value;
	((struct command_line *)target)->options.callees = !strcmp(rule->name, "callees");
	return -1;
}

static int check_formats(const struct report_options *options);

static int parse(int argc, char **argv, struct command_line *line)
{
	struct report_options *options = &line->options;
	int status;

	*line = (struct command_line){ .options = {
					       .format = &report_text,
					       .rows = ROWS,
					       .calls = 1,
					       .min_share = 10,
					       .view = { .arguments = true },
				       } };
	status = options_parse(&command_report, argc, argv, line);
	if (status >= 0)
		return status;
	if (argc - optind != 1) {
		say(optind == argc ? "report of what? For example: kcatch record -o /tmp/r -e 'sched:*' -t 1; "
		    "kcatch report /tmp/r --format stats" : "one recording at a time; see kcatch help report");
		return STATUS_ERROR;
	}
	line->directory = argv[optind];
	options->filter.pid = line->shared.request.pid;
	options->filter.condition = line->shared.request.condition;
	options->view.verbose = line->shared.verbose;
	options->json = line->shared.json;
	return check_formats(options);
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool progress_shown;

/*
 * One line, rewritten every PROGRESS_MS, when standard error is a terminal and the report goes
 * elsewhere. Return: whether a signal asked to stop.
 */
static bool progress(const struct report *report)
{
	static uint64_t started, last;
	uint64_t now = now_ms(), done = 0, all = 0;

	if (signals_came())
		return true;
	if (!started)
		started = last = now;
	if (!isatty(STDERR_FILENO) || isatty(STDOUT_FILENO) || now - last < PROGRESS_MS)
		return false;
	last = now;
	progress_shown = true;
	kcatch_recording_progress(report->session, &done, &all);
	if (all)
		fprintf(stderr, "\rkcatch: %3.0f %%, %" PRIu64 " events, %" PRIu64 " s\x1b[K",
			100.0 * (double)done / (double)all, report->events, (now - started) / 1000);
	else
		fprintf(stderr, "\rkcatch: %" PRIu64 " events, %" PRIu64 " s\x1b[K", report->events,
			(now - started) / 1000);
	return false;
}

/* Report filters that nothing matched, and events whose condition could not be decided. */
static void say_unmet(const struct report *report)
{
	const char *unknown;
	char near[300];

	if (report->undecided)
		say("--filter: %" PRIu64
		    " event%s left out: the recording lacks what the condition needs of %s (a text "
		    "that is cut, a call that had not returned)",
		    report->undecided, report->undecided == 1 ? " is" : "s are",
		    report->undecided == 1 ? "it" : "them");
	unknown = report_pattern_unknown(report, near, sizeof(near));
	if (unknown)
		say_unknown("-e", report_pattern_unknown_text(report), unknown, near);
	if (!report->events)
		say("no event is in the recording");
	else if (!report->reported)
		say("none of the %" PRIu64 " events of the recording passes the filters",
		    report->events);
}

/* Report what the recording lacks. Return: the exit status. */
static int sum_up(const struct report *report)
{
	const struct kcatch_recording_info *info = kcatch_session_recording(report->session);
	const char *damage = kcatch_recording_damage(report->session);
	const char *withheld = kcatch_recording_withheld(report->session);
	bool lossy = losses_any(&report->losses);
	char losses[LOSSES_TEXT];

	if (report->interrupted)
		say("interrupted: this is a report of the first %" PRIu64 " events",
		    report->events);
	say_unmet(report);
	if (lossy || (info && !info->finished))
		say("%s", report_losses(report, losses, sizeof(losses)));
	if (lossy && *damage)
		say("%s: %s", report->losses.damaged > 1 ? "the first damage" : "damaged", damage);
	if (*withheld)
		say("%s", withheld);
	/* An interrupted report is an error: it must not pass for a complete one. */
	if (report->interrupted)
		return STATUS_ERROR;
	return report->undecided ? STATUS_LOSSES :
				   judge_status(&report->losses, report->reported);
}

/* Is a file below the recording's directory, or would it be? Every file there is a part of the
 * recording, and one more keeps other programs from reading it as a trace. */
static bool is_in_recording(const char *directory, const char *path)
{
	char *whole = realpath(directory, NULL), *file = realpath(path, NULL), *parent = NULL;
	size_t length = whole ? strlen(whole) : 0;
	bool is_in;

	if (!file) {	/* a new one */
		parent = strdup(path);
		file = parent ? realpath(dirname(parent), NULL) : NULL;
	}
	is_in = file && length && !strncmp(file, whole, length) &&
		(!file[length] || file[length] == '/');
	free(parent);
	free(whole);
	free(file);
	return is_in;
}

static int write_report(struct command_line *line, struct report *report)
{
	const char *output = line->shared.output;
	int ret;

	if (output && strcmp(output, "-") == 0)
		output = NULL;
	if (output && is_in_recording(line->directory, output)) {
		say("a report cannot be a file of the recording %s; write it elsewhere: -o FILE",
		    quoted(line->directory));
		return STATUS_ERROR;
	}
	if (output && !stdout_to_file(output))
		return STATUS_ERROR;
	if (line->options.format->binary && isatty(STDOUT_FILENO)) {
		say("--format %s is not for a terminal; write it to a file: -o FILE",
		    line->options.format->name);
		return STATUS_ERROR;
	}
	signals_init();
	ret = report_run(report);
	if (progress_shown)
		fputs("\r\x1b[K", stderr);
	if (ret) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	if (!stdout_flush())
		return STATUS_ERROR;
	/* That one was interrupted, and is of the first events, is said. */
	stdout_complete();
	return sum_up(report);
}

/*
 * The recording once more, for a second thread: if it pays, there is a processor for it, and
 * nobody still writes the recording. NULL: one thread reads it.
 */
static struct kcatch_session *open_second(const struct command_line *line,
					  const struct kcatch_session *session)
{
	const struct kcatch_recording_info *info = kcatch_session_recording(session);
	const struct report_filter *filter = &line->options.filter;
	struct kcatch_session *second = NULL;
	cpu_set_t cpus;

	/* A part of the time is soon written, and both threads would read the whole. */
	if (!line->options.format->forget || filter->since_ns || filter->until_ns)
		return NULL;
	if (!info || !info->finished || info->bytes < TWO_THREADS_BYTES)
		return NULL;
	if (sched_getaffinity(0, sizeof(cpus), &cpus) || CPU_COUNT(&cpus) < 2)
		return NULL;
	kcatch_recording_open(line->directory, &second);
	return second;
}

static int make(struct command_line *line, struct kcatch_session *session)
{
	struct report report = {
		.options = &line->options, .session = session, .out = stdout, .progress = progress,
	};
	int status = STATUS_ERROR;

	report.second = open_second(line, session);

	/* Check the filters before the output is truncated. */
	if (report_filter_init(&report)) {
		say("--filter: %s", kcatch_error_text());
	} else {
		session_say_notes(session);
		status = write_report(line, &report);
	}
	kcatch_filter_destroy(report.condition);
	kcatch_session_close(report.second);
	return status;
}

/* "kcatch COMMAND LINE on HOST, Linux RELEASE, DATE UTC"; without metadata, the directory */
static void make_title(const struct kcatch_session *session, const char *directory, char *title,
		       size_t room)
{
	const struct kcatch_recording_info *info = kcatch_session_recording(session);
	char when[64] = "";
	struct tm day;
	time_t start;

	if (!info) {
		snprintf(title, room, "%.600s", directory);
		return;
	}
	start = (time_t)(info->realtime_ns / 1000000000);
	if (info->realtime_ns && gmtime_r(&start, &day))
		strftime(when, sizeof(when), ", %Y-%m-%d %H:%M UTC", &day);
	snprintf(title, room, "%s%.300s on %.60s, Linux %.60s%s",
		 info->command && *info->command ? "kcatch " : "",
		 info->command && *info->command ? info->command : directory,
		 info->host ? info->host : "?", info->release ? info->release : "?", when);
}

/* Copy the rings from a memory dump into the directory. Return: -1, or the exit status. */
static int take_from_dump(const struct command_line *line)
{
	struct kcatch_vmcore_stats stats;

	if (kcatch_recording_from_vmcore(line->vmcore, line->directory, &stats)) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	say("%s: %" PRIu64 " session%s armed when it was made; the rings of %" PRIu64
	    " CPU%s of this one are now in %s",
	    quoted(line->vmcore), stats.sessions, stats.sessions == 1 ? " was" : "s were",
	    stats.rings, stats.rings == 1 ? "" : "s", quoted(line->directory));
	if (stats.missing_pages)
		say("%" PRIu64 " pages of them are not in the dump", stats.missing_pages);
	return -1;
}

static int report_main(int argc, char **argv)
{
	struct kcatch_session *session = NULL;
	struct command_line line;
	char title[700];
	int status = parse(argc, argv, &line);

	if (status < 0 && line.vmcore)
		status = take_from_dump(&line);
	if (status < 0 && kcatch_recording_open(line.directory, &session)) {
		say("%s", kcatch_error_text());
		status = STATUS_ERROR;
	}
	if (status < 0) {
		make_title(session, line.directory, title, sizeof(title));
		line.options.title = title;
		line.options.directory = line.directory;
		status = make(&line, session);
	}
	kcatch_session_close(session);
	free(line.options.filter.patterns);
	return command_end(status);
}

/* ---- the options --------------------------------------------------------------------- */

#define INTO(member) OPTION_INTO(struct command_line, member)

static const struct option_rule option_format = {
	.name = "format", .letter = 'F', .value = "FORMAT",
	.help = "text json rows tree folded flame html perfetto pprof stats why",
	.kind = OPTION_CALL, .take = take_format,
};

static const struct option_rule option_pattern = {
	.name = "event", .letter = 'e', .value = "PATTERN",
	.help = "functions or events of this name (again: any of them)",
	.kind = OPTION_CALL, .again = true, .take = take_pattern,
};

static const struct option_rule option_function = {
	.name = "function", .letter = 'f', .value = "PATTERN", .help = "the same",
	.kind = OPTION_CALL, .again = true, .take = take_pattern,
};

static const struct option_rule option_commands = {
	.name = "comm", .letter = 'c', .value = "PATTERN", .help = "commands of this name",
	.wanted = "give a command's name or a pattern",
	.kind = OPTION_TEXT, INTO(options.filter.comm),
};

static const struct option_rule option_cpu = {
	.name = "cpu", .value = "LIST", .help = "on these CPUs, such as 0,2-3",
	.wanted = "a list such as 0,2-3",
	.kind = OPTION_CALL, .take = take_cpus,
};

#define TIME_WANTED "seconds as events show them (123.5), or after the first event (+0.25)"

static const struct option_rule option_since = {
	.name = "since", .value = "SEC",
	.help = "from this time on, as events show it; +SEC: after the first event",
	.wanted = TIME_WANTED, .kind = OPTION_CALL, .take = take_since,
};

static const struct option_rule option_until = {
	.name = "until", .value = "SEC", .help = "before this time, given as for --since",
	.wanted = TIME_WANTED, .kind = OPTION_CALL, .take = take_until,
};

static const struct option_rule option_failing = {
	.name = "failing", .help = "calls that failed",
	.kind = OPTION_ON, INTO(options.filter.failing),
};

static const struct option_rule option_slower = {
	.name = "slower", .value = "TIME", .help = "calls that took at least this long (10us)",
	.wanted = "a time such as 500ns, 10us, 1.5ms, 2s",
	.kind = OPTION_CALL, .take = take_slower,
};

static int take_time(const struct option_rule *rule, const char *value, void *target)
{
	struct report_options *options = &((struct command_line *)target)->options;

	if (strcmp(value, "wall") && strcmp(value, "boot"))
		return option_refuse(rule, value);
	options->view.wall = !strcmp(value, "wall");
	return -1;
}

static const struct option_rule option_times = {
	.name = "time", .value = "HOW",
	.help = "text: wall: times are dates in UTC; boot: seconds since boot (default)",
	.wanted = "there are wall and boot", .kind = OPTION_CALL, .take = take_time,
};

static const struct option_rule option_fields = {
	.name = "fields", .value = "LIST",
	.help = "text: these columns, of time cpu pid tid comm context event args ret\n"
		"latency caller stack cgroup",
	.wanted = "give each column once",
	.kind = OPTION_CALL, .take = take_fields,
};

static const struct option_rule option_no_stack = {
	.name = "no-stack", .help = "text: without stacks",
	.kind = OPTION_ON, INTO(options.no_stack),
};

static const struct option_rule option_callees = {
	.name = "callees", .help = "tree: from the outermost function down",
	.kind = OPTION_CALL, .take = take_direction,
};

static const struct option_rule option_callers = {
	.name = "callers", .help = "tree: from the function up (the default)",
	.kind = OPTION_CALL, .take = take_direction,
};

static const struct option_rule option_min = {
	.name = "min", .value = "PERCENT", .help = "tree: without branches below this share (0.1)",
	.wanted = "a share in percent: 0 to 100",
	.kind = OPTION_CALL, .take = take_share,
};

static const struct option_rule option_by_time = {
	.name = "by-time", .help = "tree, folded, flame: by time in calls, not by their number",
	.kind = OPTION_ON, INTO(options.by_time),
};

static const struct option_rule option_no_comm = {
	.name = "no-comm", .help = "folded, flame, html: do not tell commands apart",
	.kind = OPTION_ON, INTO(options.no_comm),
};

static const struct option_rule option_rows = {
	.name = "rows",
	.value = "N",
	.help = "html: at most N events in its table (5000)",
	.wanted = "a number up to 200000",
	.kind = OPTION_NUMBER,
	.most = 200000,
	INTO(options.rows),
};

static const struct option_rule option_calls = {
	.name = "count", .letter = 'n', .value = "N",
	.help = "why: the N slowest calls, the slowest first (1)",
	.wanted = "a number from 1 to 1000",
	.kind = OPTION_NUMBER, .least = 1, .most = CALLS_MAX, INTO(options.calls),
};

static const struct option_rule option_chain = {
	.name = "chain", .help = "why: also what those that woke had waited for, and so on",
	.kind = OPTION_ON, INTO(options.chain),
};

static const struct option_rule option_vmcore = {
	.name = "vmcore", .value = "FILE",
	.help = "DIR was made by kcatch record --flight --standby DIR; first copy its\nrecords "
		"into it from this memory dump of the crashed machine",
	.wanted = "give a memory dump",
	.kind = OPTION_TEXT, INTO(vmcore),
};

static const struct option_use uses[] = {
	{ &option_format, NULL },
	{ &option_output, "write to this file; only its owner can read a new one" },
	{ &option_pattern, NULL },
	{ &option_function, NULL },
	{ &option_pid, NULL },
	{ &option_commands, NULL },
	{ &option_cpu, NULL },
	{ &option_since, NULL },
	{ &option_until, NULL },
	{ &option_failing, NULL },
	{ &option_slower, NULL },
	{ &option_filter, "events for which it holds ('count > 4096 && comm ~ \"dd*\"')" },
	{ &option_times, NULL },
	{ &option_fields, NULL },
	{ &option_no_stack, NULL },
	{ &option_callees, NULL },
	{ &option_callers, NULL },
	{ &option_min, NULL },
	{ &option_by_time, NULL },
	{ &option_no_comm, NULL },
	{ &option_rows, NULL },
	{ &option_calls, NULL },
	{ &option_chain, NULL },
	{ &option_json, "why: an object a call" },
	{ &option_vmcore, NULL },
	{ &option_verbose, "text: all members of structs; json: statistics of functions" },
	{ &option_help, NULL },
	{ NULL, NULL }
};

/* Options that some formats have, and that would change nothing in the others. */
static const struct {
	const struct option_rule *rule;
	const struct report_format *formats[3];
} of_formats[] = {
	{ &option_times, { &report_text } },
	{ &option_fields, { &report_text } },
	{ &option_no_stack, { &report_text } },
	{ &option_verbose, { &report_text, &report_json } },
	{ &option_callees, { &report_tree } },
	{ &option_callers, { &report_tree } },
	{ &option_min, { &report_tree } },
	{ &option_by_time, { &report_tree, &report_folded, &report_flame } },
	{ &option_no_comm, { &report_folded, &report_flame, &report_html } },
	{ &option_rows, { &report_html } },
	{ &option_calls, { &report_why } },
	{ &option_chain, { &report_why } },
	{ &option_json, { &report_why } },
};

/* What the fields say, and directions that exclude each other. Return: -1, or the exit status. */
static int check_fields(const struct report_options *options)
{
	bool verbose = options_given(&command_report, &option_verbose), has_time = false;
	size_t i;

	for (i = 0; i < options->nr_fields; i++)
		has_time |= options->fields[i] == FIELD_TIME;
	if (options->nr_fields && !has_time && options_given(&command_report, &option_times)) {
		say("--time is about the field time, which --fields does not name");
		return STATUS_ERROR;
	}
	if (options_given(&command_report, &option_callees) &&
	    options_given(&command_report, &option_callers)) {
		say("--callees and --callers: a tree has one direction");
		return STATUS_ERROR;
	}

	if (!options_given(&command_report, &option_fields) ||
	    (!verbose && !options_given(&command_report, &option_no_stack)))
		return -1;
	say("--%s changes nothing with --fields: the fields say what is shown", verbose ?
	    "verbose" : "no-stack");
	return STATUS_ERROR;
}

/* Refuse the first option that is not for @format. Return: -1, or the exit status. */
static int check_formats(const struct report_options *options)
{
	const struct report_format *format = options->format;
	size_t i, n;

	if (check_fields(options) >= 0)
		return STATUS_ERROR;
	for (i = 0; i < sizeof(of_formats) / sizeof(of_formats[0]); i++) {
		const struct report_format *const *has = of_formats[i].formats;

		if (!options_given(&command_report, of_formats[i].rule))
			continue;
		for (n = 0; n < 3 && has[n] && has[n] != format; n++)
			;
		if (n < 3 && has[n])
			continue;
		say("--%s is for --format %s%s%s%s%s", of_formats[i].rule->name, has[0]->name,
		    has[1] ? has[2] ? ", " : " or " : "", has[1] ? has[1]->name : "",
		    has[2] ? " or " : "", has[2] ? has[2]->name : "");
		return STATUS_ERROR;
	}
	return -1;
}

static const char help[] =
"kcatch report - what a recording says\n"
"\n"
"  kcatch report DIR                             a line for each event, stacks below\n"
"  kcatch report DIR --format stats              counts, latencies, failures, losses\n"
"  kcatch report DIR --format html -o page.html  all of it as a page, offline\n"
"  kcatch report DIR --format flame --by-time -o flame.svg\n"
"  kcatch report DIR --format why -f vfs_read    where the slowest call's time went\n"
"  kcatch report DIR -e 'vfs_*' --failing --fields time,comm,event,args,ret\n"
"\n"
"usage: kcatch report DIR [options]\n"
"  An event is reported when it passes all filters: -e to --filter.\n"
"\n";

const struct command command_report = {
	.name = "report",
	.run = report_main,
	.description = "what a recording says: text, tree, flame graph, page, profile ...",
	.help = help,
	.options = uses,
	.help_end =
	"\n"
	"Every report says what was lost. Exit status: 0; 1 for an error or when it was\n"
	"interrupted; 2 when no event passes the filters; 3 when something was lost.\n",
};
