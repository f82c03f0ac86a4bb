/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* read_streams.h - merges the stream files of a recording into one sequence of records */
#ifndef LIB_RECORDING_READ_STREAMS_H
#define LIB_RECORDING_READ_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include "recording/pieces.h"

struct kcatch_recording_streams;

/**
 * struct kcatch_recording_shape - properties of a recording's packets
 * @step: bytes: after damage, the next packet is looked for at multiples of this offset
 * @from_start: no packet was overwritten: the first one has sequence number 0
 * @follows: but for what an earlier piece has, which is not read
 * @has_uuid: @uuid is known
 * @uuid: UUID of the session; packets with another UUID are left out
 */
struct kcatch_recording_shape {
	uint32_t step;
	bool from_start;
	bool follows;
	bool has_uuid;
	uint8_t uuid[16];
};

/**
 * kcatch_recording_streams_open - open the files cpu0, cpu1, ...
 * @directory: descriptor of the directory, which stays open
 * @nr_cpus: number of CPUs: file numbers are below it
 * @shape: properties of the packets; copied
 * @pieces: the pieces in whose directories the files are, one after the other; @pieces->nr 0:
 *	they are in @directory. Must stay
 * @streams: the new object
 *
 * Every field is checked before use. Memory: up to 32 MB for all files (with more than 512 CPUs
 * packets are read in parts), and 150 bytes a CPU.
 *
 * Return: 0 or -errno.
 */
int kcatch_recording_streams_open(int directory, uint32_t nr_cpus,
				  const struct kcatch_recording_shape *shape,
				  const struct kcatch_recording_pieces *pieces,
				  struct kcatch_recording_streams **streams);

/**
 * kcatch_recording_streams_close - close the files and free the object
 * @streams: may be NULL
 */
void kcatch_recording_streams_close(struct kcatch_recording_streams *streams);

/**
 * kcatch_recording_streams_next - get the next record of all CPUs in order of time
 * @streams: the files
 * @record: the record, consistent in itself, valid until the next call; NULL: end of all files
 * @cpu: CPU of the record
 *
 * Return: 0 or -errno.
 */
int kcatch_recording_streams_next(struct kcatch_recording_streams *streams,
				  const struct kcatch_record **record, uint32_t *cpu);

/**
 * kcatch_recording_streams_damage - describe the first damage found
 * @streams: the files
 *
 * Return: its place and kind as text for the user; "" if there is no damage.
 */
const char *kcatch_recording_streams_damage(const struct kcatch_recording_streams *streams);

/**
 * kcatch_recording_streams_discarded - hits and returns that found no room in a CPU's ring
 * @streams: the files
 * @cpu: CPU number
 *
 * Return: the number that the last of the packets read so far tells.
 */
uint64_t kcatch_recording_streams_discarded(const struct kcatch_recording_streams *streams,
					    uint32_t cpu);

/**
 * kcatch_recording_streams_damaged - number of invalid packets and records so far
 * kcatch_recording_streams_bytes - size of all files in bytes
 * kcatch_recording_streams_done - bytes of all files that were read so far
 * @streams: the files
 *
 * Return: packets and records; bytes; bytes.
 */
uint64_t kcatch_recording_streams_damaged(const struct kcatch_recording_streams *streams);
uint64_t kcatch_recording_streams_bytes(const struct kcatch_recording_streams *streams);
uint64_t kcatch_recording_streams_done(const struct kcatch_recording_streams *streams);

#endif
