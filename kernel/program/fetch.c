// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs lists of steps at each hit. Any context, NMI too, inside a hook.
 */
#include <linux/kernel.h>
#include <linux/sched.h>
#include "core/cgroup.h"
#include "program/fetch.h"
#include "program/fetch_memory.h"
#include "program/fetch_path.h"
#include "program/fetch_trial.h"

/* The bytes behind @length up to a multiple of 8. */
static __always_inline void zero_tail(u8 *to, u32 length)
{
	if (length & 7)
		*(u64 *)(to + (length & ~7U)) &= ~(~0ULL << length % 8 * 8);
}

/* An item with a length before it. @length: bytes that are already behind its head */
static __always_inline u64 *put_counted(u64 *to, u32 length)
{
	*to++ = length;		/* and zero */
	BUILD_BUG_ON(KCATCH_ITEM_HEAD != sizeof(*to));
	zero_tail((u8 *)to, length);
	return to + (length + 7) / sizeof(*to);
}

/* Bytes of user memory that go through the stack, of which a hardened kernel knows without a search
 * that it may be copied to. */
#define BOUNCED	32U

static __always_inline bool read_bytes(u64 *to, unsigned long from, u32 size)
{
	u64 bounce[BOUNCED / sizeof(u64)];
	u32 i;

	if (!kcatch_is_user(from) && kcatch_at_hand(from, size) && !(size & 7))
		return !kcatch_load_words(to, from, size);
	if (!kcatch_is_user(from) || size > BOUNCED)
		return kcatch_read(to, from, size);
	if (unlikely(!kcatch_read_user(bounce, from, size)))
		return false;
	*to = bounce[0];
	for (i = sizeof(u64); unlikely(i < size); i += sizeof(u64))
		to[i / sizeof(u64)] = bounce[i / sizeof(u64)];
	return true;
}

/* As put_text(), without the mark. */
static noinline u64 *put_bytes(u64 *to, unsigned long from, u64 length, u32 size,
			       struct kcatch_fetch *fetch, u64 item)
{
	u32 there = min_t(u64, length, size);

	if (there && unlikely(!read_bytes(to + 1, from, there))) {
		fetch->faults |= item;
		there = 0;
	} else if (length > there) {
		fetch->cut |= item;
	}
	return put_counted(to, there);
}

/* The dearer items. @value: the accumulator; @fault: its mark. Return: the address behind it */
static noinline u64 *put_text(const struct kcatch_step *step, u64 *to, unsigned long value,
			      bool fault, struct kcatch_fetch *fetch, u64 item)
{
	u32 size = step->size, there = 0, most;
	bool ended = false;

	value += step->offset;
	switch (step->op) {
	case KCATCH_STEP_PUT_MEMORY:	/* not of whole words */
		if (fault || !kcatch_read(to, value, size)) {
			memset(to, 0, size);
			fetch->faults |= item;
		}
		zero_tail((u8 *)to, size);
		return to + (size + 7) / sizeof(*to);
	case KCATCH_STEP_PUT_CHARS:
		most = step->arg ?: size;	/* of an array without a null byte */
		if (!fault)
			there = kcatch_read_text((u8 *)to, value, most, &ended);
		memset((u8 *)to + there, 0, size - there);
		if (!ended && there < most)
			fetch->faults |= item;
		return to + size / sizeof(*to);
	case KCATCH_STEP_PUT_STRING:
		if (!fault)
			there = kcatch_read_text((u8 *)(to + 1), value, size, &ended);
		if (!ended)
			*(there < size ? &fetch->faults : &fetch->cut) |= item;
		break;
	default:	/* PUT_BYTES, PUT_PATH: of a bad pointer */
		fetch->faults |= item;
	}
	return put_counted(to, there);
}

/* A path, with its length before it. */
static __always_inline u64 *put_path(u64 *to, unsigned long from, bool whole, u32 size, u64 item,
				     u64 *faults, u64 *cut)
{
	u32 length = kcatch_read_path((u8 *)(to + 1), from, whole, size);

	if (unlikely(!length))
		*faults |= item;
	if (unlikely(length & KCATCH_PATH_CUT)) {
		length &= ~KCATCH_PATH_CUT;
		*cut |= item;
	}
	return put_counted(to, length);
}

