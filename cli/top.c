/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * top.c - kcatch top: who calls most, what fails, what takes long, while it happens
 *
 * On a terminal the picture is drawn anew each interval and keys change it; elsewhere one
 * picture follows the other. The terminal is given back as it was, however it ends.
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
#include <time.h>
#include <unistd.h>

#include <kcatch.h>
#include <live.h>

#include "command.h"
#include "options.h"
#include "output.h"
#include "session_open.h"
#include "signals.h"

#define LOOK_MS 100
#define BATCH_ROWS 20
#define RING (1U << 20)	/* bytes a CPU */
#define FETCH 8		/* bytes of a string or struct: none is shown */

const char help_top[] =
"kcatch top - who calls most, what fails, what takes long, while it happens\n"
"\n"
"  kcatch top 'vfs_*'              functions and their callers, each second anew\n"
"  kcatch top -e 'sched:*'         events, and where they come from\n"
"  kcatch top 'tcp_*' -n 3 -d 5    three pictures, five seconds each\n"
"\n"
"usage: kcatch top FUNCTION|PATTERN... [-e EVENT]... [options]\n"
"  -e EVENT     a tracepoint or DO_TRACE event, or a pattern (again: more of them)\n"
"  -d SECONDS   between pictures (1)         -n N     end after N pictures\n"
"  -s ORDER     calls total failed latency p99 max    --rows N  at most N lines (20)\n"
"  -p PID       only this process            -c COMM  only threads of this name\n"
"  --batch      one picture below the other, also on a terminal\n"
"  --size BYTES ring per CPU (1M)\n"
"  Keys: c t f l p m sort by calls, total, failed, latency, p99, max; r begins anew;\n"
"  space holds the picture; q ends.\n"
"\n"
"Exit status: 0; 1 for an error; 2 when nothing was called; 3 when something was lost.\n"
"\n";

enum { OPTION_BATCH = OPTIONS_OWN, OPTION_ROWS };

struct top {
	struct kcatch_request request;
	const char **events;
	uint64_t interval_ns;
	uint64_t pictures;	/* 0: until it is ended */
	uint64_t ring_size;
	unsigned int rows;
	bool batch;
	bool held;
	bool quits;
	enum live_order order;
	struct kcatch_session *session;
	struct live *live;
	struct termios before;
	bool raw;
};

static struct top *on_terminal;	/* for the end of the program, wherever it is */

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void leave_terminal(void)
{
	static const char leave[] = "\x1b[?25h\x1b[?1049l";
	struct top *top = on_terminal;

	if (!top)
		return;
	on_terminal = NULL;
	if (write(STDOUT_FILENO, leave, sizeof(leave) - 1) < 0)
		top->batch = true;	/* nobody is there any more */
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
		/* Stopped with ^Z the shell would get this screen. */
		raw.c_cc[VSUSP] = _POSIX_VDISABLE;
		top->raw = !tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
	}
	fputs("\x1b[?1049h\x1b[?25l", stdout);
}

static bool parse_count(const char *text, uint64_t most, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *number && *number <= most;
}

static int parse_option(int option, char **argv, struct top *top)
{
	uint64_t number;

	switch (option) {
	case 'e':
		top->events[top->request.nr_events++] = optarg;
		return -1;
	case 'd':
		return options_seconds(optarg, &top->interval_ns) ? -1 :
			options_usage_error("-d", optarg, "seconds, such as 0.5");
	case 'n':
		return parse_count(optarg, UINT64_MAX, &top->pictures) ? -1 :
			options_usage_error("-n", optarg, "a number of pictures, from 1 on");
	case 's':
		return live_order_find(optarg, &top->order) ? -1 :
			options_usage_error("-s", optarg, "calls, total, failed, latency, p99 or max");
	case 'p':
		if (!parse_count(optarg, INT32_MAX, &number))
			return options_usage_error("-p", optarg, "a process id");
		top->request.pid = (uint32_t)number;
		return -1;
	case 'c':
		if (!*optarg || strlen(optarg) > 15)
			return options_usage_error("-c", optarg, "a thread's name, at most 15 characters");
		top->request.comm = optarg;
		return -1;
	case OPTION_BATCH:
		top->batch = true;
		return -1;
	case OPTION_ROWS:
		if (!parse_count(optarg, LIVE_ROWS, &number))
			return options_usage_error("--rows", optarg, "a number of lines");
		top->rows = (unsigned int)number;
		return -1;
	case OPTION_SIZE:
		return options_size(optarg, &top->ring_size) ? -1 :
			options_usage_error("--size", optarg, "a size such as 256K or 4M");
	case 'h':
		help_print("top");
		return STATUS_CAUGHT;
	default:
		say("option %s is unknown or lacks its value; see kcatch help top", quoted(argv[optind - 1]));
		return STATUS_ERROR;
	}
}

