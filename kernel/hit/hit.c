// SPDX-License-Identifier: GPL-2.0-only
/*
 * The slow path of a hit, and the rare ends of the fast path in hit.h. Any context, inside a hook.
 */
#include "compat/regs.h"
#include "core/site.h"
#include "hit/call_parts.h"
#include "hit/hit.h"
#include "returns/returns.h"

void kcatch_hit_notify(const struct kcatch_probe *probe, u32 mode, s64 left)
{
	struct kcatch_output *output = probe->group->output;

	if (mode & KCATCH_GROUP_FREEZE)
		kcatch_output_freeze(output, KCATCH_FROZEN_PROBE, probe->number);
	kcatch_output_wake(output, !left);
}

void kcatch_hit_fast_rest(const struct kcatch_probe *probe, u32 busy)
{
	struct kcatch_ring *ring = this_cpu_ptr(probe->group->ring);

	if (ring_load(&ring->nest))
		kcatch_ring_leave(ring);
	else
		kcatch_ring_publish_again(ring);
	if (kcatch_ring_take_filled(ring))
		kcatch_output_wake(probe->group->output, false);
	kcatch_guard_leave_fast(busy);
}

void kcatch_hit_lost(const struct kcatch_probe *probe, u32 mode)
{
	struct kcatch_group *group = probe->group;
	struct kcatch_ring *ring = this_cpu_ptr(group->ring);

	if (ring->data && kcatch_ring_take_refused(ring))
		this_cpu_inc(probe->counters->over_budget);
	else
		this_cpu_inc(probe->counters->lost);
	if (ring->data && kcatch_ring_take_filled(ring))
		kcatch_output_wake(group->output, false);
	kcatch_hit_refund(probe, mode);
}

/* The record of a hit that is wanted, at a probe without a program. */
static __always_inline void record_hit(const struct kcatch_probe *probe, u32 mode,
				       const struct kcatch_place place,
				       struct kcatch_stack *stack, u32 *walked)
{
	struct kcatch_group *group = probe->group;
	enum kcatch_record_result result = KCATCH_RECORD_LOST;
	const struct kcatch_stack *above;
	struct kcatch_ring *ring;
	s64 left;

	if (!kcatch_hit_spend(probe, mode, &left))
		return;
	above = kcatch_hit_stack(place, group, stack, walked);
	if (likely(kcatch_hit_write(probe, KCATCH_RECORD_HIT,
				    kcatch_stack_pack(above) | kcatch_hit_context(place),
				    above->frames, 0, false, &ring)))
		result = kcatch_record_commit(ring);
	kcatch_hit_done(probe, mode, left, result);
}

static __always_inline void hit_probe(const struct kcatch_probe *probe,
				      const struct kcatch_place place, u32 where,
				      struct kcatch_stack *stack, u32 *walked)
{
	u32 mode = READ_ONCE(probe->group->mode);

	if (unlikely(!(mode & KCATCH_GROUP_LIVE)) ||
	    !kcatch_hit_wanted(probe, mode, place.level, place.context))
		return;
	if (probe->program) {
		u32 answer = kcatch_hit_answer(probe->program, kcatch_args_of(place.regs),
					       kcatch_regs_caller_sp(place.regs), place.level);

		if (likely(kcatch_answer_holds(answer)) ||
		    (answer && kcatch_call_may_defer(probe, place.level)))
			kcatch_call_entry(probe, place.caller, place.regs, where, answer, stack,
					  walked);
		else
			kcatch_hit_turned_down(probe, answer);
		return;
	}
	record_hit(probe, mode, place, stack, walked);
}

void kcatch_hit_slow_plain(const struct kcatch_probe *probe, u32 where)
{
	const struct kcatch_place place = kcatch_place_fast(probe->address, 0, NULL, where);
	u32 mode = READ_ONCE(probe->group->mode);

	kcatch_assert(probe->group->mode & KCATCH_GROUP_NO_STACK);
	/* A session may be stopped, and a gate change, since the fast path looked. */
	if ((mode & KCATCH_GROUP_LIVE) &&
	    kcatch_hit_wanted(probe, mode, place.level, place.context))
		record_hit(probe, mode, place, NULL, NULL);
	kcatch_where_leave(where);
}

u64 kcatch_hit_walk_rest(u64 *frames, u64 word, const struct kcatch_probe *probe,
			 const struct pt_regs *regs, u32 where)
{
	/* We have not hooked the return yet; another tracer may have. */
	unsigned long slot = kcatch_regs_slot(regs), frame = kcatch_regs_frame(regs);
	unsigned long caller = kcatch_returns_caller(kcatch_regs_caller(regs), slot);
	struct kcatch_stack stack = { .frames = frames };

	kcatch_stack_unpack(&stack, word);
	if (word)
		kcatch_stack_check(&stack, probe->address, caller, slot, frame, probe->group->depth,
				   (u8)where);
	else
		kcatch_stack_walk_entry_kernel(&stack, probe->address, caller, slot, frame,
					       probe->group->depth);
	return kcatch_stack_pack(&stack);
}

void kcatch_hit_fast_stack(const struct kcatch_probe *probe, unsigned long caller, u32 where,
			   struct pt_regs *regs)
{
	struct kcatch_ring *ring;

	if (unlikely(!kcatch_hit_write_entry(probe, KCATCH_RECORD_HIT, caller, regs, where, 0,
					     true, &ring)))
		kcatch_hit_slow_again(probe, where, regs);
	else
		kcatch_hit_fast_end(probe, ring, 0);
}

void kcatch_hit_gated(const struct kcatch_probe *probe, unsigned long caller, u32 where,
		      struct pt_regs *regs)
{
	u32 mode;

	switch (kcatch_hit_gate(probe, 0, &mode)) {
	case KCATCH_GATE_PASSED:
		kcatch_hit_passed(probe, caller, regs, where, mode);
		break;
	case KCATCH_GATE_ANY:
		kcatch_hit_slow_entry(probe, caller, where, regs);
		break;
	case KCATCH_GATE_REFUSED:
		break;
	}
}

void kcatch_hit_slow(const struct kcatch_site *site, unsigned long caller, u32 where,
		     struct pt_regs *regs, unsigned long ip)
{
	struct kcatch_place place = kcatch_place_unpack(ip, caller, regs, where);
	const struct kcatch_probe *probe;
	struct kcatch_stack stack;
	u32 walked = 0;

	if (unlikely(place.level == KCATCH_LEVEL_EXTRA && site->own_tool))
		place.level = KCATCH_LEVEL_REFUSED;
	hlist_for_each_entry_rcu_notrace(probe, &site->probes, at_site)
		hit_probe(probe, place, where, &stack, &walked);
	kcatch_where_leave(where);
}

void kcatch_hit_slow_again(const struct kcatch_probe *probe, u32 where, struct pt_regs *regs)
{
	kcatch_hit_slow_entry(probe, kcatch_regs_caller(regs), where, regs);
}

void kcatch_hit_slow_entry(const struct kcatch_probe *probe, unsigned long caller, u32 where,
			   struct pt_regs *regs)
{
	const struct kcatch_site *site = kcatch_site_find(probe->address);

	if (likely(site))
		kcatch_hit_slow(site, caller, where, regs, probe->address);
	else
		kcatch_where_leave(where);
}
