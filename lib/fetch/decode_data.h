/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* decode_data.h - private declarations shared by decode.c, decode_type.c and decode_event.c */
#ifndef LIB_FETCH_DECODE_DATA_H
#define LIB_FETCH_DECODE_DATA_H

#include <kcatch_containers.h>
#include "fetch/decode.h"
#include "fetch/plan_data.h"
#include "fetch/type_shape.h"

/**
 * struct kcatch_decoder - a decoder with the values of its last event
 * @arch: machine of the last event
 * @symbol: names addresses; NULL: they are not named
 * @symbol_arg: passed to @symbol
 * @args: memory of the arguments' values, reset for each event
 * @ret: memory of the return value, reset for each event
 * @shapes: what was looked up of types, kept
 * @now: the memory in use: @args or @ret
 * @left: number of members, elements and pointees that may still be decoded, since damaged
 *	types of a recording may nest unions many times over
 * @last_enum: the enum that kcatch_decode_enumerator() was last asked for
 * @no_enum: the types have not got it
 * @failed: an allocation failed: the values are incomplete
 */
struct kcatch_decoder {
	const struct kcatch_arch *arch;
	int (*symbol)(void *arg, uint64_t address, char *text, size_t room);
	void *symbol_arg;
	struct kcatch_arena args;
	struct kcatch_arena ret;
	struct kcatch_shapes shapes;
	struct kcatch_type last_enum;
	bool no_enum;
	struct kcatch_arena *now;
	uint32_t left;
	bool failed;
};

/**
 * struct kcatch_pointees - the pointers in a struct whose pointees were fetched
 * @decode: if the pointee of the pointer at @offset (bytes) in the struct was fetched, adds it
 *	to @value, which already has the pointer's number
 */
struct kcatch_pointees {
	void (*decode)(const struct kcatch_pointees *pointees, uint32_t offset,
		       struct kcatch_value *value);
};

/**
 * kcatch_decode_take - allocate memory that lives as long as the values in progress
 * @decoder: the decoder; @failed is set if there is no memory
 * @size: bytes
 *
 * Return: zeroed memory; NULL: no memory.
 */
void *kcatch_decode_take(struct kcatch_decoder *decoder, size_t size);

/**
 * kcatch_decode_hardware - set the text of a value to a hardware address: 52:54:00:ab:cd:ef
 * @decoder: has the memory
 * @value: receives it
 * @bytes: the address
 * @length: its length, bytes; at most KCATCH_HARDWARE_MAX
 */
void kcatch_decode_hardware(struct kcatch_decoder *decoder, struct kcatch_value *value,
			    const uint8_t *bytes, size_t length);

/**
 * kcatch_decode_is_text - are bytes that may be anything a text?
 * @bytes: the bytes
 * @length: number of them
 *
 * Return: whether there are any, and all are printable.
 */
bool kcatch_decode_is_text(const uint8_t *bytes, size_t length);

/**
 * kcatch_decode_text - set the text of a value
 * @decoder: provides the memory; without memory the value has no text
 * @value: the value
 * @bytes: the text, copied; any bytes; may be NULL if @length is 0
 * @length: length of @bytes, bytes
 */
void kcatch_decode_text(struct kcatch_decoder *decoder, struct kcatch_value *value,
			const void *bytes, size_t length);

/**
 * kcatch_decode_meaning - set the text of an integer to what its number means
 * @decoder: provides the memory
 * @kind: kcatch_number_kind() of its type
 * @constants: the names that it may have; NULL: none
 * @value: the value; nothing is done if it is no integer, or it means no more than its number
 */
void kcatch_decode_meaning(struct kcatch_decoder *decoder, enum kcatch_number_kind kind,
			   const struct kcatch_constants *constants, struct kcatch_value *value);

/**
 * kcatch_decode_enumerator - name a number by an enum that its type does not tell
 * @decoder: remembers the enum: finding it examines all types
 * @near: a type that is from where the enum is
 * @name: name of the enum
 * @number: the number
 *
 * Return: the enumerator, valid as long as the types; NULL: there is none.
 */
const char *kcatch_decode_enumerator(struct kcatch_decoder *decoder, struct kcatch_type near,
				     const char *name, uint64_t number);

/**
 * kcatch_decode_type - decode bytes as a value of a type
 * @decoder: provides memory, symbols and texts of types
 * @type: the type
 * @bytes: the bytes; may be NULL if @size is 0
 * @size: size of @bytes, bytes; may be smaller than the type: missing parts are cut, or
 *	KCATCH_VALUE_UNKNOWN
 * @pointees: pointers in the bytes whose pointees were fetched; NULL: none
 * @value: zeroed, except the name; receives type, kind, number, text and children
 */
void kcatch_decode_type(struct kcatch_decoder *decoder, struct kcatch_type type,
			const uint8_t *bytes, size_t size, const struct kcatch_pointees *pointees,
			struct kcatch_value *value);

/**
 * kcatch_decode_skip - count bytes as decoded, without pointees, whose value is not needed
 * @decoder: the decoder; its @left becomes what it would be after kcatch_decode_type()
 * @type: the type
 * @size: number of bytes
 *
 * Return: whether that is known; false: call kcatch_decode_type().
 */
bool kcatch_decode_skip(struct kcatch_decoder *decoder, struct kcatch_type type, size_t size);

/**
 * kcatch_decode_changed - compare a value at the entry and at the return
 * @before: the value at the entry
 * @after: the value at the return, of the same type; sets @changed in it and in each of its
 *	parts that differs
 *
 * Return: whether anything differs.
 */
bool kcatch_decode_changed(const struct kcatch_value *before, struct kcatch_value *after);

#endif
