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
#include "options.h"
#include "output.h"
#include "render.h"
#include "signals.h"

#define LOOK_MS 100	/* events are looked for that often: the kernel wakes nobody for a few */

enum { FD_SESSION, FD_SIGNALS, FD_OUTPUT, FD_PROCESS, FD_COUNT };

struct catch {
	struct options options;
	const struct renderer *renderer;
	struct kcatch_session *session;
	struct pollfd fds[FD_COUNT];
	struct outcome outcome;
	uint64_t started_ns;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Open a session; load the module when it is there and nobody has. */
static int open_session(struct kcatch_session **session)
{
	int ret = kcatch_session_open(session);

	if (ret != -ENOENT)
		return ret;
	if (geteuid() != 0) {
		say("the kcatch module is not loaded; run as root and kcatch loads it: try sudo");
		return ret;
	}
	say("the kcatch module is not loaded; loading it: modprobe kcatch");
	ret = kcatch_module_load();
	if (!ret)
		ret = kcatch_session_open(session);
	return ret;
}

static int arm(struct catch *catch)
{
	const struct kcatch_request *request = &catch->options.request;
	int ret = open_session(&catch->session);

	if (ret == -ENOENT && geteuid() != 0)
		return ret;	/* it was said */
	if (!ret)
		ret = kcatch_session_setup(catch->session, catch->options.ring_size, request);
	if (!ret)
		ret = kcatch_session_add(catch->session, request);
	if (!ret && !kcatch_session_nr_probes(catch->session)) {
		say("nothing of what was asked for can be traced");
		return -ENOENT;
	}
	if (!ret)
		ret = kcatch_session_start(catch->session);
	if (ret)
		say("%s", kcatch_error_text());
	return ret;
}

/* "vfs_read (ftrace)", "any of 368 functions (ftrace 360, kprobe 8)" */
static void announce(struct catch *catch)
{
	const struct kcatch_request *request = &catch->options.request;
	size_t count = kcatch_session_nr_probes(catch->session);
	size_t ftrace = kcatch_session_nr_by(catch->session, KCATCH_BY_FTRACE);
	char what[256], how[96], calls[64], limit[64] = "";
	const struct kcatch_probe *probe;

	if (request->budget == 1)
		snprintf(calls, sizeof(calls), "the next call");
	else if (request->budget)
		snprintf(calls, sizeof(calls), "the next %" PRIu64 " calls", request->budget);
	else
		snprintf(calls, sizeof(calls), "calls");
	if (!ftrace || ftrace == count)
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
	} else if (request->nr_functions == 1) {
		char name[200];

		kcatch_text_escape(request->functions[0], strlen(request->functions[0]), name, sizeof(name));
		snprintf(what, sizeof(what), "%s: any of %zu functions", name, count);
	} else {
		snprintf(what, sizeof(what), "any of %zu functions", count);
	}
	if (catch->options.time_ns)
		snprintf(limit, sizeof(limit), ", for %.10g s", (double)catch->options.time_ns / 1e9);
	else if (!request->budget)
		snprintf(limit, sizeof(limit), ", until Ctrl-C");
	say("waiting for %s of %s (%s)%s", calls, what, how, limit);
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
		ret = catch->renderer->event(catch->session, event, &catch->options);
		if (ret)
			break;
		catch->outcome.shown++;
		if (++since % 256)
			continue;
		if (ferror(stdout) || (!stopped && (signals_came() || time_is_up(catch))))
			break;
	}
	if (ret < 0) {
		say("%s", kcatch_error_text());
		return ret;
	}
	return output_flush() ? 0 : 1;
}

static void watch_process(struct catch *catch)
{
	catch->fds[FD_PROCESS] = (struct pollfd){ -1, POLLIN, 0 };
#ifdef SYS_pidfd_open
	if (catch->options.request.pid)
		catch->fds[FD_PROCESS].fd = (int)syscall(SYS_pidfd_open,
							 (pid_t)catch->options.request.pid, 0);
#endif
}

/* Milliseconds to wait: to the next look or to the time limit. */
static int wait_ms(const struct catch *catch, uint64_t now)
{
	uint64_t end = catch->started_ns + catch->options.time_ns, left;

	if (!catch->options.time_ns)
		return LOOK_MS;
	if (end <= now)
		return 0;
	left = (end - now + 999999) / 1000000;
	return left < LOOK_MS ? (int)left : LOOK_MS;
}

/* Wait and show until something ends it. Return: 0; 1 or -errno as show(). */
static int follow(struct catch *catch)
{
	const struct kcatch_request *request = &catch->options.request;
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
		if (request->budget && catch->outcome.shown >= request->budget) {
			catch->outcome.end = "count";
			return 0;
		}
		if (ret <= 0)
			continue;
		if (fds[FD_SESSION].revents & POLLHUP) {
			catch->outcome.end = "gone";
			return 0;
		}
		if (fds[FD_PROCESS].revents) {
			catch->outcome.end = "exit";
			return 0;
		}
		if (fds[FD_OUTPUT].revents & POLLERR) {
			/* Writing will say why. */
			fputc('\n', stdout);
			if (!output_flush())
				return 1;
		}
	}
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* What the figures mean, and what to do about them. */
static int judge(struct catch *catch)
{
	const struct outcome *outcome = &catch->outcome;
	const struct kcatch_totals *t = &outcome->totals;
	uint64_t damaged = kcatch_session_nr_damaged(catch->session);
	bool chosen = catch->options.request.pid || catch->options.request.comm;
	const char *why = chosen && t->filtered ? ": all calls came from others than -p or -c wants" : "";
	bool losses = false;

	if (!strcmp(outcome->end, "gone"))
		say("no probe is in place any more: the module they stood in was unloaded");
	if (!strcmp(outcome->end, "exit"))
		say("process %u has ended", catch->options.request.pid);
	if (t->hits != t->recorded + t->filtered + t->over_budget + t->missed + t->lost) {
		say("the counters do not add up: please report this");
		losses = true;
	}
	if (t->lost) {
		say("%" PRIu64 " call%s lost: the ring was full; try a larger --size (in all there were %" PRIu64
		    " KB), fewer functions, -p or -c", t->lost, t->lost == 1 ? " was" : "s were",
		    kcatch_session_ring_bytes(catch->session) >> 10);
		losses = true;
	}
	if (t->missed) {
		say("%" PRIu64 " call%s missed: the hook was entered again from its own work", t->missed,
		    t->missed == 1 ? " was" : "s were");
		losses = true;
	}
	if (damaged) {
		say("%" PRIu64 " record%s could not be read: please report this", damaged, plural(damaged));
		losses = true;
	}
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
	if (catch->options.request.budget && catch->outcome.shown >= catch->options.request.budget)
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
	catch.started_ns = now_ns();
	catch.fds[FD_SESSION] = (struct pollfd){ kcatch_session_fd(catch.session), POLLIN, 0 };
	catch.fds[FD_SIGNALS] = (struct pollfd){ signals_init(), POLLIN, 0 };
	catch.fds[FD_OUTPUT] = (struct pollfd){ STDOUT_FILENO, 0, 0 };
	watch_process(&catch);
	announce(&catch);
	status = follow(&catch) ? STATUS_ERROR : finish(&catch);
	kcatch_session_close(catch.session);
	return output_finish(status);
}
