/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * typing.c - assigns types to the terms of a condition, by the rules of C
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/printable.h"
#include "condition/typing.h"

typedef const struct kcatch_expression_node node;

static int type_term(struct condition *c, node *it, struct term *term);

static int done(struct term *term, enum term_kind kind, const struct ir *ir)
{
	term->kind = kind;
	term->ir = ir;
	term->chain = NULL;
	term->is_cgroup = false;
	term->is_call = false;
	term->form = NULL;
	term->is_untyped = false;
	return ir ? 0 : -ENOMEM;
}

/* Evaluate to a number: a truth value is 0 or 1; a pointer is refused unless @pointers. */
static int number_term(struct condition *c, node *it, bool pointers, struct term *term)
{
	int ret = type_term(c, it, term);

	if (!ret)
		ret = term_read(c, term);
	if (!ret)
		ret = term_value(c, term);
	if (ret)
		return ret;
	switch (term->kind) {
	case TERM_NUMBER:
		return 0;
	case TERM_TRUTH:
		return done(term, TERM_NUMBER, ir_truth(c, IR_VALUE, term->ir, NULL));
	case TERM_POINTER:
		if (pointers)
			return 0;
		return term_error(c, EINVAL, it->at,
				  "this is a pointer; cast it to (u64) to compute with it");
	default:
		return term_error(c, EINVAL, it->at, "a text can only be compared, by == != and ~");
	}
}

/* ---- places ------------------------------------------------------------------------ */

/* Dereference the pointer @term: it becomes the place of its pointee. */
static int follow(struct condition *c, struct term *term, uint32_t at)
{
	const struct ir *address = NULL;
	const struct chain *chain;
	bool at_return = (term->kind == TERM_PLACE && term->place.kind == PLACE_RETURN) ||
			 (term->ir && term->kind != TERM_PLACE && term->ir->at_return);
	struct kcatch_type type = term->type;
	char text[200];
	int kind, ret;

	if (term->kind == TERM_PLACE) {
		kind = kcatch_type_kind(type);
		if (kind != BTF_KIND_PTR && (kind != BTF_KIND_ARRAY ||
					     term->place.kind != PLACE_MEMORY)) {
			kcatch_type_text(type, text, sizeof(text));
			return term_error(c, ENOENT, at, "%s is no pointer%s", text,
					  kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION ?
					  "; its members follow a dot" : "");
		}
		type = kcatch_type_target(type);
	} else if (term->kind != TERM_POINTER) {
		return term_error(c, EINVAL, at, "this is no pointer");
	}
	ret = term_address(c, term, &chain);
	if (ret)
		return ret;
	if (!chain && at_return)
		return term_error(
			c, EINVAL, at,
			"memory is read when the call begins; a returned pointer cannot be followed");
	if (!chain)
		ret = term_computed(c, term, &address);
	*term = (struct term){ .kind = TERM_PLACE,
			       .at = at,
			       .type = type,
			       .place = {
				       .kind = PLACE_MEMORY, .chain = chain, .address = address } };
	return ret;
}

static int type_member(struct condition *c, node *it, struct term *term)
{
	struct kcatch_member member;
	char text[200];
	int kind, ret;

	if (it->op == KCATCH_EX_MEMBER && it->left->op == KCATCH_EX_NAME &&
	    !strcmp(it->left->text, "arg"))
		return lookup_argument(c, it, term);
	if (c->recorded && !c->in_field && it->op == KCATCH_EX_ARROW &&
	    it->left->op == KCATCH_EX_NAME && !strcmp(it->left->text, "current"))
		return recorded_current(c, it, term);
	ret = type_term(c, it->left, term);
	if (!ret && it->op == KCATCH_EX_MEMBER && packet_type(c, it, term, &ret))
		return ret;
	if (!ret && it->op == KCATCH_EX_ARROW)
		ret = follow(c, term, it->at);
	if (ret)
		return ret;
	if (term->kind != TERM_PLACE)
		return term_error(c, EINVAL, it->at, "the expression before the dot has no members");
	kind = kcatch_type_kind(term->type);
	if (kind != BTF_KIND_STRUCT && kind != BTF_KIND_UNION && kind != BTF_KIND_FWD) {
		kcatch_type_text(term->type, text, sizeof(text));
		return term_error(c, ENOENT, it->at, "%s has no members%s",
				  kind == BTF_KIND_UNKN ? "void" : text,
				  kind == BTF_KIND_PTR ? "; write -> behind a pointer" : "");
	}
	ret = lookup_member(c, it, term->type, &member);
	if (ret)
		return ret;
	term->at = it->at;
	term->name = member.name;
	term->constants = kcatch_constants_of_member(
		kcatch_type_name(kcatch_type_strip(term->type)), member.name);
	term->type = member.type;
	term->place.bit_offset += member.bit_offset;
	term->place.bit_size = member.bit_size;
	return 0;
}

