/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lasting.c - kcatch --after: calls that have lasted long are shown while they last
 *
 * The kernel is asked when the oldest call that is younger comes to the age; a call that begins
 * meanwhile is younger still, so nothing is missed by waiting so long.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_stuck.h>

#include "command.h"
#include "lasting.h"
#include "stdout.h"
#include "stuck_show.h"

#define LOOK_LEAST_NS 1000000U /* between two looks, each of which is at all threads */

static bool is_same(const struct lasting_call *call, const struct kcatch_event *event)
{
	return call->call == event->call && call->tid == event->tid &&
	       call->probe == event->probe;
}

static bool was_shown(const struct lasting *lasting, const struct kcatch_event *event)
{
	size_t i;

	for (i = 0; i < lasting->nr; i++)
		if (is_same(&lasting->shown[i], event))
			return true;
	return false;
}

static int keep(struct lasting *lasting, const struct kcatch_event *event)
{
	struct lasting_call *more;

	if (lasting->nr == lasting->room) {
		more = realloc(lasting->shown, (2 * lasting->room + 16) * sizeof(*more));
		if (!more)
			return -ENOMEM;
		lasting->shown = more;
		lasting->room = 2 * lasting->room + 16;
	}
	lasting->shown[lasting->nr++] = (struct lasting_call){ event->call, event->tid,
							       event->probe };
	return 0;
}

/* Is a thread where it was when the event was made? */
static bool is_still_there(struct kcatch_session *session, const struct kcatch_event *event,
			   const struct kcatch_task *task)
{
	struct kcatch_frame frame;
	uint32_t i;

	if (task->tid != event->tid || task->nr_frames != event->nr_frames)
		return false;
	for (i = 0; i < event->nr_frames; i++)
		if (kcatch_session_frame(session, i, &frame) || frame.address != task->frames[i])
			return false;
	return true;
}

/* What the threads of a process wait for, at one look: its calls often follow each other. */
struct waits {
	const struct kcatch_stuck *stuck; /* of @options.pid; NULL: not known */
	struct kcatch_stuck_options options;
};

static void waits_forget(struct waits *waits)
{
	kcatch_stuck_destroy(waits->stuck);
	waits->stuck = NULL;
	waits->options.pid = 0;
}

/* What a thread waits for and who has it, to be freed; NULL: not known. */
static char *waits_of(struct waits *waits, struct kcatch_session *session,
		      const struct kcatch_event *event)
{
	struct stuck_view view = { .options = &waits->options };
	char *text = NULL;
	size_t length;
	bool known = false;
	FILE *out;
	uint32_t i;

	/* That of a thread that runs again is not of this call. */
	if (!event->nr_frames)
		return NULL;
	if (waits->options.pid != event->pid) {
		waits_forget(waits);
		waits->options.pid = event->pid;
		if (kcatch_stuck_create(session, &waits->options, &waits->stuck))
			waits->stuck = NULL;
	}
	view.stuck = waits->stuck;
	out = waits->stuck ? open_memstream(&text, &length) : NULL;
	for (i = 0; out && i < waits->stuck->nr_tasks && !known; i++)
		if (is_still_there(session, event, &waits->stuck->tasks[i])) {
			kcatch_stuck_prove(waits->stuck, i);
			known = stuck_waits_for(out, &view, i);
		}
	if (out)
		fclose(out);
	if (known)
		return text;
	free(text);
	return NULL;
}

/* The stack is read in any case: what a thread waits for is found by it. */
static int show_call(const struct lasting *lasting, struct show *show, struct waits *waits,
		     const struct kcatch_event *event)
{
	struct render_options view = show->view;
	struct kcatch_event shown = *event;
	char *text = waits_of(waits, show->follow.session, event);
	int ret;

	if (lasting->no_stack) {
		shown.nr_frames = 0;
		shown.stack = KCATCH_STACK_ABSENT;
	} else if (lasting->depth && shown.nr_frames > lasting->depth) {
		shown.nr_frames = lasting->depth;
		shown.stack = KCATCH_STACK_CUT;
	}
	view.waits = text;
	ret = show->renderer->event(stdout, show->follow.session, &shown, &view);
	free(text);
	return ret;
}

/* The calls that are under way now are shown, and kept in @still. */
static int show_calls(struct lasting *lasting, struct show *show, uint32_t nr,
		      struct lasting *still)
{
	struct waits waits = { .options.size = sizeof(waits.options) };
	const struct kcatch_event *event;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < nr && !ret; i++) {
		ret = kcatch_session_lasting_call(show->follow.session, i, &event);
		if (!ret)
			ret = keep(still, event);
		if (!ret && !was_shown(lasting, event))
			ret = show_call(lasting, show, &waits, event);
	}
	waits_forget(&waits);
	return ret;
}

static void say_left_out(struct lasting *lasting, uint32_t left_out)
{
	if (left_out > lasting->left_out)
		say("calls that have lasted so long, and are shown only when they return: %" PRIu32,
		    left_out);
	lasting->left_out = left_out;
}

int lasting_look(struct lasting *lasting, struct show *show, uint64_t now)
{
	struct lasting still = { .nr = 0 };
	uint64_t wait_ns;
	uint32_t left_out;
	int ret;

	if (!lasting->after_ns || now < lasting->due_ns)
		return 0;
	ret = kcatch_session_lasting(show->follow.session, lasting->after_ns, &wait_ns, &left_out);
	if (ret > 0)
		ret = show_calls(lasting, show, (uint32_t)ret, &still);
	if (ret < 0) {
		free(still.shown);
		say("%s", ret == -ENOMEM ? "out of memory" : kcatch_error_text());
		return ret;
	}
	say_left_out(lasting, left_out);
	/* Those that have returned are forgotten. */
	free(lasting->shown);
	lasting->shown = still.shown;
	lasting->nr = still.nr;
	lasting->room = still.room;
	lasting->due_ns = now + (wait_ns > LOOK_LEAST_NS ? wait_ns : LOOK_LEAST_NS);
	return stdout_flush() ? 0 : -EPIPE;
}

void lasting_deinit(struct lasting *lasting)
{
	free(lasting->shown);
}
