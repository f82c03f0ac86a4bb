// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds hits to their rows. Any context, NMI too, inside a hook: no lock, no memory is allocated. A
 * hit that interrupts this one finishes first, so what is atomic on
 * this CPU alone is enough here: see hit_count.h.
 */
#include "compat/regs.h"
#include "core/cgroup.h"
#include "hit/call_slot.h"
#include "hit/hit.h"
#include "hit/hit_count.h"
#include "program/fetch_memory.h"
#include "returns/returns.h"
#include "ring/atomics.h"

/* Slots that are searched for a key, which bounds the time of a hit. */
#define SLOTS_SEARCHED	64

/* ---- rows --------------------------------------------------------------------------- */

/* A key: its first word, and the others where they are. */
struct row_key {
	u64 first;
	const u64 *rest;
	u32 nr;		/* of the others */
	u32 kind;	/* KCATCH_ROW_IS_* */
};

static __always_inline u64 hash_mix(u64 hash, u64 word)
{
	return (rol64(hash, 27) ^ word) * 0x9e3779b97f4a7c15ULL;
}

/* The upper half, into which every bit of the words has come. */
static __always_inline u32 hash_of(const struct row_key *key, u32 seed)
{
	const u64 *word = key->rest, *end = word + key->nr;
	u64 hash = hash_mix(seed, key->first);

	while (word < end)
		hash = hash_mix(hash, *word++);
	return hash >> 32;
}

static __always_inline u32 head_of(const struct row_key *key)
{
	return (key->nr + 1) | key->kind << 16;
}

/* words and kind of a row, in one word. */
static __always_inline u32 head_of_row(const struct kcatch_row *row)
{
	BUILD_BUG_ON(offsetof(struct kcatch_row, kind) != offsetof(struct kcatch_row, words) + 2);
	return *(const u32 *)&row->words;
}

static __always_inline bool has_key(const struct kcatch_row *row, u32 hash,
				    const struct row_key *key)
{
	const u64 *word = key->rest, *end = word + key->nr, *other = row->key + 1;

	if (row->hash != hash || head_of_row(row) != head_of(key) || row->key[0] != key->first)
		return false;
	while (word < end)
		if (*word++ != *other++)
			return false;
	return true;
}

/* Takes words of the log. 0: there are not as many. */
static u32 take_words(struct kcatch_count_log *log, u32 words)
{
	u32 used = READ_ONCE(log->used), before;

	do {
		before = used;
		if (words > log->end - before)
			return 0;
		used = cmpxchg_local(&log->used, before, before + words);
	} while (used != before);
	return before;
}

static void init_values(u64 *values)
{
	values[0] = 0;
	values[1] = S64_MAX;
	values[2] = S64_MIN;
}

/*
 * Makes the row of a key that has none, whose search ended at a free slot. A hit that interrupts
 * this may take the slot for a row of its own. Then the search goes on behind it, and the row that
 * was made is used at the next free slot.
 */
static noinline struct kcatch_row *make_row(struct kcatch_count_log *log, const struct row_key *key,
					    u32 hash, u32 slot, u32 last, bool values)
{
	u32 words = sizeof(struct kcatch_row) / sizeof(u64) + 1 + key->nr;
	struct kcatch_row *row;
	u32 place;

	place = take_words(log, words + (values ? KCATCH_ROW_VALUES : 0));
	if (!place)
		return NULL;
	row = kcatch_count_row(log, place);
	row->hash = hash;
	*(u32 *)&row->words = head_of(key);
	row->count = 0;
	row->key[0] = key->first;
	memcpy(row->key + 1, key->rest, key->nr * sizeof(u64));
	if (values)
		init_values(row->key + 1 + key->nr);
	barrier();	/* a slot names a row that is complete */
	for (; slot != last; slot = (slot + 1) & log->mask) {
		u32 other = READ_ONCE(log->slots[slot]);

		if (!other)
			other = cmpxchg_local(&log->slots[slot], 0, place);
		if (!other)
			return row;
		if (has_key(kcatch_count_row(log, other), hash, key))
			return kcatch_count_row(log, other);
	}
	return NULL;
}

