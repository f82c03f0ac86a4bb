/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The path of a hit through its probes: gate, budget, capture, commit. It runs in the
 * context of the call, including NMI; it never waits and never allocates. Each term of the
 * counters' equation is counted here, where it happens; hits are their sum.
 *
 * The fast path serves a site with one probe. It is inlined into every hook and calls
 * nothing, so no register is spilled. Every other case goes to kcatch_hit_slow() before any
 * state has changed.
 */
#ifndef _KCATCH_HIT_H
#define _KCATCH_HIT_H

#include <linux/rculist.h>
#include <linux/sched.h>
#include "compat/regs.h"
#include "core/assert.h"
#include "core/group.h"
#include "core/guard.h"
#include "core/hook.h"
#include "core/output.h"
#include "hit/call.h"
#include "hit/gate.h"
#include "hit/hit_count.h"
#include "program/program.h"
#include "ring/record_encoder.h"
#include "stack/stack.h"

/* The place of a hit. Separate from struct kcatch_stack, whose address is passed out of
 * line, so that this stays in registers. */
struct kcatch_place {
	unsigned long ip;
	unsigned long caller;
	struct pt_regs *regs;
	bool whole;		/* @regs is complete: a place inside a function */
	int level;
	u32 context;
};

/* Packs the guard and the small fields of a place into one register; kcatch_place_unpack()
 * and kcatch_where_leave() unpack it. Bits 0..7: context; 8..15: busy; 16: whole; 24..31: level
 * minus context, which is 0 unless the hit is nested. */
static __always_inline u32 kcatch_where_pack(const struct kcatch_guard *guard, bool whole)
{
	return guard->context | guard->busy << 8 | (u32)whole << 16 |
	       (guard->level - guard->context) << 24;
}

/* kcatch_where_pack() for a guard entered by kcatch_guard_enter_fast(). */
static __always_inline u32 kcatch_where_fast(u32 context, u32 busy)
{
	return context | busy << 8;
}

static __always_inline struct kcatch_place kcatch_place_unpack(unsigned long ip,
							       unsigned long caller,
							       struct pt_regs *regs, u32 where)
{
	return (struct kcatch_place) {
		.ip = ip, .caller = caller, .regs = regs, .whole = where >> 16 & 1,
		.level = (u8)where + ((s32)where >> 24), .context = (u8)where,
	};
}

/* kcatch_place_unpack() of a kcatch_where_fast(). */
static __always_inline struct kcatch_place kcatch_place_fast(unsigned long ip,
							     unsigned long caller,
							     struct pt_regs *regs, u32 where)
{
	return kcatch_place_unpack(ip, caller, regs, (u8)where);
}

/* Value for kcatch_guard_leave_fast(). */
static __always_inline u32 kcatch_where_busy(u32 where)
{
	return (u8)(where >> 8);
}

static __always_inline void kcatch_where_leave(u32 where)
{
	kcatch_guard_leave_fast(kcatch_where_busy(where));
}

/* Guard, budget and gate of a hit, before its arguments are read. False: refused, and counted
 * here. */
static __always_inline bool kcatch_hit_wanted(const struct kcatch_probe *probe, u32 mode,
					      int level, u32 context)
{
	const struct kcatch_group *group = probe->group;

	if (unlikely(level == KCATCH_LEVEL_REFUSED)) {
		this_cpu_inc(probe->counters->missed);
		return false;
	}
	if (likely(!(mode & (KCATCH_GROUP_LIMITED | KCATCH_GROUP_GATED | KCATCH_GROUP_OTHERS |
			     KCATCH_GROUP_FROZEN))))
		return true;
	if ((mode & KCATCH_GROUP_FROZEN) ||
	    ((mode & KCATCH_GROUP_LIMITED) && atomic64_read(&group->left) <= 0)) {
		this_cpu_inc(probe->counters->over_budget);
		return false;
	}
	if ((mode & (KCATCH_GROUP_GATED | KCATCH_GROUP_OTHERS)) &&
	    kcatch_gate_refuses(group, context)) {
		this_cpu_inc(probe->counters->filtered);
		return false;
	}
	return true;
}

/* The answer of the condition on the entry, as kcatch_condition_answer() has it. The caller counts
 * a refusal. */