static int parse(int argc, char **argv, struct top *top)
{
	static const struct option long_options[] = {
		{ "event", required_argument, NULL, 'e' },
		{ "delay", required_argument, NULL, 'd' },
		{ "count", required_argument, NULL, 'n' },
		{ "sort", required_argument, NULL, 's' },
		{ "pid", required_argument, NULL, 'p' },
		{ "comm", required_argument, NULL, 'c' },
		{ "batch", no_argument, NULL, OPTION_BATCH },
		{ "rows", required_argument, NULL, OPTION_ROWS },
		{ "size", required_argument, NULL, OPTION_SIZE },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	int option, status;

	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, "e:d:n:s:p:c:h", long_options, NULL)) != -1) {
		status = parse_option(option, argv, top);
		if (status >= 0)
			return status;
	}
	top->request.functions = (const char *const *)argv + optind;
	top->request.nr_functions = (size_t)(argc - optind);
	top->request.events = top->events;
	if (!top->request.nr_functions && !top->request.nr_events) {
		say("top of what? For example: kcatch top 'vfs_*', kcatch top -e 'sched:*'");
		return STATUS_ERROR;
	}
	/* The caller is the first frame; returns are told by their type. */
	top->request.depth = 1;
	top->request.returns = top->request.arguments = top->request.nr_functions != 0;
	top->request.string_size = top->request.struct_size = FETCH;
	top->request.event_stacks = true;
	top->request.others_only = true;
	if (!isatty(STDOUT_FILENO))
		top->batch = true;
	return -1;
}

static int arm(struct top *top)
{
	int ret = session_open(&top->session);

	if (!ret)
		ret = kcatch_session_setup(top->session, top->ring_size, &top->request);
	if (!ret)
		ret = kcatch_session_add(top->session, &top->request);
	if (!ret && !kcatch_session_nr_probes(top->session)) {
		say("nothing of what was asked for can be traced");
		return -ENOENT;
	}
	if (!ret)
		ret = kcatch_session_start(top->session);
	if (ret)
		say("%s", kcatch_error_text());
	return ret;
}

static int count_events(struct top *top, uint64_t until)
{
	const struct kcatch_event *event;
	uint64_t since = 0;
	int ret;

	while ((ret = kcatch_session_next(top->session, &event)) > 0) {
		ret = live_add(top->live, top->session, event);
		if (ret < 0)
			break;
		/* There may be no end of them: the picture is due all the same. */
		if (!(++since % 256) && (signals_came() || (until && now_ns() >= until)))
			break;
	}
	if (ret < 0)
		say("%s", kcatch_error_text());
	return ret < 0 ? ret : 0;
}

static void print_head(struct top *top, double seconds, const char *end)
{
	static const char *const orders[LIVE_ORDERS] = { "calls", "total", "failed", "latency", "p99", "max" };
	struct kcatch_totals totals = { .hits = 0 };

	kcatch_session_totals(top->session, &totals);
	printf("kcatch top: %zu function%s, %.0f calls/s, %" PRIu64 " in all, lost %" PRIu64 ", by %s%s%s",
	       kcatch_session_nr_probes(top->session),
	       kcatch_session_nr_probes(top->session) == 1 ? "" : "s",
	       seconds > 0 ? (double)live_recent(top->live) / seconds : 0, live_total(top->live),
	       totals.lost + totals.missed, orders[top->order], top->held ? ", held" : "", end);
}

