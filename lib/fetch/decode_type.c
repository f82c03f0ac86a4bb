/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * decode_type.c - decodes bytes as a value of a type
 *
 * The bytes are untrusted, and may be fewer than the type has. The number of values is bounded by
 * the members and elements that lie in the bytes, and, since members of unions overlap, by the
 * decoder's @left.
 */
#include <stdlib.h>
#include <string.h>

#include "base/errno_name.h"
#include "fetch/decode_data.h"
#include "types/btf_data.h"

#define NESTED_MAX 16		/* levels of structs and arrays */
#define ELEMENTS_MAX 16		/* elements of an array that are decoded */
#define HARDWARE_INFINIBAND 20	/* bytes of an InfiniBand address */
#define SYMBOL_MAX 640		/* bytes: a symbol of KCATCH_NAME_LEN, offset and module */

void *kcatch_decode_take(struct kcatch_decoder *decoder, size_t size)
{
	void *memory = kcatch_arena_take(decoder->now, size);

	if (!memory)
		decoder->failed = true;
	return memory;
}

void kcatch_decode_text(struct kcatch_decoder *decoder, struct kcatch_value *value,
			const void *bytes, size_t length)
{
	char *text = kcatch_decode_take(decoder, length + 1);

	if (!text)
		return;
	if (length)
		memcpy(text, bytes, length);
	value->text = text;
	value->length = length;
}

/* Read an integer of @bits bits (1..64) at bit @at; all of them are in @bytes. */
static uint64_t read_bits(const uint8_t *bytes, size_t at, uint32_t bits, bool is_signed)
{
	uint64_t value = 0;
	uint32_t i;

	bytes += at / 8;
	at %= 8;
	for (i = 0; i < bits + at; i += 8) {
		uint64_t byte = bytes[i / 8];

		/* Up to nine bytes: drop the first one's low bits and the last one's high bits. */
		value |= i >= at ? byte << (i - at) : byte >> (at - i);
	}
	if (bits < 64) {
		value &= (1ULL << bits) - 1;
		if (is_signed && value >> (bits - 1) & 1)
			value |= ~0ULL << bits;
	}
	return value;
}

static void name_enum(const struct kcatch_shape *shape, struct kcatch_value *value)
{
	const struct kcatch_shape_member *member =
		kcatch_shape_enumerator(shape, (int64_t)value->number);

	if (!member)
		return;
	value->text = member->name;
	value->length = strlen(member->name);
}

const char *kcatch_decode_enumerator(struct kcatch_decoder *decoder, struct kcatch_type near,
				     const char *name, uint64_t number)
{
	struct kcatch_type *type = &decoder->last_enum;
	const struct kcatch_shape_member *member;
	const struct kcatch_shape *shape;
	const struct btf_type *entry;

	if (decoder->no_enum)
		return NULL;
	if (!type->btf || strcmp(kcatch_type_name(*type), name) != 0) {
		*type = (struct kcatch_type){ .btf = near.btf };
		while ((entry = kcatch_btf_type(near.btf, ++type->id)))
			if (BTF_INFO_KIND(entry->info) == BTF_KIND_ENUM &&
			    !strcmp(kcatch_btf_string(near.btf, entry->name_off), name))
				break;
		decoder->no_enum = !entry;
		if (!entry)
			return NULL;
	}
	shape = kcatch_shape_of(&decoder->shapes, *type);
	member = shape ? kcatch_shape_enumerator(shape, (int64_t)number) : NULL;
	return member ? member->name : NULL;
}

void kcatch_decode_meaning(struct kcatch_decoder *decoder, enum kcatch_number_kind kind,
			   const struct kcatch_constants *constants, struct kcatch_value *value)
{
	const struct kcatch_number_form form = { .kind = kind,
						 .name = value->name,
						 .constants = constants };
	char text[KCATCH_NUMBER_TEXT];
	size_t length;

	if ((!constants && !kind) || value->kind != KCATCH_VALUE_INTEGER || value->fault ||
	    value->cut)
		return;
	length = kcatch_number_text(&form, value->number, text, sizeof(text));
	if (length)
		kcatch_decode_text(decoder, value, text, length);
}

