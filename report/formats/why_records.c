/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why_records.c - what tells where the time of the slowest calls went: the calls, and the records
 * of the scheduler and of block devices
 *
 * The records of the scheduler are kept, of all threads, until the calls are known: a call is read
 * when it has returned. Memory: 64 bytes a switch or waking, 112 an event of a block device, and
 * each different stack once.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "sched_events.h"
#include "why.h"

const char *why_caught(const struct report *report)
{
	size_t nr = kcatch_session_nr_probes(report->session), i;
	const struct kcatch_probe *probe;

	for (i = 0; i < nr; i++) {
		if (!kcatch_session_probe(report->session, (uint32_t)i, &probe) &&
		    probe->function && probe->mechanism != KCATCH_BY_TRACEPOINT &&
		    probe->mechanism != KCATCH_BY_EVENT && probe->mechanism != KCATCH_BY_WATCH)
			return probe->function;
	}
	return NULL;
}

const char *why_missing(const struct report *report)
{
	size_t nr = kcatch_session_nr_probes(report->session), i;
	bool has_switches = false, has_wakings = false, has_wakeups = false;
	const struct kcatch_probe *probe;

	for (i = 0; i < nr; i++) {
		if (kcatch_session_probe(report->session, (uint32_t)i, &probe))
			continue;
		has_switches |= sched_event_of_probe(probe) == SCHED_SWITCH;
		has_wakings |= sched_event_of_probe(probe) == SCHED_WAKING;
		has_wakeups |= sched_event_of_probe(probe) == SCHED_WAKEUP;
	}
	if (!has_switches)
		return has_wakings || has_wakeups ? "sched:sched_switch" :
						    "sched:sched_switch and no sched:sched_waking";
	if (!has_wakings && !has_wakeups)
		return "sched:sched_waking";
	return why_caught(report) ? NULL : "calls";
}

struct why *why_create(uint64_t most)
{
	struct why *why = calloc(1, sizeof(*why));

	if (why)
		why->calls = calloc(most + 1, sizeof(*why->calls));
	if (!why || !why->calls) {
		free(why);
		kcatch_error_memory();
		return NULL;
	}
	why->most = most;
	return why;
}

/* ---- records of the scheduler ------------------------------------------------------- */

/* The name of a thread; without a stack a record may lack that of the thread that made it. */
static int name_of(struct why *why, const char *comm, uint32_t *name)
{
	int64_t number = *comm ? thread_states_name(&why->states, comm) : THREAD_STATES_NONE;

	*name = (uint32_t)number;
	return number < 0 ? (int)number : 0;
}

static int add_record(struct why *why, struct report *report, const struct kcatch_event *event,
		      struct sched_record *record, const char *to)
{
	int64_t stack = THREAD_STATES_NONE;
	int ret = name_of(why, event->comm, &record->from_name);

	if (!ret)
		ret = name_of(why, to, &record->to_name);
	if (!ret && event->stack != KCATCH_STACK_ABSENT)
		stack = recorded_stacks_add(&why->stacks, report, event);
	if (ret || stack < 0)
		return ret ? ret : (int)stack;
	record->time_ns = event->time_ns;
	record->cpu = event->cpu;
	record->from = event->tid;
	record->stack = (uint32_t)stack;
	record->context = event->context;
	return thread_states_add(&why->states, record);
}

static bool read_prio(struct report *report, const struct kcatch_event *event, const char *name,
		      int16_t *prio)
{
	const struct kcatch_value *value = sched_event_arg(report, event, name);

	if (!value || value->kind != KCATCH_VALUE_INTEGER || value->fault)
		return false;
	*prio = (int16_t)value->number;
	return true;
}

static int take_switch(struct why *why, struct report *report, const struct kcatch_event *event)
{
	struct sched_record record = { .kind = SCHED_RECORD_SWITCH };
	char comm[SCHED_COMM];

	why->switches++;
	why->stackless += event->stack == KCATCH_STACK_ABSENT;
	if (!sched_event_task(report, event, "next", comm, &record.to) ||
	    !sched_event_arg(report, event, "prev_state")) {
		why->unreadable++;
		return 0;
	}
	record.preempted = sched_event_preempted(report, event);
	record.has_prio = read_prio(report, event, "next_prio", &record.prio);
	record.has_from_prio = read_prio(report, event, "prev_prio", &record.from_prio);
	return add_record(why, report, event, &record, comm);
}

static int take_waking(struct why *why, struct report *report, const struct kcatch_event *event,
		       enum sched_record_kind kind)
{
	struct sched_record record = { .kind = kind };
	char comm[SCHED_COMM];

	if (!sched_event_task(report, event, "", comm, &record.to))
		return 0;
	record.has_prio = read_prio(report, event, "prio", &record.prio);
	return add_record(why, report, event, &record, comm);
}

