/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * catch.c - kcatch catch: show calls and events as they are caught
 *
 * Does only what is needed before the probes are armed: earlier calls are not caught.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch.h>

#include "catch_options.h"
#include "command.h"
#include "groups.h"
#include "lasting.h"
#include "stdout.h"
#include "session_open.h"
#include "show.h"

#define LOOK_USER_MS 10	/* a user stack gets its names only while its process lives */
#define LAST_MS 500	/* until the last recorded returns have been read */

struct catch {
	struct show show;	/* first member: catch_of() converts back */
	struct catch_options options;
	struct groups *groups;	/* NULL: each call is shown on its own */
	uint64_t waiting_ns;	/* CLOCK_MONOTONIC since only returns are missing; 0: not yet */
	bool waiting_said;
	struct lasting lasting;
};

static struct catch *catch_of(struct show *show)
{
	return (struct catch *)show;
}

static int arm(struct catch *catch)
{
	const struct kcatch_request *request = &catch->options.shared.request;
	struct kcatch_session **session = &catch->show.follow.session;
	int ret = session_open(session);

	if (!ret && catch->options.tree && !strcmp(request->under[0], "*"))
		say("arming all functions of this kernel takes a while; patterns are quicker: "
		    "kcatch --tree %s 'ext4_*' 'jbd2_*'", request->functions[0]);
	if (!ret)
		ret = session_arm(*session, catch->options.shared.ring_size, request);
	if (ret == -ENOENT && request->nr_functions)
		command_suggest(request->functions[0]);
	return ret;
}

/* "waiting for the next 5 events of 27 tracepoints", with functions or without */
static void announce_events(const struct catch *catch)
{
	const struct options *options = &catch->options.shared;
	struct kcatch_session *session = catch->show.follow.session;
	size_t tracepoints = kcatch_session_nr_by(session, KCATCH_BY_TRACEPOINT);
	size_t ktrace = kcatch_session_nr_by(session, KCATCH_BY_EVENT);
	size_t functions = kcatch_session_nr_probes(session) - tracepoints - ktrace;
	char count[48] = "events", what[160] = "", limit[64];
	size_t at = 0;

	if (options->count == 1)
		snprintf(count, sizeof(count), "the next event");
	else if (options->count)
		snprintf(count, sizeof(count), "the next %" PRIu64 " events", options->count);
	if (tracepoints)
		at += (size_t)snprintf(what + at, sizeof(what) - at, " of %zu tracepoint%s",
				       tracepoints, tracepoints == 1 ? "" : "s");
	if (ktrace)
		at += (size_t)snprintf(what + at, sizeof(what) - at, "%s %zu ktrace event%s",
				       at ? "," : " of", ktrace, ktrace == 1 ? "" : "s");
	if (functions)
		at += (size_t)snprintf(what + at, sizeof(what) - at, "%s %zu function%s",
				       at ? "," : " of", functions, functions == 1 ? "" : "s");
	if (!at)
		snprintf(what, sizeof(what), " of modules that are not loaded yet");
	session_say_modules(session);
	say("waiting for %s%s%s", count, what, options_limit_text(options, limit, sizeof(limit)));
	if (kcatch_session_nr_skipped(session) && options->verbose)
		say("%" PRIu64 " that match were left out: they cannot be traced, or are of system "
		    "calls that this kcatch does not know", kcatch_session_nr_skipped(session));
	if (kcatch_session_nr_left_out(session))
		say("%" PRIu64 " more that match were left out: the condition does not apply to them",
		    kcatch_session_nr_left_out(session));
}

static void escape_name(const char *name, char *text, size_t room)
{
	kcatch_text_escape(name, strlen(name), text, room);
}

