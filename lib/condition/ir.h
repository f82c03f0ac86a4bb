/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * ir.h - intermediate representation of the condition compiler: a tree of simple operations
 *
 * Numbers have 32 or 64 bits (@wide) and are signed or unsigned; both operands of an operation
 * have its width. Truth values are comparisons and the results of && || !.
 */
#ifndef LIB_CONDITION_IR_H
#define LIB_CONDITION_IR_H

#include "condition/condition.h"

enum ir_op {
	IR_CONST,		/* @number */
	IR_LOAD,		/* word (or two) of struct kcatch_condition: at @offset,
	or of @item */
	IR_CONVERT,		/* left, in another width or signedness; extended as left is */
	IR_EXTEND,		/* low @bits (below 32) of left, extended as @is_signed; 32 bits */
	IR_NEGATE,
	IR_INVERT,
	IR_MUL,
	IR_DIV,
	IR_MOD,
	IR_ADD,
	IR_SUB,
	IR_SHL,			/* right: 32 bits */
	IR_SHR,
	IR_AND,
	IR_XOR,
	IR_OR,
	IR_VALUE,		/* of the truth left: 0 or 1, 32 bits */
	IR_CHOOSE,		/* right where the truth left holds, else third: of one type */
	/* truths */
	IR_EQ,
	IR_GT,			/* signed when left is */
	IR_GE,
	IR_TEXT,		/* the text at @offset or @item is @text, @length bytes */
	IR_NOT,
	IR_ALL,
	IR_ANY,
	IR_EITHER,		/* the truth right where left holds, else the truth third */
	IR_UNREADABLE_IS_FALSE,	/* left, if all of @faults could be read; else false */
};

#define IR_NO_ITEM (-1)

/**
 * struct ir - one operation
 * @at: of the source text
 * @item: number of the item; IR_NO_ITEM: @offset counts from the struct's start
 * @offset: else from the item's
 * @faults: items that this number was computed from; IR_CHOOSE looks at those of the
 *	arm that is chosen itself and has none
 * @at_return: known at the return only
 * @prefix: IR_TEXT: only the beginning
 * @glob: IR_TEXT: @text is a pattern; of recordings alone
 */
struct ir {
	enum ir_op op;
	bool wide;
	bool is_signed;
	bool at_return;
	bool prefix;
	bool glob;
	uint8_t bits;
	uint32_t at;
	int32_t item;
	uint32_t offset;
	uint64_t number;
	uint64_t faults;
	const char *text;
	size_t length;
	const struct ir *left;
	const struct ir *right;
	const struct ir *third;
};

/* Steps that lead to an address, the last one first. */
struct chain {
	const struct chain *before;
	struct kcatch_step step;
	uint32_t length;
};

/* What is put into struct kcatch_condition.fields. */
struct item {
	const struct chain *chain;
	uint32_t size;		/* of a text; 0: a number */
	uint32_t offset;	/* of struct kcatch_condition; known when all items are */
};

/* One compilation. */
struct condition {
	const struct kcatch_expression *expression;
	struct kcatch_types *types;
	struct kcatch_type proto;
	bool returns;
	/* Of an event: the first parameter of @proto is not its; or a DO_TRACE event. */
	bool tracepoint;
	const struct kcatch_event_info *info;
	/* Of one system call: which, and its arguments; else NULL. */
	const struct kcatch_syscall_event *syscall;
	const struct kcatch_plan *plan;
	/* Of a recording: what its records hold, and nothing is compiled; else NULL. */
	const struct kcatch_recorded_probe *recorded;
	struct kcatch_pieces pieces;
	struct item items[KCATCH_ITEMS_MAX];
	uint32_t nr_items;
	/* Enums that were met, for the names of their values; and whether to look again
	 * since there was a name that none of those met before has. */
	struct kcatch_type enums[32];
	uint32_t nr_enums;
	bool last_pass;
	bool wants_function;	/* what is looked up is compared with a function's address */
	bool unknown_name;
};

/* ir.c. What an operation comes to, for constants and for the evaluator alike: numbers as
 * a register of their type holds them, extended to 64 bits. A divisor is not 0. */
uint64_t ir_fit(uint64_t number, bool wide, bool is_signed);
uint64_t ir_low_bits(uint64_t number, unsigned int bits, bool is_signed);
uint64_t ir_compute(const struct ir *ir, uint64_t a, uint64_t b);
/* All others return NULL when memory is short. */
const struct ir *ir_make(struct condition *c, struct ir ir);
const struct ir *ir_const(struct condition *c, uint64_t number, bool wide, bool is_signed);
const struct ir *ir_convert(struct condition *c, const struct ir *left, bool wide,
			    bool is_signed);
const struct ir *ir_extend(struct condition *c, const struct ir *left, unsigned int bits,
			   bool is_signed);
const struct ir *ir_unary(struct condition *c, enum ir_op op, const struct ir *left);
const struct ir *ir_binary(struct condition *c, enum ir_op op, const struct ir *left,
			   const struct ir *right);
/* @op: KCATCH_EX_LT..KCATCH_EX_NE. False where something could not be read. */
const struct ir *ir_compare(struct condition *c, enum kcatch_expression_op op,
			    const struct ir *left, const struct ir *right);
const struct ir *ir_truth(struct condition *c, enum ir_op op, const struct ir *left,
			  const struct ir *right);
/* @op: IR_CHOOSE, whose arms are of one type, or IR_EITHER. */
const struct ir *ir_choose(struct condition *c, enum ir_op op, const struct ir *truth,
			   const struct ir *right, const struct ir *third);

/* place.c: steps and items. */
const struct chain *chain_step(struct condition *c, const struct chain *before, uint8_t op,
			       uint8_t arg, uint16_t size, int32_t offset);
/* The item's number; -E2BIG, an error text is not set; -ENOMEM. @size: see struct item. */
int item_find(struct condition *c, const struct chain *chain, uint32_t size);
/* All items' steps. 0, -E2BIG, -ENOMEM. Sets their offsets. */
int items_finish(struct condition *c, struct kcatch_step **steps, uint32_t *nr);

/* typing.c: @root becomes a truth. 0 or -errno. */
int condition_type(struct condition *c, const struct kcatch_expression_node *root,
		   const struct ir **truth);
/* That it is the system call which is meant. */
int condition_syscall(struct condition *c, const struct ir **truth);
/* The same, with names of enums that are met further right. */
int condition_type_twice(struct condition *c, const struct ir **truth);
/* What it means that the call failed. */
int condition_fails(struct condition *c, unsigned int fails, const struct ir **truth);

/* constants.c: a constant that everyone knows. */
bool constant_find(const char *name, int64_t *value);
void constant_offer_all(void (*offer)(void *arg, const char *name), void *arg);

/* codegen.c: instructions that return 1 where @truth holds, else 0. */
int condition_code(struct condition *c, const struct ir *truth, struct sock_filter **code,
		   uint32_t *nr);

#endif
