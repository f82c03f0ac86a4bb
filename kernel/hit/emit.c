// SPDX-License-Identifier: GPL-2.0-only
/*
 * The slow path of events; emit.h has the fast path. Any context, inside a hook.
 */
#include "compat/regs.h"
#include "hit/call_parts.h"
#include "hit/emit.h"
#include "hit/hit_count.h"
#include "hit/site_choice.h"
#include "program/fetch_memory.h"
#include "returns/returns.h"

/* One event, as kcatch_emit_slow() got it. */
struct event {
	const u64 *args;	/* of a payload, its first words */
	const void *payload;	/* NULL: none */
	u32 size;
	const unsigned long *frame;	/* of the hook; NULL: */
	struct pt_regs *regs;		/* all, at a place inside a function */
	unsigned long caller;		/* 0; at a function's return: where it returns to */
	u32 context;
	int level;
};

/* Where arguments that are not among the words are: see kcatch_emit_arguments(). */
static unsigned long more_args(const struct event *event)
{
	return event->frame ? KCATCH_FRAME_MORE(event->frame) : kcatch_regs_caller_sp(event->regs);
}

/* A payload's first words, as conditions see them. */
static void payload_args(const u64 *word, u32 size, u64 *args)
{
	u32 i;

	args[KCATCH_ARGS_NONE] = 0;
	for (i = 0; i < KCATCH_ARGS_NR; i++)
		args[kcatch_args_place(i)] = i < size / sizeof(u64) ? word[i] : 0;
}

static enum kcatch_record_result record_event(struct kcatch_ring *ring,
					      const struct kcatch_probe *probe,
					      const struct kcatch_fetch *fetch, bool payload)
{
	/* A payload is recorded as it is, without marks, whatever the program fetches. */
	u32 kind = probe->program && !payload ? probe->program->event_kind : KCATCH_RECORD_EVENT;
	u32 marks = kind == KCATCH_RECORD_MARKED ? KCATCH_MARKS * sizeof(u64) : 0;
	struct kcatch_event_record *record;
	u64 *data;

	record = kcatch_record_named(ring, kind | probe->id, sizeof(*record) + marks + fetch->size,
				     false);
	if (!record)
		return KCATCH_RECORD_LOST;
	data = (void *)record->data;
	if (marks) {
		*data++ = fetch->faults;
		*data++ = fetch->cut;
	}
	kcatch_copy_words(data, fetch->to, fetch->size);
	return kcatch_record_commit(ring);
}

static enum kcatch_record_result record_entry(const struct kcatch_probe *probe,
					      const struct kcatch_fetch *fetch,
					      const struct kcatch_stack *stack,
					      const struct event *event)
{
	const struct kcatch_place place = {
		.regs = event->regs, .whole = !event->frame, .context = event->context,
	};
	const struct kcatch_call_part part = {
		.faults = { fetch->faults }, .cut = { fetch->cut }, .size = { fetch->size },
		.user_size = probe->program ? kcatch_program_user_size(probe->program) : 0,
	};
	u64 time;

	return kcatch_call_write(probe, KCATCH_RECORD_ENTRY, stack, kcatch_hit_context(place),
				 &part, fetch->to, NULL, &time);
}

void kcatch_emit_refetch(const struct kcatch_probe *probe, const u64 *args,
			 const unsigned long *frame, u32 busy, struct kcatch_event_record *record)
{
	const struct kcatch_items *list = &probe->program->entry;
	u32 marks = list->pure ? 0 : KCATCH_MARKS * sizeof(u64);
	u64 faults;

	faults = kcatch_fetch_marked(list, args, KCATCH_FRAME_MORE(frame), record->data + marks);
	if (marks) {
		((u64 *)record->data)[0] = faults;
		((u64 *)record->data)[1] = 0;
	}
	kcatch_hit_fast_end(probe, this_cpu_ptr(probe->group->ring), busy);
}

void kcatch_emit_tail(const struct kcatch_probe *probe, u64 regs,
		      struct kcatch_event_record *record)
{
	const u32 nr = probe->program->call_words;
	u64 *marks = (u64 *)record->data, args[KCATCH_ARGS];
	struct kcatch_fetch fetch = { .words = args, .to = (u8 *)(marks + KCATCH_MARKS + nr) };

	args[kcatch_args_place(0)] = regs;
	if (!kcatch_fetch_item(&probe->program->entry, nr, &fetch))
		marks[0] = 1ULL << nr;
	kcatch_hit_fast_end(probe, this_cpu_ptr(probe->group->ring), 0);
}

