// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records calls: entries with arguments, and returns. Any context, NMI too, inside a hook. It takes
 * no lock and uses only memory that call_setup.c allocated.
 */
#include <linux/cred.h>
#include <linux/filter.h>
#include <linux/percpu.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include "call.h"
#include "call_parts.h"
#include "program.h"
#include "returns.h"

/* Set by call_setup.c. */
struct kcatch_workspaces __percpu *kcatch_workspaces __read_mostly;
u64 __percpu *kcatch_call_numbers __read_mostly;
u32 kcatch_call_ns_multiplier __read_mostly;

static __always_inline u64 to_ns(u64 ticks)
{
	u64 low = ticks, high;

	if (unlikely(!kcatch_clock_is_tsc))
		return ticks;
	/* mul_u64_u32_shr() uses 128 bits, for which the compiler aligns the stack. */
	asm("mulq %2\n\tshrdq %3, %1, %0"
	    : "+&a" (low), "=&d" (high)
	    : "r" ((u64)kcatch_call_ns_multiplier), "i" (KCATCH_CALL_NS_SHIFT)
	    : "cc");
	return low;
}

static __always_inline u64 new_call(void)
{
	return this_cpu_inc_return(*kcatch_call_numbers);
}

static __always_inline struct kcatch_inflight *inflight_of(struct rethook_node *node)
{
	return (void *)container_of(node, struct kretprobe_instance, node)->data;
}

/* ---- the entry --------------------------------------------------------- */

static __always_inline void fill_input(struct kcatch_condition_input *input,
				       const struct kcatch_program_code *program,
				       const u64 *args, unsigned long stack)
{
	u32 i;

#pragma GCC unroll 7
	for (i = 0; i < KCATCH_ARGS; i++)
		input->args[i] = args[i];
	input->faults = 0;
	input->ret = 0;
	input->latency = 0;
	if (program->needs & KCATCH_NEEDS_TASK) {
		const struct task_struct *task = current;

		input->pid = task->tgid;
		input->tid = task->pid;
		input->cpu = smp_processor_id();
		input->uid = __kuid_val(rcu_dereference_raw(task->cred)->uid);
		memcpy(input->comm, task->comm, sizeof(input->comm));
	}
	if (program->fields.nr) {
		struct kcatch_fetch fetch = {
			.args = args, .stack = stack, .to = input->fields,
		};

		kcatch_fetch_run(&program->fields, &fetch);
		input->faults = fetch.faults;
	}
}

bool kcatch_call_refused(const struct kcatch_program_code *program, const u64 *args,
			 unsigned long stack, int level)
{
	struct kcatch_condition_input *input = &kcatch_workspace_of(level)->input;

	fill_input(input, program, args, stack);
	return program->entry_condition &&
	       !kcatch_condition_holds(program->entry_condition, input);
}

/*
 * Hooks the return and takes a slot, which the caller fills in. Until then a hook in an interrupt
 * must not take the slot for a call: its run is 0, because a slot is given back with run 0 and runs
 * count from 1. NULL: no slot is free, or the context is NMI.
 *
 * No return is hooked in an NMI, which includes int3 and #DB. The kernel's return handler sets the
 * CPU's current kprobe and clears it afterwards. If it ran inside a kprobe's int3 handler, that
 * handler would then find no kprobe; therefore the kernel arms no kretprobe while a kprobe runs.
 * @context is the context of what was hit, below the exception of a kprobe that reported it.
 */
static __always_inline struct kcatch_inflight *hook_return(struct kcatch_returns *returns,
							   struct pt_regs *regs, u32 context)
{
	const struct llist_node *before = READ_ONCE(current->rethooks.first), *node;

	if (unlikely(context == KCATCH_CONTEXT_NMI))
		return NULL;
	kcatch_returns_hook(returns, regs);
	/* What interrupts put on this list they have taken off again. */
	node = READ_ONCE(current->rethooks.first);
	if (unlikely(node == before))
		return NULL;
	return inflight_of(container_of(node, struct rethook_node, llist));
}

/* Fills in a slot. Its run is set last: only then do hooks in interrupts take it for a call. */
static __always_inline void fill_slot(struct kcatch_inflight *call,
				      const struct kcatch_probe *probe, u64 number, u64 time,
				      u64 faults, u64 cut)
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

