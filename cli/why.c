/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why.c - kcatch why: where the time of the next slow call goes
 *
 * A recorder and a report, each in a process of its own, over a directory that is removed when both
 * are through: a flight recorder that the slow call freezes, or with -t a recording of so long.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "interrupt.h"
#include "options.h"
#include "words.h"

#define CALLS_MAX 1000U			/* of -n */
#define SLOW "latency > 10ms"		/* without a condition and without -t */
#define WORDS 32U			/* of a command line that is made here, but for functions */

/**
 * struct why - one run of kcatch why
 * @shared: the command line
 * @calls: how many calls are shown
 * @chain: what those that woke had waited for, too
 * @directory: made at the start, removed at the end
 * @recording: of the recorder, in @directory
 * @messages: what it says, in @directory
 * @condition: what the call has to meet; "": nothing
 * @child: the process that runs now
 * @announced: what is waited for has been said
 */
struct why {
	struct options shared;
	uint64_t calls;
	bool chain;
	char directory[4100];
	char recording[4200];
	char messages[4200];
	char *condition;
	pid_t child;
	bool announced;
};

/* A command line, with an end mark. */
struct line {
	size_t nr;
	size_t room;
	char **all;
};

static bool line_begin(struct line *line, size_t functions)
{
	*line = (struct line){ .room = WORDS + 2 * functions };
	line->all = calloc(line->room, sizeof(*line->all));
	return line->all;
}

