/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * read_clock.c - reads the anchors of a recording: session.json has the first, clock the others
 *
 * The file may be damaged or malicious. The anchors before the first bad line are used, and the
 * line is told.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/printable.h"
#include "recording/recorder.h"
#include "recording/recording.h"

/* Digits, at most INT64_MAX, up to @end. */
static bool take_number(const char **at, char end, uint64_t *value)
{
	char *behind;

	if (**at < '0' || **at > '9')
		return false;
	errno = 0;
	*value = strtoull(*at, &behind, 10);
	if (errno || *value > INT64_MAX || *behind != end)
		return false;
	*at = behind + (end != '\0');
	return true;
}

/* NULL: it is taken, or the caller is out of memory. */
static const char *take_anchor(struct kcatch_session *session, const char *line, bool first,
			       int *ret)
{
	const struct kcatch_anchor *known = &session->anchors.first;
	struct kcatch_anchor anchor;

	if (!take_number(&line, ' ', &anchor.clock) ||
	    !take_number(&line, ' ', &anchor.monotonic) ||
	    !take_number(&line, '\0', &anchor.realtime))
		return "no three numbers of the clocks";
	/* That of session.json. */
	if (first && anchor.clock == known->clock && anchor.monotonic == known->monotonic)
		return NULL;
	*ret = kcatch_anchors_add(&session->anchors, &anchor);
	if (*ret != -EINVAL)
		return NULL;
	*ret = 0;
	return "the clocks do not rise";
}

static const char *take_line(struct kcatch_session *session, const char *line, bool first, int *ret)
{
	if (!strncmp(line, "back ", 5))
		return "the clock of the records was set back (was the machine suspended?): times "
		       "after it are wrong";
	return take_anchor(session, line, first, ret);
}

int kcatch_recording_read_clock(struct kcatch_session *session)
{
	struct kcatch_recording *recording = session->own;
	const char *bad = NULL;
	char *text, *line, *newline;
	size_t length, number = 0;
	int ret = kcatch_recording_read_file(recording, KCATCH_RECORDING_CLOCK, &text, &length);

	if (ret == -ENOMEM)
		return ret;
	if (ret) {
		kcatch_recording_note(session, "clock %s: times are less exact",
				      ret == -ENOENT ? "is missing" : "cannot be read");
		return 0;
	}
	for (line = text; !ret && !bad && (newline = strchr(line, '\n')); line = newline + 1) {
		*newline = '\0';
		bad = take_line(session, line, !number++, &ret);
	}
	if (!bad && (size_t)(line - text) < length)
		bad = "the file ends within it";
	if (bad && !ret)
		kcatch_recording_note(session, "clock, line %zu: %s",
				      number + !newline, bad);
	free(text);
	return ret == -ENOMEM ? kcatch_error_memory() : ret;
}
