/* SPDX-License-Identifier: GPL-2.0-or-later */
/* losses.h - what was lost at the end of a session or recording, in words */
#ifndef RENDER_LOSSES_H
#define RENDER_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kcatch.h>

/* Why a return was not kept: lib/ring/calls.c */
#define LOSSES_FORGOTTEN "more than 65536 calls or 128 MB of records were under way"

/**
 * struct losses - numbers of everything that may be missing at the end
 * @totals: the session's counters
 * @damaged: records that could not be read
 * @forgotten: returns that were not kept: LOSSES_FORGOTTEN
 * @unarmed: functions of modules that came meanwhile, which could not be armed
 * @disarmed: probes that were out of place for some of the time: an unknown number of calls was
 *	not seen
 * @died: threads that died in a hook, whose hits are in no counter
 * @missing: recording: events that were recorded but are not in the files
 * @discarded: recording: hits and returns that found no room, and are in no counter
 * @unwritten: hits that were caught but could not be written
 * @unwritten_returns: returns that were caught but could not be written
 * @torn: calls shown outside their tree, see groups_torn()
 * @ring_bytes: size of all rings together, bytes; 0 for a recording
 * @counts_all: all calls are counted, by a key that the return has: those under way at the end are
 *	undecided, and no loss
 * @unstopped: the session could not be stopped: a hit whose condition is on the return, and which
 *	has not returned, is in @totals.hits and in none of its parts
 */
struct losses {
	struct kcatch_totals totals;
	uint64_t damaged;
	uint64_t forgotten;
	uint64_t unarmed;
	uint64_t disarmed;
	uint64_t died;
	uint64_t missing;
	uint64_t discarded;
	uint64_t unwritten;
	uint64_t unwritten_returns;
	uint64_t torn;
	uint64_t ring_bytes;
	bool counts_all;
	bool unstopped;
};

/**
 * losses_of_session - read a session's counters
 * @losses: set: @totals, @damaged, @forgotten, @unarmed, @disarmed, @died and @ring_bytes; no
 *	other is changed
 * @session: a session, stopped unless @losses has @unstopped; or a recording
 *
 * Return: 0, or -errno with an error text.
 */
int losses_of_session(struct losses *losses, struct kcatch_session *session);

/**
 * losses_under_way - number of hits that are not decided yet, of a session that still runs
 * @totals: its counters
 *
 * Return: the number of hits that are in no term of the equation.
 */
uint64_t losses_under_way(const struct kcatch_totals *totals);

/**
 * losses_in_totals - check counters for losses
 * @totals: the counters
 *
 * Return: whether a hit was lost, missed or undecided, or a return not seen for want of room.
 */
bool losses_in_totals(const struct kcatch_totals *totals);

#define LOSSES_EQUATION 400	/* bytes of the longest, each number with 20 digits */

/**
 * losses_equation - "hits 3 = recorded 2 + filtered 1 + ...; returns: 1 still to come"
 * @totals: the counters
 * @unstopped: the session runs: hits that are not decided are a term, too
 * @text: set to the equation
 * @room: size of @text, bytes; LOSSES_EQUATION suffices
 *
 * Return: @text.
 */
const char *losses_equation(const struct kcatch_totals *totals, bool unstopped, char *text,
			    size_t room);

/**
 * losses_undecided - number of hits of which it is not known whether they meet the condition
 * @losses: the losses
 *
 * Return: that number; of @counts_all without those under way at the end, which had no condition.
 */
uint64_t losses_undecided(const struct losses *losses);

/**
 * losses_any - check whether anything was lost
 * @losses: the losses
 *
 * Return: whether any event or return was lost, missed, undecided, torn, damaged or not seen, or
 * the counters do not add up.
 */
bool losses_any(const struct losses *losses);

/**
 * losses_say - print each kind of loss to standard error, with advice
 * @losses: the losses; prints nothing if there are none
 */
void losses_say(const struct losses *losses);

#define LOSSES_TEXT 1152	/* bytes of the longest sentence, each number with 20 digits */

/**
 * losses_text - one sentence: "nothing was lost", "lost: 12 events (the ring was full)"
 * @losses: the losses
 * @unknown_s: 0: the recording ended in order; else adds that the losses of so many seconds before
 *	its end are unknown
 * @text: set to the sentence
 * @room: size of @text, bytes; LOSSES_TEXT suffices
 *
 * Return: @text.
 */
const char *losses_text(const struct losses *losses, unsigned int unknown_s, char *text,
			size_t room);

#endif
