/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.h - the state of a running kcatch record, shared by record*.c */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <kcatch.h>

#include "control.h"
#include "follow.h"
#include "record_options.h"
#include "traced_command.h"

#define RECORD_OWN_NAME "kcatch-DATE-TIME"	/* how a name is told that has yet to be made */

/**
 * struct record_writing - a write that may not return
 * @thread: answers questions while the write lasts
 * @runs: @thread was started
 * @lock: protects the members below; held while @thread answers
 * @wake: signals @thread that a member has changed
 * @since_ns: start of the write, CLOCK_MONOTONIC; 0: no write is under way
 * @ends: @thread is to end
 * @stats: figures of the last second before the write; of a flight recorder, the size of its rings
 * @events: recorded events, as they were counted last before the write
 * @lost: events lost, as well
 * @due_ns: CLOCK_MONOTONIC of the next look at these two, at the earliest
 */
struct record_writing {
	pthread_t thread;
	bool runs;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	uint64_t since_ns;
	bool ends;
	struct kcatch_recorder_stats stats;
	uint64_t events;
	uint64_t lost;
	uint64_t due_ns;
};

/**
 * struct record - one run of kcatch record
 * @options: the command line
 * @directory: buffer for a generated name or an absolute path of the output directory;
 *	@options.shared.output points here then
 * @base: detached: the working directory of the start, with a slash at the end; else NULL.
 *	To be freed
 * @follow: the loop: holds the session, and why the loop ended
 * @recorder: writes the directory; NULL for a flight recorder
 * @modules: flight recorder: which modules were loaded when
 * @modules_failed: a look at the modules failed, and a message said so
 * @run: the traced command, if one was given
 * @control: the socket on which other kcatch processes ask
 * @started: start of the recording, CLOCK_REALTIME in seconds; while it @awaits, the one to come
 * @shown_ns: time of the last progress line, CLOCK_MONOTONIC
 * @shown_events: number of recorded events at that time
 * @shown_cpu_ns: CPU time kcatch had used by then
 * @progress: a progress line is on the terminal
 * @failed: something could not be written, or the recording broke off
 * @unstopped: the session could not be stopped
 * @awaits: all is armed, and the time of --at has not come
 * @stopped: kcatch sessions --stop was received, or the start was interrupted
 * @exited: the process of -p ended before the recording began
 * @in_background: standard error goes nowhere; messages go to the system log as well
 * @claimed: the directory was created at the start and is still empty
 * @own_name: the directory's name is made from the time of day, anew for each freeze
 * @waits: frozen records could not be written and are kept in memory until they can
 * @settled: flight recorder: the records that it holds were written or given up, or nobody asked
 *	for them: they are not written once more
 * @kept_one: flight recorder: records were written, perhaps those of an earlier freeze
 * @written: flight recorder: directory of the last snapshot, or of the last attempt
 * @stats: figures of that snapshot
 * @error: -errno of the last attempt; 0: written, or not attempted
 * @reason: the error text of @error; "": none
 * @writing: a write that may not return
 * @ready: detached: pipe to the parent, which waits for a byte until all is armed; -1: none
 */
struct record {
	struct record_options options;
	char directory[4200];
	char *base;
	struct follow follow;
	struct kcatch_recorder *recorder;
	struct kcatch_module_history *modules;
	bool modules_failed;
	struct run run;
	struct control control;
	uint64_t started;
	uint64_t shown_ns;
	uint64_t shown_events;
	uint64_t shown_cpu_ns;
	bool progress;
	bool failed;
	bool unstopped;
	bool awaits;
	bool stopped;
	bool exited;
	bool in_background;
	bool claimed;
	bool own_name;
	bool waits;
	bool settled;
	bool kept_one;
	char written[4300];
	struct kcatch_recorder_stats stats;
	int error;
	char reason[600];
	struct record_writing writing;
	int ready;
};

/**
 * record_snapshot - write the records that a flight recorder holds
 * @record: the recording
 * @directory: directory to create
 * @stats: set to the bytes written and the losses
 *
 * Return: 0, or -errno with an error text.
 */
int record_snapshot(struct record *record, const char *directory,
		    struct kcatch_recorder_stats *stats);

/**
 * record_frozen_text - what froze a flight recorder: a probe's name, "an oops", "a panic" ...
 * @record: the recording
 * @text: the reason; "" when it is not frozen
 * @room: size of @text, bytes
 */
void record_frozen_text(const struct record *record, char *text, size_t room);

