/* SPDX-License-Identifier: GPL-2.0-or-later */
/* losses.c - what was lost at the end of a session or recording, in words */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "losses.h"
#include "message.h"

int losses_of_session(struct losses *losses, struct kcatch_session *session)
{
	losses->damaged = kcatch_session_nr_damaged(session);
	losses->forgotten = kcatch_session_nr_forgotten(session);
	losses->unarmed = kcatch_session_nr_unarmed(session);
	losses->disarmed = kcatch_session_nr_disarmed(session);
	losses->died = kcatch_session_nr_died(session);
	if (!kcatch_session_recording(session))
		losses->ring_bytes = kcatch_session_ring_bytes(session);
	return kcatch_session_totals(session, &losses->totals);
}

static uint64_t decided(const struct kcatch_totals *t)
{
#define ADD(name, words, help) + t->name
	return 0 KCATCH_COUNTERS_TERMS(ADD);
#undef ADD
}

uint64_t losses_under_way(const struct kcatch_totals *t)
{
	return t->hits > decided(t) ? t->hits - decided(t) : 0;
}

bool losses_in_totals(const struct kcatch_totals *t)
{
	return t->lost || t->missed || t->undecided || t->return_lost || t->no_slot;
}

static void __attribute__((format(printf, 3, 4)))
add(char *text, size_t room, const char *format, ...)
{
	size_t at = strlen(text);
	va_list list;

	va_start(list, format);
	vsnprintf(text + at, room - at, format, list);
	va_end(list);
}

const char *losses_equation(const struct kcatch_totals *t, bool unstopped, char *text, size_t room)
{
	const char *between = " =";

	/* The first term always, and the others where they are not 0. */
	snprintf(text, room, "hits %" PRIu64, t->hits);
#define ADD(name, words, help) \
	if (t->name || between[1] == '=') { \
		add(text, room, "%s " words " %" PRIu64, between, t->name); \
		between = " +"; \
	}
	KCATCH_COUNTERS_TERMS(ADD)
#undef ADD
	if (unstopped)
		add(text, room, " + under way %" PRIu64, losses_under_way(t));
	between = "; returns:";
#define ADD(name, words, help) \
	if (t->name) { add(text, room, "%s %" PRIu64 " " words, between, t->name); between = ","; }
	KCATCH_COUNTERS_RETURNS(ADD)
#undef ADD
	return text;
}

/* Of the undecided hits those under way at the end, those without a slot, and those whose memory
 * could not be read. */
struct undecided {
	uint64_t under_way, no_slot, unreadable;
};

static struct undecided undecided_of(const struct kcatch_totals *t)
{
	struct undecided parts;

	parts.no_slot = t->no_slot < t->undecided ? t->no_slot : t->undecided;
	parts.unreadable = t->undecided - parts.no_slot;
	parts.under_way = t->in_flight < parts.unreadable ? t->in_flight : parts.unreadable;
	parts.unreadable -= parts.under_way;
	return parts;
}

uint64_t losses_undecided(const struct losses *losses)
{
	const struct kcatch_totals *t = &losses->totals;

	return t->undecided - (losses->counts_all ? undecided_of(t).under_way : 0);
}

static bool adds_up(const struct losses *losses)
{
	const struct kcatch_totals *t = &losses->totals;
	uint64_t under_way = losses_under_way(t);

	return under_way <= (losses->unstopped ? t->in_flight : 0) &&
	       t->hits == decided(t) + under_way;
}

