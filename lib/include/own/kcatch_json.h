/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kcatch_json.h - writes JSON as it comes, without a tree of objects
 *
 * Any bytes may be names and texts: what is not UTF-8 becomes U+FFFD. Damaged or made-up types may
 * have two members of one name: both are written, and readers take the last.
 */
#ifndef KCATCH_JSON_H
#define KCATCH_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define JSON_LEVELS 256	/* of objects and arrays: deeper ones end the text with an error */

/**
 * struct json_member - the name of a member of an object that is being written
 * @at: its offset in the text, escaped, without quotes
 * @length: bytes
 */
struct json_member {
	size_t at, length;
};

/**
 * struct json_level - an object or array that is being written
 * @is_object: it is an object
 * @begun: it has a member or element
 * @names: a bit for each hash of a member's name
 * @first: index of its first member
 */
struct json_level {
	bool is_object;
	bool begun;
	uint64_t names;
	size_t first;
};

/**
 * struct json_writer - zeroed: empty
 * @text: the text so far, not terminated
 * @length: bytes of it
 * @room: bytes allocated for it
 * @levels: what is open, outermost first
 * @nr_levels: number of entries in @levels that are in use
 * @members: members of all open objects, innermost last
 * @nr_members: number of entries in @members that are in use
 * @members_room: entries allocated for @members
 * @failed: no memory, or too many levels: the text is not complete
 */
struct json_writer {
	char *text;
	size_t length, room;
	struct json_level levels[JSON_LEVELS];
	size_t nr_levels;
	struct json_member *members;
	size_t nr_members, members_room;
	bool failed;
};

/** json_writer_deinit - free the memory */
void json_writer_deinit(struct json_writer *json);

/** json_writer_reset - make it empty, but keep the memory */
void json_writer_reset(struct json_writer *json);

/**
 * json_put_begin - begin an object or array, as the next value
 * json_put_end - end the innermost one
 * @json: the text
 * @is_object: an object: a json_put_name() precedes each value
 */
void json_put_begin(struct json_writer *json, bool is_object);
void json_put_end(struct json_writer *json);

/**
 * json_put_name - write the name of the next value
 * @json: the text, in an object
 * @name: any bytes
 * @length: of @name, bytes
 */
void json_put_name(struct json_writer *json, const char *name, size_t length);

/** json_has - whether the object that is being written has a member of this name */
bool json_has(const struct json_writer *json, const char *name);

/**
 * json_put_string - write a string
 * @json: the text
 * @text: any bytes
 * @length: of @text, bytes
 */
void json_put_string(struct json_writer *json, const char *text, size_t length);

/** json_put_word - write a string that ends with a null byte; NULL: null */
void json_put_word(struct json_writer *json, const char *text);

/** json_put_number, _signed, _bool, _null, _double - write a value */
void json_put_number(struct json_writer *json, uint64_t number);
void json_put_signed(struct json_writer *json, int64_t number);
void json_put_bool(struct json_writer *json, bool value);
void json_put_null(struct json_writer *json);
void json_put_double(struct json_writer *json, double number);

/**
 * json_put_ready - write JSON that was written before
 * @json: the text; in an object members with their names
 * @text: values or members, with commas between them
 * @length: of @text, bytes
 */
void json_put_ready(struct json_writer *json, const char *text, size_t length);

/**
 * json_print - write what is complete to a file
 * @json: the text
 * @out: the file
 * @end: what follows the text
 *
 * Return: 0; -ENOMEM with an error text if it is not complete.
 */
int json_print(const struct json_writer *json, FILE *out, const char *end);

/* Members of an object whose names the program itself has. */

static inline void json_add(struct json_writer *json, const char *name)
{
	json_put_name(json, name, strlen(name));
}

static inline void json_add_begin(struct json_writer *json, const char *name, bool is_object)
{
	json_add(json, name);
	json_put_begin(json, is_object);
}

static inline void json_add_word(struct json_writer *json, const char *name, const char *text)
{
	json_add(json, name);
	json_put_word(json, text);
}

static inline void json_add_number(struct json_writer *json, const char *name, uint64_t number)
{
	json_add(json, name);
	json_put_number(json, number);
}

static inline void json_add_signed(struct json_writer *json, const char *name, int64_t number)
{
	json_add(json, name);
	json_put_signed(json, number);
}

static inline void json_add_bool(struct json_writer *json, const char *name, bool value)
{
	json_add(json, name);
	json_put_bool(json, value);
}

static inline void json_add_null(struct json_writer *json, const char *name)
{
	json_add(json, name);
	json_put_null(json);
}

#endif
