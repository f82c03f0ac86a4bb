/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * count_parts.c - compiles keys and values of counts into the parts that the module takes
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "condition/count_parts.h"
#include "condition/language.h"
#include "condition/typing.h"

/* ---- types ---------------------------------------------------------------------------- */

static const struct ir *load_pid(struct condition *c)
{
	return ir_make(c, (struct ir){ .op = IR_LOAD, .item = IR_NO_ITEM, .is_signed = true,
				       .offset = offsetof(struct kcatch_condition, pid) });
}

/* @truth; false if that is unknown. */
static const struct ir *decided(struct condition *c, const struct ir *truth)
{
	return truth ? ir_make(c, (struct ir){ .op = IR_DECIDED, .left = truth }) : NULL;
}

/* A truth value that holds if the items of @faults are readable. */
static const struct ir *readable(struct condition *c, uint64_t faults)
{
	const struct ir *pid = load_pid(c);
	const struct ir *always = ir_make(c, (struct ir){ .op = IR_EQ, .left = pid, .right = pid });

	if (!pid || !always)
		return NULL;
	always = ir_make(c, (struct ir){ .op = IR_COMPARED, .left = always });
	if (always)
		((struct ir *)always)->faults = faults;
	return decided(c, always);
}

static int type_text(struct condition *c, struct term *term, struct count_part_ir *part)
{
	int item, ret;

	if (term->kind == TERM_COMM) {
		part->is_comm = true;
		return 0;
	}
	if (term->kind == TERM_PLACE && kcatch_type_kind(term->type) == BTF_KIND_ARRAY &&
	    term->place.kind != PLACE_MEMORY)
		return term_error(c, EINVAL, term->at, "texts in registers cannot be keys");
	ret = term_text_item(c, term, KCATCH_PART_TEXT_MAX, &item);
	if (ret)
		return ret;
	part->is_text = true;
	part->item = item;
	part->valid = readable(c, 1ULL << item);
	return part->valid ? 0 : -ENOMEM;
}

static int type_part(struct condition *c, struct count_part_ir *part)
{
	const struct kcatch_expression_node *root = kcatch_expression_root(c->expression);
	struct term term;
	int ret;

	memset(part, 0, sizeof(*part));
	if (c->entry_only && kcatch_expression_uses_return(c->expression)) {
		part->is_signed = true;
		part->is_narrow = true;
		part->number = ir_const(c, 0, true, true);
		return part->number ? 0 : -ENOMEM;
	}
	ret = condition_term(c, root, &term);
	if (ret)
		return ret;
	if (term.kind == TERM_TEXT)
		return term_error(c, EINVAL, term.at, "a text that is always the same is no key");
	/* A returned text cannot be read: its address is the key. */
	if (term_is_text(&term) &&
	    !(term.kind == TERM_PLACE && term.place.kind == PLACE_RETURN))
		return type_text(c, &term, part);
	part->is_cgroup = term.is_cgroup;
	part->is_pointer = term.kind == TERM_POINTER ||
			   (term.kind == TERM_PLACE && kcatch_type_kind(term.type) == BTF_KIND_PTR);
	part->may_be_address = part->is_pointer || term.is_untyped;
	ret = condition_number(c, root, &term);
	if (ret)
		return ret;
	part->is_signed = term.ir->is_signed;
	part->may_be_address |= term.ir->wide && !term.ir->is_signed;
	part->is_narrow = !term.ir->wide;
	part->number = ir_convert(c, term.ir, true, term.ir->is_signed);
	if (!part->number)
		return -ENOMEM;
	part->valid = decided(c, ir_compare(c, KCATCH_EX_EQ, part->number, part->number));
	return part->valid ? 0 : -ENOMEM;
}

const struct kcatch_expression *count_parts_first(const struct condition *c)
{
	uint32_t i;

	for (i = 0; i < c->wants->nr; i++)
		if (c->wants->expressions[i])
			return c->wants->expressions[i];
	return NULL;
}

int count_parts_type(struct condition *c)
{
	const struct kcatch_expression *own = c->expression;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < c->wants->nr && !ret; i++) {
		c->expression = c->wants->expressions[i];
		if (c->expression)
			ret = type_part(c, &c->parts[i]);
		else if (c->wants->words[i])
			note_hidden(c, c->wants->words[i]);
	}
	c->expression = own;
	return ret;
}

/* ---- parts ------------------------------------------------------------------------------ */

static uint32_t offset_of(const struct condition *c, const struct ir *load)
{
	return load->offset + (load->item == IR_NO_ITEM ? 0 : c->items[load->item].offset);
}

/* A conversion that leaves the bits as they are. */
static const struct ir *same_bits(const struct ir *ir)
{
	while (ir->op == IR_CONVERT && ir->wide == ir->left->wide)
		ir = ir->left;
	return ir;
}

