// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls: entries with arguments, and returns. Any context, inside a hook, but
 * for what prepares. call.h and the uapi say what is promised.
 *
 * Memory: 3 KB a CPU for each context that can be inside a hook at once; for each
 * call under way a slot with what its return needs.
 */
#include <linux/cred.h>
#include <linux/filter.h>
#include <linux/percpu.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include "call.h"
#include "call_parts.h"
#include "pending.h"
#include "program.h"
#include "returns.h"

/* Slots where nobody said how many. */
#define ACTIVE_DEFAULT	1024

struct kcatch_workspaces __percpu *kcatch_workspaces __read_mostly;

/* Numbers of calls: the CPU + 1 above, a count below. */
static u64 __percpu *call_numbers __read_mostly;
#define CALL_CPU_SHIFT	48

/* Nanoseconds of the clock: (ticks * multiplier) >> NS_SHIFT */
#define NS_SHIFT	22
static u32 ns_multiplier __read_mostly;

/* A call under way: what a slot holds. */
struct inflight {
	const struct kcatch_probe *probe;
	u64 time;
	u64 call;
	u64 faults;
	u64 cut;
	u32 run;
	u16 context;
	u16 entry_size;
	u8 data[];	/* the facts, as far as they go; then the entry's data */
};

static __always_inline u64 to_ns(u64 ticks)
{
	return kcatch_clock_is_tsc ? mul_u64_u32_shr(ticks, ns_multiplier, NS_SHIFT) : ticks;
}

static __always_inline u64 new_call(void)
{
	return this_cpu_inc_return(*call_numbers);
}

static __always_inline bool is_whole(const struct kcatch_probe *probe)
{
	return probe->returns && probe->program->return_condition;
}

/* Bytes of the facts that its conditions may look at. */
static u32 facts_size(const struct kcatch_program_code *program)
{
	return offsetof(struct kcatch_facts, fields) + program->fields.size_max;
}

static __always_inline struct inflight *inflight_of(struct rethook_node *node)
{
	return (void *)container_of(node, struct kretprobe_instance, node)->data;
}

/* ---- the entry --------------------------------------------------------- */

static __always_inline void fill_facts(struct kcatch_facts *facts,
				       const struct kcatch_program_code *program,
				       const u64 *args, unsigned long stack)
{
	kcatch_copy_words(facts->args, args, sizeof(facts->args));
	facts->faults = 0;
	facts->ret = 0;
	facts->latency = 0;
	if (program->needs & KCATCH_NEEDS_TASK) {
		const struct task_struct *task = current;

		facts->pid = task->tgid;
		facts->tid = task->pid;
		facts->cpu = smp_processor_id();
		facts->uid = __kuid_val(rcu_dereference_raw(task->cred)->uid);
		memcpy(facts->comm, task->comm, sizeof(facts->comm));
	}
	if (program->fields.nr) {
		struct kcatch_fetch fetch = {
			.args = args, .stack = stack, .to = facts->fields,
		};

		kcatch_fetch_run(&program->fields, &fetch);
		facts->faults = fetch.faults;
	}
}

void kcatch_user_fill(struct kcatch_user *user, u32 room)
{
	const struct pt_regs *regs = task_pt_regs(current);

	BUILD_BUG_ON(sizeof(user->regs) != sizeof(*regs));
	if (!current->mm || (current->flags & PF_KTHREAD)) {
		memset(user, 0, sizeof(*user));
		user->flags = KCATCH_USER_KERNEL_THREAD;
		return;
	}
	memcpy(user->regs, regs, sizeof(user->regs));
	user->flags = 0;
	user->size = kcatch_fetch_user(user->stack, regs->sp, room);
}

bool kcatch_call_refused(const struct kcatch_program_code *program, const u64 *args,
			 unsigned long stack, int level)
{
	struct kcatch_facts *facts = &kcatch_workspace_of(level)->facts;

	fill_facts(facts, program, args, stack);
	return program->entry_condition && !bpf_prog_run(program->entry_condition, facts);
}

/*
 * Hooks the return. The slot is not filled yet: a hook in an interrupt that looks at
 * this thread's calls must see none here, so a slot that is given back has run 0
 * (runs count from 1). NULL: there was none.
 */
static __always_inline struct inflight *hook_return(struct kcatch_returns *returns,
						    struct pt_regs *regs)
{
	const struct llist_node *before = READ_ONCE(current->rethooks.first), *node;

