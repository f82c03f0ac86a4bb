// SPDX-License-Identifier: GPL-2.0-only
/*
 * The slow path of calls: the entry, wherever and however it is hooked. Any context, NMI too,
 * inside a hook. It takes no lock and uses only memory that call_setup.c allocated.
 */
#include "compat/regs.h"
#include "hit/call.h"
#include "hit/call_slot.h"
#include "hit/hit_count.h"
#include "hit/pair.h"

noinline u64 kcatch_call_fetch_fields(const struct kcatch_items *fields, const u64 *args,
				      unsigned long stack, u8 *to)
{
	struct kcatch_fetch fetch = { .words = args, .more = stack, .to = to };

	kcatch_fetch_run(fields, &fetch);
	return fetch.faults;
}

u32 kcatch_call_answer(const struct kcatch_program_code *program, const u64 *args,
		       unsigned long stack, int level)
{
	struct kcatch_condition_input *input = &kcatch_workspace_of(level)->input;

	kcatch_input_fill(input, program, args, stack);
	if (unlikely(program->pair))
		return kcatch_pair_answer(program, input);
	return program->entry_condition ?
	       kcatch_condition_answer(program->entry_condition, input) : true;
}

noinline enum kcatch_record_result
kcatch_call_write(const struct kcatch_probe *probe, u32 kind, const struct kcatch_stack *stack,
		  u32 context, const struct kcatch_call_part *part, const u8 *entry,
		  const u8 *at_return, u64 *time)
{
	const u32 size = part->size[0] + part->size[1];
	struct kcatch_call_part *to;
	struct kcatch_ring *ring;
	struct kcatch_hit *hit;

	hit = kcatch_hit_write(probe, kind, kcatch_stack_pack(stack) | context, stack->frames,
			       sizeof(*part) + size + part->user_size, false, &ring);
	if (unlikely(!hit))
		return KCATCH_RECORD_LOST;
	*time = hit->head.time;
	to = kcatch_part_of(hit);
	*to = *part;
	kcatch_copy_words(to->data, entry, part->size[0]);
	kcatch_copy_words(to->data + part->size[0], at_return, part->size[1]);
	if (unlikely(part->user_size))
		kcatch_fetch_user((void *)(to->data + size), probe->program->user_stack,
				  probe->program->user_maps);
	return kcatch_record_commit(ring);
}

/* Keeps the entry's data in the slot, for what is decided at the return. */
static noinline void keep_call(struct kcatch_inflight *call, const struct kcatch_probe *probe,
			       const struct kcatch_place *place, const struct kcatch_fetch *fetch)
{
	u32 size = kcatch_call_input_size(probe->program);

	if (!call) {
		this_cpu_inc(probe->counters->no_slot);
		this_cpu_inc(probe->counters->undecided);
		return;
	}
	call->context = kcatch_hit_context(*place);
	call->entry_size = fetch->size;
	kcatch_copy_words(call->data, &kcatch_workspace_of(place->level)->input, size);
	kcatch_copy_words(call->data + size, fetch->to, fetch->size);
	kcatch_inflight_fill(call, probe, 0, kcatch_clock_read(), fetch->faults, fetch->cut);
	if (!kcatch_call_is_whole(probe))
		this_cpu_inc(probe->counters->deferred);
}

/* The return address of the function; inside of it, the innermost frame that a record has. */
static unsigned long caller_of(const struct kcatch_place *place,
			       const struct kcatch_counting *counting,
			       struct kcatch_stack *stack, u32 *walked)
{
	if (!place->whole)
		return kcatch_returns_caller(place->caller, kcatch_regs_slot(place->regs));
	if (!counting->caller)
		return 0;
	if (!counting->stack && *walked != 1) {
		stack->frames = kcatch_stack_frames(place->level);
		kcatch_stack_walk_inside(stack, place->ip, place->regs, 1);
		*walked = 1;
	}
	return stack->nr ? stack->frames[0] : 0;
}

