/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * type.c - properties of one type: kind, size, members
 *
 * The descriptions come from a file that may be damaged: chains of types are followed for a
 * limited number of steps, and an overflow of a size is an error.
 */
#include <errno.h>
#include <string.h>

#include "types/btf_data.h"
#include "types/types.h"

#define MEMBERS_MAX 65536	/* examined for one name */
#define CHAIN_MAX 64	/* typedefs and qualifiers of one type, or dimensions of an array */

static const struct btf_type *described(struct kcatch_type type)
{
	return type.id ? kcatch_btf_type(type.btf, type.id) : NULL;
}

static int own_kind(const struct btf_type *t)
{
	return t ? BTF_INFO_KIND(t->info) : BTF_KIND_UNKN;
}

static struct kcatch_type other(struct kcatch_type type, uint32_t id)
{
	return (struct kcatch_type){ .btf = type.btf, .id = id };
}

/* Whether the kind only names or qualifies another type. */
static bool is_alias(int kind)
{
	switch (kind) {
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		return true;
	}
	return false;
}

/* Strip names and qualifiers from *@type. Return: its description; NULL: void, or no type. */
static const struct btf_type *resolve(struct kcatch_type *type)
{
	const struct btf_type *t = described(*type);
	int i;

	for (i = 0; t && is_alias(own_kind(t)); i++) {
		type->id = i < CHAIN_MAX ? t->type : 0;
		t = described(*type);
	}
	if (!t)
		type->id = 0;
	return t;
}

struct kcatch_type kcatch_type_strip(struct kcatch_type type)
{
	resolve(&type);
	return type;
}

int kcatch_type_kind(struct kcatch_type type)
{
	return own_kind(resolve(&type));
}

const char *kcatch_type_name(struct kcatch_type type)
{
	const struct btf_type *t = described(type);

	/* The name of a type tag is the tag's text, not a type's name. */
	return t && own_kind(t) != BTF_KIND_TYPE_TAG ? kcatch_btf_string(type.btf, t->name_off) :
						       "";
}

static const struct btf_array *array_of(const struct btf_type *t)
{
	return (const void *)(t + 1);
}

int64_t kcatch_type_size(struct kcatch_type type)
{
	uint64_t count = 1;
	int i;

	for (i = 0; i < CHAIN_MAX; i++) {
		const struct btf_type *t = resolve(&type);

		switch (own_kind(t)) {
		case BTF_KIND_INT:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
		case BTF_KIND_FLOAT:
			return __builtin_mul_overflow(count, (uint64_t)t->size, &count) ||
			       count > INT64_MAX ? -EINVAL : (int64_t)count;
		case BTF_KIND_PTR:
			return __builtin_mul_overflow(count, 8U, &count) || count > INT64_MAX ?
			       -EINVAL : (int64_t)count;
		case BTF_KIND_ARRAY:
			if (__builtin_mul_overflow(count, (uint64_t)array_of(t)->nelems, &count))
				return -EINVAL;
			type = other(type, array_of(t)->type);
			break;
		default:
			return -EINVAL;
		}
	}
	return -EINVAL;
}

/* The word for the BTF_INT_* macros: encoding, offset and bits of an integer. */
static uint32_t int_data(const struct btf_type *t)
{
	return *(const uint32_t *)(t + 1);
}

bool kcatch_type_is_signed(struct kcatch_type type)
{
	const struct btf_type *t = resolve(&type);

	switch (own_kind(t)) {
	case BTF_KIND_INT:
		return BTF_INT_ENCODING(int_data(t)) & BTF_INT_SIGNED;
	case BTF_KIND_ENUM64:
		return BTF_INFO_KFLAG(t->info);
	case BTF_KIND_ENUM: {
		const struct btf_enum *values = (const void *)(t + 1);
		uint32_t i, nr = BTF_INFO_VLEN(t->info);

		if (kcatch_btf_tells_signs(type.btf))
			return BTF_INFO_KFLAG(t->info);
		for (i = 0; i < nr; i++)
			if (values[i].val < 0)
				return true;
		return false;
	}
	}
	return false;
}

