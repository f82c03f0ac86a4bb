/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The record encoder: writes a hit as one record into a ring. Like the ring, it also compiles in
 * user space. All functions: any context, NMI too, with preemption off on the ring's CPU.
 */
#ifndef _KCATCH_RING_RECORD_ENCODER_H
#define _KCATCH_RING_RECORD_ENCODER_H

#include "ring/ring.h"

/**
 * struct kcatch_stack - a stack, as the walker returns it
 * @nr: number of frames
 * @flags: KCATCH_STACK_*
 * @interrupted: struct kcatch_hit.interrupted; its first entry is the lowest byte
 * @frames: addresses, innermost first; room for KCATCH_DEPTH_MAX
 */
struct kcatch_stack {
	u32 nr;
	u32 flags;
	u32 interrupted;
	u64 *frames;
};

/**
 * struct kcatch_call_info - a hit, as the slow path passes it to the encoder
 * @probe: number of the probe in its session
 * @context: KCATCH_CONTEXT_*
 * @pid: process
 * @tid: thread
 * @comm: command, KCATCH_COMM_LEN bytes
 * @stack: stack of the hit
 */
struct kcatch_call_info {
	u32 probe;
	u16 context;
	u32 pid;
	u32 tid;
	const char *comm;
	const struct kcatch_stack *stack;
};

/** kcatch_hit_nr_frames() - frames of a record, without the room behind them */
static inline u32 kcatch_hit_nr_frames(const struct kcatch_hit *hit)
{
	u32 nr = hit->nr_frames;

	while (nr && !hit->frames[nr - 1])
		nr--;
	return nr;
}

/** kcatch_stack_unpack() - take a stack's numbers out of the word of struct kcatch_hit that they
 * share with the context */
static __always_inline void kcatch_stack_unpack(struct kcatch_stack *stack, u64 word)
{
	stack->nr = (u16)(word >> 16);
	stack->flags = (u8)(word >> 8);
	stack->interrupted = word >> 32;
}

/* Fills in struct kcatch_hit, except size and time. Return: the address behind its frames */
static __always_inline void *kcatch_record_fill(struct kcatch_record *record, u32 kind,
						const struct kcatch_call_info *call)
{
	const struct kcatch_stack *stack = call->stack;
	struct kcatch_hit *hit = (void *)record;
	const u64 *from = stack->frames;
	u32 nr = stack->nr;
	__u64 *to, *end;

	hit->head.id = KCATCH_RECORD_ID(kind, call->probe);
	hit->pid = call->pid;
	hit->tid = call->tid;
	memcpy(hit->comm, call->comm, sizeof(hit->comm));
	hit->context = call->context;
	hit->stack_flags = stack->flags;
	hit->nr_frames = nr;
	memcpy(hit->interrupted, &stack->interrupted, sizeof(hit->interrupted));
	to = hit->frames;
	end = to + nr;
	while (to < end)
		*to++ = *from++;
	return end;
}

/* Copies @size bytes, a multiple of 8. A loop, because most copies are so short that calling
 * memcpy() would cost more. */
static __always_inline void kcatch_copy_words(void *to, const void *from, u32 size)
{
	const u64 *word = from;
	u64 *at = to, *end = to + size;

	while (at < end)
		*at++ = *word++;
}

/* kcatch_copy_words() of what is rarely short: fetched data. */
static __always_inline void kcatch_copy_data(void *to, const void *from, u32 size)
{
	const u64 *word = from;
	u64 *at = to;

	for (; size >= 64; size -= 64, at += 8, word += 8) {
		at[0] = word[0];
		at[1] = word[1];
		at[2] = word[2];
		at[3] = word[3];
		at[4] = word[4];
		at[5] = word[5];
		at[6] = word[6];
		at[7] = word[7];
		/* Without it the compiler keeps some of the words. */
		ring_barrier();
	}
	kcatch_copy_words(at, word, size);
}

/* The clock of the fast path, which is used only if kcatch_record_clock_is_slow() is false. */
#ifdef __KERNEL__
#define kcatch_record_clock()	rdtsc()
#define kcatch_record_clock_is_slow() (!static_branch_likely(&kcatch_clock_fast))
#else
#define kcatch_record_clock()	kcatch_clock_read()
#define kcatch_record_clock_is_slow() ring_clock_may_go_back()
#endif

/**
 * kcatch_record_reserve_bare() - kcatch_record_reserve_most() without the record's size, which the
 * caller sets
 */
