/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring of one CPU: a sequence of packets. Discard mode: records stay until the reader
 * has consumed them, and further records that find no room are counted as lost. Overwrite
 * mode (flight recorder): the newest packet replaces the oldest.
 *
 * Fast path contract
 *   Writers run on the ring's CPU with preemption off, in any context, including NMI. A
 *   writer that interrupts another one finishes first. Between reserve and commit a writer
 *   may be interrupted, but may neither sleep nor migrate.
 *
 *   Reserve moves `head` by an exchange that fails if a nested writer came between. The
 *   time stamp is read inside that loop, so time never goes back within a ring. `nest`
 *   counts the writers under way. The outermost one publishes: when it leaves, all records
 *   below `head` are complete, because the nested writers have finished. No commit counts
 *   are needed.
 *
 *   The release store of `produced` pairs with the reader's acquire load; the reader's
 *   release store of `consumed` pairs with the acquire load in room(), so that no packet is
 *   overwritten while it is being read.
 *
 * Overwrite mode
 *   It differs only in room(). Before the packet of one lap ago is touched,
 *   page->overwritten moves to its end, and a write barrier follows. The barrier pairs with
 *   the read barrier between the reader's copy and its second load of `overwritten`: a
 *   reader that copied a byte of the new packet sees that the old one was overwritten.
 *   `overwritten` moves before the packet is reserved. If a nested writer comes between,
 *   either that writer begins the packet or the interrupted one will, so `overwritten` is
 *   never moved in vain.
 *
 *   Unpublished records are never overwritten, in either mode. The record of a nested
 *   writer is lost and counted if it would need the packet in which an interrupted writer
 *   has an open record, or which that writer is about to close. The outermost writer never
 *   loses a record in this way: a ring has at least two packets, and the packet that it
 *   begins is not the previous one.
 *
 * Freezing
 *   From any CPU and context: `frozen` is set, then `limit` is cleared, so that the next
 *   reserve takes the slow path and is refused there. Records under way are completed. The
 *   fast path has no extra test.
 *
 *   Thawing has two steps. The first announces it, and the second takes back only what the
 *   first has announced: a ring that is frozen again between them stays frozen.
 *
 * Memory: one page for the reader, ring_size bytes of data, and this struct.
 */
#ifndef _KCATCH_RING_RING_H
#define _KCATCH_RING_RING_H

#include "ring/ring_platform.h"

/**
 * struct kcatch_ring - writer's side of one ring; never mapped
 * @head: reserved position, in bytes since the ring was made
 * @limit: end of the packet in use; a hint, corrected when it is low;
 *	other CPUs may clear it
 * @last: time of the last record, where the clock may go back
 * @consumed: last believable position of the reader
 * @size_mask: ring size - 1
 * @packet_mask: packet size - 1
 * @nest: writers under way on this CPU
 * @filled: a packet was filled and the reader was not woken yet
 * @data: the packets
 * @page: first page of the reader's mapping
 * @consumer: the page the reader writes
 * @cpu: CPU of the ring
 * @overwrite: overwrite mode
 * @frozen: KCATCH_RING_*: whether further records are refused
 * @refused: writers refused for that reason that did not ask for it yet
 * @uuid: UUID of the session
 * @map: index of the ring's pages for readers of a memory dump
 */
struct kcatch_ring {
	u64 head;
	u64 limit;
	u64 last;
	u64 consumed;
	u64 size_mask;
	u64 packet_mask;
	u32 nest;
	u32 filled;
	u8 *data;
	struct kcatch_ring_page *page;
	struct kcatch_consumer_page *consumer;
	u32 cpu;
	u32 overwrite;
	u32 frozen;
	u64 refused;
	u8 uuid[16];
	struct kcatch_dump_map *map;
};

/** Largest record that fits into a packet of @packet_size bytes. */
#define KCATCH_RING_RECORD_MAX(packet_size) \
	((packet_size) - sizeof(struct kcatch_packet))

