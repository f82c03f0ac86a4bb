/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events: what a hook that is called with arguments (a tracepoint) or with a payload
 * that is ready (DO_TRACE) does with them. The counterpart of hit.h, in the same two
 * ways; without a stack the record is a struct kcatch_event_record, with one an ENTRY.
 *
 * Objects that have this in them belong to the hot ones of Kbuild.
 */
#ifndef _KCATCH_EMIT_H
#define _KCATCH_EMIT_H

#include "hit.h"

/* Most bytes of a payload. */
#define KCATCH_PAYLOAD_MAX	KCATCH_DATA_MAX

/* @size of kcatch_emit_any() when @data are arguments. */
#define KCATCH_EMIT_ARGS	(~0U)

/**
 * kcatch_emit_any() - an event, the whole way
 * @site: which
 * @data: payload, or arguments
 * @size: of the payload, or KCATCH_EMIT_ARGS
 * @frame: of the hook
 * @where: kcatch_where_quick(); KCATCH_EMIT_ODD when kcatch_guard_enter_quick() did not enter
 *
 * Context: any, inside a hook; leaves the guard.
 */
void kcatch_emit_any(const struct kcatch_site *site, const void *data, u32 size,
		     const unsigned long *frame, u32 where);

#define KCATCH_EMIT_ODD		(~0U)

/**
 * kcatch_emit_inside() - an event that is at a place inside a function
 * @site: which
 * @args: what conditions see as arguments, KCATCH_ARGS words
 * @data: bytes that become the record's data
 * @size: how many, a multiple of 8
 * @regs: all registers there
 * @where: kcatch_where_pack()
 *
 * Context: any, inside a hook; leaves the guard.
 */
void kcatch_emit_inside(const struct kcatch_site *site, const u64 *args, const void *data,
			u32 size, struct pt_regs *regs, u32 where);

/**
 * kcatch_emit_arguments() - a tracepoint was hit: what its hook does not do itself
 * @site: which
 * @args: KCATCH_ARGS words, argument n at kcatch_args_place(n)
 * @frame: of the hook, the function that was called at the event: BP of its caller, the
 *	return address, then what it was given on the stack. @frame[2] is the sixth
 *	argument of a tracepoint; STEP_STACK begins at the one after it
 * @busy: of kcatch_guard_enter_quick(), which is left; with KCATCH_BUSY_ODD: it did not
 *	enter
 *
 * What is recorded is the entry list of the probe's program; a record without items
 * where there is none.
 *
 * Context: any, NMI too; the caller sees to it that @site stays.
 */
#define KCATCH_BUSY_ODD		(1U << 31)
#define KCATCH_BUSY_RETREAT	(1U << 30)
void kcatch_emit_arguments(const struct kcatch_site *site, const u64 *args,
			   const unsigned long *frame, u32 busy);

/**
 * kcatch_emit_two() - the same where nothing of the event is needed but two arguments
 * @probe: passed its gate; without a stack or a condition
 * @a0: the first
 * @a1: the second
 * @busy: of the guard, which is left; with KCATCH_BUSY_RETREAT: KCATCH_QUICK_RETREAT was
 *	met
 */
void kcatch_emit_two(const struct kcatch_probe *probe, u64 a0, u64 a1, u32 busy);

/** kcatch_emit_two_refetch() - kcatch_emit_refetch() of such a one */
void kcatch_emit_two_refetch(const struct kcatch_probe *probe, u64 a0, u64 a1, u32 busy,
			     struct kcatch_event_record *record);

/** kcatch_emit_refetch() - the end of a quick event some of whose data is not easily had;
 * leaves the guard */
void kcatch_emit_refetch(const struct kcatch_probe *probe, const u64 *args,
			 const unsigned long *frame, u32 busy, struct kcatch_event_record *record);

/** kcatch_emit_retreat() - a payload, after KCATCH_QUICK_RETREAT */
void kcatch_emit_retreat(const struct kcatch_site *site, const void *data, u32 size,
			 const unsigned long *frame, u32 busy, struct kcatch_ring *ring);

/* The part that all records of events have, their size and time apart. */
static __always_inline struct kcatch_event_record *
kcatch_emit_head(struct kcatch_record *head, const struct kcatch_probe *probe, u32 kind)
{
	struct kcatch_event_record *record = (void *)head;

	record->head.id = kind | probe->id;
	kcatch_ids_fill(&record->pid, &record->tid);
	return record;
}

/**
 * kcatch_emit_payload() - a DO_TRACE event
 * @site: which
 * @data: bytes that become the record's data
 * @bytes: how many, a multiple of 8, at most KCATCH_PAYLOAD_MAX
 *
 * This becomes part of the function that the module with the event called. Of a program
 * the conditions count alone; they see the first 48 bytes of the payload as arguments,
 * zeros behind its end. In the cold parts things are found out again: registers are few.
 *
 * Context: as kcatch_emit_arguments().
 */
static __always_inline void kcatch_emit_payload(const struct kcatch_site *site,
						const void *data, unsigned long bytes)
{
	const unsigned long size = sizeof(struct kcatch_event_record) + bytes;
	struct kcatch_event_record *record;
	const struct kcatch_probe *probe;
	struct kcatch_record *head;
	struct kcatch_ring *ring;
	u32 context, busy, mode;
	enum kcatch_gate gate;
	const u64 *from = data;
	u64 *to, *end;

	if (unlikely(!kcatch_guard_enter_quick(&context, &busy))) {
		kcatch_emit_any(site, data, size - sizeof(*record), __builtin_frame_address(0),
				KCATCH_EMIT_ODD);
		goto out;
	}
	gate = kcatch_hit_begin(site, busy, &probe, &mode);
	if (gate == KCATCH_GATE_REFUSED)
		return;
	if (unlikely(gate == KCATCH_GATE_ANY))
		goto any;
	if (unlikely(mode != (KCATCH_GROUP_LIVE | KCATCH_GROUP_NO_STACK)) ||
	    (unlikely(probe->program) && READ_ONCE(probe->program)->needs))
		goto any;
	ring = this_cpu_ptr(probe->group->ring);
	switch (kcatch_record_reserve_quick(ring, size, &head)) {
	case KCATCH_QUICK_RETREAT:
		kcatch_emit_retreat(site, data, size - sizeof(*record),
				    __builtin_frame_address(0), busy, ring);
		goto out;
	case KCATCH_QUICK_NOT:
		goto any;
	case KCATCH_QUICK_DONE:
		break;
	}
	record = kcatch_emit_head(head, probe, KCATCH_RECORD_EVENT);
	to = (void *)record->data;
	end = (void *)record + size;
	while (to < end)
		*to++ = *from++;
	kcatch_hit_quick_end(probe, ring, busy);
	return;
any:
	context = kcatch_context_of(preempt_count());
	kcatch_emit_any(site, data, size - sizeof(*record), __builtin_frame_address(0),
			kcatch_where_quick(context, busy));
out:
	/* Not the hook's last call, for its frame is looked at. */
	barrier();
}

/** kcatch_emit_payload_from() - the same, from elsewhere; @frame: of the function that
 * the module with the event called */
static __always_inline void kcatch_emit_payload_from(const struct kcatch_site *site,
						     const void *data, u32 size,
						     const unsigned long *frame)
{
	preempt_disable_notrace();
	kcatch_emit_any(site, data, size, frame, KCATCH_EMIT_ODD);
}

#endif
