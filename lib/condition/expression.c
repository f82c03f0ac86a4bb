/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * expression.c - parses the text of a condition into a syntax tree
 *
 * A recursive-descent parser; binary operators by precedence climbing. Operators bind as in C,
 * but `a & b == c`, which C reads as a & (b == c), is refused: the user must add parentheses.
 *
 * The KCATCH_EXPRESSION_* limits bound memory and recursion.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "condition/expression.h"
#include "condition/language.h"

struct parser {
	struct kcatch_expression *expression;
	struct kcatch_token token;	/* the next token */
	unsigned int nesting;
};

typedef struct kcatch_expression_node node;

#define SIGN(a, b) ((unsigned int)(a) | (unsigned int)(b) << 8)

static int parse_choice(struct parser *parser, node **out);
static int parse_unary(struct parser *parser, node **out);

static int bad(struct parser *parser, const char *message)
{
	return kcatch_expression_error(parser->expression, EINVAL, parser->token.at, "%s", message);
}

static int advance(struct parser *parser)
{
	return kcatch_token_next(parser->expression, parser->token.end, &parser->token);
}

static bool is_sign(const struct parser *parser, unsigned int sign)
{
	return parser->token.kind == KCATCH_TOKEN_SIGN && parser->token.sign == sign;
}

static int make(struct parser *parser, enum kcatch_expression_op op, size_t at, const node *left,
		const node *right, node **out)
{
	node *made = kcatch_pieces_take(&parser->expression->pieces, sizeof(*made));

	if (!made)
		return -ENOMEM;
	made->op = op;
	made->at = (uint32_t)at;
	made->left = left;
	made->right = right;
	made->height = 1;
	if (left && left->height >= made->height)
		made->height = left->height + 1;
	if (right && right->height >= made->height)
		made->height = right->height + 1;
	*out = made;
	if (made->height > KCATCH_EXPRESSION_HEIGHT)
		return kcatch_expression_error(parser->expression, EINVAL, at,
					       "too many operations in a row");
	return 0;
}

/* ---- casts ---------------------------------------------------------------------- */

static bool is_word_of(const char *word, const char *const *words)
{
	for (; *words; words++) {
		if (!strcmp(*words, word))
			return true;
	}
	return false;
}

/* Whether a word can only begin a type. */
static bool begins_type(const char *word)
{
	static const char *const words[] = {
		"struct", "union", "enum", "unsigned", "signed", "int", "long", "short", "char",
		"const", "volatile", "void", "bool", "_Bool", "u8", "u16", "u32", "u64", "s8",
		"s16", "s32", "s64", "__u8", "__u16", "__u32", "__u64", "__s8", "__s16", "__s32",
		"__s64", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "int8_t", "int16_t",
		"int32_t", "int64_t", "size_t", "ssize_t", "loff_t", "pid_t", "uintptr_t", NULL,
	};

	return is_word_of(word, words);
}

/*
 * Whether a type follows "(". A name that could be a type or a value is a type if stars and ")"
 * follow it, as in (name *), or if an operand follows the ")", as in (name) 1.
 */
static int looks_like_type(struct parser *parser, bool *is_type)
{
	struct kcatch_token token;
	int ret;

	*is_type = false;
	if (parser->token.kind != KCATCH_TOKEN_NAME)
		return 0;
	if (begins_type(parser->token.text)) {
		*is_type = true;
		return 0;
	}
	ret = kcatch_token_next(parser->expression, parser->token.end, &token);
	if (!ret && token.kind == KCATCH_TOKEN_SIGN && token.sign == '*') {
		while (!ret && token.kind == KCATCH_TOKEN_SIGN && token.sign == '*')
			ret = kcatch_token_next(parser->expression, token.end, &token);
		*is_type = !ret && token.kind == KCATCH_TOKEN_SIGN && token.sign == ')';
	} else if (!ret && token.kind == KCATCH_TOKEN_SIGN && token.sign == ')') {
		ret = kcatch_token_next(parser->expression, token.end, &token);
		*is_type = !ret && (token.kind == KCATCH_TOKEN_NAME ||
				    token.kind == KCATCH_TOKEN_NUMBER ||
				    (token.kind == KCATCH_TOKEN_SIGN && token.sign == '('));
	}
	return ret;
}

