/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events: records of hooks that are called with arguments (tracepoints) or with a finished
 * payload (DO_TRACE). The counterpart of hit.h, with the same fast path and slow path.
 * Without a stack the record is a struct kcatch_event_record, with a stack an ENTRY.
 *
 * Objects that include this header are among the hot objects of Kbuild.
 */
#ifndef _KCATCH_EMIT_H
#define _KCATCH_EMIT_H

#include "hit/hit.h"

/* Largest payload in bytes. */
#define KCATCH_PAYLOAD_MAX	KCATCH_DATA_MAX

/* @size of kcatch_emit_slow() when @data are arguments. */
#define KCATCH_EMIT_ARGS	(~0U)

/**
 * kcatch_emit_slow() - the slow path: record an event for every probe of a site
 * @site: site of the event
 * @data: payload, or arguments
 * @size: bytes of the payload, or KCATCH_EMIT_ARGS
 * @frame: frame address of the hook
 * @where: kcatch_where_fast(); KCATCH_EMIT_ODD when kcatch_guard_enter_fast() did not enter
 *
 * Context: any, inside a hook; leaves the guard.
 */
void kcatch_emit_slow(const struct kcatch_site *site, const void *data, u32 size,
		     const unsigned long *frame, u32 where);

#define KCATCH_EMIT_ODD		(~0U)

/**
 * kcatch_emit_inside() - record an event at a place inside a function
 * @site: site of the event
 * @args: KCATCH_ARGS words that conditions read as arguments
 * @data: the record's data
 * @size: bytes of @data, a multiple of 8
 * @regs: all registers at that place
 * @where: from kcatch_where_pack()
 *
 * Context: any, inside a hook; leaves the guard.
 */
void kcatch_emit_inside(const struct kcatch_site *site, const u64 *args, const void *data,
			u32 size, struct pt_regs *regs, u32 where);

/**
 * kcatch_emit_return() - record an event at the return of a function
 * @site: site of the event
 * @data: the record's data, which conditions read as kcatch_emit_payload() says
 * @size: bytes of @data, a multiple of 8, at most KCATCH_PAYLOAD_MAX
 * @instance: the hooked return: the stack begins with the function's caller
 * @regs: registers at the return
 *
 * Context: as kcatch_emit_arguments().
 */
void kcatch_emit_return(const struct kcatch_site *site, const void *data, u32 size,
			struct kretprobe_instance *instance, const struct pt_regs *regs);

/**
 * kcatch_emit_arguments() - record a hit of a tracepoint that its hook leaves to others
 * @site: site of the tracepoint
 * @args: KCATCH_ARGS words, argument n at kcatch_args_place(n)
 * @frame: frame address of the hook, the function called at the event: the caller's BP, the
 *	return address, then the arguments on the stack. @frame[2] is the sixth argument of a
 *	tracepoint; STEP_STACK begins with the seventh
 * @busy: from kcatch_guard_enter_fast(), whose guard is left; with KCATCH_BUSY_ODD: it did
 *	not enter
 *
 * Records the entry list of the probe's program; without a program, a record without items.
 *
 * Context: any, NMI too; the caller ensures that @site stays.
 */
#define KCATCH_BUSY_ODD		(1U << 31)
void kcatch_emit_arguments(const struct kcatch_site *site, const u64 *args,
			   const unsigned long *frame, u32 busy);

/* Enters the guard alone in the hook of a tracepoint. Where the kernel has turned preemption off,
 * that is not done again: then kcatch_emit_stay() has to be called before anything that leaves the
 * guard but kcatch_emit_leave(). */
static __always_inline bool kcatch_emit_enter(void)
{
	u32 context;

#ifdef KCATCH_HAVE_TRACEPOINTS_OFF
	kcatch_assert(!preemptible());
	return kcatch_guard_enter_off(&context);
#else
	return kcatch_guard_enter_alone(&context);
#endif
}

