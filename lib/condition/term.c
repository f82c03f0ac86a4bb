/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * term.c - reads the terms of a condition from registers, memory or records
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "condition/typing.h"

int term_error(struct condition *c, int error, uint32_t at, const char *format, ...)
{
	char text[700];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	/* The callers of the compiler take EOPNOTSUPP for a function that cannot report failure. */
	return kcatch_expression_error(c->expression, error == EOPNOTSUPP ? EINVAL : error, at,
				       "%s", text);
}

static int item_error(struct condition *c, uint32_t at, int error)
{
	if (error == -ENOMEM)
		return error;
	return term_error(c, EINVAL, at, "too much has to be read from memory; ask for less");
}

/* An address further on. */
static const struct ir *moved(struct condition *c, const struct ir *address, int64_t bytes)
{
	return bytes ? ir_binary(c, IR_ADD, address, ir_const(c, (uint64_t)bytes, true, false)) :
		       address;
}

/* An IR_LOAD of the 64-bit word at byte @byte of the place; in memory of @size bytes. */
static int word_of(struct condition *c, struct term *term, int64_t byte, uint16_t size,
		   struct ir *ir)
{
	const struct place *place = &term->place;
	const struct chain *chain = NULL;
	int item = -ENOMEM;

	*ir = (struct ir){ .op = IR_LOAD, .item = IR_NO_ITEM, .at = term->at };
	switch (place->kind) {
	case PLACE_REGISTERS:
		ir->offset = (uint32_t)(offsetof(struct kcatch_condition, args) +
					8 * place->first + (byte & ~7));
		return 0;
	case PLACE_RETURN:
		ir->offset = offsetof(struct kcatch_condition, ret);
		ir->at_return = true;
		return 0;
	case PLACE_STACK:
		chain = chain_link(c, NULL, LINK_STACK, 0, 0,
				   (int32_t)(place->first + (byte & ~7)));
		break;
	case PLACE_RECORDED:
		chain = chain_link(c, NULL, RECORDED_ARG, 0, (uint16_t)place->first,
				   (int32_t)(byte & ~7));
		break;
	default:
		if (byte != (int32_t)byte)
			return term_error(c, EINVAL, term->at, "the offset is too large");
		if (!place->chain) {
			item = item_find_computed(c, moved(c, place->address, byte), size);
			break;
		}
		chain = chain_link(c, place->chain, LINK_LOAD, 0, size, (int32_t)byte);
	}
	if (chain)
		item = item_find(c, chain);
	if (item < 0)
		return item_error(c, term->at, item);
	ir->item = item;
	return 0;
}

/* Extract @bits bits, starting at bit @shift, from a 64-bit word. */
static const struct ir *cut_out(struct condition *c, struct ir word, unsigned int shift,
				unsigned int bits, bool is_signed)
{
	const struct ir *ir;

	if (shift / 32 == (shift + bits - 1) / 32) {
		word.offset += shift / 32 * 4;
		shift %= 32;
		ir = ir_make(c, word);
		if (shift)
			ir = ir_binary(c, IR_SHR, ir, ir_const(c, shift, false, true));
		return ir_extend(c, ir, bits, is_signed);
	}
	word.wide = true;
	ir = ir_make(c, word);
	if (bits == 64)
		return ir_convert(c, ir, true, is_signed);
	ir = ir_binary(c, IR_SHL, ir, ir_const(c, 64 - shift - bits, false, true));
	ir = ir_convert(c, ir, true, is_signed);
	return ir_binary(c, IR_SHR, ir, ir_const(c, 64 - bits, false, true));
}

/*
 * Size of the smallest aligned word that contains a bit-field, bytes; 0: no word does. The offset
 * is below 0 behind a negative index: words are numbered from below, which a division would not do.
 */
static int bitfield_bytes(int64_t offset, unsigned int bits)
{
	int shift;

	for (shift = 0; shift < 4; shift++) {
		if (offset >> (3 + shift) == (offset + bits - 1) >> (3 + shift))
			return 1 << shift;
	}
	return 0;
}

static int read_bits(struct condition *c, struct term *term, unsigned int bits, bool is_signed)
{
	int64_t offset = term->place.bit_offset;
	bool memory = term->place.kind == PLACE_MEMORY;
	int64_t byte = offset >> 3;
	struct ir word;
	int bytes, ret;

	if (term->place.bit_size || !memory) {
		bytes = bitfield_bytes(offset, bits);
		if (!bytes)
			return term_error(c, EOPNOTSUPP, term->at,
					  "it crosses a word boundary, which is not supported");
		byte = byte & ~(int64_t)(memory ? bytes - 1 : 7);
	} else {
		bytes = (int)bits / 8;
	}
	ret = word_of(c, term, byte, (uint16_t)bytes, &word);
	if (ret)
		return ret;
	if (!term->place.bit_size && kcatch_type_is_network(term->type)) {
		word.wide = true;
		term->ir = ir_swap(c, ir_make(c, word), (unsigned int)(offset - 8 * byte), bits);
		term->ir = ir_convert(c, term->ir, bits == 64, false);
	} else {
		term->ir = cut_out(c, word, (unsigned int)(offset - 8 * byte), bits, is_signed);
	}
	return term->ir ? 0 : -ENOMEM;
}

