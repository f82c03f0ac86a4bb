/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* bpf.h - instructions of classic BPF: words, scratch memory, labels */
#ifndef LIB_CONDITION_BPF_H
#define LIB_CONDITION_BPF_H

#include "condition/ir.h"

#define EMIT_MAX 16384U		/* before KCATCH_BPF_MAX says no */

enum half_kind {
	HALF_CONST,	/* @k itself */
	HALF_DATA,	/* at byte @k of struct kcatch_condition */
	HALF_SCRATCH,	/* M[@k] */
};

/* 32 bits, and where they are. */
struct half {
	enum half_kind kind;
	uint32_t k;
};

/* A number: its scratch memory belongs to it. */
struct number {
	struct half low;
	struct half high;	/* CONST 0 when it has 32 bits */
};

struct emitted {
	uint16_t code;
	uint32_t k;
	int yes, no;		/* labels, of a jump; -1 else */
	bool far_yes, far_no;	/* further than 255 instructions */
	uint32_t position;
};

struct emitter {
	struct condition *condition;
	struct emitted *emitted;
	uint32_t nr, room;
	uint32_t *labels;	/* index of the instruction that they stand before */
	uint32_t nr_labels, labels_room;
	uint32_t scratch;	/* bit: M[] is in use */
	int unreadable;		/* label: where a division by zero goes */
	uint32_t at;		/* of the source text, for errors */
	int error;		/* the first; its text is set */
};

/* Instructions. After an error nothing is done. */
void emit(struct emitter *e, uint16_t code, uint32_t k);
void emit_jump(struct emitter *e, uint16_t code, uint32_t k, int yes, int no);
void emit_go(struct emitter *e, int label);
int emit_label(struct emitter *e);		/* a new one, nowhere yet */
void emit_here(struct emitter *e, int label);
int emit_finish(struct emitter *e, struct sock_filter **code, uint32_t *nr);
void emit_too_complicated(struct emitter *e);

/* A and X */
void load_a(struct emitter *e, struct half half);
void load_x(struct emitter *e, struct half half);	/* spoils A if half is DATA */
/* A op= half: K or X */
void apply(struct emitter *e, uint16_t op, struct half half);	/* half is no DATA */
struct half store_a(struct emitter *e);
struct half take_scratch(struct emitter *e);	/* nothing is in it yet */
void drop(struct emitter *e, struct half half);
void drop_number(struct emitter *e, struct number number);

/* math.c: 64 bits. Operands are used up, unless it says otherwise. */
struct number math_bits(struct emitter *e, uint16_t op, struct number a, struct number b);
struct number math_add(struct emitter *e, struct number a, struct number b);
struct number math_sub(struct emitter *e, struct number a, struct number b);
struct number math_mul(struct emitter *e, struct number a, struct number b);
struct number math_shl(struct emitter *e, struct number a, unsigned int count);
struct number math_shr(struct emitter *e, struct number a, unsigned int count, bool is_signed);
struct number math_divide(struct emitter *e, struct number a, unsigned int log2, bool is_signed,
			  bool modulo);
/* 32 bits, into A. @a and @b stay. */
void math_divide_small(struct emitter *e, struct half a, struct half b, bool is_signed,
		       bool modulo);
void math_shr_signed(struct emitter *e, struct half a, struct half count);

static inline struct half half_const(uint32_t k)
{
	return (struct half){ .kind = HALF_CONST, .k = k };
}

#endif
