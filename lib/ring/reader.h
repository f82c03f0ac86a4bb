/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* reader.h - merges the ring buffers of all CPUs into one sequence of records */
#ifndef LIB_RING_READER_H
#define LIB_RING_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include "ring/mapped_ring.h"

struct kcatch_ring_reader;

/**
 * kcatch_ring_reader_create - create a reader of a session's ring buffers
 * @fd: the session's descriptor, after setup
 * @nr_cpus: number of CPUs: ring buffer numbers are below it
 * @ring_size: bytes of a ring buffer
 * @packet_size: bytes of a packet
 * @reader: the new reader; it maps no ring buffer yet
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_ring_reader_create(int fd, uint32_t nr_cpus, uint32_t ring_size, uint32_t packet_size,
			      struct kcatch_ring_reader **reader);

/**
 * kcatch_ring_reader_destroy - unmap all ring buffers and free the reader
 * @reader: may be NULL
 */
void kcatch_ring_reader_destroy(struct kcatch_ring_reader *reader);

/**
 * kcatch_ring_reader_begin - begin a pass: load the end position of every ring buffer
 * @reader: the reader
 * @until: session clock: records of this time and later are left to the next pass;
 *	UINT64_MAX if no more records can come
 *
 * Also maps the ring buffers of new CPUs. The kernel takes a record's time a moment before it
 * publishes the record. As the ring buffers are read one after the other, a later record of
 * one may be visible before an earlier record of another. @until is the clock before this
 * call, so all records before @until can be put in order.
 *
 * Return: 0 or -errno.
 */
int kcatch_ring_reader_begin(struct kcatch_ring_reader *reader, uint64_t until);

/**
 * kcatch_ring_reader_next - get the oldest unread record of the pass
 * @reader: the reader
 * @cpu: CPU of the record
 *
 * Return: the record, in the reader's memory until the next call; NULL: the pass is over.
 */
const struct kcatch_record *kcatch_ring_reader_next(struct kcatch_ring_reader *reader,
						    uint32_t *cpu);

/**
 * kcatch_ring_reader_is_behind - are there records that were taken out of the ring buffers?
 * @reader: the reader
 *
 * poll() does not know of them: another pass reads them.
 *
 * Return: true if a CPU has some.
 */
bool kcatch_ring_reader_is_behind(const struct kcatch_ring_reader *reader);

/**
 * kcatch_ring_reader_map - map the ring buffers of new CPUs
 * @reader: the reader
 *
 * Return: 0 or -errno.
 */
int kcatch_ring_reader_map(struct kcatch_ring_reader *reader);

/**
 * kcatch_ring_reader_ring - get a CPU's ring buffer, to read packets rather than records
 * @reader: the reader; do not use kcatch_ring_reader_next() on it too
 * @cpu: CPU number
 *
 * Return: the ring buffer; NULL: the CPU has none yet.
 */
struct kcatch_mapped_ring *kcatch_ring_reader_ring(struct kcatch_ring_reader *reader,
						   uint32_t cpu);

/**
 * kcatch_ring_reader_snapshot - call kcatch_mapped_ring_snapshot() for all ring buffers
 * @reader: the reader
 * @visit: called for each packet, CPU by CPU
 * @arg: passed to @visit
 *
 * Context: not during a pass begun by kcatch_ring_reader_begin(). The end positions of all ring
 * buffers are loaded before the first packet is copied.
 *
 * Return: 0, what @visit returned, or -errno.
 */
int kcatch_ring_reader_snapshot(struct kcatch_ring_reader *reader, kcatch_packets_visit visit,
				void *arg);

/**
 * kcatch_ring_reader_damaged - number of invalid records and packets so far
 * @reader: may be NULL
 *
 * Return: number of records and packets.
 */
uint64_t kcatch_ring_reader_damaged(const struct kcatch_ring_reader *reader);

#endif
