/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * ir.c - makes the operations of a condition, and folds constants
 */
#include "code/code.h"
#include "condition/ir.h"

const struct ir *ir_make(struct condition *c, struct ir ir)
{
	struct ir *made = kcatch_pieces_take(&c->pieces, sizeof(*made));

	if (!made)
		return NULL;
	*made = ir;
	if (ir.left)
		made->at_return |= ir.left->at_return;
	if (ir.right)
		made->at_return |= ir.right->at_return;
	return made;
}

uint64_t ir_fit(uint64_t number, bool wide, bool is_signed)
{
	if (wide)
		return number;
	return is_signed ? (uint64_t)(int64_t)(int32_t)number : (uint32_t)number;
}

const struct ir *ir_const(struct condition *c, uint64_t number, bool wide, bool is_signed)
{
	return ir_make(c, (struct ir){ .op = IR_CONST, .wide = wide, .is_signed = is_signed,
				       .number = ir_fit(number, wide, is_signed) });
}

const struct ir *ir_convert(struct condition *c, const struct ir *left, bool wide, bool is_signed)
{
	if (!left || (left->wide == wide && left->is_signed == is_signed))
		return left;
	if (left->op == IR_CONST)
		return ir_const(c, left->number, wide, is_signed);
	return ir_make(c, (struct ir){ .op = IR_CONVERT, .wide = wide, .is_signed = is_signed,
				       .left = left });
}

uint64_t ir_low_bits(uint64_t number, unsigned int bits, bool is_signed)
{
	uint32_t top = (uint32_t)number << (32 - bits);

	return is_signed ? (uint64_t)(int64_t)((int32_t)top >> (32 - bits)) : top >> (32 - bits);
}

const struct ir *ir_extend(struct condition *c, const struct ir *left, unsigned int bits,
			   bool is_signed)
{
	left = ir_convert(c, left, false, is_signed);
	if (!left || bits >= 32)
		return left;
	if (left->op == IR_CONST)
		return ir_const(c, ir_low_bits(left->number, bits, is_signed), false, is_signed);
	return ir_make(c, (struct ir){ .op = IR_EXTEND, .is_signed = is_signed,
				       .bits = (uint8_t)bits, .left = left });
}

const struct ir *ir_unary(struct condition *c, enum ir_op op, const struct ir *left)
{
	if (!left)
		return NULL;
	if (left->op == IR_CONST)
		return ir_const(c, op == IR_NEGATE ? -left->number : ~left->number, left->wide,
				left->is_signed);
	return ir_make(c, (struct ir){ .op = op, .wide = left->wide, .is_signed = left->is_signed,
				       .left = left });
}

uint8_t ir_code(const struct ir *ir)
{
	switch (ir->op) {
	case IR_MUL: return KCATCH_OP_MUL;
	case IR_DIV: return ir->is_signed ? KCATCH_OP_DIV_S : KCATCH_OP_DIV;
	case IR_MOD: return ir->is_signed ? KCATCH_OP_MOD_S : KCATCH_OP_MOD;
	case IR_ADD: return KCATCH_OP_ADD;
	case IR_SUB: return KCATCH_OP_SUB;
	case IR_SHL: return KCATCH_OP_SHL;
	case IR_SHR: return ir->is_signed ? KCATCH_OP_SAR : KCATCH_OP_SHR;
	case IR_AND: return KCATCH_OP_AND;
	case IR_XOR: return KCATCH_OP_XOR;
	default: return KCATCH_OP_OR;
	}
}

/* The callers have seen that a divisor is not 0. */
static uint64_t compute(const struct ir *ir, uint64_t a, uint64_t b)
{
	__u64 acc = a;

	if (ir->op == IR_SHL || ir->op == IR_SHR)
		b &= ir->wide ? 63 : 31;
	kcatch_code_compute(ir_code(ir), b, &acc);
	return ir_fit(acc, ir->wide, ir->is_signed);
}

const struct ir *ir_binary(struct condition *c, enum ir_op op, const struct ir *left,
			   const struct ir *right)
{
	struct ir ir;

	if (!left || !right)
		return NULL;
	ir = (struct ir){ .op = op, .wide = left->wide, .is_signed = left->is_signed,
			  .left = left, .right = right };
	if (left->op != IR_CONST || right->op != IR_CONST)
		return ir_make(c, ir);
	return ir_const(c, compute(&ir, left->number, right->number), left->wide,
			left->is_signed);
}

/* @bits bits of a word, from @lowest on. */
static const struct ir *bits_of(struct condition *c, const struct ir *word, unsigned int lowest,
				unsigned int bits)
{
	const struct ir *left = ir_const(c, 64 - bits - lowest, false, true);
	const struct ir *right = ir_const(c, 64 - bits, false, true);

	return ir_binary(c, IR_SHR, ir_binary(c, IR_SHL, word, left), right);
}

