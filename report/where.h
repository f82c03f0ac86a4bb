/* SPDX-License-Identifier: GPL-2.0-or-later */
/* where.h - an expression over what was recorded: --filter 'ret == -ENOENT && comm ~ "git*"' */
#ifndef REPORT_WHERE_H
#define REPORT_WHERE_H

#include <stdbool.h>
#include <stddef.h>

#include "report.h"

struct where;

/**
 * where_create - read an expression
 * @text: in the language of kcatch's conditions
 * @where: the expression
 *
 * Names are fields and arguments of an event (members by . or ->), and pid tid cpu comm
 * time event function ret latency caller. An event without a field that is asked for is not met.
 *
 * Return: 0, -EINVAL with a text that points at the place, -ENOMEM.
 */
int where_create(const char *text, struct where **where);

/**
 * where_destroy - forget it
 * @where: may be NULL
 */
void where_destroy(struct where *where);

/**
 * where_holds - is it true of the event at hand
 * @where: the expression
 * @report: the report
 * @event: the event
 *
 * Return: 1, 0, -errno.
 */
int where_holds(struct where *where, struct report *report, const struct kcatch_event *event);

/**
 * where_unknown - a name in it that no event had
 * @where: after a pass
 *
 * Return: the name; NULL: each was there at least once.
 */
const char *where_unknown(const struct where *where);

/**
 * where_nearest - what may have been meant
 * @where: after a pass
 * @name: from where_unknown()
 * @text: "ret or rest"; "" when nothing is near
 * @room: bytes at @text
 *
 * Return: @text.
 */
const char *where_nearest(struct where *where, const char *name, char *text, size_t room);

#endif
