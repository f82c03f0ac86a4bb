/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value_json.c - arguments and return values as JSON
 *
 * An integer becomes a number, a string a string. A pointer that was followed becomes an
 * object with the pointee's members, "address" and "text".
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value_json.h"
#include "value_text.h"

#define TEXT_MAX 1024	/* bytes of a text that are looked at; KCATCH_DATA_MAX */
#define EXACT_MAX (1ULL << 53)	/* a program that reads numbers as doubles rounds larger ones */

void value_json_number(struct json_writer *json, uint64_t number, bool is_signed)
{
	bool negative = is_signed && (int64_t)number < 0;
	char digits[24];

	if ((negative ? -number : number) > EXACT_MAX) {
		snprintf(digits, sizeof(digits), negative ? "%" PRId64 : "%" PRIu64, number);
		json_put_word(json, digits);
	} else if (negative) {
		json_put_signed(json, (int64_t)number);
	} else {
		json_put_number(json, number);
	}
}

void value_json_address(struct json_writer *json, uint64_t address)
{
	char text[VALUE_ADDRESS_ROOM];

	json_put_word(json, value_is_hidden(address) ? NULL :
		      value_text_address(address, text, sizeof(text)));
}

static void put_name(struct json_writer *json, const char *name)
{
	json_put_name(json, name, strlen(name));
}

static void put_number(struct json_writer *json, const struct kcatch_value *value)
{
	if (value_hides_number(value))
		json_put_null(json);
	else
		value_json_number(json, value->number, value->is_signed);
}

static void put_members(struct json_writer *json, const struct kcatch_value *value)
{
	size_t i;

	for (i = 0; i < value->nr_children; i++) {
		const struct kcatch_value *child = &value->children[i];

		if (child->name && child->name[0]) {
			put_name(json, child->name);
			value_json(json, child);
		} else if (child->kind == KCATCH_VALUE_STRUCT) {
			put_members(json, child);	/* an unnamed struct, as in C */
		}
	}
}

/* Name a field of kcatch; if a member has its name, the field becomes "@name". */
static void put_own_name(struct json_writer *json, const char *name)
{
	char other[16];

	if (json_has(json, name)) {
		snprintf(other, sizeof(other), "@%s", name);
		name = other;
	}
	put_name(json, name);
}

static void put_pointer(struct json_writer *json, const struct kcatch_value *value)
{
	const struct kcatch_value *target = value->nr_children ? &value->children[0] : NULL;

	if (value->is_error) {
		json_put_signed(json, (int64_t)value->number);
		return;
	}
	if (!value->number || (!target && (!value->text || value->is_symbol))) {
		value_json_address(json, value->number);
		return;
	}
	json_put_begin(json, true);
	if (target && target->kind == KCATCH_VALUE_STRUCT) {
		put_members(json, target);
	} else if (target) {
		json_add(json, "value");
		value_json(json, target);
	}
	if (!value_is_hidden(value->number)) {
		put_own_name(json, "address");
		value_json_address(json, value->number);
	}
	if (value->text && !value->is_symbol) {
		put_own_name(json, "text");
		json_put_string(json, value->text, value->length);
	}
	json_put_end(json);
}

static void put_array(struct json_writer *json, const struct kcatch_value *value)
{
	size_t i;

	json_put_begin(json, false);
	for (i = 0; i < value->nr_children; i++)
		value_json(json, &value->children[i]);
	json_put_end(json);
}

static void put_struct(struct json_writer *json, const struct kcatch_value *value)
{
	json_put_begin(json, true);
	put_members(json, value);
	json_put_end(json);
}

/* Whether the value is not known at all. */
static bool is_null(const struct kcatch_value *value)
{
	switch (value->kind) {
	case KCATCH_VALUE_INTEGER:
	case KCATCH_VALUE_BOOL:
		return value->fault;
	case KCATCH_VALUE_ENUM:
		return value->fault && !(value->text && value->length);
	case KCATCH_VALUE_STRING:
	case KCATCH_VALUE_BYTES:
		return !value->text || (value->fault && !value->length) ||
		       value_hides_bytes(value);
	case KCATCH_VALUE_STRUCT:
		return value->fault && !value->nr_children;
	case KCATCH_VALUE_VOID:
	case KCATCH_VALUE_UNKNOWN:
		return true;
	default:
		return false;
	}
}

void value_json(struct json_writer *json, const struct kcatch_value *value)
{
	bool named = value->text && value->length;

	if (is_null(value)) {
		json_put_null(json);
		return;
	}
	switch (value->kind) {
	case KCATCH_VALUE_BOOL:
		json_put_bool(json, value->number != 0);
		break;
	case KCATCH_VALUE_ENUM:
	case KCATCH_VALUE_FUNCTION:
		if (named)
			json_put_string(json, value->text, value->length);
		else if (value->kind == KCATCH_VALUE_ENUM)
			put_number(json, value);
		else
			value_json_address(json, value->number);
		break;
	case KCATCH_VALUE_POINTER:
		put_pointer(json, value);
		break;
	case KCATCH_VALUE_STRING:
	case KCATCH_VALUE_BYTES:
		json_put_string(json, value->text, value->length);
		break;
	case KCATCH_VALUE_STRUCT:
		put_struct(json, value);
		break;
	case KCATCH_VALUE_ARRAY:
		put_array(json, value);
		break;
	default:
		put_number(json, value);
	}
}

