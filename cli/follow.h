/* SPDX-License-Identifier: GPL-2.0-or-later */
/* follow.h - show events as they come, until something ends it; and sum up */
#ifndef CLI_FOLLOW_H
#define CLI_FOLLOW_H

#include <stdbool.h>

#include <kcatch.h>

#include "options.h"

/**
 * struct follow - what to show, and how
 * @session: all is armed
 * @options: count (0: until interrupted), time_ns and json hold; the rest is the renderer's
 * @event: shows one: 1: shown, 0: it is not to be counted, -errno with an error text
 * @arg: for @event
 * @what: "write", "signal": what is counted
 */
struct follow {
	struct kcatch_session *session;
	const struct options *options;
	int (*event)(struct kcatch_session *session, const struct kcatch_event *event, void *arg);
	void *arg;
	const char *what;
};

/**
 * follow - start the session, show what comes, stop it, print the summary
 * @follow: what
 *
 * Return: the exit status.
 */
int follow(struct follow *follow);

#endif
