/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * lost_returns.h - calls that wait for a return that found no room, found while a session runs
 *
 * A lost return leaves no record: only the probe's counter of lost returns tells. If at least as
 * many returns of a probe were lost as calls of it wait or were handed out without their return,
 * those that wait do so in vain. That is exact: the counter is read before the pass begins, and a
 * return is counted as lost after its entry was recorded, so the pass has read the entry of each
 * return that was counted.
 */
#ifndef LIB_SESSION_LOST_RETURNS_H
#define LIB_SESSION_LOST_RETURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kcatch_session;

/* Probes that one look asks for: the time of a look is bounded, however many calls wait. */
#define KCATCH_LOST_PROBES 64U

/**
 * struct kcatch_lost_returns - what was found when the pass began
 * @looked_ns: time of the last look, CLOCK_MONOTONIC in ns
 * @first: how many waiting calls the next look passes over: each has its turn
 * @nr: number of entries in @found
 * @found: probes that lost returns
 * @found.probe: number of the probe
 * @found.lost: number of its returns that were lost
 */
struct kcatch_lost_returns {
	uint64_t looked_ns;
	size_t first;
	size_t nr;
	struct {
		uint32_t probe;
		uint64_t lost;
	} found[KCATCH_LOST_PROBES];
};

/**
 * kcatch_lost_returns_begin - look for probes that lost returns, five times a second
 * @session: a running session whose clock was not read for the pass yet
 * @ended: as kcatch_calls_begin() said: threads ended, so look now, and at their calls
 */
void kcatch_lost_returns_begin(struct kcatch_session *session, bool ended);

/**
 * kcatch_lost_returns_end - make those calls ready that wait in vain
 * @session: the session, at the end of the pass
 */
void kcatch_lost_returns_end(struct kcatch_session *session);

#endif