/* "vfs_read", "any of 368 functions", "vfs_read and what it calls of 12 functions" */
static void describe_functions(const struct catch *catch, char *text, size_t room)
{
	const struct kcatch_request *request = &catch->options.shared.request;
	struct kcatch_session *session = catch->show.follow.session;
	size_t count = kcatch_session_nr_probes(session);
	const struct kcatch_probe *probe;
	char name[200];

	if (count == 1 && !kcatch_session_probe(session, 0, &probe) && probe->function) {
		escape_name(probe->function, name, sizeof(name));
		if (probe->offset)
			snprintf(text, room, "%s+0x%x", name, probe->offset);
		else
			snprintf(text, room, "%s", name);
		return;
	}
	escape_name(request->functions[0], name, sizeof(name));
	if (catch->options.tree)
		snprintf(text, room, "%s and what it calls of %zu functions", name, count);
	else if (request->nr_functions != 1)
		snprintf(text, room, "any of %zu functions", count);
	else if (count)
		snprintf(text, room, "%s: any of %zu functions", name, count);
	else
		snprintf(text, room, "%s", name);
}

/* "ftrace", "ftrace 360, kprobe 8" */
static void describe_mechanisms(struct kcatch_session *session, char *text, size_t room)
{
	size_t count = kcatch_session_nr_probes(session);
	size_t ftrace = kcatch_session_nr_by(session, KCATCH_BY_FTRACE);

	if (!count)
		snprintf(text, room, "not there yet");
	else if (!ftrace || ftrace == count)
		snprintf(text, room, "%s", ftrace ? "ftrace" : "kprobe");
	else
		snprintf(text, room, "ftrace %zu, kprobe %zu", ftrace, count - ftrace);
}

static bool has_pattern(const struct catch *catch)
{
	const struct kcatch_request *request = &catch->options.shared.request;
	size_t i;

	for (i = 0; i < request->nr_functions; i++)
		if (strpbrk(request->functions[i], "*?["))
			return true;
	return catch->options.tree;
}

static void announce_calls(const struct catch *catch)
{
	const struct options *options = &catch->options.shared;
	struct kcatch_session *session = catch->show.follow.session;
	const char *kind = options->request.errors ? "failing " : "";
	char what[256], how[96], calls[64], limit[64];

	if (options->count == 1)
		snprintf(calls, sizeof(calls), "the next %scall", kind);
	else if (options->count)
		snprintf(calls, sizeof(calls), "the next %" PRIu64 " %scalls", options->count,
			 kind);
	else
		snprintf(calls, sizeof(calls), "%scalls", kind);
	describe_functions(catch, what, sizeof(what));
	describe_mechanisms(session, how, sizeof(how));
	session_say_modules(session);
	say("waiting for %s of %s (%s)%s", calls, what, how,
	    options_limit_text(options, limit, sizeof(limit)));
	if (kcatch_session_nr_left_out(session))
		say("%" PRIu64 " functions that match were left out: the condition does not apply to them%s",
		    kcatch_session_nr_left_out(session),
		    options->request.errors ? ", or they cannot fail" : "");
	/* Patterns always match such functions; who gives a name expects all of that name. */
	if (kcatch_session_nr_skipped(session) && (options->verbose || !has_pattern(catch)))
		say("%" PRIu64 " functions that match cannot be traced and were left out",
		    kcatch_session_nr_skipped(session));
}

static void announce_pairs(const struct catch *catch)
{
	const struct options *options = &catch->options.shared;
	char pairs[64] = "pairs", limit[64], first[200], second[200];

	if (options->count == 1)
		snprintf(pairs, sizeof(pairs), "the next pair");
	else if (options->count)
		snprintf(pairs, sizeof(pairs), "the next %" PRIu64 " pairs", options->count);
	escape_name(options->pair.first, first, sizeof(first));
	escape_name(options->pair.second, second, sizeof(second));
	say("waiting for %s of %s..%s%s", pairs, first, second,
	    options_limit_text(options, limit, sizeof(limit)));
}

static void announce(struct show *show)
{
	if (show->options->request.pair)
		announce_pairs(catch_of(show));
	else if (show->options->request.nr_events)
		announce_events(catch_of(show));
	else
		announce_calls(catch_of(show));
}

static int take_event(struct follow *follow, const struct kcatch_event *event)
{
	struct catch *catch = follow->arg;
	const struct show *show = &catch->show;
	int ret;

	if (catch->groups)
		ret = groups_add(catch->groups, follow->session, event);
	else
		ret = show->renderer->event(stdout, follow->session, event, &show->view);
	return ret ? ret : !catch->groups;
}

