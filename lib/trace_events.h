/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* trace_events.h - tracepoints and DO_TRACE events of a session */
#ifndef LIB_TRACE_EVENTS_H
#define LIB_TRACE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include "kcatch.h"

struct kcatch_decoder;
struct kcatch_expression;
struct kcatch_probe_slot;

/**
 * kcatch_events_arm - arm the events of a request, as one group
 * @session: the session
 * @request: with events
 * @add: its gate; changed
 * @expression: the condition; NULL: none
 *
 * Return: 0 or -errno.
 */
int kcatch_events_arm(struct kcatch_session *session, const struct kcatch_request *request,
		      struct kcatch_add *add, const struct kcatch_expression *expression);

/**
 * kcatch_events_inform - name a DO_TRACE event's slot
 * @session: the session
 * @slot: whose address is the event's number
 *
 * Return: 0 or -errno.
 */
int kcatch_events_inform(struct kcatch_session *session, struct kcatch_probe_slot *slot);

/**
 * kcatch_event_slot - is that the slot of an event
 * @slot: informed
 *
 * Return: whether it is.
 */
bool kcatch_event_slot(const struct kcatch_probe_slot *slot);

/**
 * kcatch_event_data - what was fetched, out of an event's record
 * @record: EVENT, MARKED or ENTRY, whose size was checked
 * @size: bytes of it
 * @faults: items that could not be read
 * @cut: items that are longer
 *
 * Return: the data; NULL when the record is too small for what it should be.
 */
const uint8_t *kcatch_event_data(const struct kcatch_record *record, uint32_t *size,
				 uint64_t *faults, uint64_t *cut);

/**
 * kcatch_event_decode - a DO_TRACE event's payload as values, named by its format
 * @decoder: memory
 * @info: the event
 * @data: its payload
 * @size: bytes
 * @values: as many as it has arguments, valid until the next
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_event_decode(struct kcatch_decoder *decoder, const struct kcatch_event_info *info,
			const uint8_t *data, uint32_t size, const struct kcatch_value **values);

/**
 * kcatch_event_field_name - what an argument is called
 * @format: of the event
 * @index: which argument
 * @name: with an end mark: "count" for "count=%d", else "arg0"
 * @room: bytes there
 */
void kcatch_event_field_name(const char *format, uint32_t index, char *name, size_t room);

/**
 * kcatch_event_comm - the name of the thread of an event that has none, as it is now
 * @session: the session
 * @tid: the thread
 * @cpu: whose idle thread it is, where @tid is 0
 * @comm: 16 bytes: with an end mark, "" when it has gone
 */
void kcatch_event_comm(struct kcatch_session *session, uint32_t tid, uint32_t cpu, char *comm);

#endif