/* NULL: there is no room. */
static noinline struct kcatch_row *find_row(struct kcatch_count_log *log,
						   const struct row_key *key, bool values)
{
	u32 hash = hash_of(key, log->seed), slot = hash & log->mask;
	const u32 last = (slot + SLOTS_SEARCHED) & log->mask;
	struct kcatch_row *row;

	do {
		u32 place = READ_ONCE(log->slots[slot]);

		if (unlikely(!place))
			return make_row(log, key, hash, slot, last, values);
		row = kcatch_count_row(log, place);
		if (likely(has_key(row, hash, key)))
			return row;
		slot = (slot + 1) & log->mask;
	} while (slot != last);
	return NULL;
}

/* ---- values ------------------------------------------------------------------------- */

/* Lets a number be @value, if that is less; with @above, if it is more. */
static __always_inline void count_bound(u64 *number, s64 value, const bool above)
{
	s64 now = READ_ONCE(*number), before;

	while (unlikely(above ? value > now : value < now)) {
		before = cmpxchg_local(number, now, value);
		if (before == now)
			return;
		now = before;
	}
}

static __always_inline void count_add_value(u64 *values, s64 value)
{
	ring_add(&values[0], value);
	count_bound(&values[1], value, false);
	count_bound(&values[2], value, true);
}

/* ---- the key ------------------------------------------------------------------------ */

/* The data of which a hit's key and values are made. @out: the words that the program's code put;
 * undefined, if it has none */
struct sources {
	const void *input;
	const u64 *out;
};

static __always_inline s64 part_number(const struct kcatch_count_part *part,
				       const struct sources *sources)
{
	if (likely(part->kind == KCATCH_PART_WORD))
		return kcatch_code_cut(*(const u64 *)(sources->input + part->offset), part->left,
				       part->right);
	return sources->out[part->index % KCATCH_OUTS_MAX];
}

/* A word of the running task, the same as kcatch_input_fill() and the step CGROUP give. */
static __always_inline u64 task_word(u32 task)
{
	if (task == KCATCH_COUNT_PID)
		return current->tgid;
	if (task == KCATCH_COUNT_CGROUP)
		return kcatch_cgroup_current(KCATCH_CGROUP_OWN);
	return task == KCATCH_COUNT_TID ? current->pid : raw_smp_processor_id();
}

/* The parts of the key. @sources: NULL: the task, the caller and the probe tell all of it. Returns
 * the place behind them. */
static __always_inline u64 *put_parts(const struct kcatch_counting *counting,
				      const struct kcatch_probe *probe, unsigned long caller,
				      const struct sources *sources, u64 *to)
{
	const struct kcatch_count_part *part = counting->parts, *end = part + counting->nr_parts;

	for (; part < end; part++) {
		if (part->kind == KCATCH_PART_COMM) {
			*to++ = kcatch_comm_word(0);
			*to++ = kcatch_comm_word(1);
		} else if (part->kind == KCATCH_PART_CALLER) {
			*to++ = caller;
		} else if (part->kind == KCATCH_PART_PROBE) {
			*to++ = probe->number;
		} else if (!sources) {
			*to++ = task_word(part->task);
		} else if (part->kind == KCATCH_PART_TEXT) {
			kcatch_copy_words(to, sources->input + part->offset, part->size);
			to += part->size / sizeof(u64);
		} else {
			*to++ = part_number(part, sources);
		}
	}
	return to;
}

static __always_inline u64 stack_word(const struct kcatch_stack *stack)
{
	return stack->flags | (u64)stack->interrupted << 32;
}

/*
 * The user's stack by frame pointers: @frames of at most @depth. Programs are free to use the
 * register for something else, so frames must rise, and lie in user memory. Those of a 32-bit
 * program have another layout and are not walked.
 * @word: receives the first word of the stack's key
 */
static noinline u32 walk_user(u64 *frames, u32 depth, u64 *word)
{
	const struct pt_regs *regs;
	u64 frame[2], last = 0;
	u32 nr = 0;

	*word = current->tgid;
	regs = kcatch_user_registers();
	if (!regs)
		return 0;
	frames[nr++] = kcatch_regs_ip(regs);
	if (kcatch_regs_are_compat(regs)) {
		*word |= (u64)KCATCH_STACK_BROKEN << 32;
		return nr;
	}
	frame[0] = kcatch_regs_frame(regs);
	while (frame[0] > last && !(frame[0] & 7) && frame[0] < KCATCH_USER_END - sizeof(frame)) {
		last = frame[0];
		if (!kcatch_read(frame, last, sizeof(frame)) || !frame[1])
			break;
		if (nr == depth) {
			*word |= (u64)KCATCH_STACK_DEPTH << 32;
			break;
		}
		frames[nr++] = frame[1];
	}
	return nr;
}