/* Parse words and stars up to ")". The words are joined with single spaces. */
static int parse_cast(struct parser *parser, size_t at, node **out)
{
	static const char *const left_out[] = { "const", "volatile", "__user", "__rcu", "__percpu",
						"__iomem", "__force", NULL };
	size_t first = parser->token.at, length = 0;
	unsigned int stars = 0;
	node *operand;
	char *text;
	int ret;

	text = kcatch_pieces_take(&parser->expression->pieces,
				  strlen(parser->expression->text + first) + 1);
	if (!text)
		return -ENOMEM;
	while (!is_sign(parser, ')')) {
		if (parser->token.kind == KCATCH_TOKEN_NAME) {
			bool skipped = is_word_of(parser->token.text, left_out);

			if (stars && !skipped)
				return bad(parser, "nothing may follow the stars of a type");
			if (!skipped) {
				if (length)
					text[length++] = ' ';
				memcpy(text + length, parser->token.text, parser->token.length);
				length += parser->token.length;
			}
		} else if (is_sign(parser, '*')) {
			stars++;
		} else {
			return bad(parser, "expected ) behind the type");
		}
		ret = advance(parser);
		if (ret)
			return ret;
	}
	if (!length)
		return bad(parser, "expected the name of a type");
	ret = advance(parser);
	if (!ret)
		ret = parse_unary(parser, &operand);
	if (!ret)
		ret = make(parser, KCATCH_EX_CAST, at, operand, NULL, out);
	if (ret)
		return ret;
	(*out)->text = text;
	(*out)->length = length;
	(*out)->number = stars;
	return 0;
}

/* ---- operands ----------------------------------------------------------------------- */

static int parse_enclosed(struct parser *parser, node **out)
{
	size_t at = parser->token.at;
	bool is_type;
	int ret;

	ret = advance(parser);
	if (!ret)
		ret = looks_like_type(parser, &is_type);
	if (ret)
		return ret;
	if (is_type)
		return parse_cast(parser, at, out);
	ret = parse_choice(parser, out);
	if (ret)
		return ret;
	if (!is_sign(parser, ')')) {
		if (parser->token.kind == KCATCH_TOKEN_END)
			return kcatch_expression_error(parser->expression, EINVAL, at,
						       "this parenthesis is never closed");
		return bad(parser, "expected an operator or )");
	}
	(*out)->enclosed = true;
	return advance(parser);
}

/* & NAME: the address of a kernel symbol. */
static int parse_address(struct parser *parser, node **out)
{
	size_t at = parser->token.at;
	struct kcatch_token name;
	int ret = advance(parser);

	if (ret)
		return ret;
	name = parser->token;
	ret = advance(parser);
	if (ret)
		return ret;
	if (name.kind != KCATCH_TOKEN_NAME || is_sign(parser, '.') || is_sign(parser, '[') ||
	    is_sign(parser, SIGN('-', '>')))
		return kcatch_expression_error(parser->expression, EINVAL, at,
			"& takes the address of a kernel symbol, &ext4_file_operations; "
			"as \"and\" it needs a number before it");
	ret = make(parser, KCATCH_EX_ADDRESS, name.at, NULL, NULL, out);
	if (ret)
		return ret;
	(*out)->text = name.text;
	(*out)->length = name.length;
	return 0;
}