static int constant_index(struct condition *c, node *it, const struct term *term, int64_t *index)
{
	if (term->ir->op != IR_CONST)
		return term_error(c, EINVAL, it->at, "the index of an array must be a constant");
	*index = (int64_t)term->ir->number;
	if (*index != (int32_t)*index)
		return term_error(c, EINVAL, it->at, "the index is too large");
	return 0;
}

/* A pointer plus or minus (@op) a computed number of elements of @size bytes. */
static int move_pointer(struct condition *c, enum ir_op op, int64_t size, const struct ir *number,
			struct term *term)
{
	const struct ir *bytes = ir_convert(c, number, true, number->is_signed);

	if (size != 1)
		bytes = ir_binary(c, IR_MUL, bytes, ir_const(c, (uint64_t)size, true, false));
	term->chain = NULL;
	term->ir = ir_binary(c, op, ir_convert(c, term->ir, true, false),
			     ir_convert(c, bytes, true, false));
	return term->ir ? 0 : -ENOMEM;
}

/* The element of a pointer's pointees at a computed index. */
static int computed_element(struct condition *c, node *it, const struct ir *index,
			    struct term *term)
{
	int64_t size;
	int ret = term_read(c, term);

	if (!ret)
		ret = term_value(c, term);
	if (ret)
		return ret;
	size = kcatch_type_size(term->type);
	if (term->kind != TERM_POINTER || size < 0)
		return term_error(c, EINVAL, it->at,
				  "only of a pointer and an array there are elements");
	ret = move_pointer(c, IR_ADD, size, index, term);
	return ret ? ret : follow(c, term, it->at);
}

static int type_index(struct condition *c, node *it, struct term *term)
{
	int64_t index = 0, size;
	struct term number;
	bool is_array;
	uint32_t nr;
	int ret = type_term(c, it->left, term);

	if (!ret)
		ret = number_term(c, it->right, false, &number);
	if (ret)
		return ret;
	is_array = term->kind == TERM_PLACE && kcatch_type_kind(term->type) == BTF_KIND_ARRAY;
	if (!is_array && number.ir->op != IR_CONST)
		return computed_element(c, it, number.ir, term);
	ret = constant_index(c, it->right, &number, &index);
	if (ret)
		return ret;
	if (is_array) {
		nr = kcatch_type_nr_elements(term->type);
		if (index < 0 || (nr && index >= nr))
			return term_error(c, ENOENT, it->right->at, "the array has %u elements",
					  nr);
		term->type = kcatch_type_target(term->type);
	} else {
		ret = follow(c, term, it->at);
		if (ret)
			return ret;
	}
	size = kcatch_type_size(term->type);
	if (size < 0)
		return term_error(c, EINVAL, it->at, "the size of its elements is not known");
	term->at = it->at;
	if (__builtin_mul_overflow(size * 8, index, &size))
		return term_error(c, EINVAL, it->right->at, "the index is too large");
	term->place.bit_offset += size;
	return 0;
}

/* ---- casts ---------------------------------------------------------------------------- */

