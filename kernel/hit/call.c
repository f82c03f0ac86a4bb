// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records the entries of calls on the fast path: sites with one probe, at a function's entry, in a
 * group that needs nothing but its gate. Every other case goes to call_slow.c before any state has
 * changed. Any context, NMI too, inside a hook. It takes no lock and uses only memory that
 * call_setup.c allocated.
 */
#include "compat/regs.h"
#include "hit/call.h"
#include "hit/call_slot.h"
#include "hit/hit_count.h"

/* Set by call_setup.c. */
struct kcatch_workspaces __percpu *kcatch_workspaces __read_mostly;
u64 __percpu *kcatch_call_numbers __read_mostly;
u32 kcatch_call_ns_multiplier __read_mostly;

/* Hooks the return of a call, of which all but that is recorded. */
static __always_inline void hook_return(const struct kcatch_probe *probe,
					const struct kcatch_hit *hit,
					struct kcatch_call_part *part, struct pt_regs *regs,
					u32 where)
{
	struct kcatch_inflight *call;
	u32 saved;

	call = kcatch_inflight_hook(probe->group->returns, regs, (u8)where);
	if (likely(call)) {
		call->context = hit->context;
		part->call = kcatch_call_new();
		/* Read again, not kept over the call. */
		saved = READ_ONCE(probe->program)->at_return.saved;
		if (saved)
			kcatch_copy_words(call->data, part->data, saved);
		kcatch_inflight_fill(call, probe, part->call, hit->head.time, part->faults[0],
				     part->cut[0]);
	} else {
		this_cpu_inc(probe->counters->no_slot);
	}
}

/* The fast path of kcatch_call_entry(): every call is recorded. Every other case goes to the slow
 * path before any state has changed. @words: what is fetched is a list of words, whose size is
 * known before; else it is fetched first, into the workspace */
static __always_inline void record_call(const struct kcatch_probe *probe, unsigned long caller,
					u32 where, struct pt_regs *regs, const bool words)
{
	const struct kcatch_program_code *program = probe->program;
	const struct kcatch_group *group = probe->group;
	u32 size = program->entry.size_max;
	struct kcatch_call_part *part;
	struct kcatch_fetch fetch;
	struct kcatch_ring *ring;
	struct kcatch_hit *hit;

	fetch.faults = fetch.cut = 0;
	if (!words) {
		fetch.to = kcatch_workspace_of((u8)where)->entry;
		fetch.words = kcatch_args_of(regs);
		fetch.more = kcatch_regs_caller_sp(regs);
		fetch.missed = 0;
		fetch.latency = 0;
		kcatch_fetch_run(&program->entry, &fetch);
		size = fetch.size;
	}
	hit = kcatch_hit_write_entry(probe, KCATCH_RECORD_ENTRY, caller, regs, where,
				     sizeof(*part) + size,
				     !(READ_ONCE(group->mode) & KCATCH_GROUP_NO_STACK), &ring);
	if (unlikely(!hit)) {
		kcatch_hit_slow_again(probe, where, regs);
		return;
	}
	part = kcatch_part_of(hit);
	/* Read again, not kept over the walk. */
	program = READ_ONCE(probe->program);
	size = words ? READ_ONCE(program->entry.size_max) : fetch.size;
	part->call = 0;
	if (words && program->entry.nr)
		fetch.faults = kcatch_fetch_fixed(&program->entry, kcatch_args_of(regs),
						  kcatch_regs_caller_sp(regs), part->data);
	else if (!words)
		kcatch_copy_words(part->data, fetch.to, size);
	kcatch_entry_part_fill(part, fetch.faults, fetch.cut, size);
	if (probe->returns)
		hook_return(probe, hit, part, regs, where);
	kcatch_hit_fast_end(probe, ring, 0);
}

noinline void kcatch_call_words(const struct kcatch_probe *probe, unsigned long caller,
				u32 where, struct pt_regs *regs)
{
	record_call(probe, caller, where, regs, true);
}

static noinline void call_any(const struct kcatch_probe *probe, unsigned long caller, u32 where,
			      struct pt_regs *regs)
{
	record_call(probe, caller, where, regs, false);
}

/* Records a call whose program has no condition on the entry, or one that holds. */
static __always_inline void call_admitted(const struct kcatch_probe *probe, unsigned long caller,
					  u32 where, struct pt_regs *regs)
{
	const struct kcatch_program_code *program = probe->program;

	if (program->user_stack)
		kcatch_hit_slow_entry(probe, caller, where, regs);
	else if (program->entry.words)
		kcatch_call_words(probe, caller, where, regs);
	else
		call_any(probe, caller, where, regs);
}