/* A load from what is not at hand, if @fault is 0. Return: the mark of a fault */
static noinline u64 load_slow(u64 *value, unsigned long from, u32 size, u64 fault)
{
	*value = 0;
	return fault || !kcatch_read(value, from, size) ? ~0ULL : 0;
}

/* *@fault: the mark of the address, and then of the value. */
static __always_inline u64 load(unsigned long from, u32 size, u64 *fault)
{
	u64 value, bad = 0;

	if (unlikely(*fault || !kcatch_at_hand(from, size))) {
		u64 slow;	/* so that @value stays in a register */

		*fault = load_slow(&slow, from, size, *fault);
		return slow;
	}
	value = kcatch_load_word(from, size, &bad);
	*fault = bad;
	return value;
}

static noinline u64 read_slow(u64 *to, unsigned long from, u32 size, u64 fault)
{
	if (!fault && kcatch_read_words(to, from, size))
		return 0;
	memset(to, 0, size);
	return ~0ULL;
}

/* Whole words. Return: the mark of a fault, after which they are 0 */
static __always_inline u64 read_words(u64 *to, unsigned long from, u32 size, u64 fault)
{
	if (likely(!fault && kcatch_at_hand(from, size) && !kcatch_load_words(to, from, size)))
		return 0;
	return read_slow(to, from, size, fault);
}

/* What a list of the return begins with. */
struct returned {
	const u64 *ret;
	const u8 *saved;
	u64 saved_faults;
};

/*
 * Runs a list: all that goes from step to step stays in registers. @returned: what it begins with,
 * of a list of the return; else @args and @stack are. @behind: the items at the front are there,
 * and @to is behind them. @marks: out: faults. Return: the address behind the last item
 */
static __always_inline u64 *run_from(const struct kcatch_steps *steps, const bool behind,
				     const u64 *args, unsigned long stack,
				     const struct returned *returned, u64 *to,
				     struct kcatch_fetch *fetch, u64 *marks)
{
	const struct kcatch_step *step = steps->steps, *end = step + steps->nr;
	const u8 *place = steps->places, *places = place + steps->nr_plain;
	u64 value = 0, faults = 0, fault = 0, item = 1ULL << steps->nr_plain, length = 0;
	const bool at_return = returned;