/* ---- hits --------------------------------------------------------------------------- */

/* A row that is only a stack; its offset in bytes. 0: there is no room. */
static u64 find_stack(struct kcatch_count_log *log, u64 first, const u64 *frames, u32 nr)
{
	const struct row_key key = {
		.first = first, .rest = frames, .nr = nr, .kind = KCATCH_ROW_IS_STACK,
	};
	const struct kcatch_row *row = find_row(log, &key, false);

	return row ? (const u8 *)row - kcatch_count_base(log) : 0;
}

/* The user's stack goes behind the parts of the key in the workspace. */
static noinline bool put_stacks(struct kcatch_count_log *log,
				const struct kcatch_counting *counting,
				const struct kcatch_probe *probe,
				const struct kcatch_count_hit *hit, u64 **to)
{
	u64 *frames;
	u64 place, word;
	u32 nr;

	if (counting->stack) {
		place = find_stack(log, stack_word(hit->stack), hit->stack->frames, hit->stack->nr);
		if (!place)
			return false;
		*(*to)++ = place;
	}
	if (counting->user_stack) {
		frames = kcatch_workspace_of(hit->level)->user_frames;
		nr = walk_user(frames, probe->group->depth, &word);
		place = find_stack(log, word, frames, nr);
		if (!place)
			return false;
		*(*to)++ = place;
	}
	return true;
}

/* The stack is the whole key. */
static __always_inline struct row_key direct_key(const struct kcatch_counting *counting,
					     const struct kcatch_probe *probe,
					     const struct kcatch_count_hit *hit)
{
	struct row_key key = { .kind = KCATCH_ROW_IS_KEY };
	u64 *frames;

	if (likely(counting->stack))
		return (struct row_key){ .first = stack_word(hit->stack),
					 .rest = hit->stack->frames, .nr = hit->stack->nr };
	frames = kcatch_workspace_of(hit->level)->user_frames;
	key.rest = frames;
	key.nr = walk_user(frames, probe->group->depth, &key.first);
	return key;
}

/* NULL: there is no room. */
static __always_inline struct kcatch_row *row_of(struct kcatch_count_log *log,
						 const struct kcatch_counting *counting,
						 const struct kcatch_probe *probe,
						 const struct kcatch_count_hit *hit,
						 const struct sources *sources)
{
	u64 *words = (void *)kcatch_workspace_of(hit->level)->entry, *to;
	struct row_key key;

	if (log->whole)
		return log->whole;
	if (counting->direct) {
		key = direct_key(counting, probe, hit);
		return find_row(log, &key, counting->value);
	}
	to = put_parts(counting, probe, hit->caller, sources, words);
	if (counting->bucket)
		*to++ = kcatch_bucket_of(part_number(counting->bucket, sources));
	if ((counting->stack | counting->user_stack) &&
	    !put_stacks(log, counting, probe, hit, &to))
		return NULL;
	key = (struct row_key){ .first = words[0], .rest = words + 1, .nr = to - words - 1 };
	return find_row(log, &key, counting->value);
}

/* False: its key found no room, or the CPU has no log. */
static __always_inline bool count_in(struct kcatch_count_log *log,
				     const struct kcatch_counting *counting,
				     const struct kcatch_probe *probe,
				     const struct kcatch_count_hit *hit)
{
	const struct sources sources = {
		.input = hit->input, .out = kcatch_workspace_of(hit->level)->words,
	};
	struct kcatch_row *row;
	bool found;

	if (counting->code)
		kcatch_code_put(counting->code, hit->input,
				kcatch_workspace_of(hit->level)->words, counting->outs);
	row = row_of(log, counting, probe, hit, &sources);
	found = row;
	if (unlikely(!row))
		row = log->other;
	ring_increment(&row->count);
	if (counting->value)
		count_add_value(row->key + row->words, part_number(counting->value, &sources));
	return found;
}

