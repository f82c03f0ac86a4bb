/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way of a hit, probe by probe: gate, budget, capture, commit. Runs in the
 * context that was hit, NMI too; never waits, never allocates. Each term of
 * the counters' equation is counted here, where it happens.
 *
 * In a header, as each mechanism's hook takes it in whole: a call less and
 * nothing passed through memory is a fifth of the cost of a hit.
 */
#ifndef _KCATCH_HIT_H
#define _KCATCH_HIT_H

#include <linux/rculist.h>
#include <linux/sched.h>
#include "call.h"
#include "context.h"
#include "freeze.h"
#include "hook.h"
#include "probe.h"
#include "program.h"
#include "record.h"
#include "session.h"
#include "stack.h"

/* Where the hit was. Apart from the stack, whose address goes out of line: so
 * this stays in registers. */
struct kcatch_place {
	unsigned long ip;
	unsigned long caller;
	struct pt_regs *regs;
	bool whole;		/* @regs are all there are: a place inside a function */
	int level;
	u32 context;
};

/* What is small of a place in one register, and back. */
static __always_inline u32 kcatch_place_pack(const struct kcatch_place place)
{
	return place.level | place.context << 8 | (u32)place.whole << 16;
}

static __always_inline struct kcatch_place kcatch_place_unpack(unsigned long ip,
							       unsigned long caller,
							       struct pt_regs *regs, u32 where)
{
	return (struct kcatch_place) {
		.ip = ip, .caller = caller, .regs = regs, .whole = where >> 16,
		.level = where & 255, .context = where >> 8 & 255,
	};
}

/* Half of the current command's name. No function is called for it: that one
 * may be hooked. */
static __always_inline u64 kcatch_comm_word(int half)
{
	u64 word;

	BUILD_BUG_ON(sizeof(current->comm) != 2 * sizeof(word));
	memcpy(&word, current->comm + half * sizeof(word), sizeof(word));
	return word;
}

static __always_inline bool kcatch_gate_refuses(const struct kcatch_group *group, u32 context)
{
	if (unlikely(group->flags & KCATCH_ADD_UNDER) && !kcatch_call_is_under(group, context))
		return true;
	if ((group->flags & KCATCH_ADD_PID) && current->tgid != group->tgid)
		return true;
	if ((group->flags & KCATCH_ADD_OTHERS) && current->tgid == group->adder)
		return true;
	return (group->flags & KCATCH_ADD_COMM) &&
	       (((kcatch_comm_word(0) ^ group->comm[0]) & group->comm_mask[0]) |
		((kcatch_comm_word(1) ^ group->comm[1]) & group->comm_mask[1]));
}

/* @walked: depth the stack was walked to before, for another probe; 0: not yet */
static __always_inline const struct kcatch_stack *
kcatch_hit_stack(const struct kcatch_place place, const struct kcatch_group *group,
		 struct kcatch_stack *stack, u32 *walked)
{
	if (group->mode & KCATCH_GROUP_NO_STACK)
		return &kcatch_no_stack;
	if (likely(*walked != group->depth)) {
		if (place.whole)
			kcatch_stack_walk_inside(stack, place.ip, place.regs, group->depth,
						 place.level);
		else
			kcatch_stack_walk_entry(stack, place.ip, place.caller, place.regs,
						group->depth, place.level);
		*walked = group->depth;
	}
	return stack;
}

static __always_inline u32 kcatch_hit_context(const struct kcatch_place place)
{
	bool off = place.whole ? !(place.regs->flags & X86_EFLAGS_IF) : irqs_disabled();

	return place.context | (off ? KCATCH_CONTEXT_IRQS_OFF : 0);
}

/* What became of a record: counted, and the reader told. */
static __always_inline void kcatch_hit_done(const struct kcatch_probe *probe, u32 mode, s64 left,
					    enum kcatch_record_result result)
{
	struct kcatch_group *group = probe->group;
	struct kcatch_ring *ring;

