/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fake_session.h - a session whose events a test makes up
 *
 * It stands in for the library's: reports know nothing else of where events come from.
 */
#ifndef TESTS_REPORT_FAKE_SESSION_H
#define TESTS_REPORT_FAKE_SESSION_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <kcatch.h>

#define FAKE_ARGS 70
#define FAKE_PID 3000100U	/* of the first thread: more than 16 bits, as processes have */
#define FAKE_FRAMES 64

/**
 * struct fake_event - an event and what belongs to it
 * @event: nr_frames, nr_user_frames and nr_args are those below
 * @frames: kernel's, innermost first
 * @user: user's
 * @args: arguments
 * @ret: return value
 */
struct fake_event {
	struct kcatch_event event;
	struct kcatch_frame frames[FAKE_FRAMES];
	struct kcatch_frame user[FAKE_FRAMES];
	struct kcatch_value args[FAKE_ARGS];
	struct kcatch_value ret;
};

/**
 * struct fake_source - where a fake session's events come from
 * @make: event number @number, zeroed before; false: there are no more
 * @probes: what they are events of; zeroed: the recording does not describe it
 * @nr_probes: how many
 * @totals: counters
 * @damaged: records that could not be read
 * @forgotten: returns that were not kept
 * @discarded: what the only CPU lost and no counter has
 * @numbers: stacks have numbers, equal ones the same
 * @fails_at: event that cannot be read; 0: there is none
 */
struct fake_source {
	bool (*make)(uint64_t number, struct fake_event *event);
	const struct kcatch_probe *probes;
	size_t nr_probes;
	struct kcatch_totals totals;
	uint64_t damaged, forgotten, discarded;
	bool numbers;
	uint64_t fails_at;
};

/**
 * fake_open - a session
 * @source: must outlive it
 *
 * Return: the session, to be freed.
 */
struct kcatch_session *fake_open(const struct fake_source *source);

/* Helpers to make events up with. */
struct kcatch_value fake_integer(const char *name, int64_t number);
struct kcatch_value fake_string(const char *name, const char *text);
struct kcatch_value fake_error(const char *text, int64_t number);
void fake_frame(struct fake_event *event, const char *symbol, const char *module);
void fake_user_frame(struct fake_event *event, const char *symbol, const char *file);

/* A machine at work: reads, opens that fail, switches; @fake_busy_count events of it. */
extern struct fake_source fake_busy;
extern uint64_t fake_busy_count;

#endif
