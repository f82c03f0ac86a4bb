// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two readers of items, which run at each hit. Any context, NMI too, inside a hook.
 */
#include <linux/kernel.h>
#include <linux/sched.h>
#include "core/cgroup.h"
#include "program/fetch.h"
#include "program/fetch_memory.h"
#include "program/fetch_path.h"
#include "program/fetch_trial.h"

/* What of the next item's memory is left out: no more than there is. @length: bytes of that; out:
 * those that are left */
static __always_inline u64 skip_part(u64 *length, u64 skip)
{
	skip = min_t(u64, skip, *length);
	*length -= skip;
	return skip;
}

/* The bytes from @length on up to a multiple of 8. */
static __always_inline void zero_tail(u8 *to, u32 length)
{
	if (length & 7)
		*(u64 *)(to + (length & ~7U)) &= ~(~0ULL << length % 8 * 8);
}

/* All from @length on. @size: a multiple of 8 */
static noinline void zero_behind(u64 *to, u32 length, u32 size)
{
	zero_tail((u8 *)to, length);
	memset((u8 *)to + ALIGN(length, 8), 0, size - ALIGN(length, 8));
}

/* ---- the quick reader ------------------------------------------------------------- */

u64 kcatch_fetch_quick(const struct kcatch_items *list, const u64 *words, unsigned long more,
		       void *put)
{
	const struct kcatch_read_item *item = list->items, *end = item + list->nr;
	u64 *to = put, length = ~0ULL, skip = 0, fault = 0, value;

	for (; item < end; item++) {
		const s32 *hop;
		u32 size, left;

		if (item->argument) {
			*to++ = words[item->place];
			continue;
		}
		hop = item->hops;
		size = item->size;
		if (likely(item->from == KCATCH_ITEM_ARG)) {
			value = words[item->place];
		} else if (item->from == KCATCH_ITEM_SAVED) {
			value = ((const u64 *)more)[item->place];
		} else if (item->from == KCATCH_ITEM_TASK) {
			value = (unsigned long)current;
		} else if (item->from == KCATCH_ITEM_CGROUP) {
			value = kcatch_cgroup_current(item->start);
		} else {	/* STACK */
			value = more + item->start;
			if (unlikely(!kcatch_at_hand(value, sizeof(value))))
				return ~0ULL;
			value = kcatch_load_word(value, sizeof(value), &fault);
		}
		/* A fault leaves anything, which is looked at like any pointer. */
		for (left = item->nr_hops; left; left--) {
			value += *hop++;
			if (unlikely(!kcatch_at_hand(value, sizeof(value))))
				return ~0ULL;
			value = kcatch_load_word(value, sizeof(value), &fault);
		}
		value += item->offset;
		if (!size) {
			*to++ = value;
			continue;
		}
		value += skip;
		if (unlikely(!kcatch_at_hand(value, size)))
			return ~0ULL;
		if (likely(item->put == KCATCH_ITEM_WORD)) {
			*to++ = kcatch_load_word(value, size, &fault);
		} else if (item->put == KCATCH_ITEM_MEMORY) {
			kcatch_load_more(to, value, size, &fault);
			if (unlikely(length < size))
				zero_behind(to, length, size);
			to = (void *)to + size;
			length = ~0ULL;
			skip = 0;
		} else if (item->put == KCATCH_ITEM_LENGTH) {
			length = kcatch_load_word(value, size, &fault);
		} else {
			skip = skip_part(&length, kcatch_load_word(value, size, &fault));
		}
	}
	return fault;
}

/* ---- the full reader -------------------------------------------------------------- */

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

	/* The room is whole words, too, and what is behind the bytes becomes 0. */
	if (!kcatch_is_user(from) && kcatch_at_hand(from, ALIGN(size, 8)) &&
	    !kcatch_load_words(to, from, ALIGN(size, 8)))
		return true;
	if (!kcatch_is_user(from) || size > BOUNCED)
		return kcatch_read(to, from, size);
	if (unlikely(!kcatch_read_user(bounce, from, size)))
		return false;
	*to = bounce[0];
	for (i = sizeof(u64); unlikely(i < size); i += sizeof(u64))
		to[i / sizeof(u64)] = bounce[i / sizeof(u64)];
	return true;
}

