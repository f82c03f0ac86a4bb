/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * math.c - 64-bit and signed arithmetic, by 32-bit unsigned instructions
 */
#include "condition/bpf.h"

#define DIGIT_MAX 65535U

static bool is_const(struct half half, uint32_t k)
{
	return half.kind == HALF_CONST && half.k == k;
}

/* A = a op b. */
static void compute(struct emitter *e, uint16_t op, struct half a, struct half b)
{
	if (b.kind == HALF_CONST) {
		load_a(e, a);
		apply(e, op, b);
		return;
	}
	load_x(e, b);		/* before A is loaded: it may overwrite A */
	load_a(e, a);
	emit(e, BPF_ALU | op | BPF_X, 0);
}

static struct half computed(struct emitter *e, uint16_t op, struct half a, struct half b)
{
	compute(e, op, a, b);
	return store_a(e);
}

static struct half bits(struct emitter *e, uint16_t op, struct half a, struct half b)
{
	if (a.kind == HALF_CONST && b.kind == HALF_CONST)
		return half_const(op == BPF_AND ? a.k & b.k : op == BPF_OR ? a.k | b.k : a.k ^ b.k);
	if (a.kind == HALF_CONST) {
		struct half other = a;

		a = b;
		b = other;
	}
	if (op == BPF_AND && is_const(b, 0)) {
		drop(e, a);
		return b;
	}
	if (is_const(b, op == BPF_AND ? UINT32_MAX : 0))
		return a;
	compute(e, op, a, b);
	drop(e, a);
	drop(e, b);
	return store_a(e);
}

struct number math_bits(struct emitter *e, uint16_t op, struct number a, struct number b)
{
	struct number result;

	result.low = bits(e, op, a.low, b.low);
	result.high = bits(e, op, a.high, b.high);
	return result;
}

/* A scratch word = @when_ge if A >= X, else !@when_ge. */
static struct half carry(struct emitter *e, uint32_t when_ge)
{
	int yes = emit_label(e), no = emit_label(e), end = emit_label(e);
	struct half half;

	emit_jump(e, BPF_JMP | BPF_JGE | BPF_X, 0, yes, no);
	emit_here(e, yes);
	emit(e, BPF_LD | BPF_IMM, when_ge);
	emit_go(e, end);
	emit_here(e, no);
	emit(e, BPF_LD | BPF_IMM, !when_ge);
	emit_here(e, end);
	half = store_a(e);
	return half;
}

struct number math_add(struct emitter *e, struct number a, struct number b)
{
	struct number result;
	struct half over;

	load_x(e, b.low);
	load_a(e, a.low);
	emit(e, BPF_ALU | BPF_ADD | BPF_X, 0);
	result.low = store_a(e);
	over = carry(e, 0);	/* 1 if the sum is less than an operand: it wrapped around */
	compute(e, BPF_ADD, a.high, b.high);
	apply(e, BPF_ADD, over);
	drop(e, over);
	result.high = store_a(e);
	drop_number(e, a);
	drop_number(e, b);
	return result;
}

struct number math_sub(struct emitter *e, struct number a, struct number b)
{
	struct number result;
	struct half over;

	load_x(e, b.low);
	load_a(e, a.low);
	over = carry(e, 0);	/* 1 if a < b: a borrow. X is unchanged */
	load_a(e, a.low);
	emit(e, BPF_ALU | BPF_SUB | BPF_X, 0);
	result.low = store_a(e);
	compute(e, BPF_SUB, a.high, b.high);
	apply(e, BPF_SUB, over);
	drop(e, over);
	result.high = store_a(e);
	drop_number(e, a);
	drop_number(e, b);
	return result;
}

/* A = the upper or lower 16 bits of a word. */
static void part(struct emitter *e, struct half half, bool upper)
{
	load_a(e, half);
	if (upper)
		emit(e, BPF_ALU | BPF_RSH | BPF_K, 16);
	else
		emit(e, BPF_ALU | BPF_AND | BPF_K, 0xffff);
}

