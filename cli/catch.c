/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * catch.c - catch calls: arm, wait, show, sum up
 *
 * Nothing that is not needed is done before the probes are armed and started.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <kcatch.h>

#include "command.h"
#include "groups.h"
#include "losses.h"
#include "options.h"
#include "output.h"
#include "render.h"
#include "session_open.h"
#include "signals.h"

#define LOOK_MS 100	/* events are looked for that often: the kernel wakes nobody for a few */
#define LOOK_USER_MS 10	/* before the process is gone, without which its stack has no names */

enum { FD_SESSION, FD_SIGNALS, FD_OUTPUT, FD_PROCESS, FD_COUNT };

struct catch {
	struct options options;
	const struct renderer *renderer;
	struct kcatch_session *session;
	struct pollfd fds[FD_COUNT];
	struct groups *groups;	/* NULL: each call is shown by itself */
	struct outcome outcome;
	uint64_t started_ns;
	uint64_t spent_ns;	/* since when no probe is in place; 0: they are */
	uint64_t waiting_ns;	/* since when it waits for returns alone; 0: it does not */
	bool waiting_said;
	bool process_gone;	/* that of -p, before it could be watched */
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void say_modules(const struct catch *catch)
{
	const char *module, *file;
	size_t i;

	for (i = 0; i < kcatch_session_nr_awaited(catch->session) &&
	     !kcatch_session_awaited(catch->session, i, &module, &file); i++)
		say("waiting for module %s%s", module, file ? "" : ": its file is neither in /lib/modules nor "
		    "here, so that its functions and their types are not known yet");
}

static int arm(struct catch *catch)
{
	const struct kcatch_request *request = &catch->options.request;
	int ret = session_open(&catch->session);

	if (ret == -ENOENT && geteuid() != 0)
		return ret;	/* it was said */
	if (!ret && catch->options.tree && !strcmp(request->under[0], "*"))
		say("arming all functions of this kernel, which takes a while; with patterns it is "
		    "quick: kcatch --tree %s 'ext4_*' 'jbd2_*'", request->functions[0]);
	if (!ret)
		ret = kcatch_session_setup(catch->session, catch->options.ring_size, request);
	if (!ret)
		ret = kcatch_session_add(catch->session, request);
	if (!ret && !kcatch_session_nr_probes(catch->session) && !request_may_get_probes(request)) {
		say("nothing of what was asked for can be traced");
		return -ENOENT;
	}
	if (!ret)
		ret = kcatch_session_start(catch->session);
	if (ret)
		say("%s", kcatch_error_text());
	return ret;
}

/* "waiting for the next 5 events of 27 tracepoints", with functions or without */
static void announce_events(struct catch *catch)
{
	const struct options *options = &catch->options;
	size_t tracepoints = kcatch_session_nr_by(catch->session, KCATCH_BY_TRACEPOINT);
	size_t ktrace = kcatch_session_nr_by(catch->session, KCATCH_BY_EVENT);
	size_t functions = kcatch_session_nr_probes(catch->session) - tracepoints - ktrace;
	char count[48] = "events", what[160] = "", limit[64] = "";
	size_t at = 0;

	if (options->count == 1)
		snprintf(count, sizeof(count), "the next event");
	else if (options->count)
		snprintf(count, sizeof(count), "the next %" PRIu64 " events", options->count);
	if (tracepoints)
		at += (size_t)snprintf(what + at, sizeof(what) - at, " of %zu tracepoint%s", tracepoints,
				       tracepoints == 1 ? "" : "s");
	if (ktrace)
		at += (size_t)snprintf(what + at, sizeof(what) - at, "%s %zu DO_TRACE event%s",
				       at ? "," : " of", ktrace, ktrace == 1 ? "" : "s");
	if (functions)
		at += (size_t)snprintf(what + at, sizeof(what) - at, "%s %zu function%s",
				       at ? "," : " of", functions, functions == 1 ? "" : "s");
	if (!at)
		snprintf(what, sizeof(what), " of modules that are not loaded yet");
	if (options->time_ns)
		snprintf(limit, sizeof(limit), ", for %.10g s", (double)options->time_ns / 1e9);
	else if (!options->count)
		snprintf(limit, sizeof(limit), ", until Ctrl-C");
	say("waiting for %s%s%s", count, what, limit);
	if (kcatch_session_nr_left_out(catch->session))
		say("%" PRIu64 " more that match were left out: the condition does not apply to them",
		    kcatch_session_nr_left_out(catch->session));
}

/* "vfs_read (ftrace)", "any of 368 functions (ftrace 360, kprobe 8)" */
static void announce(struct catch *catch)
{
	const struct kcatch_request *request = &catch->options.request;
	size_t count = kcatch_session_nr_probes(catch->session);
	size_t ftrace = kcatch_session_nr_by(catch->session, KCATCH_BY_FTRACE);
	char what[256], how[96], calls[64], limit[64] = "";
	const struct kcatch_probe *probe;
	const char *kind = request->errors ? "failing " : "";

	if (request->nr_events) {
		announce_events(catch);
		return;
	}
	if (catch->options.count == 1)
		snprintf(calls, sizeof(calls), "the next %scall", kind);
	else if (catch->options.count)
		snprintf(calls, sizeof(calls), "the next %" PRIu64 " %scalls", catch->options.count, kind);
	else
		snprintf(calls, sizeof(calls), "%scalls", kind);
	if (!count)
		snprintf(how, sizeof(how), "not there yet");
	else if (!ftrace || ftrace == count)
		snprintf(how, sizeof(how), "%s", ftrace ? "ftrace" : "kprobe");
	else
		snprintf(how, sizeof(how), "ftrace %zu, kprobe %zu", ftrace, count - ftrace);
	if (count == 1 && !kcatch_session_probe(catch->session, 0, &probe) && probe->function) {
		char name[200];

		kcatch_text_escape(probe->function, strlen(probe->function), name, sizeof(name));
		if (probe->offset)
			snprintf(what, sizeof(what), "%s+0x%x", name, probe->offset);
		else
			snprintf(what, sizeof(what), "%s", name);
	} else if (catch->options.tree) {
		char name[200];

		kcatch_text_escape(request->functions[0], strlen(request->functions[0]), name, sizeof(name));
		snprintf(what, sizeof(what), "%s and what it does in %zu functions", name, count);
	} else if (request->nr_functions == 1) {
		char name[200];

		kcatch_text_escape(request->functions[0], strlen(request->functions[0]), name, sizeof(name));
		if (count)
			snprintf(what, sizeof(what), "%s: any of %zu functions", name, count);
		else
			snprintf(what, sizeof(what), "%s", name);
	} else {
		snprintf(what, sizeof(what), "any of %zu functions", count);
	}
	if (catch->options.time_ns)
		snprintf(limit, sizeof(limit), ", for %.10g s", (double)catch->options.time_ns / 1e9);
	else if (!catch->options.count)
		snprintf(limit, sizeof(limit), ", until Ctrl-C");
	say_modules(catch);
	say("waiting for %s of %s (%s)%s", calls, what, how, limit);
	if (kcatch_session_nr_left_out(catch->session))
		say("%" PRIu64 " functions that match were left out: the condition does not apply to them%s",
		    kcatch_session_nr_left_out(catch->session),
		    request->errors ? ", or they have no way to fail" : "");
	if (kcatch_session_nr_skipped(catch->session) && catch->options.verbose)
		say("%" PRIu64 " functions that match cannot be traced and were left out",
		    kcatch_session_nr_skipped(catch->session));
}

static bool time_is_up(const struct catch *catch)
{
	return catch->options.time_ns &&
	       now_ns() >= catch->started_ns + catch->options.time_ns;
}

/*
 * Show what is there. While it is being traced there may be no end of that, so
 * what ends the tracing ends it too; what is left once tracing has stopped is
 * shown to the last (a second signal kills). Return: 0; 1 when it cannot be
 * written; -errno.
 */
static int show(struct catch *catch, bool stopped)
{
	const struct kcatch_event *event;
	uint64_t since = 0;
	int ret;

	while ((ret = kcatch_session_next(catch->session, &event)) > 0) {
		if (catch->groups)
			ret = groups_add(catch->groups, catch->session, event);
		else
			ret = catch->renderer->event(stdout, catch->session, event, &catch->options);
		if (ret)
			break;
		if (!catch->groups)
			catch->outcome.events = ++catch->outcome.shown;
		if (++since % 256)
			continue;
		if (ferror(stdout) || (!stopped && (signals_came() || time_is_up(catch))))
			break;
	}
	if (ret < 0) {
		say("%s", kcatch_error_text());
		return ret;
	}
	if (catch->groups)
		groups_flush(catch->groups, stopped, &catch->outcome);
	return output_flush() ? 0 : 1;
}

/* Are there as many as were asked for? Of groups the outermost calls count: what is
 * below them is all there once tracing stops. */
static bool is_enough(const struct catch *catch)
{
	uint64_t count = catch->groups ? groups_count(catch->groups) : catch->outcome.shown;

	return catch->options.count && count >= catch->options.count;
}

/* All that was asked for was caught, and some of it has not returned: who waits wants to know. */
static void say_waiting(struct catch *catch, size_t waiting, uint64_t now)
{
	if (!catch->waiting_ns)
		catch->waiting_ns = now;
	if (catch->waiting_said || now - catch->waiting_ns < 1000000000)
		return;
	catch->waiting_said = true;
	say("%zu call%s caught ha%s not returned yet (Ctrl-C shows %s)", waiting, waiting == 1 ? "" : "s",
	    waiting == 1 ? "s" : "ve", waiting == 1 ? "it as it is" : "them as they are");
}

/* Look at how the returns get on. Return: whether there may be more to come of them. */
static bool await_returns(struct catch *catch)
{
	const struct options *options = &catch->options;
	size_t waiting = kcatch_session_nr_waiting(catch->session);
	uint64_t now = now_ns();

	if (!options->request.returns)
		return false;
	if (waiting && options->count && (options->tree || catch->outcome.shown + waiting >= options->count))
		say_waiting(catch, waiting, now);
	if (waiting || !catch->spent_ns)
		return true;
	/* What was recorded last may not have been looked at yet. */
	return now - catch->spent_ns < (uint64_t)5 * LOOK_MS * 1000000;
}

static void watch_process(struct catch *catch)
{
	catch->fds[FD_PROCESS] = (struct pollfd){ -1, POLLIN, 0 };
#ifdef SYS_pidfd_open
	errno = 0;
	if (catch->options.request.pid)
		catch->fds[FD_PROCESS].fd = (int)syscall(SYS_pidfd_open,
							 (pid_t)catch->options.request.pid, 0);
	/* It ended while its calls were being armed. */
	catch->process_gone = catch->options.request.pid && catch->fds[FD_PROCESS].fd < 0 && errno == ESRCH;
#endif
}

/* Milliseconds to wait: to the next look or to the time limit. */
static int wait_ms(const struct catch *catch, uint64_t now)
{
	uint64_t end = catch->started_ns + catch->options.time_ns, left;
	int look = catch->options.request.user_stack ? LOOK_USER_MS : LOOK_MS;

	if (!catch->options.time_ns)
		return look;
	if (end <= now)
		return 0;
	left = (end - now + 999999) / 1000000;
	return left < (uint64_t)look ? (int)left : look;
}

/* Wait and show until something ends it. Return: 0; 1 or -errno as show(). */
static int follow(struct catch *catch)
{
	struct pollfd *fds = catch->fds;
	int ret;

	for (;;) {
		if (signals_came()) {
			catch->outcome.end = "interrupt";
			return 0;
		}
		if (time_is_up(catch)) {
			catch->outcome.end = "time";
			return 0;
		}
		ret = poll(fds, FD_COUNT, wait_ms(catch, now_ns()));
		if (ret < 0 && errno != EINTR) {
			say("poll: %s", strerror(errno));
			return -errno;
		}
		if (ret > 0 && (fds[FD_SESSION].revents & (POLLERR | POLLNVAL))) {
			say("the kcatch session broke");
			return -EIO;
		}
		/* Read first: what ended it may have left events behind. */
		if (show(catch, false))
			return 1;
		if (is_enough(catch)) {
			catch->outcome.end = "count";
			return 0;
		}
		if (ret > 0 && (fds[FD_SESSION].revents & POLLHUP)) {
			catch->spent_ns = now_ns();
			fds[FD_SESSION].fd = -1;	/* or it would be said for ever */
			fds[FD_SESSION].revents = 0;
		}
		if (!await_returns(catch) && catch->spent_ns) {
			catch->outcome.end = "gone";
			return 0;
		}
		if (catch->process_gone || (ret > 0 && fds[FD_PROCESS].revents)) {
			catch->outcome.end = "exit";
			return 0;
		}
		if (ret <= 0)
			continue;
		if (fds[FD_OUTPUT].revents & POLLERR) {
			/* Writing will say why. */
			fputc('\n', stdout);
			if (!output_flush())
				return 1;
		}
	}
}

/* Why there is nothing to show, though the functions were called. */
static const char *why_nothing(const struct catch *catch)
{
	const struct kcatch_request *request = &catch->options.request;

	if (!catch->outcome.totals.filtered)
		return "";
	if (request->condition)
		return ": no call met the condition";
	if (request->errors)
		return ": no call failed";
	if (request->pid || request->comm)
		return ": all calls came from others than -p or -c wants";
	return "";
}

/* What the figures mean, and what to do about them. */
static int judge(struct catch *catch)
{
	const struct outcome *outcome = &catch->outcome;
	const struct kcatch_totals *t = &outcome->totals;
	const char *why = why_nothing(catch);
	bool losses;

	if (!strcmp(outcome->end, "gone"))
		say("no probe is in place any more: the module they stood in was unloaded");
	if (!strcmp(outcome->end, "exit"))
		say("process %u has ended", catch->options.request.pid);
	losses = losses_say(catch->session, t);
	if (!outcome->shown) {
		if (!strcmp(outcome->end, "time"))
			say("nothing was caught within %.10g s%s", (double)catch->options.time_ns / 1e9, why);
		else
			say("nothing was caught%s", why);
		return STATUS_NOTHING;
	}
	return losses ? STATUS_LOSSES : STATUS_CAUGHT;
}

static int finish(struct catch *catch)
{
	int ret = kcatch_session_stop(catch->session);

	catch->outcome.elapsed_ns = now_ns() - catch->started_ns;
	if (ret) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	if (show(catch, true))
		return STATUS_ERROR;
	/* Spent budgets take the probes away: that is no end of its own. */
	if (catch->options.count && catch->outcome.shown >= catch->options.count)
		catch->outcome.end = "count";
	ret = kcatch_session_totals(catch->session, &catch->outcome.totals);
	if (!ret)
		ret = catch->renderer->summary(catch->session, &catch->outcome, &catch->options);
	if (ret) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	return judge(catch);
}

int catch_main(int argc, char **argv)
{
	struct catch catch;
	int status;

	memset(&catch, 0, sizeof(catch));
	status = options_parse(argc, argv, &catch.options);
	if (status >= 0)
		return output_finish(status);
	catch.renderer = catch.options.json ? &render_json : &render_text;
	if (arm(&catch)) {
		kcatch_session_close(catch.session);
		return STATUS_ERROR;
	}
	if (catch.options.groups) {
		catch.groups = groups_create(&catch.options, catch.renderer);
		if (!catch.groups) {
			say("out of memory");
			kcatch_session_close(catch.session);
			return STATUS_ERROR;
		}
	}
	catch.started_ns = now_ns();
	catch.fds[FD_SESSION] = (struct pollfd){ kcatch_session_fd(catch.session), POLLIN, 0 };
	catch.fds[FD_SIGNALS] = (struct pollfd){ signals_init(), POLLIN, 0 };
	catch.fds[FD_OUTPUT] = (struct pollfd){ STDOUT_FILENO, 0, 0 };
	watch_process(&catch);
	announce(&catch);
	status = follow(&catch) ? STATUS_ERROR : finish(&catch);
	groups_destroy(catch.groups);
	free(catch.options.events);
	kcatch_session_close(catch.session);
	return output_finish(status);
}