	if (behind) {
		step += steps->behind_front;
		item = 1ULL << steps->nr_front;
	}
	/* The arguments come first. */
	for (; !at_return && !behind && place < places; place++)
		*to++ = args[*place];
	for (; step < end; step++) {
		u32 op = step->op, size = step->size;
		unsigned long from;

		if (op >= KCATCH_JOINED) {
			if (at_return) {	/* SAVED_MEMORY */
				from = ((const u64 *)returned->saved)[step->arg];
				fault = -(returned->saved_faults >> step->arg & 1);
				goto memory;
			}
			from = args[step->arg & 7];
			if (op == KCATCH_JOINED_ARG_MEMORY) {
				fault = 0;
				goto memory;
			}
			from += step->offset;
			if (op == KCATCH_JOINED_ARG_PATH) {
				to = put_path(to, from, step->arg & KCATCH_JOINED_WHOLE, size,
					      item, &faults, &fetch->cut);
				item <<= 1;
				continue;
			}
			fault = 0;
			value = load(from, size, &fault);
			if (op == KCATCH_JOINED_ARG_VALUE)
				goto put;
		} else if (op == KCATCH_STEP_PUT) {
put:
			*to++ = value & ~fault;
			faults |= fault & item;
			item <<= 1;
		} else if (op == KCATCH_STEP_PUT_MEMORY && !(size & 7)) {
			from = value;
memory:
			faults |= read_words(to, from + step->offset, size, fault) & item;
			to += size / sizeof(*to);
			item <<= 1;
		} else if (at_return && op == KCATCH_STEP_SAVED) {
			value = *(const u64 *)(returned->saved + step->offset);
			fault = -(returned->saved_faults >> step->arg & 1);
		} else if (at_return && op == KCATCH_STEP_MISSED) {
			/* Its @size is the number of the word. */
			value = *(const u64 *)(returned->saved + step->offset);
			fault = -(returned->saved_faults >> size & 1) |
				((returned->saved_faults >> step->arg & 1) - 1);
		} else if (!at_return && op == KCATCH_STEP_ARG) {
			value = args[step->arg];
			fault = 0;
		} else if (op == KCATCH_STEP_LOAD) {
			value = load(value + step->offset, size, &fault);
		} else if (op == KCATCH_STEP_LENGTH) {
			length = value & ~fault;
		} else if (op == KCATCH_STEP_PUT_BYTES && !fault) {
			to = put_bytes(to, value + step->offset, length, size, fetch, item);
			item <<= 1;
		} else if (op == KCATCH_STEP_ADD) {
			value += step->offset;
		} else if (op == KCATCH_STEP_TASK) {
			value = (unsigned long)current;
			fault = 0;
		} else if (op == KCATCH_STEP_CGROUP) {
			value = kcatch_cgroup_current(step->offset);
			fault = 0;
		} else if (at_return && op == KCATCH_STEP_RET) {
			value = returned->ret[step->arg];
			fault = 0;
		} else if (!at_return && op == KCATCH_STEP_STACK) {
			fault = 0;
			value = load(stack + step->offset, sizeof(value), &fault);
		} else if (op == KCATCH_STEP_PUT_PATH && !fault) {
			to = put_path(to, value, step->arg, size, item, &faults, &fetch->cut);
			item <<= 1;
		} else {
			to = put_text(step, to, value, fault, fetch, item);
			item <<= 1;
		}
	}
	*marks = faults;
	return to;
}

static __always_inline u64 *run(const struct kcatch_steps *steps, const u64 *args,
				unsigned long stack, const struct returned *returned, u64 *to,
				struct kcatch_fetch *fetch, u64 *marks)
{
	return run_from(steps, false, args, stack, returned, to, fetch, marks);
}

/*
 * Runs a list of words, as long as all is at hand and nothing faults: so nothing is called and no
 * item has a mark. @from: words of arguments, or the data of the entry if @at_return; @other: the
 * stack, or the registers of the return. Return: 0, or not: then some of @to are anything
 */
static __always_inline u64 run_quick(const struct kcatch_steps *steps, const u64 *from,
				     unsigned long other, u64 *to, const bool at_return)
{
	const struct kcatch_step *step = steps->steps, *end = step + steps->nr;
	u64 *first = to + steps->nr_plain, value = 0, fault = 0;
	const u8 *place = steps->places;

	while (!at_return && to < first)
		*to++ = from[*place++];
	for (; step < end; step++) {
		u32 op = step->op, size = step->size;
		unsigned long at;

		if (op >= KCATCH_JOINED) {
			at = from[step->arg];
			if (at_return || op == KCATCH_JOINED_ARG_MEMORY)
				goto memory;
			at += step->offset;
			goto load;
		} else if (op == KCATCH_STEP_PUT) {
put:
			*to++ = value;
		} else if (op == KCATCH_STEP_PUT_MEMORY) {
			at = value;
memory:
			at += step->offset;
			if (unlikely(!kcatch_at_hand(at, size)))
				return ~0ULL;
			kcatch_load_more(to, at, size, &fault);
			to = (void *)to + size;
		} else if (op == KCATCH_STEP_LOAD) {
			at = value + step->offset;
load:
			if (unlikely(!kcatch_at_hand(at, size)))
				return ~0ULL;
			value = kcatch_load_word(at, size, &fault);
			if (op == KCATCH_JOINED_ARG_VALUE)
				goto put;
		} else if (!at_return && op == KCATCH_STEP_ARG) {
			value = from[step->arg];
		} else if (at_return && op == KCATCH_STEP_SAVED) {
			value = from[step->offset / sizeof(*from)];
		} else if (op == KCATCH_STEP_ADD) {
			value += step->offset;
		} else if (op == KCATCH_STEP_TASK) {
			value = (unsigned long)current;
		} else if (op == KCATCH_STEP_CGROUP) {
			value = kcatch_cgroup_current(step->offset);
		} else if (at_return) {		/* RET */
			value = ((const u64 *)other)[step->arg];
		} else {			/* STACK */
			at = other + step->offset;
			size = sizeof(value);	/* a STACK step has none of its own */
			goto load;
		}
	}
	return fault;
}

