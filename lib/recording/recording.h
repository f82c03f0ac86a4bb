/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* recording.h - internals of a session that reads a recording */
#ifndef LIB_RECORDING_RECORDING_H
#define LIB_RECORDING_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include <kcatch.h>
#include "recording/read_streams.h"
#include "session/handle.h"
#include "symbols/symbol_list.h"

struct kcatch_recorded_counts;

/**
 * struct kcatch_recording - private data of a session that reads a recording
 * @directory: descriptor of the recording's directory
 * @side: descriptor of the subdirectory for files that are not CTF
 * @shape: properties of the packets
 * @info: description handed to the caller; its strings are allocated
 * @streams: the stream files
 * @symbols: the recorded symbols; NULL: none
 * @cpus: counters, by CPU
 * @taken: number of events handed out, by CPU
 * @complete: all events were handed out
 * @damage: description of the first damage found outside of the streams
 * @told: buffer for @damage together with the streams' first damage
 * @withheld: name of the first code whose lines were not shown; NULL: none
 * @reason: buffer for why they were not shown
 * @settled: time up to which calls were searched for those whose return cannot come
 * @names: names of the probes
 * @nr_names: number of entries in @names
 * @nr_skipped: number of probes whose lines are lost, between lines that are there
 * @cut: plans.json and probes.json, if they end within a line
 * @cut.name: name of the file
 * @cut.line: number of that line
 * @nr_cut: number of entries in @cut
 * @numbered: probes.json says how many probes there are, and describes some
 * @kept: what is kept of plans.json and probes.json takes about so many bytes
 * @counts: what is counted of each probe; NULL: events are not counted
 */
struct kcatch_recording {
	int directory;
	int side;
	struct kcatch_recording_shape shape;
	struct kcatch_recording_info info;
	struct kcatch_recording_streams *streams;
	struct kcatch_symbol_list *symbols;
	struct kcatch_totals *cpus;
	uint64_t *taken;
	bool complete;
	char damage[200];
	char told[420];
	const char *withheld;
	char reason[300];
	uint64_t settled;
	char **names;
	size_t nr_names;
	size_t nr_skipped;
	struct {
		const char *name;
		size_t line;
	} cut[2];
	size_t nr_cut;
	bool numbered;
	uint64_t kept;
	struct kcatch_recorded_counts *counts;
};

/**
 * kcatch_recording_foreign - a trace that another program wrote is no recording
 * @what: what it is called in the error text
 *
 * Return: -ENOENT with that text.
 */
int kcatch_recording_foreign(const char *what);

/** kcatch_recorded_counts_destroy - free what counting needs of each probe; NULL is fine */
void kcatch_recorded_counts_destroy(struct kcatch_recorded_counts *counts);

/**
 * kcatch_recording_load - load all files but the streams into a session
 * @session: a session of a recording, whose directories are open
 *
 * Return: 0, -ENOENT, -EINVAL, -ENOMEM, another -errno.
 */
int kcatch_recording_load(struct kcatch_session *session);

/**
 * kcatch_recording_read_file - read one file of the recording's subdirectory
 * @recording: the recording
 * @name: name of the file
 * @text: receives its contents with a null byte behind, allocated
 * @length: receives its size in bytes
 *
 * Return: 0; -ENOENT there is none, without an error text; -EINVAL it is no file, or larger
 *	than 256 MB; -ENOMEM; another -errno.
 */
int kcatch_recording_read_file(const struct kcatch_recording *recording, const char *name,
			       char **text, size_t *length);

/**
 * kcatch_recording_read_clock - read the anchors between the clock of the records and the
 *	monotonic clock
 * @session: a session of a recording, with the anchor of session.json
 *
 * Return: 0 or -ENOMEM; damage is noted.
 */
int kcatch_recording_read_clock(struct kcatch_session *session);

/**
 * kcatch_recording_of - get the recording of a session
 * @session: any session
 *
 * Return: the recording; NULL: the session is live.
 */
struct kcatch_recording *kcatch_recording_of(const struct kcatch_session *session);

/**
 * kcatch_recording_note - count damage from which reading continues
 * @session: the session, whose count of damage is increased
 * @format: place and kind of the damage as text for the user; the first text is kept
 */
void kcatch_recording_note(struct kcatch_session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
