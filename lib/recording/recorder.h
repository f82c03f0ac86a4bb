/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* recorder.h - internals of a recorder, shared by recorder*.c */
#ifndef LIB_RECORDING_RECORDER_H
#define LIB_RECORDING_RECORDER_H

#include <stdio.h>

#include <kcatch_containers.h>
#include <kcatch_json.h>
#include "recording/ctf_types.h"
#include <kcatch.h>
#include "recording/pieces.h"
#include "recording/recorder_stream.h"
#include "session/handle.h"
#include "session/origin.h"
#include "symbols/loaded_modules.h"

#define KCATCH_RECORDING_FORMAT 3
/* Beside the streams, where readers of CTF do not look. */
#define KCATCH_RECORDING_SIDE "kcatch"
/* Space that a full disk leaves for the last counters. */
#define KCATCH_RECORDER_RESERVE "reserve"
#define KCATCH_RECORDING_CLOCK "clock"
/* The begin of names: perf-PID-NUMBER.map, NUMBER in the process's own namespace. */
#define KCATCH_RECORDING_JIT "perf"

/**
 * struct kcatch_recorder_cpu - a recorder's state for one CPU
 * @stream: the CPU's stream file
 * @made: @stream was created
 * @ring: the CPU's ring buffer; NULL: none yet
 * @flushed: ring position up to which the unfinished packet was written
 * @produced: ring position up to which this pass reads
 * @unwritten: by probe, number of hits that could not be written; NULL: none were lost
 * @unwritten_returns: by probe, number of returns that could not be written; NULL: none
 * @held: packets taken out of the ring while probes are described, allocated; they are of the
 *	stream and stand before what is in the ring
 * @held_size: bytes of them
 * @held_room: bytes allocated
 * @held_flushed: bytes of the first one that are in the file as a packet that is not full
 * @cut: ring position up to which records are in earlier pieces
 * @cut_time: time stamp of the last of them, if @cut is within a packet
 * @account: what the pieces of a recording have of each probe, by probe; NULL: nothing yet
 * @nr_account: number of entries in @account
 * @earlier_recorded: records in earlier pieces
 * @earlier_lost: hits and returns lost in earlier pieces
 */
struct kcatch_recorder_cpu {
	struct kcatch_recorder_stream stream;
	bool made;
	struct kcatch_mapped_ring *ring;
	uint64_t flushed;
	uint64_t produced;
	uint64_t *unwritten;
	uint64_t *unwritten_returns;
	unsigned char *held;
	size_t held_size;
	size_t held_room;
	uint64_t held_flushed;
	uint64_t cut;
	uint64_t cut_time;
	struct kcatch_piece_account *account;
	size_t nr_account;
	uint64_t earlier_recorded;
	uint64_t earlier_lost;
};

/**
 * struct kcatch_piece_account - what pieces have of one probe on one CPU
 * @earlier: the counters of earlier pieces, summed
 * @ended: those of the piece that ends
 * @written: calls and events written to this piece
 */
struct kcatch_piece_account {
	struct kcatch_counters earlier;
	struct kcatch_counters ended;
	uint64_t written;
};

/**
 * struct kcatch_rotation - a recording that is written in pieces
 * @bytes: a piece ends when its streams have so many bytes; 0: whatever they have
 * @ns: a piece ends after this time; 0: whatever time it takes
 * @keep: number of pieces that are kept, with the one that is being written; 0: all
 * @number: number of the piece, from 1; 0: the recording is not written in pieces
 * @oldest: number of the oldest piece that is kept
 * @names_since: number of the piece for which symbols and modules were begun anew
 * @names_bytes: bytes that these two files had then
 * @begun_ns: time at which the piece began, kcatch_timing_now_ns(); 0: the session did not run yet
 * @begun_bytes: bytes written before
 * @ends: the counters are those of a piece that another one follows
 * @parent: descriptor of the directory that holds the recording's
 * @name: name of the recording's directory in @parent
 * @made: the recorder has created it
 * @piece: a dot and the name of the piece's directory
 */
struct kcatch_rotation {
	uint64_t bytes;
	uint64_t ns;
	uint32_t keep;
	uint32_t number;
	uint32_t oldest;
	uint32_t names_since;
	uint64_t names_bytes;
	uint64_t begun_ns;
	uint64_t begun_bytes;
	bool ends;
	int parent;
	const char *name;
	bool made;
	char piece[KCATCH_PIECE_NAME];
};

