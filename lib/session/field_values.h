/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * field_values.h - the values that the fields of an event have in a record
 *
 * A field is its expression over what the record has, live and in a recording alike. Fields follow
 * the event's arguments as further ones.
 */
#ifndef LIB_SESSION_FIELD_VALUES_H
#define LIB_SESSION_FIELD_VALUES_H

#include <stdint.h>

#include "types/types.h"

struct kcatch_event_fields;
struct kcatch_fetched;
struct kcatch_session;
struct kcatch_slot_fields;

/**
 * kcatch_session_event_of - the name of a tracepoint
 * @session: the session
 * @probe: number of the probe
 *
 * Return: "SYSTEM:NAME", valid as long as @session; NULL: it has no fields that are known.
 */
const char *kcatch_session_event_of(struct kcatch_session *session, uint32_t probe);

/**
 * kcatch_session_fields - find out the fields of a tracepoint
 * @session: the session
 * @probe: number of the probe
 * @proto: prototype of the function that calls the tracepoint's probes
 * @fields: receives them, valid as long as @session; NULL: it has none
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_session_fields(struct kcatch_session *session, uint32_t probe, struct kcatch_type proto,
			  const struct kcatch_event_fields **fields);

/** kcatch_session_nr_fields - how many fields the records of a tracepoint have. 0: none, or no
 * memory */
uint32_t kcatch_session_nr_fields(struct kcatch_session *session, uint32_t probe);

/**
 * kcatch_session_add_fields - add the values of the fields to the current event's arguments
 * @session: the session, whose arguments were just decoded
 * @fetched: what the record has
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_session_add_fields(struct kcatch_session *session, const struct kcatch_fetched *fetched);

/** kcatch_slot_fields_destroy - free them. @fields: may be NULL */
void kcatch_slot_fields_destroy(struct kcatch_slot_fields *fields);

#endif
