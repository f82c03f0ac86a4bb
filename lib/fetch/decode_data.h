/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* decode_data.h - declarations shared by the decoders */
#ifndef LIB_FETCH_DECODE_DATA_H
#define LIB_FETCH_DECODE_DATA_H

#include <kcatch_containers.h>
#include "fetch/decode.h"
#include "fetch/plan_data.h"

/**
 * struct kcatch_decoder - names of types, and the values of one event
 * @symbol: names code
 * @symbol_arg: for it
 * @args: memory of the arguments' values
 * @ret: memory of the returned value
 * @names: memory of @type_names, kept
 * @type_names: texts of types, by struct kcatch_type
 * @now: the memory in use: one of @args, @ret
 * @left: members that may be decoded yet of this event: types out of a recording may nest
 *	one union in itself many times over
 * @failed: memory was short
 */
struct kcatch_decoder {
	int (*symbol)(void *arg, uint64_t address, char *text, size_t room);
	void *symbol_arg;
	struct kcatch_arena args;
	struct kcatch_arena ret;
	struct kcatch_arena names;
	struct kcatch_table type_names;
	struct kcatch_arena *now;
	uint32_t left;
	bool failed;
};

/**
 * struct kcatch_pointees - the pointers in a struct that were followed
 * @decode: of the one at @offset in the struct, if there is one: completes @value,
 *	which is a pointer with its number, by what it points to
 */
struct kcatch_pointees {
	void (*decode)(const struct kcatch_pointees *pointees, uint32_t offset,
		       struct kcatch_value *value);
};

/**
 * kcatch_decode_take - memory as long as the values
 * @decoder: sets @failed when there is none
 * @size: bytes
 *
 * Return: zeroed memory or NULL.
 */
void *kcatch_decode_take(struct kcatch_decoder *decoder, size_t size);

/**
 * kcatch_decode_text - give a value a text
 * @decoder: memory
 * @value: the value
 * @bytes: the text, which is copied
 * @length: of it
 */
void kcatch_decode_text(struct kcatch_decoder *decoder, struct kcatch_value *value,
			const void *bytes, size_t length);

/**
 * kcatch_decode_type - bytes of a type as a value
 * @decoder: memory, names
 * @type: the type
 * @bytes: of it
 * @size: how many there are, which may be fewer than the type has, or 0
 * @pointees: pointers inside that were followed; NULL: none
 * @value: its type, kind, number, text, children are set; the name is left alone
 */
void kcatch_decode_type(struct kcatch_decoder *decoder, struct kcatch_type type,
			const uint8_t *bytes, size_t size, const struct kcatch_pointees *pointees,
			struct kcatch_value *value);

/**
 * kcatch_decode_changed - mark what differs in a value that was fetched twice
 * @before: at the entry
 * @after: at the return; parts that differ are marked
 *
 * Return: whether anything differs.
 */
bool kcatch_decode_changed(const struct kcatch_value *before, struct kcatch_value *after);

#endif
