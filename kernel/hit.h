/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way of a hit, probe by probe: gate, budget, capture, commit. Runs in the
 * context that was hit, NMI too; never waits, never allocates. Each term of
 * the counters' equation is counted here, where it happens (hits are their sum).
 *
 * Two ways. The quick one is for a site with one probe whose hits are all
 * recorded as they come; it is in this header, as each mechanism's hook takes it in whole,
 * and calls nothing, so that nothing need be saved and restored. Whatever it does
 * not do it leaves, having changed nothing, to kcatch_hit_any().
 */
#ifndef _KCATCH_HIT_H
#define _KCATCH_HIT_H

#include <linux/rculist.h>
#include <linux/sched.h>
#include "call.h"
#include "context.h"
#include "family.h"
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

/* What is small of a place and the guard in one register, and back. */
static __always_inline u32 kcatch_where_pack(const struct kcatch_guard *guard, bool whole)
{
	return (u8)guard->level | guard->context << 8 | (u32)whole << 16 | guard->busy << 24;
}

/* The same of a guard that was entered the quick way. */
static __always_inline u32 kcatch_where_quick(u32 context, u32 busy)
{
	return context | context << 8 | busy << 24;
}

static __always_inline struct kcatch_place kcatch_place_unpack(unsigned long ip,
							       unsigned long caller,
							       struct pt_regs *regs, u32 where)
{
	return (struct kcatch_place) {
		.ip = ip, .caller = caller, .regs = regs, .whole = where >> 16 & 1,
		.level = (s8)where, .context = where >> 8 & 255,
	};
}

static __always_inline void kcatch_where_leave(u32 where)
{
	const struct kcatch_guard guard = { .busy = where >> 24 };

	kcatch_guard_leave(&guard);
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

/* The current process and thread, as two fields of a record follow each other. */
static __always_inline void kcatch_ids_fill(u32 *pid, u32 *tid)
{
	const struct task_struct *task = current;

	if (offsetof(struct task_struct, tgid) == offsetof(struct task_struct, pid) + 4) {
		*(u64 *)pid = rol64(*(const u64 *)&task->pid, 32);
	} else {
		*pid = task->tgid;
		*tid = task->pid;
	}
}

static __always_inline bool kcatch_gate_refuses(const struct kcatch_group *group, u32 context)
{
	if (unlikely(group->flags & KCATCH_ADD_UNDER) && !kcatch_call_is_under(group, context))
		return true;
	if ((group->flags & KCATCH_ADD_PID) && current->tgid != group->tgid &&
	    !kcatch_family_has(group->family, current->tgid))
		return true;
	/* What interrupts do is not the tracer's, whom they happen to interrupt. */
	if ((group->flags & KCATCH_ADD_OTHERS) && current->tgid == group->adder &&
	    kcatch_context_of(preempt_count()) == KCATCH_CONTEXT_TASK)
		return true;
	return (group->flags & KCATCH_ADD_COMM) &&
	       (((kcatch_comm_word(0) ^ group->comm[0]) & group->comm_mask[0]) |
		((kcatch_comm_word(1) ^ group->comm[1]) & group->comm_mask[1]));
}

/* What refuses a hit before anything of it is looked at; counted here. */
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

/* Does the condition on the entry not hold? Counted by who asks. */
static __always_inline bool kcatch_hit_refused(const struct kcatch_program_code *program,
					       const u64 *args, unsigned long stack, int level)
{
	if (likely(!program->needs))
		return false;
	/* The common case looks at arguments alone, and nothing of it is kept. */
	if (likely(program->needs == KCATCH_NEEDS_ANY))
		return !bpf_prog_run(program->entry_condition, args);
	return kcatch_call_refused(program, args, stack, level);
}

/* Spends one of the budget. False: there was none, counted. */
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

/* @walked: depth the stack was walked to before, for another probe; 0: not yet */
static __always_inline const struct kcatch_stack *
kcatch_hit_stack(const struct kcatch_place place, const struct kcatch_group *group,
		 struct kcatch_stack *stack, u32 *walked)
{
	if (group->mode & KCATCH_GROUP_NO_STACK)
		return &kcatch_no_stack;
	if (likely(*walked != group->depth)) {
		stack->frames = kcatch_stack_frames(place.level);
		if (place.whole)
			kcatch_stack_walk_inside(stack, place.ip, place.regs, group->depth);
		else
			kcatch_stack_walk_entry(stack, place.ip, place.caller, place.regs->sp,
						place.regs->bp, group->depth);
		*walked = group->depth;
	}
	return stack;
}

static __always_inline u32 kcatch_hit_context(const struct kcatch_place place)
{
	bool off = place.whole ? !(place.regs->flags & X86_EFLAGS_IF) : irqs_disabled();

	return place.context | (off ? KCATCH_CONTEXT_IRQS_OFF : 0);
}

/** kcatch_hit_tell() - wakes readers, or whatever else is to be done after a record */
void kcatch_hit_tell(const struct kcatch_probe *probe, u32 mode, s64 left);

/** kcatch_hit_quick_rest() - the end of a quick hit that is nested, that filled a packet,
 * or that another one came into */
void kcatch_hit_quick_rest(const struct kcatch_probe *probe, u32 busy);

/** kcatch_hit_lost() - a record found no room: counted, the share of the budget is
 * given back */
void kcatch_hit_lost(const struct kcatch_probe *probe, u32 mode);

/* stack_flags, nr_frames and interrupted of a struct kcatch_hit, to be joined by its
 * context: one word. */
static __always_inline u64 kcatch_hit_stack_word(const struct kcatch_stack *stack)
{
	BUILD_BUG_ON(offsetof(struct kcatch_hit, frames) -
		     offsetof(struct kcatch_hit, context) != sizeof(u64));
	return stack->flags << 8 | stack->nr << 16 | (u64)stack->interrupted << 32;
}

/* What became of a record: counted, and the reader told. */
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
		kcatch_hit_tell(probe, mode, left);
}