/* Outermost calls count. The last of their inner calls are read after tracing has stopped. */
static int look_at_groups(struct show *show, uint64_t now)
{
	struct groups *groups = catch_of(show)->groups;

	(void)now;
	groups_flush(groups, show->stopped, &show->outcome);
	show->losses.torn = groups_torn(groups);
	if (!stdout_flush())
		return -EPIPE;
	if (!show->view.count || groups_count(groups) < show->view.count)
		return 0;
	show->follow.end = "count";
	return 1;
}

static int look_at_lasting(struct show *show, uint64_t now)
{
	return lasting_look(&catch_of(show)->lasting, show, now);
}

/* Every requested call was caught and some have not returned for a second: tell the user. */
static void say_waiting(struct catch *catch, size_t waiting, uint64_t now)
{
	if (!catch->waiting_ns)
		catch->waiting_ns = now;
	if (catch->waiting_said || now - catch->waiting_ns < FOLLOW_SECOND)
		return;
	catch->waiting_said = true;
	say("%zu call%s caught ha%s not returned yet (Ctrl-C shows %s)", waiting,
	    waiting == 1 ? "" : "s", waiting == 1 ? "s" : "ve",
	    waiting == 1 ? "it as it is" : "them as they are");
}

/* As @stays of struct follow: true while more returns may come. */
static bool await_returns(struct follow *follow, uint64_t now)
{
	struct catch *catch = follow->arg;
	const struct options *options = &catch->options.shared;
	size_t waiting = kcatch_session_nr_waiting(follow->session);

	if (!options->request.returns)
		return false;
	if (waiting && options->count &&
	    (catch->options.tree || follow->shown + waiting >= options->count))
		say_waiting(catch, waiting, now);
	if (waiting || !follow->gone_ns)
		return true;
	/* The last records may not have been read yet. */
	return now - follow->gone_ns < (uint64_t)LAST_MS * 1000000;
}

/* Why nothing was caught although the functions were called; "": not known. */
static const char *why_nothing(const struct show *show)
{
	const struct kcatch_request *request = &show->options->request;

	/* What became of its events is said. */
	if (request->pair || (!show->losses.totals.filtered && !show->losses.totals.undecided))
		return "";
	if (losses_undecided(&show->losses))
		return request->condition && !request->errors && !request->pid && !request->comm &&
		       !request->cgroup ? ": no call that could be examined met the condition" :
					  ": no call that could be examined met what was asked for";
	/* Which of several refused a call is not counted. */
	if (!!request->condition + !!request->errors + !!(request->pid || request->comm) +
	    !!request->cgroup > 1)
		return ": no call met what was asked for";
	if (request->condition)
		return ": no call met the condition";
	if (request->errors)
		return ": no call failed";
	if (request->pid || request->comm)
		return ": no call came from the process of -p or the command of -c";
	if (request->cgroup)
		return ": no call came from the cgroup of --cgroup";
	return "";
}

static void say_nothing(struct show *show)
{
	char within[64] = "";

	if (!strcmp(show->follow.end, "time"))
		snprintf(within, sizeof(within), " within %.10g s",
			 (double)show->options->time_ns / 1e9);
	say("nothing was caught%s%s", within, why_nothing(show));
}

/* Set up what is shown, and how. Return: 0 or -ENOMEM, after a message. */
static int prepare(struct catch *catch)
{
	const struct options *options = &catch->options.shared;
	struct show *show = &catch->show;

	show_init(show, options);
	show->view.groups = catch->options.groups;
	show->follow.event = take_event;
	show->follow.stays = await_returns;
	follow_process(&show->follow, options->request.pid);
	show->follow.look_ms = options->request.user_stack ? LOOK_USER_MS : 0;
	show->follow.arg = catch;
	show->announce = announce;
	show->say_nothing = say_nothing;
	catch->lasting.after_ns = catch->options.after_ns;
	catch->lasting.no_stack = options->request.no_stack;
	catch->lasting.depth = options->request.depth;
	if (catch->options.after_ns)
		show->between = look_at_lasting;
	if (!catch->options.groups)
		return 0;
	show->follow.count = 0;
	show->look = look_at_groups;
	catch->groups =
		groups_create(show->renderer, &show->view, options->json, catch->options.tree);
	if (!catch->groups)
		say("out of memory");
	return catch->groups ? 0 : -ENOMEM;
}

