/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* json_object.c - members of untrusted JSON objects */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_object.h"
#include "base/printable.h"

static struct json_object *find(const struct json_object *object, const char *name,
				enum json_type type)
{
	struct json_object *member;

	if (!json_object_is_type(object, json_type_object) ||
	    !json_object_object_get_ex(object, name, &member) || !json_object_is_type(member, type))
		return NULL;
	return member;
}

bool kcatch_json_number(const struct json_object *object, const char *name, uint64_t most,
			uint64_t *value)
{
	struct json_object *member = find(object, name, json_type_int);
	uint64_t number;

	if (!member || (json_object_get_int64(member) < 0))
		return false;
	number = json_object_get_uint64(member);
	if (number > most)
		return false;
	*value = number;
	return true;
}

const char *kcatch_json_text(const struct json_object *object, const char *name)
{
	struct json_object *member = find(object, name, json_type_string);

	return member ? json_object_get_string(member) : NULL;
}

bool kcatch_json_bool(const struct json_object *object, const char *name)
{
	struct json_object *member = find(object, name, json_type_boolean);

	return member && json_object_get_boolean(member);
}

struct json_object *kcatch_json_array(const struct json_object *object, const char *name)
{
	return find(object, name, json_type_array);
}

struct json_object *kcatch_json_object(const struct json_object *object, const char *name)
{
	return find(object, name, json_type_object);
}

bool kcatch_json_add(struct json_object *object, const char *name, struct json_object *value)
{
	if (value && object &&
	    !json_object_object_add_ex(object, name, value,
				       JSON_C_OBJECT_ADD_KEY_IS_NEW |
					       JSON_C_OBJECT_ADD_CONSTANT_KEY))
		return true;
	json_object_put(value);
	return false;
}

bool kcatch_json_append(struct json_object *array, struct json_object *value)
{
	if (value && array && !json_object_array_add(array, value))
		return true;
	json_object_put(value);
	return false;
}

struct json_object *kcatch_json_any_text(const char *text)
{
	size_t length = strlen(text);
	char *good = malloc(3 * length + 1);
	struct json_object *object;

	if (!good)
		return NULL;
	object = json_object_new_string_len(good, (int)kcatch_text_utf8(text, length, good,
									3 * length + 1));
	free(good);
	return object;
}

void kcatch_json_put_line(FILE *file, struct json_object *value)
{
	fputs(json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN |
					     JSON_C_TO_STRING_NOSLASHESCAPE), file);
	fputc('\n', file);
}
