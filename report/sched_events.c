/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched_events.c - events of the scheduler in a recording */
#include <stdio.h>
#include <string.h>

#include "sched_events.h"

#define REPORTED_STATES 0xffU		/* prev_state as tracefs has it */
#define REPORTED_PREEMPTED 0x100U	/* there: R+ */

enum sched_event sched_event_of_probe(const struct kcatch_probe *probe)
{
	static const struct { const char *name; enum sched_event event; } known[] = {
		{ "sched_switch", SCHED_SWITCH }, { "sched_waking", SCHED_WAKING },
		{ "sched_wakeup", SCHED_WAKEUP }, { "sched_wakeup_new", SCHED_WAKEUP_NEW },
		{ "sched_process_fork", SCHED_FORK },
	};
	size_t i;

	if (!probe->function || !probe->module || strcmp(probe->module, "sched") != 0)
		return SCHED_OTHER;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!strcmp(probe->function, known[i].name))
			return known[i].event;
	}
	return SCHED_OTHER;
}

bool sched_events_in_call(struct report *report)
{
	size_t nr = kcatch_session_nr_probes(report->session), i;
	const struct kcatch_probe *probe;

	for (i = 0; i < nr; i++)
		if (!kcatch_session_probe(report->session, (uint32_t)i, &probe) && probe->in_call)
			return true;
	return false;
}

enum sched_event sched_event_of(struct report *report, const struct kcatch_event *event)
{
	const struct kcatch_probe *probe;

	if (!event->is_event || kcatch_session_probe(report->session, event->probe, &probe))
		return SCHED_OTHER;
	return sched_event_of_probe(probe);
}

const struct kcatch_value *sched_event_arg(struct report *report, const struct kcatch_event *event,
					   const char *name)
{
	const struct kcatch_value *value;
	uint32_t i;

	for (i = 0; i < event->nr_args; i++) {
		if (!kcatch_session_arg(report->session, i, &value) && value->name &&
		    !strcmp(value->name, name))
			return value;
	}
	return NULL;
}

static void copy(char *comm, const char *text, size_t length)
{
	if (length > SCHED_COMM - 1)
		length = SCHED_COMM - 1;
	memcpy(comm, text, length);
	comm[length] = '\0';
}

/* Parse "comm(pid)", the text of a task. Return: whether it is one. */
static bool parse_task(const struct kcatch_value *value, char *comm, uint32_t *tid)
{
	size_t at = value->text ? value->length : 0, digits = 0;
	int64_t number = 0, unit = 1;

	if (at < 3 || value->text[--at] != ')')
		return false;
	for (; at && value->text[at - 1] >= '0' && value->text[at - 1] <= '9' && digits < 10;
	     at--, digits++) {
		number += unit * (value->text[at - 1] - '0');
		unit *= 10;
	}
	if (!digits || !at || value->text[at - 1] != '(' || number > INT32_MAX)
		return false;
	*tid = (uint32_t)number;
	copy(comm, value->text, at - 1);
	return true;
}

/*
 * Its argument @name, or @name with _pid and _comm; without @name those that tracefs has, pid and
 * comm.
 */
bool sched_event_task(struct report *report, const struct kcatch_event *event, const char *name,
		      char *comm, uint32_t *tid)
{
	const struct kcatch_value *value = sched_event_arg(report, event, *name ? name : "p");
	char of[32];

	if (value && parse_task(value, comm, tid))
		return true;
	snprintf(of, sizeof(of), "%s%spid", name, *name ? "_" : "");
	value = sched_event_arg(report, event, of);
	if (!value || value->kind != KCATCH_VALUE_INTEGER)
		return false;
	*tid = (uint32_t)value->number;
	snprintf(of, sizeof(of), "%s%scomm", name, *name ? "_" : "");
	value = sched_event_arg(report, event, of);
	copy(comm, value && value->text ? value->text : "",
	     value && value->text ? strnlen(value->text, value->length) : 0);
	return true;
}

bool sched_event_preempted(struct report *report, const struct kcatch_event *event)
{
	const struct kcatch_value *state = sched_event_arg(report, event, "prev_state");
	const struct kcatch_value *preempt = sched_event_arg(report, event, "preempt");

	if (preempt && preempt->number)
		return true;
	if (!state || !state->number)
		return true;
	/* The kernel's own state has another meaning of that bit, beside one of the others. */
	return (state->number & REPORTED_PREEMPTED) && !(state->number & REPORTED_STATES);
}