static int cast_pointer(struct condition *c, node *it, struct kcatch_type type, struct term *term)
{
	const struct chain *chain = NULL;
	const struct ir *start = NULL;
	struct term address;
	int ret;

	if (it->number > 1)
		return term_error(c, EOPNOTSUPP, it->at,
				  "a cast to a pointer to a pointer is not supported");
	/* An array decays to its address, as in C. */
	if (term->kind == TERM_PLACE && kcatch_type_kind(term->type) == BTF_KIND_ARRAY &&
	    term->place.kind == PLACE_MEMORY) {
		ret = term_address(c, term, &chain);
		if (!ret && !chain)
			ret = term_computed(c, term, &start);
		if (!ret)
			*term = (struct term){ .kind = TERM_POINTER,
					       .at = it->at,
					       .type = type,
					       .chain = chain,
					       .ir = start };
		return ret;
	}
	address = *term;
	ret = term_read(c, term);
	if (ret)
		return ret;
	if (term->kind == TERM_TRUTH || term->kind == TERM_TEXT || term->kind == TERM_COMM ||
	    term->kind == TERM_RECORDED)
		return term_error(c, EINVAL, it->at, "this cannot become a pointer");
	/* Any 64-bit value that is read from a place can be used as an address. */
	if (address.kind == TERM_PLACE && !address.place.bit_size &&
	    !(address.place.bit_offset & 63 && address.place.kind != PLACE_MEMORY) &&
	    kcatch_type_size(address.type) == 8)
		ret = term_address(c, &address, &chain);
	else
		chain = address.kind == TERM_PLACE ? NULL : address.chain;
	term->kind = TERM_POINTER;
	term->type = type;
	term->chain = chain;
	term->ir = ir_convert(c, term->ir, true, false);
	return ret ? ret : term->ir ? 0 : -ENOMEM;
}

static int type_cast(struct condition *c, node *it, struct term *term)
{
	struct kcatch_type type;
	const struct ir *truth;
	const struct chain *chain;
	unsigned int bits;
	bool is_signed;
	int kind, ret;

	ret = lookup_type(c, it, &type, &bits, &is_signed);
	if (!ret)
		ret = type_term(c, it->left, term);
	if (ret)
		return ret;
	if (it->number)
		return cast_pointer(c, it, type, term);
	kind = bits ? BTF_KIND_INT : kcatch_type_kind(type);
	if (kind == BTF_KIND_PTR)
		return term_error(c, EOPNOTSUPP, it->at, "this type is a pointer; write its pointee and a star: (struct x *)");
	if (kind != BTF_KIND_INT && kind != BTF_KIND_ENUM && kind != BTF_KIND_ENUM64)
		return term_error(c, EINVAL, it->at, "only casts to numbers and pointers have a "
				  "meaning; is a * missing?");
	if (!bits) {
		bits = kcatch_type_is_bool(type) ? 1 : (unsigned int)(8 * kcatch_type_size(type));
		is_signed = kcatch_type_is_signed(type);
		if (kind != BTF_KIND_INT)
			note_enum(c, type);
	}
	if (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64)
		return term_error(c, EOPNOTSUPP, it->at, "a number of %u bytes is not supported",
				  bits / 8);
	if (bits == 1) {
		ret = term_truth(c, term, &truth);
		return ret ? ret : done(term, TERM_TRUTH, truth);
	}
	ret = term_read(c, term);
	if (!ret)
		ret = term_value(c, term);
	if (!ret && term->kind == TERM_TRUTH)
		ret = done(term, TERM_NUMBER, ir_truth(c, IR_VALUE, term->ir, NULL));
	if (ret)
		return ret;
	if (term->kind != TERM_NUMBER && term->kind != TERM_POINTER)
		return term_error(c, EINVAL, it->at, "a text is no number");
	chain = bits == 64 ? term->chain : NULL;
	if (bits >= 32)
		ret = done(term, TERM_NUMBER, ir_convert(c, term->ir, bits == 64, is_signed));
	else
		ret = done(term, TERM_NUMBER, ir_convert(c, ir_extend(c, term->ir, bits, is_signed),
							 false, true));
	term->chain = chain;
	return ret;
}

/* ---- operators ---------------------------------------------------------------------------- */

