/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - kcatch report: what a recording says, in the form asked for
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <kcatch.h>
#include <report.h>
#include <where.h>

#include "command.h"
#include "options.h"
#include "output.h"
#include "signals.h"
#include "suggest.h"

#define ROWS 5000U
#define ROWS_MAX 200000U
#define PROGRESS_MS 500

enum {
	OPTION_FIELDS = OPTIONS_OWN,
	OPTION_FILTER,
	OPTION_SINCE,
	OPTION_UNTIL,
	OPTION_CPU,
	OPTION_FAILING,
	OPTION_SLOWER,
	OPTION_CALLEES,
	OPTION_TIME,
	OPTION_NO_COMM,
	OPTION_NO_STACK,
	OPTION_ROWS,
	OPTION_MIN,
	OPTION_VMCORE,
};

static const struct option long_options[] = {
	{ "format", required_argument, NULL, 'F' },
	{ "output", required_argument, NULL, 'o' },
	{ "event", required_argument, NULL, 'e' },
	{ "function", required_argument, NULL, 'e' },
	{ "pid", required_argument, NULL, 'p' },
	{ "comm", required_argument, NULL, 'c' },
	{ "cpu", required_argument, NULL, OPTION_CPU },
	{ "since", required_argument, NULL, OPTION_SINCE },
	{ "until", required_argument, NULL, OPTION_UNTIL },
	{ "failing", no_argument, NULL, OPTION_FAILING },
	{ "slower", required_argument, NULL, OPTION_SLOWER },
	{ "filter", required_argument, NULL, OPTION_FILTER },
	{ "fields", required_argument, NULL, OPTION_FIELDS },
	{ "no-stack", no_argument, NULL, OPTION_NO_STACK },
	{ "callees", no_argument, NULL, OPTION_CALLEES },
	{ "callers", no_argument, NULL, 'C' },
	{ "by-time", no_argument, NULL, OPTION_TIME },
	{ "no-comm", no_argument, NULL, OPTION_NO_COMM },
	{ "rows", required_argument, NULL, OPTION_ROWS },
	{ "min", required_argument, NULL, OPTION_MIN },
	{ "vmcore", required_argument, NULL, OPTION_VMCORE },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

const char help_report[] =
"kcatch report - what a recording says\n"
"\n"
"  kcatch report DIR                             a line for each event, stacks below\n"
"  kcatch report DIR --format stats              counts, latencies, failures, losses\n"
"  kcatch report DIR --format html -o page.html  all of it to look at, offline\n"
"  kcatch report DIR --format flame --by-time -o flame.svg\n"
"  kcatch report DIR -e 'vfs_*' --failing --fields time,comm,event,args,ret\n"
"\n"
"usage: kcatch report DIR [--format FORMAT] [-o FILE] [filters] [options]\n"
"  formats: text json tree folded flame html perfetto pprof stats\n"
"  filters: -e PATTERN (again: any of them), -p PID, -c COMM, --cpu LIST,\n"
"           --since S, --until S (+S: from the first event), --failing,\n"
"           --slower TIME (10us), --filter EXPR ('count > 4096 && comm ~ \"dd*\"')\n"
"  text:    --fields LIST, --no-stack     tree: --callees, --min PERCENT\n"
"  tree, folded, flame: --by-time         folded, flame, html: --no-comm\n"
"  html:    --rows N, events in its table (5000)\n"
"  --vmcore FILE: DIR was made by kcatch record --flight --standby DIR; its records are\n"
"           in this memory dump of the machine that died, and are put into DIR first\n"
"\n"
"Every report says what was lost. Exit status: 0; 1 for an error; 2 when no event\n"
"is what was asked for; 3 when something was lost.\n"
"\n";

struct command_line {
	struct report_options options;
	const char *directory;
	const char *output;
	const char *vmcore;
};

static int unknown_format(const char *name)
{
	size_t i;

	say("no format %s; there are:", quoted(name));
	for (i = 0; report_formats[i]; i++)
		fprintf(stderr, "  %-9s %s\n", report_formats[i]->name, report_formats[i]->description);
	return STATUS_ERROR;
}

static void say_unknown(const char *option, const char *what, const char *name, const char *near)
{
	say("%s: %s %s%s%s%s", option, what, quoted(name), *near ? "; is it " : "", near, *near ? "?" : "");
}

static int parse_fields(const char *text, struct report_options *options)
{
	static const char *const names[FIELD_COUNT] = {
		[FIELD_TIME] = "time", [FIELD_CPU] = "cpu", [FIELD_PID] = "pid", [FIELD_TID] = "tid",
		[FIELD_COMM] = "comm", [FIELD_CONTEXT] = "context", [FIELD_EVENT] = "event",
		[FIELD_ARGS] = "args", [FIELD_RET] = "ret", [FIELD_LATENCY] = "latency",
		[FIELD_CALLER] = "caller", [FIELD_STACK] = "stack",
	};
	struct kcatch_suggest suggest;
	char name[64], near[200];
	size_t length, i;

	for (options->nr_fields = 0; ; text += length + 1) {
		length = strcspn(text, ",");
		snprintf(name, sizeof(name), "%.*s", (int)(length < sizeof(name) ? length : sizeof(name)), text);
		kcatch_suggest_init(&suggest, name);
		for (i = 0; i < FIELD_COUNT && strcmp(names[i], name) != 0; i++)
			kcatch_suggest_offer(&suggest, names[i], strlen(names[i]));
		if (i == FIELD_COUNT) {
			kcatch_suggest_format(&suggest, near, sizeof(near));
			say_unknown("--fields", "there is no field", name, near);
			say("a list such as time,comm,event,args,ret; there are time cpu pid tid comm context event "
			    "args ret latency caller stack");
			return STATUS_ERROR;
		}
		if (options->nr_fields == FIELD_COUNT)
			return options_usage_error("--fields", text, "so many are not needed");
		options->fields[options->nr_fields++] = (enum report_field)i;
		if (!text[length])
			return -1;
	}
}

/* "123.5" is a time as events have it, "+0.25" from the first event on. */
static int parse_time(const char *option, const char *text, uint64_t *ns, bool *relative)
{
	*relative = *text == '+';
	if (*relative && !strcmp(text, "+0"))
		*ns = 0;
	else if (!options_seconds(text + *relative, ns))
		return options_usage_error(option, text, "seconds as events have them (123.5), or from the first "
				   "event on (+0.25)");
	return -1;
}

static int parse_latency(const char *text, uint64_t *ns)
{
	static const struct { const char *name; double ns; } units[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
	};
	char *end;
	double value = strtod(text, &end);
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]) && *text >= '0' && *text <= '9'; i++) {
		if (!strcmp(end, units[i].name) && value * units[i].ns < 1e18) {
			*ns = (uint64_t)(value * units[i].ns);
			return -1;
		}
	}
	return options_usage_error("--slower", text, "a time such as 500ns, 10us, 1.5ms, 2s");
}