static void emit_args_slow(const struct kcatch_site *site, const u64 *args,
			   const unsigned long *frame, u32 busy)
{
	kcatch_emit_slow(site, args, KCATCH_EMIT_ARGS, frame,
			 kcatch_where_fast(kcatch_context_of(preempt_count()), busy));
}

static void emit_one(const struct kcatch_probe *probe, const u64 *args,
		     const unsigned long *frame, u32 busy);
static void emit_choice(const struct kcatch_site *site, const u64 *args,
			const unsigned long *frame, u32 busy);

/* The fast path of an event without a stack. This and emit_fast_stack() begin with the parameters
 * of kcatch_emit_arguments(), which thus ends with a jump to one of them. */
static noinline void emit_fast(const struct kcatch_site *site, const u64 *args,
			       const unsigned long *frame, u32 busy,
			       const struct kcatch_probe *probe,
			       const struct kcatch_program_code *program)
{
	struct kcatch_ring *ring = this_cpu_ptr(probe->group->ring);
	struct kcatch_event_record *record;
	u64 *to;

	record = kcatch_record_named(ring, program->event_kind | probe->id, program->record_size,
				     true);
	if (unlikely(!record)) {
		emit_one(probe, args, frame, busy);
		return;
	}
	to = (void *)record->data;
	if (!program->entry.pure) {
		*to++ = 0;	/* faults */
		*to++ = 0;	/* cut */
	}
	if (unlikely(!program->entry.words ||
		     kcatch_fetch_quick(&program->entry, args, KCATCH_FRAME_MORE(frame), to)))
		kcatch_emit_refetch(probe, args, frame, busy, record);
	else
		kcatch_hit_fast_end(probe, ring, busy);
}

/* The stack above an event, from whichever of its tracepoints it came. */
static void walk_event(struct kcatch_stack *stack, const struct kcatch_site *site,
		       const unsigned long *frame, u32 depth, int level)
{
	unsigned long skip = site->skip, size = site->skip_size;
	const struct kcatch_loop *loop;

	for (loop = READ_ONCE(site->loops); loop; loop = loop->next) {
		if (kcatch_frame_caller(frame) - loop->start >= loop->size)
			continue;
		skip = loop->start;
		size = loop->size;
		break;
	}
	kcatch_stack_walk_event(stack, frame, depth, skip, size, level);
}

/* The data of a record that the fast path of fetching cannot get. */
static noinline void refetch_stacked(const struct kcatch_program_code *program, const u64 *args,
				     const unsigned long *frame, struct kcatch_call_part *part)
{
	part->faults[0] = kcatch_fetch_marked(&program->entry, args, KCATCH_FRAME_MORE(frame),
					      part->data);
}

/* The fast path of an event with a stack: an ENTRY, whose data are fetched into the record. */
static noinline void emit_fast_stack(const struct kcatch_site *site, const u64 *args,
				     const unsigned long *frame, u32 busy,
				     const struct kcatch_probe *probe,
				     const struct kcatch_program_code *program)
{
	const u32 context = kcatch_context_of(preempt_count()), size = program->entry.size_max;
	struct kcatch_stack stack = { .frames = kcatch_stack_frames(context) };
	struct kcatch_call_part *part;
	struct kcatch_ring *ring;
	struct kcatch_hit *hit;

	walk_event(&stack, site, frame, probe->group->depth, context);
	hit = kcatch_hit_write(probe, KCATCH_RECORD_ENTRY,
			       kcatch_stack_pack(&stack) | context | kcatch_irqs_off_now(),
			       stack.frames, sizeof(*part) + size, true, &ring);
	if (unlikely(!hit)) {
		emit_args_slow(site, args, frame, busy);
		return;
	}
	part = kcatch_part_of(hit);
	part->call = 0;
	kcatch_entry_part_fill(part, 0, 0, size);
	if (unlikely(!program->entry.words ||
		     kcatch_fetch_quick(&program->entry, args, KCATCH_FRAME_MORE(frame),
					part->data)))
		refetch_stacked(program, args, frame, part);
	kcatch_hit_fast_end(probe, ring, busy);
}