static int parse_primary(struct parser *parser, node **out)
{
	const struct kcatch_token *token = &parser->token;
	enum kcatch_expression_op op;
	int ret;

	switch (token->kind) {
	case KCATCH_TOKEN_NUMBER:
		op = KCATCH_EX_NUMBER;
		break;
	case KCATCH_TOKEN_TEXT:
		op = KCATCH_EX_TEXT;
		break;
	case KCATCH_TOKEN_NAME:
		op = KCATCH_EX_NAME;
		break;
	default:
		if (is_sign(parser, '('))
			return parse_enclosed(parser, out);
		if (is_sign(parser, '&'))
			return parse_address(parser, out);
		if (token->kind == KCATCH_TOKEN_END && !token->at)
			return bad(parser, "the condition is empty");
		return bad(parser, "expected a name, a number or a text");
	}
	ret = make(parser, op, token->at, NULL, NULL, out);
	if (ret)
		return ret;
	(*out)->number = token->number;
	(*out)->is_signed = token->is_signed;
	(*out)->wide = token->wide;
	(*out)->is_char = token->is_char;
	(*out)->text = token->text;
	(*out)->length = token->length;
	return advance(parser);
}

static int parse_member(struct parser *parser, node **out)
{
	enum kcatch_expression_op op = is_sign(parser, '.') ? KCATCH_EX_MEMBER : KCATCH_EX_ARROW;
	struct kcatch_token name;
	int ret = advance(parser);

	if (ret)
		return ret;
	name = parser->token;
	if (name.kind != KCATCH_TOKEN_NAME)
		return bad(parser, "expected the name of a member");
	ret = make(parser, op, name.at, *out, NULL, out);
	if (ret)
		return ret;
	(*out)->text = name.text;
	(*out)->length = name.length;
	return advance(parser);
}

static int bad_call(struct parser *parser, const node *it)
{
	const char *name = it->op == KCATCH_EX_NAME ? it->text : "";

	if (!strncmp(name, "S_IS", 4))
		return bad(parser, "functions cannot be called; S_ISREG(mode) is (mode & S_IFMT) == S_IFREG");
	if (!strncmp(name, "IS_ERR", 6))
		return bad(parser, "functions cannot be called; IS_ERR(p) is (long)p < 0 && (long)p >= -4095");
	return bad(parser, "functions cannot be called");
}

static int parse_postfix(struct parser *parser, node **out)
{
	int ret = parse_primary(parser, out);

	while (!ret) {
		size_t at = parser->token.at;
		node *index;

		if (is_sign(parser, '.') || is_sign(parser, SIGN('-', '>'))) {
			ret = parse_member(parser, out);
		} else if (is_sign(parser, '[')) {
			ret = advance(parser);
			if (!ret)
				ret = parse_choice(parser, &index);
			if (!ret && !is_sign(parser, ']'))
				ret = bad(parser, "expected ]");
			if (!ret)
				ret = make(parser, KCATCH_EX_INDEX, at, *out, index, out);
			if (!ret)
				ret = advance(parser);
		} else if (is_sign(parser, '(')) {
			ret = bad_call(parser, *out);
		} else {
			break;
		}
	}
	return ret;
}

static int parse_unary(struct parser *parser, node **out)
{
	size_t at = parser->token.at;
	enum kcatch_expression_op op;
	node *operand;
	int ret;

	if (parser->nesting >= KCATCH_EXPRESSION_NESTING)
		return bad(parser, "nested too deeply");
	parser->nesting++;
	op = is_sign(parser, '!') ? KCATCH_EX_NOT : is_sign(parser, '-') ? KCATCH_EX_NEGATE :
	     is_sign(parser, '~') ? KCATCH_EX_INVERT : is_sign(parser, '*') ? KCATCH_EX_DEREF :
	     KCATCH_EX_NUMBER;
	if (op == KCATCH_EX_NUMBER) {
		ret = parse_postfix(parser, out);
	} else {
		ret = advance(parser);
		if (!ret)
			ret = parse_unary(parser, &operand);
		if (!ret)
			ret = make(parser, op, at, operand, NULL, out);
	}
	parser->nesting--;
	return ret;
}

