/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pair_account.c - what became of the events of pairs
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "pair_account.h"

/* A sum in words: what it is of, then its terms that are not 0. */
struct sum {
	char text[400];
	const char *between;
};

static void sum_begin(struct sum *sum, const char *what, uint64_t hits)
{
	snprintf(sum->text, sizeof(sum->text), "%s events: %" PRIu64, what, hits);
	sum->between = " =";
}

static void sum_add(struct sum *sum, const char *name, uint64_t number)
{
	size_t at = strlen(sum->text);

	if (!number)
		return;
	snprintf(sum->text + at, sizeof(sum->text) - at, "%s %" PRIu64 " %s", sum->between, number,
		 name);
	sum->between = " +";
}

static void say_sums(const struct kcatch_pairs *pairs)
{
	const struct kcatch_totals *first = &pairs->first, *second = &pairs->second;
	struct sum sum;

	if (first->hits != pairs->paired) {
		sum_begin(&sum, "first", first->hits);
		sum_add(&sum, "paired", pairs->paired);
		sum_add(&sum, "restarted", pairs->restarted);
		sum_add(&sum, "still open", pairs->open);
		sum_add(&sum, "without room", pairs->overflow);
		sum_add(&sum, "undecided", pairs->undecided_first);
		sum_add(&sum, "filtered", first->filtered);
		sum_add(&sum, "missed", first->missed + first->lost);
		say("%s", sum.text);
	}
	if (second->hits != pairs->paired) {
		sum_begin(&sum, "second", second->hits);
		sum_add(&sum, "paired", pairs->paired);
		sum_add(&sum, "without a first one", pairs->unmatched);
		sum_add(&sum, "undecided", pairs->undecided_second);
		sum_add(&sum, "over budget", pairs->not_paired);
		sum_add(&sum, "missed", second->missed);
		say("%s", sum.text);
	}
}

/* Threads come back that were not chosen, or left the CPU before the count began: no losses. Beyond
 * a limit of pairs those that are open may have come back. */
static void say_off_cpu(const struct kcatch_pairs *pairs)
{
	if (pairs->open && !pairs->not_paired)
		say("%" PRIu64 " thread%s still off the CPU: the time since is in no row",
		    pairs->open, pairs->open == 1 ? " is" : "s are");
}

bool pair_say(const struct kcatch_pairs *pairs, bool off_cpu)
{
	const struct kcatch_totals *first = &pairs->first;
	const bool lost = pairs->overflow || pairs->undecided_first || first->missed || first->lost;

	if (off_cpu && !lost && !pairs->undecided_second && !pairs->second.missed)
		say_off_cpu(pairs);
	else
		say_sums(pairs);
	if (pairs->overflow)
		say("%" PRIu64 " first events found no room: --pairs gives more", pairs->overflow);
	return lost;
}

void pair_terms(const struct kcatch_pairs *pairs, struct kcatch_totals *totals)
{
	totals->hits = pairs->paired;
	totals->filtered -= pairs->unmatched;
	totals->undecided -= pairs->undecided_second;
	totals->over_budget -= pairs->not_paired;
	totals->missed = 0;
}
