/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * encode.c - turns the tree of operations into code (uapi/kcatch_code.h)
 *
 * A truth value becomes exits to one of three labels: it holds, it does not, or it is unknown, as
 * memory that it needs could not be read. && || and ! are those of Kleene's logic: what is unknown
 * matters only where the other operands do not decide. A number is computed into acc. What can be
 * cut out of a source (an argument, an item) by two shifts is an operand: it needs no operation of
 * its own.
 */
#include <errno.h>
#include <string.h>

#include "condition/operations.h"

static void truth(struct emitter *e, const struct ir *ir, int yes, int no, int unknown);
static void number(struct emitter *e, const struct ir *ir);

/* ---- operands ----------------------------------------------------------------------- */

/* A value that an operation can take: members of struct kcatch_op. */
struct operand {
	uint8_t from, index;
	uint8_t left, right;
	bool is_signed;		/* of @right */
	bool may_fail;
	uint16_t offset;
	uint64_t constant;	/* of KCATCH_FROM_CONST */
};

static const struct operand acc = { .from = KCATCH_FROM_ACC };

/* The number of its bits that count, from bit 0 of the value on. */
static unsigned int bits_of(const struct operand *operand)
{
	return 64U - operand->right;
}

/* Where they are in the source; -1: there are zeros below them, which are not the source's. */
static int lowest_of(const struct operand *operand)
{
	return operand->right >= operand->left ? operand->right - operand->left : -1;
}

/* Takes @bits bits from bit @lowest of the source on. */
static bool take(struct operand *operand, int lowest, unsigned int bits, bool is_signed)
{
	if (lowest < 0)
		return false;
	operand->left = (uint8_t)(64U - bits - (unsigned int)lowest);
	operand->right = (uint8_t)(64U - bits);
	operand->is_signed = is_signed;
	return true;
}

static uint8_t own_source(uint32_t offset)
{
	switch (offset) {
	case offsetof(struct kcatch_condition, ret):
	case offsetof(struct kcatch_condition, ret) + 4:
		return KCATCH_FROM_RET;
	case offsetof(struct kcatch_condition, latency):
		return KCATCH_FROM_LATENCY;
	case offsetof(struct kcatch_condition, oncpu):
		return KCATCH_FROM_ONCPU;
	case offsetof(struct kcatch_condition, runnable):
		return KCATCH_FROM_RUNNABLE;
	case offsetof(struct kcatch_condition, blocked):
		return KCATCH_FROM_BLOCKED;
	case offsetof(struct kcatch_condition, switches):
		return KCATCH_FROM_SWITCHES;
	case offsetof(struct kcatch_condition, pid):
		return KCATCH_FROM_PID;
	case offsetof(struct kcatch_condition, tid):
		return KCATCH_FROM_TID;
	case offsetof(struct kcatch_condition, cpu):
		return KCATCH_FROM_CPU;
	default:
		return KCATCH_FROM_UID;
	}
}

/* Registers and the cgroup are always there; the stack may not be. */
static bool item_may_fail(const struct condition *c, int32_t item)
{
	const struct chain *chain = c->items[item].chain;

	return c->recorded || !chain || c->items[item].size || chain->before ||
	       chain->link.kind == LINK_STACK;
}

static bool load(const struct emitter *e, const struct ir *ir, struct operand *operand)
{
	int lowest = 0;

	memset(operand, 0, sizeof(*operand));
	if (ir->item != IR_NO_ITEM) {
		operand->from = KCATCH_FROM_FIELD;
		operand->index = (uint8_t)ir->item;
		operand->offset = e->condition->items[ir->item].place;
		operand->may_fail = item_may_fail(e->condition, ir->item);
		lowest = 8 * (int)ir->offset;
	} else if (ir->offset < sizeof(((struct kcatch_condition *)NULL)->args)) {
		operand->from = KCATCH_FROM_ARG;
		operand->index = (uint8_t)(ir->offset / 8);
		lowest = 8 * (int)(ir->offset % 8);
	} else {
		operand->from = own_source(ir->offset);
		/* A recording may not have the return of a call, a kernel not show switches. */
		operand->may_fail = (e->condition->recorded && ir->at_return) ||
				    KCATCH_FROM_IS_OFF_CPU(operand->from);
		if (operand->from == KCATCH_FROM_RET)
			lowest = 8 * (int)(ir->offset - offsetof(struct kcatch_condition, ret));
	}
	if (ir->wide)
		return !lowest;
	return take(operand, lowest, 32, ir->is_signed);
}

