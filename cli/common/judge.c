/* SPDX-License-Identifier: GPL-2.0-or-later */
/* judge.c - the exit status of a command, from its events and losses */
#include <inttypes.h>
#include <string.h>

#include "command.h"
#include "judge.h"

void judge_say_end(const char *end, uint32_t pid)
{
	if (!strcmp(end, "gone"))
		say("all probes are gone: their module was unloaded");
	if (!strcmp(end, "exit"))
		say("process %u has ended", pid);
}

int judge_status(const struct losses *losses, uint64_t caught)
{
	if (losses_any(losses))
		return STATUS_LOSSES;
	return caught ? STATUS_CAUGHT : STATUS_NOTHING;
}

void judge_say_nothing(const char *what, const struct kcatch_totals *totals)
{
	say("nothing was %s%s", what,
	    totals->undecided ? ": no call that could be examined met what was asked for" :
	    totals->filtered  ? ": no call met what was asked for" : "");
}

int judge(const struct losses *losses, uint64_t caught)
{
	losses_say(losses);
	return judge_status(losses, caught);
}

uint64_t judge_counts_other(const struct kcatch_counts *counts)
{
	const struct kcatch_count_row *last = counts->rows + counts->nr_rows - 1;

	return counts->nr_rows && last->is_other ? last->count : 0;
}

int judge_counts(struct losses *losses, const struct kcatch_counts *counts)
{
	uint64_t counted = losses->totals.recorded + losses->totals.lost;
	uint64_t overflowed = judge_counts_other(counts);
	int status;

	losses->totals.recorded = counted;
	losses->totals.lost = 0;
	status = judge(losses, counted);
	if (overflowed) {
		say("%" PRIu64 " calls are counted as (other): their keys found no room; "
		    "--size gives more", overflowed);
		status = STATUS_LOSSES;
	}
	if (!counted)
		judge_say_nothing("counted", &losses->totals);
	return status;
}