/* ---- operators ------------------------------------------------------------------------- */

static const struct operator {
	char sign[3];
	unsigned int binds;	/* precedence; 1: binds least */
	enum kcatch_expression_op op;
} operators[] = {
#define OPERATOR(sign, binds, name) { sign, binds, KCATCH_EX_##name },
	KCATCH_LANGUAGE_OPERATORS(OPERATOR)
#undef OPERATOR
};

static const struct operator *operator_here(const struct parser *parser)
{
	size_t i;

	for (i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		if (is_sign(parser, SIGN(operators[i].sign[0], operators[i].sign[1])))
			return &operators[i];
	}
	return NULL;
}

static bool is_bare_comparison(const node *it)
{
	return !it->enclosed && it->op >= KCATCH_EX_LT && it->op <= KCATCH_EX_MATCH;
}

static int combine(struct parser *parser, const struct operator *operator, size_t at, node *right,
		   node **out)
{
	bool bits = operator->op >= KCATCH_EX_AND && operator->op <= KCATCH_EX_OR;

	if (bits && (is_bare_comparison(*out) || is_bare_comparison(right)))
		return kcatch_expression_error(parser->expression, EINVAL, at,
			"%c would take the result of the comparison, as in C; write (a %c b) == c",
			operator->sign[0], operator->sign[0]);
	if (operator->binds >= 6 && operator->binds <= 7 && is_bare_comparison(*out))
		return kcatch_expression_error(parser->expression, EINVAL, at,
			"comparisons in a row; write a < b && b < c");
	return make(parser, operator->op, at, *out, right, out);
}

static int parse_binary(struct parser *parser, unsigned int least, node **out)
{
	const struct operator *operator;
	int ret = parse_unary(parser, out);

	while (!ret && (operator = operator_here(parser)) && operator->binds > least) {
		size_t at = parser->token.at;
		node *right;

		ret = advance(parser);
		if (!ret)
			ret = parse_binary(parser, operator->binds, &right);
		if (!ret)
			ret = combine(parser, operator, at, right, out);
	}
	return ret;
}

/* The second and third operand of ?: */
static int parse_arms(struct parser *parser, node **right, node **third)
{
	size_t at = parser->token.at;
	int ret;

	if (parser->nesting >= KCATCH_EXPRESSION_NESTING)
		return bad(parser, "nested too deeply");
	parser->nesting++;
	ret = advance(parser);
	if (!ret)
		ret = parse_choice(parser, right);
	if (!ret && !is_sign(parser, ':'))
		ret = kcatch_expression_error(parser->expression, EINVAL, at,
					      "this ? has no : behind it; write a ? b : c");
	if (!ret)
		ret = advance(parser);
	if (!ret)
		ret = parse_choice(parser, third);
	parser->nesting--;
	return ret;
}

/* a ? b : c, which binds least and is right-associative. */
static int parse_choice(struct parser *parser, node **out)
{
	size_t at;
	node *right, *third;
	int ret = parse_binary(parser, 0, out);

	at = parser->token.at;
	if (ret || !is_sign(parser, '?'))
		return ret;
	ret = parse_arms(parser, &right, &third);
	if (!ret)
		ret = make(parser, KCATCH_EX_CHOOSE, at, *out, right, out);
	if (ret)
		return ret;
	(*out)->third = third;
	if (third->height >= (*out)->height)
		(*out)->height = third->height + 1;
	return 0;
}

static int parse_all(struct parser *parser, node **root)
{
	int ret = advance(parser);

	if (!ret)
		ret = parse_choice(parser, root);
	if (ret || parser->token.kind == KCATCH_TOKEN_END)
		return ret;
	if (is_sign(parser, ')'))
		return bad(parser, "this parenthesis was never opened");
	if (is_sign(parser, ':'))
		return bad(parser, "this : has no ? before it");
	if (parser->token.kind == KCATCH_TOKEN_NAME) {
		if (!strcmp(parser->token.text, "and") || !strcmp(parser->token.text, "or"))
			return bad(parser, "expected an operator; in C, and is &&, or is ||, not is !");
		if (!strcmp(parser->token.text, "in") || !strcmp(parser->token.text, "like"))
			return bad(parser, "expected an operator; texts are compared by == != and ~");
	}
	return bad(parser, "expected an operator");
}

