// SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1
/*
 * The checker of the code of conditions: what it passes can be run, and looks at nothing but what
 * it may. The code is from user space, and hostile.
 */
#include "code/code.h"

/* What is set on every way to an operation: a bit for each saved word, and one for acc. */
#define ACC		(1U << KCATCH_SAVED_MAX)
#define ALL		(ACC | (ACC - 1))

/* What an operation has, besides @op. */
enum has {
	SOURCE = 1 << 0,	/* @from and what belongs to it */
	RIGHT = 1 << 1,
	FIT = 1 << 2,
	A = 1 << 3,
	B = 1 << 4,
	YES = 1 << 5,
	NO = 1 << 6,
	INDEX = 1 << 7,		/* @index is not the source's */
	TAKES_ACC = 1 << 8,
	SETS_ACC = 1 << 9,
	ENDS = 1 << 10,		/* it does not go on at the next one */
	MAY_FAIL = 1 << 11,	/* @unknown, whatever the source is */
};

#define TEST	(SOURCE | YES | NO | ENDS)
#define VALUE	(SOURCE | RIGHT | FIT | SETS_ACC)
#define COMPUTE	(VALUE | TAKES_ACC)

static const __u16 has_of[KCATCH_OPS] = {
	[KCATCH_OP_GO] = YES | ENDS,
	[KCATCH_OP_RANGE] = TEST | A | B,
	[KCATCH_OP_BITS] = TEST | RIGHT | A | B,
	[KCATCH_OP_EQUAL] = TEST | RIGHT | TAKES_ACC,
	[KCATCH_OP_LESS] = TEST | RIGHT | TAKES_ACC,
	[KCATCH_OP_LESS_S] = TEST | RIGHT | TAKES_ACC,
	[KCATCH_OP_TEXT] = TEST | FIT | A | B | MAY_FAIL,
	[KCATCH_OP_SET] = VALUE,
	[KCATCH_OP_ADD] = COMPUTE,
	[KCATCH_OP_SUB] = COMPUTE,
	[KCATCH_OP_MUL] = COMPUTE,
	[KCATCH_OP_DIV] = COMPUTE | MAY_FAIL,
	[KCATCH_OP_DIV_S] = COMPUTE | MAY_FAIL,
	[KCATCH_OP_MOD] = COMPUTE | MAY_FAIL,
	[KCATCH_OP_MOD_S] = COMPUTE | MAY_FAIL,
	[KCATCH_OP_AND] = COMPUTE,
	[KCATCH_OP_OR] = COMPUTE,
	[KCATCH_OP_XOR] = COMPUTE,
	[KCATCH_OP_SHL] = COMPUTE,
	[KCATCH_OP_SHR] = COMPUTE,
	[KCATCH_OP_SAR] = COMPUTE,
	[KCATCH_OP_SAVE] = INDEX | TAKES_ACC,
	[KCATCH_OP_OUT] = INDEX | TAKES_ACC,
	[KCATCH_OP_MARK] = INDEX | A,
	[KCATCH_OP_LOAD] = INDEX | A | TAKES_ACC,
};

/* Is nothing set that the operation does not have? */
static bool is_plain(const struct kcatch_op *op, __u32 has)
{
	bool is_const = op->from == KCATCH_FROM_CONST;

	return !op->reserved && !op->reserved2 && (has & SOURCE || (!op->from && !op->left)) &&
	       (has & RIGHT || !op->right) && (has & FIT || !op->fit) &&
	       (has & A || is_const || !op->a) && (has & B || !op->b) && (has & YES || !op->yes) &&
	       (has & NO || !op->no) &&
	       (op->from == KCATCH_FROM_FIELD || op->op == KCATCH_OP_LOAD || !op->offset);
}

static bool is_shift(__u8 right)
{
	return !(right & ~(63 | KCATCH_RIGHT_SIGNED));
}

static bool check_text(const struct kcatch_op *op, const struct kcatch_code_limits *limits)
{
	__u64 room = op->from == KCATCH_FROM_COMM ? 16 : limits->fields - op->offset;
	__u64 size = op->b + !(op->fit & KCATCH_TEXT_PREFIX);

	if (op->from != KCATCH_FROM_COMM && op->from != KCATCH_FROM_FIELD)
		return false;
	if (op->left || op->b > limits->texts || op->a > limits->texts - op->b)
		return false;
	if (op->fit == KCATCH_TEXT_PATTERN)
		return limits->recorded;
	/* How much there is of a text in a recording is seen when it is read. */
	return op->fit <= KCATCH_TEXT_PREFIX && (limits->recorded || size <= room);
}