/* Keeps the entry's data in the slot, for the condition on the return. */
static noinline void keep_call(struct kcatch_inflight *call, const struct kcatch_probe *probe,
			       const struct kcatch_place *place, const struct kcatch_fetch *fetch)
{
	u32 size = kcatch_call_input_size(probe->program);

	if (!call) {
		this_cpu_inc(probe->counters->missed);
		this_cpu_inc(probe->counters->no_slot);
		return;
	}
	call->context = kcatch_hit_context(*place);
	call->entry_size = fetch->size;
	kcatch_copy_words(call->data, &kcatch_workspace_of(place->level)->input, size);
	kcatch_copy_words(call->data + size, fetch->to, fetch->size);
	fill_slot(call, probe, 0, kcatch_clock_read(), fetch->faults, fetch->cut);
}

/* The fast path of keep_call(): the only condition is on the return, and the entry's list is plain.
 * Leaves the guard. */
static noinline void keep_call_fast(const struct kcatch_probe *probe, struct pt_regs *regs,
				    u32 where)
{
	const struct kcatch_place place = kcatch_place_fast(probe->address, 0, regs, where);
	const struct kcatch_program_code *program = probe->program;
	struct kcatch_inflight *call = hook_return(probe->group->returns, regs, place.context);
	struct kcatch_condition_input *input;

	if (likely(call)) {
		input = (void *)call->data;
		fill_input(input, program, kcatch_args_of(regs), 0);
		call->context = kcatch_hit_context(place);
		call->entry_size = program->entry.size_max;
		kcatch_fetch_plain(&program->entry, kcatch_args_of(regs),
				   call->data + kcatch_call_input_size(program));
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
	struct kcatch_inflight *call = NULL;
	struct kcatch_fetch fetch;
	struct kcatch_ring *ring;
	struct kcatch_call_info what;
	u64 number = 0, time;
	s64 left = 1;

	if (!kcatch_call_is_whole(probe) && !kcatch_hit_spend(probe, mode, &left))
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
		call = hook_return(group->returns, regs, place.context);
		if (likely(call))
			number = new_call();
		if (kcatch_call_is_whole(probe)) {
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
		/* If the entry was lost, the return is not reported. */
		if (likely(result != KCATCH_RECORD_LOST)) {
			call->context = what.context;
			call->entry_size = fetch.size;
			kcatch_copy_words(call->data, fetch.to, program->at_return.saved);
			fill_slot(call, probe, number, time, fetch.faults, fetch.cut);
		} else {
			call->probe = NULL;
			/* The kernel took the slot back itself, with its run, from a thread that
			 * ended in a call. */
			call->run = 0;
		}
	} else if (probe->returns && result != KCATCH_RECORD_LOST) {
		this_cpu_inc(probe->counters->no_slot);
	}
	kcatch_hit_done(probe, mode, left, result);
}

void kcatch_call_condition(const struct kcatch_probe *probe, unsigned long caller, u32 where,
			   struct pt_regs *regs)
{
	if (kcatch_condition_holds(probe->program->entry_condition, kcatch_args_of(regs))) {
		kcatch_call_fast(probe, caller, where, regs);
		return;
	}
	this_cpu_inc(probe->counters->filtered);
	kcatch_where_leave(where);
}

/*
 * The fast path of kcatch_call_entry(): only register arguments are fetched, and every call that
 * the condition passes is recorded. Every other case goes to the slow path before any state has
 * changed.
 */
void kcatch_call_fast(const struct kcatch_probe *probe, unsigned long caller, u32 where,
		      struct pt_regs *regs)
{
	const struct kcatch_place place = kcatch_place_fast(probe->address, caller, regs, where);
	const struct kcatch_program_code *program = probe->program;
	const struct kcatch_group *group = probe->group;
	u32 mode = READ_ONCE(group->mode), size;
	struct kcatch_call_part *part;
	struct kcatch_inflight *call;
	struct kcatch_record *record;
	struct kcatch_stack stack;
	struct kcatch_ring *ring;
	struct kcatch_hit *hit;
	u64 rest;

	/* The gate has been passed, and a condition over arguments. */
	if (unlikely((mode & KCATCH_GROUP_SLOW) || !program->entry.plain || program->user_stack))
		goto any;
	if (unlikely(program->needs & ~KCATCH_NEEDS_ANY)) {
		if (program->entry_condition || program->fields.nr)
			goto any;
		keep_call_fast(probe, regs, where);
		return;
	}
	ring = this_cpu_ptr(group->ring);
	size = program->entry.size_max;
	stack.nr = 0;
	stack.frames = NULL;
	rest = KCATCH_STACK_NONE << 8;
	if (!(mode & KCATCH_GROUP_NO_STACK)) {
		stack.frames = kcatch_stack_frames(place.level);
		kcatch_hit_walk(&stack, probe, caller, regs);
		rest = kcatch_hit_stack_word(&stack);
	}
	record = kcatch_record_reserve_fast(ring, sizeof(*hit) + stack.nr * sizeof(u64) +
					    sizeof(*part) + size);
	if (unlikely(!record))
		goto any;
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
		call = hook_return(group->returns, regs, place.context);
		if (likely(call)) {
			call->context = rest;
			part->call = new_call();
			kcatch_copy_words(call->data, part->data, program->at_return.saved);
			fill_slot(call, probe, part->call, hit->head.time, 0, 0);
		} else {
			this_cpu_inc(probe->counters->no_slot);
		}
	}
	kcatch_hit_fast_end(probe, ring, kcatch_where_busy(where));
	return;
any:
	kcatch_hit_slow_entry(probe, caller, where, regs);
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
		const struct kcatch_inflight *call;

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

static noinline void fetch_return(const struct kcatch_program_code *program,
				  const struct kcatch_inflight *call, const u8 *saved,
				  const struct pt_regs *regs, struct kcatch_fetch *fetch)
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

/* Counts a return whose record found no room. */
static noinline void return_lost(const struct kcatch_probe *probe)
{
	struct kcatch_group *group = probe->group;
	struct kcatch_ring *ring = this_cpu_ptr(group->ring);

	this_cpu_inc(probe->counters->return_lost);
	if (ring->data)
		kcatch_ring_take_refused(ring);
	if (ring->data && kcatch_ring_take_filled(ring))
		kcatch_output_wake(group->output, false);
}

static __always_inline void fill_return(struct kcatch_return *record,
					const struct kcatch_probe *probe,
					const struct kcatch_inflight *call,
					const struct pt_regs *regs)
{
	record->head.id = KCATCH_RECORD_RETURN | probe->id;
	kcatch_ids_fill(&record->pid, &record->tid);
	record->call = call->call;
	record->latency = to_ns(record->head.time - call->time);
	record->ret = regs->ax;
}

/* Records a return: the second record of a call. */
static void return_of_entry(const struct kcatch_inflight *call, const struct pt_regs *regs,
			    u32 mode, int level)
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
		kcatch_output_wake(group->output, false);
}

