/* SPDX-License-Identifier: GPL-2.0-or-later */
/* take_counts.c - takes counts out of the kernel, also beside a CPU that takes no interrupts */
#include <errno.h>
#include <inttypes.h>

#include "command.h"
#include "take_counts.h"

int take_counts(struct kcatch_session *session, bool *late, const struct kcatch_counts **counts)
{
	int ret = kcatch_session_count(session, counts);

	if (ret && (ret != -ETIMEDOUT || !*late))
		say("%s", kcatch_error_text());
	*late = ret == -ETIMEDOUT;
	return *late ? 0 : ret;
}

int take_last_counts(struct kcatch_session *session, bool *late,
		     const struct kcatch_counts **counts, struct losses *losses)
{
	bool unstopped = kcatch_session_stop(session) != 0;
	uint64_t counted;
	int ret;

	if (unstopped) {
		say("%s", kcatch_error_text());
		*late = true;	/* this says it, too */
	}
	losses->unstopped = unstopped;
	if (losses_of_session(losses, session)) {
		say("%s", kcatch_error_text());
		return -EIO;
	}
	ret = take_counts(session, late, counts);
	counted = losses->totals.recorded + losses->totals.lost;
	if (!ret && *late && counted > (*counts)->total)
		say("%" PRIu64 " calls are not in the table: it has what was taken out of the kernel before",
		    counted - (*counts)->total);
	/* Calls go on being hits, and nobody takes them any more. */
	*late |= unstopped;
	return ret;
}
