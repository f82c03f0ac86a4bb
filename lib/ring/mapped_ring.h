/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* mapped_ring.h - reads one ring buffer, record by record or packet by packet */
#ifndef LIB_RING_MAPPED_RING_H
#define LIB_RING_MAPPED_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

/**
 * struct kcatch_mapped_ring - a mapped ring buffer and its read position
 * @page: first page of the mapping, written by the kernel
 * @consumer: page through which the kernel learns the consumed position
 * @data: the packets
 * @ring_size: bytes of @data
 * @packet_size: bytes of a packet
 * @position: read position in bytes, not wrapped
 * @damaged: number of invalid records and packets
 * @overtaken: number of packets that were overwritten before they were read completely
 * @overtaken_bytes: unread bytes of those packets
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
 * kcatch_record_is_good - check that a record is consistent in itself
 * @record: the whole record, in memory that no other thread or kernel writes
 * @size: bytes of the record, a multiple of 8
 *
 * Return: true if all parts lie within the record, and for kinds of records of later releases.
 */
bool kcatch_record_is_good(const struct kcatch_record *record, size_t size);

/**
 * kcatch_mapped_ring_peek - copy the next valid record without advancing the position
 * @ring: the ring buffer
 * @produced: position up to which records are complete
 * @record: buffer for the record
 * @room: bytes at @record
 *
 * The ring buffer's contents are not trusted: reads stay inside of it, and a record handed out
 * is consistent in itself (size, number of frames). Invalid data is skipped and counted in
 * @ring->damaged; packets that an overwriting writer overtook are skipped and counted in
 * @ring->overtaken.
 *
 * Return: bytes of the record; 0: there is none. The caller adds this to @ring->position.
 */
size_t kcatch_mapped_ring_peek(struct kcatch_mapped_ring *ring, uint64_t produced,
			struct kcatch_record *record, size_t room);

/** kcatch_mapped_ring_produced - load the position up to which records are complete */
static inline uint64_t kcatch_mapped_ring_produced(const struct kcatch_mapped_ring *ring)
{
	return __atomic_load_n(&ring->page->produced, __ATOMIC_ACQUIRE);
}

/** kcatch_mapped_ring_consume - let the kernel reuse the space before the read position */
static inline void kcatch_mapped_ring_consume(struct kcatch_mapped_ring *ring)
{
	__atomic_store_n(&ring->consumer->consumed, ring->position, __ATOMIC_RELEASE);
}

/**
 * kcatch_mapped_ring_copy - copy a packet's current content as a consistent packet
 * @ring: the ring buffer; it may be written to meanwhile, in either mode; unchanged
 * @produced: position up to which records are complete
 * @from: position of the first record to copy, at the start of a packet or of a record in it;
 *	the copy ends at the packet's end or at @produced
 * @packet: buffer of @ring->packet_size bytes
 *
 * If the packet is not full yet, its content ends at @produced; the header gives that size, and
 * zeros follow the content.
 *
 * Return: 0; -EAGAIN there is no record; -ESTALE the packet was overwritten, before or during
 * the copy; -EBADMSG the packet is damaged.
 */
int kcatch_mapped_ring_copy(const struct kcatch_mapped_ring *ring, uint64_t produced, uint64_t from,
			    struct kcatch_packet *packet);

/**
 * typedef kcatch_packets_visit - receive packets
 * @arg: argument of the caller
 * @cpu: CPU of the packets
 * @packets: one or more CTF packets, one after the other; valid during the call
 * @size: bytes at @packets
 *
 * Return: 0 to continue; any other value ends the visit.
 */
typedef int (*kcatch_packets_visit)(void *arg, uint32_t cpu, const void *packets, size_t size);

/**
 * kcatch_mapped_ring_snapshot - visit all packets of a ring buffer that may be written to
 * @ring: the ring buffer; its read position is neither used nor changed
 * @produced: position at which the snapshot ends
 * @room: buffer for one packet
 * @visit: called for each packet, oldest first; the last one may be incomplete
 * @arg: passed to @visit
 *
 * Packets that are overwritten meanwhile are left out, which leaves a gap in `sequence`. In
 * discard mode, all packets not yet consumed are visited; the caller must prevent that another
 * thread consumes meanwhile.
 *
 * Return: 0, or what @visit returned.
 */
int kcatch_mapped_ring_snapshot(const struct kcatch_mapped_ring *ring, uint64_t produced,
				void *room, kcatch_packets_visit visit, void *arg);

#endif
