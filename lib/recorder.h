/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* recorder.h - inside of a recorder, shared by recorder.c and recorder_files.c */
#ifndef LIB_RECORDER_H
#define LIB_RECORDER_H

#include <stdio.h>

#include "ctf_types.h"
#include "kcatch.h"
#include "recorder_stream.h"
#include "session.h"
#include "table.h"

#define KCATCH_RECORDING_FORMAT 1
/* Beside the streams, where readers of CTF do not look. */
#define KCATCH_RECORDING_SIDE "kcatch"
/* Space that a full disk leaves for the last counters. */
#define KCATCH_RECORDER_RESERVE "reserve"

/**
 * struct kcatch_recorder_cpu - one CPU
 * @stream: its file
 * @ring: NULL: none yet
 * @flushed: up to here the packet in use was written
 * @produced: up to here its ring is looked at
 * @unwritten: hits of each probe that could not be written; NULL: all were
 * @unwritten_returns: returns, alike
 */
struct kcatch_recorder_cpu {
	struct kcatch_recorder_stream stream;
	struct kcatch_mapped_ring *ring;
	uint64_t flushed;
	uint64_t produced;
	uint64_t *unwritten;
	uint64_t *unwritten_returns;
};

/**
 * struct kcatch_recorder - a recording that is being made
 * @session: what is recorded
 * @path: its directory, for messages
 * @directory: descriptor
 * @side: descriptor of the directory for all that is no CTF
 * @made: @directory was made for it
 * @snapshot: a copy of the rings, not all that came
 * @ctf: its metadata
 * @plans: file of them
 * @probes: file of them
 * @numbers: of plans, by struct kcatch_plan *
 * @nr_plans: how many
 * @nr_probes: how many were written
 * @request: what was asked for
 * @cpus: by number
 * @packet: room for one
 * @stats: for the caller
 */
struct kcatch_recorder {
	struct kcatch_session *session;
	char *path;
	int directory;
	int side;
	bool made;
	bool snapshot;
	struct kcatch_ctf ctf;
	FILE *plans;
	FILE *probes;
	struct kcatch_table numbers;
	uint32_t nr_plans;
	uint32_t nr_probes;
	const struct kcatch_request *request;
	struct kcatch_recorder_cpu *cpus;
	struct kcatch_packet *packet;
	struct kcatch_recorder_stats stats;
};

/**
 * kcatch_recorder_file - create a file of its own
 * @directory: descriptor
 * @name: its name
 *
 * Return: the file; NULL: errno tells.
 */
FILE *kcatch_recorder_file(int directory, const char *name);

/**
 * kcatch_recorder_write_session - what is the same for the whole recording
 * @recorder: the recorder
 * @options: of the caller
 *
 * Writes session.json and the beginning of the metadata.
 *
 * Return: 0 or -errno.
 */
int kcatch_recorder_write_session(struct kcatch_recorder *recorder,
				  const struct kcatch_recorder_options *options);

/**
 * kcatch_recorder_write_probes - probes that were not written yet
 * @recorder: the recorder
 *
 * Writes their plans and event classes, and the types these need.
 *
 * Return: 0 or -errno.
 */
int kcatch_recorder_write_probes(struct kcatch_recorder *recorder);

/**
 * kcatch_recorder_write_symbols - the kernel's functions and where they are; appended
 * kcatch_recorder_write_tasks - names of all threads that there are; appended
 * kcatch_recorder_write_counters - all counters; replaces those of before
 * @recorder: the recorder
 * @final: tracing has ended
 *
 * Return: 0 or -errno.
 */
int kcatch_recorder_write_symbols(struct kcatch_recorder *recorder);
int kcatch_recorder_write_tasks(struct kcatch_recorder *recorder);
int kcatch_recorder_write_counters(struct kcatch_recorder *recorder, bool final);

/**
 * kcatch_recorder_write_reserve - take space for the last counters
 * @recorder: the recorder
 *
 * Return: 0 or -errno.
 */
int kcatch_recorder_write_reserve(struct kcatch_recorder *recorder);

#endif