static struct half multiply_parts(struct emitter *e, struct half a, bool a_upper, struct half b,
				  bool b_upper)
{
	part(e, b, b_upper);
	emit(e, BPF_MISC | BPF_TAX, 0);
	part(e, a, a_upper);
	emit(e, BPF_ALU | BPF_MUL | BPF_X, 0);
	return store_a(e);
}

/* The upper 32 bits of a 32 x 32 bit product: long multiplication with 16-bit digits. */
static struct half multiply_high(struct emitter *e, struct half a, struct half b)
{
	struct half low = multiply_parts(e, a, false, b, false);
	struct half mid = multiply_parts(e, a, false, b, true);
	struct half other = multiply_parts(e, a, true, b, false);
	struct half high = multiply_parts(e, a, true, b, true), sum;

	part(e, low, true);
	drop(e, low);
	sum = store_a(e);
	part(e, mid, false);
	apply(e, BPF_ADD, sum);
	emit(e, BPF_ST, sum.k);
	part(e, other, false);
	apply(e, BPF_ADD, sum);
	emit(e, BPF_ALU | BPF_RSH | BPF_K, 16);
	emit(e, BPF_ST, sum.k);
	part(e, mid, true);
	apply(e, BPF_ADD, sum);
	emit(e, BPF_ST, sum.k);
	part(e, other, true);
	apply(e, BPF_ADD, sum);
	apply(e, BPF_ADD, high);
	drop(e, mid);
	drop(e, other);
	drop(e, high);
	drop(e, sum);
	return store_a(e);
}

struct number math_mul(struct emitter *e, struct number a, struct number b)
{
	struct number result;
	struct half high = multiply_high(e, a.low, b.low);

	compute(e, BPF_MUL, a.low, b.high);
	apply(e, BPF_ADD, high);
	drop(e, high);
	high = store_a(e);
	compute(e, BPF_MUL, a.high, b.low);
	apply(e, BPF_ADD, high);
	drop(e, high);
	result.high = store_a(e);
	result.low = computed(e, BPF_MUL, a.low, b.low);
	drop_number(e, a);
	drop_number(e, b);
	return result;
}

/* A = 0xffffffff if @a is negative, else 0. */
static void sign_bits(struct emitter *e, struct half a)
{
	load_a(e, a);
	emit(e, BPF_ALU | BPF_RSH | BPF_K, 31);
	emit(e, BPF_ALU | BPF_NEG, 0);
}

void math_shr_signed(struct emitter *e, struct half a, struct half count)
{
	struct half sign;

	sign_bits(e, a);
	sign = store_a(e);
	compute(e, BPF_XOR, a, sign);
	if (count.kind == HALF_CONST) {
		emit(e, BPF_ALU | BPF_RSH | BPF_K, count.k);
	} else {
		struct half flipped = store_a(e);

		load_a(e, count);
		emit(e, BPF_ALU | BPF_AND | BPF_K, 31);
		emit(e, BPF_MISC | BPF_TAX, 0);
		load_a(e, flipped);
		emit(e, BPF_ALU | BPF_RSH | BPF_X, 0);
		drop(e, flipped);
	}
	apply(e, BPF_XOR, sign);
	drop(e, sign);
}

/* (high << left) | (low >> right); both counts are 1..31. */
static struct half funnel(struct emitter *e, struct half high, unsigned int left, struct half low,
			  unsigned int right)
{
	struct half piece;

	load_a(e, low);
	emit(e, BPF_ALU | BPF_RSH | BPF_K, right);
	piece = store_a(e);
	load_a(e, high);
	emit(e, BPF_ALU | BPF_LSH | BPF_K, left);
	apply(e, BPF_OR, piece);
	drop(e, piece);
	return store_a(e);
}