static void decode_pointer(struct kcatch_decoder *decoder, const struct kcatch_shape *shape,
			   struct kcatch_value *value)
{
	char symbol[SYMBOL_MAX];
	const char *error;

	value->kind = KCATCH_VALUE_POINTER;
	if (value->number >= (uint64_t)-KCATCH_ERRNO_MAX) {
		value->is_error = true;
		error = kcatch_errno_name(-(int)value->number);
		if (error)
			kcatch_decode_text(decoder, value, error, strlen(error));
		return;
	}
	if (shape->to_function)
		value->kind = KCATCH_VALUE_FUNCTION;
	else if (value->number < decoder->arch->image)
		return;
	symbol[0] = '\0';
	if (!value->number || !decoder->symbol ||
	    decoder->symbol(decoder->symbol_arg, value->number, symbol, sizeof(symbol)))
		return;
	/* symbol+offset of data says nothing about the pointee. */
	if (!shape->to_function && strchr(symbol, '+'))
		return;
	kcatch_decode_text(decoder, value, symbol, strnlen(symbol, sizeof(symbol)));
	value->is_symbol = !shape->to_function && value->text;
}

/* @bits: width of a bit-field; 0: the whole type. All bits are in @bytes. */
static void decode_scalar(struct kcatch_decoder *decoder, const struct kcatch_shape *shape,
			  const uint8_t *bytes, size_t at, uint32_t bits,
			  struct kcatch_value *value)
{
	value->is_signed = shape->is_signed;
	if (!bits)
		bits = shape->size > 8 ? 64 : 8 * (uint32_t)shape->size;
	/* Only the low half of a 128-bit integer is shown. */
	value->cut = shape->size > 8;
	value->number = read_bits(bytes, at, bits, value->is_signed);
	if (shape->is_network && bits == 8 * (uint32_t)shape->size)
		value->number = __builtin_bswap64(value->number) >> (64 - bits);
	switch (shape->kind) {
	case BTF_KIND_PTR:
		decode_pointer(decoder, shape, value);
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		value->kind = KCATCH_VALUE_ENUM;
		name_enum(shape, value);
		break;
	default:
		value->kind = shape->is_bool ? KCATCH_VALUE_BOOL : KCATCH_VALUE_INTEGER;
	}
}

static bool is_scalar(int kind)
{
	return kind == BTF_KIND_INT || kind == BTF_KIND_PTR || kind == BTF_KIND_ENUM ||
	       kind == BTF_KIND_ENUM64;
}

/* What decoding a part of a value needs; @bytes start with the outermost struct. */
struct part {
	struct kcatch_decoder *decoder;
	const struct kcatch_pointees *pointees;
	const uint8_t *bytes;
	size_t size;
	bool in_union;
};

static void decode_at(const struct part *part, struct kcatch_shape *shape, uint64_t bit,
		      uint32_t bits, int depth, struct kcatch_value *value);

/* Whether a member is in the bytes; of a struct or array the first byte suffices. */
static bool is_there(const struct part *part, const struct kcatch_shape_member *member,
		     uint64_t bit)
{
	int64_t size = member->shape->size;
	uint64_t end;

	if (size < 0)
		return false;
	if (member->bit_size > 64 || (!member->bit_size && bit % 8))
		return false;
	if (member->bit_size)
		end = bit + member->bit_size;
	else if (is_scalar(member->shape->kind))
		end = bit + 8 * (uint64_t)size;
	else
		end = bit + (size ? 8 : 0);
	return end <= 8 * (uint64_t)part->size;
}

static bool is_nameless_struct(const struct kcatch_shape_member *member)
{
	int kind = member->shape->kind;

	return !*member->name && (kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION);
}