	kcatch_returns_hook(returns, regs);
	/* What interrupts put on this list they have taken off again. */
	node = READ_ONCE(current->rethooks.first);
	if (unlikely(node == before))
		return NULL;
	return inflight_of(container_of(node, struct rethook_node, llist));
}

/* What the return must know. */
static __always_inline void fill_slot(struct inflight *call, const struct kcatch_probe *probe,
				      u64 number, u64 time, u64 faults, u64 cut)
{
	call->probe = probe;
	call->call = number;
	call->time = time;
	call->faults = faults;
	call->cut = cut;
	barrier();
	call->run = probe->group->run;
	this_cpu_inc(probe->counters->in_flight);
}

/* With a condition on the return all is kept until then. */
static noinline void keep_call(struct inflight *call, const struct kcatch_probe *probe,
			       const struct kcatch_place *place, const struct kcatch_fetch *fetch)
{
	u32 size = facts_size(probe->program);

	if (!call) {
		this_cpu_inc(probe->counters->missed);
		this_cpu_inc(probe->counters->no_slot);
		return;
	}
	call->context = kcatch_hit_context(*place);
	call->entry_size = fetch->size;
	kcatch_copy_words(call->data, &kcatch_workspace_of(place->level)->facts, size);
	kcatch_copy_words(call->data + size, fetch->to, fetch->size);
	fill_slot(call, probe, 0, kcatch_clock_read(), fetch->faults, fetch->cut);
}

/* A hit of a probe whose condition is on the return alone. */
static noinline void keep_call_quick(const struct kcatch_site *site,
				     const struct kcatch_probe *probe, struct pt_regs *regs,
				     u32 where)
{
	const struct kcatch_place place = kcatch_place_unpack(probe->address, 0, regs, where);
	const struct kcatch_program_code *program = probe->program;
	struct inflight *call = hook_return(probe->group->returns, regs);
	struct kcatch_facts *facts;

	if (likely(call)) {
		facts = (void *)call->data;
		fill_facts(facts, program, kcatch_args_of(regs), 0);
		call->context = kcatch_hit_context(place);
		call->entry_size = program->entry.size_max;
		kcatch_fetch_plain(&program->entry, kcatch_args_of(regs),
				   call->data + facts_size(program));
		fill_slot(call, probe, 0, kcatch_clock_read(), 0, 0);
	} else {
		this_cpu_inc(probe->counters->missed);
		this_cpu_inc(probe->counters->no_slot);
	}
	kcatch_where_leave(where);
}

void kcatch_call_entry(const struct kcatch_probe *probe, unsigned long caller,
		       struct pt_regs *regs, u32 where, struct kcatch_stack *stack, u32 *walked)
{
	const struct kcatch_place place = kcatch_place_unpack(probe->address, caller, regs, where);
	const struct kcatch_program_code *program = probe->program;
	struct kcatch_group *group = probe->group;
	enum kcatch_record_result result = KCATCH_RECORD_LOST;
	const struct task_struct *task = current;
	u32 mode = READ_ONCE(group->mode), user;
	struct kcatch_call_part *part;
	struct inflight *call = NULL;
	struct kcatch_fetch fetch;
	struct kcatch_ring *ring;
	struct kcatch_call what;
	u64 number = 0, time;
	s64 left = 1;

	if (!is_whole(probe) && !kcatch_hit_spend(probe, mode, &left))
		return;
	fetch.to = kcatch_workspace_of(place.level)->entry;
	fetch.size = 0;
	fetch.faults = 0;
	fetch.cut = 0;
	if (program->entry.nr) {
		fetch.args = kcatch_args_of(regs);
		fetch.stack = regs->sp + sizeof(long);
		kcatch_fetch_run(&program->entry, &fetch);
	}
	if (probe->returns) {
		call = hook_return(group->returns, regs);
		if (likely(call))
			number = new_call();
		if (is_whole(probe)) {
			const struct kcatch_place at = place;

			keep_call(call, probe, &at, &fetch);
			return;
		}
	}
	ring = this_cpu_ptr(group->ring);
	if (likely(ring->data)) {
		what.probe = probe->number;
		what.context = kcatch_hit_context(place);
		what.pid = task->tgid;
		what.tid = task->pid;
		what.comm = task->comm;
		what.stack = kcatch_hit_stack(place, group, stack, walked);
		user = kcatch_user_size(program);
		part = kcatch_record_begin(ring, KCATCH_RECORD_ENTRY, &what, fetch.size + user,
					   &time);
		if (likely(part)) {
			part->call = number;
			kcatch_entry_part_fill(part, fetch.faults, fetch.cut, fetch.size, user);
			result = kcatch_record_end(ring, part, fetch.to, NULL);
		}
	}
	if (call) {
		/* Of the return of one whose entry was lost nothing is told. */
		if (likely(result != KCATCH_RECORD_LOST)) {
			call->context = what.context;
			call->entry_size = fetch.size;
			kcatch_copy_words(call->data, fetch.to, program->at_return.saved);
			fill_slot(call, probe, number, time, fetch.faults, fetch.cut);
		} else {
			call->probe = NULL;
		}
	} else if (probe->returns && result != KCATCH_RECORD_LOST) {
		this_cpu_inc(probe->counters->no_slot);
	}
	kcatch_hit_done(probe, mode, left, result);
}

