/* SPDX-License-Identifier: GPL-2.0-or-later */
/* value_json.h - arguments and return values as JSON */
#ifndef RENDER_VALUE_JSON_H
#define RENDER_VALUE_JSON_H

#include <stddef.h>

#include <json-c/json.h>
#include <kcatch.h>

/**
 * value_json_string - make a JSON string of any bytes
 * @text: the bytes; those that are not UTF-8 become U+FFFD
 * @length: number of bytes
 *
 * Return: a new object; NULL: out of memory.
 */
struct json_object *value_json_string(const char *text, size_t length);

/**
 * value_json_add - add a member whose name comes from type information
 * @object: the object
 * @name: any bytes; those that are not UTF-8 become U+FFFD
 * @value: the member's value, taken over; NULL: null
 */
void value_json_add(struct json_object *object, const char *name, struct json_object *value);

/**
 * value_json - convert a value according to its kind, as kcatch(1) describes
 * @value: the value
 *
 * Return: a new object; NULL: JSON's null.
 */
struct json_object *value_json(const struct kcatch_value *value);

/**
 * value_json_return - convert a return value to one number
 * @value: the return value
 *
 * Return: a new object; NULL (JSON's null): the function returns nothing, or the value is an
 * address that must not be shown.
 */
struct json_object *value_json_return(const struct kcatch_value *value);

/**
 * value_json_marks - list the parts of an argument that were cut or could not be read
 * @array: strings such as "file.f_inode" are appended
 * @value: the argument
 * @cut: true: list the parts of which only the beginning was fetched; false: the parts that
 *	could not be read
 */
void value_json_marks(struct json_object *array, const struct kcatch_value *value, bool cut);

#endif
