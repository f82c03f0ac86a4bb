/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * top.c - kcatch top: a live table of functions and callers: calls, failures, latencies
 *
 * The kernel counts, as for kcatch count; the counts are taken out of it each interval.
 * On a terminal, the table is redrawn in place each interval, and keys change its order.
 * Elsewhere, the tables are printed one after another. The terminal's modes are restored at
 * every normal exit.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <kcatch.h>
#include <top_table.h>

#include "alternate_screen.h"
#include "command.h"
#include "follow.h"
#include "judge.h"
#include "options.h"
#include "stdout.h"
#include "session_open.h"
#include "take_counts.h"
#include "words.h"

#define BATCH_ROWS 20
#define RING_SIZE 8192U	/* bytes per CPU: the least; what is counted is not recorded */

struct top_options {
	struct options shared;	/* its count: pictures to draw; 0: no limit */
	struct kcatch_count_request count;
	uint64_t interval_ns;
	uint64_t rows;
	bool batch;
	enum top_order order;
};

struct top {
	struct follow follow;
	struct top_options options;
	uint64_t pictures;	/* intervals that have ended */
	uint64_t taken_ns;	/* CLOCK_MONOTONIC of the last update of the table */
	double seconds;		/* between the last two updates */
	bool held;
	bool late;		/* a CPU takes no interrupts: counts are still in the kernel */
	struct top_table *table;
	struct termios before;
	bool raw;
};

static struct top *on_terminal;	/* for atexit(); NULL: there is nothing to restore */

static void leave_terminal(void)
{
	struct top *top = on_terminal;

	if (!top)
		return;
	on_terminal = NULL;
	alternate_screen_leave();
	if (top->raw)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &top->before);
}

static void enter_terminal(struct top *top)
{
	struct termios raw;

	on_terminal = top;
	atexit(leave_terminal);
	if (!tcgetattr(STDIN_FILENO, &top->before)) {
		raw = top->before;
		raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		raw.c_cc[VMIN] = 0;
		raw.c_cc[VTIME] = 0;
		top->raw = !tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
	}
	alternate_screen_enter();
}

static int take_order(const struct option_rule *rule, const char *value, void *target)
{
	return top_table_order_find(value, &((struct top_options *)target)->order)
		       ? -1
		       : option_refuse(rule, value);
}

static int parse(int argc, char **argv, struct top_options *options)
{
	struct kcatch_request *request = &options->shared.request;
	int status, i;

	kcatch_request_init(request);
	status = options_parse(&command_top, argc, argv, options);
	if (status >= 0)
		return status;
	for (i = optind; i < argc; i++) {
		if (!word_is_condition(argv[i]))
			continue;
		say("top takes no condition: %s; count does: kcatch count FUNCTION CONDITION --by "
		    "function,caller", quoted(argv[i]));
		return STATUS_ERROR;
	}
	request->functions = (const char *const *)argv + optind;
	request->nr_functions = (size_t)(argc - optind);
	if (!request->nr_functions && !request->nr_events) {
		say("top of what? For example: kcatch top 'vfs_*', kcatch top -e 'sched:*'");
		return STATUS_ERROR;
	}
	top_table_request(&options->count);
	request->count = &options->count;
	request->returns = request->nr_functions != 0;
	request->no_stack = true;
	request->others_only = true;
	if (!alternate_screen_is_there())
		options->batch = true;
	return -1;
}

static int arm(struct top *top)
{
	return session_begin(&top->follow.session, RING_SIZE, &top->options.shared.request);
}

/* What found no room is counted, too. */
static void print_head(struct top *top, const char *end)
{
	static const char *const orders[TOP_ORDERS] = { "calls",   "total", "failed",
							 "latency", "p99",   "max" };
	struct kcatch_totals totals = { .hits = 0 };

	kcatch_session_totals(top->follow.session, &totals);
	printf("kcatch top: %zu function%s, %.0f calls/s, %" PRIu64 " in all, undecided %" PRIu64
	       ", missed %" PRIu64 ", by %s%s%s%s",
	       kcatch_session_nr_probes(top->follow.session),
	       kcatch_session_nr_probes(top->follow.session) == 1 ? "" : "s",
	       top->seconds > 0 ? (double)top_table_recent(top->table) / top->seconds : 0,
	       top_table_total(top->table), totals.undecided, totals.missed,
	       orders[top->options.order], top->held ? ", held" : "",
	       top->late ? TAKE_COUNTS_LATE : "", end);
}