void kcatch_call_condition(const struct kcatch_site *site, const struct kcatch_probe *probe,
			   unsigned long caller, struct pt_regs *regs, u32 where)
{
	if (bpf_prog_run(probe->program->entry_condition, kcatch_args_of(regs))) {
		kcatch_call_quick(site, probe, caller, regs, where);
		return;
	}
	this_cpu_inc(probe->counters->filtered);
	kcatch_where_leave(where);
}

/*
 * The same, for most calls: nothing but register arguments is fetched, all that the
 * condition lets through are recorded as they come. What is different goes the way of
 * all, nothing having changed.
 */
void kcatch_call_quick(const struct kcatch_site *site, const struct kcatch_probe *probe,
		       unsigned long caller, struct pt_regs *regs, u32 where)
{
	const struct kcatch_place place = kcatch_place_unpack(probe->address, caller, regs, where);
	const struct kcatch_program_code *program = probe->program;
	const struct kcatch_group *group = probe->group;
	u32 mode = READ_ONCE(group->mode), size;
	struct kcatch_call_part *part;
	struct inflight *call;
	struct kcatch_record *record;
	struct kcatch_stack stack;
	struct kcatch_ring *ring;
	struct kcatch_hit *hit;
	u64 rest;

	/* The gate has been passed, and a condition over arguments. */
	if (unlikely((mode & ~(KCATCH_GROUP_NO_STACK | KCATCH_GROUP_GATED | KCATCH_GROUP_OTHERS)) !=
		     KCATCH_GROUP_LIVE ||
		     !program->entry.plain || program->user_stack))
		goto any;
	if (unlikely(program->needs & ~KCATCH_NEEDS_ANY)) {
		if (program->entry_condition || program->fields.nr)
			goto any;
		keep_call_quick(site, probe, regs, where);
		return;
	}
	ring = this_cpu_ptr(group->ring);
	size = program->entry.size_max;
	stack.nr = 0;
	stack.frames = NULL;
	rest = KCATCH_STACK_NONE << 8;
	if (!(mode & KCATCH_GROUP_NO_STACK)) {
		stack.frames = kcatch_stack_frames(place.level);
		kcatch_stack_walk_entry(&stack, place.ip, caller, regs->sp, regs->bp,
					group->depth);
		rest = kcatch_hit_stack_word(&stack);
	}
	switch (kcatch_record_reserve_quick(ring, sizeof(*hit) + stack.nr * sizeof(u64) +
					    sizeof(*part) + size, &record)) {
	case KCATCH_QUICK_RETREAT:
		kcatch_ring_leave(ring);
		goto any;
	case KCATCH_QUICK_NOT:
		goto any;
	case KCATCH_QUICK_DONE:
		break;
	}
	hit = (void *)record;
	part = (void *)(hit->frames + stack.nr);
	kcatch_copy_words(hit->frames, stack.frames, stack.nr * sizeof(u64));
	hit->head.id = KCATCH_RECORD_ENTRY | probe->id;
	kcatch_ids_fill(&hit->pid, &hit->tid);
	memcpy(hit->comm, current->comm, sizeof(hit->comm));
	rest |= kcatch_hit_context(place);
	*(u64 *)&hit->context = rest;
	part->call = 0;
	kcatch_entry_part_fill(part, 0, 0, size, 0);
	kcatch_fetch_plain(&program->entry, kcatch_args_of(regs), part->data);
	if (probe->returns) {
		call = hook_return(group->returns, regs);
		if (likely(call)) {
			call->context = rest;
			part->call = new_call();
			kcatch_copy_words(call->data, part->data, program->at_return.saved);
			fill_slot(call, probe, part->call, hit->head.time, 0, 0);
		} else {
			this_cpu_inc(probe->counters->no_slot);
		}
	}
	kcatch_hit_done(probe, KCATCH_GROUP_LIVE, 1,
			kcatch_ring_commit(ring) ? KCATCH_RECORD_WAKE : KCATCH_RECORD_DONE);
	kcatch_where_leave(where);
	return;
any:
	kcatch_hit_any(site, probe->address, caller, regs, where);
}