void value_json_return(struct json_writer *json, const struct kcatch_value *value)
{
	if (value->is_error) {
		/* of an error pointer too: -2, with -ENOENT in "ret_text" */
		json_put_signed(json, (int64_t)value->number);
		return;
	}
	switch (value->kind) {
	case KCATCH_VALUE_INTEGER:
	case KCATCH_VALUE_BOOL:
	case KCATCH_VALUE_ENUM:
		put_number(json, value);
		break;
	case KCATCH_VALUE_POINTER:
	case KCATCH_VALUE_FUNCTION:
	case KCATCH_VALUE_STRING:
	case KCATCH_VALUE_BYTES:
		value_json_address(json, value->number);
		break;
	default:
		json_put_null(json);	/* a struct, or nothing that a register holds */
	}
}

/* Bytes of a text that JSON cannot have: each of them would be U+FFFD. */
static bool is_lossy(const struct kcatch_value *value)
{
	bool text = value->kind == KCATCH_VALUE_STRING || value->kind == KCATCH_VALUE_BYTES;
	char valid[3 * TEXT_MAX + 1];
	size_t length = value->length < TEXT_MAX ? value->length : TEXT_MAX, i;

	if (text ? is_null(value) : value->kind != KCATCH_VALUE_POINTER || value->is_symbol)
		return false;
	for (i = 0; value->text && i < length && !(value->text[i] & 0x80); i++)
		;
	return value->text && i < length &&
	       kcatch_text_utf8(value->text, length, valid, sizeof(valid)) != length;
}

static bool is_marked(const struct kcatch_value *value, enum value_mark mark)
{
	switch (mark) {
	case VALUE_CUT:
		return value->cut;
	case VALUE_UNREADABLE:
		return value->fault;
	case VALUE_LATE:
		return value->is_late;
	default:
		return is_lossy(value);
	}
}

static bool marked_at_entry(const struct kcatch_value *value, enum value_mark mark)
{
	size_t i;

	if (is_marked(value, mark))
		return true;
	for (i = 0; i < value->nr_children; i++) {
		if (value_json_marked(&value->children[i], mark))
			return true;
	}
	return false;
}

bool value_json_marked(const struct kcatch_value *value, enum value_mark mark)
{
	return marked_at_entry(value, mark) ||
	       (value->at_return && value_json_marked(value->at_return, mark));
}

/* "file.f_inode", or "addr=525400abcdef" */
static void put_path(struct json_writer *json, const struct kcatch_value *value,
		     enum value_mark mark, const char *path)
{
	char text[256 + 2 * TEXT_MAX + 2];
	size_t length = value->length < TEXT_MAX ? value->length : TEXT_MAX, at, i;

	if (mark != VALUE_BYTES) {
		json_put_string(json, path, strlen(path));
		return;
	}
	at = (size_t)snprintf(text, sizeof(text), "%s=", path);
	for (i = 0; i < length; i++, at += 2)
		sprintf(text + at, "%02x", (unsigned char)value->text[i]);
	json_put_string(json, text, at);
}

/* The path of a part: that of what it is in, and its name, if it has one. */
static void path_of(const struct kcatch_value *value, const char *prefix, char *path, size_t room)
{
	if (value->name && value->name[0])
		snprintf(path, room, "%s%s%s", prefix, *prefix ? "." : "", value->name);
	else
		snprintf(path, room, "%s", prefix);
}

static void put_mark(struct json_writer *json, const struct kcatch_value *value,
		     enum value_mark mark, const char *prefix)
{
	char path[256];
	size_t i;

	if (!value_json_marked(value, mark))
		return;
	path_of(value, prefix, path, sizeof(path));
	if (is_marked(value, mark)) {
		put_path(json, value, mark, path);
		if (mark != VALUE_BYTES)
			return;
	}
	/* What is marked at the return alone has the same name. */
	if (!marked_at_entry(value, mark)) {
		put_mark(json, value->at_return, mark, path);
		return;
	}
	for (i = 0; i < value->nr_children; i++)
		put_mark(json, &value->children[i], mark, path);
	/* But these are other bytes. */
	if (mark == VALUE_BYTES && value->at_return)
		put_mark(json, value->at_return, mark, path);
}

void value_json_marks(struct json_writer *json, const struct kcatch_value *value,
		      enum value_mark mark)
{
	put_mark(json, value, mark, "");
}

void value_json_return_marks(struct json_writer *json, const struct kcatch_value *value,
			     enum value_mark mark)
{
	struct kcatch_value nameless = *value;

	nameless.name = NULL;
	put_mark(json, &nameless, mark, "ret");
}

static void put_names(struct json_writer *json, const struct kcatch_value *value,
		      const char *prefix, bool *begun)
{
	char path[256];
	size_t i;

	path_of(value, prefix, path, sizeof(path));
	if (value->kind == KCATCH_VALUE_INTEGER && value->text && !value->is_error &&
	    !value_hides_number(value)) {
		if (!*begun)
			json_add_begin(json, "args_text", true);
		*begun = true;
		/* The elements of an array have one path: that of the first is told. */
		if (!json_has(json, path)) {
			put_name(json, path);
			json_put_string(json, value->text, value->length);
		}
	}
	for (i = 0; i < value->nr_children; i++)
		put_names(json, &value->children[i], path, begun);
}

void value_json_names(struct json_writer *json, const struct kcatch_value *value, bool *begun)
{
	put_names(json, value, "", begun);
}

const char *value_json_stack_end(enum kcatch_event_stack end)
{
	static const char *const ends[] = {
		[KCATCH_STACK_WHOLE] = "complete", [KCATCH_STACK_CUT] = "depth",
		[KCATCH_STACK_LOST_TRACK] = "broken", [KCATCH_STACK_ABSENT] = "none",
	};

	return ends[end & 3];
}
