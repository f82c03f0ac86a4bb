/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The record encoder: the one place that writes what records begin with. Like the ring, it also
 * compiles in user space. All functions: any context, NMI too, with preemption off on the ring's
 * CPU.
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

/** kcatch_stack_pack() - a stack's numbers in one word, as stack_flags, nr_frames and interrupted
 * of struct kcatch_hit have them; its lowest byte, the context, is 0 */
static __always_inline u64 kcatch_stack_pack(const struct kcatch_stack *stack)
{
	return stack->flags << 8 | stack->nr << 16 | (u64)stack->interrupted << 32;
}

/** kcatch_stack_unpack() - the reverse */
static __always_inline void kcatch_stack_unpack(struct kcatch_stack *stack, u64 word)
{
	stack->nr = (u16)(word >> 16);
	stack->flags = (u8)(word >> 8);
	stack->interrupted = word >> 32;
}

/* Copies @size bytes, a multiple of 8. A loop, because most copies are so short that calling
 * memcpy() would cost more; by pairs from the end, as that takes three instructions a word. */
static __always_inline void kcatch_copy_words(void *to, const void *from, unsigned long size)
{
	if (size & sizeof(u64)) {
		size -= sizeof(u64);
		*(u64 *)(to + size) = *(const u64 *)(from + size);
	}
	while (size) {
		size -= 2 * sizeof(u64);
		*(u64 *)(to + size) = *(const u64 *)(from + size);
		*(u64 *)(to + size + sizeof(u64)) = *(const u64 *)(from + size + sizeof(u64));
	}
}

/* The clock of the fast path, which is used only if kcatch_record_clock_is_slow() is false. */
#ifdef __KERNEL__
#define kcatch_record_clock()	kcatch_cycles_read()
#define kcatch_record_clock_is_slow() (!static_branch_likely(&kcatch_clock_fast))
#else
#define kcatch_record_clock()	kcatch_clock_read()
#define kcatch_record_clock_is_slow() ring_clock_may_go_back()
#endif

/**
 * kcatch_record_reserve_fast() - kcatch_ring_reserve() for the common case, without a call
 * @ring: ring of this CPU
 * @size: bytes of the record, a multiple of 8
 *
 * Fails if a new packet must be begun, if the clock is slow, or if a nested writer comes between.
 *
 * Context: any, preemption off.
 * Return: the record, with size and time set; NULL: nothing has changed, use kcatch_ring_reserve()
 */
static __always_inline struct kcatch_record *
kcatch_record_reserve_fast(struct kcatch_ring *ring, u64 size)
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
	record->size = size;
	return record;
}

/* Bytes of the frames that a word of kcatch_stack_pack() numbers. */
static __always_inline u64 kcatch_frames_size(u64 word)
{
	return (u16)(word >> 16) * sizeof(u64);
}

/**
 * kcatch_record_new() - a record of the current thread: all that every kind begins with
 * @ring: ring of this CPU
 * @id: KCATCH_RECORD_ID()
 * @size: bytes of the record, a multiple of 8
 * @fast: constant: by kcatch_record_reserve_fast(), whose NULL leaves all as it was
 *
 * The caller fills in the rest, and commits.
 *
 * Context: any, preemption off.
 * Return: the record, as far as its thread ID; NULL: no room
 */
static __always_inline void *kcatch_record_new(struct kcatch_ring *ring, u32 id, u64 size,
					       const bool fast)
{
	struct kcatch_return *record;

	record = (void *)(fast ? kcatch_record_reserve_fast(ring, size) :
				 kcatch_ring_reserve(ring, size));
	if (unlikely(!record))
		return NULL;
	record->head.id = id;
	*(u64 *)&record->pid = ring_ids();	/* and tid */
	return record;
}

/** kcatch_record_named() - kcatch_record_new() of a kind with the command behind the thread ID.
 * Return: struct kcatch_event_record, or the first members of struct kcatch_hit; NULL: no room */
static __always_inline void *kcatch_record_named(struct kcatch_ring *ring, u32 id, u64 size,
						 const bool fast)
{
	struct kcatch_event_record *record = kcatch_record_new(ring, id, size, fast);

	_Static_assert(offsetof(struct kcatch_hit, comm) ==
			       offsetof(struct kcatch_event_record, comm),
		       "the command: where a hit has it");
	if (likely(record))
		memcpy(record->comm, ring_comm(), sizeof(record->comm));
	return record;
}

/**
 * kcatch_record_hit() - write a struct kcatch_hit
 * @ring: as for kcatch_record_new(), like @id and @fast
 * @word: KCATCH_CONTEXT_*, and kcatch_stack_pack() of its stack
 * @frames: those of the stack
 * @extra: bytes of what the caller writes behind them, a multiple of 8
 *
 * Context: any, preemption off. Return: the record, to be committed; NULL: no room
 */
static __always_inline struct kcatch_hit *
kcatch_record_hit(struct kcatch_ring *ring, u32 id, u64 word, const u64 *frames, u64 extra,
		  const bool fast)
{
	struct kcatch_hit *hit;

	hit = kcatch_record_named(ring, id, sizeof(*hit) + kcatch_frames_size(word) + extra, fast);
	if (unlikely(!hit))
		return NULL;
	/* The four members share one word. */
	*(u64 *)&hit->context = word;
	kcatch_copy_words(hit->frames, frames, kcatch_frames_size(word));
	return hit;
}

/** enum kcatch_record_result - what became of a record */
enum kcatch_record_result {
	KCATCH_RECORD_LOST,	/* no room; the ring counted it */
	KCATCH_RECORD_DONE,	/* written */
	KCATCH_RECORD_WAKE,	/* written, and a packet is full: wake the reader */
};

/** kcatch_record_commit() - end a record on the slow path. Context: as the reserve */
static __always_inline enum kcatch_record_result kcatch_record_commit(struct kcatch_ring *ring)
{
	return kcatch_ring_commit(ring) ? KCATCH_RECORD_WAKE : KCATCH_RECORD_DONE;
}

#endif
