/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.h - a recording that is being made, shared by record*.c */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include <kcatch.h>

#include "control.h"
#include "follow.h"
#include "record_options.h"
#include "traced_command.h"

/**
 * struct record - one recording
 * @options: what was asked for
 * @follow: its session, and why it ended
 * @directory: room for a name when none was given
 * @base: with a slash: where we stood before going into the background; NULL: still there
 * @recorder: writes; NULL: a flight recorder, which does not
 * @run: the command
 * @control: who wants to speak to us
 * @started: seconds of CLOCK_REALTIME
 * @shown_ns: when progress was shown last
 * @shown_events: how many there were then
 * @shown_cpu_ns: what we had used then
 * @progress: there is a line of it on the terminal
 * @failed: something could not be written
 * @stopped: kcatch sessions --stop
 * @in_background: nobody sees what we say: it goes to the system log, too
 * @claimed: its directory was made at the start, and is empty yet
 * @own_name: the directory's name is by the time of day: of each freeze another
 * @waits: what a flight recorder holds could not be written, and is kept
 * @written: a flight recorder: where to, or where it was tried last
 * @stats: figures of that
 * @error: -errno of the last attempt; 0: it is written, or was not tried
 * @reason: the same in words; "": none
 * @ready: in the background: who waits to hear that all is armed; -1: nobody
 */
struct record {
	struct record_options options;
	char directory[4200];
	char *base;
	struct follow follow;
	struct kcatch_recorder *recorder;
	struct run run;
	struct control control;
	uint64_t started;
	uint64_t shown_ns;
	uint64_t shown_events;
	uint64_t shown_cpu_ns;
	bool progress;
	bool failed;
	bool stopped;
	bool in_background;
	bool claimed;
	bool own_name;
	bool waits;
	char written[4300];
	struct kcatch_recorder_stats stats;
	int error;
	char reason[600];
	int ready;
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
 * record_tell - a message; of a recorder in the background to the system log, too
 * @record: the recording
 * @priority: LOG_ERR and the like
 * @format: without a newline at the end
 */
void record_tell(const struct record *record, int priority, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * record_directory_name - name the directory by the time of day, if nobody named it
 * @record: the recording
 */
void record_directory_name(struct record *record);

/**
 * record_directory_check - can a flight recorder write later? Makes the directory
 * @record: the recording; nothing is armed yet
 *
 * Return: 0 or -errno; it was said.
 */
int record_directory_check(struct record *record);

/**
 * record_directory_release - it did not begin: the directory that was made is removed
 * @record: the recording
 */
void record_directory_release(struct record *record);

/**
 * record_follow - until something ends it; with --again, freeze after freeze
 * @record: it runs
 *
 * Return: 0; -errno: it broke, or what froze was given up; it was said.
 */
int record_follow(struct record *record);

/**
 * record_keep - write what a flight recorder holds, and stay until that is done
 * @record: the recording, stopped
 *
 * Return: 0; -errno: it was given up, and said.
 */
int record_keep(struct record *record);

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