static bool check_field(const struct kcatch_op *op, const struct kcatch_code_limits *limits)
{
	return op->index < limits->items && !(op->offset & 7) && op->offset < limits->fields &&
	       limits->fields - op->offset >= 8;
}

/* @set: what is set on every way */
static bool check_source(const struct kcatch_op *op, __u32 has,
			 const struct kcatch_code_limits *limits, __u32 set)
{
	bool is_text = op->op == KCATCH_OP_TEXT;

	if (!is_text && (op->left > 63 || !is_shift(op->right) || !is_shift(op->fit)))
		return false;
	switch (op->from) {
	case KCATCH_FROM_CONST:
		return !op->index && !(has & A);
	case KCATCH_FROM_ACC:
		return !op->index && set & ACC;
	case KCATCH_FROM_SAVED:
		return op->index < KCATCH_SAVED_MAX && set >> op->index & 1;
	case KCATCH_FROM_ARG:
		return op->index < 6;
	case KCATCH_FROM_FIELD:
		return check_field(op, limits);
	case KCATCH_FROM_COMM:
		return !op->index && is_text;
	case KCATCH_FROM_RET:
	case KCATCH_FROM_LATENCY:
	case KCATCH_FROM_PID:
	case KCATCH_FROM_TID:
	case KCATCH_FROM_CPU:
	case KCATCH_FROM_UID:
	case KCATCH_FROM_ONCPU:
	case KCATCH_FROM_RUNNABLE:
	case KCATCH_FROM_BLOCKED:
	case KCATCH_FROM_SWITCHES:
		return !op->index;
	}
	return false;
}

static bool check_load(const struct kcatch_op *op, const struct kcatch_code_limits *limits)
{
	return check_field(op, limits) && (limits->recorded || !limits->outs) &&
	       (op->a <= 2 || op->a == 4 || op->a == 8);
}

static bool check_index(const struct kcatch_op *op, const struct kcatch_code_limits *limits)
{
	if (op->op == KCATCH_OP_LOAD)
		return check_load(op, limits);
	return op->index < (op->op == KCATCH_OP_SAVE ? KCATCH_SAVED_MAX : limits->outs);
}

/* Notes at the operation that an exit leads to what is set there. False: it leads back, or out. */
static bool check_leave(__u16 *set, __u32 nr, __u32 from, __u32 exit, __u32 now)
{
	if (exit < KCATCH_EXIT_OP)
		return true;
	exit -= KCATCH_EXIT_OP;
	if (exit <= from || exit >= nr)
		return false;
	set[exit] &= now;
	return true;
}

static bool check_op(const struct kcatch_op *op, const struct kcatch_code_limits *limits,
		     __u16 *set, __u32 nr, __u32 at)
{
	__u32 has, now = set[at];
	bool may_fail;

	if (op->op >= KCATCH_OPS)
		return false;
	has = has_of[op->op];
	may_fail = has & MAY_FAIL || op->from == KCATCH_FROM_FIELD ||
		   KCATCH_FROM_IS_OFF_CPU(op->from) ||
		   (limits->recorded && op->from >= KCATCH_FROM_ARG);
	if (!is_plain(op, has) || (!may_fail && op->unknown) || (has & TAKES_ACC && !(now & ACC)))
		return false;
	if (has & SOURCE ? !check_source(op, has, limits, now) :
			   !(has & INDEX ? check_index(op, limits) : !op->index))
		return false;
	if (op->op == KCATCH_OP_TEXT && !check_text(op, limits))
		return false;
	if (op->op == KCATCH_OP_SAVE)
		now |= 1U << op->index;
	if (!check_leave(set, nr, at, op->unknown, now) ||
	    !check_leave(set, nr, at, op->yes, now) || !check_leave(set, nr, at, op->no, now))
		return false;
	if (has & SETS_ACC)
		now |= ACC;
	return has & ENDS || check_leave(set, nr, at, at + 1 + KCATCH_EXIT_OP, now);
}

bool kcatch_code_check(const struct kcatch_op *ops, __u32 nr,
		       const struct kcatch_code_limits *limits, __u32 *sources, __u32 *bad)
{
	__u16 set[KCATCH_OPS_MAX];
	__u32 i;

	*sources = 0;
	*bad = 0;
	if (!nr || nr > KCATCH_OPS_MAX)
		return false;
	set[0] = 0;
	for (i = 1; i < nr; i++)
		set[i] = ALL;
	for (i = 0; i < nr; i++) {
		*bad = i;
		if (!check_op(&ops[i], limits, set, nr, i))
			return false;
		*sources |= 1U << ops[i].from;
		if (ops[i].op == KCATCH_OP_LOAD)
			*sources |= KCATCH_CODE_LOADS;
	}
	return true;
}