static enum ir_op binary_op(enum kcatch_expression_op op)
{
	switch (op) {
	case KCATCH_EX_MUL: return IR_MUL;
	case KCATCH_EX_DIV: return IR_DIV;
	case KCATCH_EX_MOD: return IR_MOD;
	case KCATCH_EX_ADD: return IR_ADD;
	case KCATCH_EX_SUB: return IR_SUB;
	case KCATCH_EX_SHL: return IR_SHL;
	case KCATCH_EX_SHR: return IR_SHR;
	case KCATCH_EX_AND: return IR_AND;
	case KCATCH_EX_XOR: return IR_XOR;
	default: return IR_OR;
	}
}

/* C's usual arithmetic conversions. */
static void convert_usual(struct condition *c, struct term *a, struct term *b)
{
	bool wide = a->ir->wide || b->ir->wide;
	bool is_signed = (a->ir->is_signed || a->ir->wide < wide) &&
			 (b->ir->is_signed || b->ir->wide < wide);

	a->ir = ir_convert(c, a->ir, wide, is_signed);
	b->ir = ir_convert(c, b->ir, wide, is_signed);
}

static int check_division(struct condition *c, node *it, const struct ir *right)
{
	if (right->op == IR_CONST && !right->number)
		return term_error(c, EINVAL, it->right->at, "a division by zero");
	return 0;
}

static int type_shift(struct condition *c, node *it, struct term *term, struct term *count)
{
	count->ir = ir_convert(c, count->ir, false, false);
	return done(term, TERM_NUMBER, ir_binary(c, binary_op(it->op), term->ir, count->ir));
}

static int constant_first_last(struct condition *c, node *it, struct term *a, struct term *b)
{
	bool swaps = it->op == KCATCH_EX_MUL || it->op == KCATCH_EX_ADD ||
		     (it->op >= KCATCH_EX_AND && it->op <= KCATCH_EX_OR);
	const struct ir *left = a->ir;

	if (swaps && left->op == IR_CONST) {
		a->ir = b->ir;
		b->ir = left;
	}
	return done(a, TERM_NUMBER, ir_binary(c, binary_op(it->op), a->ir, b->ir));
}

/* A pointer plus or minus a number, which counts elements. */
static int type_further(struct condition *c, node *it, struct term *term)
{
	int64_t index, size;
	struct term number;
	int ret = number_term(c, it->right, false, &number);

	if (ret)
		return ret;
	size = kcatch_type_kind(term->type) == BTF_KIND_UNKN ? 1 : kcatch_type_size(term->type);
	if (size >= 0 && number.ir->op != IR_CONST)
		return move_pointer(c, it->op == KCATCH_EX_SUB ? IR_SUB : IR_ADD, size, number.ir,
				    term);
	index = (int64_t)number.ir->number;
	if ((it->op == KCATCH_EX_SUB && __builtin_sub_overflow(0, index, &index)) || size < 0 ||
	    __builtin_mul_overflow(size, index, &size) || size != (int32_t)size)
		return term_error(c, EINVAL, it->at, "the offset is too large");
	if (term->chain) {
		term->chain = chain_link(c, term->chain, LINK_ADD, 0, 0, (int32_t)size);
		if (!term->chain)
			return -ENOMEM;
	}
	if (term->ir) {
		term->ir = ir_binary(c, IR_ADD, term->ir, ir_const(c, (uint64_t)size, true, false));
		return term->ir ? 0 : -ENOMEM;
	}
	return 0;
}

static int type_arithmetic(struct condition *c, node *it, struct term *term)
{
	bool moves = it->op == KCATCH_EX_ADD || it->op == KCATCH_EX_SUB;
	struct term right;
	int ret = number_term(c, it->left, moves, term);

	if (ret)
		return ret;
	if (term->kind == TERM_POINTER)
		return type_further(c, it, term);
	ret = number_term(c, it->right, false, &right);
	if (ret)
		return ret;
	term->at = it->at;
	if (it->op == KCATCH_EX_SHL || it->op == KCATCH_EX_SHR)
		return type_shift(c, it, term, &right);
	convert_usual(c, term, &right);
	if (!term->ir || !right.ir)
		return -ENOMEM;
	if (it->op == KCATCH_EX_DIV || it->op == KCATCH_EX_MOD) {
		ret = check_division(c, it, right.ir);
		if (ret)
			return ret;
	}
	return constant_first_last(c, it, term, &right);
}