bool kcatch_type_is_bool(struct kcatch_type type)
{
	const struct btf_type *t = resolve(&type);

	return own_kind(t) == BTF_KIND_INT && BTF_INT_ENCODING(int_data(t)) & BTF_INT_BOOL;
}

bool kcatch_type_is_char(struct kcatch_type type)
{
	const struct btf_type *t = described(type);
	int i;

	/* u8, __s8, uint8_t and typedefs of them hold numbers. */
	for (i = 0; t && is_alias(own_kind(t)) && i < CHAIN_MAX; i++) {
		if (own_kind(t) == BTF_KIND_TYPEDEF && strchr(kcatch_type_name(type), '8'))
			return false;
		type = other(type, t->type);
		t = described(type);
	}
	if (own_kind(t) != BTF_KIND_INT || t->size != 1 || kcatch_type_is_bool(type))
		return false;
	return BTF_INT_ENCODING(int_data(t)) & BTF_INT_CHAR ||
	       strstr(kcatch_type_name(type), "char");
}

bool kcatch_type_is_octet(struct kcatch_type type)
{
	const struct btf_type *t = resolve(&type);

	return own_kind(t) == BTF_KIND_INT && t->size == 1 &&
	       !(BTF_INT_ENCODING(int_data(t)) & (BTF_INT_SIGNED | BTF_INT_BOOL)) &&
	       strcmp(kcatch_type_name(type), "char") != 0;
}

bool kcatch_type_has_name(struct kcatch_type type, const char *name)
{
	const struct btf_type *t = described(type);
	int i;

	for (i = 0; t && is_alias(own_kind(t)) && i < CHAIN_MAX; i++) {
		if (own_kind(t) == BTF_KIND_TYPEDEF && !strcmp(kcatch_type_name(type), name))
			return true;
		type = other(type, t->type);
		t = described(type);
	}
	return false;
}

bool kcatch_type_is_network(struct kcatch_type type)
{
	int64_t size = kcatch_type_size(type);

	return kcatch_type_kind(type) == BTF_KIND_INT &&
	       ((size == 2 && kcatch_type_has_name(type, "__be16")) ||
		(size == 4 && kcatch_type_has_name(type, "__be32")) ||
		(size == 8 && kcatch_type_has_name(type, "__be64")));
}

bool kcatch_type_is_pointer(struct kcatch_type type)
{
	return kcatch_type_kind(type) == BTF_KIND_PTR;
}

bool kcatch_type_is_const(struct kcatch_type type)
{
	const struct btf_type *t = described(type);
	int i;

	for (i = 0; t && is_alias(own_kind(t)) && i < CHAIN_MAX; i++) {
		if (own_kind(t) == BTF_KIND_CONST)
			return true;
		type = other(type, t->type);
		t = described(type);
	}
	return false;
}

struct kcatch_type kcatch_type_target(struct kcatch_type type)
{
	const struct btf_type *t = resolve(&type);

	switch (own_kind(t)) {
	case BTF_KIND_PTR:
	case BTF_KIND_FUNC_PROTO:
	case BTF_KIND_FUNC:
		return other(type, t->type);
	case BTF_KIND_ARRAY:
		return other(type, array_of(t)->type);
	}
	return other(type, 0);
}

uint32_t kcatch_type_nr_elements(struct kcatch_type type)
{
	const struct btf_type *t = resolve(&type);

	return own_kind(t) == BTF_KIND_ARRAY ? array_of(t)->nelems : 0;
}

static uint32_t nr_members(const struct btf_type *t)
{
	switch (own_kind(t)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
	case BTF_KIND_FUNC_PROTO:
		return BTF_INFO_VLEN(t->info);
	}
	return 0;
}

