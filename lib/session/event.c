/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * event.c - converts records of the ring buffers to events for the caller
 */
#include <errno.h>
#include <string.h>

#include <kcatch_text.h>
#include "fetch/decode_event.h"
#include "session/field_values.h"
#include "session/handle.h"
#include "session/late_plan.h"
#include "session/pairs.h"
#include "session/trace_events.h"
#include "session/wide_calls.h"

static uint64_t to_monotonic(struct kcatch_session *session, uint64_t time)
{
	if (session->info.clock == KCATCH_CLOCK_MONOTONIC)
		return time;
	return kcatch_anchors_monotonic(&session->anchors, session->info.clock_khz, time);
}

/* Of events that come in order: a new anchor may be some nanoseconds off the old one. */
static uint64_t in_order(struct kcatch_session *session, uint64_t ns)
{
	if (ns < session->last_ns && session->last_ns - ns < 100000)
		ns = session->last_ns;
	session->last_ns = ns;
	return ns;
}

enum kcatch_event_stack kcatch_stack_state(uint16_t flags)
{
	if (flags & KCATCH_STACK_NONE)
		return KCATCH_STACK_ABSENT;
	if (flags & KCATCH_STACK_BROKEN)
		return KCATCH_STACK_LOST_TRACK;
	if (flags & KCATCH_STACK_DEPTH)
		return KCATCH_STACK_CUT;
	/* No word on how it ended: do not claim what is not known. */
	return flags & KCATCH_STACK_COMPLETE ? KCATCH_STACK_WHOLE : KCATCH_STACK_LOST_TRACK;
}

static void fill_hit(struct kcatch_session *session, const struct kcatch_hit *hit, uint32_t cpu)
{
	struct kcatch_event *event = &session->view.event;

	memset(event, 0, sizeof(*event));
	event->probe = KCATCH_RECORD_PROBE(hit->head.id);
	event->cpu = cpu;
	event->pid = hit->pid;
	event->tid = hit->tid;
	memcpy(event->comm, hit->comm, sizeof(event->comm));
	event->comm[sizeof(event->comm) - 1] = '\0';
	event->context = (enum kcatch_event_context)(hit->context & KCATCH_CONTEXT_MASK);
	event->irqs_off = hit->context & KCATCH_CONTEXT_IRQS_OFF;
	event->stack = kcatch_stack_state(hit->stack_flags);
	event->nr_frames = event->stack == KCATCH_STACK_ABSENT ? 0 : hit->nr_frames;
	event->nr_user_frames = -1;
	session->view.hit = hit;
	session->view.then = hit->head.time;
}

/* A call did not return in time: was it lost? Only the counters may tell. */
static enum kcatch_event_return what_came(struct kcatch_session *session, uint32_t probe)
{
	struct kcatch_probe_slot *slot = session->slots[probe];
	struct kcatch_totals totals;

	/* Apart: those of a recording are the slot's own. */
	if (!session->running && !slot->counted &&
	    !kcatch_session_probe_totals(session, probe, &totals)) {
		slot->totals = totals;
		slot->counted = true;
	}
	if (!session->running && slot->counted && slot->totals.return_lost &&
	    !slot->totals.in_flight)
		return KCATCH_RETURN_LOST;
	return KCATCH_RETURN_PENDING;
}

static struct kcatch_probe_slot *slot_of_call(const struct kcatch_session *session,
					      const struct kcatch_call *call)
{
	return session->slots[KCATCH_RECORD_PROBE(call->hit->head.id)];
}

/* Of the second event of a pair. */
static void fill_latency(struct kcatch_session *session, const struct kcatch_plan *plan,
			 const uint8_t *data, size_t size)
{
	struct kcatch_event *event = &session->view.event;

	if (kcatch_plan_latency(plan, data, size, &event->latency_ns))
		event->first = kcatch_pairs_first(session->pair);
}

/* A damaged record's parts may be longer than the whole. */
static void fill_off_cpu(struct kcatch_event *event, const struct kcatch_call *call)
{
	if ((call->returned != KCATCH_RETURN_SEEN && call->returned != KCATCH_RETURN_UNDER_WAY) ||
	    call->switches == KCATCH_SWITCHES_UNKNOWN ||
	    call->runnable > call->latency || call->blocked > call->latency - call->runnable ||
	    call->away > call->latency - call->runnable - call->blocked)
		return;
	event->off_cpu_known = true;
	event->switches = call->switches;
	event->runnable_ns = call->runnable;
	event->blocked_ns = call->blocked;
	event->away_ns = call->away;
	event->oncpu_ns = call->latency - call->runnable - call->blocked - call->away;
}

