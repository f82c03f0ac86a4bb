/* SPDX-License-Identifier: GPL-2.0-or-later */
/* losses.h - what was lost: whether anything was, and how that is said */
#ifndef RENDER_LOSSES_H
#define RENDER_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kcatch.h>

/**
 * struct losses - all that can be lacking at the end
 * @totals: counters of the session
 * @damaged: records that could not be read
 * @forgotten: returns that were not kept, as too many calls were under way
 * @missing: events that were recorded and are not in the files
 * @unwritten: events that were read and could not be written
 * @unwritten_returns: returns
 * @torn: calls shown outside the tree they belong to
 * @ring_bytes: of all rings
 */
struct losses {
	struct kcatch_totals totals;
	uint64_t damaged;
	uint64_t forgotten;
	uint64_t missing;
	uint64_t unwritten;
	uint64_t unwritten_returns;
	uint64_t torn;
	uint64_t ring_bytes;
};

/**
 * losses_of_session - what its counters say
 * @losses: zeroed
 * @session: the session, stopped
 *
 * Return: 0 or -errno with an error text.
 */
int losses_of_session(struct losses *losses, struct kcatch_session *session);

/**
 * losses_any - does something lack
 * @losses: at the end
 *
 * Return: whether something was lost, missed, torn or damaged, or the counters do not add up.
 */
bool losses_any(const struct losses *losses);

/**
 * losses_of_caught - does something lack of what had been caught
 * @losses: at the end
 *
 * What was missed before anybody knew whether it was asked for does not count.
 *
 * Return: whether it does.
 */
bool losses_of_caught(const struct losses *losses);

/**
 * losses_say - each on stderr, with what to do about it
 * @losses: at the end
 */
void losses_say(const struct losses *losses);

/**
 * losses_text - all in a sentence: "nothing was lost", "lost: 12 events (the ring was full)"
 * @losses: at the end
 * @finished: the recording ended in order; else what its last second lost is not known
 * @text: room for it
 * @room: bytes there; 400 suffice
 *
 * Return: @text.
 */
const char *losses_text(const struct losses *losses, bool finished, char *text, size_t room);

#endif