static int draw(struct top *top)
{
	struct top_view view = { .order = top->options.order,
				  .rows = (unsigned int)top->options.rows
						  ? (unsigned int)top->options.rows
						  : BATCH_ROWS,
				  .seconds = top->seconds };
	struct winsize size;
	int ret;

	if (top->options.batch) {
		print_head(top, "\n");
		ret = top_table_print(top->table, stdout, &view, "\n");
		putchar('\n');
	} else {
		if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
			size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
		view.columns = size.ws_col;
		view.rows = size.ws_row > 5 ? size.ws_row - 5U : 1;
		if ((unsigned int)top->options.rows && (unsigned int)top->options.rows < view.rows)
			view.rows = (unsigned int)top->options.rows;
		/* Overwrite the old picture line by line: clearing it first would flicker. */
		fputs("\x1b[H\x1b[?7l", stdout);
		print_head(top, "\x1b[K\r\n");
		ret = top_table_print(top->table, stdout, &view, "\x1b[K\r\n");
		fputs("\x1b[2mc t f l p m: sort   r: anew   space: hold   q: quit\x1b[0m\x1b[K\x1b[J\x1b[?7h",
		      stdout);
	}
	if (ret)
		say("%s", kcatch_error_text());
	return ret ? ret : stdout_flush() ? 0 : -EPIPE;
}

/* Handle one key. Return: 1 to redraw now, 0 to do nothing, -1 to quit. */
static int take_key(struct top *top)
{
	char name[2] = "";

	if (read(STDIN_FILENO, name, 1) <= 0)
		return 0;
	switch (name[0]) {
	case 'q':
	case 4:
		return -1;
	case 'r':
		kcatch_session_count_reset(top->follow.session);
		top_table_reset(top->table);
		return 1;
	case ' ':
		top->held = !top->held;
		return 1;
	default:
		return top_table_order_find(name, &top->options.order);
	}
}

static int update(struct top *top, uint64_t now)
{
	const struct kcatch_counts *counts;
	int ret = take_counts(top->follow.session, &top->late, &counts);

	/* Without new counts every rate would be 0: the last table is shown, with a mark. */
	if (ret || top->late)
		return ret;
	ret = top_table_update(top->table, counts);
	if (ret)
		say("%s", kcatch_error_text());
	top->seconds = (double)(now - top->taken_ns) / 1e9;
	top->taken_ns = now;
	return ret;
}

static int look(struct follow *follow, uint64_t now)
{
	struct top *top = follow->arg;
	int key = follow->other_came ? take_key(top) : 0, ret = 0;
	bool due = now >= follow->due_ns;

	if (key < 0 || follow->other_came & (POLLHUP | POLLERR)) {
		follow->end = "quit";
		return 1;
	}
	if (due)
		ret = update(top, now);
	if (!ret && (key || (due && !top->held)))
		ret = draw(top);
	if (ret || !due)
		return ret;
	follow->due_ns = now + top->options.interval_ns;
	follow->end = "count";
	return ++top->pictures == top->options.shared.count;
}

static int show(struct top *top)
{
	struct follow *f = &top->follow;
	bool keys = !top->options.batch && isatty(STDIN_FILENO);
	int ret;

	f->shows = true;
	f->other = keys ? STDIN_FILENO : -1;
	f->look = look;
	f->arg = top;
	f->started_ns = top->taken_ns = follow_clock();
	f->due_ns = f->started_ns + top->options.interval_ns;
	if (!top->options.batch)
		enter_terminal(top);
	ret = follow(f);
	leave_terminal();
	return ret;
}

