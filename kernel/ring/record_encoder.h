/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The record encoder: writes a hit as one record into a ring. Compiles in user space too,
 * like the ring.
 */
#ifndef _KCATCH_RING_RECORD_ENCODER_H
#define _KCATCH_RING_RECORD_ENCODER_H

#include "ring/ring.h"

/**
 * struct kcatch_stack - a stack as the walker leaves it
 * @nr: frames
 * @flags: KCATCH_STACK_*
 * @interrupted: as in struct kcatch_hit, first entry in the lowest byte
 * @unusual: of the walker: frames that were not plain
 * @frames: room for KCATCH_DEPTH_MAX
 */
struct kcatch_stack {
	u32 nr;
	u32 flags;
	u32 interrupted;
	u32 unusual;
	u64 *frames;
};

/**
 * struct kcatch_call_info - what is known of a caught call
 * @probe: number of the probe in its session
 * @context: KCATCH_CONTEXT_*
 * @pid: process
 * @tid: thread
 * @comm: KCATCH_COMM_LEN bytes
 * @stack: its stack
 */
struct kcatch_call_info {
	u32 probe;
	u16 context;
	u32 pid;
	u32 tid;
	const char *comm;
	const struct kcatch_stack *stack;
};

/* The part of a record that all calls have; returns the place behind its frames. */
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

/* Multiples of 8 bytes, mostly few: a call of memcpy() costs more than they. */
static __always_inline void kcatch_copy_words(void *to, const void *from, u32 size)
{
	const u64 *word = from;
	u64 *at = to, *end = to + size;

	while (at < end)
		*at++ = *word++;
}

/* The clock of the fast path, where it is quick. */
#ifdef __KERNEL__
#define kcatch_record_clock()	rdtsc()
#define kcatch_record_clock_is_slow() (!static_branch_likely(&kcatch_clock_fast))
#else
#define kcatch_record_clock()	kcatch_clock_read()
#define kcatch_record_clock_is_slow() ring_clock_may_go_back()
#endif

/**
 * kcatch_record_reserve_fast() - kcatch_ring_reserve(), the common case: calls nothing
 * @ring: this CPU's
 * @size: as there
 *
 * Not where a new packet must be begun, the clock is slow or another writer comes between.
 *
 * Context: as there. Return: the record, its size and time set; NULL: nothing has happened
 */
static __always_inline struct kcatch_record *
kcatch_record_reserve_fast(struct kcatch_ring *ring, u64 size)
{
	u64 old = ring_load(&ring->head), now;
	struct kcatch_record *record;

	if (unlikely(old + size > ring_load(&ring->limit) || kcatch_record_clock_is_slow()))
		return NULL;
	ring_nest_enter(&ring->nest);
	now = kcatch_record_clock();
	if (unlikely(!ring_exchange(&ring->head, old, old + size))) {
		kcatch_ring_withdraw(ring);
		return NULL;
	}
	record = (void *)(ring->data + (old & ring->size_mask));
	if (!record)
		__builtin_unreachable();	/* so that no caller asks */
	record->size = size;
	record->time = now;
	return record;
}

/** enum kcatch_record_result - what became of a record */
enum kcatch_record_result {
	KCATCH_RECORD_LOST,	/* no room; the ring counted it */
	KCATCH_RECORD_DONE,
	KCATCH_RECORD_WAKE,	/* done, and a packet is full: wake the reader */
};

/**
 * kcatch_record_call() - write one struct kcatch_hit
 * @ring: this CPU's
 * @call: what to write
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
 * kcatch_record_begin() - begin a record that goes on with struct kcatch_call_part
 * @ring: this CPU's
 * @kind: KCATCH_RECORD_ENTRY or KCATCH_RECORD_CALL
 * @call: what the first part holds
 * @extra: bytes of its data, a multiple of 8
 * @time: out: its time
 *
 * Context: as kcatch_ring_reserve(). Return: the part, to be filled and followed by
 * kcatch_ring_commit(); NULL when there is no room
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
