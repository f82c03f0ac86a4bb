/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stuck.c - kcatch stuck: show blocked threads, what each waits for, and who holds it
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch.h>

#include "command.h"
#include "options.h"
#include "session_open.h"
#include "stuck_show.h"

/* Default of --limit: shorter waits are normal. */
#define LIMIT_NS 2000000000ULL

struct choice {
	struct options shared;
	uint64_t limit_ns;
	bool sleeping;
	bool user;
};

static const struct option_rule option_limit = {
	.name = "limit", .value = "SEC", .help = "blocked for at least SEC seconds (default 2)",
	.wanted = "give seconds, such as 10 or 0.5",
	.kind = OPTION_SECONDS, .most = UINT64_MAX, OPTION_INTO(struct choice, limit_ns),
};

static const struct option_rule option_sleeping = {
	.name = "sleeping",
	.help = "in interruptible sleep as well (state S), as idle services are",
	.kind = OPTION_ON, OPTION_INTO(struct choice, sleeping),
};

static const struct option_rule option_no_user = {
	.name = "no-user",
	.help = "no user stacks",
	.kind = OPTION_OFF,
	OPTION_INTO(struct choice, user),
};

static const struct option_use uses[] = {
	{ &option_pid, "threads of this process only" },
	{ &option_limit, NULL },
	{ &option_sleeping, NULL },
	{ &option_no_user, NULL },
	{ &option_json, "one JSON object a thread, the last one a summary" },
	{ &option_help, NULL },
	{ NULL, NULL }
};

static int show(const struct choice *choice)
{
	const struct kcatch_stuck_options options = {
		.size = sizeof(options),
		.pid = choice->shared.request.pid,
		.limit_ns = choice->limit_ns,
		.sleeping = choice->sleeping,
	};
	const struct kcatch_stuck *stuck = NULL;
	struct kcatch_session *session = NULL;
	struct stuck_view view;
	int status;

	if (session_open(&session))
		return STATUS_ERROR;
	if (kcatch_stuck_create(session, &options, &stuck)) {
		say("%s", kcatch_error_text());
		kcatch_session_close(session);
		return STATUS_ERROR;
	}
	view = (struct stuck_view){ .stuck = stuck, .options = &options, .user = choice->user };
	if (choice->shared.json)
		stuck_json(stdout, &view);
	else
		stuck_text(stdout, &view);
	status = stuck_is(&view) ? STATUS_CAUGHT : STATUS_NOTHING;
	kcatch_stuck_destroy(stuck);
	kcatch_session_close(session);
	return status;
}

static int stuck_main(int argc, char **argv)
{
	struct choice choice = { .limit_ns = LIMIT_NS, .user = true };
	int status = options_parse(&command_stuck, argc, argv, &choice);

	if (status < 0 && optind < argc) {
		say("stuck takes no words: %s; a process is chosen with -p PID",
		    quoted(argv[optind]));
		return STATUS_ERROR;
	}
	/* With 0 it says the same. */
	if (status < 0 && choice.shared.request.pid && choice.limit_ns &&
	    choice.limit_ns != LIMIT_NS) {
		say("--limit is for the whole machine: -p shows all threads of the process");
		return STATUS_ERROR;
	}
	return command_end(status < 0 ? show(&choice) : status);
}

static const char help[] =
"kcatch stuck - why does it not move\n"
"\n"
"  kcatch stuck                    the whole machine: deadlocks first, then CPUs that do not\n"
"                                  schedule, then blocked threads by identical stack\n"
"  kcatch stuck -p 4711            every thread of a process, whatever it does\n"
"  kcatch stuck --limit 0          also threads that have only just blocked\n"
"  kcatch stuck --sleeping --limit 60\n"
"                                  also those in interruptible sleep, for a minute or longer\n"
"\n"
"usage: kcatch stuck [options]\n"
"\n";

const struct command command_stuck = {
	.name = "stuck",
	.run = stuck_main,
	.description = "why does it not move: blocked threads, deadlocks, CPUs that spin",
	.help = help,
	.options = uses,
	.help_end =
	"\n"
	"The first line is the verdict. Each blocked thread is shown with its state, how long it\n"
	"has been blocked, its system call with the arguments, what it waits for, who has that,\n"
	"and its stacks; each thread that could run but has no CPU with who has that one. A\n"
	"deadlock is reported only when it is proven: each lock by its own list and owner, and\n"
	"no thread of it ran between two looks. Needs no debug information; changes nothing.\n"
	"\n"
	"Exit status: 0 something is stuck, 2 nothing is, 1 an error.\n",
};