	if (unlikely(result == KCATCH_RECORD_LOST)) {
		ring = this_cpu_ptr(group->ring);
		if (ring->data && kcatch_ring_take_refused(ring))
			this_cpu_inc(probe->counters->over_budget);
		else
			this_cpu_inc(probe->counters->lost);
		if (ring->data && kcatch_ring_take_filled(ring))
			kcatch_session_wake(group->session, false);
		if (mode & KCATCH_GROUP_LIMITED) {
			atomic64_inc(&group->refunds);
			atomic64_inc(&group->left);
		}
		return;
	}
	this_cpu_inc(probe->counters->recorded);
	if (unlikely(result == KCATCH_RECORD_WAKE || !left ||
		     (mode & (KCATCH_GROUP_WAKE_EACH | KCATCH_GROUP_FREEZE)))) {
		if (mode & KCATCH_GROUP_FREEZE)
			kcatch_session_freeze(group->session, KCATCH_FROZEN_PROBE, probe->number);
		kcatch_session_wake(group->session, !left);
	}
}

static __always_inline void kcatch_hit_probe(const struct kcatch_probe *probe,
					     const struct kcatch_place place,
					     struct kcatch_stack *stack, u32 *walked)
{
	struct kcatch_group *group = probe->group;
	enum kcatch_record_result result = KCATCH_RECORD_LOST;
	u32 mode = READ_ONCE(group->mode);
	struct kcatch_ring *ring;
	s64 left = 1;

	if (unlikely(!(mode & KCATCH_GROUP_LIVE)))
		return;
	this_cpu_inc(probe->counters->hits);
	if (unlikely(place.level == KCATCH_LEVEL_REFUSED)) {
		this_cpu_inc(probe->counters->missed);
		return;
	}
	if (mode & (KCATCH_GROUP_LIMITED | KCATCH_GROUP_GATED | KCATCH_GROUP_FROZEN)) {
		if (mode & KCATCH_GROUP_FROZEN)
			goto over_budget;
		if ((mode & KCATCH_GROUP_LIMITED) && atomic64_read(&group->left) <= 0)
			goto over_budget;
		if ((mode & KCATCH_GROUP_GATED) && kcatch_gate_refuses(group, place.context)) {
			this_cpu_inc(probe->counters->filtered);
			return;
		}
	}
	if (probe->program) {
		if (probe->program->needs &&
		    kcatch_call_refused(probe->program, place.regs, place.level)) {
			this_cpu_inc(probe->counters->filtered);
			return;
		}
		kcatch_call_entry(probe, place.caller, place.regs, kcatch_place_pack(place),
				  stack, walked);
		return;
	}
	if (mode & KCATCH_GROUP_LIMITED) {
		left = atomic64_dec_if_positive(&group->left);
		if (left < 0)
			goto over_budget;
	}

	ring = this_cpu_ptr(group->ring);
	if (likely(ring->data)) {
		const struct task_struct *task = current;
		struct kcatch_call call = {
			.probe = probe->number, .context = kcatch_hit_context(place),
			.pid = task->tgid, .tid = task->pid, .comm = task->comm,
			.stack = kcatch_hit_stack(place, group, stack, walked),
		};

		result = kcatch_record_call(ring, &call);
	}
	kcatch_hit_done(probe, mode, left, result);
	return;

over_budget:
	this_cpu_inc(probe->counters->over_budget);
}

/**
 * kcatch_hit() - a site was hit
 * @site: which
 * @ip: the address, as the mechanism reports it
 * @caller: return address, at a function's entry
 * @regs: at a function's entry, SP and BP of them; else all
 * @whole: @regs are all, this is a place inside a function
 * @guard: entered
 *
 * Context: any, inside a hook.
 */
static __always_inline void kcatch_hit(const struct kcatch_site *site, unsigned long ip,
				       unsigned long caller, struct pt_regs *regs,
				       bool whole, const struct kcatch_guard *guard)
{
	const struct kcatch_place place = {
		.ip = ip, .caller = caller, .regs = regs, .whole = whole,
		.level = unlikely(guard->level == KCATCH_LEVEL_EXTRA && site->own_tool) ?
			 KCATCH_LEVEL_REFUSED : guard->level,
		.context = guard->context,
	};
	const struct kcatch_probe *probe;
	struct kcatch_stack stack;
	u32 walked = 0;

	hlist_for_each_entry_rcu_notrace(probe, &site->probes, at_site)
		kcatch_hit_probe(probe, place, &stack, &walked);
}

#endif
