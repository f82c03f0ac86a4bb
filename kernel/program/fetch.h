/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fetching: reads lists of items, that is arguments and the memory behind them. There are two
 * readers: the full one, which reads any list, and the quick one, which reads whole words at hand
 * and gives up otherwise. Both are tried against each other when the module is loaded.
 *
 * A kernel address is followed only if it is memory: addresses in the vmalloc area are
 * looked up in the page tables first, because reading a device's registers can have side
 * effects. (Mappings of user memory are not checked that closely.) All reads go through
 * the kernel's fault-tolerant copies.
 */
#ifndef _KCATCH_FETCH_H
#define _KCATCH_FETCH_H

#include "program/items.h"

/**
 * struct kcatch_fetch - one run of a list
 * @words: arguments at the entry, KCATCH_ARGS words; of a list of the return ax in struct pt_regs:
 *	the return value is ax and dx
 * @more: address of the seventh argument at the entry; of a list of the return that of the data
 *	that the entry's list put
 * @missed: faulty items of these data, one bit each; 0 at the entry
 * @latency: of a list with @paired
 * @to: destination, room for size_max bytes and KCATCH_FETCH_SPILL
 * @size: out: bytes put
 * @faults: out: faulty items, one bit each
 * @cut: out: truncated items, one bit each
 */
struct kcatch_fetch {
	const u64 *words;
	unsigned long more;
	u64 missed;
	u64 latency;
	u8 *to;
	u32 size;
	u64 faults;
	u64 cut;
};

/* Bytes behind those of a list that fetching may write to: what is copied by words. */
#define KCATCH_FETCH_SPILL	8

/**
 * kcatch_fetch_run() - read a list
 *
 * Context: any, inside a hook. Never faults, never waits.
 */
void kcatch_fetch_run(const struct kcatch_items *list, struct kcatch_fetch *fetch);

/**
 * kcatch_fetch_quick() - the quick reader: a list with @words set, as long as all is at hand and
 *	nothing faults
 * @words: as in struct kcatch_fetch, like @more; there, nothing is @missed
 * @to: receives exactly size_max bytes
 *
 * Context: as kcatch_fetch_run(). Return: 0; else some of @to are anything: kcatch_fetch_marked()
 */
u64 kcatch_fetch_quick(const struct kcatch_items *list, const u64 *words, unsigned long more,
		       void *to);

/** kcatch_fetch_marked() - the full reader of a list with @fixed set, which cuts nothing.
 * Parameters and context as of kcatch_fetch_quick(). Return: faulty items, one bit each */
u64 kcatch_fetch_marked(const struct kcatch_items *list, const u64 *words, unsigned long more,
			void *to);

/** kcatch_fetch_fixed() - a list with @fixed set, by the reader for it. Parameters, context and
 * result as of kcatch_fetch_marked() */
static __always_inline u64 kcatch_fetch_fixed(const struct kcatch_items *list, const u64 *words,
					      unsigned long more, void *to)
{
	if (likely(list->words && !kcatch_fetch_quick(list, words, more, to)))
		return 0;
	return kcatch_fetch_marked(list, words, more, to);
}

/**
 * kcatch_fetch_item() - the full reader, of one item that puts something
 * @list: list of the entry, or of fields
 * @index: index of the item; LENGTH and SKIP before it are read, too
 * @fetch: @words and @to are set, and @more if the item is from there
 *
 * Context: as kcatch_fetch_run(). Return: whether the item could be read
 */
bool kcatch_fetch_item(const struct kcatch_items *list, u32 index, struct kcatch_fetch *fetch);

/**
 * kcatch_fetch_again() - copy what a list put at the entry, with items read that could not be
 * @list: list of the entry, or of fields
 * @args: arguments at the entry: KCATCH_ARGS words
 * @from: what the list put
 * @to: room for size_max bytes and KCATCH_FETCH_SPILL; not @from
 * @faults: in: items to read, one bit each; out: those that are still faulty
 *
 * It is for the return of a call: a page that nobody had touched yet may have been read by the call
 * itself. Only items whose own bytes are user memory are read; the pointers that lead to them may
 * be the kernel's. The words of arguments on the stack are gone by then: what lies behind them
 * stays unread.
 *
 * Context: as kcatch_fetch_run(). Return: bytes put
 */
u32 kcatch_fetch_again(const struct kcatch_items *list, const u64 *args, const u8 *from, u8 *to,
		       u64 *faults);

/**
 * kcatch_fetch_user() - the current task in user mode: registers, the top of its stack, mappings
 * @user: result; its flags name the parts that it has
 * @stack_room: bytes for the copy of the stack, a multiple of 8
 * @maps_room: bytes for the mappings, beside what is left of @stack_room; 0: none
 *
 * Context: any, inside a hook.
 */
void kcatch_fetch_user(struct kcatch_user *user, u32 stack_room, u32 maps_room);

/** kcatch_fetch_init() - test whether our paths equal those of the kernel, and whether the quick
 * reader gives what the full one does */
void kcatch_fetch_init(void);

#endif
