/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * type_shape.h - what decoding needs of a type, looked up once
 *
 * To decode a struct, the chains of typedefs of all its members are followed. A shape is what
 * comes out of that. No locks: one thread at a time uses shapes.
 */
#ifndef LIB_FETCH_TYPE_SHAPE_H
#define LIB_FETCH_TYPE_SHAPE_H

#include <kcatch_containers.h>
#include "fetch/number_text.h"
#include "types/types.h"

struct kcatch_shape;

/**
 * struct kcatch_shape_member - a member of a struct or union, or an enumerator
 * @name: its name; "": it has none
 * @type: type of the member
 * @shape: shape of @type; NULL until kcatch_shape_of_member() was called
 * @bit_offset: offset from the start of the struct or union, bits; of an enumerator its index
 * @bit_size: width of a bit-field, bits; 0: not a bit-field
 * @value: value of an enumerator
 * @constants: names of the numbers in the member; NULL: none
 */
struct kcatch_shape_member {
	const char *name;
	struct kcatch_type type;
	struct kcatch_shape *shape;
	uint32_t bit_offset;
	uint32_t bit_size;
	int64_t value;
	const struct kcatch_constants *constants;
};

/**
 * struct kcatch_shape_count - how many members lie in some bytes; used by decode_type.c
 * @bits: number of bits that are there
 * @depth: levels that may still be decoded
 * @members: number of members
 * @visits: number of members that were looked at to count them; 0: nothing was counted
 * @cut: a member is missing
 */
struct kcatch_shape_count {
	uint64_t bits;
	int depth;
	size_t members;
	uint32_t visits;
	bool cut;
};

/**
 * struct kcatch_shape - properties of a type
 * @type: the type
 * @text: the type as C writes it
 * @kind: BTF_KIND_* without typedefs and qualifiers
 * @size: bytes; negative: not known
 * @is_signed: as kcatch_type_is_signed()
 * @is_bool: as kcatch_type_is_bool()
 * @is_char: as kcatch_type_is_char()
 * @is_octet: as kcatch_type_is_octet()
 * @is_network: as kcatch_type_is_network()
 * @to_function: a pointer to a function
 * @number_kind: kcatch_number_kind()
 * @constants: kcatch_gfp_names()
 * @nr_elements: number of elements of an array
 * @element: shape of an array's elements; NULL until kcatch_shape_of_element() was called
 * @nr_members: number of entries in @members
 * @members: members of a struct or union; or enumerators, by value
 * @count: the last count
 * @whole_size: size of the bytes that were last decoded without any pointee
 * @whole_visits: number of members and elements that were visited then, plus 1; 0: none
 */
struct kcatch_shape {
	struct kcatch_type type;
	const char *text;
	int kind;
	bool is_signed, is_bool, is_char, is_octet, is_network, to_function;
	enum kcatch_number_kind number_kind;
	const struct kcatch_constants *constants;
	int64_t size;
	uint32_t nr_elements;
	struct kcatch_shape *element;
	uint32_t nr_members;
	struct kcatch_shape_member *members;
	struct kcatch_shape_count count;
	size_t whole_size;
	uint32_t whole_visits;
};

#define KCATCH_SHAPES_RECENT 256U	/* a power of two */

/**
 * struct kcatch_shapes - all shapes so far; zeroed: none
 * @memory: of the shapes
 * @by_type: shapes by the pointer and number of their type
 * @recent: shapes that were asked for, by the low bits of their number
 */
struct kcatch_shapes {
	struct kcatch_arena memory;
	struct kcatch_table by_type;
	struct kcatch_shape *recent[KCATCH_SHAPES_RECENT];
};

/** kcatch_shapes_deinit - free all shapes */
void kcatch_shapes_deinit(struct kcatch_shapes *shapes);

/**
 * kcatch_shape_of - get the shape of a type
 * kcatch_shape_of_member - get the shape of a member's type
 * kcatch_shape_of_element - get the shape of an array's elements
 * @shapes: the shapes, to which it may be added
 * @type: the type
 * @member: a member of a shape
 * @shape: shape of an array
 *
 * Memory: in all about four times that of the types' descriptions.
 *
 * Return: the shape, valid as long as @shapes; NULL: no memory (no error text).
 */
struct kcatch_shape *kcatch_shape_of(struct kcatch_shapes *shapes, struct kcatch_type type);
struct kcatch_shape *kcatch_shape_of_member(struct kcatch_shapes *shapes,
					    struct kcatch_shape_member *member);
struct kcatch_shape *kcatch_shape_of_element(struct kcatch_shapes *shapes,
					     struct kcatch_shape *shape);

/**
 * kcatch_shape_enumerator - get the enumerator of a value
 * @shape: shape of an enum
 * @value: the value
 *
 * Return: the enumerator that is declared first, if several have the value; NULL: none has it.
 */
const struct kcatch_shape_member *kcatch_shape_enumerator(const struct kcatch_shape *shape,
							  int64_t value);

#endif