static void fill_call(struct kcatch_session *session, const struct kcatch_call *call)
{
	const struct kcatch_plan *plan = slot_of_call(session, call)->plan;
	struct kcatch_event *event = &session->view.event;

	fill_hit(session, call->hit, call->cpu);
	event->time_ns = to_monotonic(session, call->entry_time);
	session->view.then = call->entry_time;
	if (call->number && call->returned != KCATCH_RETURN_SEEN)
		slot_of_call(session, call)->unreturned++;
	event->returned = call->returned == KCATCH_RETURN_PENDING ?
				  what_came(session, KCATCH_RECORD_PROBE(call->hit->head.id)) :
				  call->returned;
	event->ret = call->ret;
	event->latency_ns = call->latency;
	fill_off_cpu(event, call);
	event->call = call->id;
	event->parent = call->parent;
	event->level = call->level;
	if (plan && kcatch_call_part(call->hit)) {
		const struct kcatch_call_part *part = kcatch_call_part(call->hit);

		event->cgroup = kcatch_plan_cgroup(plan, part->data, part->size[0]);
		fill_latency(session, plan, part->data, part->size[0]);
		event->typed = kcatch_plan_is_typed(plan);
		event->nr_args = kcatch_plan_nr_args(plan) +
				 kcatch_session_nr_fields(session, event->probe);
	}
}

/* A tracepoint or a DO_TRACE event. False: damaged. */
static bool fill_event(struct kcatch_session *session, const struct kcatch_record *record,
		       uint32_t cpu)
{
	struct kcatch_probe_slot *slot = session->slots[KCATCH_RECORD_PROBE(record->id)];
	const struct kcatch_event_record *compact = (const void *)record;
	struct kcatch_event *event = &session->view.event;
	const uint8_t *data;
	uint64_t faults, cut;
	uint32_t size;

	if (KCATCH_RECORD_KIND(record->id) == KCATCH_RECORD_ENTRY) {
		fill_hit(session, (const struct kcatch_hit *)record, cpu);
	} else {
		memset(event, 0, sizeof(*event));
		event->probe = KCATCH_RECORD_PROBE(record->id);
		event->cpu = cpu;
		event->pid = compact->pid;
		event->tid = compact->tid;
		memcpy(event->comm, compact->comm, sizeof(event->comm) - 1);
		event->stack = KCATCH_STACK_ABSENT;
		event->nr_user_frames = -1;
	}
	data = kcatch_event_data(record, &size, &faults, &cut);
	if (!data)
		return false;
	event->is_event = true;
	session->view.then = record->time;
	event->time_ns = in_order(session, to_monotonic(session, record->time));
	event->typed = slot->info || (slot->plan && kcatch_plan_is_typed(slot->plan));
	event->nr_args = slot->info ? slot->info->nr_args :
			 slot->plan ? kcatch_plan_nr_args(slot->plan) +
					      kcatch_session_nr_fields(session, event->probe) :
				      0;
	event->cgroup = kcatch_plan_cgroup(slot->plan, data, size);
	fill_latency(session, slot->plan, data, size);
	session->view.is_wide_call = kcatch_wide_calls_see(session, slot, event->tid, data, size);
	session->view.record = record;
	return true;
}

static bool is_event_record(struct kcatch_session *session, uint32_t kind, uint32_t probe)
{
	return kind == KCATCH_RECORD_EVENT || kind == KCATCH_RECORD_MARKED ||
	       (kind == KCATCH_RECORD_ENTRY && kcatch_event_slot(session->slots[probe]));
}

static int begin_pass(struct kcatch_session *session)
{
	int ret = 0;

	if (!session->calls)
		ret = kcatch_calls_create((uint64_t)session->info.clock_khz * 1000,
					  &session->calls);
	/* Another module may be at an address by now, and nobody tells. */
	kcatch_symbols_forget_modules(session->symbols);
	return ret ? ret : session->kind->begin(session);
}

static int end_pass(struct kcatch_session *session)
{
	session->in_pass = false;
	session->drains = true;
	if (session->running) {
		kcatch_lost_returns_end(session);
		kcatch_calls_end(session->calls, session->until);
		return 0;
	}
	return kcatch_calls_flush(session->calls);
}