u64 kcatch_fetch_marked(const struct kcatch_steps *steps, const u64 *args, unsigned long stack,
			void *to)
{
	struct kcatch_fetch fetch = { .faults = 0 };
	u64 faults;

	run(steps, args, stack, NULL, to, &fetch, &faults);
	return fetch.faults | faults;
}

/* kcatch_fetch_items() from an item on that it leaves to this: all items, wherever they are. */
static noinline u64 *fetch_more(const struct kcatch_direct *item, const struct kcatch_direct *end,
				const u64 *args, u64 *to, u64 fault)
{
	const struct kcatch_direct *row;

	for (; item < end; item++) {
		u64 from = args[item->place];

		if (item->how == KCATCH_DIRECT_ARG) {
			*to++ = from;
			continue;
		}
		if (item->span && unlikely(!kcatch_at_hand(from + item->low, item->span)))
			return NULL;
		if (item->how == KCATCH_DIRECT_ROW) {
			for (row = item + item->size; item < row; item++)
				*to++ = kcatch_load_word(from + item->offset, 8, &fault);
			item--;
			continue;
		}
		from += item->offset;
		if (item->how == KCATCH_DIRECT_POINTER) {
			item++;
			/* A fault leaves anything, which is looked at like any pointer. */
			from = kcatch_load_word(from, 8, &fault) + item->offset;
			if (unlikely(!kcatch_at_hand(from, item->span)))
				return NULL;
		}
		if (item->size <= sizeof(*to)) {
			*to++ = kcatch_load_word(from, item->size, &fault);
			continue;
		}
		kcatch_load_more(to, from, item->size, &fault);
		to += item->size / sizeof(*to);
	}
	return likely(!fault) ? to : NULL;
}

/* What is most frequent, in as many registers as need not be saved. */
u64 *kcatch_fetch_items(const struct kcatch_steps *steps, u32 nr, const u64 *args, u64 *to)
{
	const struct kcatch_direct *item = steps->direct, *end = item + nr;
	u64 fault = 0;

	do {
		u64 from = args[item->place];
		u32 how = item->how;

		if (how == KCATCH_DIRECT_ARG) {
			*to++ = from;
			item++;
			continue;
		}
		if (item->span && unlikely(!kcatch_in_direct_map(from + item->low)))
			goto more;
		if (how == KCATCH_DIRECT_ROW) {
			how = item->size;
			do {
				*to++ = kcatch_load_word(from + item++->offset, 8, &fault);
				/* Else the compiler counts in more registers. */
				OPTIMIZER_HIDE_VAR(how);
			} while (--how);
			continue;
		}
		from += item->offset;
		if (how == KCATCH_DIRECT_INT) {
			*to++ = kcatch_load_word(from, 4, &fault);
			item++;
			continue;
		}
		if (how == KCATCH_DIRECT_POINTER) {
			from = kcatch_load_word(from, 8, &fault) + item[1].offset;
			how = item[1].how;
			if (unlikely(how > KCATCH_DIRECT_TWO || !kcatch_in_direct_map(from)))
				goto more;
			item++;
		} else if (how > KCATCH_DIRECT_TWO) {
			if (how == KCATCH_DIRECT_SMALL && item->size == 2)
				*to++ = kcatch_load_word(from, 2, &fault);
			else if (how == KCATCH_DIRECT_SMALL)
				*to++ = kcatch_load_word(from, 1, &fault);
			else
				goto more;
			item++;
			continue;
		}
		to[0] = kcatch_load_word(from, 8, &fault);
		if (how == KCATCH_DIRECT_TWO) {
			to[1] = kcatch_load_word(from + 8, 8, &fault);
			to++;
		}
		to++;
		item++;
	} while (item < end);
	return likely(!fault) ? to : NULL;
more:
	return fetch_more(item, end, args, to, fault);
}