uint32_t kcatch_type_nr_members(struct kcatch_type type)
{
	return nr_members(resolve(&type));
}

/*
 * BTF describes a bit-field in one of two ways: in the member (if the struct has the kind
 * flag), or by an integer type that has fewer bits than its bytes hold.
 */
static void place_member(const struct btf_type *outer, const struct btf_member *from,
			 struct kcatch_member *member)
{
	struct kcatch_type type = member->type;
	const struct btf_type *t = resolve(&type);
	uint32_t data;

	member->bit_offset = from->offset;
	if (BTF_INFO_KFLAG(outer->info)) {
		member->bit_offset = BTF_MEMBER_BIT_OFFSET(from->offset);
		member->bit_size = BTF_MEMBER_BITFIELD_SIZE(from->offset);
	}
	if (own_kind(t) != BTF_KIND_INT || member->bit_size)
		return;
	data = int_data(t);
	if (BTF_INT_OFFSET(data) || BTF_INT_BITS(data) != 8 * t->size) {
		member->bit_offset += BTF_INT_OFFSET(data);
		member->bit_size = BTF_INT_BITS(data);
	}
}

static void enum64_member(const struct btf_enum64 *from, struct kcatch_member *member,
			  const struct kcatch_btf *btf)
{
	member->name = kcatch_btf_string(btf, from->name_off);
	member->value = (int64_t)((uint64_t)from->val_hi32 << 32 | from->val_lo32);
}

int kcatch_type_member(struct kcatch_type type, uint32_t index, struct kcatch_member *member)
{
	const struct btf_type *t = resolve(&type);
	const void *parts;

	if (index >= nr_members(t))
		return -ERANGE;
	parts = t + 1;
	*member = (struct kcatch_member){ .name = "", .type = type };
	switch (own_kind(t)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION: {
		const struct btf_member *from = (const struct btf_member *)parts + index;

		member->name = kcatch_btf_string(type.btf, from->name_off);
		member->type = other(type, from->type);
		place_member(t, from, member);
		break;
	}
	case BTF_KIND_FUNC_PROTO: {
		const struct btf_param *from = (const struct btf_param *)parts + index;

		member->name = kcatch_btf_string(type.btf, from->name_off);
		member->type = other(type, from->type);
		break;
	}
	case BTF_KIND_ENUM: {
		const struct btf_enum *from = (const struct btf_enum *)parts + index;

		member->name = kcatch_btf_string(type.btf, from->name_off);
		/* Where nothing tells, one that is negative makes its enum signed. */
		member->value = from->val;
		if (kcatch_btf_tells_signs(type.btf) && !BTF_INFO_KFLAG(t->info))
			member->value = (uint32_t)from->val;
		break;
	}
	default:
		enum64_member((const struct btf_enum64 *)parts + index, member, type.btf);
	}
	return 0;
}

/*
 * Damaged types of a recording may nest unions many times over: @left limits the members that
 * are examined (the kernel's largest struct has fewer than 1000).
 */
static int find(struct kcatch_type type, const char *name, struct kcatch_member *member, int depth,
		uint32_t *left)
{
	uint32_t i, nr = kcatch_type_nr_members(type);

	for (i = 0; i < nr && *left; i++) {
		uint32_t offset;

		(*left)--;
		kcatch_type_member(type, i, member);
		if (*member->name) {
			if (!strcmp(member->name, name))
				return 0;
			continue;
		}
		offset = member->bit_offset;
		if (depth && !find(member->type, name, member, depth - 1, left)) {
			member->bit_offset += offset;
			return 0;
		}
	}
	return -ENOENT;
}

int kcatch_type_find(struct kcatch_type type, const char *name, struct kcatch_member *member)
{
	int kind = kcatch_type_kind(type);
	uint32_t left = MEMBERS_MAX;

	if (!*name)
		return -ENOENT;
	return find(type, name, member,
		    kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION ? 16 : 0, &left);
}