/* The low @bits of an operand, extended; @wide: those that it has are extended already. */
static bool low_bits(struct operand *operand, unsigned int bits, bool is_signed)
{
	if (bits_of(operand) >= bits)
		return take(operand, lowest_of(operand), bits, is_signed);
	/* It has fewer, and its sign is not extended differently. */
	return !operand->is_signed || is_signed;
}

static bool operand_of(const struct emitter *e, const struct ir *ir, struct operand *operand);

static bool shifted(const struct emitter *e, const struct ir *ir, struct operand *operand)
{
	unsigned int count = ir->right->number & (ir->wide ? 63 : 31);

	if (ir->right->op != IR_CONST || !operand_of(e, ir->left, operand) ||
	    operand->from == KCATCH_FROM_CONST)
		return false;
	if (ir->op == IR_SHL) {
		if (!ir->wide || operand->right || operand->left + count > 63)
			return false;
		operand->left = (uint8_t)(operand->left + count);
		return true;
	}
	if (operand->right + count > 63 || (operand->right && operand->is_signed != ir->is_signed))
		return false;
	operand->right = (uint8_t)(operand->right + count);
	operand->is_signed = ir->is_signed;
	return true;
}

/* Whether a number is an operand. */
static bool operand_of(const struct emitter *e, const struct ir *ir, struct operand *operand)
{
	switch (ir->op) {
	case IR_CONST:
		*operand = (struct operand){ .from = KCATCH_FROM_CONST, .constant = ir->number };
		return true;
	case IR_LOAD:
		return load(e, ir, operand);
	case IR_CONVERT:
		if (!operand_of(e, ir->left, operand) || operand->from == KCATCH_FROM_CONST)
			return false;
		return ir->wide || low_bits(operand, 32, ir->is_signed);
	case IR_EXTEND:
		return operand_of(e, ir->left, operand) && operand->from != KCATCH_FROM_CONST &&
		       low_bits(operand, ir->bits, ir->is_signed);
	case IR_SHL:
	case IR_SHR:
		return shifted(e, ir, operand);
	default:
		return false;
	}
}

/* An operation that takes a value; its exits for what is not known follow. */
static struct kcatch_op taking(uint8_t op, const struct operand *operand)
{
	return (struct kcatch_op){
		.op = op, .from = operand->from, .index = operand->index, .left = operand->left,
		.right = operand->right | (operand->is_signed ? KCATCH_RIGHT_SIGNED : 0),
		.offset = operand->offset, .a = operand->constant,
	};
}

/* The exit of an operation whose value may not be known. */
static int unknown_of(const struct operand *operand, int unknown)
{
	if (operand->may_fail)
		return unknown;
	return operand->from == KCATCH_FROM_FIELD ? EMIT_UNKNOWN : EMIT_NONE;
}

/* ---- numbers ------------------------------------------------------------------------ */

static uint8_t fit_of(const struct ir *ir)
{
	return ir->wide ? 0 : 32 | (ir->is_signed ? KCATCH_RIGHT_SIGNED : 0);
}

/* acc op= operand */
static void compute(struct emitter *e, uint8_t op, const struct operand *operand, uint8_t fit)
{
	struct kcatch_op made = taking(op, operand);
	bool divides = op >= KCATCH_OP_DIV && op <= KCATCH_OP_MOD_S;

	made.fit = fit;
	emit(e, made, EMIT_NONE, EMIT_NONE,
	     divides ? e->unknown : unknown_of(operand, e->unknown));
}

static void compute_const(struct emitter *e, uint8_t op, uint64_t constant, uint8_t fit)
{
	const struct operand operand = { .from = KCATCH_FROM_CONST, .constant = constant };

	compute(e, op, &operand, fit);
}

/* Cuts what is in acc. */
static void fit_acc(struct emitter *e, uint8_t fit)
{
	struct kcatch_op *last = emit_last(e);

	if (last && last->op >= KCATCH_OP_SET && last->op <= KCATCH_OP_SAR &&
	    (last->fit & 63) <= (fit & 63))
		last->fit = fit;
	else
		compute(e, KCATCH_OP_SET, &acc, fit);
}

