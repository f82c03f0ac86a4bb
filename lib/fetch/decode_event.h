/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* decode_event.h - decodes the record of a tracepoint or DO_TRACE event */
#ifndef LIB_FETCH_DECODE_EVENT_H
#define LIB_FETCH_DECODE_EVENT_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include <kcatch.h>

struct kcatch_decoder;

/**
 * kcatch_event_data - locate the fetched items or the payload in an event's record
 * @record: a record; its @size must have been checked to lie in the packet
 * @size: receives the size of the data, bytes
 * @faults: receives bit i: item i could not be read
 * @cut: receives bit i: item i was longer than what was fetched
 *
 * Return: the data, in @record; NULL: the record is not of kind EVENT, MARKED or ENTRY, or is
 * too small for its kind.
 */
const uint8_t *kcatch_event_data(const struct kcatch_record *record, uint32_t *size,
				 uint64_t *faults, uint64_t *cut);

/**
 * kcatch_event_decode - decode the payload of a DO_TRACE event
 * @decoder: the decoder
 * @info: the event
 * @data: the payload, untrusted
 * @size: size of @data, bytes
 * @values: receives an array with info->nr_args values, named by the format, valid until the
 *	next kcatch_event_decode() or kcatch_decode_args()
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_event_decode(struct kcatch_decoder *decoder, const struct kcatch_event_info *info,
			const uint8_t *data, uint32_t size, const struct kcatch_value **values);

/**
 * kcatch_event_field_name - name of an argument of a DO_TRACE event
 * @format: the event's format
 * @index: index of the argument, from 0
 * @name: receives the word in front of the argument's conversion: "count" of "count=%d"; if
 *	there is none, or an earlier argument has it, "arg" and @index. Null-terminated
 * @room: size of @name, bytes; names have at most 39 bytes, and a null byte
 */
void kcatch_event_field_name(const char *format, uint32_t index, char *name, size_t room);

/** kcatch_event_type_name - type of an argument of a DO_TRACE event. @arg: KCATCH_EVENT_ARG_* */
const char *kcatch_event_type_name(uint8_t arg);

#endif
