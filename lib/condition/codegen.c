/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * codegen.c - turns the tree of operations into classic BPF
 *
 * A truth value becomes jumps to one of three labels: it holds, it does not, or it is unknown, as
 * memory that it needs could not be read. && || and ! are those of Kleene's logic: what is unknown
 * matters only where the other operand does not decide. A number is computed into A (32 bits) or
 * into scratch memory; constants and words of struct kcatch_condition are loaded when they are
 * used.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "condition/bpf.h"

#define SIGN_BIT 0x80000000U

static void small_to_a(struct emitter *e, const struct ir *ir);
static void truth(struct emitter *e, const struct ir *ir, int yes, int no, int unknown);

static uint32_t offset_of(const struct emitter *e, const struct ir *ir)
{
	return ir->offset + (ir->item == IR_NO_ITEM ? 0 : e->condition->items[ir->item].offset);
}

static uint16_t alu_op(enum ir_op op)
{
	switch (op) {
	case IR_MUL: return BPF_MUL;
	case IR_ADD: return BPF_ADD;
	case IR_SUB: return BPF_SUB;
	case IR_SHL: return BPF_LSH;
	case IR_SHR: return BPF_RSH;
	case IR_AND: return BPF_AND;
	case IR_XOR: return BPF_XOR;
	default: return BPF_OR;
	}
}

/* ---- numbers -------------------------------------------------------------------- */

static struct number number_of(struct emitter *e, const struct ir *ir);
static void readable(struct emitter *e, uint64_t faults, int unreadable);

static struct number convert(struct emitter *e, const struct ir *ir)
{
	struct number number = number_of(e, ir->left);

	if (!ir->wide) {
		drop(e, number.high);
		number.high = half_const(0);
	} else if (!ir->left->wide && ir->left->is_signed) {
		load_a(e, number.low);
		emit(e, BPF_ALU | BPF_RSH | BPF_K, 31);
		emit(e, BPF_ALU | BPF_NEG, 0);
		number.high = store_a(e);
	}
	return number;
}

static struct number wide_binary(struct emitter *e, const struct ir *ir)
{
	struct number a = number_of(e, ir->left), b;
	uint64_t k = ir->right->number;

	/* typing.c accepts only constants as shift counts and divisors of 64-bit numbers. */
	switch (ir->op) {
	case IR_SHL:
		return math_shl(e, a, k & 63);
	case IR_SHR:
		return math_shr(e, a, k & 63, ir->is_signed);
	case IR_DIV:
	case IR_MOD:
		if (k & (k - 1))
			return math_divide_by(e, a, k, ir->is_signed, ir->op == IR_MOD);
		return math_divide(e, a, (unsigned int)__builtin_ctzll(k), ir->is_signed,
				   ir->op == IR_MOD);
	default:
		break;
	}
	b = number_of(e, ir->right);
	switch (ir->op) {
	case IR_ADD:
		return math_add(e, a, b);
	case IR_SUB:
		return math_sub(e, a, b);
	case IR_MUL:
		return math_mul(e, a, b);
	default:
		return math_bits(e, alu_op(ir->op), a, b);
	}
}

static struct number wide_unary(struct emitter *e, const struct ir *ir)
{
	const struct number zero = { half_const(0), half_const(0) };
	const struct number ones = { half_const(UINT32_MAX), half_const(UINT32_MAX) };

	if (ir->op == IR_INVERT)
		return math_bits(e, BPF_XOR, number_of(e, ir->left), ones);
	return math_sub(e, zero, number_of(e, ir->left));
}

/* Evaluate one operand of ?: into @to. Only its own items must be readable. */
static void put_arm(struct emitter *e, const struct ir *arm, struct number to)
{
	struct number number;

	readable(e, arm->faults, e->unreadable);
	number = number_of(e, arm);
	load_a(e, number.low);
	emit(e, BPF_ST, to.low.k);
	if (arm->wide) {
		load_a(e, number.high);
		emit(e, BPF_ST, to.high.k);
	}
	drop_number(e, number);
}

