/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_test.c - commands whose events go on coming, and the end of one that cannot be stopped
 *
 * Description: while a CPU takes no interrupts, the session goes on. A hit that has not returned
 * is no reason to report a fault, the counters are not called final, and events that go on
 * coming do not keep the command from ending.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <kcatch_counts.h>
#include <kcatch_text.h>

#include "command.h"
#include "fake_session.h"
#include "judge.h"
#include "session_open.h"
#include "show.h"
#include "take_counts.h"

#define CAUGHT 5		/* before the session could not be stopped */
#define ENDLESS 100000		/* events after which the command would never end */

static const struct kcatch_probe probe = { .function = "vfs_read", .mechanism = KCATCH_BY_FTRACE };

/* The five, and then what is caught while they are shown. */
static bool make_endless(uint64_t number, struct fake_event *made)
{
	made->event.time_ns = number < CAUGHT ? 1 + number : UINT64_MAX - ENDLESS + number;
	return true;
}

static const struct fake_source running = {
	.make = make_endless, .probes = &probe, .nr_probes = 1,
	.totals = { .hits = 9, .recorded = 5, .filtered = 2, .in_flight = 3 },
};

static bool make_none(uint64_t number, struct fake_event *made)
{
	(void)number;
	(void)made;
	return false;
}

/* ---- what the command calls -------------------------------------------------------------- */

static int stop_error;
static const struct kcatch_counts counts;

int kcatch_session_start(struct kcatch_session *session)
{
	(void)session;
	return 0;
}

int kcatch_session_stop(struct kcatch_session *session)
{
	(void)session;
	return stop_error ? kcatch_error_set(stop_error, "a CPU takes no interrupts") : 0;
}

int kcatch_session_fd(const struct kcatch_session *session)
{
	(void)session;
	return -1;
}

int kcatch_session_count(struct kcatch_session *session, const struct kcatch_counts **rows)
{
	(void)session;
	*rows = &counts;
	return stop_error ? kcatch_error_set(stop_error, "not taken out") : 0;
}

int kcatch_session_pairs(struct kcatch_session *session, struct kcatch_pairs *pairs)
{
	(void)session;
	(void)pairs;
	return -EINVAL;
}

int kcatch_session_setup(struct kcatch_session *session, uint64_t ring_size,
			 const struct kcatch_request *request)
{
	(void)session;
	(void)ring_size;
	(void)request;
	return -EINVAL;
}

void kcatch_session_close(struct kcatch_session *session)
{
	free(session);
}

int session_open(struct kcatch_session **session)
{
	*session = NULL;
	return -EINVAL;
}

void session_say_notes(const struct kcatch_session *session)
{
	(void)session;
}

struct render_options options_view(const struct options *options)
{
	(void)options;
	return (struct render_options){ .count = 0 };
}

/* ---- what it prints ------------------------------------------------------------------------ */

static char printed[2][4096];	/* on standard output and standard error */
static int before[2];

static void divert(FILE *files[2])
{
	int fd;

	fflush(stdout);
	for (fd = 0; fd < 2; fd++) {
		files[fd] = tmpfile();
		assert_non_null(files[fd]);
		before[fd] = dup(fd + 1);
		assert_true(dup2(fileno(files[fd]), fd + 1) > 0);
	}
}

static void restore(FILE *files[2])
{
	size_t length;
	int fd;

	fflush(stdout);
	for (fd = 0; fd < 2; fd++) {
		dup2(before[fd], fd + 1);
		close(before[fd]);
		rewind(files[fd]);
		length = fread(printed[fd], 1, sizeof(printed[fd]) - 1, files[fd]);
		printed[fd][length] = '\0';
		fclose(files[fd]);
	}
}

static int take_event(struct follow *follow, const struct kcatch_event *event)
{
	(void)event;
	return follow->shown < ENDLESS ? 1 : kcatch_error_set(ELOOP, "it does not end");
}

static void announce(struct show *show)
{
	(void)show;
}

/* Return: its exit status. */
static int run(const struct fake_source *source, const struct renderer *renderer,
	       struct show *shown)
{
	static const struct options options;
	struct show show = {
		.follow = { .session = fake_open(source), .event = take_event, .time_ns = 1,
			    .shows = true, .other = -1 },
		.options = &options, .announce = announce, .say_nothing = announce,
		.renderer = renderer,
	};
	FILE *files[2];
	int status;

	divert(files);
	status = show_run(&show);
	restore(files);
	free(show.follow.session);
	*shown = show;
	return status;
}

/* ---- the cases ------------------------------------------------------------------------------- */

