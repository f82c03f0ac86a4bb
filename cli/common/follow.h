/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.h - the one loop that follows a session until something ends it
 *
 * What a command does with what is there is its own: its @event, its @look. What ends it,
 * how long it waits, and what is said of a broken session or output is the same in all.
 */
#ifndef CLI_COMMON_FOLLOW_H
#define CLI_COMMON_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include <kcatch.h>

#define FOLLOW_SECOND ((uint64_t)1000000000)
#define FOLLOW_LOOK_MS 100	/* the kernel wakes nobody for a few events */

/**
 * struct follow - a session that is followed; the rest zeroed
 * @session: it runs
 * @time_ns: it ends after so long; 0: there is no limit
 * @count: it ends after so many events; 0: there is no limit
 * @pid: it ends with this process; 0: with none
 * @look_ms: it is looked at that often; 0: FOLLOW_LOOK_MS
 * @frozen_only: a flight recorder: the session wakes us when it froze, and not before
 * @shows: events go to standard output: it ends when nobody reads that any more
 * @other: a descriptor more that wakes us; -1: there is none
 * @event: an event came. Return: 1: it counts, 0: it does not, -errno with an error text.
 *	NULL: events are not read
 * @look: it was looked, and all there was read; NULL: nothing to do. Return: 0; 1: this is
 *	the end, @end says why; -errno, it was said
 * @stays: no probe is in place any more: is it to go on? NULL: it is not
 * @arg: for the functions
 * @started_ns: CLOCK_MONOTONIC; set when it starts
 * @due_ns: when to look at the latest; 0: in @look_ms. @look may set it
 * @gone_ns: since when no probe is in place; 0: they are
 * @process_ended: that of @pid, before it could be watched
 * @other_came: what poll() tells of @other
 * @shown: events that counted
 * @end: why it ended: "count", "time", "interrupt", "exit" (the process), "gone" (the
 *	module), "frozen", or what @look says
 */
struct follow {
	struct kcatch_session *session;
	uint64_t time_ns;
	uint64_t count;
	uint32_t pid;
	int look_ms;
	bool frozen_only;
	bool shows;
	int other;
	int (*event)(struct follow *follow, const struct kcatch_event *event);
	int (*look)(struct follow *follow, uint64_t now);
	bool (*stays)(struct follow *follow, uint64_t now);
	void *arg;

	uint64_t started_ns;
	uint64_t due_ns;
	uint64_t gone_ns;
	bool process_ended;
	short other_came;
	uint64_t shown;
	const char *end;
};

/**
 * follow_clock - CLOCK_MONOTONIC
 *
 * Return: nanoseconds.
 */
uint64_t follow_clock(void);

/**
 * follow - until something ends it
 * @follow: what; the session runs
 *
 * Catches SIGINT, SIGTERM and SIGHUP from now on.
 *
 * Return: 0; -errno: it broke, or nothing can be written any more; it was said.
 */
int follow(struct follow *follow);

/**
 * follow_rest - the events that are left once tracing has stopped, to the last
 * @follow: what
 *
 * Return: 0; -errno, it was said.
 */
int follow_rest(struct follow *follow);

#endif