/**
 * kcatch_hit_any() - a site was hit, the whole way
 * @site: which
 * @ip: the address, as the mechanism reports it
 * @caller: return address, at a function's entry
 * @regs: at a function's entry, its arguments, SP and BP; else all
 * @where: the rest of the place, kcatch_where_pack()
 *
 * Context: any, inside a hook; leaves the guard.
 */
void kcatch_hit_any(const struct kcatch_site *site, unsigned long ip, unsigned long caller,
		    struct pt_regs *regs, u32 where);

/* A quick hit with its stack; as kcatch_hit_any(). */
void kcatch_hit_quick_stack(const struct kcatch_site *site, const struct kcatch_probe *probe,
			    unsigned long caller, struct pt_regs *regs, u32 where);

/* The only probe of a site. */
static __always_inline const struct kcatch_probe *kcatch_hit_only(const struct kcatch_site *site)
{
	const struct kcatch_probe *probe = (const void *)READ_ONCE(site->probes.first);

	BUILD_BUG_ON(offsetof(struct kcatch_probe, at_site));
	if (unlikely(!probe || probe->at_site.next))
		return NULL;
	return probe;
}

enum kcatch_gate { KCATCH_GATE_PASSED, KCATCH_GATE_REFUSED, KCATCH_GATE_ANY };

/* The gate of the quick way. Passed: @mode is the group's without the gate. Refused:
 * counted. */
static __always_inline enum kcatch_gate kcatch_hit_gate(const struct kcatch_probe *probe,
							u32 *mode)
{
	const struct kcatch_group *group = probe->group;

	/* Most often, and then in few instructions. */
	*mode = READ_ONCE(group->mode);
	if (likely(*mode == (KCATCH_GROUP_LIVE | KCATCH_GROUP_NO_STACK)))
		return KCATCH_GATE_PASSED;
	if (!(*mode & (KCATCH_GROUP_OTHERS | KCATCH_GROUP_GATED)))
		return KCATCH_GATE_PASSED;
	if (*mode & KCATCH_GROUP_OTHERS) {
		if (unlikely((*mode & ~KCATCH_GROUP_NO_STACK) !=
			     (KCATCH_GROUP_LIVE | KCATCH_GROUP_OTHERS)))
			return KCATCH_GATE_ANY;
		/* Its own, or an interrupt on top of it: seldom, and told apart elsewhere. */
		if (unlikely(current->tgid == group->adder))
			return KCATCH_GATE_ANY;
		*mode &= ~KCATCH_GROUP_OTHERS;
		return KCATCH_GATE_PASSED;
	}
	if (unlikely((*mode & (KCATCH_GROUP_LIVE | KCATCH_GROUP_LIMITED | KCATCH_GROUP_FROZEN)) !=
		     KCATCH_GROUP_LIVE || (group->flags & KCATCH_ADD_UNDER)))
		return KCATCH_GATE_ANY;
	if (kcatch_gate_refuses(group, KCATCH_CONTEXT_TASK)) {
		this_cpu_inc(probe->counters->filtered);
		return KCATCH_GATE_REFUSED;
	}
	*mode &= ~KCATCH_GROUP_GATED;
	return KCATCH_GATE_PASSED;
}

/* The quick way begins: the only probe of a site, and its gate. Refused: all is done, the
 * guard is left. */
