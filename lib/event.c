/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * event.c - records of the rings become events for the caller
 */
#include <errno.h>
#include <string.h>

#include "error.h"
#include "session.h"

/* The clock now; takes it as the new anchor, for clocks of two kinds drift. */
static int read_clock(struct kcatch_session *session, uint64_t *now)
{
	struct kcatch_info info;
	int ret;

	memset(&info, 0, sizeof(info));
	ret = kcatch_session_call(session, KCATCH_IOC_INFO, &info);
	if (ret)
		return kcatch_error_system(ret, "ask the kcatch module for the time");
	session->clock_anchor = info.clock_now;
	session->monotonic_anchor = info.monotonic_now;
	*now = info.clock_now;
	return 0;
}

static uint64_t to_monotonic(struct kcatch_session *session, uint64_t time)
{
	__int128 ns;

	if (session->info.clock == KCATCH_CLOCK_MONOTONIC)
		return time;
	ns = (__int128)(int64_t)(time - session->clock_anchor) * 1000000;
	ns = ns / session->info.clock_khz + session->monotonic_anchor;
	if (ns < 0)
		ns = 0;
	/* A new anchor may be some nanoseconds off the old one. */
	if (ns < session->last_ns && session->last_ns - ns < 100000)
		ns = session->last_ns;
	session->last_ns = (uint64_t)ns;
	return session->last_ns;
}

static enum kcatch_event_stack stack_state(uint16_t flags)
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

static void fill_event(struct kcatch_session *session, const struct kcatch_hit *hit, uint32_t cpu)
{
	struct kcatch_event *event = &session->event;

	event->time_ns = to_monotonic(session, hit->head.time);
	event->probe = hit->probe;
	event->cpu = cpu;
	event->pid = hit->pid;
	event->tid = hit->tid;
	memcpy(event->comm, hit->comm, sizeof(event->comm));
	event->comm[sizeof(event->comm) - 1] = '\0';
	event->context = (enum kcatch_event_context)(hit->context & KCATCH_CONTEXT_MASK);
	event->irqs_off = hit->context & KCATCH_CONTEXT_IRQS_OFF;
	event->stack = stack_state(hit->stack_flags);
	event->nr_frames = event->stack == KCATCH_STACK_ABSENT ? 0 : hit->nr_frames;
	session->hit = hit;
}

static int begin_pass(struct kcatch_session *session)
{
	uint64_t until = UINT64_MAX;
	int ret;

	if (!session->reader) {
		if (!session->ring_size)
			return kcatch_error_set(EINVAL, "this session has no rings yet");
		ret = kcatch_ring_reader_create(session->fd, session->info.nr_cpus,
						session->ring_size, session->packet_size,
						&session->reader);
		if (ret)
			return ret;
	}
	if (session->running) {
		ret = read_clock(session, &until);
		if (ret)
			return ret;
	}
	return kcatch_ring_reader_begin(session->reader, until);
}

int kcatch_session_next(struct kcatch_session *session, const struct kcatch_event **event)
{
	const struct kcatch_record *record;
	uint32_t cpu;
	int ret;

	session->hit = NULL;
	*event = NULL;
	if (!session->in_pass) {
		ret = begin_pass(session);
		if (ret)
			return ret;
		session->in_pass = true;
	}
	while ((record = kcatch_ring_reader_next(session->reader, &cpu))) {
		const struct kcatch_hit *hit = (const struct kcatch_hit *)record;

		if (record->id != KCATCH_RECORD_HIT)
			continue;	/* of a later release */
		if (hit->probe >= session->nr_slots) {
			session->damaged++;
			continue;
		}
		fill_event(session, hit, cpu);
		*event = &session->event;
		return 1;
	}
	session->in_pass = false;
	return 0;
}

static bool is_interrupted(const struct kcatch_hit *hit, uint32_t index)
{
	size_t i;

	for (i = 0; i < sizeof(hit->interrupted); i++) {
		if (hit->interrupted[i] == index + 1)
			return true;
	}
	return false;
}

int kcatch_session_frame(struct kcatch_session *session, uint32_t index,
			 struct kcatch_frame *frame)
{
	struct kcatch_name name;
	uint64_t address;
	int ret;

	memset(frame, 0, sizeof(*frame));
	if (!session->hit || index >= session->event.nr_frames)
		return kcatch_error_set(ERANGE, "the event has no frame %u", index);
	address = session->hit->frames[index];
	if (address == KCATCH_FRAME_SELF) {
		frame->self = true;
		return 0;
	}
	frame->address = address;
	frame->interrupted = is_interrupted(session->hit, index);
	/* A call may be a function's last instruction: what it returns to is then
	 * the next function. */
	ret = kcatch_symbols_find(session->symbols, address - !frame->interrupted, &name);
	if (ret)
		return ret;
	if (name.symbol) {
		frame->symbol = name.symbol;
		frame->module = name.module;
		frame->offset = name.offset + !frame->interrupted;
	}
	return 0;
}

uint64_t kcatch_session_nr_damaged(const struct kcatch_session *session)
{
	return session->damaged + kcatch_ring_reader_damaged(session->reader);
}