/* Returns whether it is in a row of its key. */
static __always_inline bool count_one(const struct kcatch_probe *probe,
				      const struct kcatch_counting *counting,
				      const struct kcatch_count_hit *hit)
{
	struct kcatch_count_log *log = this_cpu_read(counting->table->cpu->active);

	if (likely(log && count_in(log, counting, probe, hit))) {
		this_cpu_inc(probe->counters->recorded);
		return true;
	}
	if (log)
		this_cpu_inc(probe->counters->lost);
	else
		this_cpu_inc(probe->counters->missed);
	return false;
}

void kcatch_count_hit(const struct kcatch_probe *probe, const struct kcatch_count_hit *hit,
		      u32 mode)
{
	s64 left;

	/* A record would be refused by its ring, already before the group is marked frozen. */
	if (unlikely(kcatch_output_refuses(probe->group->output))) {
		this_cpu_inc(probe->counters->over_budget);
		return;
	}
	if (!kcatch_hit_spend(probe, mode, &left))
		return;
	if (unlikely(!count_one(probe, probe->program->counting, hit))) {
		kcatch_hit_refund(probe, mode);
		return;
	}
	if (unlikely(!left || (mode & KCATCH_GROUP_FREEZE)))
		kcatch_hit_notify(probe, mode, left);
}

/* kcatch_count_entry() for all keys. */
static noinline void count_entry_key(const struct kcatch_probe *probe, unsigned long caller,
				     u32 where, struct pt_regs *regs)
{
	const struct kcatch_program_code *program = probe->program;
	const struct kcatch_counting *counting = program->counting;
	struct kcatch_count_hit hit;
	struct kcatch_stack stack;
	u32 answer = true;

	hit.level = (u8)where;
	hit.caller = counting->caller ? kcatch_returns_caller(caller, kcatch_regs_slot(regs)) :
					caller;
	hit.input = (const void *)kcatch_args_of(regs);
	if (likely(counting->args_only)) {
		if (program->entry_condition)
			answer = kcatch_condition_admits(program, kcatch_args_of(regs));
	} else {
		answer = kcatch_call_answer(program, kcatch_args_of(regs),
					    kcatch_regs_caller_sp(regs), hit.level);
		hit.input = &kcatch_workspace_of(hit.level)->input;
	}
	if (unlikely(!kcatch_answer_holds(answer))) {
		kcatch_hit_turned_down(probe, answer);
		kcatch_guard_leave_fast(0);
		return;
	}
	if (counting->stack) {
		stack.frames = kcatch_stack_frames(hit.level);
		kcatch_stack_unpack(&stack, kcatch_hit_walk(stack.frames, probe, caller, regs,
							    where));
		hit.stack = &stack;
	}
	count_one(probe, counting, &hit);
	kcatch_guard_leave_fast(0);
}

/* ---- keys of one kind ------------------------------------------------------------------ */

/*
 * These find a row that exists in its first slot, and call nothing, so that no register is saved.
 * NULL: it is not there; the general path finds or makes it. No row has a return address that was
 * replaced, so this one also looks for the true one. @hash: of the key
 */
static __always_inline struct kcatch_row *first_row(const struct kcatch_count_log *log, u32 hash)
{
	u32 place = READ_ONCE(log->slots[hash & log->mask]);

	return likely(place) ? kcatch_count_row(log, place) : NULL;
}

static __always_inline struct kcatch_row *row_of_key(const struct kcatch_count_log *log,
						     const struct row_key *key)
{
	u32 hash = hash_of(key, log->seed);
	struct kcatch_row *row = first_row(log, hash);

	return row && has_key(row, hash, key) ? row : NULL;
}

static __always_inline struct kcatch_row *row_of_word(const struct kcatch_count_log *log, u64 word)
{
	const struct row_key key = { .first = word };

	return row_of_key(log, &key);
}

static __always_inline struct kcatch_count_log *log_of(const struct kcatch_probe *probe)
{
	return this_cpu_read(probe->program->counting->table->cpu->active);
}

static __always_inline void count_done(const struct kcatch_probe *probe, struct kcatch_row *row)
{
	ring_increment(&row->count);
	this_cpu_inc(probe->counters->recorded);
	kcatch_guard_leave_fast(0);
}

/* Counts an entry by its key, in the row that there is or in another way. */
static __always_inline void count_key(const struct kcatch_probe *probe, unsigned long caller,
				      u32 where, struct pt_regs *regs, const struct row_key *key)
{
	const struct kcatch_count_log *log = log_of(probe);
	struct kcatch_row *row;

	row = likely(log) ? row_of_key(log, key) : NULL;
	if (likely(row))
		count_done(probe, row);
	else
		count_entry_key(probe, caller, where, regs);
}