static __always_inline u32 kcatch_hit_answer(const struct kcatch_program_code *program,
					       const u64 *args, unsigned long stack, int level)
{
	if (likely(!program->needs))
		return true;
	/* The common case tests arguments alone and keeps no result. */
	if (likely(program->needs == KCATCH_NEEDS_ANY))
		return kcatch_condition_admits(program, args);
	return kcatch_call_answer(program, args, stack, level);
}

/* Counts a hit whose condition does not hold, or is undecided. */
static __always_inline void kcatch_hit_turned_down(const struct kcatch_probe *probe, u32 answer)
{
	if (unlikely(answer))
		this_cpu_inc(probe->counters->undecided);
	else
		this_cpu_inc(probe->counters->filtered);
}

/* Takes one record from the budget. False: the budget was spent, counted in over_budget. */
static __always_inline bool kcatch_hit_spend(const struct kcatch_probe *probe, u32 mode,
					     s64 *left)
{
	*left = 1;
	if (likely(!(mode & KCATCH_GROUP_LIMITED)))
		return true;
	*left = atomic64_dec_if_positive(&probe->group->left);
	if (*left >= 0)
		return true;
	this_cpu_inc(probe->counters->over_budget);
	return false;
}

/* Gives back what kcatch_hit_spend() took. */
static __always_inline void kcatch_hit_refund(const struct kcatch_probe *probe, u32 mode)
{
	if (mode & KCATCH_GROUP_LIMITED) {
		atomic64_inc(&probe->group->refunds);
		atomic64_inc(&probe->group->left);
	}
}

/* @walked: in and out: depth in frames to which @stack was walked for another probe; 0: not
 * walked */
static __always_inline const struct kcatch_stack *
kcatch_hit_walked(const struct kcatch_place place, const struct kcatch_group *group,
		  struct kcatch_stack *stack, u32 *walked)
{
	if (likely(*walked != group->depth)) {
		stack->frames = kcatch_stack_frames(place.level);
		if (place.whole)
			kcatch_stack_walk_inside(stack, place.ip, place.regs, group->depth);
		else
			kcatch_stack_walk_entry(
				stack, place.ip, place.caller, kcatch_regs_slot(place.regs),
				kcatch_regs_frame(place.regs), group->depth, place.level);
		*walked = group->depth;
	}
	return stack;
}

/* kcatch_hit_walked() for a record, if its group wants stacks. */
static __always_inline const struct kcatch_stack *
kcatch_hit_stack(const struct kcatch_place place, const struct kcatch_group *group,
		 struct kcatch_stack *stack, u32 *walked)
{
	if (group->mode & KCATCH_GROUP_NO_STACK)
		return &kcatch_no_stack;
	return kcatch_hit_walked(place, group, stack, walked);
}

/* KCATCH_CONTEXT_IRQS_OFF or 0, of the hook: its caller's too, as no hook changes it. */
static __always_inline u32 kcatch_irqs_off_now(void)
{
	unsigned long flags;

	raw_local_save_flags(flags);
	return kcatch_irqs_off(flags);
}

/**
 * kcatch_hit_walk_rest() - what kcatch_hit_walk() rarely does
 * @frames: of the stack
 * @word: of kcatch_stack_walk_fast(): 0: the kernel's unwinder walks; else kcatch_stack_check()
 * @where: from kcatch_where_fast()
 *
 * Context: as kcatch_hit_walk(). Return: as the word of kcatch_stack_walk_fast(), not 0
 */
u64 kcatch_hit_walk_rest(u64 *frames, u64 word, const struct kcatch_probe *probe,
			 const struct pt_regs *regs, u32 where);

/* kcatch_stack_walk_entry() at a function's entry, on a fast path. What is rarely needed reads
 * all anew from @probe and @regs, so that nothing is kept for it. Return: as the word of
 * kcatch_stack_walk_fast(), not 0 */
static __always_inline u64 kcatch_hit_walk(u64 *frames, const struct kcatch_probe *probe,
					   unsigned long caller, const struct pt_regs *regs,
					   u32 where)
{
	u64 word = kcatch_stack_walk_fast(frames, caller, kcatch_regs_caller_sp(regs),
					  kcatch_regs_frame(regs), probe->group->depth);

	if (unlikely(!word))
		word = kcatch_hit_walk_rest(frames, 0, probe, regs, where);
	else if (static_branch_unlikely(&kcatch_stack_checked))
		word = kcatch_hit_walk_rest(frames, word, probe, regs, where);
	return word;
}

