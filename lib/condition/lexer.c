/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * lexer.c - splits the text of a condition into tokens
 *
 * The text is untrusted and may hold any bytes. It is null-terminated, so reading one byte
 * behind a byte that is not 0 is always allowed.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "base/printable.h"
#include "condition/expression.h"
#include "condition/language.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int digit_of(char c, unsigned int base)
{
	int digit = is_digit(c)                        ? c - '0' :
		    (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 :
							 99;

	return digit < (int)base ? digit : -1;
}

/* ---- numbers -------------------------------------------------------------- */

static const struct unit {
	const char *name;
	uint64_t times;
} units[] = {
#define UNIT(name, times) { name, times },
	KCATCH_LANGUAGE_UNITS(UNIT)
#undef UNIT
};

/* Whether the suffix is one of C: U, L, UL, LL, ... or none. */
static bool c_suffix(const char *text, size_t length, bool *is_unsigned, bool *is_long)
{
	size_t i, nr_l = 0, nr_u = 0;

	for (i = 0; i < length; i++) {
		if ((text[i] | 32) == 'u')
			nr_u++;
		else if ((text[i] | 32) == 'l')
			nr_l++;
		else
			return false;
	}
	*is_unsigned = nr_u == 1;
	*is_long = nr_l > 0;
	return nr_u <= 1 && nr_l <= 2;
}

/*
 * The type that C gives a number: the first that can hold it of int, unsigned int (not for decimal
 * numbers), long, unsigned long.
 */
static void type_number(struct kcatch_token *token, bool decimal, bool is_unsigned, bool is_long)
{
	uint64_t value = token->number;

	token->is_signed = !is_unsigned;
	token->wide = is_long;
	if (!is_long && value > UINT32_MAX)
		token->wide = true;
	if (!is_unsigned && !token->wide && value > INT32_MAX) {
		if (decimal)
			token->wide = true;
		else
			token->is_signed = false;
	}
	if (token->wide && value > INT64_MAX)
		token->is_signed = false;
}

static int suffix(struct kcatch_expression *expression, struct kcatch_token *token, bool decimal)
{
	const char *text = expression->text + token->end;
	bool is_unsigned = false, is_long = false;
	size_t length = 0, i;

	while (is_letter(text[length]) || is_digit(text[length]))
		length++;
	if (text[length] == '.' && is_digit(text[length + 1]) && !length)
		return kcatch_expression_error(expression, EINVAL, token->end,
			"numbers have no fractions; write 1500us for 1.5ms");
	token->end += length;
	if (!c_suffix(text, length, &is_unsigned, &is_long)) {
		for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
			if (strlen(units[i].name) == length &&
			    !strncmp(units[i].name, text, length))
				break;
		}
		if (i == sizeof(units) / sizeof(units[0]))
			return kcatch_expression_error(expression, EINVAL, token->end - length,
				"no such unit; the units are ns us ms s and B K M G (steps of 1024)");
		if (__builtin_mul_overflow(token->number, units[i].times, &token->number))
			return kcatch_expression_error(expression, EINVAL, token->at,
						       "the number needs more than 64 bits");
	}
	type_number(token, decimal, is_unsigned, is_long);
	return 0;
}

/* An IPv4 address, 10.0.0.1, is a number of 32 bits. Returns whether it is one. */
static bool address(const char *text, struct kcatch_token *token)
{
	uint64_t number = 0;
	size_t at = token->at;
	unsigned int part, i;

	for (i = 0; i < 4; i++) {
		if (i && text[at++] != '.')
			return false;
		if (!is_digit(text[at]))
			return false;
		for (part = 0; is_digit(text[at]) && part < 256; at++)
			part = part * 10 + (unsigned int)(text[at] - '0');
		if (part > 255)
			return false;
		number = number << 8 | part;
	}
	if (is_letter(text[at]) || text[at] == '.')
		return false;
	token->kind = KCATCH_TOKEN_NUMBER;
	token->end = at;
	token->number = number;
	return true;
}

static int number(struct kcatch_expression *expression, struct kcatch_token *token)
{
	const char *text = expression->text;
	size_t at = token->at, first;
	unsigned int base = 10;

	if (address(text, token))
		return 0;
	if (text[at] == '0' && (text[at + 1] | 32) == 'x') {
		base = 16;
		at += 2;
	} else if (text[at] == '0' && is_digit(text[at + 1])) {
		base = 8;
		at++;
	}
	first = at;
	for (; digit_of(text[at], base) >= 0; at++) {
		if (__builtin_mul_overflow(token->number, (uint64_t)base, &token->number) ||
		    __builtin_add_overflow(token->number, (uint64_t)digit_of(text[at], base),
					   &token->number))
			return kcatch_expression_error(expression, EINVAL, token->at,
						       "the number needs more than 64 bits");
	}
	if (at == first || is_digit(text[at]))
		return kcatch_expression_error(expression, EINVAL, at, "not a digit of %s number",
					       base == 16 ? "a hexadecimal" : "an octal");
	token->kind = KCATCH_TOKEN_NUMBER;
	token->end = at;
	return suffix(expression, token, base == 10);
}

/* ---- characters and texts ------------------------------------------------------- */

