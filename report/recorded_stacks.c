/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recorded_stacks.c - stacks of events, kept by number */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "recorded_stacks.h"

#define FRAMES 512U /* of a stack: the rest is left out, and the stack is taken for cut */

static int keep(struct recorded_stacks *stacks, const struct recorded_frame *frames, uint32_t nr,
		enum kcatch_event_stack end)
{
	struct recorded_stack *more;
	struct recorded_frame *kept;
	size_t room;

	if (stacks->nr == stacks->room) {
		room = stacks->room ? 2 * stacks->room : 64;
		more = room < UINT32_MAX ? realloc(stacks->of, room * sizeof(*more)) : NULL;
		if (!more)
			return kcatch_error_memory();
		stacks->of = more;
		stacks->room = room;
	}
	kept = kcatch_arena_take(&stacks->memory, (nr + 1) * sizeof(*kept));
	if (!kept)
		return kcatch_error_memory();
	memcpy(kept, frames, nr * sizeof(*kept));
	if (kcatch_table_add(&stacks->contents, (const char *)kept, nr * sizeof(*kept),
			     stacks->nr) < 0)
		return kcatch_error_memory();
	stacks->of[stacks->nr++] = (struct recorded_stack){ .frames = kept, .nr = nr, .end = end };
	return 0;
}

/* Names are kept in one place each: their addresses tell frames apart. NULL stays NULL. */
static int keep_name(struct recorded_stacks *stacks, const char *name, const char **kept)
{
	size_t length = name ? strlen(name) : 0, *known;
	char *text;

	*kept = NULL;
	if (!name)
		return 0;
	known = kcatch_table_find(&stacks->names, name, length);
	if (known) {
		*kept = stacks->names.entries[*known].key;
		return 0;
	}
	text = kcatch_arena_take(&stacks->memory, length + 1);
	if (!text)
		return kcatch_error_memory();
	memcpy(text, name, length);
	if (kcatch_table_add(&stacks->names, text, length, stacks->names.count) < 0)
		return kcatch_error_memory();
	*kept = text;
	return 0;
}

static int read_frames(struct recorded_stacks *stacks, struct report *report,
		       const struct kcatch_event *event, struct recorded_frame *frames,
		       uint32_t *nr)
{
	struct kcatch_frame frame;
	uint32_t i;
	int ret;

	*nr = event->nr_frames < FRAMES ? event->nr_frames : FRAMES;
	memset(frames, 0, *nr * sizeof(*frames)); /* padding is compared */
	for (i = 0; i < *nr; i++) {
		ret = kcatch_session_frame(report->session, i, &frame);
		if (!ret)
			ret = keep_name(stacks, frame.self ? "[kcatch]" : frame.symbol,
					&frames[i].symbol);
		if (!ret)
			ret = keep_name(stacks, frame.self ? NULL : frame.module,
					&frames[i].module);
		if (ret)
			return ret;
		frames[i].interrupted = frame.interrupted;
	}
	return 0;
}

/* The next event with a stack of this number has the same one. */
static int remember(struct recorded_stacks *stacks, uint64_t number, size_t stack)
{
	uint64_t *key = kcatch_arena_take(&stacks->memory, sizeof(*key));

	if (!key)
		return kcatch_error_memory();
	*key = number;
	return kcatch_table_add(&stacks->numbers, (const char *)key, sizeof(*key), stack) < 0 ?
		       kcatch_error_memory() :
		       0;
}

int64_t recorded_stacks_add(struct recorded_stacks *stacks, struct report *report,
			    const struct kcatch_event *event)
{
	struct recorded_frame frames[FRAMES];
	uint64_t number;
	size_t *known, stack;
	uint32_t nr;
	int ret = kcatch_session_stack_number(report->session, &number);

	if (ret)
		return ret;
	known = number ?
			kcatch_table_find(&stacks->numbers, (const char *)&number, sizeof(number)) :
			NULL;
	if (known)
		return (int64_t)*known;
	ret = read_frames(stacks, report, event, frames, &nr);
	if (ret)
		return ret;
	known = kcatch_table_find(&stacks->contents, (const char *)frames, nr * sizeof(*frames));
	stack = known ? *known : stacks->nr;
	if (!known)
		ret = keep(stacks, frames, nr,
			   nr < event->nr_frames ? KCATCH_STACK_CUT : event->stack);
	if (!ret && number)
		ret = remember(stacks, number, stack);
	return ret ? ret : (int64_t)stack;
}

const struct recorded_stack *recorded_stacks_get(const struct recorded_stacks *stacks,
						 uint32_t number)
{
	return number < stacks->nr ? &stacks->of[number] : NULL;
}

void recorded_stacks_deinit(struct recorded_stacks *stacks)
{
	free(stacks->of);
	kcatch_table_deinit(&stacks->contents);
	kcatch_table_deinit(&stacks->numbers);
	kcatch_table_deinit(&stacks->names);
	kcatch_arena_deinit(&stacks->memory);
	memset(stacks, 0, sizeof(*stacks));
}