static struct number choose(struct emitter *e, const struct ir *ir)
{
	int yes = emit_label(e), no = emit_label(e), end = emit_label(e);
	struct number number = { .high = half_const(0) };

	truth(e, ir->left, yes, no, e->unreadable);
	number.low = take_scratch(e);
	if (ir->wide)
		number.high = take_scratch(e);
	emit_here(e, yes);
	put_arm(e, ir->right, number);
	emit_go(e, end);
	emit_here(e, no);
	put_arm(e, ir->third, number);
	emit_here(e, end);
	return number;
}

static struct number number_of(struct emitter *e, const struct ir *ir)
{
	struct number number = { .high = half_const(0) };

	e->at = ir->at ? ir->at : e->at;
	switch (ir->op) {
	case IR_CONST:
		number.low = half_const((uint32_t)ir->number);
		if (ir->wide)
			number.high = half_const(ir->number >> 32);
		return number;
	case IR_LOAD:
		number.low = (struct half){ .kind = HALF_DATA, .k = offset_of(e, ir) };
		if (ir->wide)
			number.high = (struct half){ .kind = HALF_DATA, .k = number.low.k + 4 };
		return number;
	case IR_CONVERT:
		return convert(e, ir);
	case IR_CHOOSE:
		return choose(e, ir);
	default:
		break;
	}
	if (!ir->wide) {
		small_to_a(e, ir);
		number.low = store_a(e);
		return number;
	}
	if (!ir->right)
		return wide_unary(e, ir);
	return wide_binary(e, ir);
}

static void extend_a(struct emitter *e, const struct ir *ir)
{
	uint32_t sign = 1U << (ir->bits - 1);

	small_to_a(e, ir->left);
	emit(e, BPF_ALU | BPF_AND | BPF_K, (sign << 1) - 1);
	if (ir->is_signed) {
		emit(e, BPF_ALU | BPF_XOR | BPF_K, sign);
		emit(e, BPF_ALU | BPF_SUB | BPF_K, sign);
	}
}

/* A = 1 if the truth value holds, 0 if it does not. If it is unknown, so is what is computed. */
static void value_to_a(struct emitter *e, const struct ir *ir)
{
	int yes = emit_label(e), no = emit_label(e), end = emit_label(e);

	truth(e, ir->left, yes, no, e->unreadable);
	emit_here(e, yes);
	emit(e, BPF_LD | BPF_IMM, 1);
	emit_go(e, end);
	emit_here(e, no);
	emit(e, BPF_LD | BPF_IMM, 0);
	emit_here(e, end);
}

static void small_binary(struct emitter *e, const struct ir *ir)
{
	bool is_shift = ir->op == IR_SHL || ir->op == IR_SHR;
	struct number a, b;

	if (ir->right->op == IR_CONST && ir->op != IR_DIV && ir->op != IR_MOD &&
	    !(ir->op == IR_SHR && ir->is_signed)) {
		uint32_t k = (uint32_t)ir->right->number;

		small_to_a(e, ir->left);
		emit(e, BPF_ALU | alu_op(ir->op) | BPF_K, is_shift ? k & 31 : k);
		return;
	}
	a = number_of(e, ir->left);
	b = number_of(e, ir->right);
	if (is_shift && b.low.kind == HALF_CONST)
		b.low.k &= 31;
	if (ir->op == IR_DIV || ir->op == IR_MOD) {
		math_divide_small(e, a.low, b.low, ir->is_signed, ir->op == IR_MOD);
	} else if (ir->op == IR_SHR && ir->is_signed) {
		math_shr_signed(e, a.low, b.low);
	} else {
		load_a(e, b.low);
		if (is_shift)
			emit(e, BPF_ALU | BPF_AND | BPF_K, 31);
		emit(e, BPF_MISC | BPF_TAX, 0);
		load_a(e, a.low);
		emit(e, BPF_ALU | alu_op(ir->op) | BPF_X, 0);
	}
	drop_number(e, a);
	drop_number(e, b);
}

