/* SPDX-License-Identifier: GPL-2.0-or-later */
/* groups.h - calls that belong together: trees of calls, chains of failures */
#ifndef CLI_GROUPS_H
#define CLI_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include <kcatch.h>

#include "options.h"
#include "render.h"

struct groups;

/**
 * groups_create - nothing collected yet
 * @options: of the command; must outlive it
 * @renderer: the form
 *
 * Return: the groups, NULL without memory.
 */
struct groups *groups_create(const struct options *options, const struct renderer *renderer);

/**
 * groups_destroy - forget them
 * @groups: may be NULL
 */
void groups_destroy(struct groups *groups);

/**
 * groups_add - a caught call
 * @groups: the groups
 * @session: its session
 * @event: the call
 *
 * Return: 0 or -errno with an error text.
 */
int groups_add(struct groups *groups, struct kcatch_session *session,
	       const struct kcatch_event *event);

/**
 * groups_count - outermost calls that have come so far, printed or not
 * @groups: the groups
 *
 * Return: how many.
 */
uint64_t groups_count(const struct groups *groups);

/**
 * groups_flush - print what is whole
 * @groups: the groups
 * @everything: no more will come
 * @outcome: shown and events are counted here; no more than the options' count is shown
 */
void groups_flush(struct groups *groups, bool everything, struct outcome *outcome);

#endif
