/* SPDX-License-Identifier: GPL-2.0-or-later */
/* losses.c - say what was lost, and what to do about it */
#include <inttypes.h>

#include "command.h"
#include "losses.h"

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

bool losses_say(struct kcatch_session *session, const struct kcatch_totals *t)
{
	uint64_t damaged = kcatch_session_nr_damaged(session);
	bool losses = false;

	if (t->hits != t->recorded + t->filtered + t->over_budget + t->missed + t->lost) {
		say("the counters do not add up: please report this");
		losses = true;
	}
	if (t->lost) {
		say("%" PRIu64 " call%s lost: the ring was full; try a larger --size (in all there were %" PRIu64
		    " KB), fewer functions, -p or -c", t->lost, t->lost == 1 ? " was" : "s were",
		    kcatch_session_ring_bytes(session) >> 10);
		losses = true;
	}
	if (t->missed > t->undecided) {
		uint64_t missed = t->missed - t->undecided;

		say("%" PRIu64 " call%s missed: the hook was entered again from its own work", missed,
		    missed == 1 ? " was" : "s were");
		losses = true;
	}
	if (t->undecided && t->in_flight)
		say("%" PRIu64 " call%s had not returned yet: whether %s would have been caught is not known",
		    t->in_flight, plural(t->in_flight), t->in_flight == 1 ? "it" : "they");
	if (t->return_lost) {
		say("%" PRIu64 " return%s found no room in the ring; try a larger --size", t->return_lost,
		    plural(t->return_lost));
		losses = true;
	}
	if (t->no_slot) {
		say("%" PRIu64 " return%s not caught: too many calls were under way at once", t->no_slot,
		    t->no_slot == 1 ? " was" : "s were");
		losses = true;
	}
	if (damaged) {
		say("%" PRIu64 " record%s could not be read: please report this", damaged, plural(damaged));
		losses = true;
	}
	return losses;
}
