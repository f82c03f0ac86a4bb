/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checked lists of items (struct kcatch_item of the uapi header describes an item), as both readers
 * read them.
 */
#ifndef _KCATCH_ITEMS_H
#define _KCATCH_ITEMS_H

#include <uapi/kcatch.h>
#include "program/args.h"

/* Bytes of the length in front of a text. */
#define KCATCH_ITEM_HEAD	8

/**
 * struct kcatch_read_item - an item of a checked list
 * @from: KCATCH_ITEM_ARG..LATENCY; ARG for a RET, too, which is a word of the registers
 * @put: KCATCH_ITEM_VALUE..SKIP
 * @nr_hops: number of @hops
 * @place: index of an ARG among its words, of a SAVED or MISSED among the words of the data
 * @size: as in struct kcatch_item, like @limit and @offset; of a VALUE 0
 * @argument: it is the VALUE of an ARG as it is, as most items are
 * @start: of a STACK, bytes; of a CGROUP as kcatch_cgroup_current() takes it; of a MISSED the item
 *	of the entry that could not be read
 * @hops: offsets of the pointers to follow
 */
struct kcatch_read_item {
	u8 from;
	u8 put;
	u8 nr_hops;
	u8 place;
	u16 size;
	u16 limit : 15;
	u16 argument : 1;
	s32 start;
	s32 offset;
	const s32 *hops;
};

/**
 * struct kcatch_items - a checked list of items
 * @nr: number of items
 * @nr_puts: number of those that put something
 * @size_max: maximum bytes that the items put
 * @saved: bytes at the front of the entry's data that a list for the return reads
 * @nr_words: number of items at the front that are VALUE or WORD
 * @pure: no item can be faulty or cut
 * @fixed: the list always puts size_max bytes, and writes nothing behind them
 * @words: the quick reader knows all items: whole words, but of no MISSED and no LATENCY
 * @paired: there is a LATENCY
 * @one: the only item is a WORD behind an argument
 * @items: the items
 */
struct kcatch_items {
	u32 nr;
	u32 nr_puts;
	u32 size_max;
	u32 saved;
	u32 nr_words;
	bool pure;
	bool fixed;
	bool words;
	bool paired;
	bool one;
	struct kcatch_read_item *items;
};

/* Which list of a program is checked. */
enum kcatch_items_kind { KCATCH_ITEMS_ENTRY, KCATCH_ITEMS_RETURN, KCATCH_ITEMS_FIELDS };

/* The hops of a program, in kernel memory. */
struct kcatch_hops {
	const s32 *hops;
	u32 nr;
};

/**
 * kcatch_items_check() - validate a list of items, and make the one that is read
 * @list: zeroed, but for @items, which has room for @nr
 * @items: the list; a copy in kernel memory
 * @nr: number of items
 * @hops: must outlive @list
 * @kind: use of the list
 * @entry: for a list of the return: the checked list of the entry
 * @bad: out: index of the first invalid item
 *
 * Return: 0, -EINVAL, -E2BIG
 */
int kcatch_items_check(struct kcatch_items *list, const struct kcatch_item *items, u32 nr,
		       const struct kcatch_hops *hops, enum kcatch_items_kind kind,
		       const struct kcatch_items *entry, u32 *bad);

/** kcatch_items_distrust() - lists that are checked from now on are read in the full way. Context:
 * while the module is loaded */
void kcatch_items_distrust(void);

/** kcatch_item_most() - the most bytes that an item puts. Context: any */
static inline u32 kcatch_item_most(u8 put, u32 size)
{
	switch (put) {
	case KCATCH_ITEM_VALUE:
	case KCATCH_ITEM_WORD:
		return sizeof(u64);
	case KCATCH_ITEM_MEMORY:
	case KCATCH_ITEM_CHARS:
		return ALIGN(size, 8);
	case KCATCH_ITEM_LENGTH:
	case KCATCH_ITEM_SKIP:
		return 0;
	default:
		return KCATCH_ITEM_HEAD + ALIGN(size, 8);
	}
}

/** kcatch_item_is_counted() - is its length in front of what it puts? Context: any */
static inline bool kcatch_item_is_counted(u8 put)
{
	return put == KCATCH_ITEM_STRING || put == KCATCH_ITEM_BYTES || put == KCATCH_ITEM_PATH ||
	       put == KCATCH_ITEM_DENTRY;
}

/** kcatch_item_is_silent() - does it put nothing, but is about the item behind it? Context: any */
static inline bool kcatch_item_is_silent(u8 put)
{
	return put == KCATCH_ITEM_LENGTH || put == KCATCH_ITEM_SKIP;
}

#endif