static int type_unary(struct condition *c, node *it, struct term *term)
{
	int ret = number_term(c, it->left, false, term);

	if (ret)
		return ret;
	return done(term, TERM_NUMBER, ir_unary(c, it->op == KCATCH_EX_NEGATE ? IR_NEGATE :
						IR_INVERT, term->ir));
}

/* ---- comparisons --------------------------------------------------------------------- */

static int check_glob(struct condition *c, node *it, struct term *literal, bool *prefix)
{
	size_t star = strcspn(literal->text, "*?[");

	*prefix = literal->text[star] == '*' && star + 1 == literal->length;
	if (*prefix)
		literal->length = star;
	else if (star < literal->length && c->recorded)
		literal->glob = true;
	else if (star < literal->length)
		return term_error(c, EOPNOTSUPP, it->at,
			"the only pattern is \"beginning*\"; == takes * ? [ literally");
	return 0;
}

static void below_root(struct term *literal, bool *prefix)
{
	static const char pattern[] = "/?*";

	literal->text = pattern;
	literal->length = sizeof(pattern) - 1;
	literal->glob = true;
	*prefix = false;
}

/* Compare a field's number with what it is shown as: prev_state == "D". */
static int type_shown(struct condition *c, node *it, struct term *field, const struct term *literal,
		      struct term *term)
{
	uint64_t number;
	int ret;

	if (packet_compare(c, it, literal, term, &ret))
		return ret;
	ret = term_read(c, field);
	if (it->op == KCATCH_EX_MATCH)
		return term_error(c, EINVAL, it->at,
				  "this is a number, which is compared by == and != "
				  "with what it is shown as");
	if (!kcatch_number_of_text(field->form, literal->text, &number))
		return term_error(c, EINVAL, literal->at, "no number of it is shown as %s",
				  SHOWN(literal->text));
	if (ret)
		return ret;
	return done(term, TERM_TRUTH,
		    ir_compare(c, it->op, field->ir,
			       ir_const(c, number, field->ir->wide, field->ir->is_signed)));
}

static int type_text(struct condition *c, node *it, struct term *a, struct term *b,
		     struct term *term)
{
	struct term *literal = b->kind == TERM_TEXT ? b : a, *other = literal == b ? a : b;
	bool prefix = false, is_cgroup = other->is_cgroup;
	const struct ir *ir;
	int ret = 0;

	if (other->kind == TERM_TEXT)
		return term_error(c, EINVAL, it->at, "both sides are constant texts");
	if (other->form && !term_is_text(other))
		return type_shown(c, it, other, literal, term);
	if (other->is_cgroup && !c->recorded)
		return cgroup_compare(c, it, other, literal, term);
	if (other->is_cgroup)
		ret = recorded_cgroup_path(c, other->at, other);
	if (!ret && is_cgroup)
		ret = cgroup_plain_path(c, literal);
	if (ret)
		return ret;
	if (it->op == KCATCH_EX_MATCH && literal == b)
		ret = check_glob(c, it->right, literal, &prefix);
	else if (it->op != KCATCH_EX_EQ && it->op != KCATCH_EX_NE)
		return term_error(c, EINVAL, it->at, "texts are compared by == != and ~");
	if (ret)
		return ret;
	/* Below the root: that itself is not meant, as in the kernel. */
	if (prefix && is_cgroup && literal->length == 1 && *literal->text == '/')
		below_root(literal, &prefix);
	if (!term_is_text(other) && !recorded_summary(c, other)) {
		bool is_void = other->kind == TERM_PLACE &&
			       kcatch_type_kind(other->type) == BTF_KIND_PTR;

		return term_error(c, ENOENT, other->at, "this is no text%s",
				  is_void ? "; if it points to one, say so: (char *)" : "");
	}
	ret = term_text(c, other, literal, prefix, &ir);
	if (ret)
		return ret;
	if (it->op == KCATCH_EX_NE)
		ir = ir_truth(c, IR_NOT, ir, NULL);
	return done(term, TERM_TRUTH, ir);
}

