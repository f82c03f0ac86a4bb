/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.h - a recording that is being made, shared by record.c and record_control.c */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include <kcatch.h>

#include "control.h"
#include "record_options.h"
#include "record_run.h"

enum { FD_SESSION, FD_SIGNALS, FD_PROCESS, FD_CONTROL, FD_COUNT };

/**
 * struct record - one recording
 * @options: what was asked for
 * @directory: room for a name when none was given
 * @base: with a slash: where we stood before going into the background; NULL: still there
 * @session: what is recorded
 * @recorder: writes; NULL: a flight recorder, which does not
 * @run: the command
 * @control: who wants to speak to us
 * @fds: what is waited for
 * @started_ns: CLOCK_MONOTONIC
 * @started: seconds of CLOCK_REALTIME
 * @shown_ns: when progress was shown last
 * @shown_events: how many there were then
 * @shown_cpu_ns: what we had used then
 * @progress: there is a line of it on the terminal
 * @failed: something could not be written
 * @stopped: kcatch sessions --stop
 * @ready: in the background: who waits to hear that all is armed; -1: nobody
 * @end: why it ended
 */
struct record {
	struct record_options options;
	char directory[4200];
	char *base;
	struct kcatch_session *session;
	struct kcatch_recorder *recorder;
	struct run run;
	struct control control;
	struct pollfd fds[FD_COUNT];
	uint64_t started_ns;
	uint64_t started;
	uint64_t shown_ns;
	uint64_t shown_events;
	uint64_t shown_cpu_ns;
	bool progress;
	bool failed;
	bool stopped;
	int ready;
	const char *end;
};

/**
 * record_snapshot - write what a flight recorder has
 * @record: the recording
 * @directory: where to
 * @stats: figures
 *
 * Return: 0 or -errno with an error text.
 */
int record_snapshot(struct record *record, const char *directory,
		    struct kcatch_recorder_stats *stats);

/**
 * record_frozen_text - why it is frozen
 * @record: the recording
 * @text: the reason; "" when it is not
 * @room: bytes there
 */
void record_frozen_text(const struct record *record, char *text, size_t room);

/**
 * record_control_open - be found by kcatch sessions
 * @record: the recording
 *
 * Return: 0 or -errno; it was said. Who cannot be found, and need not, records all the same.
 */
int record_control_open(struct record *record);

/**
 * record_control_answer - somebody asks
 * @record: the recording
 */
void record_control_answer(struct record *record);

/**
 * record_detach - go on in the background
 * @record: the recording; nothing is open yet
 *
 * Return: -1 in the background; otherwise exit with this status.
 */
int record_detach(struct record *record);

/**
 * record_detached - all is armed: who waits can go
 * @record: the recording
 */
void record_detached(struct record *record);

#endif