/* The operands of an operation: @first into acc; @second, an operand, or saved. Return: the saved
 * word, for emit_free(); KCATCH_SAVED_MAX: none is */
static uint8_t two(struct emitter *e, const struct ir *first, const struct ir *second,
		   struct operand *operand)
{
	uint8_t word = KCATCH_SAVED_MAX;

	if (!operand_of(e, second, operand)) {
		number(e, second);
		word = emit_save(e);
		*operand = (struct operand){ .from = KCATCH_FROM_SAVED, .index = word };
	}
	number(e, first);
	return word;
}

static void forget(struct emitter *e, uint8_t word)
{
	if (word < KCATCH_SAVED_MAX)
		emit_free(e, word);
}

static bool may_swap(enum ir_op op)
{
	return op == IR_MUL || op == IR_ADD || op == IR_AND || op == IR_XOR || op == IR_OR;
}

static void shift(struct emitter *e, const struct ir *ir)
{
	uint64_t mask = ir->wide ? 63 : 31;
	struct operand operand;
	uint8_t word;

	if (ir->right->op == IR_CONST) {
		number(e, ir->left);
		compute_const(e, ir_code(ir), ir->right->number & mask, fit_of(ir));
		return;
	}
	number(e, ir->right);
	compute_const(e, KCATCH_OP_AND, mask, 0);
	word = emit_save(e);
	operand = (struct operand){ .from = KCATCH_FROM_SAVED, .index = word };
	number(e, ir->left);
	compute(e, ir_code(ir), &operand, fit_of(ir));
	emit_free(e, word);
}

static void binary(struct emitter *e, const struct ir *ir)
{
	const struct ir *first = ir->left, *second = ir->right;
	struct operand operand;
	uint8_t word;

	if (ir->op == IR_SHL || ir->op == IR_SHR) {
		shift(e, ir);
		return;
	}
	if (may_swap(ir->op) && !operand_of(e, second, &operand)) {
		first = ir->right;
		second = ir->left;
	}
	word = two(e, first, second, &operand);
	compute(e, ir_code(ir), &operand, fit_of(ir));
	forget(e, word);
}

/* 1 if the truth value holds, 0 if it does not. If it is unknown, so is what is computed. */
static void value(struct emitter *e, const struct ir *ir)
{
	int yes = emit_label(e), no = emit_label(e), end = emit_label(e);

	truth(e, ir->left, yes, no, e->unknown);
	emit_here(e, yes);
	compute_const(e, KCATCH_OP_SET, 1, 0);
	emit_go(e, end);
	emit_here(e, no);
	compute_const(e, KCATCH_OP_SET, 0, 0);
	emit_here(e, end);
}

static void choose(struct emitter *e, const struct ir *ir)
{
	int yes = emit_label(e), no = emit_label(e), end = emit_label(e);

	truth(e, ir->left, yes, no, e->unknown);
	emit_here(e, yes);
	number(e, ir->right);
	emit_go(e, end);
	emit_here(e, no);
	number(e, ir->third);
	emit_here(e, end);
}

/* Computes a number into acc, as its type holds it: extended to 64 bits. */
static void number(struct emitter *e, const struct ir *ir)
{
	struct operand operand;

	e->at = ir->at ? ir->at : e->at;
	if (operand_of(e, ir, &operand)) {
		compute(e, KCATCH_OP_SET, &operand, 0);
		return;
	}
	switch (ir->op) {
	case IR_CONVERT:
		number(e, ir->left);
		if (!ir->wide)
			fit_acc(e, fit_of(ir));
		break;
	case IR_EXTEND:
		number(e, ir->left);
		fit_acc(e, (uint8_t)(64 - ir->bits) | (ir->is_signed ? KCATCH_RIGHT_SIGNED : 0));
		break;
	case IR_NEGATE:
		number(e, ir->left);
		compute_const(e, KCATCH_OP_MUL, UINT64_MAX, fit_of(ir));
		break;
	case IR_INVERT:
		number(e, ir->left);
		compute_const(e, KCATCH_OP_XOR, UINT64_MAX, fit_of(ir));
		break;
	case IR_SWAP:
		number(e, ir->third);
		break;
	case IR_VALUE:
		value(e, ir);
		break;
	case IR_CHOOSE:
		choose(e, ir);
		break;
	default:
		binary(e, ir);
	}
}

