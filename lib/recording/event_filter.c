/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * event_filter.c - applies a condition to the events of a recording
 *
 * At creation the condition is compiled for each probe, so that a condition that the recording
 * cannot answer is refused before any event is read. The trees are freed again and rebuilt at a
 * probe's first event: only a few of 50,000 probes have events.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "condition/recorded.h"
#include "recording/recording.h"
#include "recording/wanted_probes.h"
#include "session/handle.h"
#include "session/session_notes.h"

/* A probe, and its condition when that was asked for. */
struct slot {
	bool is_used;
	struct kcatch_recorded_condition *condition;
	char *name;
};

struct kcatch_filter {
	struct kcatch_session *session;
	struct kcatch_expression *expression;
	struct slot *slots;
	size_t nr_slots;
};

static unsigned int find_symbol(void *arg, const char *name, uint64_t *address)
{
	const struct kcatch_recording *recording = kcatch_recording_of(arg);

	return kcatch_symbol_list_address(recording ? recording->symbols : NULL, name, address);
}

static int create(struct kcatch_filter *filter, size_t number,
		  struct kcatch_condition_notes *notes,
		  struct kcatch_recorded_condition **condition)
{
	struct kcatch_session *session = filter->session;
	const struct kcatch_probe_slot *slot = session->slots[number];
	enum kcatch_mechanism mechanism = slot->probe.mechanism;
	const struct kcatch_recorded_probe probe = {
		.types = session->types, .plan = slot->plan, .info = slot->info,
		.tracepoint = mechanism == KCATCH_BY_TRACEPOINT, .returns = slot->returns,
		.symbol = find_symbol, .arg = session, .notes = notes,
	};

	return kcatch_recorded_condition_create(filter->expression, &probe, condition);
}

/* Whether it is for this probe. */
static int try_probe(void *arg, size_t number, const char *name)
{
	struct kcatch_filter *filter = arg;
	struct kcatch_recorded_condition *condition;
	struct kcatch_condition_notes notes = { .nr = 0 };
	struct slot *slot = &filter->slots[number];
	int ret;

	slot->name = strdup(name);
	ret = slot->name ? create(filter, number, &notes, &condition) : kcatch_error_memory();
	if (ret)
		return ret;
	kcatch_recorded_condition_destroy(condition);
	slot->is_used = true;
	return kcatch_session_note_condition(filter->session, &notes, name);
}

int kcatch_filter_create(struct kcatch_session *session, const char *condition,
			 const char *(*name)(void *arg, uint32_t probe), void *arg,
			 struct kcatch_filter **out)
{
	struct kcatch_filter *filter = calloc(1, sizeof(*filter));
	struct kcatch_wanted_probes wanted = { .session = session, .name = name,
					       .name_arg = arg, .try_one = try_probe,
					       .try_arg = filter };
	int ret;

	*out = NULL;
	if (!filter)
		return kcatch_error_memory();
	filter->session = session;
	ret = kcatch_expression_parse(condition, &filter->expression);
	if (!ret) {
		filter->slots = calloc(session->nr_slots + 1, sizeof(*filter->slots));
		filter->nr_slots = session->nr_slots;
		ret = filter->slots ? kcatch_wanted_probes_try(&wanted) : kcatch_error_memory();
	}
	if (ret) {
		kcatch_filter_destroy(filter);
		return ret;
	}
	*out = filter;
	return 0;
}

void kcatch_filter_destroy(struct kcatch_filter *filter)
{
	size_t i;

	if (!filter)
		return;
	for (i = 0; filter->slots && i < filter->nr_slots; i++) {
		kcatch_recorded_condition_destroy(filter->slots[i].condition);
		free(filter->slots[i].name);
	}
	free(filter->slots);
	kcatch_expression_destroy(filter->expression);
	free(filter);
}

/* ---- the event at hand ---------------------------------------------------------------- */

static const char *event_text(void *arg, enum kcatch_recorded_text which)
{
	struct kcatch_filter *filter = arg;
	struct kcatch_session *session = filter->session;
	uint32_t number = session->event.probe;
	const char *path;

	switch (which) {
	case KCATCH_RECORDED_EVENT:
		return filter->slots[number].name;
	case KCATCH_RECORDED_FUNCTION:
		return session->slots[number]->probe.function;
	case KCATCH_RECORDED_CALLER:
		return kcatch_session_caller(session);
	case KCATCH_RECORDED_CGROUP:
		if (!session->event.cgroup ||
		    kcatch_session_cgroup(session, session->event.cgroup, &path))
			return NULL;
		/* "(cgroup 123)": which one it was is not known. */
		return *path == '/' ? path : NULL;
	}
	return NULL;
}

static const struct kcatch_value *event_value(void *arg, uint32_t index)
{
	struct kcatch_filter *filter = arg;
	const struct kcatch_value *value;

	return kcatch_session_arg(filter->session, index, &value) ? NULL : value;
}

int kcatch_filter_answer(struct kcatch_filter *filter, const struct kcatch_event *event)
{
	struct kcatch_fetched fetched;
	struct kcatch_recorded_event at_hand = {
		.event = event, .fetched = &fetched, .text = event_text, .value = event_value,
		.arg = filter,
	};
	struct slot *slot;

	if (event->probe >= filter->nr_slots || !filter->slots[event->probe].is_used)
		return KCATCH_FILTER_NO;
	slot = &filter->slots[event->probe];
	if (!slot->condition && create(filter, event->probe, NULL, &slot->condition))
		return kcatch_error_memory();
	kcatch_session_fetched(filter->session, &fetched);
	switch (kcatch_recorded_condition_evaluate(slot->condition, &at_hand)) {
	case KCATCH_ANSWER_YES:
		return KCATCH_FILTER_YES;
	case KCATCH_ANSWER_NO:
		return KCATCH_FILTER_NO;
	default:
		return KCATCH_FILTER_UNDECIDED;
	}
}