/* A number that is only loaded. Returns whether it is. */
static bool is_field(const struct condition *c, const struct ir *ir, struct kcatch_part *part)
{
	bool is_signed;

	part->kind = KCATCH_PART_FIELD;
	ir = same_bits(ir);
	if (ir->op == IR_LOAD && ir->wide) {
		part->size = 8;
		part->offset = offset_of(c, ir);
		return part->offset % 8 == 0;	/* of a DO_TRACE event it may be at any word */
	}
	if (ir->op != IR_CONVERT)
		return false;
	is_signed = ir->left->is_signed;
	ir = same_bits(ir->left);
	part->size = 4;
	if (ir->op == IR_EXTEND && (ir->bits == 8 || ir->bits == 16)) {
		/* C extends to 32 bits with the sign, then with zeros: the module does one. */
		if (ir->is_signed && !is_signed)
			return false;
		part->size = ir->bits / 8;
		is_signed = ir->is_signed;
		ir = same_bits(ir->left);
	}
	if (ir->op == IR_CONVERT)	/* the lower half of a number */
		ir = same_bits(ir->left);
	if (ir->op != IR_LOAD)
		return false;
	part->offset = offset_of(c, ir);
	part->flags = is_signed ? KCATCH_PART_SIGNED : 0;
	return true;
}

static int make_code(struct condition *c, const struct ir *number, struct kcatch_count_code *code)
{
	struct kcatch_part *part = &code->part;
	int ret;

	*part = (struct kcatch_part){ .kind = KCATCH_PART_CODE };
	ret = condition_number_code(c, number, false, &code->low, &part->low.nr);
	if (!ret)
		ret = condition_number_code(c, number, true, &code->high, &part->high.nr);
	part->low.at = (uintptr_t)code->low;
	part->high.at = (uintptr_t)code->high;
	return ret;
}

static int make_part(struct condition *c, const struct count_part_ir *ir,
		     struct kcatch_count_code *code)
{
	code->is_text = ir->is_text;
	code->is_signed = ir->is_signed;
	code->is_pointer = ir->is_pointer;
	code->may_be_address = ir->may_be_address;
	code->is_narrow = ir->is_narrow;
	code->is_cgroup = ir->is_cgroup;
	if (ir->is_comm) {
		code->part.kind = KCATCH_PART_COMM;
		return 0;
	}
	if (ir->is_text) {
		code->part = (struct kcatch_part){ .kind = KCATCH_PART_FIELD,
						   .size = KCATCH_PART_TEXT_MAX,
						   .offset = c->items[ir->item].offset };
		return 0;
	}
	if (is_field(c, ir->number, &code->part))
		return 0;
	return make_code(c, ir->number, code);
}

/* Bit i of the number: expression i could not be computed. */
static int make_marks(struct condition *c)
{
	const struct ir *marks = ir_const(c, 0, true, false), *bit;
	uint32_t i;

	for (i = 0; i < c->wants->nr && marks; i++) {
		if (!c->parts[i].valid || !c->wants->expressions[i])
			continue;
		bit = ir_truth(c, IR_VALUE, ir_truth(c, IR_NOT, c->parts[i].valid, NULL), NULL);
		bit = ir_convert(c, bit, true, false);
		bit = ir_binary(c, IR_SHL, bit, ir_const(c, i, false, true));
		marks = ir_binary(c, IR_OR, marks, bit);
	}
	return marks ? make_code(c, marks, &c->wants->marks) : -ENOMEM;
}

int count_parts_code(struct condition *c)
{
	const struct kcatch_expression *own = c->expression;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < c->wants->nr && !ret; i++) {
		c->expression = c->wants->expressions[i];
		if (c->expression)
			ret = make_part(c, &c->parts[i], &c->wants->codes[i]);
	}
	/* For messages; without an expression there are no marks that could need one. */
	c->expression = count_parts_first(c);
	if (!ret)
		ret = make_marks(c);
	c->expression = own;
	return ret;
}

static void deinit(struct kcatch_count_code *code)
{
	free(code->low);
	free(code->high);
	memset(code, 0, sizeof(*code));
}

void kcatch_count_wants_deinit(struct kcatch_count_wants *wants)
{
	uint32_t i;

	for (i = 0; i < KCATCH_COUNT_WANTS_MAX; i++)
		deinit(&wants->codes[i]);
	deinit(&wants->marks);
}

/* ---- what is always known ---------------------------------------------------------------- */

static bool is_known(const char *name)
{
#define NAME(text, member, wide, is_signed, at_return) text,
	static const char *const names[] = { KCATCH_LANGUAGE_NAMES(NAME) "ret", "failure", "comm",
									   "cgroup" };
#undef NAME
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static bool may_fail(const struct kcatch_expression_node *node)
{
	if (!node)
		return false;
	switch (node->op) {
	case KCATCH_EX_NAME:
		return !is_known(node->text);
	case KCATCH_EX_CAST:	/* to a pointer: what it points to is read */
		return node->number || may_fail(node->left);
	case KCATCH_EX_MEMBER:
	case KCATCH_EX_ARROW:
	case KCATCH_EX_INDEX:
	case KCATCH_EX_DEREF:
	case KCATCH_EX_DIV:
	case KCATCH_EX_MOD:
		return true;
	default:
		return may_fail(node->left) || may_fail(node->right) || may_fail(node->third);
	}
}

bool kcatch_count_may_fail(const struct kcatch_expression *expression)
{
	return may_fail(kcatch_expression_root(expression));
}