void kcatch_emit_arguments(const struct kcatch_site *site, const u64 *args,
			   const unsigned long *frame, u32 busy)
{
	const struct kcatch_program_code *program;
	const struct kcatch_probe *probe;
	enum kcatch_gate gate;
	u32 mode;

	if (unlikely(busy & KCATCH_BUSY_ODD)) {
		kcatch_emit_slow(site, args, KCATCH_EMIT_ARGS, frame, KCATCH_EMIT_ODD);
		return;
	}
	gate = kcatch_hit_begin(site, busy, &probe, &mode);
	if (gate == KCATCH_GATE_REFUSED)
		return;
	if (unlikely(gate == KCATCH_GATE_ANY))
		goto any;
	program = READ_ONCE(probe->program);
	if (unlikely(!program || !program->event_size))
		goto any;
	if (mode & KCATCH_GROUP_NO_STACK) {
		emit_fast(site, args, frame, busy, probe, program);
		return;
	}
	if (likely(!program->user_stack)) {
		emit_fast_stack(site, args, frame, busy, probe, program);
		return;
	}
any:
	emit_choice(site, args, frame, busy);
}

static void emit_walk(struct kcatch_stack *stack, const struct kcatch_site *site,
		 const struct event *event, u32 depth)
{
	struct pt_regs *regs = event->regs;

	stack->frames = kcatch_stack_frames(event->level);
	if (event->frame)
		walk_event(stack, site, event->frame, depth, event->level);
	else if (event->caller)
		kcatch_stack_walk_entry(stack, kcatch_regs_ip(regs), event->caller,
					kcatch_regs_slot(regs), kcatch_regs_frame(regs), depth,
					event->level);
	else
		kcatch_stack_walk_inside(stack, kcatch_regs_ip(regs), regs, depth);
}

/* Adds an event to its row. The innermost frame is where the event is: its caller. */
static void count_event(const struct kcatch_site *site, const struct kcatch_probe *probe,
			const struct event *event, struct kcatch_stack *stack, u32 *walked)
{
	const struct kcatch_counting *counting = probe->program->counting;
	u32 depth = counting->stack ? probe->group->depth : counting->caller ? 1 : 0;
	struct kcatch_count_hit hit = {
		.input = &kcatch_workspace_of(event->level)->input, .level = event->level,
		.stack = stack,
	};

	if (depth && *walked != depth) {
		emit_walk(stack, site, event, depth);
		*walked = depth;
	}
	if (depth && stack->nr)
		hit.caller = stack->frames[0];
	kcatch_count_hit(probe, &hit, READ_ONCE(probe->group->mode));
}

/* Is it a hit of the probe, and not of another one of a tracepoint that many share? Without a value
 * that can be read it is: the condition refuses it. */
static bool is_of_probe(const struct kcatch_program_code *program, const struct event *event)
{
	const struct kcatch_key *key = &program->key;
	u64 value = event->args[key->place];
	unsigned long at;

	if (!kcatch_key_task_holds(key))
		return false;
	if (!key->behind)
		return value == key->value;
	at = value + key->offset;
	if (likely(kcatch_on_own_stack(at, sizeof(u64))))
		value = *(const u64 *)at;
	/* A hit inside our own work is not examined: the read may cause such a hit again. */
	else if (event->level == KCATCH_LEVEL_REFUSED || !kcatch_read(&value, at, sizeof(value)))
		return true;
	return value == key->value;
}

/* Is it about a thread, other than the current one, that the gate lets pass? */
static noinline bool is_about_other(const struct kcatch_probe *probe,
				    const struct kcatch_program_code *program,
				    const struct event *event)
{
	u32 i;

	/* A hit inside our own work: to read the thread may cause such a hit again. */
	if (event->level == KCATCH_LEVEL_REFUSED)
		return false;
	for (i = 0; i < KCATCH_TASK_ARGS; i++)
		if (program->tasks & 1U << i &&
		    kcatch_gate_passes_task(probe->group, event->args[kcatch_args_place(i)]))
			return true;
	return false;
}