static noinline void count_entry(const struct kcatch_probe *probe, const struct kcatch_place *place,
				 struct kcatch_stack *stack, u32 *walked)
{
	const struct kcatch_counting *counting = probe->program->counting;
	struct kcatch_count_hit hit = {
		.input = &kcatch_workspace_of(place->level)->input, .level = place->level,
	};

	if (counting->stack)
		hit.stack = kcatch_hit_walked(*place, probe->group, stack, walked);
	hit.caller = caller_of(place, counting, stack, walked);
	kcatch_count_hit(probe, &hit, READ_ONCE(probe->group->mode));
}

void kcatch_call_entry(const struct kcatch_probe *probe, unsigned long caller,
		       struct pt_regs *regs, u32 where, u32 answer, struct kcatch_stack *stack,
		       u32 *walked)
{
	const struct kcatch_place place = kcatch_place_unpack(probe->address, caller, regs, where);
	const struct kcatch_program_code *program = probe->program;
	struct kcatch_group *group = probe->group;
	enum kcatch_record_result result;
	u32 mode = READ_ONCE(group->mode), context;
	struct kcatch_inflight *call = NULL;
	struct kcatch_call_part part = {};
	struct kcatch_fetch fetch;
	const bool whole = kcatch_call_is_whole(probe) || !kcatch_answer_holds(answer);
	u64 time;
	s64 left = 1;

	if (unlikely(program->needs & KCATCH_NEEDS_COUNT)) {
		const struct kcatch_place at = place;

		count_entry(probe, &at, stack, walked);
		return;
	}
	if (!whole && !kcatch_hit_spend(probe, mode, &left))
		return;
	fetch.to = kcatch_workspace_of(place.level)->entry;
	fetch.size = 0;
	fetch.faults = 0;
	fetch.cut = 0;
	if (program->entry.nr) {
		fetch.words = kcatch_args_of(regs);
		fetch.more = kcatch_regs_caller_sp(regs);
		fetch.missed = 0;
		fetch.latency = kcatch_pair_latency(program, place.level);
		kcatch_fetch_run(&program->entry, &fetch);
	}
	if (probe->returns) {
		call = kcatch_inflight_hook(group->returns, regs, place.context);
		if (likely(call))
			part.call = kcatch_call_new();
		if (whole) {
			const struct kcatch_place at = place;

			keep_call(call, probe, &at, &fetch);
			return;
		}
	}
	context = kcatch_hit_context(place);
	part.faults[0] = fetch.faults;
	part.cut[0] = fetch.cut;
	part.size[0] = fetch.size;
	part.user_size = kcatch_program_user_size(program);
	result = kcatch_call_write(probe, KCATCH_RECORD_ENTRY,
				   kcatch_hit_stack(place, group, stack, walked), context, &part,
				   fetch.to, NULL, &time);
	if (call) {
		/* If the entry was lost, the return is not reported. */
		if (likely(result != KCATCH_RECORD_LOST)) {
			call->context = context;
			call->entry_size = fetch.size;
			kcatch_copy_words(call->data, fetch.to, program->at_return.saved);
			kcatch_inflight_fill(call, probe, part.call, time, fetch.faults, fetch.cut);
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

bool kcatch_call_wanted(const void *data, struct pt_regs *regs, u32 context)
{
	const struct kcatch_probe *probe = data;
	const struct kcatch_program_code *program = probe->program;
	const struct kcatch_group *group = probe->group;
	u32 mode = READ_ONCE(group->mode);

	/* LIVE is not asked: the group may become live before the entry is handled. */
	if ((mode & KCATCH_GROUP_FROZEN) ||
	    ((mode & KCATCH_GROUP_LIMITED) && atomic64_read(&group->left) <= 0) ||
	    /* Another probe here may be what this call will be under. */
	    ((mode & (KCATCH_GROUP_GATED | KCATCH_GROUP_OTHERS)) &&
	     !(group->flags & KCATCH_ADD_UNDER) && kcatch_gate_refuses(group, context)))
		return false;
	return program->needs != KCATCH_NEEDS_ANY ||
	       kcatch_condition_admits(program, kcatch_args_of(regs));
}