int kcatch_expression_parse(const char *text, struct kcatch_expression **expression)
{
	return kcatch_expression_parse_as("condition", text, expression);
}

int kcatch_expression_parse_as(const char *what, const char *text,
			       struct kcatch_expression **expression)
{
	struct kcatch_expression *made;
	struct parser parser = { .nesting = 0 };
	size_t length = strlen(text);
	node *root;
	char *copy;
	int ret;

	if (length > KCATCH_EXPRESSION_LENGTH)
		return kcatch_error_set(EINVAL, "bad %s: it has %zu bytes; the limit is %u", what,
					length, KCATCH_EXPRESSION_LENGTH);
	made = calloc(1, sizeof(*made));
	if (!made)
		return kcatch_error_memory();
	made->what = what;
	parser.expression = made;
	copy = kcatch_pieces_take(&made->pieces, length + 1);
	made->symbols = kcatch_pieces_take(&made->pieces, sizeof(*made->symbols));
	ret = copy && made->symbols ? 0 : -ENOMEM;
	if (!ret) {
		memcpy(copy, text, length + 1);
		made->text = copy;
		ret = parse_all(&parser, &root);
	}
	if (ret) {
		kcatch_expression_destroy(made);
		return ret;
	}
	made->root = root;
	*expression = made;
	return 0;
}

/* The nodes are those that the parser made, so that they may be changed. */
static void place_at(const node *it, uint32_t at)
{
	if (!it)
		return;
	((node *)it)->at = at;
	place_at(it->left, at);
	place_at(it->right, at);
	place_at(it->third, at);
}

int kcatch_expression_parse_into(const char *text, struct kcatch_pieces *pieces, uint32_t at,
				 const struct kcatch_expression_node **root)
{
	struct kcatch_expression *expression;
	int ret = kcatch_expression_parse_as("field", text, &expression);

	if (ret)
		return ret;
	place_at(expression->root, at);
	*root = expression->root;
	kcatch_pieces_move(pieces, &expression->pieces);
	free(expression);
	return 0;
}

void kcatch_expression_destroy(struct kcatch_expression *expression)
{
	if (!expression)
		return;
	if (expression->symbols)
		kcatch_pieces_deinit(&expression->symbols->pieces);
	kcatch_pieces_deinit(&expression->pieces);
	free(expression);
}

const struct kcatch_expression_node *
kcatch_expression_root(const struct kcatch_expression *expression)
{
	return expression->root;
}

bool kcatch_expression_is_return(const char *name)
{
#define AT_RETURN(text, member, wide, is_signed, at_return) \
	if ((at_return) && !strcmp(name, text))             \
		return true;
	KCATCH_LANGUAGE_NAMES(AT_RETURN)
#undef AT_RETURN
	return !strcmp(name, "ret") || !strcmp(name, "failure");
}

bool kcatch_expression_is_time(const char *name)
{
	return !strcmp(name, "latency") || !strcmp(name, "oncpu") || !strcmp(name, "runnable") ||
	       !strcmp(name, "blocked");
}

static bool uses_return(const node *it)
{
	if (!it)
		return false;
	if (it->op == KCATCH_EX_NAME)
		return kcatch_expression_is_return(it->text);
	return uses_return(it->left) || uses_return(it->right) || uses_return(it->third);
}

bool kcatch_expression_is(const struct kcatch_expression *expression, const char *what)
{
	return expression && !strcmp(expression->what, what);
}

bool kcatch_expression_uses_return(const struct kcatch_expression *expression)
{
	return expression && uses_return(expression->root);
}
