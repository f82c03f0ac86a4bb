/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* mapped_ring.h - one ring, read record by record or packet by packet */
#ifndef LIB_MAPPED_RING_H
#define LIB_MAPPED_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

/**
 * struct kcatch_mapped_ring - one mapped ring, and where its reader stands
 * @page: first page of the mapping, written by the kernel
 * @consumer: what the kernel is told
 * @data: the data
 * @ring_size: bytes of @data
 * @packet_size: bytes of a packet
 * @position: where the reader stands
 * @damaged: records and packets that made no sense
 * @overtaken: packets that were overwritten before they were read to their end
 * @overtaken_bytes: what was not read of them
 */
struct kcatch_mapped_ring {
	const struct kcatch_ring_page *page;
	struct kcatch_consumer_page *consumer;
	const unsigned char *data;
	uint64_t ring_size;
	uint64_t packet_size;
	uint64_t position;
	uint64_t damaged;
	uint64_t overtaken;
	uint64_t overtaken_bytes;
};

/**
 * kcatch_record_is_good - is a record consistent in itself
 * @record: the record, all of it in memory that nobody writes
 * @size: its bytes, a multiple of 8
 *
 * Return: whether its parts lie in it; true for kinds of later releases.
 */
bool kcatch_record_is_good(const struct kcatch_record *record, size_t size);

/**
 * kcatch_mapped_ring_peek - copy the next record, if it is a good one
 * @ring: the ring
 * @produced: all below is complete
 * @record: room for it
 * @room: bytes at @record
 *
 * Believes nothing: whatever the ring holds, reads stay inside it and what is
 * handed out is consistent in itself (size, number of frames). What makes no
 * sense is counted in @ring->damaged and passed by. So is what a writer in overwrite
 * mode overtook, in @ring->overtaken.
 *
 * Return: its size; 0 when there is none. The reader still stands before it:
 * adding the size to @ring->position is the caller's.
 */
size_t kcatch_mapped_ring_peek(struct kcatch_mapped_ring *ring, uint64_t produced,
			struct kcatch_record *record, size_t room);

/** kcatch_mapped_ring_produced - below this all is complete, now */
static inline uint64_t kcatch_mapped_ring_produced(const struct kcatch_mapped_ring *ring)
{
	return __atomic_load_n(&ring->page->produced, __ATOMIC_ACQUIRE);
}

/** kcatch_mapped_ring_consume - what lies before the position is the kernel's to write again */
static inline void kcatch_mapped_ring_consume(struct kcatch_mapped_ring *ring)
{
	__atomic_store_n(&ring->consumer->consumed, ring->position, __ATOMIC_RELEASE);
}

/**
 * kcatch_mapped_ring_copy - a packet as it is now, whole and sound in itself
 * @ring: the ring; may be written to, in either mode; stays as it is
 * @produced: all below is complete
 * @from: what of it: records from this position on, up to the packet's end or
 *	@produced. In the middle of a packet: where a record begins
 * @packet: room for @ring->packet_size bytes
 *
 * Of a packet that is not full yet, the content ends at @produced, and its header
 * says so; behind the content are zeros.
 *
 * Return: 0; -EAGAIN when there is no record; -ESTALE when it was overwritten (before
 * or meanwhile); -EBADMSG when it is damaged.
 */
int kcatch_mapped_ring_copy(const struct kcatch_mapped_ring *ring, uint64_t produced, uint64_t from,
			    struct kcatch_packet *packet);

/**
 * typedef kcatch_packets_visit - packets are handed out
 * @arg: of the caller
 * @cpu: whose
 * @packets: one or more packets of CTF, one after the other; to be copied
 * @size: bytes
 *
 * Return: 0 to go on.
 */
typedef int (*kcatch_packets_visit)(void *arg, uint32_t cpu, const void *packets, size_t size);

/**
 * kcatch_mapped_ring_snapshot - all that is in a ring, while it is written to
 * @ring: the ring; its position is not looked at and stays
 * @produced: the snapshot ends there
 * @room: memory for a packet
 * @visit: is called for each packet, oldest first; the last one may not be full
 * @arg: for @visit
 *
 * Packets that are overwritten meanwhile are left out: a gap in `sequence`. In discard
 * mode: all packets that are not consumed yet; nobody may consume meanwhile.
 *
 * Return: 0, or what @visit returned.
 */
int kcatch_mapped_ring_snapshot(const struct kcatch_mapped_ring *ring, uint64_t produced, void *room,
				kcatch_packets_visit visit, void *arg);

/**
 * kcatch_mapped_ring_take - all full packets that were not read before, and consume them
 * @ring: the ring; not to be mixed with kcatch_mapped_ring_peek() of the same
 * @flush: and what is in the packet that is not full yet, as a packet of its own
 * @room: memory for a packet
 * @visit: is called with as many packets at once as lie one after the other; in
 *	overwrite mode with single ones
 * @arg: for @visit
 *
 * What was given to @visit is consumed when it returned 0.
 *
 * Return: 0, or what @visit returned.
 */
int kcatch_mapped_ring_take(struct kcatch_mapped_ring *ring, bool flush, void *room,
			    kcatch_packets_visit visit, void *arg);

#endif
