/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* ring_reader.h - the rings of all CPUs as one row of records */
#ifndef LIB_RING_READER_H
#define LIB_RING_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include "mapped_ring.h"

struct kcatch_ring_reader;

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
 * kcatch_ring_reader_map - map the rings of CPUs that have come
 * @reader: the reader
 *
 * Return: 0 or -errno.
 */
int kcatch_ring_reader_map(struct kcatch_ring_reader *reader);

/**
 * kcatch_ring_reader_ring - one CPU's ring, for who reads packets rather than records
 * @reader: the reader; kcatch_ring_reader_next() is not used on it then
 * @cpu: which
 *
 * Return: the ring; NULL: it has none (yet).
 */
struct kcatch_mapped_ring *kcatch_ring_reader_ring(struct kcatch_ring_reader *reader,
						   uint32_t cpu);

/**
 * kcatch_ring_reader_snapshot - kcatch_mapped_ring_snapshot() of all rings
 * kcatch_ring_reader_take - kcatch_mapped_ring_take() of all rings
 * @reader: the reader
 * @flush: as there
 * @visit: as there, CPU by CPU
 * @arg: for @visit
 *
 * Not to be called between kcatch_ring_reader_begin() and the end of what it saw. A snapshot looks first how far all rings have come, then at what they hold.
 *
 * Return: 0, what @visit returned, or -errno.
 */
int kcatch_ring_reader_snapshot(struct kcatch_ring_reader *reader, kcatch_packets_visit visit,
				void *arg);
int kcatch_ring_reader_take(struct kcatch_ring_reader *reader, bool flush,
			    kcatch_packets_visit visit, void *arg);

/**
 * kcatch_ring_reader_overtaken - what was overwritten unread so far
 * @reader: may be NULL
 * @bytes: of these packets; NULL: not wanted
 *
 * Return: packets.
 */
uint64_t kcatch_ring_reader_overtaken(const struct kcatch_ring_reader *reader, uint64_t *bytes);

/**
 * kcatch_ring_reader_damaged - what could not be read so far
 * @reader: may be NULL
 *
 * Return: records and packets.
 */
uint64_t kcatch_ring_reader_damaged(const struct kcatch_ring_reader *reader);

#endif
