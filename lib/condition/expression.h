/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * expression.h - parses the text of a condition into a syntax tree
 *
 * language.h describes the language. The tree has neither types nor resolved names: those depend
 * on the function. One tree serves any number of functions. No locks: one thread at a time uses
 * an expression, because looking up a kernel symbol adds to it.
 */
#ifndef LIB_CONDITION_EXPRESSION_H
#define LIB_CONDITION_EXPRESSION_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KCATCH_EXPRESSION_LENGTH 8192U	/* longest text, bytes */
#define KCATCH_EXPRESSION_NESTING 100U	/* nested parentheses and unary operators */
#define KCATCH_EXPRESSION_HEIGHT 1000U	/* height of the tree: a || b || c ... */

enum kcatch_expression_op {
	KCATCH_EX_NUMBER,	/* @number, with its type in @is_signed and @wide */
	KCATCH_EX_TEXT,		/* the literal @text, @length bytes */
	KCATCH_EX_NAME,		/* the name @text */
	KCATCH_EX_ADDRESS,	/* & @text */
	KCATCH_EX_MEMBER,	/* left . @text */
	KCATCH_EX_ARROW,	/* left -> @text */
	KCATCH_EX_INDEX,	/* left [ right ] */
	KCATCH_EX_DEREF,	/* * left */
	KCATCH_EX_CAST,		/* (@text) left, with @number stars behind the type's name */
	KCATCH_EX_NEGATE,
	KCATCH_EX_INVERT,
	KCATCH_EX_NOT,
	KCATCH_EX_MUL,		/* from here to KCATCH_EX_ANY: left and right */
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
 * struct kcatch_expression_node - one operation or operand
 * @op: KCATCH_EX_*; its comment says which members it uses
 * @is_signed: @number is signed
 * @wide: @number has 64 bits; else 32
 * @is_char: the number is that of a character, whose sign the kernel's char decides
 * @enclosed: the operation was in parentheses
 * @height: height of the tree whose root this node is, at least 1
 * @at: offset in the condition that an error message points to, bytes
 * @number: value of a number; number of stars of a cast
 * @text: null-terminated, without null bytes in it
 * @length: length of @text, bytes
 * @left: first operand, or NULL
 * @right: second operand, or NULL
 * @third: third operand of KCATCH_EX_CHOOSE; else NULL
 */
struct kcatch_expression_node {
	enum kcatch_expression_op op;
	bool is_signed;
	bool wide;
	bool is_char;
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
struct kcatch_pieces;

/**
 * kcatch_expression_parse - parse a condition
 * @text: the condition, null-terminated; it may hold any bytes
 * @expression: receives the tree and a copy of @text; free it with
 *	kcatch_expression_destroy()
 *
 * Return: 0; -EINVAL the text is longer than KCATCH_EXPRESSION_LENGTH, exceeds another
 * limit, or is not a condition (the error text marks the place); -ENOMEM.
 */
int kcatch_expression_parse(const char *text, struct kcatch_expression **expression);

/**
 * kcatch_expression_parse_as - parse an expression that is no condition
 * @what: what it is, for error texts: "key"; a text that lives as long as the program
 * @text: as of kcatch_expression_parse()
 * @expression: as of kcatch_expression_parse()
 *
 * Return: as kcatch_expression_parse().
 */
int kcatch_expression_parse_as(const char *what, const char *text,
			       struct kcatch_expression **expression);

/**
 * kcatch_expression_parse_into - parse a text that stands for a part of a condition
 * @text: as of kcatch_expression_parse()
 * @pieces: receives the memory of the tree
 * @at: offset in the condition of what it stands for, bytes: error messages point there
 * @root: receives the root of the tree
 *
 * Return: as kcatch_expression_parse().
 */
int kcatch_expression_parse_into(const char *text, struct kcatch_pieces *pieces, uint32_t at,
				 const struct kcatch_expression_node **root);

/** kcatch_expression_is - whether kcatch_expression_parse_as() was given this @what */
bool kcatch_expression_is(const struct kcatch_expression *expression, const char *what);

/**
 * kcatch_expression_destroy - free an expression and all nodes of its tree
 * @expression: may be NULL
 */
void kcatch_expression_destroy(struct kcatch_expression *expression);

/**
 * kcatch_expression_root - get the root of the tree
 * @expression: the expression
 *
 * Return: the root, valid as long as @expression.
 */
const struct kcatch_expression_node *
kcatch_expression_root(const struct kcatch_expression *expression);

/**
 * kcatch_expression_is_return - whether a name is known at the return only
 * @name: the name
 *
 * Return: whether it is ret, failure, latency or a part of that. Of an event it may be an
 * argument.
 */
bool kcatch_expression_is_return(const char *name);

/** kcatch_expression_is_time - whether a name of the language is a time in nanoseconds: latency, or
 * a part of that. @name: the name */
bool kcatch_expression_is_time(const char *name);

/**
 * kcatch_expression_uses_return - whether a condition uses what is known at the return alone
 * @expression: may be NULL, which uses neither
 *
 * Return: whether it does, so that returns must be caught to evaluate it.
 */
bool kcatch_expression_uses_return(const struct kcatch_expression *expression);

/**
 * kcatch_expression_error - set the error text: a message, the condition, a caret below it
 * @expression: the condition
 * @error: errno, positive
 * @at: offset in the condition that the caret points to, bytes
 * @format: printf format of the message; names in it must be identifiers, or be escaped
 *	with kcatch_text_show()
 *
 * Shows 50 bytes before @at and 30 behind it.
 *
 * Return: -errno.
 */
int kcatch_expression_error(const struct kcatch_expression *expression, int error, size_t at,
			    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* ---- memory of a tree ---------------------------------------------------- */

/* An allocator of small objects that are freed together. Zeroed is empty. */
struct kcatch_pieces {
	struct kcatch_piece *last;
};

/**
 * kcatch_pieces_take - allocate zeroed memory
 * @pieces: the allocator
 * @size: bytes
 *
 * Return: the memory, aligned for all types, valid until kcatch_pieces_deinit(); NULL: no
 * memory (the error text is set).
 */
void *kcatch_pieces_take(struct kcatch_pieces *pieces, size_t size);

/**
 * kcatch_pieces_move - give the memory of an allocator to another one, and leave it empty
 * @to: receives it
 * @from: the allocator
 */
void kcatch_pieces_move(struct kcatch_pieces *to, struct kcatch_pieces *from);

/**
 * kcatch_pieces_deinit - free all memory that was taken, and leave the allocator empty
 * @pieces: the allocator
 */
void kcatch_pieces_deinit(struct kcatch_pieces *pieces);

/* ---- shared by expression.c, lexer.c and kernel_names.c ------------------------ */

enum kcatch_token_kind {
	KCATCH_TOKEN_END,
	KCATCH_TOKEN_NUMBER,
	KCATCH_TOKEN_TEXT,
	KCATCH_TOKEN_NAME,
	KCATCH_TOKEN_SIGN,
};

/**
 * struct kcatch_token - one token of a condition
 * @kind: KCATCH_TOKEN_*
 * @at: offset of its first byte in the condition
 * @end: offset of the byte behind it
 * @sign: KCATCH_TOKEN_SIGN: its one or two characters; "<=" is '<' | '=' << 8
 * @number: KCATCH_TOKEN_NUMBER: its value, times its unit
 * @is_signed: KCATCH_TOKEN_NUMBER: its type is signed
 * @wide: KCATCH_TOKEN_NUMBER: its type has 64 bits; else 32
 * @is_char: KCATCH_TOKEN_NUMBER: it is the byte of a character, whose sign is not applied yet
 * @text: KCATCH_TOKEN_NAME: the name; KCATCH_TOKEN_TEXT: the text without quotes and with
 *	escapes replaced. Null-terminated, valid as long as the expression
 * @length: length of @text, bytes
 */
struct kcatch_token {
	enum kcatch_token_kind kind;
	size_t at;
	size_t end;
	unsigned int sign;
	uint64_t number;
	bool is_signed;
	bool wide;
	bool is_char;
	const char *text;
	size_t length;
};

/**
 * struct kcatch_expression - a parsed condition
 * @what: "condition", or what else it is
 * @text: copy of the condition
 * @pieces: memory of the nodes and texts
 * @root: root of the tree
 * @symbols: symbols that were looked up in /proc/kallsyms (kernel_names.c)
 */
struct kcatch_expression {
	const char *what;
	const char *text;
	struct kcatch_pieces pieces;
	const struct kcatch_expression_node *root;
	struct kcatch_expression_symbols *symbols;
};

struct kcatch_expression_symbol;

/* Symbols that were looked up in /proc/kallsyms: a cache, also of names that do not exist. */
struct kcatch_expression_symbols {
	struct kcatch_expression_symbol *first;
	struct kcatch_pieces pieces;
};

/**
 * kcatch_token_next - read the next token
 * @expression: the condition; the token's text is allocated from its @pieces
 * @at: offset to start at, bytes
 * @token: receives the token; at the end of the text KCATCH_TOKEN_END
 *
 * Return: 0; -EINVAL no token begins like this (the error text marks the place); -ENOMEM.
 */
int kcatch_token_next(struct kcatch_expression *expression, size_t at, struct kcatch_token *token);

#endif