const struct ir *ir_swap(struct condition *c, const struct ir *word, unsigned int shift,
			 unsigned int bits)
{
	const struct ir *all = bits_of(c, word, shift, 8), *raw = bits_of(c, word, shift, bits);
	unsigned int at;

	for (at = 8; at < bits && all; at += 8) {
		all = ir_binary(c, IR_SHL, all, ir_const(c, 8, false, true));
		all = ir_binary(c, IR_OR, all, bits_of(c, word, shift + at, 8));
	}
	if (!all || !raw)
		return NULL;
	return ir_make(c, (struct ir){ .op = IR_SWAP,
				       .wide = true,
				       .bits = (uint8_t)bits,
				       .left = raw,
				       .third = all });
}

const struct ir *ir_truth(struct condition *c, enum ir_op op, const struct ir *left,
			  const struct ir *right)
{
	if (!left || (!right && op != IR_NOT && op != IR_VALUE))
		return NULL;
	return ir_make(c, (struct ir){ .op = op, .is_signed = true, .left = left, .right = right });
}

const struct ir *ir_choose(struct condition *c, enum ir_op op, const struct ir *truth,
			   const struct ir *right, const struct ir *third)
{
	bool is_number = op == IR_CHOOSE;
	struct ir *made;

	if (!truth || !right || !third)
		return NULL;
	made = (struct ir *)ir_make(c, (struct ir){
		.op = op, .wide = is_number && right->wide,
		.is_signed = !is_number || right->is_signed,
		.left = truth, .right = right, .third = third });
	if (!made)
		return NULL;
	made->at_return |= third->at_return;
	return made;
}

/* What the conversions of a number make of it. */
static uint64_t converted(const struct ir *ir, uint64_t number)
{
	if (ir->op != IR_CONVERT)
		return number;
	return ir_fit(converted(ir->left, number), ir->wide, ir->is_signed);
}

/*
 * Is a number in the other order equal to a constant? Then the number as it lies there is equal to
 * the constant in the other order, which costs no operation. NULL: it is another comparison.
 */
static const struct ir *equal_swapped(struct condition *c, const struct ir *left,
				      const struct ir *right)
{
	const struct ir *swap = left, *other;
	uint64_t wanted;

	while (swap->op == IR_CONVERT)
		swap = swap->left;
	if (swap->op != IR_SWAP || right->op != IR_CONST)
		return NULL;
	wanted = right->number << (64 - swap->bits) >> (64 - swap->bits);
	if (converted(left, wanted) != right->number)
		return NULL;
	wanted = __builtin_bswap64(wanted) >> (64 - swap->bits);
	other = ir_const(c, wanted, true, false);
	return other ? ir_make(c, (struct ir){ .op = IR_EQ, .left = swap->left, .right = other }) :
		       NULL;
}

/* Express the six comparisons by IR_EQ, IR_GT and IR_GE, and IR_NOT of them. */
static const struct ir *plain_compare(struct condition *c, enum kcatch_expression_op op,
				      const struct ir *left, const struct ir *right)
{
	bool inverted = op == KCATCH_EX_NE || op == KCATCH_EX_LT || op == KCATCH_EX_LE;
	const struct ir *made = NULL;
	enum ir_op ir_op;

	switch (op) {
	case KCATCH_EX_EQ:
	case KCATCH_EX_NE:
		ir_op = IR_EQ;
		break;
	case KCATCH_EX_GT:
	case KCATCH_EX_LE:
		ir_op = IR_GT;
		break;
	default:
		ir_op = IR_GE;
		break;
	}
	if (ir_op == IR_EQ)
		made = equal_swapped(c, left, right);
	if (!made)
		made = ir_make(c, (struct ir){ .op = ir_op, .left = left, .right = right });
	return inverted ? ir_truth(c, IR_NOT, made, NULL) : made;
}

const struct ir *ir_compare(struct condition *c, enum kcatch_expression_op op,
			    const struct ir *left, const struct ir *right)
{
	const struct ir *other;

	if (!left || !right)
		return NULL;
	if (left->op == IR_CONST && right->op != IR_CONST) {
		static const enum kcatch_expression_op swapped[] = {
			[KCATCH_EX_LT] = KCATCH_EX_GT, [KCATCH_EX_LE] = KCATCH_EX_GE,
			[KCATCH_EX_GT] = KCATCH_EX_LT, [KCATCH_EX_GE] = KCATCH_EX_LE,
			[KCATCH_EX_EQ] = KCATCH_EX_EQ, [KCATCH_EX_NE] = KCATCH_EX_NE,
		};

		other = left;
		left = right;
		right = other;
		op = swapped[op];
	}
	return plain_compare(c, op, left, right);
}
