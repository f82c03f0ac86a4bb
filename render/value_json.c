/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value_json.c - arguments and return values as JSON
 *
 * An integer becomes a number, a string a string. A pointer that was followed becomes an
 * object with the pointee's members, "address" and "text".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value_json.h"
#include "value_text.h"

struct json_object *value_json_string(const char *text, size_t length)
{
	char *room = malloc(3 * length + 1);
	struct json_object *string;
	size_t written;

	if (!room)
		return NULL;
	written = kcatch_text_utf8(text, length, room, 3 * length + 1);
	string = json_object_new_string_len(room, (int)written);
	free(room);
	return string;
}

void value_json_add(struct json_object *object, const char *name, struct json_object *value)
{
	size_t length = strlen(name);
	char *good = malloc(3 * length + 1);

	if (!good) {
		json_object_put(value);
		return;
	}
	kcatch_text_utf8(name, length, good, 3 * length + 1);
	json_object_object_add(object, good, value);
	free(good);
}

static struct json_object *number(const struct kcatch_value *value)
{
	if (value->is_signed)
		return json_object_new_int64((int64_t)value->number);
	return json_object_new_uint64(value->number);
}

static struct json_object *address(uint64_t where)
{
	return value_is_hidden(where) ? NULL : json_object_new_uint64(where);
}

static void add_members(struct json_object *object, const struct kcatch_value *value)
{
	size_t i;

	for (i = 0; i < value->nr_children; i++) {
		const struct kcatch_value *child = &value->children[i];

		if (child->name && child->name[0])
			value_json_add(object, child->name, value_json(child));
		else if (child->kind == KCATCH_VALUE_STRUCT)
			add_members(object, child);	/* an unnamed struct, as in C */
	}
}

/* Add a field of kcatch; if a member has its name, the field becomes "@name". */
static void add_own(struct json_object *object, const char *name, struct json_object *value)
{
	char other[16];

	if (!json_object_object_get_ex(object, name, NULL)) {
		json_object_object_add(object, name, value);
		return;
	}
	snprintf(other, sizeof(other), "@%s", name);
	json_object_object_add(object, other, value);
}

static struct json_object *pointer(const struct kcatch_value *value)
{
	const struct kcatch_value *target = value->nr_children ? &value->children[0] : NULL;
	struct json_object *object;

	if (!value->number || value->is_error || (!target && (!value->text || value->is_symbol)))
		return address(value->number);
	object = json_object_new_object();
	if (target && target->kind == KCATCH_VALUE_STRUCT)
		add_members(object, target);
	else if (target)
		json_object_object_add(object, "value", value_json(target));
	if (!value_is_hidden(value->number))
		add_own(object, "address", address(value->number));
	if (value->text && !value->is_symbol)
		add_own(object, "text", value_json_string(value->text, value->length));
	return object;
}

struct json_object *value_json(const struct kcatch_value *value)
{
	struct json_object *object;
	size_t i;

	switch (value->kind) {
	case KCATCH_VALUE_INTEGER:
		return value->fault ? NULL : number(value);
	case KCATCH_VALUE_BOOL:
		return value->fault ? NULL : json_object_new_boolean(value->number != 0);
	case KCATCH_VALUE_ENUM:
		if (value->text && value->length)
			return value_json_string(value->text, value->length);
		return value->fault ? NULL : number(value);
	case KCATCH_VALUE_FUNCTION:
		if (value->text && value->length)
			return value_json_string(value->text, value->length);
		return address(value->number);
	case KCATCH_VALUE_POINTER:
		return pointer(value);
	case KCATCH_VALUE_STRING:
	case KCATCH_VALUE_BYTES:
		if (!value->text || (value->fault && !value->length))
			return NULL;
		return value_json_string(value->text, value->length);
	case KCATCH_VALUE_STRUCT:
		if (value->fault && !value->nr_children)
			return NULL;
		object = json_object_new_object();
		add_members(object, value);
		return object;
	case KCATCH_VALUE_ARRAY:
		object = json_object_new_array();
		for (i = 0; i < value->nr_children; i++)
			json_object_array_add(object, value_json(&value->children[i]));
		return object;
	case KCATCH_VALUE_VOID:
	case KCATCH_VALUE_UNKNOWN:
		break;
	}
	return NULL;
}

struct json_object *value_json_return(const struct kcatch_value *value)
{
	switch (value->kind) {
	case KCATCH_VALUE_VOID:
		return NULL;
	case KCATCH_VALUE_POINTER:
	case KCATCH_VALUE_FUNCTION:
	case KCATCH_VALUE_STRING:
	case KCATCH_VALUE_BYTES:
		/* An error pointer is shown as its errno: -2, with -ENOENT in "ret_text". */
		if (value->is_error)
			return json_object_new_int64((int64_t)value->number);
		return address(value->number);
	default:
		if (value->is_error)
			return json_object_new_int64((int64_t)value->number);
		return number(value);
	}
}

static void add_mark(struct json_object *array, const struct kcatch_value *value, bool cut,
		     const char *prefix)
{
	char path[256];
	size_t i;

	if (value->name && value->name[0])
		snprintf(path, sizeof(path), "%s%s%s", prefix, *prefix ? "." : "", value->name);
	else
		snprintf(path, sizeof(path), "%s", prefix);
	if (cut ? value->cut : value->fault) {
		json_object_array_add(array, value_json_string(path, strlen(path)));
		return;
	}
	for (i = 0; i < value->nr_children; i++)
		add_mark(array, &value->children[i], cut, path);
}

void value_json_marks(struct json_object *array, const struct kcatch_value *value, bool cut)
{
	add_mark(array, value, cut, "");
}