bool losses_any(const struct losses *losses)
{
	const struct kcatch_totals *t = &losses->totals;

	return t->lost || t->missed || t->return_lost || t->no_slot || losses_undecided(losses) ||
	       losses->damaged || losses->forgotten || losses->unarmed || losses->disarmed ||
	       losses->died || losses->missing || losses->discarded || losses->unwritten ||
	       losses->unwritten_returns || losses->torn || !adds_up(losses);
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static const char *were(uint64_t count)
{
	return count == 1 ? " was" : "s were";
}

static void say_calls(const struct losses *losses)
{
	const struct kcatch_totals *t = &losses->totals;
	struct undecided undecided = undecided_of(t);
	uint64_t unknown = losses->unstopped ? losses_under_way(t) : undecided.under_way;

	if (!adds_up(losses))
		say("the counters do not add up: please report this");
	if (t->lost)
		say("%" PRIu64
		    " call%s lost: the ring was full; try a larger --size (in all there were "
		    "%" PRIu64 " KB), fewer functions, -p or -c",
		    t->lost, were(t->lost), losses->ring_bytes >> 10);
	if (undecided.unreadable)
		say("%" PRIu64 " call%s undecided: memory that the condition needs could not be read",
		    undecided.unreadable, undecided.unreadable == 1 ? " is" : "s are");
	if (t->missed)
		say("%" PRIu64 " call%s missed: made in the work of a hook", t->missed,
		    were(t->missed));
	if (unknown && losses->counts_all)
		say("%" PRIu64 " call%s had not returned yet: %s not counted", unknown,
		    plural(unknown), unknown == 1 ? "it is" : "they are");
	else if (unknown)
		say("%" PRIu64 " call%s had not returned yet: whether %s would have been caught is not known",
		    unknown, plural(unknown), unknown == 1 ? "it" : "they");
	if (t->return_lost)
		say("%" PRIu64 " return%s found no room in the ring; try a larger --size",
		    t->return_lost, plural(t->return_lost));
	if (t->no_slot)
		say("%" PRIu64 " return%s not caught: too many calls were under way at once; try a larger "
		    "--in-flight", t->no_slot, were(t->no_slot));
	if (losses->forgotten)
		say("%" PRIu64 " return%s not kept: " LOSSES_FORGOTTEN
		    " at once; fewer functions, --no-args, a smaller --user or --depth help",
		    losses->forgotten, were(losses->forgotten));
}

void losses_say(const struct losses *losses)
{
	say_calls(losses);
	if (losses->unarmed)
		say("%" PRIu64 " function%s of modules that were loaded meanwhile could not be armed: "
		    "their calls were not seen; dmesg says why",
		    losses->unarmed, plural(losses->unarmed));
	if (losses->disarmed)
		say("%" PRIu64 " probe%s out of place for some of the time, so an unknown number of calls was "
		    "not seen: kprobes were switched off (debugfs kprobes/enabled), or a CPU had no "
		    "watchpoint", losses->disarmed, were(losses->disarmed));
	if (losses->died)
		say("%" PRIu64 " thread%s died in a hook of kcatch's, by a fault in another's code (see dmesg): "
		    "the call that each was in is not counted", losses->died, plural(losses->died));
	if (losses->damaged)
		say("%" PRIu64 " record%s could not be read: please report this", losses->damaged,
		    plural(losses->damaged));
	if (losses->unwritten || losses->unwritten_returns)
		say("%" PRIu64 " hits and %" PRIu64 " returns could not be written any more: they are lost",
		    losses->unwritten, losses->unwritten_returns);
	if (losses->torn)
		say("%" PRIu64 " call%s shown outside the tree they belong to: its outermost call came after too "
		    "many others; fewer patterns or --levels help", losses->torn,
		    losses->torn == 1 ? " is" : "s are");
}

static void add_loss(char *text, size_t room, uint64_t count, const char *what, const char *why)
{
	size_t at = strlen(text);

	if (count)
		snprintf(text + at, room - at, "%s %" PRIu64 " %s%s (%s)",
			 at ? "," : "lost:", count, what, plural(count), why);
}

const char *losses_text(const struct losses *losses, unsigned int unknown_s, char *text,
			size_t room)
{
	const struct kcatch_totals *t = &losses->totals;
	struct undecided undecided = undecided_of(t);
	size_t at;

	text[0] = '\0';
	add_loss(text, room, t->lost, "event", "the ring was full");
	add_loss(text, room, undecided.unreadable, "event", "undecided: memory that the condition "
		 "needs could not be read");
	add_loss(text, room, undecided.under_way, "event", "undecided: the call had not returned");
	add_loss(text, room, t->missed, "event", "the hook was inside its own work");
	add_loss(text, room, t->return_lost, "return", "the ring was full");
	add_loss(text, room, t->no_slot, "return", "too many calls were under way");
	add_loss(text, room, losses->forgotten, "return", "not kept: " LOSSES_FORGOTTEN);
	add_loss(text, room, losses->unarmed, "function",
		 "could not be armed when a module was loaded");
	add_loss(text, room, losses->disarmed, "probe",
		 "out of place for some of the time: an unknown number of calls was not seen");
	add_loss(text, room, losses->died, "call", "the thread died in the hook");
	add_loss(text, room, losses->discarded, "record",
		 "the ring was full; of which function is not known");
	add_loss(text, room, losses->missing, "event", "recorded, but not in the files");
	add_loss(text, room, losses->damaged, "record", "damaged");
	if (!text[0])
		snprintf(text, room, "%s", losses_any(losses) ? "the counters do not add up" :
			 !unknown_s ? "nothing was lost" : "no known loss");
	at = strlen(text);
	if (unknown_s > 1)
		snprintf(text + at, room - at, "; the recording did not end cleanly: what was lost "
			 "in its last %u seconds is not known", unknown_s);
	else if (unknown_s)
		snprintf(text + at, room - at, "; the recording did not end cleanly: what was lost "
			 "in its last second is not known");
	return text;
}
