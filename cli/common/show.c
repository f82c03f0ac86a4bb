/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show.c - show events as they are caught, for kcatch catch, signals and watch */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "command.h"
#include "judge.h"
#include "pair_account.h"
#include "session_open.h"
#include "show.h"
#include "stdout.h"

static int look(struct follow *follow, uint64_t now)
{
	struct show *show = (struct show *)follow;	/* its first member */
	int (*progress)(struct kcatch_session *session) = show->renderer->progress;
	int ret = progress ? progress(follow->session) : 0;

	if (ret)
		say("%s", kcatch_error_text());
	else if (progress && !stdout_flush())
		ret = -EPIPE;
	if (!ret && show->between)
		ret = show->between(show, now);
	if (ret)
		return ret;
	return show->look ? show->look(show, now) : 0;
}

void show_init(struct show *show, const struct options *options)
{
	show->options = options;
	show->view = options_view(options);
	show->renderer = options->rows ? &render_rows : options->json ? &render_json : &render_text;
	show->follow.time_ns = options->time_ns;
	show->follow.count = options->count;
	show->follow.shows = true;
	show->follow.other = -1;
	show->follow.look = look;
}

/* Stop tracing and show the remaining events. Return: 0; negative after a message. */
static int stop(struct show *show)
{
	struct follow *f = &show->follow;
	int ret;

	show->unstopped = kcatch_session_stop(f->session) != 0;
	show->stopped = true;
	show->outcome.elapsed_ns = follow_clock() - f->started_ns;
	/* What was caught up to now is shown all the same. */
	show->losses.unstopped = show->outcome.unstopped = show->unstopped;
	if (show->unstopped)
		say("%s", kcatch_error_text());
	ret = follow_rest(f, show->unstopped ? follow_clock() : 0);
	if (!ret && show->look)
		ret = show->look(show, 0) < 0 ? -1 : 0;
	return ret;
}

/* Functions and events have a limit of their own each in the kernel. */
static void say_not_shown(const struct show *show)
{
	const struct outcome *outcome = &show->outcome;
	const struct kcatch_request *request = &show->options->request;

	if (!strcmp(show->follow.end, "count") && request->nr_events && request->nr_functions &&
	    outcome->totals.recorded > outcome->shown)
		say("%" PRIu64 " of those recorded are not shown: -n is the number of functions and "
		    "events together", outcome->totals.recorded - outcome->shown);
}

/* Print the summary and the losses. Return: the exit status. */
static int sum_up(struct show *show)
{
	struct outcome *outcome = &show->outcome;
	const bool has_pairs = show->options->request.pair;
	struct follow *f = &show->follow;
	int status;

	if (!show->look)
		outcome->shown = outcome->events = f->shown;
	/* A spent budget removes the probes, which looks like "gone". */
	if (show->view.count && outcome->shown >= show->view.count)
		f->end = "count";
	outcome->end = f->end;
	status = losses_of_session(&show->losses, f->session);
	outcome->totals = show->losses.totals;
	if (!status && has_pairs) {
		status = kcatch_session_pairs(f->session, &show->pairs);
		outcome->pairs = &show->pairs;
		pair_terms(&show->pairs, &outcome->totals);
	}
	if (status || show->renderer->summary(f->session, outcome, &show->view)) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	if (!show->look)
		say_not_shown(show);
	judge_say_end(f->end, f->ended_pid);
	status = judge(&show->losses, outcome->shown);
	if (has_pairs && pair_say(&show->pairs, false))
		status = STATUS_LOSSES;
	if (!outcome->shown)
		show->say_nothing(show);
	return show->unstopped ? STATUS_LOSSES : status;
}

int show_run(struct show *show)
{
	struct follow *f = &show->follow;
	int ret, status;

	if (kcatch_session_start(f->session)) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	f->started_ns = follow_clock();
	show->announce(show);
	ret = follow(f);
	if (ret)
		f->end = "error";
	/* What was caught before an error is summed up, unless nobody reads it. */
	if (ret == -EPIPE || stop(show))
		return STATUS_ERROR;
	status = sum_up(show);
	return ret ? STATUS_ERROR : status;
}

int show_session(struct show *show, const struct options *options, int (*arm)(struct show *show))
{
	struct kcatch_session **session = &show->follow.session;
	int ret;

	show_init(show, options);
	if (session_open(session))
		return STATUS_ERROR;
	follow_process(&show->follow, options->request.pid);
	ret = kcatch_session_setup(*session, options->ring_size, &options->request);
	if (!ret)
		ret = arm(show);
	if (ret)
		say("%s", kcatch_error_text());
	else
		session_say_notes(*session);
	ret = ret ? STATUS_ERROR : show_run(show);
	kcatch_session_close(*session);
	follow_deinit(&show->follow);
	return ret;
}
