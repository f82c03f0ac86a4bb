/* SPDX-License-Identifier: GPL-2.0-or-later */
/* value_json.h - arguments and return values for programs */
#ifndef RENDER_VALUE_JSON_H
#define RENDER_VALUE_JSON_H

#include <stddef.h>

#include <json-c/json.h>
#include <kcatch.h>

/**
 * value_json_string - any bytes as a JSON string
 * @text: the bytes; what is not UTF-8 becomes U+FFFD
 * @length: how many
 *
 * Return: a new object.
 */
struct json_object *value_json_string(const char *text, size_t length);

/**
 * value_json_add - a member, by a name from type information: any bytes
 * @object: gets it
 * @name: what is no UTF-8 in it is replaced
 * @value: becomes the object's; NULL is null
 */
void value_json_add(struct json_object *object, const char *name, struct json_object *value);

/**
 * value_json - a value by its kind, as kcatch(1) describes
 * @value: the value
 *
 * Return: a new object; NULL is JSON's null.
 */
struct json_object *value_json(const struct kcatch_value *value);

/**
 * value_json_return - a return value as one number
 * @value: the value
 *
 * Return: a new object; NULL where a function returns nothing.
 */
struct json_object *value_json_return(const struct kcatch_value *value);

/**
 * value_json_marks - names of the parts of an argument that carry a mark
 * @array: gets strings such as "file.f_inode"
 * @value: the argument
 * @cut: those that are longer than what was fetched; else those that could not be read
 */
void value_json_marks(struct json_object *array, const struct kcatch_value *value, bool cut);

#endif
