/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* condition_type.h - what a part of a condition stands for, while types are found */
#ifndef LIB_CONDITION_TYPE_H
#define LIB_CONDITION_TYPE_H

#include "condition_ir.h"

enum term_kind {
	TERM_NUMBER,	/* @ir */
	TERM_POINTER,	/* @ir, to @type; @chain leads to its value, if anything does */
	TERM_PLACE,	/* something of @type, not fetched yet: at @place */
	TERM_TEXT,	/* a literal: @text, @length */
	TERM_COMM,
	TERM_TRUTH,	/* @ir */
	TERM_ARGUMENTS,	/* "arg", before its dot */
};

enum place_kind {
	PLACE_MEMORY,	/* from the address that @chain gives */
	PLACE_REGISTERS,	/* argument registers from @first on */
	PLACE_STACK,	/* words of the stack from byte @first on */
	PLACE_RETURN,	/* the return register */
};

/**
 * struct place - where a value is
 * @bit_offset: from there
 * @bit_size: of a bitfield; else 0
 */
struct place {
	enum place_kind kind;
	const struct chain *chain;
	uint32_t first;
	int64_t bit_offset;
	uint32_t bit_size;
};

struct term {
	enum term_kind kind;
	uint32_t at;
	const struct ir *ir;
	struct kcatch_type type;
	struct place place;
	const struct chain *chain;
	const char *text;
	size_t length;
};

/* condition_term.c: reading. 0 or -errno with a text. */
int term_error(struct condition *c, int error, uint32_t at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* What stands at a place becomes a number or a pointer, an array a pointer. */
int term_read(struct condition *c, struct term *term);
/* The steps to the address that a pointer holds. */
int term_address(struct condition *c, struct term *term, const struct chain **chain);
int term_truth(struct condition *c, struct term *term, const struct ir **ir);
/* An item for the text it points to. */
int term_text(struct condition *c, struct term *term, const struct term *literal, bool prefix,
	      const struct ir **ir);
bool term_is_text(struct term *term);

/* condition_lookup.c: names. */
int lookup_name(struct condition *c, const struct kcatch_expression_node *node,
		struct term *term);
int lookup_argument(struct condition *c, const struct kcatch_expression_node *node,
		    struct term *term);
/* An argument of @proto; the place of the first of all when @name is NULL. */
bool lookup_find_argument(struct condition *c, const char *name, struct term *term);
/* condition_event.c: of an event. Whether the name is known; then *ret is 0 or -errno. */
bool lookup_event(struct condition *c, const struct kcatch_expression_node *node,
		  struct term *term, int *ret);
/* condition_syscall.c: an argument of one. */
bool lookup_syscall(struct condition *c, const struct kcatch_expression_node *node,
		    struct term *term);
struct kcatch_suggest;
void offer_syscall(const struct condition *c, struct kcatch_suggest *suggest, char *list, size_t room);
int lookup_no_event(struct condition *c, const struct kcatch_expression_node *node);
int lookup_member(struct condition *c, const struct kcatch_expression_node *node,
		  struct kcatch_type type, struct kcatch_member *member);
int lookup_type(struct condition *c, const struct kcatch_expression_node *node,
		struct kcatch_type *type, unsigned int *bits, bool *is_signed);
/* condition_symbol.c: the address of what the kernel calls by that name. With @functions
 * -ENOENT, without a text, when that is no function. */
int condition_symbol(struct condition *c, const struct kcatch_expression_node *node,
		     bool functions, struct term *term);
/* A value of any enum of the kernel. */
bool condition_enumerator(struct condition *c, const char *name, struct kcatch_member *member);
void note_enum(struct condition *c, struct kcatch_type type);

#endif