static __always_inline struct kcatch_record *
kcatch_record_reserve_bare(struct kcatch_ring *ring, u64 size, u64 *end)
{
	u64 old = ring_load(&ring->head), now;
	struct kcatch_record *record;

	if (unlikely(old + size > ring_peek(&ring->limit) || kcatch_record_clock_is_slow()))
		return NULL;
	ring_nest_enter(&ring->nest);
	now = kcatch_record_clock();
	if (unlikely(!ring_exchange(&ring->head, old, old + size))) {
		kcatch_ring_withdraw(ring);
		return NULL;
	}
	record = (void *)(ring->data + (old & ring->size_mask));
	if (!record)
		__builtin_unreachable();	/* so that no caller tests this one */
	record->time = now;
	*end = old + size;
	return record;
}

/**
 * kcatch_record_reserve_most() - kcatch_ring_reserve() for the common case, without a call
 * @ring: ring of this CPU
 * @size: bytes of the record, a multiple of 8
 * @end: out: position of its end, for kcatch_record_trim()
 *
 * Fails if a new packet must be begun, if the clock is slow, or if a nested writer comes between.
 *
 * Context: any, preemption off.
 * Return: the record, with size and time set; NULL: nothing has changed, use kcatch_ring_reserve()
 */
static __always_inline struct kcatch_record *
kcatch_record_reserve_most(struct kcatch_ring *ring, u64 size, u64 *end)
{
	struct kcatch_record *record = kcatch_record_reserve_bare(ring, size, end);

	if (unlikely(!record))
		return NULL;
	record->size = size;
	return record;
}

/** kcatch_record_reserve_fast() - kcatch_record_reserve_most() of a record that is not trimmed */
static __always_inline struct kcatch_record *
kcatch_record_reserve_fast(struct kcatch_ring *ring, u64 size)
{
	u64 end;

	return kcatch_record_reserve_most(ring, size, &end);
}

/**
 * kcatch_record_trim() - give back what a reserved record does not need
 * @ring: ring of this CPU
 * @record: not committed
 * @end: from kcatch_record_reserve_most()
 * @unused: bytes, a multiple of 8; less than the record
 *
 * Context: any, preemption off, between reserve and commit.
 * Return: true; false: nothing has changed, because a nested writer's record follows
 */
static __always_inline bool kcatch_record_trim(struct kcatch_ring *ring,
					       struct kcatch_record *record, u64 end, u64 unused)
{
	/* A nested writer moves head on by a record at least: it never comes back to @end. */
	if (unlikely(!ring_exchange(&ring->head, end, end - unused)))
		return false;
	record->size -= unused;
	return true;
}

/** enum kcatch_record_result - what became of a record */
enum kcatch_record_result {
	KCATCH_RECORD_LOST,	/* no room; the ring counted it */
	KCATCH_RECORD_DONE,	/* written */
	KCATCH_RECORD_WAKE,	/* written, and a packet is full: wake the reader */
};

/**
 * kcatch_record_call() - write one struct kcatch_hit
 * @ring: ring of this CPU
 * @call: content of the record
 *
 * Context: any, preemption off.
 * Return: enum kcatch_record_result
 */
static __always_inline enum kcatch_record_result
kcatch_record_call(struct kcatch_ring *ring, const struct kcatch_call_info *call)
{
	struct kcatch_record *record;

	record = kcatch_ring_reserve(ring, sizeof(struct kcatch_hit) +
				     call->stack->nr * sizeof(u64));
	if (unlikely(!record))
		return KCATCH_RECORD_LOST;
	kcatch_record_fill(record, KCATCH_RECORD_HIT, call);
	return kcatch_ring_commit(ring) ? KCATCH_RECORD_WAKE : KCATCH_RECORD_DONE;
}

/**
 * kcatch_record_begin() - write a struct kcatch_hit that a struct kcatch_call_part follows
 * @ring: ring of this CPU
 * @kind: KCATCH_RECORD_ENTRY or KCATCH_RECORD_CALL
 * @call: content of struct kcatch_hit
 * @extra: bytes of the part's data, a multiple of 8
 * @time: out: time of the record
 *
 * The caller fills in the part and calls kcatch_ring_commit().
 *
 * Context: any, preemption off. Return: the part; NULL: no room, and nothing to commit
 */
static __always_inline struct kcatch_call_part *
kcatch_record_begin(struct kcatch_ring *ring, u32 kind,
		    const struct kcatch_call_info *call, u32 extra,
		    u64 *time)
{
	struct kcatch_record *record;

	record = kcatch_ring_reserve(ring, sizeof(struct kcatch_hit) +
				     call->stack->nr * sizeof(u64) +
				     sizeof(struct kcatch_call_part) + extra);
	if (unlikely(!record))
		return NULL;
	*time = record->time;
	return kcatch_record_fill(record, kind, call);
}

#endif