static int comparable(struct condition *c, node *it, struct term *term)
{
	int ret = term_read(c, term);

	if (!ret)
		ret = term_value(c, term);
	if (ret)
		return ret;
	if (term->kind == TERM_TRUTH)
		return done(term, TERM_NUMBER, ir_truth(c, IR_VALUE, term->ir, NULL));
	if (term->kind == TERM_COMM || term->kind == TERM_RECORDED)
		return term_error(c, EINVAL, it->at, "%s is a text; compare it with \"...\"",
				  term->kind == TERM_COMM ? "comm" : "this");
	return 0;
}

static bool is_function_pointer(const struct term *term)
{
	return term->kind == TERM_PLACE && kcatch_type_is_pointer(term->type) &&
	       kcatch_type_kind(kcatch_type_target(term->type)) == BTF_KIND_FUNC_PROTO;
}

/*
 * If one side is a pointer to a function, the other may be the bare name of a function; if it is
 * the number of a system call, the name of one: type the pointer or the number first.
 */
static int type_sides(struct condition *c, node *it, struct term *left, struct term *right)
{
	bool swapped = it->left->op == KCATCH_EX_NAME &&
		       (it->right->op != KCATCH_EX_NAME || syscall_is_number(c, it->right));
	int ret = swapped ? type_term(c, it->right, right) : type_term(c, it->left, left);

	if (ret)
		return ret;
	c->wants_function = is_function_pointer(swapped ? right : left);
	c->wants_call = syscall_is_number(c, swapped ? it->right : it->left);
	c->wants_protocol = packet_is_protocol(swapped ? right : left);
	ret = swapped ? type_term(c, it->left, left) : type_term(c, it->right, right);
	c->wants_function = false;
	c->wants_call = false;
	c->wants_protocol = false;
	return ret;
}

/*
 * A pointer compared with a number that is not positive: an error pointer is its negative errno,
 * NULL is 0, and every other pointer is positive. No comparison is negated, so that each is false
 * if the pointer cannot be read.
 */
static const struct ir *compare_error(struct condition *c, enum kcatch_expression_op op,
				      const struct ir *pointer, const struct ir *number)
{
	const struct ir *errors = ir_const(c, (uint64_t)-KCATCH_ERRNO_MAX, true, false);
	const struct ir *value = ir_convert(c, number, true, false);
	bool less = op == KCATCH_EX_LT || op == KCATCH_EX_LE;
	const struct ir *side, *part;

	pointer = ir_convert(c, pointer, true, false);
	side = ir_compare(c, less ? KCATCH_EX_GE : KCATCH_EX_LT, pointer, errors);
	if (number->number) {
		part = ir_compare(c, op, pointer, value);
		return ir_truth(c, less ? IR_ALL : IR_ANY, side, part);
	}
	if (op == KCATCH_EX_LT || op == KCATCH_EX_GE)
		return side;
	part = ir_compare(c, less ? KCATCH_EX_EQ : KCATCH_EX_NE, pointer, value);
	return ir_truth(c, less ? IR_ANY : IR_ALL, side, part);
}

static bool is_order(enum kcatch_expression_op op)
{
	return op == KCATCH_EX_LT || op == KCATCH_EX_LE || op == KCATCH_EX_GT || op == KCATCH_EX_GE;
}

static enum kcatch_expression_op mirrored(enum kcatch_expression_op op)
{
	return op == KCATCH_EX_LT ? KCATCH_EX_GT : op == KCATCH_EX_GT ? KCATCH_EX_LT :
	       op == KCATCH_EX_LE ? KCATCH_EX_GE : KCATCH_EX_LE;
}

static bool is_error_number(const struct term *term)
{
	return term->kind == TERM_NUMBER && term->ir->op == IR_CONST && term->ir->is_signed &&
	       (int64_t)term->ir->number <= 0;
}

/* The order of a pointer and an errno or 0. Returns whether it is one; NULL: no memory. */
static bool type_error_order(struct condition *c, node *it, const struct term *left,
			     const struct term *right, const struct ir **truth)
{
	if (!is_order(it->op))
		return false;
	if (left->kind == TERM_POINTER && is_error_number(right))
		*truth = compare_error(c, it->op, left->ir, right->ir);
	else if (right->kind == TERM_POINTER && is_error_number(left))
		*truth = compare_error(c, mirrored(it->op), right->ir, left->ir);
	else
		return false;
	return true;
}