/* @decided: the condition holds */
static void emit_probe(const struct kcatch_site *site, const struct kcatch_probe *probe,
		       const struct event *event, struct kcatch_stack *stack, u32 *walked,
		       bool decided)
{
	const struct kcatch_program_code *program = probe->program;
	struct kcatch_group *group = probe->group;
	enum kcatch_record_result result = KCATCH_RECORD_LOST;
	u32 mode = READ_ONCE(group->mode), asked = mode;
	struct kcatch_fetch fetch;
	struct kcatch_ring *ring;
	s64 left;

	if (!(mode & KCATCH_GROUP_LIVE) ||
	    (!decided && kcatch_program_is_keyed(program) && !is_of_probe(program, event)))
		return;
	if (program && program->tasks && mode & (KCATCH_GROUP_GATED | KCATCH_GROUP_OTHERS) &&
	    is_about_other(probe, program, event))
		asked &= ~(KCATCH_GROUP_GATED | KCATCH_GROUP_OTHERS);
	if (!kcatch_hit_wanted(probe, asked, event->level, event->context))
		return;
	/* Keys of counts may be made of what the condition has fetched. */
	if (program && !(decided && !program->counting)) {
		u32 answer = kcatch_hit_answer(program, event->args, more_args(event),
					       event->level);

		if (!kcatch_answer_holds(answer)) {
			kcatch_hit_turned_down(probe, answer);
			return;
		}
	}
	if (program && program->counting) {
		count_event(site, probe, event, stack, walked);
		return;
	}
	if (!kcatch_hit_spend(probe, mode, &left))
		return;
	fetch.faults = 0;
	fetch.cut = 0;
	fetch.size = event->size;
	fetch.to = (u8 *)event->payload;
	if (!event->payload) {
		fetch.to = kcatch_workspace_of(event->level)->entry;
		fetch.size = 0;
		if (program && program->entry.nr) {
			fetch.words = event->args;
			fetch.more = more_args(event);
			fetch.missed = 0;
			fetch.latency = kcatch_pair_latency(program, event->level);
			kcatch_fetch_run(&program->entry, &fetch);
		}
	}
	ring = this_cpu_ptr(group->ring);
	if (likely(ring->data)) {
		if (mode & KCATCH_GROUP_NO_STACK) {
			result = record_event(ring, probe, &fetch, event->payload);
		} else {
			if (*walked != group->depth) {
				emit_walk(stack, site, event, group->depth);
				*walked = group->depth;
			}
			result = record_entry(probe, &fetch, stack, event);
		}
	}
	kcatch_hit_done(probe, mode, left, result);
}

static void emit_all(const struct kcatch_site *site, const struct event *event)
{
	const struct kcatch_probe *probe;
	struct kcatch_stack stack;
	u32 walked = 0;

	hlist_for_each_entry_rcu_notrace(probe, &site->probes, at_site)
		emit_probe(site, probe, event, &stack, &walked, false);
}

/* ---- places where a hit chooses its probes --------------------------------- */

/* Does the condition of a probe that was chosen hold for certain? */
static __always_inline bool is_decided(const struct kcatch_program_code *program)
{
	return program->key.whole && kcatch_key_task_holds(&program->key);
}

/* @entry: NULL: only the others */
static void emit_chosen(const struct kcatch_choice *choice,
			const struct kcatch_choice_entry *entry, const struct event *event)
{
	const struct kcatch_probe *probe;
	struct kcatch_stack stack;
	u32 walked = 0, i;

	for (i = 0; entry && i < entry->nr; i++) {
		probe = choice->probes[entry->first + i];
		emit_probe(choice->site, probe, event, &stack, &walked,
			   is_decided(probe->program));
	}
	for (i = choice->nr; i < choice->nr + choice->nr_others; i++)
		emit_probe(choice->site, choice->probes[i], event, &stack, &walked, false);
}

/* emit_all() of a place that may have a choice. */
static void emit_at(const struct kcatch_site *site, const struct event *event)
{
	const struct kcatch_choice *choice = READ_ONCE(site->choice);
	const struct kcatch_choice_entry *entry;
	u64 value;

	/* A hit inside our own work is not looked up: each probe counts it as missed. */
	if (!choice || event->level == KCATCH_LEVEL_REFUSED ||
	    !kcatch_choice_value(choice, event->args, &value)) {
		emit_all(site, event);
		return;
	}
	entry = kcatch_choice_find(choice, value);
	kcatch_choice_count(choice, entry);
	emit_chosen(choice, entry, event);
}

static struct event event_of_args(const u64 *args, const unsigned long *frame)
{
	const u32 context = kcatch_context_of(preempt_count());

	return (struct event){
		.args = args, .frame = frame, .context = context, .level = context,
	};
}

/* The slow path of an event without a stack, of one probe. */
static noinline void emit_one(const struct kcatch_probe *probe, const u64 *args,
			      const unsigned long *frame, u32 busy)
{
	const struct event event = event_of_args(args, frame);

	emit_probe(NULL, probe, &event, NULL, NULL, false);
	kcatch_guard_leave_fast(busy);
}

