/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.h - the loop in which commands read a session until something ends it
 *
 * A command brings its own @event and @look. The conditions that end the loop, the waiting
 * and the messages about a broken session or output are the same for all commands.
 */
#ifndef CLI_COMMON_FOLLOW_H
#define CLI_COMMON_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include <kcatch.h>

#define FOLLOW_SECOND ((uint64_t)1000000000)	/* nanoseconds */
/*
 * A few events do not wake the reader: look this often. What is caught is on the screen within
 * 50 ms, 30 and what showing takes (measured by bench/live screen).
 */
#define FOLLOW_LOOK_MS 30

#define FOLLOW_PROCESSES 2

/**
 * struct followed_process - a process with which the loop ends
 * @pid: its number
 * @fd: a descriptor that poll() finds readable when it has ended; -1: none
 * @ended: it had ended before it could be watched
 */
struct followed_process {
	uint32_t pid;
	int fd;
	bool ended;
};

/**
 * struct follow - the loop's parameters and state; zero the members that are not set
 * @session: the started session
 * @time_ns: end after this time from @started_ns; 0: no limit
 * @count: end after this many events that count; 0: no limit
 * @processes: end when one of these ends; follow_process() sets them
 * @nr_processes: how many they are
 * @look_ms: milliseconds between two looks; 0: FOLLOW_LOOK_MS
 * @frozen_only: flight recorder: the session wakes the loop only when it freezes
 * @shows: events go to standard output: end with an error when that is no longer read
 * @other: another descriptor that wakes the loop; -1: none
 * @clock: of follow_watch_clock(); 0: nobody watches whether the time of day is set
 * @event: called for each event. Return: 1: it counts, 0: it does not, -errno with an error
 *	text. NULL: events are not read
 * @look: called after each wait, when the events were read, and between events that come as fast
 *	as they are read; may be NULL. Return: 0 to go on, 1: the loop ends and @end is set, -errno
 *	after a message
 * @stays: called after each @look; when no probe is in place any more, true keeps the loop
 *	running. NULL: the loop ends then
 * @arg: for the callbacks
 * @started_ns: CLOCK_MONOTONIC at the start of tracing; the caller sets it
 * @due_ns: CLOCK_MONOTONIC of the next look at the latest; 0: after @look_ms. @look may
 *	change it
 * @gone_ns: CLOCK_MONOTONIC since no probe is in place; 0: probes are in place
 * @ended_pid: the process with which the loop ended, if @end is "exit"
 * @other_came: poll() events of @other, for @look
 * @more: reading was interrupted: there may be more events
 * @shown: number of events that counted
 * @end: why the loop ended: "count", "time", "interrupt", "exit" (the process), "gone" (the
 *	module), "frozen", or the text set by @look. NULL: an error
 */
struct follow {
	struct kcatch_session *session;
	uint64_t time_ns;
	uint64_t count;
	struct followed_process processes[FOLLOW_PROCESSES];
	size_t nr_processes;
	int look_ms;
	bool frozen_only;
	bool shows;
	int other;
	int clock;
	int (*event)(struct follow *follow, const struct kcatch_event *event);
	int (*look)(struct follow *follow, uint64_t now);
	bool (*stays)(struct follow *follow, uint64_t now);
	void *arg;

	uint64_t started_ns;
	uint64_t due_ns;
	uint64_t gone_ns;
	uint32_t ended_pid;
	short other_came;
	bool more;
	uint64_t shown;
	const char *end;
};

/**
 * follow_clock - read CLOCK_MONOTONIC
 *
 * Return: the time in nanoseconds.
 */
uint64_t follow_clock(void);

/**
 * follow_process - have the loop end when a process does
 * @follow: the process is added to @processes; follow_deinit() closes what is opened for it
 * @pid: the process; 0: none
 *
 * At most FOLLOW_PROCESSES of them.
 *
 * To be called before anything is armed, which may take as long as another process needs to get
 * the number of one that ends.
 */
void follow_process(struct follow *follow, uint32_t pid);

/**
 * follow_process_ended - has a process of follow_process() ended?
 * @follow: the parameters
 *
 * Return: its number, which another process may have by now; 0: none has.
 */
uint32_t follow_process_ended(const struct follow *follow);

/**
 * follow_watch_clock - make the next look due at once whenever the time of day is set
 * @follow: its @clock is set; follow_deinit() closes it
 *
 * Return: 0 or -errno: then it is not watched.
 */
int follow_watch_clock(struct follow *follow);

/**
 * follow_deinit - close what follow_process() and follow_watch_clock() opened
 * @follow: the parameters, all zero or used
 */
void follow_deinit(struct follow *follow);

/**
 * follow - wait for events and read them until something ends the loop
 * @follow: the parameters; @end is set
 *
 * Blocks. From now on, SIGINT, SIGTERM and SIGHUP end the loop instead of the program.
 *
 * Return: 0; -errno after a message: the session broke, a callback failed, or standard output
 * cannot be written.
 */
int follow(struct follow *follow);

/**
 * follow_rest - read the remaining events, at the end
 * @follow: the parameters; reads no more than @count. @end becomes "count" if that is reached
 * @until_ns: 0: tracing has stopped, read all; else it goes on, and events of this time and later,
 *	CLOCK_MONOTONIC, are left
 *
 * Return: 0, or -errno after a message.
 */
int follow_rest(struct follow *follow, uint64_t until_ns);

#endif