/* A format for each word; those that cannot be made end the line early, as NULL. */
static void line_add(struct line *line, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void line_add(struct line *line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (line->nr + 1 < line->room &&
	    vasprintf(&line->all[line->nr], format, args) >= 0)
		line->nr++;
	va_end(args);
}

static void line_end(struct line *line)
{
	while (line->nr)
		free(line->all[--line->nr]);
	free(line->all);
}

/* ---- what runs ---------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
	(void)status;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

static int make_directory(struct why *why)
{
	const char *parent = getenv("TMPDIR");

	snprintf(why->directory, sizeof(why->directory), "%.4000s/kcatch-why-XXXXXX",
		 parent && *parent ? parent : "/tmp");
	if (!mkdtemp(why->directory)) {
		say("%s: %s", why->directory, strerror(errno));
		why->directory[0] = '\0';
		return STATUS_ERROR;
	}
	snprintf(why->recording, sizeof(why->recording), "%s/recording", why->directory);
	snprintf(why->messages, sizeof(why->messages), "%s/messages", why->directory);
	return -1;
}

/* In the child. The recorder's messages are told only if it fails. */
static void run(const struct why *why, const struct command *command, struct line *line,
		bool quiet)
{
	int fd;

	/* Ctrl-C of a terminal is for the command that was given, which passes it on. */
	setpgid(0, 0);
	signals_begin_anew();
	prctl(PR_SET_PDEATHSIG, SIGINT);
	if (quiet) {
		fd = open(why->messages, O_WRONLY | O_CREAT | O_APPEND, 0600);
		if (fd < 0 || dup2(fd, STDERR_FILENO) < 0)
			_exit(STATUS_ERROR);
		close(fd);
	}
	exit(command->run((int)line->nr, line->all));
}

static bool is_for_time(const struct why *why)
{
	return why->shared.time_ns != 0;
}

/* Does a line of the recorder say that it has armed, or will when a module comes? */
static bool says_ready(const char *line)
{
	static const char *const begins[] = { "kcatch: recording ", "kcatch: will record " };
	size_t i;

	for (i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (!strncmp(line, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* Says what is waited for, when the recorder has said that it records: it may refuse. */
static void announce(struct why *why)
{
	FILE *file = fopen(why->messages, "r");
	char text[400], limit[64];

	while (!why->announced && file && fgets(text, sizeof(text), file))
		why->announced = says_ready(text);
	if (file)
		fclose(file);
	if (!why->announced)
		return;
	if (is_for_time(why))
		say("recording%s", options_limit_text(&why->shared, limit, sizeof(limit)));
	else
		say("waiting for a call with %s, until Ctrl-C", why->condition);
}

/* Wait for the child; a signal is passed on, once. Return: its exit status. */
static int await(struct why *why, int signal_fd)
{
	bool told = signals_came();
	int status;

	for (;;) {
		struct pollfd poll_fd = { .fd = signal_fd, .events = POLLIN };
		pid_t ended = waitpid(why->child, &status, WNOHANG);

		if (ended == why->child || (ended < 0 && errno != EINTR))
			break;
		if (signals_came() && !told) {
			kill(why->child, SIGINT);
			told = true;
		}
		if (!why->announced)
			announce(why);
		/* The end of a child wakes nobody here, a signal does. */
		poll(told ? NULL : &poll_fd, told ? 0 : 1, 20);
	}
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	return WEXITSTATUS(status);
}

static int start(struct why *why, const struct command *command, struct line *line, bool quiet,
		 int signal_fd)
{
	fflush(NULL);
	why->child = fork();
	if (why->child < 0) {
		say("fork: %s", strerror(errno));
		return STATUS_ERROR;
	}
	if (!why->child)
		run(why, command, line, quiet);
	return await(why, signal_fd);
}

/* ---- the recorder ------------------------------------------------------------------- */

static void show_messages(const struct why *why)
{
	char text[400];
	FILE *file = fopen(why->messages, "r");

	while (file && fgets(text, sizeof(text), file))
		fputs(text, stderr);
	if (file)
		fclose(file);
}

/* Does the module know which threads are inside calls? If it cannot be asked, the recorder says
 * why. */
static bool knows_calls(void)
{
	struct kcatch_session *session;
	bool known;

	if (kcatch_session_open(&session))
		return true;
	known = kcatch_session_features(session) & KCATCH_CAN_RETURN_SHARED;
	kcatch_session_close(session);
	return known;
}

static int record(struct why *why, int signal_fd)
{
	static const char *const events[] = {
		"sched:sched_switch",       "sched:sched_waking",      "sched:sched_wakeup",
		"block:block_rq_issue",     "block:block_rq_complete", "block:block_bio_queue",
		"block:block_bio_complete",
	};
	const struct kcatch_request *request = &why->shared.request;
	struct line line;
	size_t i;
	int status;

	if (!line_begin(&line, request->nr_functions)) {
		say("out of memory");
		return STATUS_ERROR;
	}
	line_add(&line, "record");
	line_add(&line, "--stack");
	line_add(&line, "--output=%s", why->recording);
	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		line_add(&line, "--event=%s", events[i]);
	/* Of the switches that are left, the priority of both threads. */
	if (!why->chain && knows_calls()) {
		line_add(&line, "--in-call");
		line_add(&line, "--with=prev_prio=prev->prio");
		line_add(&line, "--with=next_prio=next->prio");
	}
	if (request->cgroup && is_for_time(why))
		line_add(&line, "--with-cgroup");
	if (why->shared.ring_size)
		line_add(&line, "--size=%" PRIu64, why->shared.ring_size);
	if (is_for_time(why))
		line_add(&line, "--time=%" PRIu64 ".%09" PRIu64,
			 why->shared.time_ns / 1000000000, why->shared.time_ns % 1000000000);
	for (i = 0; i < request->nr_functions; i++) {
		if (is_for_time(why))
			line_add(&line, "--function=%s", request->functions[i]);
		else
			/* What the entry decides would freeze there, before the call has waited. */
			line_add(&line, "--freeze-on=%s (%s) && latency >= 0",
				 request->functions[i], why->condition);
	}
	status = start(why, &command_record, &line, true, signal_fd);
	line_end(&line);
	if (status == STATUS_ERROR)
		show_messages(why);
	return status == STATUS_CAUGHT || status == STATUS_LOSSES ? -1 : status;
}

/* ---- the report --------------------------------------------------------------------- */

static int report(struct why *why, int signal_fd)
{
	const struct kcatch_request *request = &why->shared.request;
	struct line line;
	int status;

	if (!line_begin(&line, 0)) {
		say("out of memory");
		return STATUS_ERROR;
	}
	line_add(&line, "report");
	line_add(&line, "%s", why->recording);
	line_add(&line, "--format=why");
	line_add(&line, "--count=%" PRIu64, why->calls);
	/* A flight recorder has recorded the call that met it, and no other. */
	if (*why->condition && is_for_time(why))
		line_add(&line, "--filter=%s", why->condition);
	if (is_for_time(why) && request->comm)
		line_add(&line, "--comm=%s", request->comm);
	if (is_for_time(why) && request->pid)
		line_add(&line, "--pid=%" PRIu32, request->pid);
	if (why->chain)
		line_add(&line, "--chain");
	if (why->shared.json)
		line_add(&line, "--json");
	status = start(why, &command_report, &line, false, signal_fd);
	line_end(&line);
	return status;
}

/* ---- the command -------------------------------------------------------------------- */

/*
 * Of one process, command or cgroup. A report has options for the first two, which do not take
 * these words for fields of the scheduler's events.
 */
static void write_condition(const struct why *why, FILE *out)
{
	const struct kcatch_request *request = &why->shared.request;
	bool here = !is_for_time(why);
	const char *given = request->condition ? request->condition : here ? SLOW : "";
	bool more = request->cgroup || (here && (request->comm || request->pid));
	const char *between = *given && more ? " && " : "";

	fprintf(out, more && *given ? "(%s)" : "%s", given);
	if (here && request->comm) {
		fprintf(out, "%scomm == \"%s\"", between, request->comm);
		between = " && ";
	}
	if (here && request->pid) {
		fprintf(out, "%spid == %" PRIu32, between, request->pid);
		between = " && ";
	}
	if (request->cgroup)
		fprintf(out, "%s(cgroup == \"%s\" || cgroup ~ \"%s/*\")", between,
			request->cgroup, request->cgroup);
}

static int make_condition(struct why *why)
{
	struct kcatch_request *request = &why->shared.request;
	size_t length;
	FILE *out;

	if (request->comm && strpbrk(request->comm, "\"\\*?[")) {
		say("-c: %s: a name with a quote, a backslash or a wildcard; give the process, -p",
		    quoted(request->comm));
		return STATUS_ERROR;
	}
	if (request->cgroup && (*request->cgroup != '/' || strpbrk(request->cgroup, "\"\\*?["))) {
		say("--cgroup: %s: give the path of a cgroup, as /proc/PID/cgroup has it: "
		    "/system.slice/ssh.service",
		    quoted(request->cgroup));
		return STATUS_ERROR;
	}
	/* The root has all threads. */
	if (request->cgroup && !request->cgroup[strspn(request->cgroup, "/")])
		request->cgroup = NULL;
	out = open_memstream(&why->condition, &length);
	if (out) {
		write_condition(why, out);
		if (!fclose(out))
			return -1;
	}
	say("out of memory");
	return STATUS_ERROR;
}

static int parse(int argc, char **argv, struct why *why)
{
	int status = options_parse(&command_why, argc, argv, why);

	if (status >= 0)
		return status;
	if (argc > optind)
		status = words_parse(argv + optind, (size_t)(argc - optind),
				     &why->shared.request, false);
	if (status >= 0)
		return status;
	if (!why->shared.request.nr_functions) {
		say("why was which call slow? For example: kcatch why vfs_fsync_range "
		    "'latency > 100ms'");
		return STATUS_ERROR;
	}
	if (why->calls > 1 && !is_for_time(why)) {
		say("-n is for -t: without a time the first call that is slow is shown");
		return STATUS_ERROR;
	}
	return make_condition(why);
}

static int find_out(struct why *why)
{
	int signal_fd = signals_init(), status;

	if (signal_fd < 0) {
		say("signals: %s", strerror(-signal_fd));
		return STATUS_ERROR;
	}
	status = make_directory(why);
	if (status >= 0)
		return status;
	status = record(why, signal_fd);
	if (signals_came() && !is_for_time(why)) {
		say("no such call came");
		status = STATUS_NOTHING;
	}
	if (status < 0)
		status = report(why, signal_fd);
	nftw(why->directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return status;
}

static int why_main(int argc, char **argv)
{
	struct why why = { .calls = 1 };
	int status = parse(argc, argv, &why);

	if (status < 0)
		status = find_out(&why);
	free(why.condition);
	options_deinit(&why.shared);
	return command_end(status);
}

#define INTO(member) OPTION_INTO(struct why, member)

static const struct option_rule option_calls = {
	.name = "count", .letter = 'n', .value = "N",
	.help = "with -t: the N slowest calls, the slowest first (1)",
	.wanted = "a number from 1 to 1000",
	.kind = OPTION_NUMBER, .least = 1, .most = CALLS_MAX, INTO(calls),
};

static const struct option_rule option_chain = {
	.name = "chain", .help = "also what those that woke had waited for, and so on",
	.kind = OPTION_ON, INTO(chain),
};

static const struct option_use uses[] = {
	{ &option_time, "of the calls of SEC seconds the slowest" },
	{ &option_calls, NULL },
	{ &option_pid, NULL },
	{ &option_comm, NULL },
	{ &option_cgroup, NULL },
	{ &option_chain, NULL },
	{ &option_json, "an object a call" },
	{ &option_size, NULL },
	{ &option_help, NULL },
	{ NULL, NULL }
};

static const char help[] =
"kcatch why - where the time of the next slow call goes\n"
"\n"
"  kcatch why vfs_fsync_range 'latency > 100ms'   blocked on what, and ended by whom;\n"
"                                                 ready to run, and who ran; on the CPU\n"
"  kcatch why openat -c nginx                     the next one of 10 ms or more\n"
"  kcatch why vfs_read -t 10 -n 3 --chain         the slowest 3 of ten seconds, and what\n"
"                                                 those that woke it had waited for\n"
"\n"
"usage: kcatch why FUNCTION|SYSCALL... [CONDITION] [options]\n"
"\n";

const struct command command_why = {
	.name = "why",
	.run = why_main,
	.description = "where the time of the next slow call goes, and who ended its sleeps",
	.help = help,
	.options = uses,
	.help_end =
	"\n"
	"Without a condition and without -t, a call of more than 10 ms is waited for.\n"
	"It is kcatch record with the scheduler's events and kcatch report --format why: use these\n"
	"to keep the recording. Exit status: 0; 1 for an error; 2 no such call came; 3 something\n"
	"was lost, or a call under way at the end could not be decided.\n",
};
