/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorder_clock.c - writes anchors: moments on the clock of the records and on CLOCK_MONOTONIC
 *
 * The clocks are read each second and an anchor is written every ten. When one of the clocks
 * has jumped, because the machine was suspended, the moments before and behind it are written:
 * the reader knows then within a second where the jump is.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "base/printable.h"
#include "recording/recorder.h"

#define EVERY_NS 10000000000U	/* between two anchors */
#define APART_NS 1000000000U	/* the least: the readings are exact to some microseconds */

static int append(const struct kcatch_recorder *recorder, const char *text)
{
	size_t length = strlen(text);
	int fd = openat(recorder->side, KCATCH_RECORDING_CLOCK,
			O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
	int error = fd < 0 ? errno : 0;
	ssize_t done = fd < 0 ? 0 : write(fd, text, length);

	if (fd >= 0 && (size_t)done != length)
		error = done < 0 ? errno : ENOSPC;
	if (fd >= 0 && close(fd) && !error)
		error = errno;
	return error ? kcatch_error_set(error, "cannot write clock of %s: %s",
					SHOWN(recorder->path), strerror(error)) :
		       0;
}

static int write_anchor(struct kcatch_recorder *recorder, const struct kcatch_anchor *anchor)
{
	struct kcatch_recorder_clock *clock = &recorder->clock;
	char line[80];

	/* Readings that are exact to microseconds only may seem to go back. */
	if (clock->begun && (anchor->clock <= clock->written.clock ||
			     anchor->monotonic < clock->written.monotonic))
		return 0;
	clock->begun = true;
	clock->written = *anchor;
	snprintf(line, sizeof(line), "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", anchor->clock,
		 anchor->monotonic, anchor->realtime);
	return append(recorder, line);
}

/* No anchor fits any more: the reader is told why. */
static int write_back(struct kcatch_recorder *recorder, const struct kcatch_anchor *now)
{
	char line[80];

	recorder->clock.back = true;
	snprintf(line, sizeof(line), "back %" PRIu64 " %" PRIu64 "\n", now->monotonic,
		 now->realtime);
	return append(recorder, line);
}

int kcatch_recorder_begin_clock(struct kcatch_recorder *recorder)
{
	const struct kcatch_info *info = &recorder->session->info;
	const struct kcatch_anchor opened = { .clock = info->clock_now,
					      .monotonic = info->monotonic_now,
					      .realtime = info->realtime_now };
	int ret = kcatch_session_read_clock(recorder->session, &recorder->clock.seen);

	recorder->clock.begin = recorder->clock.seen;
	if (ret)
		return ret;
	ret = write_anchor(recorder, &opened);
	if (!ret && recorder->clock.seen.monotonic >= opened.monotonic + APART_NS)
		ret = write_anchor(recorder, &recorder->clock.seen);
	return ret;
}

int kcatch_recorder_write_clock(struct kcatch_recorder *recorder, bool final)
{
	struct kcatch_recorder_clock *clock = &recorder->clock;
	const struct kcatch_anchor before = clock->seen;
	uint64_t apart = final ? APART_NS : EVERY_NS;
	int ret = clock->back ? 0 : kcatch_session_read_clock(recorder->session, &clock->seen);

	if (ret || clock->back)
		return ret;
	if (clock->seen.clock < before.clock)
		return write_back(recorder, &clock->seen);
	if (kcatch_anchors_jump(&before, &clock->seen, recorder->session->info.clock_khz)) {
		ret = write_anchor(recorder, &before);
		return ret ? ret : write_anchor(recorder, &clock->seen);
	}
	if (clock->seen.monotonic < clock->written.monotonic + apart)
		return 0;
	return write_anchor(recorder, &clock->seen);
}