/* Read up to the next event. 1: it is in @session->view.event or among the calls. */
static int read_on(struct kcatch_session *session)
{
	const struct kcatch_record *record;
	uint32_t cpu, probe, kind;
	int ret;

	while (!(ret = session->kind->next(session, &record, &cpu)) && record) {
		kind = KCATCH_RECORD_KIND(record->id);
		if (kind < KCATCH_RECORD_HIT || kind > KCATCH_RECORD_MARKED)
			continue;	/* of a later release */
		probe = KCATCH_RECORD_PROBE(record->id);
		if ((probe >= session->nr_slots || !kcatch_session_describes(session, probe)) &&
		    !session->kind->find_probe(session, probe))
			continue;
		if (is_event_record(session, kind, probe)) {
			if (!fill_event(session, record, cpu)) {
				session->damaged++;
				continue;
			}
			session->view.event.call = kcatch_calls_number(session->calls);
			return 1;
		}
		if (kind == KCATCH_RECORD_HIT && !session->pairs) {
			const struct kcatch_hit *hit = (const struct kcatch_hit *)record;

			fill_hit(session, hit, cpu);
			session->view.event.time_ns =
				in_order(session, to_monotonic(session, hit->head.time));
			session->view.event.call = kcatch_calls_number(session->calls);
			return 1;
		}
		session->kind->prepare(session, record);
		ret = kcatch_calls_take(session->calls, record, cpu,
					(session->slots[probe]->returns ? KCATCH_CALL_RETURNS : 0) |
					(session->nr_slots > 1 ? KCATCH_CALL_WAITS : 0) |
					(session->slots[probe]->inner ? KCATCH_CALL_INNER : 0));
		if (ret < 0)
			return ret;
		/* The entry may not have been written when the recorder was killed. */
		if (!session->partial)
			session->damaged += ret;
		session->kind->passed(session, record->time);
		session->view.call = kcatch_calls_next(session->calls);
		if (session->view.call)
			return 1;
	}
	return ret;
}

static int find_next(struct kcatch_session *session)
{
	int ret;

	if (session->calls)
		session->view.call = kcatch_calls_next(session->calls);
	if (session->view.call)
		return 1;
	if (session->drains) {
		session->drains = false;
		return 0;
	}
	if (!session->in_pass) {
		ret = begin_pass(session);
		if (ret)
			return ret;
		session->in_pass = true;
	}
	ret = read_on(session);
	if (ret)
		return ret;
	ret = end_pass(session);
	if (ret)
		return ret;
	session->view.call = kcatch_calls_next(session->calls);
	if (!session->view.call)
		session->drains = false;
	return session->view.call != NULL;
}

static void forget_event(struct kcatch_session *session)
{
	session->view.hit = NULL;
	session->view.then = 0;
	session->view.record = NULL;
	session->view.args = NULL;
	session->view.nr_frames = 0;
	kcatch_call_destroy(session->view.call);
	session->view.call = NULL;
}

/* Completes the event of @session->view. */
static int show_event(struct kcatch_session *session)
{
	int ret;

	if (session->view.call) {
		ret = kcatch_session_make_plan(
			session, KCATCH_RECORD_PROBE(session->view.call->hit->head.id));
		if (ret)
			return ret;
		fill_call(session, session->view.call);
	}
	ret = kcatch_session_show_frames(session);
	return ret ? ret : session->kind->complete(session);
}

int kcatch_session_next(struct kcatch_session *session, const struct kcatch_event **event)
{
	int ret;

	forget_event(session);
	*event = NULL;
	ret = find_next(session);
	if (ret <= 0)
		return ret;
	ret = show_event(session);
	if (ret)
		return ret;
	*event = &session->view.event;
	return 1;
}

int kcatch_session_show_call(struct kcatch_session *session, struct kcatch_call *call,
			     const struct kcatch_event **event)
{
	int ret;

	forget_event(session);
	session->view.call = call;
	ret = show_event(session);
	*event = ret ? NULL : &session->view.event;
	return ret;
}

uint64_t kcatch_session_nr_damaged(const struct kcatch_session *session)
{
	return session->damaged + session->kind->damaged(session);
}

int kcatch_session_frozen(struct kcatch_session *session, uint32_t *probe, uint64_t *time_ns)
{
	struct kcatch_status status;
	int ret;

	memset(&status, 0, sizeof(status));
	ret = kcatch_session_ioctl(session, KCATCH_IOC_STATUS, &status);
	if (ret)
		return kcatch_error_system(ret, "ask the kcatch module for its status");
	if (probe)
		*probe = status.frozen_probe;
	if (time_ns && status.frozen) {
		struct kcatch_anchor now;

		/* The session may have been opened days ago. */
		ret = kcatch_session_read_clock(session, &now);
		if (ret)
			return ret;
	}
	if (time_ns)
		*time_ns = status.frozen ? to_monotonic(session, status.frozen_at) : 0;
	return (int)status.frozen;
}