static int catch_main(int argc, char **argv)
{
	struct catch catch;
	int status;

	memset(&catch, 0, sizeof(catch));
	status = catch_options_parse(argc, argv, &catch.options);
	if (status < 0)
		status = prepare(&catch) || arm(&catch) ? STATUS_ERROR : show_run(&catch.show);
	groups_destroy(catch.groups);
	lasting_deinit(&catch.lasting);
	free(catch.options.condition);
	options_deinit(&catch.options.shared);
	kcatch_session_close(catch.show.follow.session);
	follow_deinit(&catch.show.follow);
	return command_end(status);
}

static const char help[] =
"kcatch - who called that kernel function, with what, and what did it return?\n"
"\n"
"  kcatch vfs_read                 the next call: who called it, the whole stack, the\n"
"                                  arguments by name, what it returned, how long it took\n"
"  kcatch vfs_write 'count > 65536 && comm == \"dd\"'\n"
"                                  the next call for which this condition holds\n"
"  kcatch vfs_open 'latency > 1ms' a slow one\n"
"  kcatch vfs_fsync --after 500ms  one that lasts so long, while it lasts: where it is now, what\n"
"                                  for, and again when it returns\n"
"  kcatch --errors 'ext4_*'        the next failure: the deepest function that failed,\n"
"                                  its stack, and the calls that passed it on\n"
"  kcatch --tree vfs_read 'ext4_*' what one call did underneath, in functions of a pattern\n"
"  kcatch --user vfs_unlink        with the program's own stack\n"
"  kcatch --entry do_exit          at the entry only: it never returns\n"
"  kcatch -n 0 -p 4711 'tcp_*'     all calls of tcp_... by process 4711, until Ctrl-C\n"
"  kcatch -t 2 -c sshd vfs_read    wait at most two seconds, for threads named sshd\n"
"  kcatch ext4:ext4_sync_file      the function of that name in module ext4; when the\n"
"                                  module is not loaded, wait for it\n"
"  kcatch vfs_read+OFFSET          inside a function, where an instruction starts:\n"
"                                  a stack shows such places (ksys_read+0xb7)\n"
"  kcatch -e sched:sched_process_exit 'code != 0'\n"
"                                  a tracepoint's next event; -e core: a set of them,\n"
"                                  -e 'kmem:*': a pattern, -e ktrace:NAME: ktrace's\n"
"  kcatch block:block_rq_issue..block:block_rq_complete --key rq 'latency > 10ms'\n"
"                                  the second of two events with the same key\n"
"  kcatch --json -n 0 -t 10 vfs_open > calls.json\n"
"\n"
"usage: kcatch FUNCTION... [CONDITION] [options]\n"
"       kcatch --tree FUNCTION [PATTERN...] [CONDITION] [options]\n"
"       kcatch -e EVENT... [FUNCTION...] [CONDITION] [options]\n"
"       kcatch A..B --key EXPR [CONDITION] [options]\n"
"  FUNCTION is a name, module:name, name+OFFSET (decimal or 0x...), or a pattern\n"
"  with * ? [abc] (quoted, or the shell takes it). If no function is called openat,\n"
"  that is the function of the system call.\n"
"  CONDITION is the one word that has a blank, an operator, a quote or a bracket in it.\n"
"  It is an expression of C over arguments by name (file->f_flags & O_DIRECT), ret,\n"
"  latency (1ms), pid, tid, uid, cpu, comm; ~ \"text*\" compares the beginning of a text.\n"
"\n";

const struct command command_catch = {
	.name = "catch",
	.run = catch_main,
	.description = "catch calls of kernel functions (the default command)",
	.help = help,
	.options = catch_option_uses,
	.help_end =
	"\n"
	"Events go to standard output, messages to standard error. The last line accounts for\n"
	"every call:\n"
	"  hits = recorded + filtered (-p, -c, the condition, kcatch itself) + over budget (-n)\n"
	"         + undecided (memory not readable, return not seen) + missed\n"
	"         + lost (ring full)\n"
	"\n"
	"Exit status: 0 caught N, or at least one before the time limit or Ctrl-C;\n"
	"  1 error: wrong usage, not armed, not written; 2 nothing caught;\n"
	"  3 something is undecided, or was missed or lost. More: man kcatch.\n",
};