/* ---- the return -------------------------------------------------------- */

bool kcatch_call_is_under(const struct kcatch_group *group, u32 context)
{
	const struct kcatch_group *root = READ_ONCE(group->root);
	const struct llist_node *link;
	u32 levels = 0;

	if (!root)
		return false;	/* withdrawn */
	for (link = READ_ONCE(current->rethooks.first); link; link = link->next) {
		struct rethook_node *node = container_of(link, struct rethook_node, llist);
		const struct inflight *call;

		if (node->rethook == root->returns->kretprobe.rh) {
			call = inflight_of(node);
			if (call->run == root->run &&
			    (call->context & KCATCH_CONTEXT_MASK) == context)
				return !group->levels || levels < group->levels;
		} else if (node->rethook == group->returns->kretprobe.rh) {
			call = inflight_of(node);
			levels += call->run == group->run &&
				  (call->context & KCATCH_CONTEXT_MASK) == context;
		}
	}
	return false;
}

static noinline void fetch_return(const struct kcatch_program_code *program, const struct inflight *call,
			 const u8 *saved, const struct pt_regs *regs, struct kcatch_fetch *fetch)
{
	fetch->ret[0] = regs->ax;
	fetch->ret[1] = regs->dx;
	fetch->saved = saved;
	fetch->saved_faults = call->faults;
	fetch->size = 0;
	fetch->faults = 0;
	fetch->cut = 0;
	if (program->at_return.nr)
		kcatch_fetch_run(&program->at_return, fetch);
}

/* The second record of a call finds no room. */
static noinline void return_lost(const struct kcatch_probe *probe)
{
	struct kcatch_group *group = probe->group;
	struct kcatch_ring *ring = this_cpu_ptr(group->ring);

	this_cpu_inc(probe->counters->return_lost);
	if (ring->data)
		kcatch_ring_take_refused(ring);
	if (ring->data && kcatch_ring_take_filled(ring))
		kcatch_session_wake(group->session, false);
}

static __always_inline void fill_return(struct kcatch_return *record,
					const struct kcatch_probe *probe,
					const struct inflight *call, const struct pt_regs *regs)
{
	record->head.id = KCATCH_RECORD_RETURN | probe->id;
	kcatch_ids_fill(&record->pid, &record->tid);
	record->call = call->call;
	record->latency = to_ns(record->head.time - call->time);
	record->ret = regs->ax;
}

/* The second record of a call. */
static void return_of_entry(const struct inflight *call, const struct pt_regs *regs, u32 mode,
			    int level)
{
	const struct kcatch_probe *probe = call->probe;
	struct kcatch_group *group = probe->group;
	struct kcatch_ring *ring = this_cpu_ptr(group->ring);
	struct kcatch_fetch fetch = { .to = kcatch_workspace_of(level)->at_return };
	struct kcatch_return *record = NULL;

	fetch_return(probe->program, call, call->data, regs, &fetch);
	if (ring->data)
		record = (void *)kcatch_ring_reserve(ring, sizeof(*record) + fetch.size);
	if (!record) {
		return_lost(probe);
		return;
	}
	fill_return(record, probe, call, regs);
	record->faults = fetch.faults;
	record->cut = fetch.cut;
	record->size = fetch.size;
	record->reserved = 0;
	kcatch_copy_words(record->data, fetch.to, fetch.size);
	if (kcatch_ring_commit(ring) || (mode & KCATCH_GROUP_WAKE_EACH))
		kcatch_session_wake(group->session, false);
}