static __always_inline void kcatch_emit_stay(void)
{
#ifdef KCATCH_HAVE_TRACEPOINTS_OFF
	preempt_disable_notrace();
#endif
}

static __always_inline void kcatch_emit_leave(void)
{
#ifdef KCATCH_HAVE_TRACEPOINTS_OFF
	kcatch_guard_leave_off();
#else
	kcatch_guard_leave_fast(0);
#endif
}

/**
 * kcatch_emit_end() - end a hit after kcatch_emit_enter(): count its record, publish it, leave
 *
 * Context: any, inside a hook.
 */
static __always_inline void kcatch_emit_end(const struct kcatch_probe *probe,
					    struct kcatch_ring *ring)
{
	this_cpu_inc(probe->counters->recorded);
	if (unlikely(!kcatch_hit_publish(ring))) {
		kcatch_emit_stay();
		kcatch_hit_fast_rest(probe, 0);
	} else {
		kcatch_emit_leave();
	}
}

/** kcatch_emit_tail() - end a fast event of KCATCH_SHAPE_CALL, of which all but the item behind the
 * words has been fetched, and the marks are 0. @regs: argument 0. Context: as
 * kcatch_emit_refetch() */
void kcatch_emit_tail(const struct kcatch_probe *probe, u64 regs,
		      struct kcatch_event_record *record);

/** kcatch_emit_refetch() - end a fast event whose data the quick reader could not fetch, or is
 * not for. Context: any, inside a hook; leaves the guard */
void kcatch_emit_refetch(const struct kcatch_probe *probe, const u64 *args,
			 const unsigned long *frame, u32 busy, struct kcatch_event_record *record);

/**
 * kcatch_emit_payload() - record a DO_TRACE event
 * @site: site of the event
 * @data: the record's data
 * @bytes: bytes of @data, a multiple of 8, at most KCATCH_PAYLOAD_MAX
 *
 * Inlined into the function that the module with the event called. Only the conditions of a
 * program apply; they read the first 48 bytes of the payload as arguments, with zeros after
 * its end. The cold parts compute values again, because registers are few.
 *
 * Context: as kcatch_emit_arguments().
 */
static __always_inline void kcatch_emit_payload(const struct kcatch_site *site,
						const void *data, unsigned long bytes)
{
	unsigned long size = sizeof(struct kcatch_event_record) + bytes;
	const struct kcatch_program_code *program;
	struct kcatch_event_record *record;
	const struct kcatch_probe *probe;
	struct kcatch_ring *ring;
	u32 context, busy, mode;
	enum kcatch_gate gate;
	const u64 *from = data;
	u64 *to, *end;

	/* Otherwise a second register holds @bytes. */
	OPTIMIZER_HIDE_VAR(size);
	if (unlikely(!kcatch_guard_enter_fast(&context, &busy))) {
		kcatch_emit_slow(site, data, size - sizeof(*record), __builtin_frame_address(0),
				KCATCH_EMIT_ODD);
		goto out;
	}
	gate = kcatch_hit_begin(site, busy, &probe, &mode);
	if (gate == KCATCH_GATE_REFUSED)
		return;
	if (unlikely(gate == KCATCH_GATE_ANY))
		goto any;
	program = READ_ONCE(probe->program);
	if (unlikely(!(mode & KCATCH_GROUP_NO_STACK) || (program && program->needs)))
		goto any;
	ring = this_cpu_ptr(probe->group->ring);
	record = kcatch_record_named(ring, KCATCH_RECORD_EVENT | probe->id, size, true);
	if (unlikely(!record))
		goto any;
	to = (void *)record->data;
	end = (void *)record + size;
	while (to < end)
		*to++ = *from++;
	kcatch_hit_fast_end(probe, ring, busy);
	return;
any:
	context = kcatch_context_of(preempt_count());
	kcatch_emit_slow(site, data, size - sizeof(*record), __builtin_frame_address(0),
			kcatch_where_fast(context, busy));
out:
	/* No tail call: kcatch_emit_slow() reads the hook's frame. */
	barrier();
}

#endif
