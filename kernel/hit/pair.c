// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pairs hits by their keys. Any context, NMI too, inside a hook: no lock, no memory is allocated,
 * and nothing is waited for.
 */
#include <linux/percpu.h>
#include "hit/call_parts.h"
#include "hit/off_cpu.h"
#include "hit/pair.h"
#include "hit/pair_exchange.h"

/* How often a change that another hit was ahead of is tried. After that the hit is undecided. */
#define TRIES 64

/* Changes a slot, if it still is what it was. */
static __always_inline bool pair_exchange(struct kcatch_pair_slot *slot, u64 key, u64 time,
					  u64 new_key, u64 new_time)
{
	return kcatch_pair_exchange(slot, key, time, new_key, new_time);
}

static __always_inline bool pair_release(struct kcatch_pair_slot *slot, u64 key, u64 time)
{
	return pair_exchange(slot, key, time, 0, 0);
}

static struct kcatch_pair_slot *bucket_of(const struct kcatch_pairs *pairs, u64 key)
{
	u64 hash = (key ^ pairs->seed) * 0x9e3779b97f4a7c15ULL;

	hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15ULL;
	return pairs->slots + (hash >> 32 & pairs->mask) * KCATCH_PAIR_BUCKET;
}

/* The first slot from @slot on that has the key, and its time; @end: there is none. What is read
 * while it changes is found out when the slot is exchanged. */
static __always_inline struct kcatch_pair_slot *
slot_of(struct kcatch_pair_slot *slot, const struct kcatch_pair_slot *end, u64 key, u64 *time)
{
	for (; slot < end; slot++) {
		*time = READ_ONCE(slot->time);
		if (*time && READ_ONCE(slot->key) == key)
			break;
	}
	return slot;
}

/* Another hit may have put the same key into a slot of its own at the same time: the later one
 * stays. The exchange before is a full barrier, so that one of the two finds both. */
static void leave_one(const struct kcatch_pairs *pairs, struct kcatch_pair_slot *bucket, u64 key)
{
	const struct kcatch_pair_slot *end = bucket + KCATCH_PAIR_BUCKET;
	struct kcatch_pair_slot *slot, *other, *early;
	u64 time, other_time;

	slot = slot_of(bucket, end, key, &time);
	while (slot < end) {
		other = slot_of(slot + 1, end, key, &other_time);
		if (other == end)
			break;
		early = (s64)(other_time - time) < 0 ? other : slot;
		if (pair_release(early, key, early == slot ? time : other_time))
			this_cpu_inc(pairs->counts->restarted);
		if (early == slot)
			time = other_time;
		slot = early == slot ? other : slot;
	}
}

static u64 note_check(u64 time, u64 note)
{
	return time ^ note * 0x9e3779b97f4a7c15ULL;
}

static void note_put(const struct kcatch_pairs *pairs, const struct kcatch_pair_slot *slot,
		     u64 time, bool sleeps)
{
	struct kcatch_pair_note *note;
	u64 text;

	if (!pairs->notes)
		return;
	note = pairs->notes + (slot - pairs->slots);
	text = kcatch_off_cpu_note(sleeps);
	WRITE_ONCE(note->note, text);
	WRITE_ONCE(note->check, note_check(time, text));
}

/* The note of a first event. False: it is not known. */
static bool note_take(const struct kcatch_pairs *pairs, const struct kcatch_pair_slot *slot,
		      u64 time, u64 *text)
{
	const struct kcatch_pair_note *note;

	if (!pairs->notes)
		return false;
	note = pairs->notes + (slot - pairs->slots);
	*text = READ_ONCE(note->note);
	return READ_ONCE(note->check) == note_check(time, *text);
}

/* @sleeps: for the note. Return: KCATCH_EXIT_YES; or UNKNOWN: there is no room, or other hits were
 * always ahead */
