/* SPDX-License-Identifier: GPL-2.0-or-later */
/* value_json.h - arguments and return values as JSON */
#ifndef RENDER_VALUE_JSON_H
#define RENDER_VALUE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <kcatch.h>
#include <kcatch_json.h>

/**
 * value_json - write a value according to its kind, as kcatch(1) describes
 * @json: the text
 * @value: the value
 */
void value_json(struct json_writer *json, const struct kcatch_value *value);

/**
 * value_json_number - write a number, and beyond 2^53 its digits as a string
 * value_json_address - write an address as the string "0xffff888003d4c000", null if it is hidden
 * @json: the text
 * @number: the number
 * @is_signed: it is an int64_t
 * @address: the address
 */
void value_json_number(struct json_writer *json, uint64_t number, bool is_signed);
void value_json_address(struct json_writer *json, uint64_t address);

/**
 * value_json_return - write a return value as one number or address
 * @json: the text
 * @value: the return value
 *
 * It is null if the value is an address that must not be shown, or no number (a struct).
 */
void value_json_return(struct json_writer *json, const struct kcatch_value *value);

/* What of an argument is not whole, or not in JSON as it is. */
enum value_mark {
	VALUE_UNREADABLE,	/* it could not be read */
	VALUE_LATE,		/* it was read at the return */
	VALUE_CUT,		/* only the beginning was fetched */
	VALUE_BYTES,		/* a text with bytes that are not UTF-8 */
};

/**
 * value_json_marked - whether a part of an argument has a mark
 * value_json_marks - list these parts
 * value_json_return_marks - the same for the value that a call returned, whose path is "ret"
 * @json: an array: strings such as "file.f_inode" are appended, of VALUE_BYTES with the bytes in
 *	hexadecimal: "addr=525400abcdef"
 * @value: the argument, and its pointee at the return
 * @mark: VALUE_*
 */
bool value_json_marked(const struct kcatch_value *value, enum value_mark mark);
void value_json_marks(struct json_writer *json, const struct kcatch_value *value,
		      enum value_mark mark);
void value_json_return_marks(struct json_writer *json, const struct kcatch_value *value,
			     enum value_mark mark);

/**
 * value_json_names - write the names of the numbers in an argument: "flags": "O_RDWR|O_CREAT"
 * @json: the text
 * @value: the argument
 * @begun: whether the member "args_text", an object, was begun, which the first name does; a name
 *	stands behind the path of its number: "how.flags"
 */
void value_json_names(struct json_writer *json, const struct kcatch_value *value, bool *begun);

/**
 * value_json_stack_end - the word of JSON for how a stack ends
 * @end: KCATCH_STACK_*
 */
const char *value_json_stack_end(enum kcatch_event_stack end);

#endif
