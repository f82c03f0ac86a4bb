/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stuck.c - why does it not move: what is blocked, on what, and who has that
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch.h>
#include <machine.h>

#include "command.h"
#include "output.h"
#include "session_open.h"
#include "stuck_show.h"

/* Shorter waits are what machines do all the time. */
#define LIMIT_NS 2000000000ULL

static const struct option long_options[] = {
	{ "pid", required_argument, NULL, 'p' },
	{ "limit", required_argument, NULL, 'l' },
	{ "sleeping", no_argument, NULL, 's' },
	{ "no-user", no_argument, NULL, 'u' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

const char help_stuck[] =
"kcatch stuck - why does it not move\n"
"\n"
"  kcatch stuck                    the whole machine: deadlocks first, then CPUs that do not\n"
"                                  schedule, then blocked threads by identical stack\n"
"  kcatch stuck -p 4711            every thread of a process, whatever it does\n"
"  kcatch stuck --limit 0          also those that have been blocked for a moment only\n"
"  kcatch stuck --sleeping --limit 60\n"
"                                  also those in interruptible sleep, for a minute or longer\n"
"\n"
"usage: kcatch stuck [options]\n"
"  -p, --pid PID     threads of this process only\n"
"      --limit SEC   blocked for SEC seconds at least (default 2)\n"
"      --sleeping    in interruptible sleep as well (state S), as services are all day\n"
"      --no-user     no user stacks\n"
"      --json        one JSON object a thread, the last one a summary\n"
"\n"
"The first line is the verdict. Of a blocked thread: its state, for how long, the system\n"
"call with its arguments, what it waits for and who has that, its stacks. A deadlock is\n"
"told only when it is proven: each lock by its own list and owner, and no thread of it\n"
"ran between two looks. Needs no debug information; changes nothing.\n"
"\n"
"Exit status: 0 something is stuck, 2 nothing is, 1 an error.\n";

struct choice {
	struct kcatch_stuck_options options;
	bool user;
	bool json;
};

static int parse_pid(const char *word, uint32_t *pid)
{
	char *end;
	unsigned long number = strtoul(word, &end, 10);

	if (word[0] < '0' || word[0] > '9' || *end || !number || number > INT32_MAX) {
		say("-p takes the number of a process, not %s", quoted(word));
		return -1;
	}
	*pid = (uint32_t)number;
	return 0;
}

static int parse_limit(const char *word, uint64_t *ns)
{
	char *end;
	double seconds = strtod(word, &end);

	if (end == word || *end || !(seconds >= 0 && seconds <= 1e9)) {
		say("--limit takes seconds, such as 10 or 0.5, not %s", quoted(word));
		return -1;
	}
	*ns = (uint64_t)(seconds * 1e9);
	return 0;
}

/* -1 to go on; else the exit status. */
static int parse(int argc, char **argv, struct choice *choice)
{
	int option;

	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, ":p:h", long_options, NULL)) != -1) {
		switch (option) {
		case 'p':
			if (parse_pid(optarg, &choice->options.pid))
				return STATUS_ERROR;
			break;
		case 'l':
			if (parse_limit(optarg, &choice->options.limit_ns))
				return STATUS_ERROR;
			break;
		case 's':
			choice->options.sleeping = true;
			break;
		case 'u':
			choice->user = false;
			break;
		case 'j':
			choice->json = true;
			break;
		case 'h':
			help_print("stuck");
			return output_finish(STATUS_CAUGHT);
		case ':':
			say("%s needs a value; see kcatch help stuck", quoted(argv[optind - 1]));
			return STATUS_ERROR;
		default:
			say("unknown option %s; see kcatch help stuck", quoted(argv[optind - 1]));
			return STATUS_ERROR;
		}
	}
	if (optind < argc) {
		say("stuck takes no words: %s; a process is chosen with -p PID", quoted(argv[optind]));
		return STATUS_ERROR;
	}
	return -1;
}

int stuck_main(int argc, char **argv)
{
	struct choice choice = { .options = { .limit_ns = LIMIT_NS }, .user = true };
	const struct kcatch_stuck *stuck = NULL;
	struct kcatch_session *session = NULL;
	const char *tracefs = kcatch_machine_tracefs();
	int status = parse(argc, argv, &choice);
	struct kcatch_syscall_arguments last_call = { .name = "" };
	struct stuck_view view;

	if (status >= 0)
		return status;
	if (session_open(&session) || kcatch_stuck_create(session, &choice.options, &stuck)) {
		say("%s", kcatch_error_text());
		kcatch_session_close(session);
		return STATUS_ERROR;
	}
	view = (struct stuck_view){
		.stuck = stuck, .options = &choice.options, .user = choice.user,
		.tracefs = tracefs ? tracefs : "", .last_call = &last_call,
	};
	if (choice.json)
		stuck_json(stdout, &view);
	else
		stuck_text(stdout, &view);
	status = stuck_is(&view) ? STATUS_CAUGHT : STATUS_NOTHING;
	kcatch_stuck_destroy(stuck);
	kcatch_session_close(session);
	return output_finish(status);
}