/* The one record of a call, when it passes. */
static noinline void whole_call(struct inflight *call, const struct pt_regs *regs,
		       unsigned long slot, unsigned long caller, int level)
{
	const struct kcatch_probe *probe = call->probe;
	const struct kcatch_program_code *program = probe->program;
	struct kcatch_group *group = probe->group;
	struct kcatch_ring *ring = this_cpu_ptr(group->ring);
	struct kcatch_facts *facts = (void *)call->data;
	u64 latency = to_ns(kcatch_clock_read() - call->time);
	const u8 *entry = call->data + facts_size(program);
	struct kcatch_fetch fetch = { .to = kcatch_workspace_of(level)->at_return };
	enum kcatch_record_result result = KCATCH_RECORD_LOST;
	u32 mode = READ_ONCE(group->mode), walked = 0;
	struct kcatch_stack stack;
	s64 left = 1;

	facts->ret = regs->ax;
	facts->latency = latency;
	facts->cpu = smp_processor_id();
	if (!bpf_prog_run(program->return_condition, facts)) {
		this_cpu_inc(probe->counters->filtered);
		return;
	}
	if (unlikely(mode & KCATCH_GROUP_FROZEN)) {
		this_cpu_inc(probe->counters->over_budget);
		return;
	}
	if (!kcatch_hit_spend(probe, mode, &left))
		return;
	fetch_return(program, call, entry, regs, &fetch);
	if (ring->data) {
		const struct task_struct *task = current;
		struct kcatch_call what = {
			.probe = probe->number, .context = call->context,
			.pid = task->tgid, .tid = task->pid, .comm = task->comm,
		};
		struct kcatch_call_part *part;
		u32 user = kcatch_user_size(program);
		u64 time;
		/* The callers' frames are those of the entry. */
		struct pt_regs at_entry;
		struct kcatch_place place = {
			.ip = probe->address, .caller = caller, .regs = &at_entry, .level = level,
		};

		at_entry.sp = slot;
		at_entry.bp = regs->bp;
		what.stack = kcatch_hit_stack(place, group, &stack, &walked);
		part = kcatch_record_begin(ring, KCATCH_RECORD_CALL, &what,
					   call->entry_size + fetch.size + user, &time);
		if (part) {
			*part = (struct kcatch_call_part) {
				.latency = latency, .ret = regs->ax,
				.faults = { call->faults, fetch.faults },
				.cut = { call->cut, fetch.cut },
				.size = { call->entry_size, fetch.size },
				.user_size = user,
			};
			result = kcatch_record_end(ring, part, entry, fetch.to);
		}
	}
	kcatch_hit_done(probe, mode, left, result);
}

/* What is not the common case. */
static noinline void returned_any(struct kretprobe_instance *instance,
				  const struct pt_regs *regs, int level)
{
	struct inflight *call = (void *)instance->data;
	const struct kcatch_probe *probe = call->probe;
	u32 mode;

	if (!probe)
		return;
	mode = READ_ONCE(probe->group->mode);
	if (!(mode & KCATCH_GROUP_LIVE) || call->run != probe->group->run)
		return;
	this_cpu_dec(probe->counters->in_flight);
	if (level == KCATCH_LEVEL_REFUSED) {
		if (is_whole(probe))
			this_cpu_inc(probe->counters->missed);
		else
			this_cpu_inc(probe->counters->return_lost);
	} else if (is_whole(probe)) {
		unsigned long caller = instance->node.ret_addr, slot = instance->node.frame;

		if (caller == kcatch_stack_trampoline())
			caller = kcatch_returns_address(slot, caller);
		whole_call(call, regs, slot, caller, level);
	} else if (unlikely(mode & KCATCH_GROUP_FROZEN)) {
		this_cpu_inc(probe->counters->return_lost);
	} else {
		return_of_entry(call, regs, mode, level);
	}
}

static noinline void returned_odd(struct kretprobe_instance *instance,
				  const struct pt_regs *regs)
{
	struct kcatch_guard guard;

	kcatch_guard_enter(&guard);
	preempt_enable_notrace();	/* of kcatch_guard_enter_quick() */
	returned_any(instance, regs, guard.level);
	kcatch_guard_leave(&guard);
}

static int call_returned(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct inflight *call = (void *)instance->data;
	const struct kcatch_program_code *program;
	const struct kcatch_probe *probe;
	struct kcatch_return *record;
	struct kcatch_record *head;
	struct kcatch_ring *ring;
	u32 context, busy;

	if (unlikely(!kcatch_guard_enter_quick(&context, &busy))) {
		returned_odd(instance, regs);
		call->run = 0;
		return 0;
	}
	probe = call->probe;
	if (unlikely(!probe || (READ_ONCE(probe->group->mode) &
				(KCATCH_GROUP_LIVE | KCATCH_GROUP_FROZEN | KCATCH_GROUP_WAKE_EACH)) !=
			       KCATCH_GROUP_LIVE || call->run != probe->group->run))
		goto any;
	program = probe->program;
	if (unlikely(program->at_return.nr || program->return_condition))
		goto any;
	ring = this_cpu_ptr(probe->group->ring);
	switch (kcatch_record_reserve_quick(ring, sizeof(*record), &head)) {
	case KCATCH_QUICK_RETREAT:
		kcatch_ring_leave(ring);
		goto any;
	case KCATCH_QUICK_NOT:
		goto any;
	case KCATCH_QUICK_DONE:
		break;
	}
	record = (void *)head;
	fill_return(record, probe, call, regs);
	record->faults = 0;
	record->cut = 0;
	*(u64 *)&record->size = 0;	/* and reserved */
	this_cpu_dec(probe->counters->in_flight);
	call->run = 0;
	kcatch_hit_quick_publish(probe, ring, busy);
	return 0;
any:
	returned_any(instance, regs, context);
	call->run = 0;
	kcatch_guard_leave_quick(busy);
	return 0;
}

