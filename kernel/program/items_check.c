// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks lists of items when they are taken from user space. Process context.
 */
#include <linux/kernel.h>
#include "core/cgroup.h"
#include "program/items.h"

/* The quick reader is not used: the trial of it has failed. */
static bool distrusted;

/* A word of the entry's data, whose offset is known. */
static int check_saved(const struct kcatch_item *item, struct kcatch_read_item *read,
		       const struct kcatch_items *entry, struct kcatch_items *list)
{
	if (item->start < 0 || item->start % sizeof(u64) ||
	    item->start / sizeof(u64) >= entry->nr_words)
		return -EINVAL;
	read->place = item->start / sizeof(u64);
	list->saved = max_t(u32, list->saved, item->start + sizeof(u64));
	return 0;
}

static int check_from(const struct kcatch_item *item, struct kcatch_read_item *read,
		      enum kcatch_items_kind kind, const struct kcatch_items *entry,
		      struct kcatch_items *list)
{
	const bool at_return = kind == KCATCH_ITEMS_RETURN;

	switch (item->from) {
	case KCATCH_ITEM_ARG:
		read->place = kcatch_args_place(item->index);
		return at_return || item->index >= KCATCH_ARGS_NR || item->start ? -EINVAL : 0;
	case KCATCH_ITEM_RET:
		read->from = KCATCH_ITEM_ARG;
		if (item->index)
			read->place = KCATCH_RESULT_SECOND;
		return !at_return || item->index > 1 || item->start ? -EINVAL : 0;
	case KCATCH_ITEM_SAVED:
		return !at_return || item->index ? -EINVAL : check_saved(item, read, entry, list);
	case KCATCH_ITEM_MISSED:
		if (!at_return || item->index >= entry->nr_puts)
			return -EINVAL;
		read->start = item->index;
		return check_saved(item, read, entry, list);
	case KCATCH_ITEM_STACK:
		return at_return || item->index || item->start < 0 ||
				       item->start > KCATCH_STACK_MAX ?
			       -EINVAL :
			       0;
	case KCATCH_ITEM_TASK:
		return item->index || item->start ? -EINVAL : 0;
	case KCATCH_ITEM_CGROUP:
		if (!item->index)
			read->start = KCATCH_CGROUP_OWN;
		return item->index > 1 || item->start < 0 || (!item->index && item->start) ?
		       -EINVAL : 0;
	case KCATCH_ITEM_LATENCY:
		list->paired = true;
		return kind != KCATCH_ITEMS_ENTRY || item->put != KCATCH_ITEM_VALUE ||
				       item->nr_hops || item->index || item->start ?
			       -EINVAL :
			       0;
	}
	return -EINVAL;
}

/* May an item be behind another? @before: what that puts; 0: there is none */
static bool may_follow(u8 put, u8 before)
{
	if (before == KCATCH_ITEM_LENGTH)
		return put == KCATCH_ITEM_BYTES || put == KCATCH_ITEM_SKIP;
	if (before == KCATCH_ITEM_SKIP)
		return put == KCATCH_ITEM_MEMORY;
	return put != KCATCH_ITEM_BYTES && put != KCATCH_ITEM_SKIP;
}

/* @before: what the item before it puts */
static int check_put(const struct kcatch_item *item, u8 before)
{
	const u32 size = item->size;
	const bool fits = size && size <= KCATCH_DATA_MAX;

	if (!may_follow(item->put, before) || (item->limit && item->put != KCATCH_ITEM_CHARS))
		return -EINVAL;
	switch (item->put) {
	case KCATCH_ITEM_VALUE:
		return size ? -EINVAL : 0;
	case KCATCH_ITEM_WORD:
	case KCATCH_ITEM_SKIP:
		return size == 1 || size == 2 || size == 4 || size == 8 ? 0 : -EINVAL;
	case KCATCH_ITEM_LENGTH:
		return !size || size == 4 || size == 8 ? 0 : -EINVAL;
	case KCATCH_ITEM_CHARS:
		return fits && !(size & 7) && item->limit <= size ? 0 : -EINVAL;
	case KCATCH_ITEM_MEMORY:
	case KCATCH_ITEM_STRING:
	case KCATCH_ITEM_BYTES:
	case KCATCH_ITEM_PATH:
	case KCATCH_ITEM_DENTRY:
		return fits ? 0 : -EINVAL;
	}
	return -EINVAL;
}

/* What the readers have to know of the list. */
static void items_note(struct kcatch_items *list, const struct kcatch_read_item *read, u32 index)
{
	const bool word = read->put == KCATCH_ITEM_VALUE || read->put == KCATCH_ITEM_WORD;
	const bool silent = kcatch_item_is_silent(read->put) && read->size;

	if (word && list->nr_words == index)
		list->nr_words++;
	if (read->put != KCATCH_ITEM_VALUE || read->nr_hops || read->from == KCATCH_ITEM_STACK)
		list->pure = false;
	if (kcatch_item_is_counted(read->put))
		list->fixed = false;
	if (distrusted || read->from == KCATCH_ITEM_MISSED || read->from == KCATCH_ITEM_LATENCY ||
	    !(word || silent || (read->put == KCATCH_ITEM_MEMORY && !(read->size & 7))))
		list->words = false;
	list->one = !index && read->from == KCATCH_ITEM_ARG && read->put == KCATCH_ITEM_WORD &&
		    !read->nr_hops && list->words;
}

int kcatch_items_check(struct kcatch_items *list, const struct kcatch_item *items, u32 nr,
		       const struct kcatch_hops *hops, enum kcatch_items_kind kind,
		       const struct kcatch_items *entry, u32 *bad)
{
	const u32 most = kind == KCATCH_ITEMS_FIELDS ? KCATCH_FIELDS_MAX : KCATCH_DATA_MAX;
	bool silent = false;
	u8 before = 0;

	list->pure = true;
	list->fixed = true;
	list->words = true;
	for (*bad = 0; *bad < nr; (*bad)++) {
		const struct kcatch_item *item = &items[*bad];
		struct kcatch_read_item *read = &list->items[*bad];
		int error;

		*read = (struct kcatch_read_item){
			.from = item->from, .put = item->put, .nr_hops = item->nr_hops,
			.size = item->size, .limit = item->limit, .start = item->start,
			.offset = item->offset, .hops = hops->hops + item->first_hop,
		};
		if (item->reserved || (!item->nr_hops && item->first_hop) ||
		    item->first_hop + item->nr_hops > hops->nr)
			return -EINVAL;
		error = check_from(item, read, kind, entry, list) ?:
				check_put(item, before);
		if (error)
			return error;
		before = item->put;
		silent = kcatch_item_is_silent(before);
		read->argument = read->from == KCATCH_ITEM_ARG && read->put == KCATCH_ITEM_VALUE &&
				 !read->nr_hops && !read->offset;
		items_note(list, read, *bad);
		/* Fields stand at fixed places. */
		if (kind == KCATCH_ITEMS_FIELDS && (silent || !list->fixed))
			return -EINVAL;
		list->nr++;
		list->nr_puts += !silent;
		list->size_max += kcatch_item_most(item->put, item->size);
		if (list->nr_puts > KCATCH_ITEMS_MAX || list->size_max > most)
			return -E2BIG;
	}
	if (silent) {
		(*bad)--;
		return -EINVAL;
	}
	return 0;
}

void kcatch_items_distrust(void)
{
	distrusted = true;
}
