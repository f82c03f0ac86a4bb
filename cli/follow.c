/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.c - show events as they come, for the commands that watch something
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "follow.h"
#include "losses.h"
#include "output.h"
#include "render.h"
#include "signals.h"

#define LOOK_MS 100

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* What is there, as many as were asked for. Return: 0; 1 it cannot be written; -errno */
static int show(struct follow *f, struct outcome *outcome)
{
	const struct kcatch_event *event;
	int ret = 0;

	while ((!f->options->count || outcome->shown < f->options->count) &&
	       (ret = kcatch_session_next(f->session, &event)) > 0) {
		ret = f->event(f->session, event, f->arg);
		if (ret < 0)
			break;
		outcome->shown += (uint64_t)ret;
		if (ferror(stdout))
			break;
	}
	if (ret < 0) {
		say("%s", kcatch_error_text());
		return ret;
	}
	return output_flush() ? 0 : 1;
}

static int wait_and_show(struct follow *f, struct outcome *outcome, uint64_t started)
{
	struct pollfd fds[] = {
		{ kcatch_session_fd(f->session), POLLIN, 0 },
		{ signals_init(), POLLIN, 0 },
		{ STDOUT_FILENO, 0, 0 },
	};
	uint64_t end = started + f->options->time_ns, now;
	int ret, wait;

	for (;;) {
		now = now_ns();
		if (signals_came()) {
			outcome->end = "interrupt";
			return 0;
		}
		if (f->options->time_ns && now >= end) {
			outcome->end = "time";
			return 0;
		}
		wait = LOOK_MS;
		if (f->options->time_ns && end - now < (uint64_t)LOOK_MS * 1000000)
			wait = (int)((end - now + 999999) / 1000000);
		ret = poll(fds, 3, wait);
		if (ret < 0 && errno != EINTR) {
			say("poll: %s", strerror(errno));
			return -errno;
		}
		if (ret > 0 && (fds[0].revents & (POLLERR | POLLNVAL))) {
			say("the kcatch session broke");
			return -EIO;
		}
		if (show(f, outcome))
			return 1;
		if (f->options->count && outcome->shown >= f->options->count) {
			outcome->end = "count";
			return 0;
		}
		if (ret > 0 && (fds[0].revents & POLLHUP)) {
			outcome->end = "gone";
			return 0;
		}
		if (ret > 0 && (fds[2].revents & POLLERR))
			return 1;	/* nobody reads any more */
	}
}

static int judge(struct follow *f, const struct outcome *outcome)
{
	bool losses = losses_say(f->session, &outcome->totals);

	if (!outcome->shown) {
		say("no %s was caught%s", f->what, outcome->totals.filtered ?
		    ": none was one that was asked for" : "");
		return STATUS_NOTHING;
	}
	return losses ? STATUS_LOSSES : STATUS_CAUGHT;
}

int follow(struct follow *f)
{
	const struct renderer *renderer = f->options->json ? &render_json : &render_text;
	struct outcome outcome = { .end = "interrupt" };
	uint64_t started = now_ns();
	int ret = kcatch_session_start(f->session);

	if (ret) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	if (wait_and_show(f, &outcome, started))
		return STATUS_ERROR;
	ret = kcatch_session_stop(f->session);
	outcome.elapsed_ns = now_ns() - started;
	if (!ret && show(f, &outcome))
		return STATUS_ERROR;
	if (f->options->count && outcome.shown >= f->options->count)
		outcome.end = "count";
	if (!ret)
		ret = kcatch_session_totals(f->session, &outcome.totals);
	if (!ret)
		ret = renderer->summary(f->session, &outcome, f->options);
	if (ret) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	return judge(f, &outcome);
}