/* @there: bytes that there are, at most @size; behind them it is 0 */
static noinline u64 *put_memory(u64 *to, unsigned long from, u32 there, u32 size, u64 fault,
				struct kcatch_fetch *fetch, u64 bit)
{
	if (fault || (there && !read_bytes(to, from, there))) {
		there = 0;
		fetch->faults |= bit;
	}
	zero_behind(to, there, ALIGN(size, 8));
	return to + (size + 7) / sizeof(*to);
}

static noinline u64 *put_bytes(u64 *to, unsigned long from, u64 length, u32 size, u64 fault,
			       struct kcatch_fetch *fetch, u64 bit)
{
	u32 there = min_t(u64, length, size);

	if (fault || (there && unlikely(!read_bytes(to + 1, from, there)))) {
		fetch->faults |= bit;
		there = 0;
	} else if (length > there) {
		fetch->cut |= bit;
	}
	return put_counted(to, there);
}

static noinline u64 *put_path(u64 *to, unsigned long from, bool whole, u32 size,
			      struct kcatch_fetch *fetch, u64 bit)
{
	u32 length = kcatch_read_path((u8 *)(to + 1), from, whole, size);

	if (unlikely(!length))
		fetch->faults |= bit;
	if (unlikely(length & KCATCH_PATH_CUT)) {
		length &= ~KCATCH_PATH_CUT;
		fetch->cut |= bit;
	}
	return put_counted(to, length);
}

/* The dearer items, or what is behind a bad pointer. @fault: its mark. Return: the address behind
 * it */
static noinline u64 *put_text(const struct kcatch_read_item *item, u64 *to, unsigned long from,
			      u64 fault, struct kcatch_fetch *fetch, u64 bit)
{
	u32 size = item->size, there = 0, most;
	bool ended = false;

	switch (item->put) {
	case KCATCH_ITEM_CHARS:
		most = item->limit ?: size;	/* of an array without a null byte */
		if (!fault)
			there = kcatch_read_text((u8 *)to, from, most, &ended);
		memset((u8 *)to + there, 0, size - there);
		if (!ended && there < most)
			fetch->faults |= bit;
		return to + size / sizeof(*to);
	case KCATCH_ITEM_STRING:
		if (!fault)
			there = kcatch_read_text((u8 *)(to + 1), from, size, &ended);
		if (!ended)
			*(there < size ? &fetch->faults : &fetch->cut) |= bit;
		break;
	default:	/* PATH, DENTRY */
		fetch->faults |= bit;
	}
	return put_counted(to, there);
}

/* A load from what is not at hand, if @fault is 0. Return: the mark of a fault */
static noinline u64 load_slow(u64 *value, unsigned long from, u32 size, u64 fault)
{
	*value = 0;
	return fault || !kcatch_read(value, from, size) ? ~0ULL : 0;
}

/* *@fault: the mark of the address, and then of the value. */
static __always_inline u64 fetch_load(unsigned long from, u32 size, u64 *fault)
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

/* A value, and the mark of a fault. */
struct marked {
	u64 value;
	u64 fault;
};

/* The value that an item begins with, where it is neither an argument nor saved. */
static noinline struct marked begin_other(const struct kcatch_read_item *item,
					  const struct kcatch_fetch *fetch)
{
	struct marked marked = { .fault = 0 };

	switch (item->from) {
	case KCATCH_ITEM_MISSED:
		marked.value = ((const u64 *)fetch->more)[item->place];
		marked.fault = -(fetch->missed >> item->place & 1) |
			       ((fetch->missed >> item->start & 1) - 1);
		break;
	case KCATCH_ITEM_TASK:
		marked.value = (unsigned long)current;
		break;
	case KCATCH_ITEM_CGROUP:
		marked.value = kcatch_cgroup_current(item->start);
		break;
	case KCATCH_ITEM_LATENCY:
		marked.value = fetch->latency;
		break;
	default:	/* STACK */
		marked.value = fetch_load(fetch->more + item->start, sizeof(u64), &marked.fault);
	}
	return marked;
}