/**
 * kcatch_ring_init() - make a ring of zeroed memory
 * @ring: the writer's side, private
 * @page: first page of the mapping
 * @data: ring_size bytes
 * @consumer: the reader's page
 * @ring_size: bytes, a power of two
 * @packet_size: bytes, a power of two, at most half of @ring_size
 * @mode: KCATCH_RING_*
 * @cpu: number that goes into the packets
 * @uuid: 16 bytes that go into the packets
 */
void kcatch_ring_init(struct kcatch_ring *ring, struct kcatch_ring_page *page,
		      void *data, struct kcatch_consumer_page *consumer,
		      u32 ring_size, u32 packet_size, u32 mode, u32 cpu, const u8 *uuid);

/*
 * Now, for a record that will start at @head. False: a nested writer came
 * between, look at head again. A clock that may go back (CLOCK_MONOTONIC does,
 * for whoever interrupts its update) is held at the last time given out.
 */
static __always_inline bool kcatch_ring_time(struct kcatch_ring *ring, u64 *now)
{
	u64 last;

	if (likely(!ring_clock_may_go_back())) {
		*now = kcatch_clock_read();
		return true;
	}
	last = ring_load(&ring->last);
	*now = kcatch_clock_read();
	if (*now < last)
		*now = last;
	return ring_exchange(&ring->last, last, *now);
}

/* The uncommon parts of reserve and commit; see there. */
struct kcatch_record *kcatch_ring_reserve_packet(struct kcatch_ring *ring, u32 size);
void kcatch_ring_publish_again(struct kcatch_ring *ring);

/**
 * kcatch_ring_reserve() - room for one record
 * @ring: this CPU's
 * @size: bytes, a multiple of 8, at most KCATCH_RING_RECORD_MAX()
 *
 * Context: any, preemption off.
 * Return: the record, its size and time set, to be filled and followed by
 * kcatch_ring_commit(); or NULL when there is no room, counted in
 * page->discarded (as is one that no packet could hold), or the ring is frozen,
 see kcatch_ring_take_refused() (then no
 * commit, but see kcatch_ring_take_filled()).
 */
static __always_inline struct kcatch_record *kcatch_ring_reserve(struct kcatch_ring *ring,
								 u32 size)
{
	struct kcatch_record *record;
	u64 old, now;

	ring_nest_enter(&ring->nest);
	do {
		old = ring_load(&ring->head);
		if (unlikely(old + size > ring_load(&ring->limit)))
			return kcatch_ring_reserve_packet(ring, size);
	} while (unlikely(!kcatch_ring_time(ring, &now) ||
			  !ring_exchange(&ring->head, old, old + size)));
	record = (void *)(ring->data + (old & ring->size_mask));
	record->size = size;
	record->time = now;
	return record;
}

/**
 * kcatch_ring_take_filled() - was a packet filled since the reader was last woken?
 * @ring: this CPU's
 *
 * Only the outermost writer is told, for only then it is published.
 *
 * Context: any, preemption off.
 * Return: true once for one or more filled packets: wake the reader
 */
static __always_inline bool kcatch_ring_take_filled(struct kcatch_ring *ring)
{
	if (likely(!ring_load(&ring->filled)) || ring_load(&ring->nest))
		return false;
	ring_store(&ring->filled, 0);
	return true;
}

/**
 * kcatch_ring_take_refused() - was a NULL of kcatch_ring_reserve() no loss?
 * @ring: this CPU's
 *
 * To be asked by whoever got one, once. When nested writers get one for each
 * reason at once they may change answers; the sums stay right.
 *
 * Context: any, preemption off.
 * Return: true when it was refused because the ring is frozen
 */
static __always_inline bool kcatch_ring_take_refused(struct kcatch_ring *ring)
{
	if (likely(!ring_load(&ring->refused)))
		return false;
	ring_decrement(&ring->refused);
	return true;
}