/**
 * record_tell - print a message; in the background, log it with syslog(3) as well
 * @record: the recording
 * @priority: level for syslog(3), such as LOG_ERR
 * @format: as for printf(3), without a newline at the end
 */
void record_tell(const struct record *record, int priority, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * record_directory_name - make the directory's name from the time of day, without -o
 * @record: the recording; each call makes a new name
 */
void record_directory_name(struct record *record);

/**
 * record_directory_check - check that a flight recorder will be able to write
 * @record: the recording, not armed yet
 *
 * Creates the directory of -o, and finds out its own name if -o ends in a slash or is ".".
 * Without -o, and with something that freezes the recorder, the working directory must be
 * writable.
 *
 * Return: 0, or -EINVAL after a message.
 */
int record_directory_check(struct record *record);

/**
 * record_directory_release - remove the empty directory that record_directory_check() made
 * @record: the recording, which did not begin
 */
void record_directory_release(struct record *record);

/**
 * record_follow - record until something ends it; with --again, through each freeze
 * @record: the recording, started
 *
 * Blocks. If the loop itself fails, if the session cannot be started again, or if frozen records
 * were given up, @record->failed is set after a message.
 */
void record_follow(struct record *record);

/**
 * record_stop - stop the session before its records are written
 * @record: the recording
 *
 * While a CPU takes no interrupts that is not possible. Then @record->unstopped is set after a
 * message and the records are written all the same: what happened just then may be why they were
 * taken.
 */
void record_stop(struct record *record);

/**
 * record_keep - write the records that a flight recorder holds
 * @record: the recording, stopped
 *
 * Without a freeze, records are written only to the directory of -o. When writing fails,
 * it blocks and tries again every 10 seconds until the records are written, a snapshot took
 * them elsewhere, or the user ends it: the records are given up then, and @record->failed is set
 * after a message. The second call does nothing until the session is started again.
 */
void record_keep(struct record *record);

/**
 * record_look_modules - flight recorder: look whether modules were loaded or unloaded
 * @record: the recording
 *
 * A failure is told once, and ends nothing: frames have no names then, or those of --standby wrong
 * ones.
 */
void record_look_modules(struct record *record);

/**
 * record_control_open - open the socket by which kcatch sessions finds this recorder
 * @record: the recording
 *
 * Without --name and --detach the socket is optional: its failure is ignored.
 *
 * Return: 0, or -errno after a message.
 */
int record_control_open(struct record *record);

/**
 * record_control_tell - tell those who asked for the end how it came
 * @record: the recording
 * @state: RECORDER_ENDED, or RECORDER_UNWRITTEN if the records wait to be written
 */
void record_control_tell(struct record *record, const char *state);

/**
 * record_control_answer - answer one question: status, snapshot or stop
 * @record: the recording; a connection is waiting
 *
 * A snapshot blocks until it is written.
 */
void record_control_answer(struct record *record);

/**
 * record_status_basic - an answer to "status" from given figures
 * @record: the recording
 * @state: the recorder's state in words
 * @bytes: bytes written, or of the rings
 * @events: recorded events
 * @lost: events lost
 *
 * Return: the answer; NULL: no memory.
 */
struct json_object *record_status_basic(const struct record *record, const char *state,
					uint64_t bytes, uint64_t events, uint64_t lost);

/**
 * record_error - an answer that reports an error
 * @text: the error in words
 *
 * Return: the answer; NULL: no memory.
 */
struct json_object *record_error(const char *text);

/**
 * record_writing_init - begin to answer questions while a write does not return
 * @record: the recording, whose socket is open
 */
void record_writing_init(struct record *record);

/**
 * record_writing_deinit - end the thread that record_writing_init() started
 * @record: the recording
 */
void record_writing_deinit(struct record *record);

/**
 * record_writing_begin - a write begins, which may not return
 * @record: the recording
 */
void record_writing_begin(struct record *record);

/**
 * record_writing_end - the write has returned
 * @record: the recording
 */
void record_writing_end(struct record *record);

/**
 * record_detach - continue in a background process
 * @record: the recording; nothing is open yet
 *
 * The parent blocks until the background process calls record_detached() or ends.
 *
 * Return: -1 in the background process; otherwise the exit status.
 */
int record_detach(struct record *record);

/**
 * record_detached - leave the terminal and let the parent process exit
 * @record: the recording, armed, in the background process
 *
 * If the parent was killed meanwhile, nobody knows of the recorder: @record->stopped is set.
 */
void record_detached(struct record *record);

#endif
