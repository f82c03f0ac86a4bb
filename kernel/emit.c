// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that the quick way of emit.h leaves to us. Any context, inside a hook.
 */
#include "call_parts.h"
#include "emit.h"

/* One event, as kcatch_emit_any() got it. */
struct event {
	const u64 *args;	/* of a payload, its first words */
	const void *payload;	/* NULL: none */
	u32 size;
	const unsigned long *frame;
	u32 context;
	int level;
};

/* Where arguments that are not among the words are: see kcatch_emit_arguments(). */
static unsigned long more_args(const struct event *event)
{
	return (unsigned long)&event->frame[3];
}

/* A payload's first words, as conditions see them. */
static void payload_args(const u64 *word, u32 size, u64 *args)
{
	u32 i;

	args[3] = 0;
	for (i = 0; i < 6; i++)
		args[kcatch_args_place(i)] = i < size / sizeof(u64) ? word[i] : 0;
}

static enum kcatch_record_result record_event(struct kcatch_ring *ring,
					      const struct kcatch_probe *probe,
					      const struct kcatch_fetch *fetch)
{
	u32 kind = kcatch_emit_kind(probe->program);
	u32 marks = kind == KCATCH_RECORD_MARKED ? 2 * sizeof(u64) : 0;
	struct kcatch_event_record *record;
	u64 *data;

	record = (void *)kcatch_ring_reserve(ring, sizeof(*record) + marks + fetch->size);
	if (!record)
		return KCATCH_RECORD_LOST;
	record->head.id = KCATCH_RECORD_ID(kind, probe->number);
	kcatch_ids_fill(&record->pid, &record->tid);
	data = (void *)record->data;
	if (marks) {
		*data++ = fetch->faults;
		*data++ = fetch->cut;
	}
	kcatch_copy_words(data, fetch->to, fetch->size);
	return kcatch_ring_commit(ring) ? KCATCH_RECORD_WAKE : KCATCH_RECORD_DONE;
}

static enum kcatch_record_result record_entry(struct kcatch_ring *ring,
					      const struct kcatch_probe *probe,
					      const struct kcatch_fetch *fetch,
					      const struct kcatch_stack *stack, u32 context)
{
	u32 user = probe->program ? kcatch_user_size(probe->program) : 0;
	const struct task_struct *task = current;
	const struct kcatch_call call = {
		.probe = probe->number, .pid = task->tgid, .tid = task->pid,
		.comm = task->comm, .stack = stack,
		.context = context | (irqs_disabled() ? KCATCH_CONTEXT_IRQS_OFF : 0),
	};
	struct kcatch_call_part *part;
	u64 time;

	part = kcatch_record_begin(ring, KCATCH_RECORD_ENTRY, &call, fetch->size + user, &time);
	if (!part)
		return KCATCH_RECORD_LOST;
	part->call = 0;
	kcatch_entry_part_fill(part, fetch->faults, fetch->cut, fetch->size, user);
	return kcatch_record_end(ring, part, fetch->to, NULL);
}

static void emit_probe(const struct kcatch_site *site, const struct kcatch_probe *probe,
		       const struct event *event, struct kcatch_stack *stack, u32 *walked)
{
	const struct kcatch_program_code *program = probe->program;
	struct kcatch_group *group = probe->group;
	enum kcatch_record_result result = KCATCH_RECORD_LOST;
	u32 mode = READ_ONCE(group->mode);
	struct kcatch_fetch fetch;
	struct kcatch_ring *ring;
	s64 left;

	if (!(mode & KCATCH_GROUP_LIVE) ||
	    !kcatch_hit_wanted(probe, mode, event->level, event->context))
		return;
	if (program && kcatch_hit_refused(program, event->args, more_args(event), event->level)) {
		this_cpu_inc(probe->counters->filtered);
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
			fetch.args = event->args;
			fetch.stack = more_args(event);
			kcatch_fetch_run(&program->entry, &fetch);
		}
	}
	ring = this_cpu_ptr(group->ring);
	if (likely(ring->data)) {
		if (mode & KCATCH_GROUP_NO_STACK) {
			result = record_event(ring, probe, &fetch);
		} else {
			if (*walked != group->depth) {
				stack->frames = kcatch_stack_frames(event->level);
				kcatch_stack_walk_event(stack, event->frame, group->depth,
							site->skip, site->skip_size);
				*walked = group->depth;
			}
			result = record_entry(ring, probe, &fetch, stack, event->context);
		}
	}
	kcatch_hit_done(probe, mode, left, result);
}

void kcatch_emit_any(const struct kcatch_site *site, const void *data, u32 size,
		     const unsigned long *frame, u32 where, struct kcatch_ring *retreat)
{
	const struct kcatch_probe *probe;
	struct kcatch_place place;
	struct kcatch_stack stack;
	struct event event;
	u64 words[KCATCH_ARGS];
	u32 walked = 0;

	if (retreat)
		kcatch_ring_leave(retreat);
	if (unlikely(where == KCATCH_EMIT_ODD)) {
		struct kcatch_guard guard;

		kcatch_guard_enter(&guard);
		preempt_enable_notrace();	/* of kcatch_guard_enter_quick() */
		where = kcatch_where_pack(&guard, false);
	}
	place = kcatch_place_unpack(0, 0, NULL, where);
	event.level = place.level;
	event.context = place.context;
	event.frame = frame;
	event.size = 0;
	event.payload = NULL;
	event.args = data;
	if (size != KCATCH_EMIT_ARGS) {
		payload_args(data, size, words);
		event.args = words;
		event.payload = data;
		event.size = size;
	}
	hlist_for_each_entry_rcu_notrace(probe, &site->probes, at_site)
		emit_probe(site, probe, &event, &stack, &walked);
	kcatch_where_leave(where);
}
