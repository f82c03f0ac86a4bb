// SPDX-License-Identifier: GPL-2.0-only
/*
 * Works out which values of one argument a condition accepts: it follows every way through the
 * instructions with the bounds that the jumps on it set to the two halves of the argument.
 * Whatever is not known here leaves the condition to BPF. Process context; a few KB of stack at
 * most, no memory.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <uapi/kcatch.h>
#include "program/condition_range.h"
#include "program/fetch.h"

/* Ways that are followed at once, instructions in all, and ranges before they are joined. */
#define WAYS_MAX	24
#define STEPS_MAX	256
#define PARTS_MAX	12

#define SIGN_BIT	0x80000000U

enum half { LOW, HIGH, NEITHER };

struct bounds {
	u32 least, most;
};

/* One way: A is a half of the argument + delta, which does not wrap within the bounds. */
struct way {
	unsigned int pc;
	enum half half;
	u32 delta;
	u32 mask;		/* of the low half, as A has it */
	struct bounds of[2];	/* by enum half */
};

struct part {
	u64 least, most;
};

struct search {
	const struct sock_filter *code;
	unsigned int nr, steps, nr_ways, nr_parts;
	u32 arg;		/* the argument; U32_MAX: not known yet */
	u32 mask;		/* of the low half; 0: not known yet */
	bool high;		/* the high half matters */
	struct way ways[WAYS_MAX];
	struct part parts[PARTS_MAX];
};

static bool push(struct search *search, const struct way *way, unsigned int pc)
{
	if (search->nr_ways == WAYS_MAX)
		return false;
	search->ways[search->nr_ways] = *way;
	search->ways[search->nr_ways++].pc = pc;
	return true;
}

/* Goes on at @pc with those values for which A is in @least..@most; nowhere if there are none. */
static bool push_between(struct search *search, const struct way *way, unsigned int pc,
			 u32 least, u32 most)
{
	const struct bounds *now = &way->of[way->half];
	struct way next = *way;

	least = max(least, now->least + way->delta);
	most = min(most, now->most + way->delta);
	if (least > most)
		return true;
	next.of[way->half].least = least - way->delta;
	next.of[way->half].most = most - way->delta;
	return push(search, &next, pc);
}

static bool load(struct search *search, struct way *way, u32 k)
{
	if (k >= sizeof_field(struct kcatch_condition, args))
		return false;
	if (search->arg == U32_MAX)
		search->arg = k / sizeof(u64);
	way->half = k & 4 ? HIGH : LOW;
	way->delta = 0;
	way->mask = U32_MAX;
	return search->arg == k / sizeof(u64);
}

static bool and(struct search *search, struct way *way, u32 k)
{
	if (way->half != LOW || way->delta || way->mask != U32_MAX || (k != U8_MAX && k != U16_MAX))
		return false;
	/* The bits above are of no interest: the condition must never look at them, nor have done
	 * so on any way. */
	if (search->mask && search->mask != k)
		return false;
	search->mask = k;
	way->mask = k;
	way->of[LOW].most = min(way->of[LOW].most, k);
	return true;
}

/* Adds @k, in two ways where some of the values wrap. */
static bool add(struct search *search, const struct way *way, u32 k)
{
	const struct bounds *now = &way->of[way->half];
	struct way next = *way;
	u32 least = now->least + way->delta, most = now->most + way->delta;

	next.delta += k;
	if (least > U32_MAX - k || most <= U32_MAX - k)	/* all of them wrap, or none */
		return push(search, &next, way->pc + 1);
	next.of[way->half].most = U32_MAX - k - way->delta;
	if (!push(search, &next, way->pc + 1))
		return false;
	next.of[way->half] = (struct bounds){ U32_MAX - k + 1 - way->delta, now->most };
	return push(search, &next, way->pc + 1);
}

/* Inverts the highest bit of A: adds or subtracts it. */
static bool xor(struct search *search, const struct way *way, u32 k)
{
	const struct bounds *now = &way->of[way->half];
	struct way next = *way;
	u32 least = now->least + way->delta, most = now->most + way->delta;

	if (!is_power_of_2(k) || most > 2 * k - 1)
		return false;
	if (least < k) {
		next.delta = way->delta + k;
		next.of[way->half].most = min(most, k - 1) - way->delta;
		if (!push(search, &next, way->pc + 1))
			return false;
	}
	if (most < k)
		return true;
	next = *way;
	next.delta = way->delta - k;
	next.of[way->half].least = max(least, k) - way->delta;
	return push(search, &next, way->pc + 1);
}

