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

/**
 * kcatch_json_add - add a member to an object
 * @object: the object; NULL counts as out of memory
 * @name: the member's name, new in @object; not copied, so it must outlive @object
 * @value: the value, always taken over; NULL counts as out of memory
 *
 * Return: true; false: out of memory.
 */
bool kcatch_json_add(struct json_object *object, const char *name, struct json_object *value);

/**
 * kcatch_json_append - append a value to an array
 * @array: the array; NULL counts as out of memory
 * @value: the value, always taken over; NULL counts as out of memory
 *
 * Return: true; false: out of memory.
 */
bool kcatch_json_append(struct json_object *array, struct json_object *value);

/**
 * kcatch_json_any_text - make a string of any bytes: what is not UTF-8 becomes U+FFFD
 * @text: the bytes, up to a null byte: names of machines, files and types
 *
 * Return: the string; NULL: out of memory.
 */
struct json_object *kcatch_json_any_text(const char *text);

/**
 * kcatch_json_put_line - write a value as one line
 * @file: output file
 * @value: the value
 */
void kcatch_json_put_line(FILE *file, struct json_object *value);

#endif
