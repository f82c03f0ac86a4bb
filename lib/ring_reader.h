/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* ring_reader.h - the rings of all CPUs as one row of records */
#ifndef LIB_RING_READER_H
#define LIB_RING_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

struct kcatch_ring_reader;

/**
 * struct kcatch_mapped_ring - one mapped ring, and where its reader stands
 * @page: first page of the mapping, written by the kernel
 * @consumer: what the kernel is told
 * @data: the data
 * @ring_size: bytes of @data
 * @packet_size: bytes of a packet
 * @position: where the reader stands
 * @damaged: records and packets that made no sense
 */
struct kcatch_mapped_ring {
	const struct kcatch_ring_page *page;
	struct kcatch_consumer_page *consumer;
	const unsigned char *data;
	uint64_t ring_size;
	uint64_t packet_size;
	uint64_t position;
	uint64_t damaged;
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
 * sense is counted in @ring->damaged and passed by.
 *
 * Return: its size; 0 when there is none. The reader still stands before it:
 * adding the size to @ring->position is the caller's.
 */
size_t kcatch_mapped_ring_peek(struct kcatch_mapped_ring *ring, uint64_t produced,
			struct kcatch_record *record, size_t room);

/**
 * kcatch_ring_reader_create - a reader for a session's rings
 * @fd: the session's descriptor, set up
 * @nr_cpus: ring numbers are below
 * @ring_size: bytes a ring
 * @packet_size: bytes a packet
 * @reader: the reader; maps nothing yet
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_ring_reader_create(int fd, uint32_t nr_cpus, uint32_t ring_size, uint32_t packet_size,
			      struct kcatch_ring_reader **reader);

/**
 * kcatch_ring_reader_destroy - unmap all
 * @reader: may be NULL
 */
void kcatch_ring_reader_destroy(struct kcatch_ring_reader *reader);

/**
 * kcatch_ring_reader_begin - look how far all rings have come
 * @reader: the reader
 * @until: leave records of this time and later for the next time; UINT64_MAX
 *	when no more can come
 *
 * Also maps the rings of CPUs that have come. A record is made with a time
 * taken a moment earlier: if rings are looked at one after the other, a later
 * record of the one can be seen before an earlier one of the other. @until is
 * the clock before this call, so all before it can be put in order.
 *
 * Return: 0 or -errno.
 */
int kcatch_ring_reader_begin(struct kcatch_ring_reader *reader, uint64_t until);

/**
 * kcatch_ring_reader_next - the oldest record of those kcatch_ring_reader_begin() saw
 * @reader: the reader
 * @cpu: whose
 *
 * Return: the record, in the reader's memory until the next call; NULL.
 */
const struct kcatch_record *kcatch_ring_reader_next(struct kcatch_ring_reader *reader,
						    uint32_t *cpu);

/**
 * kcatch_ring_reader_damaged - what could not be read so far
 * @reader: may be NULL
 *
 * Return: records and packets.
 */
uint64_t kcatch_ring_reader_damaged(const struct kcatch_ring_reader *reader);

#endif
