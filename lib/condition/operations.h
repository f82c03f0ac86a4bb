/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * operations.h - collects the operations of a code (uapi/kcatch_code.h), with labels for its exits
 *
 * Private to the compiler. After an error, which the emitter keeps, all functions do nothing.
 */
#ifndef LIB_CONDITION_OPERATIONS_H
#define LIB_CONDITION_OPERATIONS_H

#include "condition/ir.h"

#define EMIT_MAX 16384U		/* operations before those that nothing leads to are dropped */

/* Labels that every code has; others are made by emit_label(). */
enum emit_result {
	EMIT_NO = KCATCH_EXIT_NO,
	EMIT_YES = KCATCH_EXIT_YES,
	EMIT_UNKNOWN = KCATCH_EXIT_UNKNOWN,
	EMIT_RESULTS,
	EMIT_NONE = -1,
};

/* An operation whose exits are labels. */
struct emitted {
	struct kcatch_op op;
	int yes, no, unknown;	/* EMIT_NONE: it has none */
	bool needed;		/* an exit leads here, or the operation before does */
	uint32_t position;	/* in the final code */
};

struct emitter {
	struct condition *condition;
	struct emitted *emitted;
	uint32_t nr, room;
	uint32_t *labels;	/* index in @emitted of the operation behind the label */
	uint32_t nr_labels, labels_room;
	uint32_t labelled;	/* a label was placed in front of this operation last */
	uint32_t saved;		/* bit i: saved word i is in use */
	int unknown;		/* label of a number that is not known */
	uint32_t at;		/* offset in the condition, for error messages */
	int error;		/* -errno of the first error; its text is set */
};

void emit_begin(struct emitter *e, struct condition *c);
/* @yes, @no, @unknown: labels; EMIT_NONE: the operation does not leave by that exit. */
void emit(struct emitter *e, struct kcatch_op op, int yes, int no, int unknown);
void emit_go(struct emitter *e, int label);
int emit_label(struct emitter *e);			/* make a label without a place */
void emit_here(struct emitter *e, int label);		/* place it at the next operation */
bool emit_is_used(const struct emitter *e, int label);	/* does an exit lead to it? */
/* The operation emitted last, if nothing but it leads to the next one; else NULL. */
struct kcatch_op *emit_last(struct emitter *e);
uint8_t emit_save(struct emitter *e);			/* save acc; the number of the word */
void emit_free(struct emitter *e, uint8_t word);	/* it is not needed any more */
/* The byte of the condition's texts where @text is, which has @length bytes. */
uint32_t emit_text(struct emitter *e, const char *text, size_t length);
/*
 * The code: allocated with malloc(). The emitter is done with. Returns 0 or -errno, with an error
 * text.
 */
int emit_finish(struct emitter *e, struct kcatch_op **code, uint32_t *nr);

#endif