struct number math_shl(struct emitter *e, struct number a, unsigned int count)
{
	struct number result;

	if (!count)
		return a;
	if (count >= 32) {
		drop(e, a.high);
		result.low = half_const(0);
		result.high = a.low;
		if (count > 32) {
			result.high = computed(e, BPF_LSH, a.low, half_const(count - 32));
			drop(e, a.low);
		}
		return result;
	}
	result.high = funnel(e, a.high, count, a.low, 32 - count);
	result.low = computed(e, BPF_LSH, a.low, half_const(count));
	drop_number(e, a);
	return result;
}

struct number math_shr(struct emitter *e, struct number a, unsigned int count, bool is_signed)
{
	struct number result;

	if (!count)
		return a;
	if (count >= 32) {
		result.high = half_const(0);
		if (is_signed) {
			sign_bits(e, a.high);
			result.high = store_a(e);
		}
		if (is_signed)
			math_shr_signed(e, a.high, half_const(count - 32));
		else
			compute(e, BPF_RSH, a.high, half_const(count - 32));
		result.low = store_a(e);
		drop_number(e, a);
		return result;
	}
	result.low = funnel(e, a.high, 32 - count, a.low, count);
	if (is_signed)
		math_shr_signed(e, a.high, half_const(count));
	else
		compute(e, BPF_RSH, a.high, half_const(count));
	result.high = store_a(e);
	drop_number(e, a);
	return result;
}

static struct number copy(struct emitter *e, struct number a)
{
	if (a.low.kind == HALF_SCRATCH) {
		load_a(e, a.low);
		a.low = store_a(e);
	}
	if (a.high.kind == HALF_SCRATCH) {
		load_a(e, a.high);
		a.high = store_a(e);
	}
	return a;
}

static struct number number_const(uint64_t k)
{
	return (struct number){ .low = half_const((uint32_t)k), .high = half_const(k >> 32) };
}

/* Divide by 1 << @log2, rounding towards zero as C does. */
struct number math_divide(struct emitter *e, struct number a, unsigned int log2, bool is_signed,
			  bool modulo)
{
	uint64_t mask = (1ULL << log2) - 1;
	struct number rounded;

	if (!is_signed)
		return modulo ? math_bits(e, BPF_AND, a, number_const(mask)) :
		       math_shr(e, a, log2, false);
	rounded = math_bits(e, BPF_AND, math_shr(e, copy(e, a), 63, true), number_const(mask));
	if (!modulo)
		return math_shr(e, math_add(e, a, rounded), log2, true);
	rounded = math_bits(e, BPF_AND, math_add(e, copy(e, a), rounded), number_const(~mask));
	return math_sub(e, a, rounded);
}

/*
 * Divide an unsigned number by @k, at most DIGIT_MAX: long division with 16-bit digits, so that a
 * remainder and a digit have 32 bits. @rest: receives the remainder.
 */
static struct number divide_digits(struct emitter *e, struct number a, uint32_t k,
				   struct half *rest)
{
	struct half digits[2], by = half_const(k), digit, dividend;
	struct number result;
	int i;

	result.high = computed(e, BPF_DIV, a.high, by);
	*rest = computed(e, BPF_MOD, a.high, by);
	for (i = 0; i < 2; i++) {
		part(e, a.low, !i);
		digit = store_a(e);
		compute(e, BPF_LSH, *rest, half_const(16));
		apply(e, BPF_OR, digit);
		drop(e, digit);
		drop(e, *rest);
		dividend = store_a(e);
		digits[i] = computed(e, BPF_DIV, dividend, by);
		*rest = computed(e, BPF_MOD, dividend, by);
		drop(e, dividend);
	}
	compute(e, BPF_LSH, digits[0], half_const(16));
	apply(e, BPF_OR, digits[1]);
	drop(e, digits[0]);
	drop(e, digits[1]);
	result.low = store_a(e);
	drop_number(e, a);
	return result;
}

