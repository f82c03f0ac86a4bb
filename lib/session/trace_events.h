/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* trace_events.h - arms tracepoints and DO_TRACE events */
#ifndef LIB_SESSION_TRACE_EVENTS_H
#define LIB_SESSION_TRACE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include <kcatch.h>

struct kcatch_expression;
struct kcatch_probe_slot;

/**
 * kcatch_events_arm - arm the events of a request, as one group
 * @session: the session
 * @request: a request with events
 * @add: filters and limits of the request; changed
 * @expression: the condition; NULL: none
 *
 * Return: 0 or -errno.
 */
int kcatch_events_arm(struct kcatch_session *session, const struct kcatch_request *request,
		      struct kcatch_add *add, const struct kcatch_expression *expression);

/**
 * kcatch_events_inform - fill in the name and description of a DO_TRACE event's slot
 * @session: the session
 * @slot: the slot; its probe's address is the event's number
 *
 * Return: 0 or -errno.
 */
int kcatch_events_inform(struct kcatch_session *session, struct kcatch_probe_slot *slot);

/**
 * kcatch_event_slot - check whether a slot belongs to an event rather than a function
 * @slot: a slot whose @informed is set
 *
 * Return: true if it belongs to a tracepoint or DO_TRACE event.
 */
bool kcatch_event_slot(const struct kcatch_probe_slot *slot);

#endif