static noinline void emit_chosen_slow(const struct kcatch_choice *choice,
				      const struct kcatch_choice_entry *entry, const u64 *args,
				      const unsigned long *frame, u32 busy)
{
	const struct event event = event_of_args(args, frame);

	emit_chosen(choice, entry, &event);
	kcatch_guard_leave_fast(busy);
}

/* The fast path where a hit chooses its probes: most choose none, or one. Without a choice the slow
 * path. */
static noinline void emit_choice(const struct kcatch_site *site, const u64 *args,
				 const unsigned long *frame, u32 busy)
{
	const struct kcatch_choice *choice = READ_ONCE(site->choice);
	const struct kcatch_choice_entry *entry;
	const struct kcatch_program_code *program;
	const struct kcatch_probe *probe;
	u64 value;

	if (unlikely(!choice || !kcatch_choice_value(choice, args, &value))) {
		emit_args_slow(site, args, frame, busy);
		return;
	}
	entry = kcatch_choice_find(choice, value);
	kcatch_choice_count(choice, entry);
	if (!entry && !choice->nr_others) {
		kcatch_guard_leave_fast(busy);
		return;
	}
	if (unlikely(choice->nr_others || entry->nr > 1))
		goto slow;
	probe = choice->probes[entry->first];
	program = probe->program;
	/* The fast path asks no gate, spends no budget, and makes no record with a stack. */
	if ((READ_ONCE(probe->group->mode) & KCATCH_GROUP_SLOW_EVENT) ||
	    kcatch_gate_is_adder(probe->group, current->tgid) || !program->record_size ||
	    program->counting || !is_decided(program))
		goto slow;
	emit_fast(site, args, frame, busy, probe, program);
	return;
slow:
	emit_chosen_slow(choice, entry, args, frame, busy);
}

void kcatch_emit_inside(const struct kcatch_site *site, const u64 *args, const void *data,
			u32 size, struct pt_regs *regs, u32 where)
{
	const struct kcatch_place place = kcatch_place_unpack(0, 0, NULL, where);
	const struct event event = {
		.args = args, .payload = data, .size = size, .regs = regs,
		.context = place.context, .level = place.level,
	};

	emit_all(site, &event);
	kcatch_where_leave(where);
}

void kcatch_emit_return(const struct kcatch_site *site, const void *data, u32 size,
			struct kretprobe_instance *instance, const struct pt_regs *regs)
{
	unsigned long slot = kcatch_returns_frame(instance);
	unsigned long caller = kcatch_returns_caller(get_kretprobe_retaddr(instance), slot);
	/* The callers' frames are those of the entry. */
	struct pt_regs at_entry = *regs;
	struct kcatch_guard guard;
	u64 words[KCATCH_ARGS];
	struct event event = {
		.args = words, .payload = data, .size = size, .regs = &at_entry,
	};

	kcatch_guard_enter(&guard);
	/* Where any function begins the frame is the same: this stands for the one. */
	kcatch_regs_at_entry(&at_entry, slot, regs);
	kcatch_regs_set_ip(&at_entry, (unsigned long)&kcatch_emit_return);
	event.caller = caller;
	event.context = guard.context;
	event.level = guard.level;
	payload_args(data, size, words);
	emit_all(site, &event);
	kcatch_guard_leave(&guard);
}

void kcatch_emit_slow(const struct kcatch_site *site, const void *data, u32 size,
		     const unsigned long *frame, u32 where)
{
	struct kcatch_place place;
	struct event event;
	u64 words[KCATCH_ARGS];

	if (unlikely(where == KCATCH_EMIT_ODD)) {
		struct kcatch_guard guard;

		kcatch_guard_enter(&guard);
		preempt_enable_notrace();	/* of kcatch_guard_enter_fast() */
		where = kcatch_where_pack(&guard, false);
	}
	place = kcatch_place_unpack(0, 0, NULL, where);
	event.level = place.level;
	if (unlikely(place.level == KCATCH_LEVEL_EXTRA && site->own_tool))
		event.level = KCATCH_LEVEL_REFUSED;
	event.context = place.context;
	event.frame = frame;
	event.regs = NULL;
	event.caller = 0;
	event.size = 0;
	event.payload = NULL;
	event.args = data;
	if (size != KCATCH_EMIT_ARGS) {
		payload_args(data, size, words);
		event.args = words;
		event.payload = data;
		event.size = size;
	}
	emit_at(site, &event);
	kcatch_where_leave(where);
}