static noinline bool tail_read(u64 *to, unsigned long from, u32 size)
{
	bool done = read_bytes(to, from, size);

	if (!done)
		memset(to, 0, size);
	zero_tail((u8 *)to, size);
	return done;
}

bool kcatch_fetch_tail(const struct kcatch_steps *steps, const u64 *words, u64 *to)
{
	unsigned long from = words[steps->tail_word] + steps->tail_offset;

	return !kcatch_fetch_no_tail(steps, words, to) && tail_read(to, from, steps->tail_size);
}

u64 kcatch_fetch_quick(const struct kcatch_steps *steps, const u64 *args, unsigned long stack,
		       void *to)
{
	return run_quick(steps, args, stack, to, false);
}

u64 kcatch_fetch_fixed(const struct kcatch_steps *steps, const u64 *args, unsigned long stack,
		       void *to)
{
	struct kcatch_fetch fetch;
	u64 *behind = NULL, faults;

	if (steps->words)
		return kcatch_fetch_words(steps, args, stack, to);
	if (likely(steps->nr_front))
		behind = kcatch_fetch_items(steps, steps->nr_front, args, to);
	if (unlikely(!behind))
		return kcatch_fetch_marked(steps, args, stack, to);
	/* No more of it is used. */
	fetch.faults = 0;
	fetch.cut = 0;
	run_from(steps, true, args, stack, NULL, behind, &fetch, &faults);
	return fetch.faults | faults;
}

void kcatch_fetch_run(const struct kcatch_steps *steps, struct kcatch_fetch *fetch)
{
	u64 *to = (u64 *)fetch->to, faults;

	fetch->cut = 0;
	if (steps->words) {
		fetch->faults = kcatch_fetch_words(steps, fetch->args, fetch->stack, to);
		fetch->size = steps->size_max;
		return;
	}
	fetch->faults = 0;
	fetch->size = (u8 *)run(steps, fetch->args, fetch->stack, NULL, to, fetch, &faults) -
		      fetch->to;
	fetch->faults |= faults;
}

void kcatch_fetch_return(const struct kcatch_steps *steps, struct kcatch_fetch *fetch)
{
	const struct returned returned = {
		.ret = fetch->ret, .saved = fetch->saved, .saved_faults = fetch->saved_faults,
	};
	u64 *to = (u64 *)fetch->to, faults;

	fetch->cut = 0;
	fetch->faults = 0;
	fetch->size = (u8 *)run(steps, NULL, 0, &returned, to, fetch, &faults) - fetch->to;
	fetch->faults |= faults;
}

static noinline u64 return_words_slow(const struct kcatch_steps *steps, const u64 *ret,
				      const void *saved, u64 saved_faults, void *to)
{
	struct kcatch_fetch fetch = {
		.ret = ret, .saved = saved, .saved_faults = saved_faults, .to = to,
	};

	kcatch_fetch_return(steps, &fetch);
	return fetch.faults;
}

u64 kcatch_fetch_return_words(const struct kcatch_steps *steps, const u64 *ret, const void *saved,
			      u64 saved_faults, void *to)
{
	if (likely(!saved_faults && !run_quick(steps, saved, (unsigned long)ret, to, true)))
		return 0;
	return return_words_slow(steps, ret, saved, saved_faults, to);
}

void kcatch_fetch_init(void)
{
	kcatch_direct_start = PAGE_OFFSET + KCATCH_ISA_END;
	kcatch_direct_size = VMALLOC_START - kcatch_direct_start - PAGE_SIZE;
	kcatch_path_init();
	if (!kcatch_fetch_try())
		kcatch_steps_distrust();
}