/* Behind @nr of its hops. */
static __always_inline struct marked fetch_follow(const struct kcatch_read_item *item, u32 nr,
						  const struct kcatch_fetch *fetch)
{
	const s32 *hop = item->hops;
	struct marked marked;

	if (likely(item->from == KCATCH_ITEM_ARG)) {
		marked.value = fetch->words[item->place];
		marked.fault = 0;
	} else if (item->from == KCATCH_ITEM_SAVED) {
		marked.value = ((const u64 *)fetch->more)[item->place];
		marked.fault = -(fetch->missed >> item->place & 1);
	} else {
		marked = begin_other(item, fetch);
	}
	for (; nr; nr--)
		marked.value = fetch_load(marked.value + *hop++, sizeof(u64), &marked.fault);
	return marked;
}

/* The items from @item to @end, of which the first that puts something has the bit 1. Return: the
 * address behind the last one. */
static __always_inline u64 *read_items(const struct kcatch_read_item *item,
				       const struct kcatch_read_item *end,
				       struct kcatch_fetch *fetch, u64 *to)
{
	const u64 *words = fetch->words;
	u64 length = ~0ULL, skip = 0, bit = 1;

	fetch->faults = 0;
	fetch->cut = 0;
	for (; item < end; item++) {
		struct marked marked;
		u32 size, put;

		if (item->argument) {
			*to++ = words[item->place];
			bit <<= 1;
			continue;
		}
		marked = fetch_follow(item, item->nr_hops, fetch);
		marked.value += item->offset;
		size = item->size;
		put = item->put;
		if (put <= KCATCH_ITEM_WORD) {
			if (put == KCATCH_ITEM_WORD)
				marked.value = fetch_load(marked.value, size, &marked.fault);
			*to++ = marked.value & ~marked.fault;
			if (unlikely(marked.fault))
				fetch->faults |= bit;
		} else if (put == KCATCH_ITEM_MEMORY) {
			marked.value += skip;
			if (likely(!marked.fault && !(size & 7) && length >= size &&
				   kcatch_at_hand(marked.value, size) &&
				   !kcatch_load_words(to, marked.value, size)))
				to += size / sizeof(*to);
			else
				to = put_memory(to, marked.value, min_t(u64, length, size), size,
						marked.fault, fetch, bit);
			length = ~0ULL;
			skip = 0;
		} else if (put == KCATCH_ITEM_LENGTH) {
			if (size)
				marked.value = fetch_load(marked.value, size, &marked.fault);
			length = marked.value & ~marked.fault;
			continue;
		} else if (put == KCATCH_ITEM_SKIP) {
			skip = fetch_load(marked.value, size, &marked.fault);
			skip = skip_part(&length, skip | marked.fault);
			continue;
		} else if (put == KCATCH_ITEM_BYTES) {
			to = put_bytes(to, marked.value, length, size, marked.fault, fetch, bit);
			length = ~0ULL;
		} else if ((put == KCATCH_ITEM_PATH || put == KCATCH_ITEM_DENTRY) &&
			   !marked.fault) {
			to = put_path(to, marked.value, put == KCATCH_ITEM_PATH, size, fetch, bit);
		} else {
			to = put_text(item, to, marked.value, marked.fault, fetch, bit);
		}
		bit <<= 1;
	}
	return to;
}

/* The same, where a call more does not matter. */
static noinline u64 *read_part(const struct kcatch_read_item *item,
			       const struct kcatch_read_item *end, struct kcatch_fetch *fetch,
			       u64 *to)
{
	return read_items(item, end, fetch, to);
}