/* The largest divisor of @k that is a digit. 1: there is none. */
static uint32_t largest_digit(uint64_t k)
{
	uint32_t digit = k < DIGIT_MAX ? (uint32_t)k : DIGIT_MAX;

	while (digit > 1 && k % digit)
		digit--;
	return digit;
}

bool math_can_divide(uint64_t k)
{
	uint32_t digit;

	for (; k > 1; k /= digit) {
		digit = largest_digit(k);
		if (digit == 1)
			return false;
	}
	return k;
}

static struct number divide_unsigned(struct emitter *e, struct number a, uint64_t k, bool modulo)
{
	struct number result, before = { .low = half_const(0), .high = half_const(0) };
	uint64_t left = k;
	struct half rest;
	bool single;

	single = largest_digit(k) == k;
	if (modulo && !single)
		before = copy(e, a);
	for (result = a; left > 1; left /= largest_digit(left)) {
		result = divide_digits(e, result, largest_digit(left), &rest);
		if (modulo && single)
			break;
		drop(e, rest);
	}
	if (!modulo)
		return result;
	if (!single)
		return math_sub(e, before, math_mul(e, result, number_const(k)));
	drop_number(e, result);
	return (struct number){ .low = rest, .high = half_const(0) };
}

/* A number of which each bit is that of @sign, all zeros or ones. */
static struct number spread(struct emitter *e, struct half sign)
{
	struct number number;

	load_a(e, sign);
	number.low = store_a(e);
	number.high = store_a(e);
	return number;
}

struct number math_divide_by(struct emitter *e, struct number a, uint64_t k, bool is_signed,
			     bool modulo)
{
	struct number result;
	struct half sign;

	if (!is_signed)
		return divide_unsigned(e, a, k, modulo);
	sign_bits(e, a.high);
	sign = store_a(e);
	a = math_sub(e, math_bits(e, BPF_XOR, a, spread(e, sign)), spread(e, sign));
	result = divide_unsigned(e, a, k, modulo);
	result = math_sub(e, math_bits(e, BPF_XOR, result, spread(e, sign)), spread(e, sign));
	drop(e, sign);
	return result;
}

/* Absolute value: (a ^ sign) - sign. */
static struct half absolute(struct emitter *e, struct half a, struct half sign)
{
	compute(e, BPF_XOR, a, sign);
	apply(e, BPF_SUB, sign);
	return store_a(e);
}

void math_divide_small(struct emitter *e, struct half a, struct half b, bool is_signed,
		       bool modulo)
{
	uint16_t op = modulo ? BPF_MOD : BPF_DIV;
	struct half a_sign, b_sign, up, down;
	int ok = emit_label(e);

	if (b.kind != HALF_CONST) {
		load_a(e, b);
		emit_jump(e, BPF_JMP | BPF_JEQ | BPF_K, 0, e->unreadable, ok);
	}
	emit_here(e, ok);
	if (!is_signed) {
		compute(e, op, a, b);
		return;
	}
	sign_bits(e, a);
	a_sign = store_a(e);
	if (b.kind == HALF_CONST) {
		b_sign = half_const(b.k >> 31 ? UINT32_MAX : 0);
		down = half_const(b.k >> 31 ? -b.k : b.k);
	} else {
		sign_bits(e, b);
		b_sign = store_a(e);
		down = absolute(e, b, b_sign);
	}
	up = absolute(e, a, a_sign);
	compute(e, op, up, down);
	drop(e, up);
	drop(e, down);
	up = store_a(e);
	if (!modulo) {
		struct half sign = computed(e, BPF_XOR, a_sign, b_sign);

		drop(e, a_sign);
		a_sign = sign;
	}
	drop(e, b_sign);
	compute(e, BPF_XOR, up, a_sign);
	apply(e, BPF_SUB, a_sign);
	drop(e, up);
	drop(e, a_sign);
}