/* ---- comparisons -------------------------------------------------------------------- */

/* Numbers from @low to @low + @span, modulo 2^64; none, if @empty. */
struct interval {
	uint64_t low, span;
	bool empty;
};

/* What a comparison with a constant accepts. */
static struct interval accepted(const struct ir *ir)
{
	uint64_t most = ir->left->is_signed ? INT64_MAX : UINT64_MAX, low = ir->right->number;

	if (ir->op == IR_EQ)
		return (struct interval){ .low = low };
	if (ir->op == IR_GT && low++ == most)
		return (struct interval){ .empty = true };
	return (struct interval){ .low = low, .span = most - low };
}

/*
 * Those of the numbers that an operand can be. They are an interval, too, and may wrap around: then
 * two pieces are left, at its ends, and in so many bits the one is behind the other.
 */
static struct interval within(struct interval all, const struct operand *operand)
{
	uint64_t span = UINT64_MAX >> operand->right, first = operand->is_signed ? ~(span >> 1) : 0;
	uint64_t low = all.low - first, end = low + all.span;
	bool wraps = end < low;

	if (all.empty || !operand->right)
		return all;
	all.low = low <= span ? low : 0;
	if (low <= span && wraps)
		all.span = span - low + 1 + (end < span ? end : span);
	else if (low <= span)
		all.span = (end < span ? end : span) - low;
	else
		all.span = end < span ? end : span;
	all.empty = low > span && !wraps;
	all.low += first;
	return all;
}

/* Is the value of an operand in an interval? The bits below those that count may be any. */
static void compare_range(struct emitter *e, const struct operand *operand,
			  struct interval interval, int yes, int no, int unknown)
{
	const uint8_t right = operand->right;
	struct kcatch_op op = taking(KCATCH_OP_RANGE, operand);

	interval = within(interval, operand);
	if (!operand->may_fail && (interval.empty || interval.span == UINT64_MAX >> right)) {
		emit_go(e, interval.empty ? no : yes);
		return;
	}
	op.right = 0;
	op.a = interval.low << right;
	op.b = interval.span << right | ((1ULL << right) - 1);
	/* What may not be known is asked for all the same. */
	if (interval.empty)
		yes = no;
	emit(e, op, yes, no, unknown_of(operand, unknown));
}

/* x & MASK == b */
static bool compare_bits(struct emitter *e, const struct ir *ir, int yes, int no, int unknown)
{
	const struct ir *and = ir->left;
	struct operand operand;
	struct kcatch_op op;

	while (and->op == IR_CONVERT && and->wide == and->left->wide)
		and = and->left;
	if (ir->op != IR_EQ || and->op != IR_AND || and->right->op != IR_CONST)
		return false;
	if (!operand_of(e, and->left, &operand)) {
		number(e, and->left);
		operand = acc;
	}
	op = taking(KCATCH_OP_BITS, &operand);
	/* A number of 32 bits is the same in its low half, however it is extended. */
	op.a = ir->left->wide ? and->right->number : (uint32_t)and->right->number;
	op.b = ir->left->wide ? ir->right->number : (uint32_t)ir->right->number;
	/* The mask cuts the low half out. */
	if (op.left == 32 && (op.right & ~KCATCH_RIGHT_SIGNED) == 32 && op.a <= UINT32_MAX)
		op.left = op.right = 0;
	emit(e, op, yes, no, unknown_of(&operand, unknown));
	return true;
}

static void compare_const(struct emitter *e, const struct ir *ir, int yes, int no, int unknown)
{
	struct operand operand;
	struct interval interval = accepted(ir);

	if (compare_bits(e, ir, yes, no, unknown))
		return;
	if (!operand_of(e, ir->left, &operand)) {
		number(e, ir->left);
		operand = acc;
	} else if (operand.from == KCATCH_FROM_CONST) {
		emit_go(e, !interval.empty && operand.constant - interval.low <= interval.span ?
			   yes : no);
		return;
	}
	compare_range(e, &operand, interval, yes, no, unknown);
}