static void calls_under_way_are_no_fault(void **state)
{
	struct show show;

	(void)state;
	stop_error = ETIMEDOUT;
	assert_int_equal(run(&running, &render_text, &show), STATUS_LOSSES);
	assert_int_equal(show.follow.shown, CAUGHT);
	assert_non_null(strstr(printed[1], "a CPU takes no interrupts\n"));
	assert_null(strstr(printed[1], "do not add up"));
	assert_non_null(strstr(printed[1], "hits 9 = recorded 5 + filtered 2 + under way 2; "
					   "returns: 3 still to come\n"));
	assert_non_null(strstr(printed[1], "2 calls had not returned yet: whether they would"));
	assert_false(losses_any(&show.losses));
}

static void counters_are_not_final(void **state)
{
	struct show show;

	(void)state;
	stop_error = ETIMEDOUT;
	run(&running, &render_rows, &show);
	assert_non_null(strstr(printed[0], "\"final\":false"));
	assert_null(strstr(printed[0], "\"final\":true"));
	run(&running, &render_json, &show);
	assert_non_null(strstr(printed[0], "\"final\":false"));
}

static void counters_of_a_stopped_session_are(void **state)
{
	struct fake_source stopped = running;
	struct show show;

	(void)state;
	stop_error = 0;
	stopped.make = make_none;
	stopped.totals = (struct kcatch_totals){ .hits = 7, .recorded = 5, .filtered = 2 };
	run(&stopped, &render_rows, &show);
	assert_non_null(strstr(printed[0], "\"final\":true"));
	assert_null(strstr(printed[0], "\"final\":false"));
	run(&stopped, &render_json, &show);
	assert_non_null(strstr(printed[0], "\"final\":true"));
	run(&stopped, &render_text, &show);
	assert_null(strstr(printed[1], "under way"));
}

/* Neither more hits than are under way nor fewer than their parts. */
static void what_does_not_add_up_is_said(void **state)
{
	struct losses losses = { .totals = { .hits = 9, .recorded = 5, .in_flight = 3 } };

	(void)state;
	losses.unstopped = true;
	assert_true(losses_any(&losses));
	losses.totals.hits = 8;
	assert_false(losses_any(&losses));
	losses.totals.hits = 4;
	assert_true(losses_any(&losses));
	losses.totals.hits = 8;
	losses.unstopped = false;
	assert_true(losses_any(&losses));
}

/* What was not seen may have been what was asked for. */
static void nothing_is_said_of_what_was_seen_alone(void **state)
{
	struct losses losses = { .totals = { .hits = 3, .filtered = 3 } };

	(void)state;
	assert_int_equal(judge_status(&losses, 0), STATUS_NOTHING);
	losses.died = 1;
	assert_int_equal(judge_status(&losses, 0), STATUS_LOSSES);
	losses.died = 0;
	losses.totals.hits = 4;
	losses.totals.missed = 1;
	assert_int_equal(judge_status(&losses, 0), STATUS_LOSSES);
}

static void counts_are_judged_alike(void **state)
{
	struct kcatch_session *session = fake_open(&running);
	const struct kcatch_counts *rows;
	struct losses losses = { .damaged = 0 };
	bool late = false;
	FILE *files[2];
	int ret;

	(void)state;
	stop_error = ETIMEDOUT;
	divert(files);
	ret = take_last_counts(session, &late, &rows, &losses);
	restore(files);
	free(session);
	assert_int_equal(ret, 0);
	assert_true(late);
	assert_false(losses_any(&losses));
	assert_non_null(strstr(printed[1], "5 calls are not in the table"));
}

/* ---- a flood --------------------------------------------------------------------------------- */

#define FLOOD 200000000		/* events after which nobody would look any more */

static bool make_flood(uint64_t number, struct fake_event *made)
{
	made->event.time_ns = 1 + number;
	return true;
}

static int take_flood(struct follow *follow, const struct kcatch_event *event)
{
	uint64_t *events = follow->arg;

	(void)event;
	return ++*events < FLOOD ? 0 : kcatch_error_set(ELOOP, "nobody looks");
}

/* As --errors and --tree, which print and count there. */
static int look_three_times(struct follow *follow, uint64_t now)
{
	static int looks;

	(void)now;
	follow->end = "count";
	return ++looks == 3;
}

static void events_do_not_hold_up_the_look(void **state)
{
	struct fake_source flood = running;
	struct follow flow = { .event = take_flood, .look = look_three_times, .other = -1 };
	uint64_t events = 0;

	(void)state;
	flood.make = make_flood;
	flow.session = fake_open(&flood);
	flow.arg = &events;
	flow.started_ns = follow_clock();
	assert_int_equal(follow(&flow), 0);
	assert_string_equal(flow.end, "count");
	assert_true(events > 0);
	free(flow.session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_under_way_are_no_fault),
		cmocka_unit_test(counters_are_not_final),
		cmocka_unit_test(counters_of_a_stopped_session_are),
		cmocka_unit_test(what_does_not_add_up_is_said),
		cmocka_unit_test(nothing_is_said_of_what_was_seen_alone),
		cmocka_unit_test(counts_are_judged_alike),
		cmocka_unit_test(events_do_not_hold_up_the_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