/**
 * kcatch_ring_abandon() - withdraw what writers of this CPU reserved that will never commit
 * @ring: this CPU's
 *
 * Records that were complete, of writers that had interrupted those, are withdrawn with them: they
 * were not published, and cannot be told from the others.
 *
 * Context: this CPU, interrupts off; no writer is under way but those that are gone.
 */
static inline void kcatch_ring_abandon(struct kcatch_ring *ring)
{
	if (!ring_load(&ring->nest))
		return;
	ring_store(&ring->head, ring->page->produced);
	ring_store(&ring->limit, 0);	/* found again by the next reserve */
	ring_store(&ring->nest, 0);
}

/* struct kcatch_ring.frozen */
#define KCATCH_RING_RUNS	0
#define KCATCH_RING_FROZEN	1
#define KCATCH_RING_THAWS	2	/* frozen, between the two steps of a thaw */

/**
 * kcatch_ring_freeze() - refuse further records
 * @ring: any CPU's, or one that is not made yet
 *
 * On the ring's CPU no reserve succeeds after it. Another CPU may have one
 * under way.
 *
 * Context: any, any CPU.
 */
static inline void kcatch_ring_freeze(struct kcatch_ring *ring)
{
	ring_store(&ring->frozen, KCATCH_RING_FROZEN);
	ring_full_barrier();	/* the writer stores limit, then looks at frozen */
	ring_store(&ring->limit, 0);
}

/** kcatch_ring_thaw_begin() - announce a thaw; records are still refused. Context: any CPU, no
 * freeze under way */
static inline void kcatch_ring_thaw_begin(struct kcatch_ring *ring)
{
	ring_store(&ring->frozen, KCATCH_RING_THAWS);
}

/** kcatch_ring_thaw_end() - take records again, unless the ring was frozen since
 * kcatch_ring_thaw_begin(). Context: any CPU */
static inline void kcatch_ring_thaw_end(struct kcatch_ring *ring)
{
	ring_exchange_shared(&ring->frozen, KCATCH_RING_THAWS, KCATCH_RING_RUNS);
}

/*
 * A writer leaves; the outermost one publishes. A writer that comes between
 * the load of head and the end of nest saw that it was nested and left its
 * publishing to us, hence the second look.
 */
static __always_inline void kcatch_ring_leave(struct kcatch_ring *ring)
{
	u64 head;

	if (unlikely(ring_load(&ring->nest) != 1)) {
		ring_store(&ring->nest, ring_load(&ring->nest) - 1);
		return;
	}
	head = ring_load(&ring->head);
	ring_store_release(&ring->page->produced, head);
	ring_barrier();
	ring_store(&ring->nest, 0);
	ring_barrier();
	if (unlikely(ring_load(&ring->head) != head))
		kcatch_ring_publish_again(ring);
}

/* kcatch_ring_leave() of a writer that reserved nothing, without a call: where it stands
 * inside a hook, no register need be saved for it. */
static __always_inline void kcatch_ring_withdraw(struct kcatch_ring *ring)
{
	u64 head;

	if (ring_load(&ring->nest) != 1) {
		ring_store(&ring->nest, ring_load(&ring->nest) - 1);
		return;
	}
	for (;;) {
		head = ring_load(&ring->head);
		ring_store_release(&ring->page->produced, head);
		ring_barrier();
		ring_store(&ring->nest, 0);
		ring_barrier();
		if (ring_load(&ring->head) == head)
			break;
		ring_store(&ring->nest, 1);
		ring_barrier();
	}
}

/**
 * kcatch_ring_commit() - the record is complete
 * @ring: this CPU's
 *
 * Context: as the reserve it belongs to.
 * Return: as kcatch_ring_take_filled()
 */
static __always_inline bool kcatch_ring_commit(struct kcatch_ring *ring)
{
	kcatch_ring_leave(ring);
	return kcatch_ring_take_filled(ring);
}

#endif
