/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count.c - kcatch count: how often, by whom, how long, counted in the kernel
 *
 * The counts are taken out of the kernel each interval, which also makes room there. On a
 * terminal the table is redrawn meanwhile; the last one stays.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <kcatch.h>
#include <kcatch_text.h>

#include "command.h"
#include "alternate_screen.h"
#include "count.h"
#include "count_show.h"
#include "counted.h"
#include "event_json.h"
#include "event_pair.h"
#include "follow.h"
#include "judge.h"
#include "options.h"
#include "pair_account.h"
#include "session_open.h"
#include "stdout.h"
#include "take_counts.h"
#include "words.h"

#define ROWS 40U	/* of the last table */
#define RING_SIZE 8192U	/* bytes per CPU: the least; what is counted is not recorded */

/* ---- options ----------------------------------------------------------------------------- */

static char *keep_text(struct count_options *options, const char *text)
{
	char *copy = strdup(text);
	char **texts = realloc(options->texts, (options->nr_texts + 1) * sizeof(*texts));

	if (texts)
		options->texts = texts;
	if (!copy || !texts) {
		free(copy);
		say("out of memory");
		return NULL;
	}
	texts[options->nr_texts++] = copy;
	return copy;
}

/* --by KEY,... */
static int take_keys(const struct option_rule *rule, const char *value, void *target)
{
	struct count_options *options = target;
	char *at = keep_text(options, value), *end;
	int status = -1;

	if (!at)
		return STATUS_ERROR;
	for (; status < 0; at = end + 1) {
		bool last;

		end = words_key_end(at);
		last = !*end;
		*end = '\0';
		if (!*at)
			return option_refuse(rule, value);
		status = options_add_name(&options->keys, &options->count.nr_keys, at);
		if (last)
			break;
	}
	options->count.keys = options->keys;
	return status;
}

static const struct option_rule option_by = {
	.name = "by", .value = "KEY,...",
	.help = "a row for each key: comm, pid, caller, function, stack, ret,\n"
		"count / 4096, file->f_inode->i_ino and the like (of several functions\n"
		"the default is function)",
	.wanted = "give keys separated by commas, for example --by comm,caller",
	.kind = OPTION_CALL, .again = true, .take = take_keys,
};

static int take_format(const struct option_rule *rule, const char *value, void *target)
{
	const struct report_format *format = report_format_find(value);

	if (strcmp(value, "folded") != 0 && !(format && format->stacks))
		return option_refuse(rule, value);
	((struct count_options *)target)->format = value;
	return -1;
}

static bool has_key(const struct kcatch_count_request *request, const char *key)
{
	size_t i;

	for (i = 0; i < request->nr_keys; i++)
		if (!strcmp(request->keys[i], key))
			return true;
	return false;
}

static bool has_stacks(const struct kcatch_count_request *count)
{
	return has_key(count, "stack") || has_key(count, "user_stack");
}

/* Is there more than one of these names, or a name of several? */
static bool are_several(const char *const *names, size_t nr)
{
	return nr > 1 || (nr && (kcatch_glob_is_pattern(names[0]) || !strcmp(names[0], "core")));
}

/* Of several functions or events the sum alone tells little: without a key they have a row each. */
static int take_default_key(struct count_options *options)
{
	const struct kcatch_request *request = &options->shared.request;
	bool several = request->nr_functions && request->nr_events;

	if (options->count.nr_keys)
		return -1;
	several |= are_several(request->functions, request->nr_functions);
	several |= are_several(request->events, request->nr_events);
	several |= options->recording && !options->nr_patterns;
	if (request->pair && request->pair->off_cpu)
		return take_keys(&option_by, "comm", options);
	several |= request->pair && kcatch_glob_is_pattern(request->pair->second);
	return several ? take_keys(&option_by, "function", options) : -1;
}

/* Of times off the CPU their sum tells most. */
static void take_default_value(struct count_options *options)
{
	struct kcatch_count_request *count = &options->count;

	if (!options->shared.pair.off_cpu)
		return;
	if (!count->hist && !count->stats)
		count->stats = "latency";
	count->by_sum = true;
}