static __always_inline u32 kcatch_hit_context(const struct kcatch_place place)
{
	return place.context | (place.whole ? kcatch_irqs_off(kcatch_regs_flags(place.regs)) :
					      kcatch_irqs_off_now());
}

/**
 * kcatch_hit_notify() - wake readers and freeze the session, as the group's mode asks
 * @probe: probe of the record
 * @mode: KCATCH_GROUP_*
 * @left: records left in the budget; 0: this record spent it
 *
 * Context: any, inside a hook.
 */
void kcatch_hit_notify(const struct kcatch_probe *probe, u32 mode, s64 left);

/**
 * kcatch_hit_fast_rest() - end a fast hit that is nested, filled a packet, or was interrupted
 * by another hit
 * @probe: probe of the record
 * @busy: from kcatch_guard_enter_fast()
 *
 * Context: any, inside a hook; leaves the guard.
 */
void kcatch_hit_fast_rest(const struct kcatch_probe *probe, u32 busy);

/** kcatch_hit_lost() - count a record that found no room, and give its share of the budget
 * back. Context: any, inside a hook */
void kcatch_hit_lost(const struct kcatch_probe *probe, u32 mode);

/**
 * kcatch_hit_write() - begin a record of a kind that begins with struct kcatch_hit
 * @kind: KCATCH_RECORD_*
 * @word: as kcatch_record_hit() has it, like @frames, @extra and @fast
 * @ring: out: where it is committed
 *
 * Context: any, inside a hook. Return: the record; NULL: no room
 */
static __always_inline struct kcatch_hit *
kcatch_hit_write(const struct kcatch_probe *probe, u32 kind, u64 word, const u64 *frames, u64 extra,
		 const bool fast, struct kcatch_ring **ring)
{
	*ring = this_cpu_ptr(probe->group->ring);
	/* The fast reserve fails where there is no ring. */
	if (!fast && unlikely(!(*ring)->data))
		return NULL;
	return kcatch_record_hit(*ring, kind | probe->id, word, frames, extra, fast);
}

/**
 * kcatch_hit_write_entry() - kcatch_hit_write() at the entry of a function, on the fast path
 * @caller: return address
 * @regs: arguments, SP and BP
 * @where: from kcatch_where_fast()
 * @stack: walk it: first, into the frames of the guard's level, so that the size of the record is
 *	known when it is reserved
 *
 * Context: any, inside a hook. Return: the record; NULL: no room, and nothing has changed
 */
static __always_inline struct kcatch_hit *
kcatch_hit_write_entry(const struct kcatch_probe *probe, u32 kind, unsigned long caller,
		       const struct pt_regs *regs, u32 where, u64 extra, bool stack,
		       struct kcatch_ring **ring)
{
	u64 *frames = NULL, word = KCATCH_STACK_NONE << 8;

	if (stack) {
		frames = kcatch_stack_frames((u8)where);
		word = kcatch_hit_walk(frames, probe, caller, regs, where);
	}
	return kcatch_hit_write(probe, kind, word | (u8)where | kcatch_irqs_off_now(), frames,
				extra, true, ring);
}

/* Counts a record as recorded or lost, and notifies the reader. */
static __always_inline void kcatch_hit_done(const struct kcatch_probe *probe, u32 mode, s64 left,
					    enum kcatch_record_result result)
{
	if (unlikely(result == KCATCH_RECORD_LOST)) {
		kcatch_hit_lost(probe, mode);
		return;
	}
	this_cpu_inc(probe->counters->recorded);
	if (unlikely(result == KCATCH_RECORD_WAKE || !left ||
		     (mode & (KCATCH_GROUP_WAKE_EACH | KCATCH_GROUP_FREEZE))))
		kcatch_hit_notify(probe, mode, left);
}

