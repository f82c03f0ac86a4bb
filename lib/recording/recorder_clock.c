/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorder_clock.c - writes anchors: moments on the clock of the records and on CLOCK_MONOTONIC
 *
 * The clocks are read each second and an anchor is written every ten. When one of the clocks
 * has jumped, because the machine was suspended or the time of day was set, the moments before
 * and behind it are written: the reader knows then within a second where the jump is, and of the
 * time of day more exactly where the caller looks as soon as it was set
 * (TFD_TIMER_CANCEL_ON_SET). A flight recorder keeps its anchors in memory while it waits, up
 * to 1.5 MB: those of the last three days at least, and of the time before fewer and fewer.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/array.h"
#include "recording/recorder.h"

#define EVERY_NS 10000000000U	/* between two anchors */
#define APART_NS 1000000000U	/* the least: the readings are exact to some microseconds */

#define SET_NS 1000000	/* the time of day was set if it is off by more: NTP changes both rates */

#define KEPT_MOST 65536U	/* anchors that a flight recorder keeps */

/* ---- which are due --------------------------------------------------------------- */

/* Readings that are exact to microseconds only may seem to go back. */
static bool take(struct kcatch_recorder_clock *clock, const struct kcatch_anchor *anchor)
{
	if (clock->begun && (anchor->clock <= clock->written.clock ||
			     anchor->monotonic < clock->written.monotonic))
		return false;
	clock->begun = true;
	clock->written = *anchor;
	return true;
}

/* Was the time of day set between two moments? */
static bool was_set(const struct kcatch_anchor *before, const struct kcatch_anchor *after)
{
	int64_t offset = (int64_t)(before->realtime - before->monotonic);
	int64_t change = (int64_t)(after->realtime - after->monotonic) - offset;

	return before->realtime && after->realtime && (change > SET_NS || change < -SET_NS);
}

/* Up to two anchors, which are still to be taken. After a clock was set back there are none. */
static int look(struct kcatch_recorder_clock *clock, struct kcatch_session *session,
		uint64_t apart, struct kcatch_anchor due[2], size_t *nr)
{
	const struct kcatch_anchor before = clock->seen;
	int ret = clock->back ? 0 : kcatch_session_read_clock(session, &clock->seen);

	*nr = 0;
	if (ret || clock->back)
		return ret;
	clock->back = clock->seen.clock < before.clock;
	if (clock->back)
		return 0;
	if (kcatch_anchors_jump(&before, &clock->seen, session->info.clock_khz) ||
	    was_set(&before, &clock->seen))
		due[(*nr)++] = before;
	if (*nr || clock->seen.monotonic >= clock->written.monotonic + apart)
		due[(*nr)++] = clock->seen;
	return 0;
}

/* ---- written --------------------------------------------------------------------- */

/* @back: no anchor fits any more since then, and the reader is told why; NULL: they do */
static int append(struct kcatch_recorder *recorder, const struct kcatch_anchor *anchors, size_t nr,
		  const struct kcatch_anchor *back)
{
	FILE *file = kcatch_recorder_append_file(recorder->side, KCATCH_RECORDING_CLOCK);
	size_t i;

	if (!file)
		return kcatch_recorder_fail_file(recorder, KCATCH_RECORDING_CLOCK, errno);
	for (i = 0; i < nr; i++) {
		if (take(&recorder->clock, &anchors[i]))
			fprintf(file, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", anchors[i].clock,
				anchors[i].monotonic, anchors[i].realtime);
	}
	if (back)
		fprintf(file, "back %" PRIu64 " %" PRIu64 "\n", back->monotonic, back->realtime);
	return kcatch_recorder_close_file(recorder, file, KCATCH_RECORDING_CLOCK);
}

int kcatch_recorder_begin_clock(struct kcatch_recorder *recorder,
				const struct kcatch_clock_history *history)
{
	struct kcatch_recorder_clock *clock = &recorder->clock;
	const struct kcatch_info *info = &recorder->session->info;
	struct kcatch_anchor opened = { .clock = info->clock_now,
					.monotonic = info->monotonic_now,
					.realtime = info->realtime_now };
	/* A piece that follows others begins now, and knows whether a clock was set back. */
	bool follows = recorder->rotation.number > 1, back = follows && clock->back;
	int ret = kcatch_session_read_clock(recorder->session, &clock->seen);

	clock->begin = clock->seen;
	if (follows)
		opened = clock->seen;
	if (!ret)
		ret = append(recorder, &opened, 1, back ? &clock->seen : NULL);
	if (!ret && history && (history->nr || history->clock.back))
		ret = append(recorder, history->anchors, history->nr,
			     history->clock.back ? &history->clock.seen : NULL);
	clock->back = back || (history && history->clock.back);
	if (!ret && !clock->back && clock->seen.monotonic >= clock->written.monotonic + APART_NS)
		ret = append(recorder, &clock->seen, 1, NULL);
	return ret;
}

int kcatch_recorder_write_clock(struct kcatch_recorder *recorder, bool final)
{
	struct kcatch_recorder_clock *clock = &recorder->clock;
	bool back = clock->back;
	struct kcatch_anchor due[2];
	size_t nr;
	int ret = look(clock, recorder->session, final ? APART_NS : EVERY_NS, due, &nr);

	if (ret || (!nr && clock->back == back))
		return ret;
	return append(recorder, due, nr, clock->back ? &clock->seen : NULL);
}

/* ---- kept ------------------------------------------------------------------------ */

/* Room for one more: each second anchor of the older half goes. */
static void thin_out(struct kcatch_clock_history *history)
{
	size_t half = history->nr / 2, kept;

	for (kept = 0; 2 * kept < half; kept++)
		history->anchors[kept] = history->anchors[2 * kept];
	memmove(history->anchors + kept, history->anchors + half,
		(history->nr - half) * sizeof(*history->anchors));
	history->nr -= half - kept;
}

int kcatch_clock_history_add(struct kcatch_clock_history *history,
			     const struct kcatch_anchor *anchor)
{
	struct kcatch_anchor *anchors;

	if (!take(&history->clock, anchor))
		return 0;
	if (history->nr >= KEPT_MOST)
		thin_out(history);
	anchors = kcatch_array_grow(history->anchors, history->nr, sizeof(*anchors));
	if (!anchors)
		return kcatch_error_memory();
	history->anchors = anchors;
	anchors[history->nr++] = *anchor;
	return 0;
}

int kcatch_clock_history_look(struct kcatch_clock_history *history,
			      struct kcatch_session *session)
{
	struct kcatch_anchor due[2];
	size_t nr, i;
	int ret;

	/* The first one is that of the session. */
	if (!history->clock.begun) {
		history->clock.begun = true;
		history->clock.written = (struct kcatch_anchor){
			.clock = session->info.clock_now,
			.monotonic = session->info.monotonic_now };
		return kcatch_session_read_clock(session, &history->clock.seen);
	}
	ret = look(&history->clock, session, EVERY_NS, due, &nr);
	for (i = 0; !ret && i < nr; i++)
		ret = kcatch_clock_history_add(history, &due[i]);
	return ret;
}

void kcatch_clock_history_deinit(struct kcatch_clock_history *history)
{
	free(history->anchors);
	memset(history, 0, sizeof(*history));
}