/* Is the condition on the return false? It sees the entry as keep_call() kept it. */
static __always_inline bool return_refused(struct kcatch_inflight *call,
					   const struct pt_regs *regs)
{
	struct kcatch_condition_input *input = (void *)call->data;

	input->ret = regs->ax;
	input->latency = to_ns(kcatch_clock_read() - call->time);
	input->cpu = smp_processor_id();
	return !kcatch_condition_holds(call->probe->program->return_condition, input);
}

/* The one record of a call that return_refused() let pass. */
static noinline void whole_call(struct kretprobe_instance *instance, const struct pt_regs *regs,
				int level)
{
	struct kcatch_inflight *call = (void *)instance->data;
	const struct kcatch_condition_input *input = (void *)call->data;
	const struct kcatch_probe *probe = call->probe;
	const struct kcatch_program_code *program = probe->program;
	struct kcatch_group *group = probe->group;
	struct kcatch_ring *ring = this_cpu_ptr(group->ring);
	const u8 *entry = call->data + kcatch_call_input_size(program);
	struct kcatch_fetch fetch = { .to = kcatch_workspace_of(level)->at_return };
	enum kcatch_record_result result = KCATCH_RECORD_LOST;
	u32 mode = READ_ONCE(group->mode), walked = 0;
	unsigned long caller = instance->node.ret_addr, slot = instance->node.frame;
	struct kcatch_stack stack;
	s64 left = 1;

	if (caller == kcatch_stack_trampoline())
		caller = kcatch_returns_address(slot, caller);
	if (unlikely(mode & KCATCH_GROUP_FROZEN)) {
		this_cpu_inc(probe->counters->over_budget);
		return;
	}
	if (!kcatch_hit_spend(probe, mode, &left))
		return;
	fetch_return(program, call, entry, regs, &fetch);
	if (ring->data) {
		const struct task_struct *task = current;
		struct kcatch_call_info what = {
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
				.latency = input->latency, .ret = regs->ax,
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

/* The slow path of a return; @level is the guard's, or KCATCH_LEVEL_REFUSED. */
static noinline void returned_slow(struct kretprobe_instance *instance,
				  const struct pt_regs *regs, int level)
{
	struct kcatch_inflight *call = (void *)instance->data;
	const struct kcatch_probe *probe = call->probe;
	u32 mode;

	if (!probe)
		return;
	mode = READ_ONCE(probe->group->mode);
	if (!(mode & KCATCH_GROUP_LIVE) || call->run != probe->group->run)
		return;
	this_cpu_dec(probe->counters->in_flight);
	if (level == KCATCH_LEVEL_REFUSED) {
		if (kcatch_call_is_whole(probe))
			this_cpu_inc(probe->counters->missed);
		else
			this_cpu_inc(probe->counters->return_lost);
	} else if (kcatch_call_is_whole(probe)) {
		if (return_refused(call, regs))
			this_cpu_inc(probe->counters->filtered);
		else
			whole_call(instance, regs, level);
	} else if (unlikely(mode & KCATCH_GROUP_FROZEN)) {
		this_cpu_inc(probe->counters->return_lost);
	} else {
		return_of_entry(call, regs, mode, level);
	}
}

static noinline void returned_nested(struct kretprobe_instance *instance,
				  const struct pt_regs *regs)
{
	struct kcatch_guard guard;

	kcatch_guard_enter(&guard);
	preempt_enable_notrace();	/* of kcatch_guard_enter_fast() */
	returned_slow(instance, regs, guard.level);
	kcatch_guard_leave(&guard);
}

/* A return with a condition, of a group that needs no more than its record. */
static noinline int returned_whole(struct kretprobe_instance *instance,
				   const struct pt_regs *regs, u32 where)
{
	struct kcatch_inflight *call = (void *)instance->data;
	const struct kcatch_probe *probe = call->probe;

	this_cpu_dec(probe->counters->in_flight);
	if (return_refused(call, regs))
		this_cpu_inc(probe->counters->filtered);
	else
		whole_call(instance, regs, (u8)where);
	call->run = 0;
	kcatch_where_leave(where);
	return 0;
}

int kcatch_call_returned(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kcatch_inflight *call = (void *)instance->data;
	const struct kcatch_program_code *program;
	const struct kcatch_probe *probe;
	struct kcatch_return *record;
	struct kcatch_record *head;
	struct kcatch_ring *ring;
	u32 context, busy;

	if (unlikely(!kcatch_guard_enter_fast(&context, &busy))) {
		returned_nested(instance, regs);
		call->run = 0;
		return 0;
	}
	probe = call->probe;
	if (unlikely(!probe || (READ_ONCE(probe->group->mode) & KCATCH_GROUP_SLOW_RETURN) ||
		     call->run != probe->group->run))
		goto any;
	program = probe->program;
	if (program->return_condition)
		return returned_whole(instance, regs, kcatch_where_fast(context, busy));
	if (unlikely(program->at_return.nr))
		goto any;
	ring = this_cpu_ptr(probe->group->ring);
	head = kcatch_record_reserve_fast(ring, sizeof(*record));
	if (unlikely(!head))
		goto any;
	record = (void *)head;
	fill_return(record, probe, call, regs);
	record->faults = 0;
	record->cut = 0;
	*(u64 *)&record->size = 0;	/* and reserved */
	this_cpu_dec(probe->counters->in_flight);
	call->run = 0;
	kcatch_hit_fast_publish(probe, ring, busy);
	return 0;
any:
	returned_slow(instance, regs, context);
	call->run = 0;
	kcatch_guard_leave_fast(busy);
	return 0;
}