static int sum_up(struct top *top)
{
	struct kcatch_session *session = top->follow.session;
	struct losses losses = { .counts_all = true };
	const struct kcatch_counts *counts;
	int status;

	if (take_last_counts(session, &top->late, &counts, &losses))
		return STATUS_ERROR;
	judge_say_end(top->follow.end, 0);
	status = judge_counts(&losses, counts);
	return top->late ? STATUS_LOSSES : status;
}

static int top_main(int argc, char **argv)
{
	struct top top = { .options = { .interval_ns = FOLLOW_SECOND } };
	int status = parse(argc, argv, &top.options);

	if (status < 0) {
		top.table = top_table_create();
		if (!top.table)
			say("out of memory");
		status = !top.table || arm(&top) || show(&top) ? STATUS_ERROR : sum_up(&top);
	}
	kcatch_session_close(top.follow.session);
	top_table_destroy(top.table);
	options_deinit(&top.options.shared);
	return command_end(status);
}

#define INTO(member) OPTION_INTO(struct top_options, member)

static const struct option_rule option_delay = {
	.name = "delay", .letter = 'd', .value = "SEC", .help = "between pictures (default 1)",
	.wanted = "give seconds, at least 0.001, such as 0.5",
	.kind = OPTION_SECONDS, .least = 1000000, .most = UINT64_MAX, INTO(interval_ns),
};

static const struct option_rule option_sort = {
	.name = "sort", .letter = 's', .value = "ORDER", .help = "calls total failed latency p99 max",
	.wanted = "calls, total, failed, latency, p99 or max",
	.kind = OPTION_CALL, .take = take_order,
};

static const struct option_rule option_rows = {
	.name = "rows", .value = "N", .help = "at most N lines (default 20, or what the terminal has)",
	.wanted = "give a number of lines, 1 to 10000",
	.kind = OPTION_NUMBER, .least = 1, .most = TOP_ROWS, INTO(rows),
};

static const struct option_rule option_batch = {
	.name = "batch", .help = "one picture below the other, also on a terminal",
	.kind = OPTION_ON, INTO(batch),
};

static const struct option_rule option_table = {
	.name = "size", .value = "BYTES",
	.help = "size of each CPU's two tables of counts, 8K to 256M (default 1M)",
	.wanted = "give bytes per CPU, 8K to 256M, for example --size 4M",
	.kind = OPTION_BYTES, .least = 8192, .most = 256U << 20, INTO(count.table_size),
};

static const struct option_use uses[] = {
	{ &option_event, "a tracepoint or ktrace event, or a pattern (again: more of them)" },
	{ &option_delay, NULL },
	{ &option_count, "end after N pictures (default 0: never)" },
	{ &option_sort, NULL },
	{ &option_rows, NULL },
	{ &option_pid, NULL },
	{ &option_comm, NULL },
	{ &option_cgroup, NULL },
	{ &option_batch, NULL },
	{ &option_in_flight, NULL },
	{ &option_table, NULL },
	{ &option_help, NULL },
	{ NULL, NULL }
};

static const char help[] =
"kcatch top - who calls most, what fails, what takes long, while it happens\n"
"\n"
"  kcatch top 'vfs_*'              functions and their callers, each second anew\n"
"  kcatch top -e 'sched:*'         events, and where they come from\n"
"  kcatch top 'tcp_*' -n 3 -d 5    three pictures, five seconds each\n"
"\n"
"usage: kcatch top FUNCTION|PATTERN... [-e EVENT]... [options]\n"
"\n";

const struct command command_top = {
	.name = "top",
	.run = top_main,
	.description = "who calls most, what fails, what takes long: a live view",
	.help = help,
	.options = uses,
	.help_end =
	"\n"
	"Keys: c t f l p m sort by calls, total, failed, latency, p99, max; r begins anew;\n"
	"space holds the picture; q ends.\n"
	"\n"
	"Exit status: 0; 1 for an error; 2 when nothing was counted; 3 when calls were missed,\n"
	"or functions and callers found no room.\n",
};
