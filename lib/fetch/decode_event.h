/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* decode_event.h - decodes the data of a tracepoint or DO_TRACE event */
#ifndef LIB_FETCH_DECODE_EVENT_H
#define LIB_FETCH_DECODE_EVENT_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include <kcatch.h>

struct kcatch_decoder;

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

#endif
