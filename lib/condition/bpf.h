/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * bpf.h - emits classic BPF: instructions, scratch memory M[], labels, 64-bit arithmetic
 *
 * Private to the compiler. The machine has two 32-bit registers, A and X, and 16 words M[].
 * After an error, which the emitter keeps, all functions do nothing.
 */
#ifndef LIB_CONDITION_BPF_H
#define LIB_CONDITION_BPF_H

#include "condition/ir.h"

#define EMIT_MAX 16384U		/* instructions before jumps are resolved; bounds the memory */

enum half_kind {
	HALF_CONST,	/* the constant @k */
	HALF_DATA,	/* the word at byte @k of struct kcatch_condition */
	HALF_SCRATCH,	/* M[@k] */
};

/* Where a 32-bit word is. */
struct half {
	enum half_kind kind;
	uint32_t k;
};

/* Where a number is. It owns its scratch words until drop_number(). */
struct number {
	struct half low;
	struct half high;	/* HALF_CONST 0 if the number has 32 bits */
};

struct emitted {
	uint16_t code;
	uint32_t k;
	int yes, no;		/* labels of a jump; -1: none */
	bool far_yes, far_no;	/* the label is more than 255 instructions away */
	uint32_t position;	/* index in the final code */
};

struct emitter {
	struct condition *condition;
	struct emitted *emitted;
	uint32_t nr, room;
	uint32_t *labels;	/* index in @emitted of the instruction behind the label */
	uint32_t nr_labels, labels_room;
	uint32_t scratch;	/* bit i: M[i] is in use */
	int unreadable;		/* label of what is unknown; a division by zero jumps there, too */
	uint32_t at;		/* offset in the condition, for error messages */
	int error;		/* -errno of the first error; its text is set */
};

/* Instructions. @code and @k are those of struct sock_filter. */
void emit(struct emitter *e, uint16_t code, uint32_t k);
void emit_jump(struct emitter *e, uint16_t code, uint32_t k, int yes, int no);
void emit_go(struct emitter *e, int label);		/* jump always */
int emit_label(struct emitter *e);			/* make a label without a place */
void emit_here(struct emitter *e, int label);		/* place it at the next instruction */
/* Resolve all jumps. @code: allocated with malloc(). Returns 0 or -errno, with an error text. */
int emit_finish(struct emitter *e, struct sock_filter **code, uint32_t *nr);
void emit_too_complicated(struct emitter *e);		/* fail with -EINVAL */

/* The registers A and X, and scratch memory. */
void load_a(struct emitter *e, struct half half);	/* A = half */
void load_x(struct emitter *e, struct half half);	/* X = half; overwrites A for HALF_DATA */
/* A = A op half; overwrites X unless half is a constant. @half must not be HALF_DATA. */
void apply(struct emitter *e, uint16_t op, struct half half);
struct half store_a(struct emitter *e);			/* a new scratch word = A */
struct half take_scratch(struct emitter *e);		/* a new scratch word, uninitialized */
void drop(struct emitter *e, struct half half);		/* free a scratch word */
void drop_number(struct emitter *e, struct number number);

/* math.c, 64 bits: the operands' scratch words are freed; the result owns its own. */
struct number math_bits(struct emitter *e, uint16_t op, struct number a, struct number b);
struct number math_add(struct emitter *e, struct number a, struct number b);
struct number math_sub(struct emitter *e, struct number a, struct number b);
struct number math_mul(struct emitter *e, struct number a, struct number b);
struct number math_shl(struct emitter *e, struct number a, unsigned int count);
struct number math_shr(struct emitter *e, struct number a, unsigned int count, bool is_signed);
struct number math_divide(struct emitter *e, struct number a, unsigned int log2, bool is_signed,
			  bool modulo);
/* By any @k > 1 that math_can_divide(), rounding towards zero. */
struct number math_divide_by(struct emitter *e, struct number a, uint64_t k, bool is_signed,
			     bool modulo);
/* Whether all prime factors of @k > 0 are below 65536. */
bool math_can_divide(uint64_t k);
/* math.c, 32 bits: the result is in A; the operands stay valid. */
void math_divide_small(struct emitter *e, struct half a, struct half b, bool is_signed,
		       bool modulo);
void math_shr_signed(struct emitter *e, struct half a, struct half count);

static inline struct half half_const(uint32_t k)
{
	return (struct half){ .kind = HALF_CONST, .k = k };
}

#endif