/**
 * kcatch_hit_slow() - the slow path: record a hit for every probe of a site
 * @site: site that was hit
 * @caller: return address, at a function's entry
 * @where: level, context and guard, from kcatch_where_pack()
 * @regs: at a function's entry the arguments, SP and BP; elsewhere all registers
 * @ip: address, as the mechanism reports it
 *
 * @caller is the second and @regs the fourth parameter of each function that a hook of ftrace
 * ends with, as they are of the hook: they stay in their registers.
 *
 * Context: any, inside a hook; leaves the guard.
 */
void kcatch_hit_slow(const struct kcatch_site *site, unsigned long caller, u32 where,
		     struct pt_regs *regs, unsigned long ip);

/**
 * kcatch_hit_slow_entry() - kcatch_hit_slow() for the entry of a function
 * @probe: a probe of the site; the site is looked up again, as the fast path does not keep it.
 *	A hit whose site was removed meanwhile is not counted.
 */
void kcatch_hit_slow_entry(const struct kcatch_probe *probe, unsigned long caller, u32 where,
			   struct pt_regs *regs);

/** kcatch_hit_slow_again() - kcatch_hit_slow_entry() where the caller was not kept, and is read
 * anew */
void kcatch_hit_slow_again(const struct kcatch_probe *probe, u32 where, struct pt_regs *regs);

/**
 * kcatch_hit_slow_plain() - the slow path of a probe that needs neither stack nor arguments
 * @probe: the only one of its site; passed its gate
 * @where: from kcatch_where_fast()
 *
 * Context: any, inside a hook; leaves the guard.
 */
void kcatch_hit_slow_plain(const struct kcatch_probe *probe, u32 where);

/* A fast hit whose record has a stack, of the only probe of its site; other parameters and
 * context as kcatch_hit_slow(), @where from kcatch_where_fast(). */
void kcatch_hit_fast_stack(const struct kcatch_probe *probe, unsigned long caller, u32 where,
			   struct pt_regs *regs);

/* The only probe of a site; NULL: none, or several. */
static __always_inline const struct kcatch_probe *kcatch_hit_only(const struct kcatch_site *site)
{
	struct hlist_node *first = READ_ONCE(site->probes.first);

	if (unlikely(!first || READ_ONCE(first->next)))
		return NULL;
	return hlist_entry(first, struct kcatch_probe, at_site);
}

/* The gate of the fast path. Passed: the group is live, and of the rest of @mode only
 * KCATCH_GROUP_NO_STACK matters. Refused: the hit is counted as filtered and the guard is left. */
static __always_inline enum kcatch_gate kcatch_hit_gate(const struct kcatch_probe *probe,
							u32 busy, u32 *mode)
{
	const struct kcatch_group *group = probe->group;

	*mode = READ_ONCE(group->mode);
	if (unlikely(*mode & (KCATCH_GROUP_SLOW | KCATCH_GROUP_GATED))) {
		/* Whether it is a hit at all comes before who made it, and who else it is about. */
		if (*mode & KCATCH_GROUP_SLOW ||
		    kcatch_program_gates_late(READ_ONCE(probe->program)))
			return KCATCH_GATE_ANY;
		if (kcatch_gate_refuses_task(group, current->tgid)) {
			this_cpu_inc(probe->counters->filtered);
			kcatch_guard_leave_fast(busy);
			return KCATCH_GATE_REFUSED;
		}
		/* Read again, not kept over the gate. */
		*mode = READ_ONCE(group->mode);
	}
	/* A hit in the adder's process, or in an interrupt of it, is rare. */
	if (unlikely(kcatch_gate_is_adder(group, current->tgid)))
		return KCATCH_GATE_ANY;
	return KCATCH_GATE_PASSED;
}

/* Begins the fast path: finds the only probe of a site and asks its gate. */
static __always_inline enum kcatch_gate kcatch_hit_begin(const struct kcatch_site *site,
							 u32 busy,
							 const struct kcatch_probe **probe,
							 u32 *mode)
{
	*probe = kcatch_hit_only(site);
	if (unlikely(!*probe))
		return KCATCH_GATE_ANY;
	return kcatch_hit_gate(*probe, busy, mode);
}

/* Publishes the record of the outermost writer and all before it: kcatch_ring_commit() without a
 * call. Interrupts restore what they change before they return, and barriers keep the
 * order, so no access need be marked. False: kcatch_hit_fast_rest() does what is left. */