static void small_to_a(struct emitter *e, const struct ir *ir)
{
	struct number number;

	e->at = ir->at ? ir->at : e->at;
	switch (ir->op) {
	case IR_CONST:
	case IR_LOAD:
	case IR_CHOOSE:
	case IR_CONVERT:
		if (ir->op == IR_CONVERT && !ir->left->wide) {
			small_to_a(e, ir->left);
			break;
		}
		number = number_of(e, ir);
		load_a(e, number.low);
		drop_number(e, number);
		break;
	case IR_EXTEND:
		extend_a(e, ir);
		break;
	case IR_VALUE:
		value_to_a(e, ir);
		break;
	case IR_NEGATE:
		small_to_a(e, ir->left);
		emit(e, BPF_ALU | BPF_NEG, 0);
		break;
	case IR_INVERT:
		small_to_a(e, ir->left);
		emit(e, BPF_ALU | BPF_XOR | BPF_K, UINT32_MAX);
		break;
	default:
		small_binary(e, ir);
	}
}

/* ---- comparisons ------------------------------------------------------------------- */

/*
 * One conditional jump that compares two words. BPF compares unsigned: for a signed comparison
 * @flip is the sign bit, which is inverted in both.
 */
static void compare_half(struct emitter *e, uint16_t op, struct half a, struct half b,
			 uint32_t flip, int yes, int no)
{
	if (b.kind == HALF_CONST) {
		uint32_t k = b.k ^ flip;

		if (op == BPF_JGE && !k) {
			emit_go(e, yes);
			return;
		}
		if (op == BPF_JGE && k == SIGN_BIT && flip) {	/* signed a >= 0 */
			load_a(e, a);
			emit_jump(e, BPF_JMP | BPF_JSET | BPF_K, SIGN_BIT, no, yes);
			return;
		}
		load_a(e, a);
		if (flip && op != BPF_JEQ)
			emit(e, BPF_ALU | BPF_XOR | BPF_K, flip);
		else
			k = b.k;
		emit_jump(e, BPF_JMP | op | BPF_K, k, yes, no);
		return;
	}
	load_a(e, b);
	if (flip && op != BPF_JEQ)
		emit(e, BPF_ALU | BPF_XOR | BPF_K, flip);
	emit(e, BPF_MISC | BPF_TAX, 0);
	load_a(e, a);
	if (flip && op != BPF_JEQ)
		emit(e, BPF_ALU | BPF_XOR | BPF_K, flip);
	emit_jump(e, BPF_JMP | op | BPF_X, 0, yes, no);
}

static void compare_wide(struct emitter *e, uint16_t op, struct number a, struct number b,
			 uint32_t flip, int yes, int no)
{
	int low = emit_label(e), equal = emit_label(e);
	bool same_high = a.high.kind == HALF_CONST && b.high.kind == HALF_CONST &&
			 a.high.k == b.high.k;
	bool b_const = b.high.kind == HALF_CONST && b.low.kind == HALF_CONST;

	if (op == BPF_JGE && b_const && !b.low.k) {
		/* The lower half does not matter, as in ret < 0. */
		compare_half(e, op, a.high, b.high, flip, yes, no);
		return;
	}
	if (op == BPF_JEQ) {
		if (!same_high)
			compare_half(e, op, a.high, b.high, 0, low, no);
	} else if (!same_high) {
		uint32_t k = b.high.k ^ flip;

		if (b.high.kind == HALF_CONST && (!k || k == UINT32_MAX)) {
			/* b's upper half is the smallest or largest: a's is equal or decides. */
			compare_half(e, BPF_JEQ, a.high, b.high, 0, low, k ? no : yes);
		} else {
			compare_half(e, BPF_JGT, a.high, b.high, flip, yes, equal);
			emit_here(e, equal);
			compare_half(e, BPF_JEQ, a.high, b.high, 0, low, no);
		}
	}
	emit_here(e, low);
	compare_half(e, op, a.low, b.low, 0, yes, no);
}