/* ---- getting ready ----------------------------------------------------- */

/* What a slot must hold for a probe. */
static u32 slot_size(const struct kcatch_probe *probe)
{
	const struct kcatch_program_code *program = probe->program;

	return sizeof(struct inflight) +
	       (is_whole(probe) ? facts_size(program) + program->entry.size_max :
				  program->at_return.saved);
}

/* What the slots of a group must be fit for. */
struct slot_needs {
	struct kcatch_group *group;
	u32 size;
	bool any;
	bool whole;
};

static void need_slot(struct slot_needs *needs, const struct kcatch_probe *probe)
{
	if (!probe->returns)
		return;
	needs->any = true;
	needs->whole |= is_whole(probe);
	needs->size = max(needs->size, slot_size(probe));
}

/* A program that is given to probes that come while the session runs. */
static void need_slot_later(const struct kcatch_program_code *program, void *data)
{
	struct slot_needs *needs = data;
	const struct kcatch_probe probe = {
		.group = needs->group, .program = program,
		.returns = (needs->group->flags & KCATCH_ADD_RETURN) &&
			   !(program->flags & KCATCH_PROGRAM_ENTRY_ONLY),
	};

	need_slot(needs, &probe);
}

int kcatch_call_prepare(struct kcatch_group *group)
{
	struct slot_needs needs = { .group = group };
	const struct kcatch_group *each;
	struct kcatch_returns *returns;
	u32 size, slots, i;
	int error;

	lockdep_assert_held(&group->session->lock);
	list_for_each_entry(each, &group->session->groups, list)
		for (i = 0; (each == group || each->parent == group) && i < each->nr; i++)
			need_slot(&needs, &each->probes[i]);
	kcatch_pending_each_program(group->pending, need_slot_later, &needs);
	if (!needs.any && !(group->flags & KCATCH_ADD_RETURN))
		return 0;
	size = ALIGN(max_t(u32, needs.size, sizeof(struct inflight)), 8);
	if (group->returns && group->returns->data_size >= size)
		return 0;
	slots = group->max_active ?: ACTIVE_DEFAULT;
	/* No more calls than the budget has are ever under way. */
	if (!group->max_active && !needs.whole && (group->mode & KCATCH_GROUP_LIMITED))
		slots = clamp_t(u64, atomic64_read(&group->left), 1, slots);
	error = kcatch_returns_create(slots, size, call_returned, &returns);
	if (error)
		return error;
	kcatch_returns_destroy(group->returns);
	group->returns = returns;
	return 0;
}

bool kcatch_call_record_fits(const struct kcatch_probe *probe, u32 packet_size)
{
	u32 frames = probe->group->mode & KCATCH_GROUP_NO_STACK ? 0 : probe->group->depth;

	return kcatch_program_record_max(probe->program) + frames * sizeof(u64) <=
	       KCATCH_RING_RECORD_MAX(packet_size);
}

int kcatch_call_init(void)
{
	int cpu;

	if (kcatch_clock_is_tsc)
		ns_multiplier = div_u64(1000000ULL << NS_SHIFT, tsc_khz);
	kcatch_workspaces = alloc_percpu(struct kcatch_workspaces);
	call_numbers = alloc_percpu(u64);
	if (kcatch_workspaces && call_numbers) {
		for_each_possible_cpu(cpu)
			*per_cpu_ptr(call_numbers, cpu) = (u64)(cpu + 1) << CALL_CPU_SHIFT;
		kcatch_fetch_init();
		return 0;
	}
	kcatch_call_exit();
	return -ENOMEM;
}

void kcatch_call_exit(void)
{
	free_percpu(kcatch_workspaces);
	free_percpu(call_numbers);
}
