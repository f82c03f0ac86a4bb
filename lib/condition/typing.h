/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* typing.h - the terms of a condition while types are assigned */
#ifndef LIB_CONDITION_TYPING_H
#define LIB_CONDITION_TYPING_H

#include "condition/ir.h"

enum term_kind {
	TERM_NUMBER,	/* @ir */
	TERM_POINTER,	/* @ir, to @type; @chain leads to its value, if anything does */
	TERM_PLACE,	/* something of @type, not fetched yet: at @place */
	TERM_TEXT,	/* a literal: @text, @length */
	TERM_COMM,
	TERM_TRUTH,	/* @ir */
	TERM_ARGUMENTS,	/* "arg", before its dot */
	TERM_RECORDED,	/* a text of a record, which @chain says */
};

enum place_kind {
	PLACE_MEMORY,	/* from the address that @chain gives */
	PLACE_REGISTERS,	/* argument registers from @first on */
	PLACE_STACK,	/* words of the stack from byte @first on */
	PLACE_RETURN,	/* the return register */
	PLACE_RECORDED,	/* words of argument @first of the plan */
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
	bool glob;	/* @text is a pattern */
};

/*
 * Where a chain begins that is followed in a record. @size of the step: which argument or
 * field; @offset: byte of it.
 */
enum recorded_op {
	RECORDED_ARG = 128,
	RECORDED_FIELD,		/* of a DO_TRACE event */
	RECORDED_SUMMARY,	/* what a pointer is called: a file's path */
	RECORDED_TIME,
	RECORDED_EVENT,
	RECORDED_FUNCTION,
	RECORDED_CALLER,
};

/* term.c: reading. 0 or -errno with a text. */
int term_error(struct condition *c, int error, uint32_t at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* What stands at a place becomes a number or a pointer, an array a pointer. */
int term_read(struct condition *c, struct term *term);
/* What has an address and no number yet, an array or the current task, gets it. */
int term_value(struct condition *c, struct term *term);
/* The steps to the address that a pointer holds. */
int term_address(struct condition *c, struct term *term, const struct chain **chain);
int term_truth(struct condition *c, struct term *term, const struct ir **ir);
/* An item for the text it points to. */
int term_text(struct condition *c, struct term *term, const struct term *literal, bool prefix,
	      const struct ir **ir);
bool term_is_text(struct term *term);

/* lookup.c: names. */
int lookup_name(struct condition *c, const struct kcatch_expression_node *node,
		struct term *term);
int lookup_argument(struct condition *c, const struct kcatch_expression_node *node,
		    struct term *term);
/* An argument of @proto; the place of the first of all when @name is NULL. */
bool lookup_find_argument(struct condition *c, const char *name, struct term *term);
/* event_names.c: of an event. Whether the name is known; then *ret is 0 or -errno. */
bool lookup_event(struct condition *c, const struct kcatch_expression_node *node,
		  struct term *term, int *ret);
/* syscall_number.c: an argument of one. */
bool lookup_syscall(struct condition *c, const struct kcatch_expression_node *node,
		    struct term *term);
struct kcatch_suggest;
void offer_syscall(const struct condition *c, struct kcatch_suggest *suggest, char *list,
		   size_t room);
int lookup_no_event(struct condition *c, const struct kcatch_expression_node *node);
int lookup_member(struct condition *c, const struct kcatch_expression_node *node,
		  struct kcatch_type type, struct kcatch_member *member);
int lookup_type(struct condition *c, const struct kcatch_expression_node *node,
		struct kcatch_type *type, unsigned int *bits, bool *is_signed);
/* kernel_names.c: the address of what the kernel calls by that name. With @functions
 * -ENOENT, without a text, when that is no function. */
int condition_symbol(struct condition *c, const struct kcatch_expression_node *node,
		     bool functions, struct term *term);
/* recorded.c: the same questions, about what a recording has. */
bool recorded_argument(struct condition *c, const char *name, struct term *term);
int recorded_register(struct condition *c, const struct kcatch_expression_node *node,
		      unsigned int number, struct term *term);
int recorded_field(struct condition *c, uint32_t index, struct term *term);
int recorded_current(struct condition *c, const struct kcatch_expression_node *node,
		     struct term *term);
bool recorded_name(struct condition *c, const char *name, struct term *term, int *ret);
int recorded_symbol(struct condition *c, const struct kcatch_expression_node *node,
		    bool functions, struct term *term);
/* A pointer that has a text of its own becomes that. Whether it has. */
bool recorded_summary(struct condition *c, struct term *term);
int recorded_no_argument(struct condition *c, const struct kcatch_expression_node *node);
/* A value of any enum of the kernel. */
bool condition_enumerator(struct condition *c, const char *name, struct kcatch_member *member);
void note_enum(struct condition *c, struct kcatch_type type);

#endif