static void compare(struct emitter *e, const struct ir *ir, int yes, int no, int unknown)
{
	struct operand operand;
	uint8_t op, word;
	int outer = e->unknown, swap = yes;

	e->unknown = unknown;
	if (ir->right->op == IR_CONST) {
		compare_const(e, ir, yes, no, unknown);
		e->unknown = outer;
		return;
	}
	/* a > b is b < a, and a >= b is not a < b. */
	if (ir->op == IR_GT)
		word = two(e, ir->right, ir->left, &operand);
	else
		word = two(e, ir->left, ir->right, &operand);
	op = ir->op == IR_EQ ? KCATCH_OP_EQUAL :
	     ir->left->is_signed ? KCATCH_OP_LESS_S : KCATCH_OP_LESS;
	if (ir->op == IR_GE) {
		yes = no;
		no = swap;
	}
	emit(e, taking(op, &operand), yes, no, unknown_of(&operand, unknown));
	forget(e, word);
	e->unknown = outer;
}

static void compare_text(struct emitter *e, const struct ir *ir, int yes, int no, int unknown)
{
	struct kcatch_op op = { .op = KCATCH_OP_TEXT, .from = KCATCH_FROM_COMM };

	if (ir->item != IR_NO_ITEM) {
		op.from = KCATCH_FROM_FIELD;
		op.index = (uint8_t)ir->item;
		op.offset = e->condition->items[ir->item].place;
	} else if (!e->condition->recorded) {
		unknown = EMIT_UNKNOWN;		/* the command is always there */
	}
	op.fit = ir->glob ? KCATCH_TEXT_PATTERN : ir->prefix ? KCATCH_TEXT_PREFIX : 0;
	/* A pattern with its null byte. */
	op.a = emit_text(e, ir->text, ir->length + ir->glob);
	op.b = ir->length;
	emit(e, op, yes, no, unknown);
}

/* ---- truth values -------------------------------------------------------------------- */

/* The operands of a && b && c, however they are enclosed. @to: NULL: they are only counted. */
static uint32_t list_of(const struct ir *ir, enum ir_op op, const struct ir **to)
{
	uint32_t nr;

	if (ir->op != op) {
		if (to)
			*to = ir;
		return 1;
	}
	nr = list_of(ir->left, op, to);
	return nr + list_of(ir->right, op, to ? to + nr : NULL);
}

/*
 * a && b && c, or a || b || c. Behind one that is unknown the others are asked all the same, by
 * code of their own: one of them decides (false && ..), or the result is unknown.
 */
static void all_of(struct emitter *e, const struct ir *ir, int yes, int no, int unknown)
{
	bool all = ir->op == IR_ALL;
	int end = all ? yes : no, decided = all ? no : yes, next, rest;
	uint32_t nr = list_of(ir, ir->op, NULL), i;
	const struct ir **list = kcatch_pieces_take(&e->condition->pieces, nr * sizeof(*list));
	int *rests = kcatch_pieces_take(&e->condition->pieces, (nr + 1) * sizeof(*rests));

	if (!list || !rests) {
		e->error = e->error ? e->error : -ENOMEM;
		return;
	}
	list_of(ir, ir->op, list);
	for (i = 0; i < nr; i++)
		rests[i] = emit_label(e);
	rests[nr] = unknown;
	for (i = 0; i < nr; i++) {
		next = i + 1 < nr ? emit_label(e) : end;
		/* If the unknown leads where one of them does, the others are not asked twice. */
		rest = end == unknown ? next : decided == unknown ? unknown : rests[i + 1];
		truth(e, list[i], all ? next : decided, all ? decided : next, rest);
		if (i + 1 < nr)
			emit_here(e, next);
	}
	for (i = 1; i < nr; i++) {
		if (!emit_is_used(e, rests[i]))
			continue;
		emit_here(e, rests[i]);
		truth(e, list[i], all ? rests[i + 1] : decided, all ? decided : rests[i + 1],
		      rests[i + 1]);
	}
}

static void truth(struct emitter *e, const struct ir *ir, int yes, int no, int unknown)
{
	int middle, other;

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
		all_of(e, ir, yes, no, unknown);
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
		compare_text(e, ir, yes, no, unknown);
		break;
	default:
		compare(e, ir, yes, no, unknown);
	}
}

/* ---- what is loaded ----------------------------------------------------------------- */