static int parse(int argc, char **argv, struct count_options *options)
{
	struct kcatch_request *request = &options->shared.request;
	char **words;
	size_t nr;
	int status;

	kcatch_request_init(request);
	request->others_only = true;
	request->count = &options->count;
	options->count.size = sizeof(options->count);
	status = options_parse(&command_count, argc, argv, options);
	/* The kernel keeps 15 bytes of a name; a pattern may be longer. */
	if (status < 0 && options->comm && !options->recording)
		status = option_comm.take(&option_comm, options->comm, options);
	else
		request->comm = options->comm;
	if (status >= 0)
		return status;
	words = argv + optind;
	nr = (size_t)(argc - optind);
	status = pair_parse(&options->shared, words, &nr);
	if (status < 0 && request->pair && options->recording) {
		say("%s counted in the kernel, not in a recording: leave -i away",
		    request->pair->off_cpu ? "times off the CPU are" : "pairs are");
		status = STATUS_ERROR;
	}
	if (status < 0 && request->pair)
		status = words_condition(words, nr, request);
	else if (status < 0)
		status = options->recording ? count_recording_words(options, words, nr) :
					      words_parse(words, nr, request, false);
	if (status < 0)
		status = take_default_key(options);
	if (status >= 0)
		return status;
	take_default_value(options);
	if (request->depth && !has_stacks(&options->count)) {
		say("--depth is of stacks: --by stack or user_stack");
		return STATUS_ERROR;
	}
	if (options->format && !has_stacks(&options->count)) {
		say("--format %s needs stacks: --by stack", options->format);
		return STATUS_ERROR;
	}
	if (options->format && options->count.hist) {
		say("--format %s has no histograms: it goes with --stats, not with --hist",
		    options->format);
		return STATUS_ERROR;
	}
	if (options->fine && !options->count.hist) {
		say("--fine is about the histogram of --hist");
		return STATUS_ERROR;
	}
	if (options->fine && options->shared.json) {
		say("--fine is for the table: --json always has the narrow buckets");
		return STATUS_ERROR;
	}
	if (options->rows && (options->shared.json || options->format)) {
		say("--top is for the table: --json and --format have all rows");
		return STATUS_ERROR;
	}
	if (options->shared.json && options->format) {
		say("--json and --format: choose one");
		return STATUS_ERROR;
	}
	if (options->format && report_format_find(options->format)->binary &&
	    isatty(STDOUT_FILENO)) {
		say("--format %s is not for a terminal: write it to a file, >FILE",
		    options->format);
		return STATUS_ERROR;
	}
	request->budget = options->shared.count;
	request->no_stack = !has_key(&options->count, "stack");
	request->event_stacks = !request->no_stack;
	/* Whether returns are needed follows from the keys; hooking none costs nothing. */
	request->returns = request->nr_functions != 0;
	return -1;
}

/* ---- counting ---------------------------------------------------------------------------- */

static int arm(struct count *count)
{
	struct kcatch_request *request = &count->options.shared.request;
	uint64_t left_out;
	int ret;

	follow_process(&count->follow, request->pid);
	ret = session_begin(&count->follow.session, RING_SIZE, request);
	left_out = ret ? 0 : kcatch_session_nr_left_out(count->follow.session);
	if (left_out)
		say("%" PRIu64 " that match were left out: the condition, a key or a value does not "
		    "apply to them", left_out);
	return ret;
}

static struct counts_view view_of(const struct count *count)
{
	const struct kcatch_count_request *request = &count->options.count;

	return (struct counts_view){
		.names = request->keys,
		.fine = count->options.fine,
		.by_sum = request->by_sum,
		.rows = count->options.rows ? count->options.rows : ROWS,
		.columns = stdout_width(),
		.end = "\n",
	};
}

/* The first @nr lines of a text. */
static void put_lines(const char *text, size_t nr)
{
	const char *end = text;

	for (; nr && *end; nr--) {
		end += strcspn(end, "\n");
		end += *end == '\n';
	}
	fwrite(text, 1, (size_t)(end - text), stdout);
}

