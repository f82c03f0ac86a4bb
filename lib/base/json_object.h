/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* json_object.h - members of untrusted JSON objects */
#ifndef LIB_BASE_JSON_OBJECT_H
#define LIB_BASE_JSON_OBJECT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <json-c/json.h>

/**
 * kcatch_json_number - read a member that is an integer from 0 to a limit
 * @object: any JSON value, or NULL
 * @name: the member's name
 * @most: largest accepted value
 * @value: set to the number; unchanged if false is returned
 *
 * Return: whether @object is an object with such a member.
 */
bool kcatch_json_number(const struct json_object *object, const char *name, uint64_t most,
			uint64_t *value);

/**
 * kcatch_json_text - read a member that is a string
 * @object: any JSON value, or NULL
 * @name: the member's name
 *
 * Return: the string, valid as long as @object; NULL: there is no such member.
 */
const char *kcatch_json_text(const struct json_object *object, const char *name);

/**
 * kcatch_json_bool - read a member that is true or false
 * @object: any JSON value, or NULL
 * @name: the member's name
 *
 * Return: the value; false if there is no such member.
 */
bool kcatch_json_bool(const struct json_object *object, const char *name);

/**
 * kcatch_json_array - read a member that is an array
 * @object: any JSON value, or NULL
 * @name: the member's name
 *
 * Return: the array, borrowed from @object; NULL: there is no such member.
 */
struct json_object *kcatch_json_array(const struct json_object *object, const char *name);

/**
 * kcatch_json_object - read a member that is an object
 * @object: any JSON value, or NULL
 * @name: the member's name
 *
 * Return: the object, borrowed from @object; NULL: there is no such member.
 */
struct json_object *kcatch_json_object(const struct json_object *object, const char *name);

#endif