/**
 * struct kcatch_recorder_clock - what was read of the clocks
 * @begin: the moment at which the recorder was created
 * @seen: the last reading
 * @written: the last anchor that was written or kept
 * @begun: @written is set
 * @back: the session's clock was set back: no anchor is written any more
 */
struct kcatch_recorder_clock {
	struct kcatch_anchor begin;
	struct kcatch_anchor seen;
	struct kcatch_anchor written;
	bool begun;
	bool back;
};

/**
 * struct kcatch_clock_history - the anchors of a flight recorder, while it waits
 * @clock: what was read of the clocks
 * @anchors: the anchors behind that of the session, allocated
 * @nr: number of them
 */
struct kcatch_clock_history {
	struct kcatch_recorder_clock clock;
	struct kcatch_anchor *anchors;
	size_t nr;
};

/* What a recorder has seen of a probe that is described when it is hit. */
enum kcatch_recorder_seen {
	KCATCH_SEEN_RECORD = 1 << 0,	/* a record */
	KCATCH_SEEN_DESCRIBED = 1 << 1,	/* the probe is described */
	KCATCH_SEEN_COUNTERS = 1 << 2,	/* counters, which are in the file of them */
};

/* More probes than that are described when they are hit: of tens of thousands few are. */
#define KCATCH_RECORDER_PROBES 2048U

/* And at most so many: each load of a module makes new ones. */
#define KCATCH_RECORDING_PROBES (1U << 20)

/**
 * struct kcatch_recorder - a recording that is being made
 * @session: the session that is recorded
 * @path: path of the recording's directory, for messages
 * @parent: descriptor of the parent directory
 * @name: name of the directory in @parent; points into @path
 * @directory: descriptor of the recording's directory
 * @side: descriptor of the subdirectory for files that are not CTF
 * @made: @directory was created by this recorder
 * @snapshot: the recording is one copy of the ring buffers, not a continuous recording
 * @ctf: the metadata, whose output is @metadata
 * @metadata: the text, allocated
 * @metadata_size: its bytes
 * @metadata_written: bytes of the file
 * @plans: output file of the plans
 * @probes: output file of the probes
 * @numbers: plan numbers, by struct kcatch_plan *
 * @nr_plans: number of plans written to @plans
 * @nr_probes: number of probes written to @probes, or told there
 * @when_hit: there are many probes: each is described when its first record is written
 * @seen: then by probe, enum kcatch_recorder_seen; room for @nr_probes
 * @noted: some have records that are not described
 * @cgroups_file: output file of the cgroups; NULL: records have none
 * @cgroups: numbers of cgroups that are in that file, or were gone
 * @last_cgroup: the number of the record looked at last
 * @unsure_cgroups: it was too early to say whether a cgroup exists
 * @next_cgroups: time at which it is looked for again, kcatch_timing_now_ns()
 * @jit: living processes that have records with user stacks, allocated
 * @nr_jit: number of entries in @jit
 * @last_jit: the process of the record looked at last
 * @jit_bytes: bytes copied of their names of code made at run time
 * @next_jit: time at which these are looked at again, kcatch_timing_now_ns()
 * @kernel_written: the kernel's own functions are written
 * @kernel_ends: where its code begins and ends, as they gave it
 * @modules: modules that were loaded at the last check
 * @modules_seen: time of that check, CLOCK_MONOTONIC in ns; 0: never
 * @history: modules of the time before; NULL: not known
 * @counters_age: looks since the counters were written, one a second
 * @clock: what was read of the clocks
 * @request: the request that armed the probes
 * @id: the recording's number
 * @command: words of the command line, allocated
 * @nr_command: number of entries in @command
 * @head: the metadata before @metadata, allocated
 * @head_size: its bytes
 * @rotation: how it is written in pieces. Then @directory, @made, @name and @side are of the
 *	piece, and @parent is the recording's directory
 * @cpus: state of each CPU, by CPU number
 * @packet: buffer for one packet
 * @stats: statistics for the caller
 * @json: the line of JSON that is being written
 */