static __always_inline bool kcatch_hit_publish(struct kcatch_ring *ring)
{
	u64 end = ring_load(&ring->head);

	ring_barrier();
	/* The outermost writer, and no packet was filled: nest is 1 and filled is 0. */
	BUILD_BUG_ON(offsetof(struct kcatch_ring, filled) !=
		     offsetof(struct kcatch_ring, nest) + 4);
	if (unlikely(ring_peek((u64 *)&ring->nest) != 1))
		return false;
	ring_store_release(&ring->page->produced, end);
	ring_barrier();
	ring_store(&ring->nest, 0);
	ring_barrier();
	return likely(ring_peek(&ring->head) == end);
}

/* kcatch_hit_publish(), and leaves the guard. */
static __always_inline void kcatch_hit_fast_publish(const struct kcatch_probe *probe,
						     struct kcatch_ring *ring, u32 busy)
{
	if (unlikely(!kcatch_hit_publish(ring)))
		kcatch_hit_fast_rest(probe, busy);
	else
		kcatch_guard_leave_fast(busy);
}

/* Ends a fast hit: counts the record, publishes it, leaves the guard. */
static __always_inline void kcatch_hit_fast_end(const struct kcatch_probe *probe,
						 struct kcatch_ring *ring, u32 busy)
{
	this_cpu_inc(probe->counters->recorded);
	kcatch_hit_fast_publish(probe, ring, busy);
}

/**
 * kcatch_hit_passed() - record the entry of a function that passed its gate
 * @probe: the only probe of the site that was hit
 * @caller: return address
 * @regs: arguments, SP and BP
 * @context: from kcatch_guard_enter_alone()
 * @mode: of its group, of which only KCATCH_GROUP_NO_STACK matters
 *
 * Context: any, inside a hook; leaves the guard.
 */
static __always_inline void kcatch_hit_passed(const struct kcatch_probe *probe,
					      unsigned long caller, struct pt_regs *regs,
					      u32 context, u32 mode)
{
	const u32 where = kcatch_where_fast(context, 0);
	const struct kcatch_program_code *program;
	struct kcatch_ring *ring;

	program = READ_ONCE(probe->program);
	if (program) {
		/* One comparison for the first two. */
		if (program->path == KCATCH_CALL_CONDITION)
			kcatch_call_condition(probe, caller, where, regs);
		else if (program->path < KCATCH_CALL_CONDITION)
			kcatch_call_words(probe, caller, where, regs);
		else if (program->path == KCATCH_CALL_COUNT)
			kcatch_count_entry(probe, caller, where, regs);
		else
			kcatch_call_more(probe, caller, where, regs);
		return;
	}
	if (!(mode & KCATCH_GROUP_NO_STACK)) {
		kcatch_hit_fast_stack(probe, caller, where, regs);
		return;
	}
	if (unlikely(!kcatch_hit_write_entry(probe, KCATCH_RECORD_HIT, caller, regs, where, 0,
					     false, &ring))) {
		/* Neither the place nor its registers are kept up to here. */
		kcatch_hit_slow_plain(probe, where);
		return;
	}
	kcatch_hit_fast_end(probe, ring, 0);
}

/* kcatch_hit_entry() of a group with a gate or on the slow path, or in the process that armed it.
 * Out of line, as its tests need registers. */
void kcatch_hit_gated(const struct kcatch_probe *probe, unsigned long caller, u32 where,
		      struct pt_regs *regs);

/** kcatch_hit_entry() - record the entry of a function, if its gate lets it pass. As
 * kcatch_hit_passed() */
static __always_inline void kcatch_hit_entry(const struct kcatch_probe *probe,
					     unsigned long caller, struct pt_regs *regs,
					     u32 context)
{
	const struct kcatch_group *group = probe->group;
	u32 mode = READ_ONCE(group->mode);

	if (unlikely((mode & (KCATCH_GROUP_SLOW | KCATCH_GROUP_GATED)) ||
		     kcatch_gate_is_adder(group, current->tgid)))
		kcatch_hit_gated(probe, caller, kcatch_where_fast(context, 0), regs);
	else
		kcatch_hit_passed(probe, caller, regs, context, mode);
}

#endif
