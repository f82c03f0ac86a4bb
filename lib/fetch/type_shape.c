/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* type_shape.c - what decoding needs of a type, looked up once */
#include <stdlib.h>
#include <string.h>

#include "fetch/gfp_names.h"
#include "fetch/type_shape.h"

#define TYPE_TEXT_MAX 256	/* bytes of kcatch_type_text() */

/* What tells a type from others, without padding. */
struct key {
	const void *btf;
	size_t id;
};

void kcatch_shapes_deinit(struct kcatch_shapes *shapes)
{
	kcatch_table_deinit(&shapes->by_type);
	kcatch_arena_deinit(&shapes->memory);
}

static bool is_enum(int kind)
{
	return kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64;
}

static bool has_members(int kind)
{
	return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION || is_enum(kind);
}

/* By value, those of one value as they are declared. */
static int by_value(const void *left, const void *right)
{
	const struct kcatch_shape_member *a = left, *b = right;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return a->bit_offset < b->bit_offset ? -1 : a->bit_offset > b->bit_offset;
}

/* Enumerators are looked up by value, and a recording may bring an enum of 65535. */
static void sort_enumerators(struct kcatch_shape *shape)
{
	uint32_t i;

	for (i = 0; i < shape->nr_members; i++)
		shape->members[i].bit_offset = i;
	qsort(shape->members, shape->nr_members, sizeof(*shape->members), by_value);
}

static bool take_members(struct kcatch_shapes *shapes, struct kcatch_shape *shape)
{
	uint32_t i, nr = kcatch_type_nr_members(shape->type);

	shape->members = kcatch_arena_take(&shapes->memory, nr * sizeof(*shape->members));
	if (!shape->members)
		return false;
	for (i = 0; i < nr; i++) {
		struct kcatch_shape_member *to = &shape->members[i];
		struct kcatch_member member;

		kcatch_type_member(shape->type, i, &member);
		to->name = member.name;
		to->type = member.type;
		to->bit_offset = member.bit_offset;
		to->bit_size = member.bit_size;
		to->value = member.value;
		to->constants = kcatch_constants_of_member(kcatch_type_name(shape->type),
							   member.name);
	}
	shape->nr_members = nr;
	if (is_enum(shape->kind))
		sort_enumerators(shape);
	return true;
}

const struct kcatch_shape_member *kcatch_shape_enumerator(const struct kcatch_shape *shape,
							  int64_t value)
{
	uint32_t low = 0, high = shape->nr_members;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (shape->members[middle].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low < shape->nr_members && shape->members[low].value == value ?
	       &shape->members[low] : NULL;
}

static bool take_text(struct kcatch_shapes *shapes, struct kcatch_shape *shape)
{
	char text[TYPE_TEXT_MAX], *kept;
	size_t length = kcatch_type_text(shape->type, text, sizeof(text));

	kept = kcatch_arena_take(&shapes->memory, length + 1);
	if (kept)
		memcpy(kept, text, length + 1);
	shape->text = kept;
	return kept;
}

static struct kcatch_shape *make(struct kcatch_shapes *shapes, struct kcatch_type type)
{
	struct kcatch_shape *shape = kcatch_arena_take(&shapes->memory, sizeof(*shape));

	if (!shape)
		return NULL;
	shape->type = type;
	shape->kind = kcatch_type_kind(type);
	shape->size = kcatch_type_size(type);
	shape->is_signed = kcatch_type_is_signed(type);
	shape->is_bool = kcatch_type_is_bool(type);
	shape->is_char = kcatch_type_is_char(type);
	shape->is_octet = kcatch_type_is_octet(type);
	shape->is_network = kcatch_type_is_network(type);
	shape->number_kind = kcatch_number_kind(type);
	shape->constants = kcatch_gfp_names(type);
	shape->to_function = shape->kind == BTF_KIND_PTR &&
			     kcatch_type_kind(kcatch_type_target(type)) == BTF_KIND_FUNC_PROTO;
	shape->nr_elements = kcatch_type_nr_elements(type);
	if (!take_text(shapes, shape) || (has_members(shape->kind) && !take_members(shapes, shape)))
		return NULL;
	return shape;
}

static struct kcatch_shape *find_or_make(struct kcatch_shapes *shapes, struct kcatch_type type)
{
	const struct key plain = { type.btf, type.id };
	struct kcatch_shape *shape;
	struct key *key;
	size_t *found;

	found = kcatch_table_find(&shapes->by_type, (const char *)&plain, sizeof(plain));
	if (found)
		return (struct kcatch_shape *)*found;
	shape = make(shapes, type);
	key = shape ? kcatch_arena_take(&shapes->memory, sizeof(*key)) : NULL;
	if (!key)
		return NULL;
	*key = plain;
	if (kcatch_table_add(&shapes->by_type, (const char *)key, sizeof(*key), (size_t)shape))
		return NULL;
	return shape;
}

struct kcatch_shape *kcatch_shape_of(struct kcatch_shapes *shapes, struct kcatch_type type)
{
	struct kcatch_shape **recent = &shapes->recent[type.id & (KCATCH_SHAPES_RECENT - 1)];

	if (!*recent || (*recent)->type.id != type.id || (*recent)->type.btf != type.btf)
		*recent = find_or_make(shapes, type);
	return *recent;
}

struct kcatch_shape *kcatch_shape_of_member(struct kcatch_shapes *shapes,
					    struct kcatch_shape_member *member)
{
	if (!member->shape)
		member->shape = kcatch_shape_of(shapes, member->type);
	return member->shape;
}

struct kcatch_shape *kcatch_shape_of_element(struct kcatch_shapes *shapes,
					     struct kcatch_shape *shape)
{
	if (!shape->element)
		shape->element = kcatch_shape_of(shapes, kcatch_type_target(shape->type));
	return shape->element;
}