struct kcatch_recorder {
	struct kcatch_session *session;
	char *path;
	int parent;
	const char *name;
	int directory;
	int side;
	bool made;
	bool snapshot;
	struct kcatch_ctf ctf;
	char *metadata;
	size_t metadata_size;
	size_t metadata_written;
	FILE *plans;
	FILE *probes;
	struct kcatch_table numbers;
	uint32_t nr_plans;
	uint32_t nr_probes;
	bool when_hit;
	uint8_t *seen;
	bool noted;
	FILE *cgroups_file;
	struct kcatch_cgroup_names cgroups;
	uint64_t last_cgroup;
	bool unsure_cgroups;
	uint64_t next_cgroups;
	struct kcatch_recorder_jit *jit;
	size_t nr_jit;
	uint32_t last_jit;
	uint64_t jit_bytes;
	uint64_t next_jit;
	bool kernel_written;
	uint64_t kernel_ends[4];
	struct kcatch_loaded_modules modules;
	uint64_t modules_seen;
	struct kcatch_module_history *history;
	uint64_t counters_age;
	struct kcatch_recorder_clock clock;
	struct kcatch_request request;
	char id[KCATCH_ORIGIN_NUMBER];
	char **command;
	size_t nr_command;
	char *head;
	size_t head_size;
	struct kcatch_rotation rotation;
	struct kcatch_recorder_cpu *cpus;
	struct kcatch_packet *packet;
	struct kcatch_recorder_stats stats;
	struct json_writer json;
};

/**
 * kcatch_recorder_directory_open - create or open the recording's directory and its subdirectory
 * @recorder: with @path set and all descriptors -1
 *
 * Return: 0; -EEXIST the directory is not empty; -EPERM others own it or can write to it;
 *	another -errno; with an error text. kcatch_recorder_directory_remove() removes what was
 *	created.
 */
int kcatch_recorder_directory_open(struct kcatch_recorder *recorder);

/**
 * kcatch_recorder_piece_open - create the directory of the piece @rotation.number, with a dot
 *	before its name
 * kcatch_recorder_piece_show - take the dot away: the piece is whole
 * @recorder: the recorder, whose @parent is the recording's directory
 *
 * Return: 0 or -errno with an error text; the first leaves nothing behind then.
 */
int kcatch_recorder_piece_open(struct kcatch_recorder *recorder);
int kcatch_recorder_piece_show(struct kcatch_recorder *recorder);

/**
 * kcatch_recorder_piece_remove - remove the directory of a piece with all that is in it
 * @whole: descriptor of the recording's directory
 * @name: name of the piece's directory
 * @bytes: receives the bytes of its streams; NULL: not wanted
 *
 * What cannot be removed stays.
 */
void kcatch_recorder_piece_remove(int whole, const char *name, uint64_t *bytes);

/**
 * kcatch_recorder_directory_remove - remove all files and directories that a recorder created
 * @recorder: a recorder whose files are still open
 */
void kcatch_recorder_directory_remove(struct kcatch_recorder *recorder);

/**
 * kcatch_recorder_directory_sync - wait until all files are on the disk
 * @recorder: the recorder
 *
 * Return: 0 or -errno with an error text.
 */
int kcatch_recorder_directory_sync(const struct kcatch_recorder *recorder);

/**
 * kcatch_recorder_directory_close - close the descriptors of the directories
 * @recorder: the recorder; descriptors may be -1
 */
void kcatch_recorder_directory_close(struct kcatch_recorder *recorder);

/**
 * kcatch_recorder_file - create a file that did not exist, for writing
 * @directory: descriptor of the directory
 * @name: name of the file
 *
 * Return: the file; NULL with errno set.
 */
FILE *kcatch_recorder_file(int directory, const char *name);

/**
 * kcatch_recorder_append_file - open a file at its end, created if missing
 * @directory: descriptor of the directory
 * @name: name of the file
 *
 * Return: the file; NULL with errno set.
 */
FILE *kcatch_recorder_append_file(int directory, const char *name);

/**
 * kcatch_recorder_fail_file - set the error text of a file that cannot be written
 * @recorder: the recorder
 * @name: name of the file
 * @error: positive errno
 *
 * Return: -@error.
 */
int kcatch_recorder_fail_file(const struct kcatch_recorder *recorder, const char *name, int error);

/**
 * kcatch_recorder_check_file - flush a file and check that everything was written
 * @recorder: the recorder
 * @file: the file
 * @name: its name, for the error text
 *
 * Return: 0, or -errno with an error text.
 */