/*
 * Count the members that are in the bytes, including those of unnamed structs, and decode them into
 * @values unless that is NULL. Sets *cut if a member is missing.
 */
static size_t visit_members(const struct part *part, struct kcatch_shape *shape, uint64_t bit,
			    int depth, struct kcatch_value *values, bool *cut)
{
	size_t count = 0;
	uint32_t i;

	for (i = 0; i < shape->nr_members; i++) {
		struct kcatch_shape_member *member = &shape->members[i];
		uint64_t at;

		if (!part->decoder->left) {
			*cut = true;
			break;
		}
		part->decoder->left--;

		if (!kcatch_shape_of_member(&part->decoder->shapes, member)) {
			part->decoder->failed = true;
			break;
		}
		at = bit + member->bit_offset;
		if (depth && is_nameless_struct(member)) {
			struct part inner = *part;

			inner.in_union |= member->shape->kind == BTF_KIND_UNION;
			count += visit_members(&inner, member->shape, at, depth - 1,
					       values ? values + count : NULL, cut);
			continue;
		}
		/* Skip padding, and arrays without a size. */
		if (!*member->name || !member->shape->size)
			continue;
		if (!is_there(part, member, at)) {
			*cut = true;
			continue;
		}
		if (values) {
			values[count].name = member->name;
			decode_at(part, member->shape, at, member->bit_size, depth - 1,
				  &values[count]);
			kcatch_decode_meaning(part->decoder, member->shape->number_kind,
					      member->constants ? member->constants :
								  member->shape->constants,
					      &values[count]);
		}
		count++;
	}
	return count;
}

/* Count the members that are in the bytes. In as many bytes there are as many as last time. */
static size_t count_members(const struct part *part, struct kcatch_shape *shape, uint64_t bit,
			    int depth, bool *cut)
{
	uint32_t *left = &part->decoder->left, before = *left;
	uint64_t bits = 8 * (uint64_t)part->size - bit;
	struct kcatch_shape_count *count = &shape->count;

	/* The bit within its byte is 0 of all but damaged types. */
	if (count->visits && count->bits == bits && count->depth == depth &&
	    count->visits < *left && !(bit % 8)) {
		*left -= count->visits;
		*cut = count->cut;
		return count->members;
	}
	*count = (struct kcatch_shape_count){ .bits = bits, .depth = depth };
	count->members = visit_members(part, shape, bit, depth, NULL, &count->cut);
	*cut = count->cut;
	if (*left && !(bit % 8) && !part->decoder->failed)
		count->visits = before - *left;
	return count->members;
}

static void decode_struct(const struct part *part, struct kcatch_shape *shape, uint64_t bit,
			  int depth, struct kcatch_value *value)
{
	struct part inner = *part;
	struct kcatch_value *children;
	bool cut = false;
	size_t nr;

	value->kind = KCATCH_VALUE_STRUCT;
	inner.in_union |= shape->kind == BTF_KIND_UNION;
	nr = count_members(&inner, shape, bit, depth, &cut);
	value->cut = cut || bit + 8 * (uint64_t)value->bytes > 8 * (uint64_t)part->size;
	if (!nr)
		return;
	children = kcatch_decode_take(part->decoder, nr * sizeof(*children));
	if (!children)
		return;
	/* May be fewer than were counted: decoding their members uses up @left. */
	value->nr_children = visit_members(&inner, shape, bit, depth, children, &value->cut);
	value->children = children;
}

void kcatch_decode_hardware(struct kcatch_decoder *decoder, struct kcatch_value *value,
			    const uint8_t *bytes, size_t length)
{
	static const char digits[] = "0123456789abcdef";
	char text[3 * KCATCH_HARDWARE_MAX];
	size_t i;

	for (i = 0; i < length && i < KCATCH_HARDWARE_MAX; i++) {
		text[3 * i] = digits[bytes[i] >> 4];
		text[3 * i + 1] = digits[bytes[i] & 15];
		text[3 * i + 2] = ':';
	}
	kcatch_decode_text(decoder, value, text, i ? 3 * i - 1 : 0);
	value->is_hardware = true;
}