int term_read_word(struct condition *c, struct term *term)
{
	return read_bits(c, term, 64, false);
}

static const struct chain *decay(struct condition *c, const struct place *place)
{
	if (!place->bit_offset)
		return place->chain;
	return chain_link(c, place->chain, LINK_ADD, 0, 0, (int32_t)(place->bit_offset / 8));
}

static int read_integer(struct condition *c, struct term *term)
{
	bool is_signed = kcatch_type_is_signed(term->type);
	int64_t size = kcatch_type_size(term->type);
	unsigned int bits = term->place.bit_size ? term->place.bit_size : (unsigned int)(8 * size);
	int ret;

	if (size != 1 && size != 2 && size != 4 && size != 8)
		return term_error(c, EOPNOTSUPP, term->at, "a number of %d bytes is not supported",
				  (int)size);
	ret = read_bits(c, term, bits, is_signed);
	if (ret)
		return ret;
	if (kcatch_type_kind(term->type) == BTF_KIND_ENUM ||
	    kcatch_type_kind(term->type) == BTF_KIND_ENUM64)
		note_enum(c, term->type);
	/* Integer promotion: a value that fits an int becomes an int. */
	if (bits < 32)
		term->ir = ir_convert(c, term->ir, false, true);
	else if (size == 8 && bits < 64)
		term->ir = ir_convert(c, term->ir, true, is_signed);
	term->kind = TERM_NUMBER;
	return term->ir ? 0 : -ENOMEM;
}

static int read_pointer(struct condition *c, struct term *term)
{
	const struct chain *chain;
	int ret = term_address(c, term, &chain);

	if (!ret)
		ret = read_bits(c, term, 64, false);
	if (ret)
		return ret;
	term->kind = TERM_POINTER;
	term->chain = chain;
	term->type = kcatch_type_target(term->type);
	return 0;
}

int term_read(struct condition *c, struct term *term)
{
	char text[200];

	if (term->kind == TERM_IP)
		return term_error(c, EINVAL, term->at,
				  "an address of IPv6 can only be a key, or be compared by == and "
				  "!= with another one");
	if (term->kind != TERM_PLACE)
		return 0;
	switch (kcatch_type_kind(term->type)) {
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return read_integer(c, term);
	case BTF_KIND_PTR:
		return read_pointer(c, term);
	case BTF_KIND_ARRAY:
		if (term->place.kind == PLACE_MEMORY)
			return term_error(c, EINVAL, term->at,
				"an array is no number; take an element of it");
		break;
	default:
		break;
	}
	kcatch_type_text(term->type, text, sizeof(text));
	return term_error(c, EINVAL, term->at, "%s is no number; take a member of it", text);
}

int term_value(struct condition *c, struct term *term)
{
	int item;

	if (term->kind != TERM_POINTER || term->ir || !term->chain)
		return 0;
	item = item_find(c, term->chain);
	if (item < 0)
		return item_error(c, term->at, item);
	term->ir = ir_make(c, (struct ir){ .op = IR_LOAD, .wide = true, .at = term->at,
					   .item = item });
	return term->ir ? 0 : -ENOMEM;
}

int term_address(struct condition *c, struct term *term, const struct chain **chain)
{
	const struct place *place = &term->place;
	int64_t byte = place->bit_offset / 8;

	*chain = term->chain;
	if (term->kind != TERM_PLACE)
		return 0;
	if (byte != (int32_t)byte || place->first + byte > INT32_MAX)
		return term_error(c, EINVAL, term->at, "the offset is too large");
	switch (place->kind) {
	case PLACE_MEMORY:
		if (!place->chain)
			return 0;
		*chain = kcatch_type_kind(term->type) == BTF_KIND_ARRAY ?
			 decay(c, place) :
			 chain_link(c, place->chain, LINK_LOAD, 0, 8, (int32_t)byte);
		break;
	case PLACE_REGISTERS:
		*chain = chain_link(c, NULL, LINK_ARG,
				    (uint8_t)(place->first + (uint32_t)(byte / 8)), 0, 0);
		break;
	case PLACE_STACK:
		*chain = chain_link(c, NULL, LINK_STACK, 0, 0,
				    (int32_t)(place->first + byte));
		break;
	case PLACE_RECORDED:
		*chain = chain_link(c, NULL, RECORDED_ARG, 0, (uint16_t)place->first,
				    (int32_t)byte);
		break;
	default:
		*chain = NULL;
		return 0;
	}
	return *chain ? 0 : -ENOMEM;
}

