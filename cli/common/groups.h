/* SPDX-License-Identifier: GPL-2.0-or-later */
/* groups.h - calls that belong together: trees of calls, chains of failures */
#ifndef CLI_COMMON_GROUPS_H
#define CLI_COMMON_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include <kcatch.h>

#include "render.h"

struct groups;

/**
 * groups_create - nothing collected yet
 * @renderer: the form
 * @view: what is shown of a call; must outlive it
 * @json: an object a call, whatever it belongs to
 * @tree: trees of calls, else chains of failures
 *
 * Return: the groups, NULL without memory.
 */
struct groups *groups_create(const struct renderer *renderer, const struct render_options *view,
			     bool json, bool tree);

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
 * groups_torn - calls shown outside the tree they belong to, as there was no more room
 * @groups: the groups
 *
 * Return: how many.
 */
uint64_t groups_torn(const struct groups *groups);

/**
 * groups_flush - print what is whole
 * @groups: the groups
 * @everything: no more will come
 * @outcome: shown and events are counted here; no more than the view's count is shown
 */
void groups_flush(struct groups *groups, bool everything, struct outcome *outcome);

#endif