static noinline void count_caller(const struct kcatch_probe *probe, unsigned long caller,
				  u32 where, struct pt_regs *regs)
{
	const struct row_key key = { .first = caller };

	count_key(probe, caller, where, regs, &key);
}

static noinline void count_comm(const struct kcatch_probe *probe, unsigned long caller, u32 where,
				struct pt_regs *regs)
{
	const u64 second = kcatch_comm_word(1);
	const struct row_key key = { .first = kcatch_comm_word(0), .rest = &second, .nr = 1 };

	count_key(probe, caller, where, regs, &key);
}

static noinline void count_stack(const struct kcatch_probe *probe, unsigned long caller, u32 where,
				 struct pt_regs *regs)
{
	struct row_key key = { .rest = kcatch_stack_frames((u8)where) };
	struct kcatch_stack stack;

	kcatch_stack_unpack(&stack, kcatch_hit_walk((u64 *)key.rest, probe, caller, regs, where));
	key.first = stack_word(&stack);
	key.nr = stack.nr;
	count_key(probe, caller, where, regs, &key);
}

static noinline void count_task(const struct kcatch_probe *probe, unsigned long caller, u32 where,
				struct pt_regs *regs)
{
	u64 words[KCATCH_COUNT_TASK_WORDS], *to;
	struct row_key key;

	to = put_parts(probe->program->counting, probe, caller, NULL, words);
	key = (struct row_key){ .first = words[0], .rest = words + 1, .nr = to - words - 1 };
	count_key(probe, caller, where, regs, &key);
}

void kcatch_count_entry(const struct kcatch_probe *probe, unsigned long caller, u32 where,
			struct pt_regs *regs)
{
	const struct kcatch_counting *counting = probe->program->counting;
	u32 shape = counting->shape;
	struct kcatch_count_log *log;

	if (likely(shape == KCATCH_COUNT_PLAIN)) {
		log = this_cpu_read(counting->table->cpu->active);
		if (unlikely(!log))
			count_entry_key(probe, caller, where, regs);
		else
			count_done(probe, log->whole);
	} else if (shape == KCATCH_COUNT_CALLER) {
		count_caller(probe, caller, where, regs);
	} else if (shape == KCATCH_COUNT_COMM) {
		count_comm(probe, caller, where, regs);
	} else if (shape == KCATCH_COUNT_STACK) {
		count_stack(probe, caller, where, regs);
	} else if (shape == KCATCH_COUNT_TASK) {
		count_task(probe, caller, where, regs);
	} else {
		count_entry_key(probe, caller, where, regs);
	}
}

/* False: not counted; the general path does it. */
static __always_inline bool count_bucket(const struct kcatch_probe *probe,
					 const struct kcatch_counting *counting, const void *input)
{
	const struct kcatch_count_log *log = log_of(probe);
	struct kcatch_row *row;

	if (unlikely(!log || (READ_ONCE(probe->group->mode) &
			      (KCATCH_GROUP_LIMITED | KCATCH_GROUP_FREEZE))))
		return false;
	row = row_of_word(log, kcatch_bucket_of(*(s64 *)(input + counting->bucket->offset)));
	if (unlikely(!row))
		return false;
	ring_increment(&row->count);
	if (counting->value)
		count_add_value(row->key + 1, *(s64 *)(input + counting->value->offset));
	this_cpu_inc(probe->counters->recorded);
	return true;
}

int kcatch_count_returned(struct kretprobe_instance *instance, const struct pt_regs *regs,
			  u32 where)
{
	struct kcatch_inflight *call = (void *)instance->data;
	const struct kcatch_probe *probe = call->probe;
	const struct kcatch_counting *counting = probe->program->counting;
	struct kcatch_condition_input *input = (void *)call->data;

	this_cpu_dec(probe->counters->in_flight);
	kcatch_input_return(input, call, regs);
	if (unlikely(counting->shape != KCATCH_COUNT_BUCKET || input->faults ||
		     !count_bucket(probe, counting, input)))
		kcatch_call_whole(instance, regs, (u8)where);
	call->run = 0;
	kcatch_guard_leave_fast(0);
	return 0;
}