int term_computed(struct condition *c, struct term *term, const struct ir **address)
{
	const struct place *place = &term->place;
	int ret = 0;

	if (term->kind == TERM_PLACE && kcatch_type_kind(term->type) == BTF_KIND_ARRAY) {
		*address = moved(c, place->address, place->bit_offset / 8);
	} else {
		ret = term_read(c, term);
		*address = ir_convert(c, term->ir, true, false);
	}
	return ret || *address ? ret : -ENOMEM;
}

int term_followed(struct condition *c, struct term *term, const struct chain **chain)
{
	int ret = term_address(c, term, chain);

	if (ret || *chain)
		return ret;
	return term_error(
		c, EINVAL, term->at,
		"a text is read when the call begins, and not from a pointer that is computed "
		"or returned; compare its bytes: *(char *)(p + n) == 'x'");
}

int term_truth(struct condition *c, struct term *term, const struct ir **ir)
{
	int ret;

	if (term->kind == TERM_TEXT)
		return term_error(c, EINVAL, term->at, "a text is always true; compare it: == \"...\"");
	if (term->kind == TERM_COMM || term->kind == TERM_RECORDED)
		return term_error(c, EINVAL, term->at, "%s is always true; compare it: == \"...\"",
				  term->kind == TERM_COMM ? "comm" : "a text");
	if (term->kind == TERM_TRUTH) {
		*ir = term->ir;
		return 0;
	}
	ret = term_read(c, term);
	if (!ret)
		ret = term_value(c, term);
	if (ret)
		return ret;
	*ir = ir_compare(c, KCATCH_EX_NE, term->ir,
			 ir_const(c, 0, term->ir->wide, term->ir->is_signed));
	return *ir ? 0 : -ENOMEM;
}

/* ---- texts ----------------------------------------------------------------------- */

static bool is_byte(struct kcatch_type type)
{
	return kcatch_type_kind(type) == BTF_KIND_INT && kcatch_type_size(type) == 1 &&
	       !kcatch_type_is_bool(type);
}

bool term_is_text(struct term *term)
{
	int kind;

	if (term->kind == TERM_COMM || term->kind == TERM_RECORDED)
		return true;
	if (term->kind == TERM_POINTER)
		return is_byte(term->type);
	if (term->kind != TERM_PLACE)
		return false;
	kind = kcatch_type_kind(term->type);
	return (kind == BTF_KIND_PTR || kind == BTF_KIND_ARRAY) &&
	       is_byte(kcatch_type_target(term->type));
}

static int comm_text(struct condition *c, const struct term *literal, struct ir *ir)
{
	if (literal->length >= KCATCH_COMM_LEN && !literal->glob)
		return term_error(c, EINVAL, literal->at,
				  "no thread has a name that long; names have at most 15 bytes");
	ir->item = IR_NO_ITEM;
	return 0;
}

int term_text_item(struct condition *c, struct term *term, uint32_t size, int *item)
{
	bool in_array = term->kind == TERM_PLACE && kcatch_type_kind(term->type) == BTF_KIND_ARRAY;
	uint32_t room = in_array ? kcatch_type_nr_elements(term->type) : 0;
	const struct chain *chain;
	int ret = term_followed(c, term, &chain);

	if (ret)
		return ret;
	*item = item_find_text(c, chain, size, room);
	return *item < 0 ? item_error(c, term->at, *item) : 0;
}

int term_text(struct condition *c, struct term *term, const struct term *literal, bool prefix,
	      const struct ir **out)
{
	struct ir ir = { .op = IR_TEXT, .at = literal->at, .text = literal->text,
			 .length = literal->length, .prefix = prefix, .glob = literal->glob };
	bool whole = prefix;	/* compare without the null byte */
	int ret;

	if (term->kind == TERM_COMM) {
		ret = comm_text(c, literal, &ir);
		if (ret)
			return ret;
		goto made;
	}
	if (term->kind == TERM_PLACE && kcatch_type_kind(term->type) == BTF_KIND_ARRAY) {
		uint32_t nr = kcatch_type_nr_elements(term->type);

		if (term->place.kind != PLACE_MEMORY)
			return term_error(c, EOPNOTSUPP, term->at,
					  "texts in registers cannot be compared");
		if (nr && literal->length > nr && !literal->glob)
			return term_error(c, EINVAL, literal->at,
					  "the array has room for %u bytes only", nr);
		/* A text that fills the array has no null byte. */
		whole |= nr && literal->length == nr;
	}
	if (literal->length >= KCATCH_FIELDS_MAX - 8)
		return term_error(c, EINVAL, literal->at, "the text is too long; at most %u bytes "
				  "are compared", KCATCH_FIELDS_MAX - 9);
	ir.prefix = whole;
	ret = term_text_item(c, term,
			     ((uint32_t)literal->length + !whole + 7 + !literal->length) & ~7U,
			     &ir.item);
	if (ret)
		return ret;
made:
	*out = ir_make(c, ir);
	return *out ? 0 : -ENOMEM;
}
