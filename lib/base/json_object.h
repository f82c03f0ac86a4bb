/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* json_object.h - members of untrusted JSON objects */
#ifndef LIB_BASE_JSON_OBJECT_H
#define LIB_BASE_JSON_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

/**
 * kcatch_json_number - a number, and nothing else
 * @object: where; NULL: nowhere
 * @name: of the member
 * @most: the largest that makes sense
 * @value: the number; left alone when there is none
 *
 * Return: whether it is there and makes sense.
 */
bool kcatch_json_number(const struct json_object *object, const char *name, uint64_t most,
			uint64_t *value);

/**
 * kcatch_json_text - a string
 * kcatch_json_bool - true or false
 * kcatch_json_array - an array
 * kcatch_json_object - an object
 * @object: where; NULL: nowhere
 * @name: of the member
 *
 * Return: that, valid as long as @object; NULL or false: there is no such.
 */
const char *kcatch_json_text(const struct json_object *object, const char *name);
bool kcatch_json_bool(const struct json_object *object, const char *name);
struct json_object *kcatch_json_array(const struct json_object *object, const char *name);
struct json_object *kcatch_json_object(const struct json_object *object, const char *name);

/**
 * kcatch_json_add - put a member into an object
 * @object: the object
 * @name: the name, which stays; there is no such member yet
 * @value: the value, taken over in any case; NULL: there was no memory for it
 *
 * Return: whether there was memory.
 */
bool kcatch_json_add(struct json_object *object, const char *name, struct json_object *value);

/**
 * kcatch_json_append - put a value at the end of an array
 * @array: the array
 * @value: as above
 *
 * Return: whether there was memory.
 */
bool kcatch_json_append(struct json_object *array, struct json_object *value);

#endif