bool kcatch_decode_is_text(const uint8_t *bytes, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if ((bytes[i] < ' ' || bytes[i] > '~') && bytes[i] != '\n' && bytes[i] != '\t')
			return false;
	return length;
}

static size_t length_without_zeros(const uint8_t *bytes, size_t length)
{
	while (length && !bytes[length - 1])
		length--;
	return length;
}

/* A text with its null byte, and nothing but null bytes behind it: else they are bytes. */
static bool is_whole_text(const uint8_t *bytes, size_t length)
{
	size_t used = length_without_zeros(bytes, length);

	return used < length && kcatch_decode_is_text(bytes, used);
}

/* Arrays for addresses of any kind of device. */
static bool names_hardware(const char *name)
{
	static const char *const names[] = { "perm_addr", "broadcast", "dev_addr", "addr", "ha",
					     "dev_addr_shadow" };
	size_t i;

	for (i = 0; name && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/*
 * Length of the hardware address that an array of octets is; 0: it is none. Six octets are shown as
 * one: nothing is lost by it. In the room for any address the rest is zeros.
 */
static size_t hardware_length(const struct kcatch_value *value, const uint8_t *bytes, size_t length)
{
	size_t used;

	if (length != value->bytes)
		return 0;
	if (length == KCATCH_HARDWARE_ETHERNET)
		return length;
	if (length != KCATCH_HARDWARE_MAX || !names_hardware(value->name))
		return 0;
	used = length_without_zeros(bytes, length);
	return used <= KCATCH_HARDWARE_ETHERNET ? KCATCH_HARDWARE_ETHERNET :
	       used <= HARDWARE_INFINIBAND ? HARDWARE_INFINIBAND : length;
}

/* An array of one-byte integers: of characters a text up to its null byte, else all bytes. */
static void decode_bytes(const struct part *part, const struct kcatch_shape *element, uint64_t bit,
			 struct kcatch_value *value)
{
	size_t at = bit / 8, length = value->bytes;
	const uint8_t *end;
	size_t hardware;

	value->kind = KCATCH_VALUE_BYTES;
	if (!part->bytes)
		return;
	if (length > part->size - at) {
		length = part->size - at;
		value->cut = true;
	}
	hardware = element->is_octet ? hardware_length(value, part->bytes + at, length) : 0;
	if (hardware) {
		value->kind = KCATCH_VALUE_STRING;
		kcatch_decode_hardware(part->decoder, value, part->bytes + at, hardware);
		return;
	}
	if (element->is_char &&
	    (!element->is_octet || is_whole_text(part->bytes + at, length))) {
		value->kind = KCATCH_VALUE_STRING;
		end = memchr(part->bytes + at, 0, length);
		if (end) {
			length = end - (part->bytes + at);
			value->cut = false;
		}
	}
	kcatch_decode_text(part->decoder, value, part->bytes + at, length);
}

static void decode_array(const struct part *part, struct kcatch_shape *shape, uint64_t bit,
			 int depth, struct kcatch_value *value)
{
	struct kcatch_shape *element = kcatch_shape_of_element(&part->decoder->shapes, shape);
	uint64_t left = part->size - bit / 8, nr = shape->nr_elements, i;
	struct kcatch_value *children;
	int64_t size;

	if (!element) {
		part->decoder->failed = true;
		return;
	}
	size = element->size;
	if (element->kind == BTF_KIND_INT && size == 1 && !element->is_bool) {
		decode_bytes(part, element, bit, value);
		return;
	}
	value->kind = KCATCH_VALUE_ARRAY;
	if (size <= 0 || !nr)
		return;
	if (nr > left / size || nr > ELEMENTS_MAX) {
		nr = left / size < ELEMENTS_MAX ? left / size : ELEMENTS_MAX;
		value->cut = true;
	}
	/* Members of a union overlap: each may be an array over the same bytes. */
	if (nr > part->decoder->left) {
		nr = part->decoder->left;
		value->cut = true;
	}
	part->decoder->left -= (uint32_t)nr;
	children = nr ? kcatch_decode_take(part->decoder, nr * sizeof(*children)) : NULL;
	if (!children)
		return;
	for (i = 0; i < nr; i++)
		decode_at(part, element, bit + 8 * i * (uint64_t)size, 0, depth - 1, &children[i]);
	value->children = children;
	value->nr_children = nr;
}

static void decode_at(const struct part *part, struct kcatch_shape *shape, uint64_t bit,
		      uint32_t bits, int depth, struct kcatch_value *value)
{
	int64_t size = shape->size;
	int kind = shape->kind;

	value->type = shape->text;
	value->bytes = size < 0 ? 0 : size;
	value->kind = KCATCH_VALUE_UNKNOWN;
	if (bit / 8 > part->size || depth <= 0)
		return;
	if (kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION) {
		decode_struct(part, shape, bit, depth, value);
	} else if (kind == BTF_KIND_ARRAY) {
		decode_array(part, shape, bit, depth, value);
	} else if (is_scalar(kind) && size > 0 &&
		   bit + (bits ? bits : 8 * (uint64_t)size) <= 8 * (uint64_t)part->size) {
		decode_scalar(part->decoder, shape, part->bytes, bit, bits, value);
		if (kind == BTF_KIND_PTR && part->pointees && !part->in_union && !(bit % 8))
			part->pointees->decode(part->pointees, bit / 8, value);
	}
}

void kcatch_decode_type(struct kcatch_decoder *decoder, struct kcatch_type type,
			const uint8_t *bytes, size_t size, const struct kcatch_pointees *pointees,
			struct kcatch_value *value)
{
	struct kcatch_shape *shape = kcatch_shape_of(&decoder->shapes, type);
	struct part part = { .decoder = decoder, .pointees = pointees, .bytes = bytes,
			     .size = size };
	uint32_t before = decoder->left;

	if (!shape) {
		decoder->failed = true;
		return;
	}
	decode_at(&part, shape, 0, 0, NESTED_MAX, value);
	if (!pointees && decoder->left && !decoder->failed) {
		shape->whole_size = size;
		shape->whole_visits = before - decoder->left + 1;
	}
}

bool kcatch_decode_skip(struct kcatch_decoder *decoder, struct kcatch_type type, size_t size)
{
	const struct kcatch_shape *shape = kcatch_shape_of(&decoder->shapes, type);

	if (!shape || !shape->whole_visits || shape->whole_size != size ||
	    shape->whole_visits > decoder->left)
		return false;
	decoder->left -= shape->whole_visits - 1;
	return true;
}

bool kcatch_decode_changed(const struct kcatch_value *before, struct kcatch_value *after)
{
	struct kcatch_value *parts = (struct kcatch_value *)after->children;
	/* A pointer that was followed has the fault of what it points to. */
	bool changed = before->number != after->number ||
		       (before->fault != after->fault && after->kind != KCATCH_VALUE_POINTER);
	size_t i = 0, j = 0;

	if (after->kind == KCATCH_VALUE_STRING || after->kind == KCATCH_VALUE_BYTES)
		changed |= before->length != after->length ||
			   (after->length && memcmp(before->text, after->text, after->length));
	/*
	 * Both are of one type, whose names are in one place. Fewer bytes give fewer parts; of a
	 * union, parts are missing in the middle.
	 */
	while (i < after->nr_children && j < before->nr_children) {
		if (before->children[j].name == parts[i].name)
			changed |= kcatch_decode_changed(&before->children[j++], &parts[i++]);
		else if (before->nr_children > after->nr_children)
			j++;
		else
			i++;
	}
	after->changed = changed;
	return changed;
}