static int draw(struct top *top, double seconds)
{
	struct live_view view = { .order = top->order, .rows = top->rows ? top->rows : BATCH_ROWS,
				  .seconds = seconds };
	struct winsize size;
	int ret;

	if (top->batch) {
		print_head(top, seconds, "\n");
		ret = live_print(top->live, stdout, &view, "\n");
		putchar('\n');
	} else {
		if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
			size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
		view.columns = size.ws_col;
		view.rows = size.ws_row > 5 ? size.ws_row - 5U : 1;
		if (top->rows && top->rows < view.rows)
			view.rows = top->rows;
		/* Line by line over the old picture: nothing flickers. */
		fputs("\x1b[H\x1b[?7l", stdout);
		print_head(top, seconds, "\x1b[K\r\n");
		ret = live_print(top->live, stdout, &view, "\x1b[K\r\n");
		fputs("\x1b[2mc t f l p m: sort   r: anew   space: hold   q: quit\x1b[0m\x1b[K\x1b[J\x1b[?7h", stdout);
	}
	if (ret)
		say("%s", kcatch_error_text());
	return ret ? ret : output_flush() ? 0 : -EPIPE;
}

/* Return: whether the picture is to be drawn at once. */
static bool take_key(struct top *top)
{
	char name[2] = "";

	if (read(STDIN_FILENO, name, 1) <= 0)
		return false;
	switch (name[0]) {
	case 'q':
	case 4:
		top->quits = true;
		return false;
	case 'r':
		live_reset(top->live);
		return true;
	case ' ':
		top->held = !top->held;
		return true;
	default:
		return live_order_find(name, &top->order);
	}
}

static int wait_ms(uint64_t due)
{
	uint64_t now = now_ns();

	if (now >= due)
		return 0;
	return due - now > (uint64_t)LOOK_MS * 1000000 ? LOOK_MS : (int)((due - now) / 1000000 + 1);
}

static int follow(struct top *top)
{
	struct pollfd fds[] = {
		{ kcatch_session_fd(top->session), POLLIN, 0 },
		{ signals_init(), POLLIN, 0 },
		{ top->batch || !isatty(STDIN_FILENO) ? -1 : STDIN_FILENO, POLLIN, 0 },
	};
	uint64_t last = now_ns(), due = last + top->interval_ns, drawn = 0;
	bool redraw = false;
	int ret = 0;

	while (!ret && !top->quits && !signals_came()) {
		if (poll(fds, 3, wait_ms(due)) < 0 && errno != EINTR) {
			say("poll: %s", strerror(errno));
			return -errno;
		}
		if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
			fds[0].fd = -1;
		ret = count_events(top, due);
		if (!ret && fds[2].revents)
			redraw = take_key(top);
		if (fds[2].revents & (POLLHUP | POLLERR))
			top->quits = true;
		if (ret || top->quits || (now_ns() < due && !redraw))
			continue;
		if (redraw || !top->held)
			ret = draw(top, (double)(now_ns() - last) / 1e9);
		redraw = false;
		last = now_ns();
		if (last < due)
			continue;
		due = last + top->interval_ns;
		if (top->pictures && ++drawn >= top->pictures)
			break;
	}
	return ret;
}

static int judge(struct top *top)
{
	struct kcatch_totals totals;

	if (kcatch_session_stop(top->session) || kcatch_session_totals(top->session, &totals)) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	if (totals.lost || totals.missed > totals.undecided || totals.return_lost || totals.no_slot) {
		say("lost %" PRIu64 ", missed %" PRIu64 " calls; returns: %" PRIu64 " lost, %" PRIu64
		    " without a slot; fewer functions or a larger --size help", totals.lost,
		    totals.missed - totals.undecided, totals.return_lost, totals.no_slot);
		return STATUS_LOSSES;
	}
	if (!totals.recorded) {
		say("nothing of it was called");
		return STATUS_NOTHING;
	}
	return STATUS_CAUGHT;
}

int top_main(int argc, char **argv)
{
	struct top top = { .interval_ns = 1000000000, .ring_size = RING };
	int status;

	top.events = calloc((size_t)argc, sizeof(*top.events));
	top.live = live_create();
	if (!top.events || !top.live) {
		say("out of memory");
		status = STATUS_ERROR;
	} else {
		status = parse(argc, argv, &top);
	}
	if (status < 0) {
		status = STATUS_ERROR;
		if (!arm(&top)) {
			if (!top.batch)
				enter_terminal(&top);
			status = follow(&top) ? STATUS_ERROR : -1;
			fflush(stdout);
			leave_terminal();
			if (status < 0)
				status = judge(&top);
		}
	}
	kcatch_session_close(top.session);
	live_destroy(top.live);
	free(top.events);
	return output_finish(status);
}