static noinline void call_condition_slow(const struct kcatch_probe *probe, unsigned long caller,
					 u32 where, struct pt_regs *regs)
{
	u32 answer = kcatch_condition_answer(probe->program->entry_condition, kcatch_args_of(regs));

	if (kcatch_answer_holds(answer)) {
		call_admitted(probe, caller, where, regs);
		return;
	}
	kcatch_hit_turned_down(probe, answer);
	kcatch_guard_leave_fast(0);
}

/* Calls nothing but at its end, so that no register is saved. */
void kcatch_call_condition(const struct kcatch_probe *probe, unsigned long caller, u32 where,
			   struct pt_regs *regs)
{
	const struct kcatch_range *range = &probe->program->range;

	if (unlikely(!range->scale)) {
		call_condition_slow(probe, caller, where, regs);
	} else if (kcatch_range_has(range, kcatch_args_of(regs))) {
		call_admitted(probe, caller, where, regs);
	} else {
		this_cpu_inc(probe->counters->filtered);
		kcatch_guard_leave_fast(0);
	}
}

/* The fast path of keep_call(): the only condition is on the return, and the entry's list is one of
 * words. Leaves the guard. */
static noinline void keep_call_fast(const struct kcatch_probe *probe, struct pt_regs *regs,
				    u32 where)
{
	const struct kcatch_place place = kcatch_place_fast(probe->address, 0, regs, where);
	const struct kcatch_program_code *program = probe->program;
	struct kcatch_condition_input *input;
	struct kcatch_inflight *call;
	u64 faults = 0;

	call = kcatch_inflight_hook(probe->group->returns, regs, place.context);
	if (likely(call)) {
		input = (void *)call->data;
		kcatch_input_fill(input, program, kcatch_args_of(regs), 0);
		call->context = kcatch_hit_context(place);
		call->entry_size = program->entry.size_max;
		if (program->entry.nr)
			faults = kcatch_fetch_fixed(&program->entry, kcatch_args_of(regs),
						    kcatch_regs_caller_sp(regs),
						    call->data + kcatch_call_input_size(program));
		kcatch_inflight_fill(call, probe, 0, kcatch_clock_read(), faults, 0);
	} else {
		this_cpu_inc(probe->counters->no_slot);
		this_cpu_inc(probe->counters->undecided);
	}
	kcatch_guard_leave_fast(0);
}

/* A condition on the entry that needs more than arguments; there is none on the return. */
static noinline void call_fields(const struct kcatch_probe *probe, unsigned long caller,
				 u32 where, struct pt_regs *regs)
{
	const struct kcatch_program_code *program = probe->program;
	struct kcatch_condition_input *input = &kcatch_workspace_of((u8)where)->input;
	u32 answer;

	kcatch_input_fill(input, program, kcatch_args_of(regs), kcatch_regs_caller_sp(regs));
	answer = kcatch_condition_answer(program->entry_condition, input);
	if (kcatch_answer_holds(answer)) {
		call_admitted(probe, caller, where, regs);
		return;
	}
	if (unlikely(answer) && kcatch_call_may_defer(probe, (u8)where)) {
		kcatch_hit_slow_entry(probe, caller, where, regs);
		return;
	}
	kcatch_hit_turned_down(probe, answer);
	kcatch_guard_leave_fast(0);
}

/* call_fields() where the condition is one comparison of one item. Calls nothing but at its end, so
 * that no register is saved. */
static noinline void call_field(const struct kcatch_probe *probe, unsigned long caller, u32 where,
				struct pt_regs *regs)
{
	const struct kcatch_program_code *program = probe->program;
	u64 value;

	if (unlikely(!kcatch_fetch_one(&program->fields, kcatch_args_of(regs), &value))) {
		call_fields(probe, caller, where, regs);
	} else if (kcatch_code_test(program->field, value) == KCATCH_EXIT_YES) {
		call_admitted(probe, caller, where, regs);
	} else {
		this_cpu_inc(probe->counters->filtered);
		kcatch_guard_leave_fast(0);
	}
}

void kcatch_call_more(const struct kcatch_probe *probe, unsigned long caller, u32 where,
		      struct pt_regs *regs)
{
	const struct kcatch_program_code *program = probe->program;

	if (!program->needs)
		call_admitted(probe, caller, where, regs);
	else if (program->needs & KCATCH_NEEDS_KEEP)
		keep_call_fast(probe, regs, where);
	else if (!program->return_condition && program->field)
		call_field(probe, caller, where, regs);
	else if (!program->return_condition && !program->pair)
		call_fields(probe, caller, where, regs);
	else
		kcatch_hit_slow_entry(probe, caller, where, regs);
}