int why_take(struct why *why, struct report *report, const struct kcatch_event *event)
{
	switch (sched_event_of(report, event)) {
	case SCHED_SWITCH:
		return take_switch(why, report, event);
	case SCHED_WAKING:
		return take_waking(why, report, event, SCHED_RECORD_WAKING);
	case SCHED_WAKEUP:
	case SCHED_WAKEUP_NEW:
		return take_waking(why, report, event, SCHED_RECORD_WAKEUP);
	default:
		return block_requests_take(&why->blocks, report, event, &why->stacks);
	}
}

/* ---- calls -------------------------------------------------------------------------- */

static void free_call(struct why_call *call)
{
	free(call->function);
	free(call->name);
	free(call->returned);
	free(call->json);
	memset(call, 0, sizeof(*call));
}

static char *as_json(struct report *report, const struct kcatch_event *event)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	int ret;

	if (!out)
		return NULL;
	fputs("\"call\":", out);
	ret = render_json.event(out, report->session, event, &report->options->view);
	if (fclose(out) || ret) {
		free(text);
		return NULL;
	}
	if (length && text[length - 1] == '\n')
		text[length - 1] = '\0';
	return text;
}

static char *returned_text(struct report *report, const struct kcatch_event *event)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	int ret = out ? report_print_return(out, report, event) : -ENOMEM;

	if (!out || fclose(out) || ret) {
		free(text);
		return NULL;
	}
	return text;
}

static int fill(struct report *report, const struct kcatch_event *event, struct why_call *call)
{
	const struct kcatch_probe *probe;
	char name[600];

	call->from_ns = event->time_ns;
	call->latency_ns = event->latency_ns;
	call->cpu = event->cpu;
	call->pid = event->pid;
	call->tid = event->tid;
	memcpy(call->comm, event->comm, sizeof(call->comm));
	call->name = strdup(report_event_name(report, event->probe, name, sizeof(name)));
	if (!kcatch_session_probe(report->session, event->probe, &probe) && probe->function)
		call->function = strdup(probe->function);
	else
		call->function = strdup("");
	call->returned = returned_text(report, event);
	if (report->options->json)
		call->json = as_json(report, event);
	if (!call->name || !call->function || !call->returned ||
	    (report->options->json && !call->json)) {
		free_call(call);
		return kcatch_error_memory();
	}
	return 0;
}

/* Of calls that took the same time the first ones. */
static int take_call(struct why *why, struct report *report, const struct kcatch_event *event)
{
	size_t at = why->nr;
	struct why_call call = { .name = NULL };
	int ret;

	why->passed++;
	while (at && why->calls[at - 1].latency_ns < event->latency_ns)
		at--;
	if (at >= why->most)
		return 0;
	ret = fill(report, event, &call);
	if (ret)
		return ret;
	if (why->nr == why->most)
		free_call(&why->calls[--why->nr]);
	memmove(&why->calls[at + 1], &why->calls[at], (why->nr - at) * sizeof(call));
	why->calls[at] = call;
	why->nr++;
	return 0;
}

int why_take_call(struct why *why, struct report *report, const struct kcatch_event *event)
{
	if (event->is_event || event->returned == KCATCH_RETURN_NOT_ASKED)
		return 0;
	if (event->returned == KCATCH_RETURN_SEEN)
		return take_call(why, report, event);
	why->pending++;
	return 0;
}

/* ---- the end ------------------------------------------------------------------------ */

static bool is_block_end(const struct kcatch_probe *probe)
{
	enum block_event event = block_event_of_probe(probe);

	return event == BLOCK_RQ_COMPLETE || event == BLOCK_BIO_COMPLETE;
}

/* What the counters say of the events that are not in the recording. */
static int look_for_gaps(struct why *why, struct report *report)
{
	size_t nr = kcatch_session_nr_probes(report->session), i;
	const struct kcatch_probe *probe;
	struct kcatch_totals totals;
	int ret;

	for (i = 0; i < nr; i++) {
		if (kcatch_session_probe(report->session, (uint32_t)i, &probe) ||
		    (sched_event_of_probe(probe) == SCHED_OTHER && !is_block_end(probe)))
			continue;
		ret = kcatch_session_probe_totals(report->session, (uint32_t)i, &totals);
		if (ret)
			return ret;
		if (is_block_end(probe)) {
			why->lost_blocks += totals.lost + totals.missed;
			continue;
		}
		why->lost += totals.lost + totals.missed;
		if (sched_event_of_probe(probe) != SCHED_SWITCH)
			continue;
		why->states.partial |= totals.filtered != 0;
	}
	return 0;
}

int why_finish(struct why *why, struct report *report)
{
	int ret = look_for_gaps(why, report);

	why->states.in_call = sched_events_in_call(report);
	return ret ? ret : thread_states_finish(&why->states);
}

void why_destroy(struct why *why)
{
	size_t i;

	if (!why)
		return;
	for (i = 0; i < why->nr; i++)
		free_call(&why->calls[i]);
	free(why->calls);
	thread_states_deinit(&why->states);
	block_requests_deinit(&why->blocks);
	recorded_stacks_deinit(&why->stacks);
	free(why);
}
