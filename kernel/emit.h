/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way of a hit of a tracepoint or a DO_TRACE event: as that of a call (hit.h), but
 * for what is recorded.
 */
#ifndef _KCATCH_EMIT_H
#define _KCATCH_EMIT_H

#include "fetch.h"
#include "hit.h"

/* Argument registers in the order of struct pt_regs, from r9 to di. */
#define KCATCH_ARGS	7

static __always_inline u32 kcatch_args_place(u32 argument)
{
	const u8 places[] = { 6, 5, 4, 3, 1, 0 };

	return places[argument];
}

/* One record: @data of @size, a multiple of 8. */
static __always_inline void kcatch_emit_record(const struct kcatch_probe *probe,
					       const struct kcatch_place place,
					       const struct kcatch_site *site,
					       const struct kcatch_fetch *fetch, bool marked)
{
	struct kcatch_group *group = probe->group;
	struct kcatch_ring *ring = this_cpu_ptr(group->ring);
	enum kcatch_record_result result = KCATCH_RECORD_LOST;
	const struct task_struct *task = current;
	u32 mode = READ_ONCE(group->mode), extra = marked ? 16 : 0;
	struct kcatch_event_record *record;
	struct kcatch_call_part *part;
	struct kcatch_stack stack;
	u32 walked = 0;
	s64 left = 1;
	u64 time;

	if (mode & KCATCH_GROUP_LIMITED) {
		left = atomic64_dec_if_positive(&group->left);
		if (left < 0) {
			this_cpu_inc(probe->counters->over_budget);
			return;
		}
	}
	if (!ring->data)
		goto done;
	if (mode & KCATCH_GROUP_NO_STACK) {
		record = (void *)kcatch_ring_reserve(ring, sizeof(*record) + extra + fetch->size);
		if (!record)
			goto done;
		record->head.id = KCATCH_RECORD_ID(marked ? KCATCH_RECORD_MARKED :
						   KCATCH_RECORD_EVENT, probe->number);
		record->pid = task->tgid;
		record->tid = task->pid;
		if (marked) {
			((u64 *)record->data)[0] = fetch->faults;
			((u64 *)record->data)[1] = fetch->cut;
		}
		memcpy(record->data + extra, fetch->to, fetch->size);
	} else {
		struct kcatch_call call = {
			.probe = probe->number, .context = kcatch_hit_context(place),
			.pid = task->tgid, .tid = task->pid, .comm = task->comm,
			.stack = kcatch_hit_stack(place, group, &stack, &walked),
		};

		if (stack.nr && stack.frames[0] - site->skip < site->skip_size) {
			stack.frames++;
			stack.nr--;
		}
		part = kcatch_record_begin(ring, KCATCH_RECORD_ENTRY, &call, fetch->size, &time);
		if (!part)
			goto done;
		memset(part, 0, sizeof(*part));
		part->faults[0] = fetch->faults;
		part->cut[0] = fetch->cut;
		part->size[0] = fetch->size;
		memcpy(part->data, fetch->to, fetch->size);
	}
	result = kcatch_ring_commit(ring) ? KCATCH_RECORD_WAKE : KCATCH_RECORD_DONE;
done:
	kcatch_hit_done(probe, mode, left, result);
}

static __always_inline bool kcatch_emit_may_fault(const struct kcatch_steps *steps)
{
	u32 i;

	for (i = 0; i < steps->nr; i++)
		if (steps->steps[i].op != KCATCH_STEP_ARG && steps->steps[i].op != KCATCH_STEP_TASK &&
		    steps->steps[i].op != KCATCH_STEP_ADD && steps->steps[i].op != KCATCH_STEP_PUT)
			return true;
	return false;
}

static __always_inline void kcatch_emit_hit(const struct kcatch_site *site, struct pt_regs *regs,
					    const unsigned long *frame, unsigned long hook,
					    const void *data, u32 size)
{
	const struct kcatch_probe *probe;
	struct kcatch_guard guard;
	struct kcatch_place place;

	kcatch_guard_enter(&guard);
	place = (struct kcatch_place) {
		.ip = hook, .caller = frame[1], .regs = regs, .level = guard.level,
		.context = guard.context,
	};
	regs->sp = (unsigned long)(frame + 1);
	regs->bp = frame[0];
	hlist_for_each_entry_rcu_notrace(probe, &site->probes, at_site) {
		struct kcatch_group *group = probe->group;
		u32 mode = READ_ONCE(group->mode);
		struct kcatch_fetch fetch = { .to = (void *)data, .size = size };
		u8 room[KCATCH_DATA_MAX];
		bool marked = false;

		if (!(mode & KCATCH_GROUP_LIVE))
			continue;
		this_cpu_inc(probe->counters->hits);
		if (guard.level == KCATCH_LEVEL_REFUSED) {
			this_cpu_inc(probe->counters->missed);
			continue;
		}
		if ((mode & KCATCH_GROUP_LIMITED) && atomic64_read(&group->left) <= 0) {
			this_cpu_inc(probe->counters->over_budget);
			continue;
		}
		if (((mode & KCATCH_GROUP_GATED) && kcatch_gate_refuses(group, place.context)) ||
		    (probe->program && probe->program->needs &&
		     kcatch_call_refused(probe->program, regs, place.level))) {
			this_cpu_inc(probe->counters->filtered);
			continue;
		}
		if (probe->program && !data) {
			fetch.regs = regs;
			fetch.to = room;
			kcatch_fetch_run(&probe->program->entry, &fetch);
			marked = kcatch_emit_may_fault(&probe->program->entry);
		}
		kcatch_emit_record(probe, place, site, &fetch, marked);
	}
	kcatch_guard_leave(&guard);
}

/**
 * kcatch_emit_arguments() - a tracepoint was hit
 * @site: its site
 * @args: its arguments, at kcatch_args_place()
 * @frame: the hook's frame: caller's BP, return address, stack arguments
 * @hook: the hook's address
 */
static __always_inline void kcatch_emit_arguments(const struct kcatch_site *site,
						  const u64 args[KCATCH_ARGS],
						  const unsigned long *frame, unsigned long hook)
{
	struct pt_regs regs;

	regs.di = args[6];
	regs.si = args[5];
	regs.dx = args[4];
	regs.cx = args[3];
	regs.r8 = args[1];
	regs.r9 = args[0];
	kcatch_emit_hit(site, &regs, frame, hook, NULL, 0);
}

/**
 * kcatch_emit_payload() - a DO_TRACE event was hit
 * @data: its payload
 * @size: bytes, a multiple of 8
 */
static __always_inline void kcatch_emit_payload(const struct kcatch_site *site, const void *data,
						u32 size, const unsigned long *frame,
						unsigned long hook)
{
	struct pt_regs regs;
	u64 args[6] = { 0 };

	memcpy(args, data, min_t(u32, size, sizeof(args)));
	regs.di = args[0];
	regs.si = args[1];
	regs.dx = args[2];
	regs.cx = args[3];
	regs.r8 = args[4];
	regs.r9 = args[5];
	kcatch_emit_hit(site, &regs, frame, hook, data, size);
}

#endif