static int parse_count(const char *option, const char *text, unsigned long most, unsigned long *number)
{
	char *end;

	errno = 0;
	*number = strtoul(text, &end, 10);
	if (errno || *end || *text < '0' || *text > '9' || *number > most) {
		char wanted[64];

		snprintf(wanted, sizeof(wanted), "a number up to %lu", most);
		return options_usage_error(option, text, wanted);
	}
	return -1;
}

static int parse_share(const char *text, unsigned int *share)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || (*end && strcmp(end, "%") != 0) || !(value >= 0 && value <= 100))
		return options_usage_error("--min", text, "a share in percent: 0 to 100");
	*share = (unsigned int)(value * 100 + 0.5);
	return -1;
}

static int add_pattern(struct report_filter *filter, const char *pattern)
{
	const char **more = realloc(filter->patterns, (filter->nr_patterns + 1) * sizeof(*more));

	if (!more) {
		say("out of memory");
		return STATUS_ERROR;
	}
	filter->patterns = more;
	filter->patterns[filter->nr_patterns++] = pattern;
	return -1;
}

static int add_expression(struct report_filter *filter, const char *text)
{
	if (filter->where) {
		say("--filter twice: join them with && or ||");
		return STATUS_ERROR;
	}
	if (where_create(text, &filter->where)) {
		say("--filter: %s", kcatch_error_text());
		return STATUS_ERROR;
	}
	return -1;
}

static int parse_option(int option, char **argv, struct command_line *line)
{
	struct report_options *options = &line->options;
	struct report_filter *filter = &options->filter;
	unsigned long number = 0;
	int status = -1;

	switch (option) {
	case 'F':
		options->format = report_format_find(optarg);
		return options->format ? -1 : unknown_format(optarg);
	case 'o':
		line->output = optarg;
		return -1;
	case 'e':
		return add_pattern(filter, optarg);
	case 'p':
		status = parse_count("-p", optarg, INT32_MAX, &number);
		filter->pid = (uint32_t)number;
		return status;
	case 'c':
		filter->comm = optarg;
		return -1;
	case OPTION_CPU:
		filter->cpus = optarg;
		return report_cpus_valid(optarg) ? -1 : options_usage_error("--cpu", optarg, "a list such as 0,2-3");
	case OPTION_SINCE:
		return parse_time("--since", optarg, &filter->since_ns, &filter->since_relative);
	case OPTION_UNTIL:
		return parse_time("--until", optarg, &filter->until_ns, &filter->until_relative);
	case OPTION_FAILING:
		filter->failing = true;
		return -1;
	case OPTION_SLOWER:
		return parse_latency(optarg, &filter->slower_ns);
	case OPTION_FILTER:
		return add_expression(filter, optarg);
	case OPTION_FIELDS:
		return parse_fields(optarg, options);
	case OPTION_NO_STACK:
		options->no_stack = true;
		return -1;
	case OPTION_CALLEES:
		options->callees = true;
		return -1;
	case 'C':
		options->callees = false;
		return -1;
	case OPTION_TIME:
		options->by_time = true;
		return -1;
	case OPTION_NO_COMM:
		options->no_comm = true;
		return -1;
	case OPTION_ROWS:
		status = parse_count("--rows", optarg, ROWS_MAX, &number);
		options->rows = number;
		return status;
	case OPTION_MIN:
		return parse_share(optarg, &options->min_share);
	case OPTION_VMCORE:
		line->vmcore = optarg;
		return -1;
	case 'v':
		options->view.verbose = true;
		return -1;
	case 'h':
		help_print("report");
		return STATUS_CAUGHT;
	default:
		say("option %s is unknown or lacks its value; see kcatch help report", quoted(argv[optind - 1]));
		return STATUS_ERROR;
	}
}

