// SPDX-License-Identifier: GPL-2.0-only
/*
 * What comes of a call at its return. Any context, NMI too, inside a hook. It takes no lock and
 * uses only memory that call_setup.c allocated.
 */
#include "compat/regs.h"
#include "hit/call.h"
#include "hit/call_slot.h"
#include "hit/hit_count.h"
#include "returns/returns_public.h"

/* kcatch_call_is_under() in the public way. Of one context all frames are on one stack. */
static bool is_under_public(const struct kcatch_group *group, const struct kcatch_group *root,
			    u32 context)
{
	const struct kcatch_inflight *call = NULL;
	unsigned long outermost;
	u32 levels = 0;

	while ((call = kcatch_returns_public_each(root->returns, call)))
		if (call->run == root->run && (call->context & KCATCH_CONTEXT_MASK) == context)
			break;
	if (!call)
		return false;
	outermost = kcatch_returns_public_frame_of(root->returns, call);
	for (call = NULL; (call = kcatch_returns_public_each(group->returns, call));)
		levels += call->run == group->run &&
			  (call->context & KCATCH_CONTEXT_MASK) == context &&
			  kcatch_returns_public_frame_of(group->returns, call) < outermost;
	return !group->levels || levels < group->levels;
}

bool kcatch_call_is_under(const struct kcatch_group *group, u32 context)
{
	const struct kcatch_group *root = READ_ONCE(group->root);
	const struct llist_node *node;
	u32 levels = 0;

	if (!root)
		return false;	/* withdrawn */
	if (static_branch_unlikely(&kcatch_returns_public))
		return is_under_public(group, root, context);
	for (node = kcatch_rethook_first(current); node; node = node->next) {
		const struct kcatch_inflight *call;

		if (kcatch_rethook_is(node, &root->returns->kretprobe)) {
			call = kcatch_inflight_of(node);
			if (call->run == root->run &&
			    (call->context & KCATCH_CONTEXT_MASK) == context)
				return !group->levels || levels < group->levels;
		} else if (kcatch_rethook_is(node, &group->returns->kretprobe)) {
			call = kcatch_inflight_of(node);
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
	fetch->words = kcatch_results_of(regs);
	fetch->more = (unsigned long)saved;
	fetch->missed = call->faults;
	fetch->size = 0;
	fetch->faults = 0;
	fetch->cut = 0;
	if (program->at_return.nr)
		kcatch_fetch_run(&program->at_return, fetch);
}

/* Counts a return whose record found no room. In frozen rings its call stays under way. */
static noinline void return_lost(const struct kcatch_probe *probe)
{
	struct kcatch_group *group = probe->group;
	struct kcatch_ring *ring = this_cpu_ptr(group->ring);

	if (ring->data && kcatch_ring_take_refused(ring))
		this_cpu_inc(probe->counters->in_flight);
	else
		this_cpu_inc(probe->counters->return_lost);
	if (ring->data && kcatch_ring_take_filled(ring))
		kcatch_output_wake(group->output, false);
}

/* Writes a RETURN, but for its data. @regs: at the return. @switched: the call may have been
 * switched out. NULL: no room */
static __always_inline struct kcatch_return *
write_return(const struct kcatch_probe *probe, const struct kcatch_inflight *call,
	     const struct pt_regs *regs, u32 size, const bool fast, const bool switched,
	     struct kcatch_ring **ring)
{
	struct kcatch_return *record;
	struct kcatch_off_cpu off = {};

	*ring = this_cpu_ptr(probe->group->ring);
	if (!fast && unlikely(!(*ring)->data))
		return NULL;
	record = kcatch_record_new(*ring, KCATCH_RECORD_RETURN | probe->id, sizeof(*record) + size,
				   fast);
	if (unlikely(!record))
		return NULL;
	record->call = call->call;
	record->latency = kcatch_call_ns(record->head.time - call->time);
	if (switched && unlikely(call->switches))
		off = kcatch_off_cpu_of(call, record->latency);
	record->runnable = off.runnable;
	record->blocked = off.blocked;
	record->ret = kcatch_regs_result(regs);
	record->size = size;
	record->switches = off.switches;
	return record;
}

/* Records a return: the second record of a call. */
static void return_of_entry(const struct kcatch_inflight *call, const struct pt_regs *regs,
			    u32 mode, int level)
{
	const struct kcatch_probe *probe = call->probe;
	struct kcatch_fetch fetch = { .to = kcatch_workspace_of(level)->at_return };
	struct kcatch_return *record;
	struct kcatch_ring *ring;

	fetch_return(probe->program, call, call->data, regs, &fetch);
	record = write_return(probe, call, regs, fetch.size, false, true, &ring);
	if (!record) {
		return_lost(probe);
		return;
	}
	record->faults = fetch.faults;
	record->cut = fetch.cut;
	kcatch_copy_words(record->data, fetch.to, fetch.size);
	if (kcatch_ring_commit(ring) || (mode & KCATCH_GROUP_WAKE_EACH))
		kcatch_output_wake(probe->group->output, false);
}

/* Is a call that has no record yet decided now? */
static __always_inline bool is_whole(const struct kcatch_inflight *call)
{
	return !call->call;
}

/* Reads user memory again that the conditions could not read at the entry. */
static void read_fields_again(struct kcatch_condition_input *input,
			      const struct kcatch_items *fields, int level)
{
	u8 *to = kcatch_workspace_of(level)->entry;
	u32 size = kcatch_fetch_again(fields, input->args, input->fields, to, &input->faults);

	memcpy(input->fields, to, size);
}

/* The conditions, if there was what they could not read at the entry. */
static noinline u32 answer_again(struct kcatch_condition_input *input,
				 const struct kcatch_program_code *program, int level)
{
	u32 entry = true, at_return = true;

	read_fields_again(input, &program->fields, level);
	/* The condition on the entry sees the CPU of the entry, that on the return its own. */
	if (program->entry_condition)
		entry = kcatch_condition_again(program->entry_condition, input);
	input->cpu = smp_processor_id();
	if (program->return_condition)
		at_return = kcatch_condition_answer(program->return_condition, input);
	if (!entry || !at_return)
		return false;
	return kcatch_answer_holds(entry) ? at_return : entry;
}

/* The answer of the conditions of a call that is_whole(), with @ret and @latency filled in. They
 * see the entry as keep_call() kept it. */
static __always_inline u32 answer_of(struct kcatch_inflight *call,
				     const struct kcatch_program_code *program, int level)
{
	struct kcatch_condition_input *input = (void *)call->data;

	if (unlikely(program->needs & KCATCH_NEEDS_OFF_CPU))
		kcatch_off_cpu_put(call, input);
	if (unlikely(input->faults))
		return answer_again(input, program, level);
	input->cpu = smp_processor_id();
	return kcatch_condition_answer(program->return_condition, input);
}

static __always_inline u32 return_answer(struct kcatch_inflight *call,
					 const struct kcatch_probe *probe,
					 const struct pt_regs *regs, int level)
{
	struct kcatch_condition_input *input = (void *)call->data;

	kcatch_input_return(input, call, regs);
	return answer_of(call, probe->program, level);
}

/* Adds a call that return_answer() let pass to its row. @caller: return address of the function */
static noinline void count_return(const struct kcatch_probe *probe,
				  const struct kcatch_inflight *call, const struct pt_regs *regs,
				  unsigned long caller, unsigned long slot, int level)
{
	struct kcatch_count_hit hit = {
		.input = (const void *)call->data, .caller = caller, .level = level,
	};
	struct kcatch_stack stack;
	u32 walked = 0;
	/* The callers' frames are those of the entry. */
	struct pt_regs at_entry;
	const struct kcatch_place place = {
		.ip = probe->address, .caller = caller, .regs = &at_entry, .level = level,
	};

	if (probe->program->counting->stack) {
		kcatch_regs_at_entry(&at_entry, slot, regs);
		hit.stack = kcatch_hit_walked(place, probe->group, &stack, &walked);
	}
	kcatch_count_hit(probe, &hit, READ_ONCE(probe->group->mode));
}

/* Reads the items of user memory that the entry could not read, into the workspace. */
static noinline const u8 *entry_again(struct kcatch_inflight *call,
				      const struct kcatch_program_code *program, int level)
{
	const struct kcatch_condition_input *input = (void *)call->data;
	u8 *to = kcatch_workspace_of(level)->entry;
	u64 faults = call->faults;

	call->entry_size = kcatch_fetch_again(&program->entry, input->args,
					      call->data + kcatch_call_input_size(program), to,
					      &faults);
	/* In both: read at the return. */
	call->cut |= call->faults & ~faults;
	return to;
}

/* The one record of a call that return_answer() let pass. */
static noinline void whole_call(struct kretprobe_instance *instance, const struct pt_regs *regs,
				int level)
{
	struct kcatch_inflight *call = (void *)instance->data;
	const struct kcatch_condition_input *input = (void *)call->data;
	const struct kcatch_probe *probe = call->probe;
	const struct kcatch_program_code *program = probe->program;
	struct kcatch_group *group = probe->group;
	const u8 *saved = call->data + kcatch_call_input_size(program), *entry = saved;
	struct kcatch_fetch fetch = { .to = kcatch_workspace_of(level)->at_return };
	u32 mode = READ_ONCE(group->mode), walked = 0;
	unsigned long slot = kcatch_returns_frame(instance);
	unsigned long caller = kcatch_returns_caller(get_kretprobe_retaddr(instance), slot);
	/* The callers' frames are those of the entry. */
	struct pt_regs at_entry;
	const struct kcatch_place place = {
		.ip = probe->address, .caller = caller, .regs = &at_entry, .level = level,
	};
	enum kcatch_record_result result;
	struct kcatch_call_part part;
	struct kcatch_off_cpu off;
	struct kcatch_stack stack;
	s64 left = 1;
	u64 time;

	if (unlikely(mode & KCATCH_GROUP_FROZEN)) {
		this_cpu_inc(probe->counters->over_budget);
		return;
	}
	if (program->counting) {
		count_return(probe, call, regs, caller, slot, level);
		return;
	}
	if (!kcatch_hit_spend(probe, mode, &left))
		return;
	fetch_return(program, call, saved, regs, &fetch);
	if (unlikely(call->faults))
		entry = entry_again(call, program, level);
	off = kcatch_off_cpu_of(call, input->latency);
	part = (struct kcatch_call_part){
		.call = call->time,
		.latency = input->latency,
		.runnable = off.runnable,
		.blocked = off.blocked,
		.switches = off.switches,
		.ret = kcatch_regs_result(regs),
		.faults = { call->faults, fetch.faults },
		.cut = { call->cut, fetch.cut },
		.size = { call->entry_size, fetch.size },
		.user_size = kcatch_program_user_size(program),
	};
	kcatch_regs_at_entry(&at_entry, slot, regs);
	result = kcatch_call_write(probe, KCATCH_RECORD_CALL,
				   kcatch_hit_stack(place, group, &stack, &walked), call->context,
				   &part, entry, fetch.to, &time);
	kcatch_hit_done(probe, mode, left, result);
}

void kcatch_call_whole(struct kretprobe_instance *instance, const struct pt_regs *regs, int level)
{
	struct kcatch_inflight *call = (void *)instance->data;
	const struct kcatch_probe *probe = call->probe;
	u32 answer = answer_of(call, probe->program, level);

	if (kcatch_answer_holds(answer))
		whole_call(instance, regs, level);
	else
		kcatch_hit_turned_down(probe, answer);
}

/* The slow path of a return; @level is the guard's, or KCATCH_LEVEL_REFUSED. */
static noinline void call_returned_slow(struct kretprobe_instance *instance,
				  const struct pt_regs *regs, int level)
{
	struct kcatch_inflight *call = (void *)instance->data;
	const struct kcatch_probe *probe = call->probe;
	u32 mode, answer;

	if (!probe)
		return;
	mode = READ_ONCE(probe->group->mode);
	if (!(mode & KCATCH_GROUP_LIVE) || call->run != probe->group->run)
		return;
	/* A return while the rings are frozen is not seen, as none is after STOP. */
	if (unlikely(mode & KCATCH_GROUP_FROZEN) && !is_whole(call))
		return;
	this_cpu_dec(probe->counters->in_flight);
	if (is_whole(call) && !kcatch_call_is_whole(probe))
		this_cpu_dec(probe->counters->deferred);
	if (level == KCATCH_LEVEL_REFUSED) {
		if (is_whole(call))
			this_cpu_inc(probe->counters->missed);
		else
			this_cpu_inc(probe->counters->return_lost);
	} else if (is_whole(call)) {
		answer = return_answer(call, probe, regs, level);
		if (kcatch_answer_holds(answer))
			whole_call(instance, regs, level);
		else
			kcatch_hit_turned_down(probe, answer);
	} else {
		return_of_entry(call, regs, mode, level);
	}
}

static noinline void call_returned_nested(struct kretprobe_instance *instance,
				  const struct pt_regs *regs)
{
	struct kcatch_guard guard;

	kcatch_guard_enter(&guard);
	preempt_enable_notrace();	/* of kcatch_guard_enter_alone() */
	call_returned_slow(instance, regs, guard.level);
	kcatch_guard_leave(&guard);
}

/* A return with a condition, of a group that needs no more than its record. */
static noinline int call_returned_whole(struct kretprobe_instance *instance,
				   const struct pt_regs *regs, u32 where)
{
	struct kcatch_inflight *call = (void *)instance->data;
	const struct kcatch_probe *probe = call->probe;
	u32 answer = return_answer(call, probe, regs, (u8)where);

	this_cpu_dec(probe->counters->in_flight);
	if (likely(kcatch_answer_holds(answer)))
		whole_call(instance, regs, (u8)where);
	else
		kcatch_hit_turned_down(probe, answer);
	call->run = 0;
	kcatch_guard_leave_fast(0);
	return 0;
}

static noinline int call_returned_any(struct kretprobe_instance *instance,
				      const struct pt_regs *regs, u32 context)
{
	struct kcatch_inflight *call = (void *)instance->data;

	call_returned_slow(instance, regs, context);
	call->run = 0;
	kcatch_guard_leave_fast(0);
	return 0;
}

/* The fast path of return_of_entry(), of a call whose arguments are fetched again. @words: by a
 * list of words */
static __always_inline int record_fetched(struct kretprobe_instance *instance,
					  const struct pt_regs *regs, u32 where, const bool words)
{
	struct kcatch_inflight *call = (void *)instance->data;
	const struct kcatch_probe *probe = call->probe;
	const struct kcatch_items *list = &probe->program->at_return;
	struct kcatch_return *record;
	struct kcatch_fetch fetch;
	struct kcatch_ring *ring;
	u32 size = list->size_max;

	if (!words) {
		fetch.to = kcatch_workspace_of((u8)where)->at_return;
		fetch_return(probe->program, call, call->data, regs, &fetch);
		size = fetch.size;
	}
	record = write_return(probe, call, regs, size, true, true, &ring);
	if (unlikely(!record))
		return call_returned_any(instance, regs, (u8)where);
	if (words) {
		record->cut = 0;
		record->faults = 0;
		if (unlikely(call->faults ||
			     kcatch_fetch_quick(list, kcatch_results_of(regs),
						(unsigned long)call->data, record->data))) {
			fetch.to = record->data;
			fetch_return(probe->program, call, call->data, regs, &fetch);
			record->faults = fetch.faults;
		}
	} else {
		record->cut = fetch.cut;
		record->faults = fetch.faults;
		kcatch_copy_words(record->data, fetch.to, size);
	}
	this_cpu_dec(probe->counters->in_flight);
	call->run = 0;
	kcatch_hit_fast_publish(probe, ring, 0);
	return 0;
}

static noinline int call_returned_words(struct kretprobe_instance *instance,
				   const struct pt_regs *regs, u32 where)
{
	return record_fetched(instance, regs, where, true);
}

static noinline int call_returned_fetched(struct kretprobe_instance *instance,
				     const struct pt_regs *regs, u32 where)
{
	return record_fetched(instance, regs, where, false);
}

/* A return of which nothing is fetched. @switched: as in write_return() */
static __always_inline int record_plain(struct kretprobe_instance *instance,
					const struct pt_regs *regs, u32 context,
					const bool switched)
{
	struct kcatch_inflight *call = (void *)instance->data;
	const struct kcatch_probe *probe = call->probe;
	struct kcatch_return *record;
	struct kcatch_ring *ring;

	record = write_return(probe, call, regs, 0, true, switched, &ring);
	if (unlikely(!record))
		return call_returned_any(instance, regs, context);
	record->faults = 0;
	record->cut = 0;
	this_cpu_dec(probe->counters->in_flight);
	call->run = 0;
	kcatch_hit_fast_publish(probe, ring, 0);
	return 0;
}

/* A function of its own, so that the others save no register for its call. */
static noinline int call_returned_switched(struct kretprobe_instance *instance,
					   const struct pt_regs *regs, u32 context)
{
	return record_plain(instance, regs, context, true);
}

static __always_inline int call_returned(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kcatch_inflight *call = (void *)instance->data;
	const struct kcatch_program_code *program;
	const struct kcatch_probe *probe;
	u32 context;

	if (unlikely(!kcatch_guard_enter_alone(&context))) {
		call_returned_nested(instance, regs);
		call->run = 0;
		return 0;
	}
	probe = call->probe;
	if (unlikely(!probe || (READ_ONCE(probe->group->mode) & KCATCH_GROUP_SLOW_RETURN) ||
		     call->run != probe->group->run))
		goto any;
	program = probe->program;
	if (program->return_condition)
		return program->counting ?
		       kcatch_count_returned(instance, regs, kcatch_where_fast(context, 0)) :
		       call_returned_whole(instance, regs, kcatch_where_fast(context, 0));
	if (unlikely(is_whole(call)))
		goto any;
	if (program->at_return.nr)
		return program->at_return.words ?
		       call_returned_words(instance, regs, kcatch_where_fast(context, 0)) :
		       call_returned_fetched(instance, regs, kcatch_where_fast(context, 0));
	return unlikely(call->switches) ? call_returned_switched(instance, regs, context) :
					  record_plain(instance, regs, context, false);
any:
	return call_returned_any(instance, regs, context);
}

KCATCH_RETHOOK_HANDLER(, kcatch_call_returned, call_returned);

int kcatch_call_returned_alone(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kcatch_inflight *call = (void *)instance->data;
	struct kcatch_guard guard;

	kcatch_guard_enter(&guard);
	/* 0: its entry was handled, and did not fill the slot in */
	if (call->run)
		call_returned_slow(instance, regs, guard.level);
	call->run = 0;
	kcatch_guard_leave(&guard);
	return 0;
}
