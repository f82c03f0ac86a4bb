/* SPDX-License-Identifier: GPL-2.0-or-later */
/* groups.h - show related calls together: trees of calls (--tree), chains of failures (--errors) */
#ifndef CLI_COMMON_GROUPS_H
#define CLI_COMMON_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include <kcatch.h>

#include "render.h"

struct groups;

/**
 * groups_create - create an empty collection of calls
 * @renderer: text or JSON
 * @view: what is shown of a call; must outlive the groups
 * @json: print one JSON object per call; @tree makes no difference
 * @tree: print trees of calls; false: chains of failures
 *
 * Return: the groups, to be freed with groups_destroy(); NULL: out of memory.
 */
struct groups *groups_create(const struct renderer *renderer, const struct render_options *view,
			     bool json, bool tree);

/**
 * groups_destroy - free the groups and the calls that were not printed
 * @groups: may be NULL
 */
void groups_destroy(struct groups *groups);

/**
 * groups_add - render a caught call and add it
 * @groups: the groups
 * @session: the session that returned @event
 * @event: the call; not used after the function returns
 *
 * Return: 0, or -errno with an error text.
 */
int groups_add(struct groups *groups, struct kcatch_session *session,
	       const struct kcatch_event *event);

/**
 * groups_count - number of outermost calls added so far, printed or not
 * @groups: the groups
 *
 * Return: the number, without torn calls.
 */
uint64_t groups_count(const struct groups *groups);

/**
 * groups_torn - number of calls shown outside their tree, because memory ran out
 * @groups: the groups
 *
 * Return: the number so far.
 */
uint64_t groups_torn(const struct groups *groups);

/**
 * groups_flush - print and free the groups that are complete
 * @groups: the groups
 * @everything: no more calls will come: print all groups
 * @outcome: its @shown (groups) and @events (calls) are increased. Groups beyond the view's
 *	count are freed without being printed
 */
void groups_flush(struct groups *groups, bool everything, struct outcome *outcome);

#endif