static int parse(int argc, char **argv, struct command_line *line)
{
	int option, status;

	*line = (struct command_line){ .options = {
		.format = &report_text, .rows = ROWS, .min_share = 10,
		.view = { .request = { .arguments = true }, .json = true },
	} };
	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, "F:o:e:f:p:c:vh", long_options, NULL)) != -1) {
		status = parse_option(option == 'f' ? 'e' : option, argv, line);
		if (status >= 0)
			return status;
	}
	if (argc - optind != 1) {
		say(optind == argc ? "report of what? For example: kcatch record -o /tmp/r -e 'sched:*' -t 1; "
		    "kcatch report /tmp/r --format stats" : "one recording at a time; see kcatch help report");
		return STATUS_ERROR;
	}
	line->directory = argv[optind];
	if (line->options.nr_fields && line->options.format != &report_text) {
		say("--fields is for --format text");
		return STATUS_ERROR;
	}
	return -1;
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool progress_shown;

/* A line on the terminal that is written over, when nothing else goes there. */
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

/* What was asked for and not met, what is lacking. Return: the exit status. */
static int judge(const struct command_line *line, const struct report *report)
{
	const struct report_filter *filter = &line->options.filter;
	const char *unknown = filter->where && report->events ? where_unknown(filter->where) : NULL;
	char near[300];
	const struct kcatch_recording_info *info = kcatch_session_recording(report->session);
	char losses[400];

	if (report->interrupted)
		say("interrupted: this is a report of the first %" PRIu64 " events", report->events);
	if (unknown && !report->reported)
		say_unknown("--filter", "no event of the recording has", unknown,
			    where_nearest(filter->where, unknown, near, sizeof(near)));
	unknown = report_pattern_unknown(report, near, sizeof(near));
	if (unknown)
		say_unknown("-e", "no function or event of the recording is called", unknown, near);
	if (!report->events)
		say("no event is in the recording");
	else if (!report->reported)
		say("none of the %" PRIu64 " events of the recording is what was asked for", report->events);
	if (info && !info->finished && !report_is_lossy(report))
		say("%s", report_losses(report, losses, sizeof(losses)));
	if (report_is_lossy(report)) {
		const char *damage = kcatch_recording_damage(report->session);

		say("%s", report_losses(report, losses, sizeof(losses)));
		if (*damage)
			say("%s: %s", report->damaged > 1 ? "the first damage" : "damaged", damage);
		return STATUS_LOSSES;
	}
	return report->reported ? STATUS_CAUGHT : STATUS_NOTHING;
}

static int make(struct command_line *line, struct kcatch_session *session)
{
	struct report report = {
		.options = &line->options, .session = session, .out = stdout, .progress = progress,
	};
	int ret;

	if (line->output && strcmp(line->output, "-") != 0 && !freopen(line->output, "w", stdout)) {
		say("cannot write %s: %s", quoted(line->output), strerror(errno));
		return STATUS_ERROR;
	}
	if (line->options.format->binary && isatty(STDOUT_FILENO)) {
		say("--format %s is not for a terminal; write it to a file: -o FILE", line->options.format->name);
		return STATUS_ERROR;
	}
	signals_init();
	ret = report_run(&report);
	if (progress_shown)
		fputs("\r\x1b[K", stderr);
	if (ret) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	return output_flush() ? judge(line, &report) : STATUS_ERROR;
}

/* What was recorded, where and when. */
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
	snprintf(title, room, "%s%.300s on %.60s, Linux %.60s%s", info->command && *info->command ?
		 "kcatch " : "", info->command && *info->command ? info->command : directory, info->host ? info->host : "?", info->release ? info->release : "?",
		 when);
}

/* The records of a machine that died. */
static int take_from_dump(const struct command_line *line)
{
	struct kcatch_vmcore_stats stats;

	if (kcatch_recording_from_vmcore(line->vmcore, line->directory, &stats)) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	say("%s: %" PRIu64 " session%s armed when it was made; the rings of %" PRIu64 " CPU%s of this one are now in %s",
	    quoted(line->vmcore), stats.sessions, stats.sessions == 1 ? " was" : "s were", stats.rings,
	    stats.rings == 1 ? "" : "s", quoted(line->directory));
	if (stats.missing_pages)
		say("%" PRIu64 " pages of them are not in the dump", stats.missing_pages);
	return -1;
}

int report_main(int argc, char **argv)
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
		status = make(&line, session);
	}
	kcatch_session_close(session);
	where_destroy(line.options.filter.where);
	free(line.options.filter.patterns);
	return output_finish(status);
}
