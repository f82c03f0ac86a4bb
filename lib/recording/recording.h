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
 * @pieces: the pieces, of a recording that is read as a whole; none: it has no pieces, or is one
 * @at: index of the piece whose files are being read
 * @names_since: number of the piece with which its files of symbols and modules begin
 * @continued: the counters are those of a piece that another one follows
 * @earlier_lost: hits and returns that were lost in pieces that are not read, by CPU
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
 * @user_deferred: user stacks are unwound when they are asked for
 * @jit_bytes: bytes of names of code made at run time
 * @kept: what is kept of plans.json and probes.json takes about so many bytes
 * @counts: what is counted of each probe; NULL: events are not counted
 */
struct kcatch_recording {
	int directory;
	int side;
	struct kcatch_recording_shape shape;
	struct kcatch_recording_info info;
	struct kcatch_recording_pieces pieces;
	size_t at;
	uint32_t names_since;
	bool continued;
	uint64_t *earlier_lost;
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
	bool user_deferred;
	uint64_t jit_bytes;
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
 * kcatch_recording_go_to - have the files of a piece read from now on
 * @recording: the recording
 * @index: index of the piece; 0 of a recording that is not read as a whole
 *
 * Return: 0; -ENOENT it is not there, or another -errno, with an error text.
 */
int kcatch_recording_go_to(struct kcatch_recording *recording, size_t index);

/**
 * kcatch_recording_each_piece - have a file of each piece read
 * @session: a session of a recording
 * @read: reads the file
 *
 * A piece that cannot be opened is damage. At the end the last piece is the one that is read.
 *
 * Return: 0, or what @read returned.
 */
int kcatch_recording_each_piece(struct kcatch_session *session,
				int (*read)(struct kcatch_session *session));

/**
 * kcatch_recording_find_pieces - find the pieces of a recording
 * @session: a session of a recording, whose directory is open
 * @path: the directory, for messages
 *
 * Those at the end that were not written to the disk before the machine lost its power are damage.
 *
 * Return: 0, with the first piece as the one whose files are read; -ENOENT, without an error text:
 *	there are none; another -errno.
 */
int kcatch_recording_find_pieces(struct kcatch_session *session, const char *path);

/**
 * kcatch_recording_read_names - read a file of symbols or modules, of all pieces one after the
 *	other
 * @session: a session of a recording
 * @name: name of the file
 * @text: receives the text with a null byte behind, allocated
 * @length: receives its size in bytes
 * @cut: set if it is too large and was cut
 *
 * Return: 0; -ENOENT there is none, without an error text; another -errno.
 */
int kcatch_recording_read_names(struct kcatch_session *session, const char *name, char **text,
				size_t *length, bool *cut);

/**
 * kcatch_recording_say_pieces - note for the user which pieces are read, and which were removed
 * @session: a session of a recording that is read
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_recording_say_pieces(struct kcatch_session *session);

/**
 * kcatch_recording_read_beginning - read the beginning of a file
 * @recording: the recording
 * @name: name of the file
 * @text: receives it with a null byte behind, allocated
 * @length: receives its size in bytes
 * @cut: set if the file is larger than 256 MB, of which the beginning is read then; NULL: it is
 *	refused
 *
 * Return: as kcatch_recording_read_file().
 */
int kcatch_recording_read_beginning(const struct kcatch_recording *recording, const char *name,
				    char **text, size_t *length, bool *cut);

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
 * kcatch_recording_read_jit - read the names of code that programs made at run time
 * @session: a session of a recording
 *
 * Return: 0 or -ENOMEM; damage is noted.
 */
int kcatch_recording_read_jit(struct kcatch_session *session);

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