static __always_inline enum kcatch_gate kcatch_hit_begin(const struct kcatch_site *site,
							 u32 busy,
							 const struct kcatch_probe **probe,
							 u32 *mode)
{
	enum kcatch_gate gate = KCATCH_GATE_ANY;

	*probe = kcatch_hit_only(site);
	if (likely(*probe))
		gate = kcatch_hit_gate(*probe, mode);
	if (gate == KCATCH_GATE_REFUSED)
		kcatch_guard_leave_quick(busy);
	return gate;
}

/* Publish, leave: kcatch_ring_commit() without a call. What interrupts change is put
 * back when they leave, and barriers keep the order: no access need be marked. */
static __always_inline void kcatch_hit_quick_publish(const struct kcatch_probe *probe,
						     struct kcatch_ring *ring, u32 busy)
{
	u64 head;

	head = ring_load(&ring->head);
	ring_barrier();
	/* The outermost writer, and no packet was filled: nest is 1 and filled is 0. */
	BUILD_BUG_ON(offsetof(struct kcatch_ring, filled) != offsetof(struct kcatch_ring, nest) + 4);
	if (unlikely(*(u64 *)&ring->nest != 1)) {
		kcatch_hit_quick_rest(probe, busy);
		return;
	}
	ring_store_release(&ring->page->produced, head);
	ring_barrier();
	ring_store(&ring->nest, 0);
	ring_barrier();
	if (unlikely(ring->head != head))
		kcatch_hit_quick_rest(probe, busy);
	else
		kcatch_guard_leave_quick(busy);
}

/* The end of a quick hit: count it, publish, leave. */
static __always_inline void kcatch_hit_quick_end(const struct kcatch_probe *probe,
						 struct kcatch_ring *ring, u32 busy)
{
	this_cpu_inc(probe->counters->recorded);
	kcatch_hit_quick_publish(probe, ring, busy);
}

/** kcatch_hit_retreat() - kcatch_hit_any() after KCATCH_QUICK_RETREAT */
void kcatch_hit_retreat(const struct kcatch_site *site, unsigned long ip, unsigned long caller,
			struct pt_regs *regs, u32 where, struct kcatch_ring *ring);

/**
 * kcatch_hit_entry() - a function was called
 * @site: which
 * @ip: the address, as the mechanism reports it
 * @caller: return address
 * @regs: arguments, SP and BP
 * @context: as kcatch_guard_enter_quick() gave it, which is left when this returns
 * @busy: as well
 */
static __always_inline void kcatch_hit_entry(const struct kcatch_site *site, unsigned long ip,
					     unsigned long caller, struct pt_regs *regs,
					     u32 context, u32 busy)
{
	const struct kcatch_probe *probe;
	struct kcatch_record *record;
	struct kcatch_ring *ring;
	struct kcatch_hit *hit;
	enum kcatch_gate gate;
	u32 mode;

	gate = kcatch_hit_begin(site, busy, &probe, &mode);
	if (gate == KCATCH_GATE_REFUSED)
		return;
	if (unlikely(gate == KCATCH_GATE_ANY))
		goto any;
	if (probe->program) {
		u32 where = kcatch_where_quick(context, busy);

		if (probe->program->needs == KCATCH_NEEDS_ANY)
			kcatch_call_condition(site, probe, caller, regs, where);
		else
			kcatch_call_quick(site, probe, caller, regs, where);
		return;
	}
	if (mode == KCATCH_GROUP_LIVE) {
		kcatch_hit_quick_stack(site, probe, caller, regs, kcatch_where_quick(context, busy));
		return;
	}
	if (unlikely(mode != (KCATCH_GROUP_LIVE | KCATCH_GROUP_NO_STACK)))
		goto any;
	ring = this_cpu_ptr(probe->group->ring);
	switch (kcatch_record_reserve_quick(ring, sizeof(*hit), &record)) {
	case KCATCH_QUICK_RETREAT:
		kcatch_hit_retreat(site, ip, caller, regs, kcatch_where_quick(context, busy), ring);
		return;
	case KCATCH_QUICK_NOT:
		goto any;
	case KCATCH_QUICK_DONE:
		break;
	}
	hit = (void *)record;
	hit->head.id = KCATCH_RECORD_HIT | probe->id;
	kcatch_ids_fill(&hit->pid, &hit->tid);
	memcpy(hit->comm, current->comm, sizeof(hit->comm));
	*(u64 *)&hit->context = kcatch_hit_stack_word(&(struct kcatch_stack) { .flags = KCATCH_STACK_NONE }) |
				context | (irqs_disabled() ? KCATCH_CONTEXT_IRQS_OFF : 0);
	kcatch_hit_quick_end(probe, ring, busy);
	return;
any:
	kcatch_hit_any(site, ip, caller, regs, kcatch_where_quick(context, busy));
}

#endif