/* Whether a returned number cannot be negative. */
static bool returns_unsigned(const struct term *term)
{
	int kind = kcatch_type_kind(term->type);

	return term->kind == TERM_PLACE && term->place.kind == PLACE_RETURN &&
	       (kind == BTF_KIND_INT || kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64) &&
	       (kcatch_type_is_bool(term->type) || !kcatch_type_is_signed(term->type));
}

/*
 * ret < 0 of an unsigned number would never hold, and ret > -1 would compare with the largest
 * number. A function of a pattern is left out.
 */
static int check_sign(struct condition *c, node *it, const struct term *number, bool mirror)
{
	enum kcatch_expression_op op = mirror && is_order(it->op) ? mirrored(it->op) : it->op;
	char text[200];

	if (!is_error_number(number) || !is_order(op) ||
	    (!number->ir->number && op != KCATCH_EX_LT && op != KCATCH_EX_GE))
		return 0;
	kcatch_type_text(kcatch_type_target(c->proto), text, sizeof(text));
	return term_error(c, ENOENT, it->at, "the function returns %s, which is never negative; "
			  "cast it if its bits have a sign: (int)ret < 0", text);
}

static int type_comparison(struct condition *c, node *it, struct term *term)
{
	bool left_unsigned, right_unsigned, is_call;
	const struct ir *truth;
	struct term right;
	int ret = type_sides(c, it, term, &right);

	if (ret)
		return ret;
	if (ip_is_address(term) || ip_is_address(&right)) {
		ret = ip_compare(c, it, term, &right, &truth);
		return ret ? ret : done(term, TERM_TRUTH, truth);
	}
	is_call = term->is_call || right.is_call;
	left_unsigned = returns_unsigned(term);
	right_unsigned = returns_unsigned(&right);
	if (term->kind == TERM_TEXT || right.kind == TERM_TEXT)
		return type_text(c, it, term, &right, term);
	if (it->op == KCATCH_EX_MATCH)
		return term_error(c, EINVAL, it->right->at,
				  "~ compares with the beginning of a text: ~ \"beginning*\"");
	ret = comparable(c, it->left, term);
	if (!ret)
		ret = comparable(c, it->right, &right);
	if (!ret && left_unsigned)
		ret = check_sign(c, it, &right, false);
	if (!ret && right_unsigned)
		ret = check_sign(c, it, term, true);
	if (ret)
		return ret;
	note_errno(c, it->left, it->right);
	note_errno(c, it->right, it->left);
	if (term->ir && right.ir) {
		note_range(c, it->op, it->left, term, &right);
		note_range(c, is_order(it->op) ? mirrored(it->op) : it->op, it->right, &right,
			   term);
	}
	if (type_error_order(c, it, term, &right, &truth))
		return done(term, TERM_TRUTH, truth);
	convert_usual(c, term, &right);
	truth = ir_compare(c, it->op, term->ir, right.ir);
	return done(term, TERM_TRUTH, is_call ? syscall_compare(c, it->op, truth) : truth);
}

static int truth_of(struct condition *c, node *it, const struct ir **truth)
{
	struct term term;
	int ret = type_term(c, it, &term);

	return ret ? ret : term_truth(c, &term, truth);
}

static int type_logic(struct condition *c, node *it, struct term *term)
{
	enum ir_op op = it->op == KCATCH_EX_NOT ? IR_NOT :
			it->op == KCATCH_EX_ALL ? IR_ALL :
						  IR_ANY;
	const struct ir *left, *right = NULL;
	int ret = truth_of(c, it->left, &left);

	if (!ret && op != IR_NOT)
		ret = truth_of(c, it->right, &right);
	return ret ? ret : done(term, TERM_TRUTH, ir_truth(c, op, left, right));
}