/* A row may have many lines, of its stack or histogram: those at the top are shown. */
static int draw(struct count *count, const struct kcatch_counts *counts)
{
	struct counts_view view = view_of(count);
	struct winsize size;
	char *text = NULL;
	size_t length;
	FILE *memory = open_memstream(&text, &length);
	int ret;

	if (!memory)
		return kcatch_error_memory();
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row)
		size.ws_row = 24;
	view.end = "\x1b[K\r\n";
	if (view.rows > (size_t)size.ws_row - 3 && size.ws_row > 4)
		view.rows = size.ws_row - 4U;
	fprintf(memory, "kcatch count: %" PRIu64 " in %zu rows; Ctrl-C ends%s%s", counts->total,
		counts->nr_rows, count->late ? TAKE_COUNTS_LATE : "",
		view.end);
	ret = counts_print(count->follow.session, counts, memory, &view);
	if (fclose(memory) && !ret)
		ret = kcatch_error_memory();
	if (!ret) {
		fputs("\x1b[H\x1b[?7l", stdout);
		put_lines(text, size.ws_row - 1U);
		fputs("\x1b[J\x1b[?7h", stdout);
	}
	free(text);
	return ret;
}

static int look(struct follow *follow, uint64_t now)
{
	struct count *count = follow->arg;
	const struct kcatch_counts *counts;
	int ret;

	if (now < follow->due_ns)
		return 0;
	follow->due_ns = now + count->options.interval_ns;
	ret = take_counts(follow->session, &count->late, &counts);
	if (ret)
		return ret;
	/* The budget is of the second events alone: the first ones go on. */
	if (count->options.shared.request.pair)
		follow->shown = counts->total;
	ret = count->draws ? draw(count, counts) : 0;
	if (ret) {
		say("%s", kcatch_error_text());
		return ret;
	}
	return count->draws && !stdout_flush() ? -EPIPE : 0;
}

static int run(struct count *count)
{
	const struct options *shared = &count->options.shared;
	struct follow *f = &count->follow;
	int ret;

	count->draws = !shared->json && !count->options.format &&
		       alternate_screen_is_there();
	f->other = -1;
	f->look = look;
	f->time_ns = shared->time_ns;
	f->count = shared->request.pair ? shared->count : 0;
	f->arg = count;
	f->started_ns = follow_clock();
	f->due_ns = f->started_ns + count->options.interval_ns;
	if (count->draws)
		alternate_screen_enter();
	ret = follow(f);
	alternate_screen_leave();
	return ret;
}

/* What a counter is called where calls are counted. */
static const char *count_term(const char *name)
{
	return !strcmp(name, "recorded") ? "counted" : !strcmp(name, "lost") ? "overflowed" : name;
}

void count_print_summary(const struct kcatch_totals *totals, const struct kcatch_counts *counts,
			 const char *end, bool final, const struct kcatch_pairs *pairs)
{
	struct json_writer json = { .length = 0 };

	json_put_begin(&json, true);
	json_add_begin(&json, "summary", true);
	json_add_number(&json, "hits", totals->hits);
#define PUT(name, words, help) json_add_number(&json, count_term(#name), totals->name);
	KCATCH_COUNTERS_TERMS(PUT)
#undef PUT
	if (pairs)
		event_json_pairs(&json, pairs);
	json_add_number(&json, "rows", counts->nr_rows);
	json_add_word(&json, "end", end);
	json_add_bool(&json, "final", final);
	json_put_end(&json);
	json_put_end(&json);
	json_print(&json, stdout, "\n");
	json_writer_deinit(&json);
}

/* By a format of kcatch report. */
static int print_picture(struct count *count, const struct kcatch_counts *counts,
			 const struct losses *losses)
{
	const struct kcatch_request *request = &count->options.shared.request;
	const bool off_cpu = count->options.shared.pair.off_cpu;
	const char *what = off_cpu               ? "--off-cpu" :
			   request->pair         ? request->pair->second :
			   request->nr_functions ? request->functions[0] :
			   request->nr_events    ? request->events[0] :
						   "";
	struct report_options options = {
		.format = report_format_find(count->options.format),
		.by_time = count->options.count.stats,
		.sum_of = count->options.count.stats,
	};
	struct report report = {
		.options = &options, .session = count->follow.session, .out = stdout,
		.from_ns = count->follow.started_ns,
		.to_ns = count->ended_ns ? count->ended_ns : follow_clock(),
	};
	char title[200];

	snprintf(title, sizeof(title), "kcatch count%s%.150s%s", *what ? " " : "", what,
		 request->nr_functions + request->nr_events > 1 ? " ..." : "");
	options.title = title;
	options.sum_unit = counts->unit;
	report.losses = *losses;
	/* What overflowed is in the picture. What a recording lost is not. */
	if (!count->options.recording) {
		report.losses.totals.recorded += report.losses.totals.lost;
		report.losses.totals.lost = 0;
	}
	return report_counts(&report, counts, count->options.count.keys);
}