int kcatch_recorder_check_file(const struct kcatch_recorder *recorder, FILE *file,
			       const char *name);

/**
 * kcatch_recorder_close_file - close a file and check that everything was written
 * @recorder: the recorder
 * @file: the file, closed in any case
 * @name: its name, for the error text
 *
 * Return: 0, or -errno with an error text.
 */
int kcatch_recorder_close_file(const struct kcatch_recorder *recorder, FILE *file,
			       const char *name);

/**
 * kcatch_recorder_write_session - write the data that holds for the whole recording
 * @recorder: the recorder
 *
 * Writes session.json and the beginning of the metadata.
 *
 * Return: 0 or -errno.
 */
int kcatch_recorder_write_session(struct kcatch_recorder *recorder);

/**
 * kcatch_recorder_note_probes - note which probes a packet has records of, if @when_hit
 * kcatch_recorder_write_some - write at most so many of those that were noted; @noted stays set if
 *	there are more
 * kcatch_recorder_write_probes - write all probes that were not written yet; if @when_hit, those
 *	that were noted, and how many there are
 * kcatch_recorder_name_counted - write names and addresses of those that have counters alone
 * @recorder: the recorder
 * @packet: the packet, complete up to @size
 * @size: its bytes, with its header
 * @most: number of probes
 *
 * Also writes the probes' plans and event classes, and the types that these need.
 *
 * Return: 0 or -errno.
 */
int kcatch_recorder_note_probes(struct kcatch_recorder *recorder, const void *packet, size_t size);
int kcatch_recorder_write_some(struct kcatch_recorder *recorder, uint32_t most);
int kcatch_recorder_write_probes(struct kcatch_recorder *recorder);
int kcatch_recorder_name_counted(struct kcatch_recorder *recorder);

/**
 * kcatch_recorder_next_record - get the next record of a packet
 * @packet: the packet, complete up to @size
 * @size: its bytes, with its header
 * @at: where the record is, at first the size of the header; moves on
 *
 * Return: the record, which may be of any kind; NULL: there is no more that makes sense.
 */
static inline const struct kcatch_record *kcatch_recorder_next_record(const void *packet,
								      size_t size, size_t *at)
{
	const struct kcatch_record *record = (const void *)((const uint8_t *)packet + *at);

	if (size < sizeof(*record) || *at > size - sizeof(*record) ||
	    record->size < sizeof(*record) || record->size & 7 || record->size > size - *at)
		return NULL;
	*at += record->size;
	return record;
}

/**
 * kcatch_recorder_write_metadata - replace the file of the metadata, if there are new ones
 * @recorder: the recorder
 *
 * The whole file is replaced by renaming: a reader, which may come after the recorder was killed,
 * cannot read half of a declaration.
 *
 * Return: 0 or -errno.
 */
int kcatch_recorder_write_metadata(struct kcatch_recorder *recorder);

/**
 * kcatch_recorder_write_symbols - append the addresses of the kernel's functions and modules,
 *	if a module was loaded or unloaded since the last call
 * kcatch_recorder_write_counters - write all counters; replaces the previous file
 * kcatch_recorder_update_counters - the same, if many counters were not written for some seconds;
 *	once a second
 * @recorder: the recorder
 * @final: tracing has ended: the counters are final
 *
 * Return: 0 or -errno.
 */
int kcatch_recorder_write_symbols(struct kcatch_recorder *recorder);
int kcatch_recorder_write_counters(struct kcatch_recorder *recorder, bool final);
int kcatch_recorder_update_counters(struct kcatch_recorder *recorder);

/**
 * kcatch_recorder_begin_clock - write the first anchors
 * @recorder: the recorder
 * @history: those of the time before; NULL: there are none
 *
 * Return: 0 or -errno.
 */
int kcatch_recorder_begin_clock(struct kcatch_recorder *recorder,
				const struct kcatch_clock_history *history);

/**
 * kcatch_recorder_write_clock - read the clocks, and write an anchor if one is due
 * @recorder: the recorder
 * @final: the last call: one is due a second after the one before
 *
 * Return: 0 or -errno.
 */
int kcatch_recorder_write_clock(struct kcatch_recorder *recorder, bool final);

