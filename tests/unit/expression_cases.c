/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expression_cases.c - expressions, and what they mean by C's rules
 *
 * A text is written and worked out at once. What is random in it depends on the random
 * numbers alone, not on the data: the same seed gives the same text for other data.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errno_name.h"
#include "expression_cases.h"

struct value {
	uint64_t bits;		/* extended to 64 */
	bool wide, is_signed;
	bool bad;		/* divided by zero */
	bool constant;
};

struct text {
	char bytes[EXPRESSION_CASE_ROOM];
	size_t length;
};

static const struct code_input *now;
static bool has_latency;

static void put(struct text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text->length += (size_t)vsnprintf(text->bytes + text->length,
					  sizeof(text->bytes) - text->length, format, args);
	va_end(args);
	if (text->length >= sizeof(text->bytes))
		abort();
}

static struct value fit(uint64_t bits, bool wide, bool is_signed, const struct value *from)
{
	struct value value = { .bits = bits, .wide = wide, .is_signed = is_signed };

	if (!wide)
		value.bits = is_signed ? (uint64_t)(int64_t)(int32_t)bits : (uint32_t)bits;
	if (from) {
		value.bad = from->bad;
		value.constant = from->constant;
	}
	return value;
}

static uint64_t some_number(void)
{
	static const uint64_t edges[] = {
		0, 1, 2, 3, 7, 31, 32, 255, 256, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000,
		0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, UINT64_MAX,
		(uint64_t)-2, (uint64_t)-4095,
	};
	uint64_t number = (uint64_t)random() << 42 ^ (uint64_t)random() << 21 ^ (uint64_t)random();

	switch (random() % 4) {
	case 0: return edges[(size_t)random() % (sizeof(edges) / sizeof(edges[0]))];
	case 1: return number >> (random() % 64);
	case 2: return -(number >> (random() % 64));
	default: return number;
	}
}

static struct value make_truth(struct text *text, int depth);
static struct value make_number(struct text *text, int depth);

static struct value make_constant(struct text *text)
{
	uint64_t number = some_number();
	struct value value = { .bits = number, .constant = true };

	if (random() % 2) {
		put(text, "0x%llx", (unsigned long long)number);
		value.wide = number > UINT32_MAX;
		value.is_signed = value.wide ? number <= INT64_MAX : number <= INT32_MAX;
	} else {
		put(text, "%llu", (unsigned long long)number);
		value.wide = number > INT32_MAX;
		value.is_signed = number <= INT64_MAX;
	}
	return value;
}

static struct value cast(const char *type, struct value value)
{
	if (!strcmp(type, "u8"))
		return fit((uint8_t)value.bits, false, true, &value);
	if (!strcmp(type, "signed char"))
		return fit((uint64_t)(int64_t)(int8_t)value.bits, false, true, &value);
	if (!strcmp(type, "unsigned short"))
		return fit((uint16_t)value.bits, false, true, &value);
	if (!strcmp(type, "s16"))
		return fit((uint64_t)(int64_t)(int16_t)value.bits, false, true, &value);
	if (!strcmp(type, "int"))
		return fit(value.bits, false, true, &value);
	if (!strcmp(type, "u32"))
		return fit(value.bits, false, false, &value);
	if (!strcmp(type, "long"))
		return fit(value.bits, true, true, &value);
	return fit(value.bits, true, false, &value);
}

static const char *some_type(void)
{
	static const char *const types[] = { "u8", "signed char", "unsigned short", "s16", "int",
					     "u32", "long", "size_t" };

	return types[random() % 8];
}

static struct value make_leaf(struct text *text)
{
	struct value value;
	const char *type;
	int arg;

	switch (random() % 12) {
	case 0:
	case 1:
	case 2:
		return make_constant(text);
	case 3:
		put(text, "ret");
		return fit(kcatch_errno_untyped(now->ret), true, true, NULL);
	case 4:
		if (!has_latency)
			return make_constant(text);
		put(text, "latency");
		return fit(now->latency, true, false, NULL);
	case 5:
		put(text, "pid");
		return fit(now->pid, false, true, NULL);
	case 6:
		put(text, "uid");
		return fit(now->uid, false, false, NULL);
	default:
		arg = (int)(random() % 6);
		value = fit(now->args[arg], true, false, NULL);
		type = some_type();
		put(text, "(%s)arg%d", type, arg);
		return cast(type, value);
	}
}

static uint64_t divided(struct value a, struct value b, bool modulo)
{
	if (!a.is_signed)
		return modulo ? a.bits % b.bits : a.bits / b.bits;
	if (b.bits == UINT64_MAX)
		return modulo ? 0 : -a.bits;
	return (uint64_t)(modulo ? (int64_t)a.bits % (int64_t)b.bits :
			  (int64_t)a.bits / (int64_t)b.bits);
}

static void convert(struct value *a, struct value *b)
{
	bool wide = a->wide || b->wide;
	bool is_signed = (a->is_signed || a->wide < wide) && (b->is_signed || b->wide < wide);

	*a = fit(a->bits, wide, is_signed, a);
	*b = fit(b->bits, wide, is_signed, b);
}

static struct value operate(char op, struct value a, struct value b)
{
	bool bad = a.bad || b.bad, constant = a.constant && b.constant;
	struct value value;
	uint64_t bits = 0;