/* (x & mask) == 0, by the instruction JSET. */
static void test_bits(struct emitter *e, const struct ir *masked, int yes, int no)
{
	uint64_t mask = masked->right->number;
	struct number number;
	int low = emit_label(e);

	if (!masked->wide) {
		small_to_a(e, masked->left);
		emit_jump(e, BPF_JMP | BPF_JSET | BPF_K, (uint32_t)mask, no, yes);
		return;
	}
	number = number_of(e, masked->left);
	if (mask >> 32) {
		load_a(e, number.high);
		emit_jump(e, BPF_JMP | BPF_JSET | BPF_K, mask >> 32, no, low);
	}
	emit_here(e, low);
	if ((uint32_t)mask) {
		load_a(e, number.low);
		emit_jump(e, BPF_JMP | BPF_JSET | BPF_K, (uint32_t)mask, no, yes);
	} else {
		emit_go(e, yes);
	}
	drop_number(e, number);
}

static void compare(struct emitter *e, const struct ir *ir, int yes, int no)
{
	uint16_t op = ir->op == IR_EQ ? BPF_JEQ : ir->op == IR_GT ? BPF_JGT : BPF_JGE;
	uint32_t flip = ir->left->is_signed && op != BPF_JEQ ? SIGN_BIT : 0;
	struct number a, b;

	if (ir->op == IR_EQ && ir->right->op == IR_CONST && !ir->right->number &&
	    ir->left->op == IR_AND && ir->left->right->op == IR_CONST &&
	    ir->left->right->number) {
		test_bits(e, ir->left, yes, no);
		return;
	}
	if (!ir->left->wide && ir->right->op == IR_CONST) {
		uint32_t k = (uint32_t)ir->right->number;

		small_to_a(e, ir->left);
		if (op == BPF_JGE && flip && !k) {
			emit_jump(e, BPF_JMP | BPF_JSET | BPF_K, SIGN_BIT, no, yes);
			return;
		}
		if (flip)
			emit(e, BPF_ALU | BPF_XOR | BPF_K, flip);
		emit_jump(e, BPF_JMP | op | BPF_K, k ^ flip, yes, no);
		return;
	}
	a = number_of(e, ir->left);
	b = number_of(e, ir->right);
	if (ir->left->wide)
		compare_wide(e, op, a, b, flip, yes, no);
	else
		compare_half(e, op, a.low, b.low, flip, yes, no);
	drop_number(e, a);
	drop_number(e, b);
}

/* ---- texts -------------------------------------------------------------------------- */

/* Compare words. Bytes behind the null byte, or behind the prefix, are masked out. */
static void compare_text(struct emitter *e, const struct ir *ir, int yes, int no)
{
	size_t length = ir->length + !ir->prefix, at;

	for (at = 0; at < length; at += 4) {
		size_t here = length - at < 4 ? length - at : 4;
		size_t have = ir->length > at ? ir->length - at : 0;
		uint32_t word = 0;
		int next = emit_label(e);

		memcpy(&word, ir->text + at, have < here ? have : here);
		emit(e, BPF_LD | BPF_W | BPF_ABS, offset_of(e, ir) + (uint32_t)at);
		if (here < 4)
			emit(e, BPF_ALU | BPF_AND | BPF_K, (1U << 8 * here) - 1);
		emit_jump(e, BPF_JMP | BPF_JEQ | BPF_K, word, next, no);
		emit_here(e, next);
	}
	emit_go(e, yes);
}

/* ---- truth values -------------------------------------------------------------------- */

static void readable(struct emitter *e, uint64_t faults, int unreadable)
{
	uint32_t offset = offsetof(struct kcatch_condition, faults);
	unsigned int i;

	for (i = 0; i < 2; i++, offset += 4, faults >>= 32) {
		int next = emit_label(e);

		if (!(uint32_t)faults)
			continue;
		emit(e, BPF_LD | BPF_W | BPF_ABS, offset);
		emit_jump(e, BPF_JMP | BPF_JSET | BPF_K, (uint32_t)faults, unreadable,
			  next);
		emit_here(e, next);
	}
}

