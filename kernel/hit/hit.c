// SPDX-License-Identifier: GPL-2.0-only
/*
 * The slow path of a hit, and the rare ends of the fast path in hit.h. Any context, inside a hook.
 */
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
	struct kcatch_ring *ring;
	s64 left;

	if (!kcatch_hit_spend(probe, mode, &left))
		return;
	ring = this_cpu_ptr(group->ring);
	if (likely(ring->data)) {
		const struct task_struct *task = current;
		struct kcatch_call_info call = {
			.probe = probe->number, .context = kcatch_hit_context(place),
			.pid = task->tgid, .tid = task->pid, .comm = task->comm,
			.stack = kcatch_hit_stack(place, group, stack, walked),
		};

		result = kcatch_record_call(ring, &call);
	}
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
					       place.regs->sp + sizeof(long), place.level);

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
			 const struct pt_regs *regs, int level)
{
	/* We have not hooked the return yet; another tracer may have. */
	unsigned long caller = kcatch_returns_caller(*(unsigned long *)regs->sp, regs->sp);
	struct kcatch_stack stack = { .frames = frames };

	kcatch_stack_unpack(&stack, word);
	if (word)
		kcatch_stack_check(&stack, probe->address, caller, regs->sp, regs->bp,
				   probe->group->depth, level);
	else
		kcatch_stack_walk_entry_kernel(&stack, probe->address, caller, regs->sp, regs->bp,
					       probe->group->depth);
	return kcatch_hit_stack_word(&stack);
}

static struct kcatch_walked walked_of(u64 word, u32 depth)
{
	return (struct kcatch_walked){
		.word = word, .unused = (depth - (u16)(word >> 16)) * sizeof(u64),
	};
}

noinline struct kcatch_walked kcatch_hit_walk_into(struct kcatch_hit *hit, u64 word,
						   const struct kcatch_probe *probe,
						   const struct pt_regs *regs)
{
	return walked_of(kcatch_hit_walk_rest(hit->frames, word, probe, regs, (u8)hit->tid),
			 probe->group->depth);
}

noinline u64 kcatch_hit_pad(struct kcatch_hit *hit, struct kcatch_walked walked)
{
	u32 nr = (u16)(walked.word >> 16);

	memset(hit->frames + nr, 0, walked.unused);
	return walked.word + (walked.unused / sizeof(u64) << 16);
}

struct kcatch_hit *kcatch_hit_reserve_walked(const struct kcatch_probe *probe,
					     unsigned long caller, const struct pt_regs *regs,
					     u32 context, u64 extra)
{
	u64 *frames = kcatch_stack_frames(context), word;
	struct kcatch_record *record;
	struct kcatch_hit *hit;
	u32 size;

	word = kcatch_hit_walk(frames, probe, caller, regs, context);
	size = (u16)(word >> 16) * sizeof(u64);
	record = kcatch_record_reserve_fast(this_cpu_ptr(probe->group->ring),
					    sizeof(*hit) + extra + size);
	if (unlikely(!record))
		return NULL;
	hit = (void *)record;
	kcatch_copy_words(hit->frames, frames, size);
	*(u64 *)&hit->context = word | context | kcatch_irqs_off_now();
	return hit;
}

/* kcatch_hit_fast_stack() where a stack of full depth does not fit into the packet. */
static noinline void fast_stack_walked(const struct kcatch_probe *probe, unsigned long caller,
				       u32 where, struct pt_regs *regs)
{
	struct kcatch_hit *hit = kcatch_hit_reserve_walked(probe, caller, regs, (u8)where, 0);

	if (unlikely(!hit)) {
		kcatch_hit_slow_entry(probe, caller, where, regs);
		return;
	}
	kcatch_hit_fill(hit, probe, KCATCH_RECORD_HIT, *(u64 *)&hit->context);
	kcatch_hit_fast_end(probe, this_cpu_ptr(probe->group->ring), 0);
}

void kcatch_hit_fast_stack(const struct kcatch_probe *probe, unsigned long caller, u32 where,
			   struct pt_regs *regs)
{
	struct kcatch_ring *ring = this_cpu_ptr(probe->group->ring);
	struct kcatch_hit *hit;
	u64 word, end;

	hit = (void *)kcatch_record_reserve_most(ring, kcatch_hit_most(probe), &end);
	if (unlikely(!hit)) {
		fast_stack_walked(probe, caller, where, regs);
		return;
	}
	word = kcatch_hit_walk_record(ring, hit, probe, caller, regs, &where, end);
	kcatch_hit_fill(hit, probe, KCATCH_RECORD_HIT, word);
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

void kcatch_hit_slow_entry(const struct kcatch_probe *probe, unsigned long caller, u32 where,
			   struct pt_regs *regs)
{
	const struct kcatch_site *site = kcatch_site_find(probe->address);

	if (likely(site))
		kcatch_hit_slow(site, caller, where, regs, probe->address);
	else
		kcatch_where_leave(where);
}