/**
 * kcatch_clock_history_look - read the clocks, and keep an anchor if one is due; once a second
 * kcatch_clock_history_add - keep an anchor, unless the clocks have not risen
 * kcatch_clock_history_deinit - forget all
 * @history: the history; zeroed at first
 * @session: the session
 * @anchor: the anchor
 *
 * Return: 0 or -errno.
 */
int kcatch_clock_history_look(struct kcatch_clock_history *history,
			      struct kcatch_session *session);
int kcatch_clock_history_add(struct kcatch_clock_history *history,
			     const struct kcatch_anchor *anchor);
void kcatch_clock_history_deinit(struct kcatch_clock_history *history);

/**
 * kcatch_recorder_write_reserve - reserve disk space for the final counters
 * @recorder: the recorder
 *
 * Return: 0 or -errno.
 */
int kcatch_recorder_write_reserve(struct kcatch_recorder *recorder);

/**
 * kcatch_recorder_begin_cgroups - write the paths of all cgroups, if records have cgroups
 * kcatch_recorder_note_cgroups - write the paths of those in a packet that are not written yet
 * kcatch_recorder_end_cgroups - write the paths of those that it was too early to look up
 * kcatch_recorder_update_cgroups - the same, if the last time was a second ago
 * @recorder: the recorder
 * @packet: the packet, complete up to @size
 * @size: its bytes, with its header
 *
 * Return: 0; -ENOMEM; another -errno with an error text: the file cannot be written.
 */
int kcatch_recorder_begin_cgroups(struct kcatch_recorder *recorder);
int kcatch_recorder_end_cgroups(struct kcatch_recorder *recorder);
int kcatch_recorder_update_cgroups(struct kcatch_recorder *recorder);
int kcatch_recorder_note_cgroups(struct kcatch_recorder *recorder, const void *packet,
				 size_t size);

/**
 * kcatch_recorder_note_jit - copy the names of code made at run time of the processes in a packet
 *	that are new
 * kcatch_recorder_end_jit - copy those of all that live, where they have grown
 * kcatch_recorder_update_jit - the same, if the last time was a second ago
 * @recorder: the recorder
 * @packet: the packet, complete up to @size
 * @size: its bytes, with its header
 *
 * Return: 0; -ENOMEM; another -errno with an error text: the file cannot be written.
 */
int kcatch_recorder_note_jit(struct kcatch_recorder *recorder, const void *packet, size_t size);
int kcatch_recorder_end_jit(struct kcatch_recorder *recorder);
int kcatch_recorder_update_jit(struct kcatch_recorder *recorder);

/** kcatch_recorder_forget_jit - begin with no process: the next piece has its own copies */
void kcatch_recorder_forget_jit(struct kcatch_recorder *recorder);

/**
 * kcatch_recorder_piece_is_due - is the piece to end?
 * @recorder: the recorder
 *
 * Return: false also for a recording that is not written in pieces.
 */
bool kcatch_recorder_piece_is_due(struct kcatch_recorder *recorder);

/**
 * kcatch_recorder_rotate - end the piece, begin the next one, remove those that are not to be kept
 * @recorder: the recorder: all that its rings had at one moment is in the files
 *
 * Return: 0; -errno with an error text: the recording is to end. The piece that was written to goes
 *	on, or the next one has begun.
 */
int kcatch_recorder_rotate(struct kcatch_recorder *recorder);

/**
 * kcatch_recorder_count_written - count the calls and events of a packet that was written
 * kcatch_recorder_piece_counters - take what earlier pieces have off a probe's counters
 * @recorder: the recorder
 * @packet: the packet, complete up to @size
 * @size: its bytes, with its header
 * @cpu: CPU number
 * @probe: probe number
 * @counters: those of the kernel on that CPU, which become those of the piece
 *
 * Nothing is done for a recording that is not written in pieces.
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_recorder_count_written(struct kcatch_recorder *recorder, const void *packet,
				  size_t size);
int kcatch_recorder_piece_counters(struct kcatch_recorder *recorder, uint32_t cpu, uint32_t probe,
				   struct kcatch_counters *counters);

/**
 * kcatch_recorder_own_file - give this piece a copy of a file that it shares with earlier pieces
 * @recorder: the recorder
 * @name: name of the file in @side, which may be missing
 *
 * Return: 0 or -errno with an error text.
 */
int kcatch_recorder_own_file(struct kcatch_recorder *recorder, const char *name);

#endif
