/* SPDX-License-Identifier: GPL-2.0-or-later */
/* losses.h - say what was lost, and what to do about it */
#ifndef CLI_LOSSES_H
#define CLI_LOSSES_H

#include <stdbool.h>

#include <kcatch.h>

/**
 * losses_say - on stderr, nothing when nothing was lost
 * @session: the session
 * @totals: its counters, after the end
 *
 * Return: whether something was lost: exit status 3.
 */
bool losses_say(struct kcatch_session *session, const struct kcatch_totals *totals);

#endif
