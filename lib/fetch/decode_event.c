/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * decode_event.c - decodes the payload of a DO_TRACE event, by the event's format
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <kcatch_text.h>
#include "fetch/decode_data.h"
#include "fetch/decode_event.h"
#include "ring/calls.h"

#define NAME_MAX_LEN 40

const uint8_t *kcatch_event_data(const struct kcatch_record *record, uint32_t *size,
				 uint64_t *faults, uint64_t *cut)
{
	const struct kcatch_event_record *event = (const void *)record;
	const struct kcatch_call_part *part;
	uint32_t head = sizeof(*event);

	*faults = *cut = 0;
	switch (KCATCH_RECORD_KIND(record->id)) {
	case KCATCH_RECORD_MARKED:
		head += 16;
		if (record->size < head)
			return NULL;
		memcpy(faults, event->data, 8);
		memcpy(cut, event->data + 8, 8);
		*size = record->size - head;
		return event->data + 16;
	case KCATCH_RECORD_EVENT:
		if (record->size < head)
			return NULL;
		*size = record->size - head;
		return event->data;
	case KCATCH_RECORD_ENTRY:
		part = kcatch_call_part((const struct kcatch_hit *)record);
		if (!part)
			return NULL;
		*faults = part->faults[0];
		*cut = part->cut[0];
		*size = part->size[0];
		return part->data;
	}
	return NULL;
}

/* The '%' of conversion @index; NULL: the format has fewer. */
static const char *conversion(const char *format, uint32_t index)
{
	const char *at = format;

	while ((at = strchr(at, '%'))) {
		if (at[1] == '%')
			at++;
		else if (!index--)
			return at;
		at++;
	}
	return NULL;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Find the name in front of a conversion: "count" of "count=%d", "count=0x%x", "count='%s'". */
static size_t word_before(const char *format, const char *percent, const char **word)
{
	const char *end = percent, *at;

	if (end - format >= 2 && end[-1] == 'x' && end[-2] == '0')
		end -= 2;
	while (end > format && strchr("\"'([{<", end[-1]))
		end--;
	if (end == format || (end[-1] != '=' && end[-1] != ':'))
		return 0;
	end--;
	at = end;
	while (at > format && is_word(at[-1]))
		at--;
	*word = at;
	if (isdigit((unsigned char)*at) || end - at >= NAME_MAX_LEN)
		return 0;
	return (size_t)(end - at);
}

void kcatch_event_field_name(const char *format, uint32_t index, char *name, size_t room)
{
	const char *percent = conversion(format, index), *word = NULL, *other = NULL;
	size_t length = percent ? word_before(format, percent, &word) : 0;
	uint32_t i;

	/* If several arguments have the name, only the first one keeps it. */
	for (i = 0; i < index && length; i++) {
		percent = conversion(format, i);
		if (percent && word_before(format, percent, &other) == length &&
		    !memcmp(word, other, length))
			length = 0;
	}
	if (length)
		snprintf(name, room, "%.*s", (int)length, word);
	else
		snprintf(name, room, "arg%u", index);
}

const char *kcatch_event_type_name(uint8_t arg)
{
	bool is_signed = arg & KCATCH_EVENT_ARG_SIGNED;

	if (arg & KCATCH_EVENT_ARG_STRING)
		return "char *";
	if (arg & KCATCH_EVENT_ARG_POINTER)
		return "void *";
	switch (arg & KCATCH_EVENT_ARG_SIZE) {
	case 1: return is_signed ? "signed char" : "unsigned char";
	case 2: return is_signed ? "short" : "unsigned short";
	case 4: return is_signed ? "int" : "unsigned int";
	}
	return is_signed ? "long" : "unsigned long";
}

static uint64_t extend(uint64_t value, uint32_t bytes)
{
	uint64_t sign = 1ULL << (8 * bytes - 1);

	return (value ^ sign) - sign;
}

/* Decode one argument. Returns the number of bytes it takes in the payload. */
static uint32_t decode_value(struct kcatch_decoder *decoder, uint8_t arg, const uint8_t *data,
			     uint32_t size, struct kcatch_value *value)
{
	uint32_t bytes = arg & KCATCH_EVENT_ARG_SIZE;

	if (arg & KCATCH_EVENT_ARG_STRING) {
		uint32_t length = size ? (uint32_t)strnlen((const char *)data, size) : 0;

		value->kind = KCATCH_VALUE_STRING;
		value->type = kcatch_event_type_name(arg);
		kcatch_decode_text(decoder, value, size ? data : (const uint8_t *)"", length);
		value->cut = length == 255 && !memcmp(data + 252, "...", 3);
		value->fault = length == size;
		return length < size ? length + 1 : size;
	}
	if (!bytes || bytes > size) {
		value->kind = KCATCH_VALUE_UNKNOWN;
		return size;
	}
	memcpy(&value->number, data, bytes);
	value->bytes = bytes;
	value->type = kcatch_event_type_name(arg);
	if (arg & KCATCH_EVENT_ARG_POINTER) {
		value->kind = KCATCH_VALUE_POINTER;
		return bytes;
	}
	value->kind = KCATCH_VALUE_INTEGER;
	value->is_signed = arg & KCATCH_EVENT_ARG_SIGNED;
	if (value->is_signed && bytes < 8)
		value->number = extend(value->number, bytes);
	return bytes;
}

int kcatch_event_decode(struct kcatch_decoder *decoder, const struct kcatch_event_info *info,
			const uint8_t *data, uint32_t size, const struct kcatch_value **values)
{
	struct kcatch_value *made;
	uint32_t i, taken;

	kcatch_arena_reset(&decoder->args);
	decoder->now = &decoder->args;
	decoder->failed = false;
	made = kcatch_decode_take(decoder, (info->nr_args + 1) * sizeof(*made));
	for (i = 0; made && i < info->nr_args; i++) {
		char *name = kcatch_decode_take(decoder, NAME_MAX_LEN);

		if (!name)
			break;
		kcatch_event_field_name(info->format, i, name, NAME_MAX_LEN);
		made[i].name = name;
		taken = decode_value(decoder, info->args[i], data, size, &made[i]);
		data += taken;
		size -= taken;
	}
	if (decoder->failed)
		return kcatch_error_memory();
	*values = made;
	return 0;
}
