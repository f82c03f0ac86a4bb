/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * expression.h - parses the text of a condition into a tree, without meaning yet
 *
 * language.h describes the language. A tree is made by one call, never changes, and serves any
 * number of functions, for one thread at a time.
 */
#ifndef LIB_CONDITION_EXPRESSION_H
#define LIB_CONDITION_EXPRESSION_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KCATCH_EXPRESSION_LENGTH 8192U	/* bytes of a text */
#define KCATCH_EXPRESSION_NESTING 100U	/* parentheses and signs in each other */
#define KCATCH_EXPRESSION_HEIGHT 1000U	/* of the tree: a || b || c ... */

enum kcatch_expression_op {
	KCATCH_EX_NUMBER,	/* @number; @is_signed, @wide */
	KCATCH_EX_TEXT,		/* @text, @length */
	KCATCH_EX_NAME,		/* @text */
	KCATCH_EX_ADDRESS,	/* & @text */
	KCATCH_EX_MEMBER,	/* left . @text */
	KCATCH_EX_ARROW,	/* left -> @text */
	KCATCH_EX_INDEX,	/* left [ right ] */
	KCATCH_EX_DEREF,	/* * left */
	KCATCH_EX_CAST,		/* (@text and @number stars) left */
	KCATCH_EX_NEGATE,
	KCATCH_EX_INVERT,
	KCATCH_EX_NOT,
	KCATCH_EX_MUL,		/* from here on: two operands */
	KCATCH_EX_DIV,
	KCATCH_EX_MOD,
	KCATCH_EX_ADD,
	KCATCH_EX_SUB,
	KCATCH_EX_SHL,
	KCATCH_EX_SHR,
	KCATCH_EX_LT,
	KCATCH_EX_LE,
	KCATCH_EX_GT,
	KCATCH_EX_GE,
	KCATCH_EX_EQ,
	KCATCH_EX_NE,
	KCATCH_EX_MATCH,	/* left ~ right */
	KCATCH_EX_AND,
	KCATCH_EX_XOR,
	KCATCH_EX_OR,
	KCATCH_EX_ALL,		/* && */
	KCATCH_EX_ANY,		/* || */
	KCATCH_EX_CHOOSE,	/* left ? right : third */
};

/**
 * struct kcatch_expression_node - one operation
 * @op: KCATCH_EX_*
 * @is_signed: of a number
 * @wide: of a number: 64 bits
 * @enclosed: stood in parentheses
 * @height: of the tree below
 * @at: byte of the text that an error points to
 * @number: see the operations
 * @text: with an end mark; a text literal may hold no byte 0
 * @length: of @text
 * @left: first operand
 * @right: second
 * @third: of KCATCH_EX_CHOOSE
 */
struct kcatch_expression_node {
	enum kcatch_expression_op op;
	bool is_signed;
	bool wide;
	bool enclosed;
	uint32_t height;
	uint32_t at;
	uint64_t number;
	const char *text;
	size_t length;
	const struct kcatch_expression_node *left;
	const struct kcatch_expression_node *right;
	const struct kcatch_expression_node *third;
};

struct kcatch_expression;

/**
 * kcatch_expression_parse - read a condition
 * @text: what the user wrote, any bytes
 * @expression: the tree
 *
 * Return: 0, -EINVAL with a text that points at the place, -ENOMEM.
 */
int kcatch_expression_parse(const char *text, struct kcatch_expression **expression);

/**
 * kcatch_expression_destroy - forget it
 * @expression: may be NULL
 */
void kcatch_expression_destroy(struct kcatch_expression *expression);

/**
 * kcatch_expression_root - its tree
 * @expression: the expression
 *
 * Return: the root, which lives as long as @expression.
 */
const struct kcatch_expression_node *
kcatch_expression_root(const struct kcatch_expression *expression);

/**
 * kcatch_expression_uses_return - does it speak of ret or latency
 * @expression: the expression; NULL does not
 *
 * Return: whether the return has to be caught for it.
 */
bool kcatch_expression_uses_return(const struct kcatch_expression *expression);

/**
 * kcatch_expression_error - say what is wrong, with the text and a mark under the place
 * @expression: whose text
 * @error: errno
 * @at: byte of the text
 * @format: what is wrong; names in it are identifiers or went through kcatch_text_show()
 *
 * Return: -errno.
 */
int kcatch_expression_error(const struct kcatch_expression *expression, int error, size_t at,
			    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* ---- memory of a tree ---------------------------------------------------- */

/* Many small pieces that are given back together. */
struct kcatch_pieces {
	struct kcatch_piece *last;
};

/**
 * kcatch_pieces_take - zeroed memory
 * @pieces: zeroed at first
 * @size: bytes
 *
 * Return: the memory, NULL without (the error text is set).
 */
void *kcatch_pieces_take(struct kcatch_pieces *pieces, size_t size);

/**
 * kcatch_pieces_deinit - give all of it back
 * @pieces: from kcatch_pieces_take()
 */
void kcatch_pieces_deinit(struct kcatch_pieces *pieces);

/* ---- between expression.c and its lexer ---------------------------------------- */

enum kcatch_token_kind {
	KCATCH_TOKEN_END,
	KCATCH_TOKEN_NUMBER,
	KCATCH_TOKEN_TEXT,
	KCATCH_TOKEN_NAME,
	KCATCH_TOKEN_SIGN,
};

/**
 * struct kcatch_token - a word of the text
 * @kind: KCATCH_TOKEN_*
 * @at: where it begins
 * @end: where it ends
 * @sign: KCATCH_TOKEN_SIGN: "<=" is '<' | '=' << 8
 * @number: KCATCH_TOKEN_NUMBER
 * @is_signed: KCATCH_TOKEN_NUMBER
 * @wide: KCATCH_TOKEN_NUMBER
 * @text: KCATCH_TOKEN_TEXT: without quotes and escapes
 * @length: of @text
 */
struct kcatch_token {
	enum kcatch_token_kind kind;
	size_t at;
	size_t end;
	unsigned int sign;
	uint64_t number;
	bool is_signed;
	bool wide;
	const char *text;
	size_t length;
};

/**
 * struct kcatch_expression - a condition that was read
 * @text: a copy of what the user wrote
 * @pieces: memory of it all
 * @root: the tree
 */
struct kcatch_expression {
	const char *text;
	struct kcatch_pieces pieces;
	const struct kcatch_expression_node *root;
	struct kcatch_expression_symbols *symbols;	/* kernel_names.c's */
};

struct kcatch_expression_symbol;

/* What was asked of /proc/kallsyms already. */
struct kcatch_expression_symbols {
	struct kcatch_expression_symbol *first;
	struct kcatch_pieces pieces;
};

/**
 * kcatch_token_next - the next word
 * @expression: whose text; texts of tokens are put into its memory
 * @at: where to begin
 * @token: the word
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int kcatch_token_next(struct kcatch_expression *expression, size_t at, struct kcatch_token *token);

#endif