	if (op != '<' && op != '>')
		convert(&a, &b);
	switch (op) {
	case '+': bits = a.bits + b.bits; break;
	case '-': bits = a.bits - b.bits; break;
	case '*': bits = a.bits * b.bits; break;
	case '&': bits = a.bits & b.bits; break;
	case '|': bits = a.bits | b.bits; break;
	case '^': bits = a.bits ^ b.bits; break;
	case '<': bits = a.bits << (b.bits & (a.wide ? 63 : 31)); break;
	case '>':
		b.bits &= a.wide ? 63 : 31;
		bits = a.is_signed ? (uint64_t)((int64_t)a.bits >> b.bits) : a.bits >> b.bits;
		break;
	default:
		if (b.bits)
			bits = divided(a, b, op == '%');
		else
			bad = true;
	}
	value = fit(bits, a.wide, a.is_signed, NULL);
	value.bad = bad;
	value.constant = constant;
	return value;
}

static struct value make_choice(struct text *text, int depth)
{
	struct value truth = make_truth(text, depth - 2), a, b;

	put(text, " ? ");
	a = make_number(text, depth - 2);
	put(text, " : ");
	b = make_number(text, depth - 2);
	convert(&a, &b);
	a = truth.bits ? a : b;
	a.bad |= truth.bad;
	a.constant = false;
	return a;
}

static struct value make_number(struct text *text, int depth)
{
	static const char ops[] = "+-*&|^<>/%";
	struct value a, b;
	const char *type;
	char op;

	if (depth <= 0 || random() % 4 == 0)
		return make_leaf(text);
	put(text, "(");
	switch (random() % 12) {
	case 0:
		put(text, "-");
		a = make_number(text, depth - 1);
		a = fit(-a.bits, a.wide, a.is_signed, &a);
		break;
	case 1:
		put(text, "~");
		a = make_number(text, depth - 1);
		a = fit(~a.bits, a.wide, a.is_signed, &a);
		break;
	case 2:
		type = some_type();
		put(text, "(%s)", type);
		a = cast(type, make_number(text, depth - 1));
		break;
	case 3:
		a = make_truth(text, depth - 1);
		break;
	case 4:
		a = make_choice(text, depth);
		break;
	default:
		op = ops[random() % 10];
		a = make_number(text, depth - 1);
		if (op == '<' || op == '>')
			put(text, " %c%c ", op, op);
		else
			put(text, " %c ", op);
		if (a.wide && (op == '<' || op == '>')) {
			b = fit((uint64_t)random() % 70, false, true, NULL);
			b.constant = true;
			put(text, "%llu", (unsigned long long)b.bits);
		} else if (op == '/' || op == '%') {
			if (a.wide || random() % 2) {
				b = fit(1ULL << random() % (a.wide ? 63 : 31), true, true, NULL);
				if (!a.wide)
					b.bits += (uint64_t)random() % 5;
				b = fit(b.bits, b.bits > INT32_MAX, true, NULL);
				if (!a.wide && b.wide)
					b = fit(3, false, true, NULL);
				b.constant = true;
				put(text, "%llu", (unsigned long long)b.bits);
			} else {
				b = make_leaf(text);
			}
		} else {
			b = make_number(text, depth - 1);
		}
		a = operate(op, a, b);
	}
	put(text, ")");
	return a;
}

/* What holds, does not, or is unknown: that has no bits. */
static struct value truth_of(bool holds, bool unknown)
{
	struct value truth = fit(holds && !unknown, false, true, NULL);

	truth.bad = unknown;
	return truth;
}

static struct value make_compare(struct text *text, int depth)
{
	static const char *const ops[] = { "==", "!=", "<", "<=", ">", ">=" };
	struct value a = make_number(text, depth - 1), b;
	int op = (int)(random() % 6);
	bool less, equal, yes;

	put(text, " %s ", ops[op]);
	b = make_number(text, depth - 1);
	convert(&a, &b);
	equal = a.bits == b.bits;
	less = a.is_signed ? (int64_t)a.bits < (int64_t)b.bits : a.bits < b.bits;
	yes = op == 0 ? equal : op == 1 ? !equal : op == 2 ? less : op == 3 ? less || equal :
	      op == 4 ? !less && !equal : !less;
	return truth_of(yes, a.bad || b.bad);
}

static struct value make_truth(struct text *text, int depth)
{
	struct value a, b;

	put(text, "(");
	switch (depth <= 0 ? 5 : random() % 8) {
	case 0:
	case 1:
		a = make_truth(text, depth - 1);
		put(text, " && ");
		b = make_truth(text, depth - 1);
		if (a.bad ? b.bad || b.bits : a.bits)	/* else a or b is false */
			a = truth_of(b.bits, a.bad || b.bad);
		else
			a = truth_of(false, false);
		break;
	case 2:
		a = make_truth(text, depth - 1);
		put(text, " || ");
		b = make_truth(text, depth - 1);
		a = truth_of(a.bits || b.bits, (a.bad || b.bad) && !a.bits && !b.bits);
		break;
	case 3:
		put(text, "!");
		a = make_truth(text, depth - 1);
		a = truth_of(!a.bits, a.bad);
		break;
	case 4:
		put(text, "!!");
		a = make_number(text, depth - 1);
		a = truth_of(a.bits, a.bad);
		break;
	default:
		a = make_compare(text, depth);
	}
	put(text, ")");
	return a;
}

void expression_case_data(struct code_input *data)
{
	int i;

	memset(data, 0, sizeof(*data));
	for (i = 0; i < 6; i++)
		data->args[i] = some_number();
	data->ret = some_number();
	data->latency = some_number();
	data->pid = (uint32_t)some_number();
	data->uid = (uint32_t)some_number();
}

char expression_case_make(const struct code_input *data, bool latency,
			  char text[EXPRESSION_CASE_ROOM])
{
	static struct text room;
	struct value truth;

	now = data;
	has_latency = latency;
	room.length = 0;
	truth = make_truth(&room, (int)(random() % 5));
	memcpy(text, room.bytes, room.length + 1);
	return truth.bad ? '?' : truth.bits ? '1' : '0';
}