u64 kcatch_fetch_marked(const struct kcatch_items *list, const u64 *words, unsigned long more,
			void *to)
{
	struct kcatch_fetch fetch = { .words = words, .more = more };

	read_part(list->items, list->items + list->nr, &fetch, to);
	return fetch.faults;
}

void kcatch_fetch_run(const struct kcatch_items *list, struct kcatch_fetch *fetch)
{
	u64 *to = (u64 *)fetch->to;

	if (list->words && !fetch->missed &&
	    likely(!kcatch_fetch_quick(list, fetch->words, fetch->more, to))) {
		fetch->faults = 0;
		fetch->cut = 0;
		fetch->size = list->size_max;
		return;
	}
	to = read_items(list->items, list->items + list->nr, fetch, to);
	fetch->size = (u8 *)to - fetch->to;
}

/* ---- items one by one ------------------------------------------------------------- */

bool kcatch_fetch_item(const struct kcatch_items *list, u32 index, struct kcatch_fetch *fetch)
{
	const struct kcatch_read_item *item = &list->items[index], *first = item;

	while (first > list->items && kcatch_item_is_silent(first[-1].put))
		first--;
	fetch->missed = 0;
	fetch->size = (u8 *)read_part(first, item + 1, fetch, (u64 *)fetch->to) - fetch->to;
	return !fetch->faults;
}

/* Does an item put bytes of user memory, and need nothing of the caller's stack? */
static bool is_user_item(const struct kcatch_items *list, const struct kcatch_read_item *item,
			 const struct kcatch_fetch *fetch)
{
	/* Of a VALUE it is the pointer that the last hop leads to. */
	const u32 nr = item->put == KCATCH_ITEM_VALUE && item->nr_hops ? item->nr_hops - 1 :
									 item->nr_hops;
	const struct kcatch_read_item *before;
	struct marked marked;
	u64 at;

	if (item->from == KCATCH_ITEM_STACK || item->put == KCATCH_ITEM_PATH ||
	    item->put == KCATCH_ITEM_DENTRY || (item->put == KCATCH_ITEM_VALUE && !item->nr_hops))
		return false;
	for (before = item; before > list->items && kcatch_item_is_silent(before[-1].put); before--)
		if (before[-1].from == KCATCH_ITEM_STACK)
			return false;
	marked = fetch_follow(item, nr, fetch);
	at = marked.value + (nr < item->nr_hops ? item->hops[nr] : item->offset);
	return !marked.fault && kcatch_is_user(at) && at >= PAGE_SIZE;
}

static u32 bytes_put(const struct kcatch_read_item *item, const u8 *data)
{
	if (kcatch_item_is_counted(item->put))
		return KCATCH_ITEM_HEAD + ALIGN(*(const u32 *)data, 8);
	return kcatch_item_most(item->put, item->size);
}

u32 kcatch_fetch_again(const struct kcatch_items *list, const u64 *args, const u8 *from, u8 *to,
		       u64 *faults)
{
	struct kcatch_fetch fetch = { .words = args, .to = to };
	u64 bit = 1;
	u32 i, old;

	for (i = 0; i < list->nr; i++) {
		const struct kcatch_read_item *item = &list->items[i];

		if (kcatch_item_is_silent(item->put))
			continue;
		old = bytes_put(item, from);
		if (*faults & bit && is_user_item(list, item, &fetch) &&
		    kcatch_fetch_item(list, i, &fetch)) {
			*faults &= ~bit;
		} else {
			memcpy(fetch.to, from, old);
			fetch.size = old;
		}
		fetch.to += fetch.size;
		from += old;
		bit <<= 1;
	}
	return fetch.to - to;
}

void kcatch_fetch_init(void)
{
	kcatch_direct_init();
	kcatch_path_init();
	if (!kcatch_fetch_try())
		kcatch_items_distrust();
}