/* Is there a jump to the label? */
static bool is_used(const struct emitter *e, int label)
{
	uint32_t i;

	for (i = 0; i < e->nr; i++)
		if (e->emitted[i].yes == label || e->emitted[i].no == label)
			return true;
	return false;
}

/*
 * left && right, or left || right. Where left is unknown, right is asked all the same, by code of
 * its own: it decides (false && ..), or the result is unknown.
 */
static void both(struct emitter *e, const struct ir *ir, int yes, int no, int unknown)
{
	bool all = ir->op == IR_ALL;
	int more = emit_label(e), rest = more;

	/* If one of them leads where the unknown does, right need not be asked twice. */
	if (unknown != (all ? yes : no))
		rest = emit_label(e);
	truth(e, ir->left, all ? more : yes, all ? no : more, rest);
	emit_here(e, more);
	truth(e, ir->right, yes, no, unknown);
	if (rest == more || !is_used(e, rest))
		return;
	emit_here(e, rest);
	truth(e, ir->right, all ? unknown : yes, all ? no : unknown, unknown);
}

static void truth(struct emitter *e, const struct ir *ir, int yes, int no, int unknown)
{
	int outer = e->unreadable, middle, other;

	e->at = ir->at ? ir->at : e->at;
	if (yes == no && no == unknown) {
		emit_go(e, yes);
		return;
	}
	switch (ir->op) {
	case IR_NOT:
		truth(e, ir->left, no, yes, unknown);
		break;
	case IR_ALL:
	case IR_ANY:
		both(e, ir, yes, no, unknown);
		break;
	case IR_EITHER:
		middle = emit_label(e);
		other = emit_label(e);
		truth(e, ir->left, middle, other, unknown);
		emit_here(e, middle);
		truth(e, ir->right, yes, no, unknown);
		emit_here(e, other);
		truth(e, ir->third, yes, no, unknown);
		break;
	case IR_TEXT:
		compare_text(e, ir, yes, no);
		break;
	case IR_COMPARED:
		readable(e, ir->faults, unknown);
		e->unreadable = unknown;
		truth(e, ir->left, yes, no, unknown);
		e->unreadable = outer;
		break;
	case IR_DECIDED:
		truth(e, ir->left, yes, no, no);
		break;
	default:
		compare(e, ir, yes, no);
	}
}

static int finish(struct emitter *e, struct sock_filter **code, uint32_t *nr)
{
	int ret = emit_finish(e, code, nr);

	free(e->emitted);
	free(e->labels);
	return ret;
}

int condition_number_code(struct condition *c, const struct ir *ir, bool high,
			  struct sock_filter **code, uint32_t *nr)
{
	struct emitter e = { .condition = c };
	struct number number;

	*code = NULL;
	*nr = 0;
	e.unreadable = emit_label(&e);
	if (!e.error) {
		number = number_of(&e, ir);
		load_a(&e, high ? number.high : number.low);
		drop_number(&e, number);
	}
	emit(&e, BPF_RET | BPF_A, 0);
	emit_here(&e, e.unreadable);
	emit(&e, BPF_RET | BPF_K, 0);
	return finish(&e, code, nr);
}

int condition_code(struct condition *c, const struct ir *ir, struct sock_filter **code,
		   uint32_t *nr)
{
	struct emitter e = { .condition = c };
	int yes, no, unknown;

	*code = NULL;
	*nr = 0;
	yes = emit_label(&e);
	no = emit_label(&e);
	unknown = emit_label(&e);
	if (!e.error)
		truth(&e, ir, yes, no, unknown);
	emit_here(&e, yes);
	emit(&e, BPF_RET | BPF_K, 1);
	emit_here(&e, no);
	emit(&e, BPF_RET | BPF_K, 0);
	if (is_used(&e, unknown)) {
		emit_here(&e, unknown);
		emit(&e, BPF_RET | BPF_K, KCATCH_CONDITION_UNDECIDED);
	}
	return finish(&e, code, nr);
}