static u32 pair_begin(const struct kcatch_pairs *pairs, u64 key, bool sleeps)
{
	struct kcatch_pair_slot *bucket = bucket_of(pairs, key), *slot;
	const struct kcatch_pair_slot *end = bucket + KCATCH_PAIR_BUCKET;
	u64 now = kcatch_clock_read() ?: 1, time;
	u32 i;

	for (i = 0; i < TRIES; i++) {
		slot = slot_of(bucket, end, key, &time);
		if (slot < end) {
			if (!pair_exchange(slot, key, time, key, now))
				continue;
			note_put(pairs, slot, now, sleeps);
			this_cpu_inc(pairs->counts->restarted);
			return KCATCH_EXIT_YES;
		}
		for (slot = bucket; slot < end && READ_ONCE(slot->time);)
			slot++;
		if (slot == end) {
			this_cpu_inc(pairs->counts->overflow);
			return KCATCH_EXIT_UNKNOWN;
		}
		if (pair_exchange(slot, 0, 0, key, now)) {
			note_put(pairs, slot, now, sleeps);
			leave_one(pairs, bucket, key);
			return KCATCH_EXIT_YES;
		}
	}
	this_cpu_inc(pairs->counts->undecided_first);
	return KCATCH_EXIT_UNKNOWN;
}

/* Fills in the latency and what comes with it. Return: KCATCH_EXIT_YES; NO: there was no first
 * event; UNKNOWN: other hits were always ahead */
static u32 pair_end(const struct kcatch_pairs *pairs, u64 key, struct kcatch_condition_input *input)
{
	struct kcatch_pair_slot *bucket = bucket_of(pairs, key), *slot;
	const struct kcatch_pair_slot *end = bucket + KCATCH_PAIR_BUCKET;
	u64 now = kcatch_clock_read(), time, note = 0;
	bool is_noted;
	u32 i;

	for (i = 0; i < TRIES; i++) {
		slot = slot_of(bucket, end, key, &time);
		if (slot == end) {
			this_cpu_inc(pairs->counts->unmatched);
			return KCATCH_EXIT_NO;
		}
		is_noted = note_take(pairs, slot, time, &note);
		if (pair_release(slot, key, time)) {
			this_cpu_inc(pairs->counts->paired);
			/* A first event that came meanwhile, on another CPU. */
			input->latency = (s64)(now - time) > 0 ? kcatch_call_ns(now - time) : 0;
			if (pairs->notes)
				kcatch_off_cpu_put_noted(is_noted, note, input);
			return KCATCH_EXIT_YES;
		}
	}
	this_cpu_inc(pairs->counts->undecided_second);
	return KCATCH_EXIT_UNKNOWN;
}

static void count_undecided(const struct kcatch_pair_part *part)
{
	if (part->is_first)
		this_cpu_inc(part->pairs->counts->undecided_first);
	else
		this_cpu_inc(part->pairs->counts->undecided_second);
}

u32 kcatch_pair_answer(const struct kcatch_program_code *program,
		       struct kcatch_condition_input *input)
{
	const struct kcatch_pair_part *part = program->pair;
	u32 answer = KCATCH_EXIT_YES;
	u64 out[3];

	if (program->entry_condition)
		answer = kcatch_condition_answer(program->entry_condition, input);
	if (kcatch_answer_holds(answer)) {
		kcatch_code_put(part->key, input, out, ARRAY_SIZE(out));
		if (out[1])
			answer = KCATCH_EXIT_UNKNOWN;
	}
	if (!kcatch_answer_holds(answer)) {
		if (answer)
			count_undecided(part);
		return answer;
	}
	if (part->pairs->notes && !out[0]) {
		if (!part->is_first)
			this_cpu_inc(part->pairs->counts->unmatched);
		return KCATCH_EXIT_NO;
	}
	if (part->is_first)
		return pair_begin(part->pairs, out[0], out[2]);
	answer = pair_end(part->pairs, out[0], input);
	if (!kcatch_answer_holds(answer))
		return answer;
	return program->return_condition ?
		       kcatch_condition_answer(program->return_condition, input) :
		       KCATCH_EXIT_YES;
}