/* Convert the second and third operand of ?:, numbers or pointers, to their common type. */
static int type_arms(struct condition *c, node *it, struct term *a, struct term *b)
{
	bool pointer;
	int ret = comparable(c, it->right, a);

	if (!ret)
		ret = comparable(c, it->third, b);
	if (ret)
		return ret;
	pointer = a->kind == TERM_POINTER || b->kind == TERM_POINTER;
	convert_usual(c, a, b);
	if (!a->ir || !b->ir)
		return -ENOMEM;
	if (pointer) {		/* the other operand is a pointer too, or a number for NULL */
		a->ir = ir_convert(c, a->ir, true, false);
		b->ir = ir_convert(c, b->ir, true, false);
	}
	return a->ir && b->ir ? 0 : -ENOMEM;
}

static int type_choice(struct condition *c, node *it, struct term *term)
{
	const struct ir *truth;
	struct term third;
	int ret = truth_of(c, it->left, &truth);

	if (!ret)
		ret = type_term(c, it->right, term);
	if (!ret)
		ret = type_term(c, it->third, &third);
	if (ret)
		return ret;
	if (ip_is_address(term) || ip_is_address(&third))
		return ip_choose(c, it, truth, term, &third);
	if (term->kind == TERM_TEXT || third.kind == TERM_TEXT || term->kind == TERM_COMM ||
	    third.kind == TERM_COMM || term->kind == TERM_RECORDED || third.kind == TERM_RECORDED)
		return term_error(c, EINVAL, it->at, "?: chooses between numbers; compare each "
				  "text: a ? b == \"x\" : b == \"y\"");
	if (term->kind == TERM_TRUTH && third.kind == TERM_TRUTH)
		return done(term, TERM_TRUTH, ir_choose(c, IR_EITHER, truth, term->ir, third.ir));
	ret = type_arms(c, it, term, &third);
	return ret ? ret : done(term, TERM_NUMBER,
				ir_choose(c, IR_CHOOSE, truth, term->ir, third.ir));
}

/* '\x80' is a char of the kernel, which then becomes an int. */
static int type_char(struct condition *c, node *it, struct term *term)
{
	bool is_signed = false;
	int ret = it->number >= 0x80 ? lookup_char(c, it->at, &is_signed) : 0;
	uint64_t number = is_signed ? (uint64_t)(int64_t)(int8_t)it->number : it->number;

	return ret ? ret : done(term, TERM_NUMBER, ir_const(c, number, false, true));
}

static int type_term(struct condition *c, node *it, struct term *term)
{
	int ret;

	*term = (struct term){ .at = it->at };
	switch (it->op) {
	case KCATCH_EX_NUMBER:
		if (it->is_char)
			return type_char(c, it, term);
		return done(term, TERM_NUMBER, ir_const(c, it->number, it->wide, it->is_signed));
	case KCATCH_EX_TEXT:
		term->kind = TERM_TEXT;
		term->text = it->text;
		term->length = it->length;
		return 0;
	case KCATCH_EX_NAME:
		return lookup_name(c, it, term);
	case KCATCH_EX_ADDRESS:
		return condition_symbol(c, it, false, term);
	case KCATCH_EX_MEMBER:
	case KCATCH_EX_ARROW:
		return type_member(c, it, term);
	case KCATCH_EX_INDEX:
		return type_index(c, it, term);
	case KCATCH_EX_DEREF:
		ret = type_term(c, it->left, term);
		return ret ? ret : follow(c, term, it->at);
	case KCATCH_EX_CAST:
		return type_cast(c, it, term);
	case KCATCH_EX_NEGATE:
	case KCATCH_EX_INVERT:
		return type_unary(c, it, term);
	case KCATCH_EX_NOT:
	case KCATCH_EX_ALL:
	case KCATCH_EX_ANY:
		return type_logic(c, it, term);
	case KCATCH_EX_CHOOSE:
		return type_choice(c, it, term);
	default:
		if (it->op >= KCATCH_EX_LT && it->op <= KCATCH_EX_MATCH)
			return type_comparison(c, it, term);
		return type_arithmetic(c, it, term);
	}
}

int condition_type(struct condition *c, node *root, const struct ir **truth)
{
	return truth_of(c, root, truth);
}

int condition_term(struct condition *c, node *root, struct term *term)
{
	return type_term(c, root, term);
}

int condition_number(struct condition *c, node *root, struct term *term)
{
	return comparable(c, root, term);
}
