/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why_report.c - where the time of the slowest calls went: blocked on what and ended by whom, ready
 * to run, on the CPU
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

/* ---- what the recording has --------------------------------------------------------- */

/* A function of the recording whose calls were caught. */
static const char *caught_function(struct report *report)
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

static int refuse(struct report *report, const char *what)
{
	const char *function = caught_function(report);

	return kcatch_error_set(EINVAL,
				"--format why: the recording has no %s; record with "
				"kcatch record -f %s -e sched:sched_switch -e sched:sched_waking "
				"--stack -o DIR",
				what, function ? function : "FUNCTION");
}

static int why_begin(struct report *report)
{
	size_t nr = kcatch_session_nr_probes(report->session), i;
	bool has_switches = false, has_wakeups = false;
	const struct kcatch_probe *probe;
	struct why *why = calloc(1, sizeof(*why));

	report->state = why;
	if (!why)
		return kcatch_error_memory();
	why->calls = calloc(report->options->calls + 1, sizeof(*why->calls));
	if (!why->calls)
		return kcatch_error_memory();
	for (i = 0; i < nr; i++) {
		if (kcatch_session_probe(report->session, (uint32_t)i, &probe))
			continue;
		has_switches |= sched_event_of_probe(probe) == SCHED_SWITCH;
		why->has_wakings |= sched_event_of_probe(probe) == SCHED_WAKING;
		has_wakeups |= sched_event_of_probe(probe) == SCHED_WAKEUP;
	}
	if (!has_switches)
		return refuse(report, why->has_wakings || has_wakeups ?
					      "sched:sched_switch" :
					      "sched:sched_switch and no sched:sched_waking");
	if (!why->has_wakings && !has_wakeups)
		return refuse(report, "sched:sched_waking");
	return caught_function(report) ? 0 : refuse(report, "calls");
}

/* ---- records of the scheduler ------------------------------------------------------- */

/* The name of a thread; without a stack a record may lack that of the thread that made it. */
static int name_of(struct why *why, const char *comm, uint32_t *name)
{
	int64_t number = *comm ? thread_states_name(&why->states, comm) : THREAD_STATES_NONE;

	*name = (uint32_t)number;
	return number < 0 ? (int)number : 0;
}

static int add_record(struct report *report, const struct kcatch_event *event,
		      struct sched_record *record, const char *to)
{
	struct why *why = report->state;
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

static int take_switch(struct report *report, const struct kcatch_event *event)
{
	struct why *why = report->state;
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
	return add_record(report, event, &record, comm);
}

static int take_waking(struct report *report, const struct kcatch_event *event,
		       enum sched_record_kind kind)
{
	struct sched_record record = { .kind = kind };
	const struct kcatch_value *prio;
	char comm[SCHED_COMM];

	if (!sched_event_task(report, event, "", comm, &record.to))
		return 0;
	prio = sched_event_arg(report, event, "prio");
	record.has_prio = prio && prio->kind == KCATCH_VALUE_INTEGER && !prio->fault;
	record.prio = record.has_prio ? (int16_t)prio->number : 0;
	return add_record(report, event, &record, comm);
}

static int why_every(struct report *report, const struct kcatch_event *event)
{
	struct why *why = report->state;

	switch (sched_event_of(report, event)) {
	case SCHED_SWITCH:
		return take_switch(report, event);
	case SCHED_WAKING:
		return take_waking(report, event, SCHED_RECORD_WAKING);
	case SCHED_WAKEUP:
	case SCHED_WAKEUP_NEW:
		return take_waking(report, event, SCHED_RECORD_WAKEUP);
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
static int take_call(struct report *report, const struct kcatch_event *event)
{
	struct why *why = report->state;
	size_t at = why->nr;
	struct why_call call = { .name = NULL };
	int ret;

	why->passed++;
	while (at && why->calls[at - 1].latency_ns < event->latency_ns)
		at--;
	if (at >= report->options->calls)
		return 0;
	ret = fill(report, event, &call);
	if (ret)
		return ret;
	if (why->nr == report->options->calls)
		free_call(&why->calls[--why->nr]);
	memmove(&why->calls[at + 1], &why->calls[at], (why->nr - at) * sizeof(call));
	why->calls[at] = call;
	why->nr++;
	return 0;
}

static int why_event(struct report *report, const struct kcatch_event *event)
{
	struct why *why = report->state;

	if (event->is_event || event->returned == KCATCH_RETURN_NOT_ASKED)
		return 0;
	if (event->returned == KCATCH_RETURN_SEEN)
		return take_call(report, event);
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
static int look_for_gaps(struct report *report)
{
	size_t nr = kcatch_session_nr_probes(report->session), i;
	struct why *why = report->state;
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
		if (sched_event_of_probe(probe) == SCHED_SWITCH)
			why->states.partial |= totals.filtered != 0;
	}
	return 0;
}

static int write_calls(struct report *report)
{
	struct why *why = report->state;
	struct why_times times;
	size_t i;
	int ret = 0;

	for (i = 0; i < why->nr && !ret && !ferror(report->out); i++) {
		ret = why_times_find(why, &why->calls[i], report->options->chain, &times);
		if (!ret && i && !report->options->json)
			fputc('\n', report->out);
		if (!ret)
			ret = (report->options->json ? why_json_call : why_text_call)(
				report->out, why, &why->calls[i], &times);
		why_times_deinit(&times);
	}
	return ret;
}

static int why_end(struct report *report)
{
	struct why *why = report->state;
	int ret;

	report->reported = why->passed;
	if (!why->passed && why->pending)
		return kcatch_error_set(ENODATA,
					"--format why: %llu call%s had not returned when "
					"the recording ended, and no other passes",
					(unsigned long long)why->pending,
					why->pending == 1 ? "" : "s");
	if (!why->passed)
		return 0;
	if (why->switches && why->unreadable == why->switches)
		return refuse(report, "arguments of sched:sched_switch (--no-args)");
	ret = look_for_gaps(report);
	if (!ret)
		ret = thread_states_finish(&why->states);
	return ret ? ret : write_calls(report);
}

static void why_destroy(struct report *report)
{
	struct why *why = report->state;
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

const struct report_format report_why = {
	.name = "why",
	.description =
		"where the time of the slowest calls went, and who ended each of their sleeps",
	.begin = why_begin,
	.every = why_every,
	.event = why_event,
	.end = why_end,
	.destroy = why_destroy,
};