static int print_table(struct count *count, const struct kcatch_counts *counts,
		       const struct counts_view *view)
{
	int ret = counts_print(count->follow.session, counts, stdout, view);

	if (counts->nr_rows > 1)
		printf("%12" PRIu64 " in all\n", counts->total);
	return ret;
}

int count_print(struct count *count, const struct kcatch_counts *counts,
		const struct losses *losses)
{
	struct counts_view view = view_of(count);
	struct kcatch_session *session = count->follow.session;

	if (count->options.format && strcmp(count->options.format, "folded") != 0)
		return print_picture(count, counts, losses);
	if (count->options.format)
		return counts_print_folded(session, counts, stdout, &view);
	if (count->options.shared.json)
		return counts_print_json(session, counts, stdout, &view);
	return counts->nr_rows ? print_table(count, counts, &view) : 0;
}

static int sum_up(struct count *count)
{
	struct kcatch_session *session = count->follow.session;
	const struct kcatch_request *request = &count->options.shared.request;
	struct losses losses = { .counts_all = !request->condition && !request->errors };
	const struct kcatch_counts *counts;
	struct kcatch_totals totals;
	bool has_pairs = request->pair, unpaired;
	const char *end = count->follow.end;
	struct kcatch_pairs pairs;
	int status;

	if (take_last_counts(session, &count->late, &counts, &losses))
		return STATUS_ERROR;
	if (has_pairs && kcatch_session_pairs(session, &pairs)) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	if (count_print(count, counts, &losses)) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	totals = losses.totals;
	if (!strcmp(end, "gone") && count->options.shared.count &&
	    totals.recorded >= count->options.shared.count)
		end = "count";
	/* Keys may find no room in the library, too. */
	totals.recorded += totals.lost - judge_counts_other(counts);
	totals.lost = judge_counts_other(counts);
	if (has_pairs)
		pair_terms(&pairs, &totals);
	if (count->options.shared.json)
		count_print_summary(&totals, counts, end, !count->late, has_pairs ? &pairs : NULL);
	judge_say_end(end, count->follow.ended_pid);
	status = judge_counts(&losses, counts);
	unpaired = has_pairs && pair_say(&pairs, count->options.shared.pair.off_cpu);
	status = unpaired ? STATUS_LOSSES : status;
	return count->late ? STATUS_LOSSES : status;
}

static void deinit(struct count_options *options)
{
	size_t i;

	for (i = 0; i < options->nr_texts; i++)
		free(options->texts[i]);
	free(options->texts);
	free(options->keys);
	free(options->patterns);
	options_deinit(&options->shared);
}

static int count_main(int argc, char **argv)
{
	struct count count = { .options = { .interval_ns = 0 } };
	int status = parse(argc, argv, &count.options);

	if (!count.options.recording && !count.options.interval_ns)
		count.options.interval_ns = FOLLOW_SECOND;
	if (status < 0 && count.options.recording)
		status = count_recording(&count);
	else if (status < 0)
		status = arm(&count) || run(&count) ? STATUS_ERROR : sum_up(&count);
	kcatch_session_close(count.follow.session);
	follow_deinit(&count.follow);
	deinit(&count.options);
	return command_end(status);
}

#define INTO(member) OPTION_INTO(struct count_options, member)

static const struct option_rule option_hist = {
	.name = "hist", .value = "EXPR", .help = "a histogram of this number: latency, ret, count, ...",
	.wanted = "give an expression, for example --hist latency",
	.kind = OPTION_TEXT, INTO(count.hist),
};

static const struct option_rule option_fine = {
	.name = "fine", .help = "buckets of the histogram an eighth as wide as their values, not powers\n"
		"of two",
	.kind = OPTION_ON, INTO(fine),
};

static const struct option_rule option_stats = {
	.name = "stats", .value = "EXPR", .help = "sum, smallest, largest and mean of this number",
	.wanted = "give an expression, for example --stats ret",
	.kind = OPTION_TEXT, INTO(count.stats),
};

static const struct option_rule option_off_cpu = {
	.name = "off-cpu",
	.help = "times that threads were off the CPU: latency, runnable, blocked; --by stack\n"
		"shows where they waited (default --by comm --stats latency)",
	.kind = OPTION_ON,
	INTO(shared.pair.off_cpu),
};

