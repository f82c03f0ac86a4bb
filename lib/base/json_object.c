/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* json_object.c - members of untrusted JSON objects */
#include "base/json_object.h"

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
