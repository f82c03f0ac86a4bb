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
#include "recording/recorded_probes.h"
#include "session/handle.h"

struct kcatch_filter {
	struct kcatch_expression *expression;
	struct kcatch_recorded_probes probes;
	struct kcatch_recorded_condition **conditions;	/* by probe; NULL: not made yet */
};

static int try_probe(void *arg, size_t number, const struct kcatch_recorded_probe *probe)
{
	struct kcatch_filter *filter = arg;
	struct kcatch_recorded_condition *condition;
	int ret = kcatch_recorded_condition_create(filter->expression, probe, &condition);

	(void)number;
	if (!ret)
		kcatch_recorded_condition_destroy(condition);
	return ret;
}

int kcatch_filter_create(struct kcatch_session *session, const char *condition,
			 const char *(*name)(void *arg, uint32_t probe), void *arg,
			 struct kcatch_filter **out)
{
	struct kcatch_filter *filter = calloc(1, sizeof(*filter));
	int ret;

	*out = NULL;
	if (!filter)
		return kcatch_error_memory();
	ret = kcatch_expression_parse(condition, &filter->expression);
	if (!ret)
		ret = kcatch_recorded_probes_init(&filter->probes, session, name, arg, try_probe,
						  filter);
	if (!ret) {
		filter->conditions = calloc(filter->probes.nr + 1, sizeof(*filter->conditions));
		ret = filter->conditions ? 0 : kcatch_error_memory();
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
	for (i = 0; filter->conditions && i < filter->probes.nr; i++)
		kcatch_recorded_condition_destroy(filter->conditions[i]);
	free(filter->conditions);
	kcatch_recorded_probes_deinit(&filter->probes);
	kcatch_expression_destroy(filter->expression);
	free(filter);
}

int kcatch_filter_answer(struct kcatch_filter *filter, const struct kcatch_event *event)
{
	struct kcatch_recorded_condition **condition;
	struct kcatch_recorded_event at_hand;
	struct kcatch_recorded_probe probe;
	struct kcatch_fetched fetched;

	if (!kcatch_recorded_probes_has(&filter->probes, event->probe))
		return KCATCH_FILTER_NO;
	condition = &filter->conditions[event->probe];
	if (!*condition) {
		probe = kcatch_recorded_probes_get(&filter->probes, event->probe);
		if (kcatch_recorded_condition_create(filter->expression, &probe, condition))
			return kcatch_error_memory();
	}
	kcatch_recorded_probes_event(&filter->probes, &fetched, &at_hand);
	at_hand.event = event;
	switch (kcatch_recorded_condition_evaluate(*condition, &at_hand)) {
	case KCATCH_ANSWER_YES:
		return KCATCH_FILTER_YES;
	case KCATCH_ANSWER_NO:
		return KCATCH_FILTER_NO;
	default:
		return KCATCH_FILTER_UNDECIDED;
	}
}