static const struct option_rule option_top = {
	.name = "top", .value = "N", .help = "at most N rows of the table (default 40)",
	.wanted = "give a number of rows, 1 to 1000000",
	.kind = OPTION_NUMBER, .least = 1, .most = 1000000, INTO(rows),
};

static const struct option_rule option_interval = {
	.name = "interval", .letter = 'd', .value = "SEC",
	.help = "seconds between two readings of the counts, and two pictures (default 1)",
	.wanted = "give seconds, at least 0.001, such as 0.5",
	.kind = OPTION_SECONDS, .least = 1000000, .most = UINT64_MAX, INTO(interval_ns),
};

static const struct option_rule option_table = {
	.name = "size", .value = "BYTES",
	.help = "size of each CPU's two tables of counts, 8K to 256M (default 1M)",
	.wanted = "give bytes per CPU, 8K to 256M, for example --size 4M",
	.kind = OPTION_BYTES, .least = 8192, .most = 256U << 20, INTO(count.table_size),
};

static const struct option_rule option_format = {
	.name = "format", .value = "FORMAT", .help = "of stacks: folded (for flame graph tools), flame (an SVG file), pprof",
	.wanted = "there are folded, flame and pprof",
	.kind = OPTION_CALL, .take = take_format,
};

static const struct option_rule option_input = {
	.name = "input", .letter = 'i', .value = "DIR",
	.help = "count the events of this recording, not calls that are made now",
	.wanted = "give the directory of a recording",
	.kind = OPTION_TEXT, INTO(recording),
};

static const struct option_rule option_commands = {
	.name = "comm", .letter = 'c', .value = "NAME",
	.help = "only threads of this name; with -i a name or a pattern",
	.wanted = "give the command's name, as ps -o comm shows it",
	.kind = OPTION_TEXT, INTO(comm),
};

static const struct option_use uses[] = {
	{ &option_by, NULL },
	{ &option_hist, NULL },
	{ &option_fine, NULL },
	{ &option_stats, NULL },
	{ &option_pair_key, NULL },
	{ &option_pairs, NULL },
	{ &option_off_cpu, NULL },
	{ &option_input, NULL },
	{ &option_event, NULL },
	{ &option_count, "count N calls, then end (default 0: until Ctrl-C)" },
	{ &option_time, NULL },
	{ &option_pid, NULL },
	{ &option_commands, NULL },
	{ &option_cgroup, NULL },
	{ &option_top, NULL },
	{ &option_interval, NULL },
	{ &option_depth, NULL },
	{ &option_in_flight, NULL },
	{ &option_table, NULL },
	{ &option_format, NULL },
	{ &option_json, "one JSON object a row, the last one a summary" },
	{ &option_help, NULL },
	{ NULL, NULL }
};

static const char help[] =
	"kcatch count - how often, by whom, how long: counted in the kernel\n"
	"\n"
	"  kcatch count 'tcp_*'                        a row for each function\n"
	"  kcatch count vfs_read --by comm             who reads\n"
	"  kcatch count vfs_fsync_range --hist latency how long it takes\n"
	"  kcatch count vfs_read 'ret < 0' --by ret    how it fails\n"
	"  kcatch count sched:sched_wakeup..sched:sched_switch --key 'p->pid..next_pid' --hist latency\n"
	"                                              how long threads wait for a CPU\n"
	"  kcatch count --off-cpu --by comm,stack      where threads wait, and how long in all\n"
	"  kcatch count -i DIR --by comm,ret           the same of a recording\n"
	"\n"
	"usage: kcatch count FUNCTION|PATTERN... [CONDITION] [-e EVENT]... [--by KEY,...] [options]\n"
	"       kcatch count A..B --key EXPR [CONDITION] [--by KEY,...] [options]\n"
	"       kcatch count --off-cpu [CONDITION] [--by KEY,...] [options]\n"
	"       kcatch count -i DIR [FUNCTION|PATTERN]... [CONDITION] [--by KEY,...] [options]\n"
	"\n";

const struct command command_count = {
	.name = "count",
	.run = count_main,
	.description = "how often, by whom, how long: counted in the kernel",
	.help = help,
	.options = uses,
	.help_end =
	"\n"
	"Exit status: 0; 1 for an error; 2 when nothing was counted; 3 when something was lost, or\n"
	"keys found no room.\n",
};