/* From an address that is not known it is not either: nothing can be read at 0. */
static void load_computed(struct emitter *e, const struct item *item, uint8_t index)
{
	struct kcatch_op made = {
		.op = KCATCH_OP_LOAD, .index = index, .offset = item->place, .a = item->bytes
	};
	int end = emit_label(e);

	e->unknown = emit_label(e);
	number(e, item->address);
	emit(e, made, EMIT_NONE, EMIT_NONE, EMIT_NONE);
	if (emit_is_used(e, e->unknown)) {
		emit_go(e, end);
		emit_here(e, e->unknown);
		compute_const(e, KCATCH_OP_SET, 0, 0);
		made.a = 1;
		emit(e, made, EMIT_NONE, EMIT_NONE, EMIT_NONE);
	}
	emit_here(e, end);
	e->unknown = EMIT_UNKNOWN;
}

/* An address may depend on what was loaded before. */
static void load_all_computed(struct emitter *e)
{
	const struct condition *c = e->condition;
	uint32_t i;

	for (i = 0; i < c->nr_items; i++)
		if (c->items[i].address)
			load_computed(e, &c->items[i], (uint8_t)i);
}

int condition_encode_entry(struct condition *c, const struct ir *first, const struct ir *ir,
			   struct kcatch_op **code, uint32_t *nr)
{
	struct emitter e;
	int next;

	emit_begin(&e, c);
	if (first && !e.error) {
		next = emit_label(&e);
		truth(&e, first, next, EMIT_NO, EMIT_UNKNOWN);
		emit_here(&e, next);
	}
	if (!e.error)
		load_all_computed(&e);
	if (ir && !e.error)
		truth(&e, ir, EMIT_YES, EMIT_NO, EMIT_UNKNOWN);
	else
		emit_go(&e, EMIT_YES);
	return emit_finish(&e, code, nr);
}

int condition_encode(struct condition *c, const struct ir *ir, struct kcatch_op **code,
		     uint32_t *nr)
{
	struct emitter e;

	emit_begin(&e, c);
	if (!e.error)
		truth(&e, ir, EMIT_YES, EMIT_NO, EMIT_UNKNOWN);
	return emit_finish(&e, code, nr);
}

/* ---- words of counts ---------------------------------------------------------------- */

bool condition_is_word(struct condition *c, const struct ir *number, struct kcatch_part *part)
{
	const struct emitter e = { .condition = c };
	struct operand operand;

	if (!operand_of(&e, number, &operand) || operand.from == KCATCH_FROM_CONST)
		return false;
	*part = (struct kcatch_part){
		.kind = KCATCH_PART_WORD, .from = operand.from, .index = operand.index,
		.left = operand.left, .offset = operand.offset,
		.right = operand.right | (operand.is_signed ? KCATCH_RIGHT_SIGNED : 0),
	};
	return true;
}

/* Whether a word may be not known is seen when it is computed. */
static void put_word(struct emitter *e, const struct word_ir *word, uint32_t marks)
{
	const struct operand text = { .from = KCATCH_FROM_FIELD, .index = (uint8_t)word->item,
				      .may_fail = true };
	struct kcatch_op out = { .op = KCATCH_OP_OUT, .index = word->out };
	struct kcatch_op mark = { .op = KCATCH_OP_MARK,
				  .index = (uint8_t)marks,
				  .a = 1ULL << word->mark };
	int next = emit_label(e);

	e->unknown = marks == KCATCH_OUTS_MAX ? EMIT_UNKNOWN : emit_label(e);
	if (word->number)
		number(e, word->number);
	else
		compute(e, KCATCH_OP_SET, &text, 0);
	if (word->is_put)
		emit(e, out, EMIT_NONE, EMIT_NONE, EMIT_NONE);
	if (emit_is_used(e, e->unknown) && e->unknown != EMIT_UNKNOWN) {
		emit_go(e, next);
		emit_here(e, e->unknown);
		emit(e, mark, EMIT_NONE, EMIT_NONE, EMIT_NONE);
	}
	emit_here(e, next);
}

int condition_encode_words(struct condition *c, const struct word_ir *words, uint32_t nr_words,
			   uint32_t marks, struct kcatch_op **code, uint32_t *nr)
{
	struct emitter e;
	uint32_t i;

	emit_begin(&e, c);
	/* Live, the code of the entry has loaded it. */
	if (c->recorded && !e.error)
		load_all_computed(&e);
	for (i = 0; i < nr_words; i++)
		if (words[i].number || words[i].item != IR_NO_ITEM)
			put_word(&e, &words[i], marks);
	emit_go(&e, EMIT_YES);
	return emit_finish(&e, code, nr);
}
