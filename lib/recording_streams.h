/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* recording_streams.h - the stream files of a recording as one row of records */
#ifndef LIB_RECORDING_STREAMS_H
#define LIB_RECORDING_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

struct kcatch_recording_streams;

/**
 * struct kcatch_recording_shape - what is known of the packets
 * @step: where to look for the next one behind damage: multiples of this
 * @from_start: none was overwritten: the first has the number 0
 * @has_uuid: @uuid is known
 * @uuid: of the session; packets of others are left out
 */
struct kcatch_recording_shape {
	uint32_t step;
	bool from_start;
	bool has_uuid;
	uint8_t uuid[16];
};

/**
 * kcatch_recording_streams_open - open the files cpu0, cpu1, ...
 * @directory: descriptor, which stays open
 * @nr_cpus: CPU numbers are below
 * @shape: copied
 * @streams: the new object
 *
 * Nothing in them is believed. Memory: up to 32 MB for all (with more than 512 CPUs packets
 * are read in parts), and 150 bytes a CPU.
 *
 * Return: 0 or -errno.
 */
int kcatch_recording_streams_open(int directory, uint32_t nr_cpus,
				  const struct kcatch_recording_shape *shape,
				  struct kcatch_recording_streams **streams);

/**
 * kcatch_recording_streams_close - close them
 * @streams: may be NULL
 */
void kcatch_recording_streams_close(struct kcatch_recording_streams *streams);

/**
 * kcatch_recording_streams_next - the oldest record of those that come next on any CPU
 * @streams: the files
 * @record: it, consistent in itself, valid until the next call; NULL: there are no more
 * @cpu: whose
 *
 * Return: 0 or -errno.
 */
int kcatch_recording_streams_next(struct kcatch_recording_streams *streams,
				  const struct kcatch_record **record, uint32_t *cpu);

/**
 * kcatch_recording_streams_damage - the first of them
 * @streams: the files
 *
 * Return: where it is and what, for people; "" when there is none.
 */
const char *kcatch_recording_streams_damage(const struct kcatch_recording_streams *streams);

/**
 * kcatch_recording_streams_damaged - packets and records that made no sense so far
 * kcatch_recording_streams_bytes - how many all files have
 * kcatch_recording_streams_done - how many of them were gone through
 * @streams: the files
 *
 * Return: that.
 */
uint64_t kcatch_recording_streams_damaged(const struct kcatch_recording_streams *streams);
uint64_t kcatch_recording_streams_bytes(const struct kcatch_recording_streams *streams);
uint64_t kcatch_recording_streams_done(const struct kcatch_recording_streams *streams);

#endif