static bool jump(struct search *search, const struct way *way, const struct sock_filter *now)
{
	unsigned int yes = way->pc + 1 + now->jt, no = way->pc + 1 + now->jf;
	u32 k = now->k;

	if (way->half == HIGH)
		search->high = true;
	else if (search->mask && search->mask != way->mask)
		return false;
	else
		search->mask = way->mask;
	switch (now->code) {
	case BPF_JMP | BPF_JEQ | BPF_K:
		return push_between(search, way, yes, k, k) &&
		       (!k || push_between(search, way, no, 0, k - 1)) &&
		       (k == U32_MAX || push_between(search, way, no, k + 1, U32_MAX));
	case BPF_JMP | BPF_JGT | BPF_K:
		return push_between(search, way, no, 0, k) &&
		       (k == U32_MAX || push_between(search, way, yes, k + 1, U32_MAX));
	case BPF_JMP | BPF_JSET | BPF_K:
		if (k != SIGN_BIT)
			return false;
		fallthrough;
	case BPF_JMP | BPF_JGE | BPF_K:
		return push_between(search, way, yes, k, U32_MAX) &&
		       (!k || push_between(search, way, no, 0, k - 1));
	}
	return false;
}

/* The values of this way are accepted. */
static bool accept(struct search *search, const struct way *way)
{
	const struct bounds *high = &way->of[HIGH], *low = &way->of[LOW];

	if (search->nr_parts == PARTS_MAX)
		return false;
	search->parts[search->nr_parts++] = (struct part){
		(u64)high->least << 32 | low->least, (u64)high->most << 32 | low->most,
	};
	return true;
}

/* One instruction of a way; false: not known here. */
static bool step(struct search *search, struct way *way)
{
	const struct sock_filter *now = &search->code[way->pc];

	if (way->pc >= search->nr || search->steps++ == STEPS_MAX)
		return false;
	switch (now->code) {
	case BPF_LD | BPF_W | BPF_ABS:
		return load(search, way, now->k) && push(search, way, way->pc + 1);
	case BPF_JMP | BPF_JA:
		return push(search, way, way->pc + 1 + now->k);
	case BPF_RET | BPF_K:
		/* It is not undecided for any value: that would be no range. */
		return !now->k || (now->k != KCATCH_CONDITION_UNDECIDED && accept(search, way));
	}
	if (way->half == NEITHER)
		return false;
	switch (now->code) {
	case BPF_ALU | BPF_AND | BPF_K:
		return and(search, way, now->k) && push(search, way, way->pc + 1);
	case BPF_ALU | BPF_XOR | BPF_K:
		return xor(search, way, now->k);
	case BPF_ALU | BPF_ADD | BPF_K:
		return add(search, way, now->k);
	case BPF_ALU | BPF_SUB | BPF_K:
		return add(search, way, -now->k);
	}
	return jump(search, way, now);
}

/* Halves of which the low one is bounded, and the high one is not one number, are many ranges. */
static bool has_many(const struct search *search)
{
	const struct part *part;

	for (part = search->parts; part < search->parts + search->nr_parts; part++)
		if (part->least >> 32 != part->most >> 32 &&
		    ((u32)part->least || (u32)part->most != U32_MAX))
			return true;
	return false;
}

/* Sorts the parts and joins those that meet. */
static void join(struct search *search)
{
	struct part *parts = search->parts;
	unsigned int i, j, nr = 0;

	for (i = 1; i < search->nr_parts; i++)
		for (j = i; j && parts[j].least < parts[j - 1].least; j--)
			swap(parts[j], parts[j - 1]);
	for (i = 0; i < search->nr_parts; i++) {
		if (nr && (!parts[i].least || parts[i].least - 1 <= parts[nr - 1].most))
			parts[nr - 1].most = max(parts[nr - 1].most, parts[i].most);
		else
			parts[nr++] = parts[i];
	}
	search->nr_parts = nr;
}

/* The parts as one range of @bits bits. */
static bool one_range(struct search *search, unsigned int bits, struct kcatch_range *range)
{
	const u64 top = bits == 64 ? U64_MAX : (1ULL << bits) - 1;
	const struct part *parts = search->parts;
	u64 least, span;
	unsigned int i;

	for (i = 0; i < search->nr_parts && bits < 64; i++) {
		search->parts[i].least &= top;
		search->parts[i].most &= top;
	}
	join(search);
	if (search->nr_parts == 1) {
		least = parts[0].least;
		span = parts[0].most - least;
	} else if (search->nr_parts == 2 && !parts[0].least && parts[1].most == top) {
		least = parts[1].least;
		span = (parts[0].most - least) & top;
	} else {
		return false;
	}
	*range = (struct kcatch_range){
		.scale = 1ULL << (64 - bits), .low = least << (64 - bits),
		.span = span << (64 - bits), .place = kcatch_args_place(search->arg),
	};
	return true;
}

void kcatch_range_of(const struct sock_filter *code, unsigned int nr, struct kcatch_range *range)
{
	struct search search = { .code = code, .nr = nr, .arg = U32_MAX };
	struct way way = {
		.half = NEITHER, .of = { { 0, U32_MAX }, { 0, U32_MAX } },
	};

	range->scale = 0;
	push(&search, &way, 0);
	while (search.nr_ways) {
		way = search.ways[--search.nr_ways];
		if (!step(&search, &way))
			return;
	}
	if (search.arg == U32_MAX)
		return;
	/* Known at the end: any way may look at the high half. */
	if (search.high && ((search.mask && search.mask != U32_MAX) || has_many(&search)))
		return;
	one_range(&search, search.high ? 64 : search.mask ? fls(search.mask) : 32, range);
}
