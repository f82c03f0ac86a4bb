/* SPDX-License-Identifier: GPL-2.0-or-later */
/* take_counts.h - takes counts out of the kernel, also beside a CPU that takes no interrupts */
#ifndef CLI_COMMON_TAKE_COUNTS_H
#define CLI_COMMON_TAKE_COUNTS_H

#include <stdbool.h>

#include <kcatch_counts.h>

#include "losses.h"

/* Behind the first line of what is shown while a CPU delays the counts. */
#define TAKE_COUNTS_LATE "; a CPU takes no interrupts: not up to date"

/**
 * take_counts - kcatch_session_count(), which a CPU that takes no interrupts only delays
 * take_last_counts - the same after the session was stopped, with its losses
 * @session: a session that counts
 * @late: set: such a CPU delays it, so @counts is what was taken before. It was false at the first
 *	call; when it becomes true, a message says so
 * @counts: the rows
 * @losses: set as by losses_of_session(), and @unstopped
 *
 * take_last_counts() stops the session, says if that is not possible, and how many calls are still
 * in the kernel then.
 *
 * Return: 0; -errno after a message.
 */
int take_counts(struct kcatch_session *session, bool *late, const struct kcatch_counts **counts);
int take_last_counts(struct kcatch_session *session, bool *late,
		     const struct kcatch_counts **counts, struct losses *losses);

#endif