/* The byte that an escape means; text[*at] is behind the backslash. -1: no such escape. */
static int escaped(const char *text, size_t *at)
{
	static const char letters[] = "ntrabfve\\'\"?", bytes[] = "\n\t\r\a\b\f\v\x1b\\'\"?";
	char c = text[*at];
	int value = 0, i;

	if (c == 'x') {
		for (i = 0; i < 2 && digit_of(text[*at + 1], 16) >= 0; i++)
			value = value * 16 + digit_of(text[++*at], 16);
		++*at;
		return i ? value : -1;
	}
	if (digit_of(c, 8) >= 0) {
		for (i = 0; i < 3 && digit_of(text[*at], 8) >= 0; i++)
			value = value * 8 + digit_of(text[(*at)++], 8);
		return value < 256 ? value : -1;
	}
	if (!c || !strchr(letters, c))
		return -1;
	++*at;
	return (unsigned char)bytes[strchr(letters, c) - letters];
}

static int quoted(struct kcatch_expression *expression, struct kcatch_token *token)
{
	const char *text = expression->text;
	char quote = text[token->at], *out;
	size_t at = token->at + 1, length = 0;

	out = kcatch_pieces_take(&expression->pieces, strlen(text + at) + 1);
	if (!out)
		return -ENOMEM;
	while (text[at] != quote) {
		int byte = (unsigned char)text[at];
		size_t from = at++;

		if (!byte)
			return kcatch_expression_error(expression, EINVAL, token->at,
						       "the %s has no end",
						       quote == '"' ? "text" : "character");
		if (byte == '\\') {
			byte = escaped(text, &at);
			if (byte < 0)
				return kcatch_expression_error(expression, EINVAL, from,
							       "no such escape");
			if (!byte && quote == '"')
				return kcatch_expression_error(expression, EINVAL, from,
					"a text cannot contain \\0: it would end there");
		}
		out[length++] = (char)byte;
	}
	token->end = at + 1;
	token->text = out;
	token->length = length;
	if (quote == '"') {
		token->kind = KCATCH_TOKEN_TEXT;
		return 0;
	}
	if (length != 1)
		return kcatch_expression_error(expression, EINVAL, token->at,
			"this is not one character%s", length ? "; a text stands in \"\"" : "");
	token->kind = KCATCH_TOKEN_NUMBER;
	token->number = (unsigned char)out[0];
	token->is_signed = true;
	token->is_char = true;
	return 0;
}

/* An IPv6 address, fd09::1, is a text without quotes: no other token has two colons. Returns 1; 0:
 * it is none; or -ENOMEM. */
static int bare_address(struct kcatch_expression *expression, struct kcatch_token *token)
{
	const char *text = expression->text + token->at;
	size_t length = strspn(text, "0123456789abcdefABCDEF:.");
	char copy[INET6_ADDRSTRLEN], *kept;
	struct in6_addr address;

	if (length >= sizeof(copy) || !memchr(text, ':', length) || is_letter(text[length]))
		return 0;
	memcpy(copy, text, length);
	copy[length] = '\0';
	if (inet_pton(AF_INET6, copy, &address) != 1)
		return 0;
	kept = kcatch_pieces_take(&expression->pieces, length + 1);
	if (!kept)
		return -ENOMEM;
	token->kind = KCATCH_TOKEN_TEXT;
	token->text = memcpy(kept, copy, length + 1);
	token->length = length;
	token->end = token->at + length;
	return 1;
}

/* ---- names and signs ------------------------------------------------------------------ */

static int name(struct kcatch_expression *expression, struct kcatch_token *token)
{
	char *copy;

	while (is_letter(expression->text[token->end]) || is_digit(expression->text[token->end]))
		token->end++;
	token->kind = KCATCH_TOKEN_NAME;
	token->length = token->end - token->at;
	copy = kcatch_pieces_take(&expression->pieces, token->length + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, expression->text + token->at, token->length);
	token->text = copy;
	return 0;
}

static int sign(struct kcatch_expression *expression, struct kcatch_token *token)
{
	static const char doubles[][3] = { "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "->" };
	const char *text = expression->text + token->at;
	struct kcatch_shown shown;
	size_t i, length = 1;

	token->kind = KCATCH_TOKEN_SIGN;
	for (i = 0; i < sizeof(doubles) / sizeof(doubles[0]); i++) {
		if (text[0] == doubles[i][0] && text[1] == doubles[i][1]) {
			token->sign = (unsigned char)text[0] | (unsigned int)text[1] << 8;
			token->end = token->at + 2;
			return 0;
		}
	}
	token->end = token->at + 1;
	token->sign = (unsigned char)text[0];
	if (strchr("!<>&|^~+-*/%()[].?:", text[0]))
		return 0;
	if (text[0] == '=')
		return kcatch_expression_error(expression, EINVAL, token->at,
					       "a condition cannot assign; equality is ==");
	while (((unsigned char)text[length] & 0xc0) == 0x80 && length < 4)
		length++;	/* a whole UTF-8 character */
	return kcatch_expression_error(expression, EINVAL, token->at, "%s has no meaning here",
				       kcatch_text_show_n(&shown, text, length));
}

int kcatch_token_next(struct kcatch_expression *expression, size_t at, struct kcatch_token *token)
{
	const char *text = expression->text;
	int ret;

	while (text[at] && strchr(" \t\r\n", text[at]))
		at++;
	*token = (struct kcatch_token){ .kind = KCATCH_TOKEN_END, .at = at, .end = at };
	if (!text[at])
		return 0;
	ret = bare_address(expression, token);
	if (ret)
		return ret < 0 ? ret : 0;
	if (is_digit(text[at]))
		return number(expression, token);
	if (is_letter(text[at]))
		return name(expression, token);
	if (text[at] == '"' || text[at] == '\'')
		return quoted(expression, token);
	return sign(expression, token);
}
