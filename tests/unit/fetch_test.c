// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: each item gives the same in both readers of the module, alone and in a list, and as
 * items_fixture.c, which knows nothing of the module, reads it. Random lists of the entry and of
 * the return, random words, memory that is at hand, elsewhere or absent, and there only later.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "fetch_fixture.h"
#include "items_fixture.h"

#define LISTS	200000
#define ITEMS	24U
#define HOPS	6U
#define SEED	39
#define USED	512U	/* bytes of a page that pointers lead to */

u8 *fetch_at_hand, *fetch_elsewhere, *fetch_absent;
bool fetch_paged_out;
static uint32_t kinds = 2;	/* of memory that pointers mostly lead to */
unsigned long kcatch_direct_start, kcatch_direct_size;

/* Three pages, each between two that are not there. */
static void make_memory(void)
{
	u8 *at = mmap(NULL, 7 * FETCH_MEMORY, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(at, MAP_FAILED);
	fetch_at_hand = at + FETCH_MEMORY;
	fetch_elsewhere = at + 3 * FETCH_MEMORY;
	fetch_absent = at + 5 * FETCH_MEMORY;
	assert_int_equal(mprotect(fetch_at_hand, FETCH_MEMORY, PROT_READ | PROT_WRITE), 0);
	assert_int_equal(mprotect(fetch_elsewhere, FETCH_MEMORY, PROT_READ | PROT_WRITE), 0);
}

static uint32_t below(uint32_t n)
{
	return (uint32_t)random() % n;
}

static uint64_t some_word(void)
{
	const u8 *memories[] = { fetch_at_hand, fetch_at_hand, fetch_elsewhere, fetch_absent };
	uint64_t any = (uint64_t)random() << 42 ^ (uint64_t)random() << 21 ^ (uint64_t)random();

	if (below(3))
		return (uintptr_t)memories[below(50) ? below(kinds) : below(4)] + 8 * below(20);
	return below(4) ? any : below(3) ? ~0ULL : 0x7fff0001ffffffffULL;
}

static void fill(void *memory, size_t size)
{
	uint64_t word;
	size_t i;

	for (i = 0; i < size; i += sizeof(word)) {
		word = some_word();
		memcpy((char *)memory + i, &word, sizeof(word));
	}
}

/* ---- random lists ------------------------------------------------------------------- */

/* A list, as user space gives it and as the module has checked it. */
struct list {
	struct kcatch_item items[ITEMS];
	uint32_t nr;
	int32_t hops[HOPS];
	struct kcatch_read_item checked_items[ITEMS];
	struct kcatch_items checked;
};

/* @entry: of a list of the return: that of the entry, which begins with a word */
static void begin_item(struct kcatch_item *item, const struct kcatch_items *entry)
{
	static const uint8_t at_entry[] = { KCATCH_ITEM_ARG, KCATCH_ITEM_ARG, KCATCH_ITEM_ARG,
					    KCATCH_ITEM_STACK, KCATCH_ITEM_TASK,
					    KCATCH_ITEM_CGROUP };
	static const uint8_t at_return[] = { KCATCH_ITEM_RET, KCATCH_ITEM_SAVED, KCATCH_ITEM_SAVED,
					     KCATCH_ITEM_SAVED, KCATCH_ITEM_MISSED,
					     KCATCH_ITEM_TASK };

	*item = (struct kcatch_item){ .from = (entry ? at_return : at_entry)[below(6)] };
	switch (item->from) {
	case KCATCH_ITEM_ARG:
		item->index = (uint8_t)below(6);
		break;
	case KCATCH_ITEM_RET:
		item->index = (uint8_t)below(2);
		break;
	case KCATCH_ITEM_STACK:
		item->start = 8 * (int32_t)below(4);
		break;
	case KCATCH_ITEM_CGROUP:
		item->index = (uint8_t)below(2);
		break;
	case KCATCH_ITEM_MISSED:
		item->index = (uint8_t)below(entry->nr_puts);
		item->start = 8 * (int32_t)below(entry->nr_words);
		break;
	case KCATCH_ITEM_SAVED:
		item->start = 8 * (int32_t)below(entry->nr_words);
		break;
	}
	if (!below(4)) {
		item->nr_hops = (uint8_t)(1 + below(3));
		item->first_hop = (uint16_t)below(HOPS - 2);
	}
}

static void end_item(struct kcatch_item *item, bool texts)
{
	static const uint16_t sizes[] = { 1, 2, 4, 8, 8, 8 };
	static const uint8_t puts[] = { KCATCH_ITEM_VALUE, KCATCH_ITEM_WORD, KCATCH_ITEM_MEMORY,
					KCATCH_ITEM_STRING, KCATCH_ITEM_CHARS, KCATCH_ITEM_BYTES,
					KCATCH_ITEM_PATH, KCATCH_ITEM_DENTRY };

	item->put = puts[below(texts ? 8 : 3)];
	item->offset = (int32_t)below(60) - (below(3) ? 0 : 20);
	item->size = (uint16_t)(1 + below(40));
	switch (item->put) {
	case KCATCH_ITEM_VALUE:
		item->size = 0;
		if (below(2))
			item->offset = 0;
		break;
	case KCATCH_ITEM_WORD:
		item->size = sizes[below(6)];
		break;
	case KCATCH_ITEM_MEMORY:
		item->size = (uint16_t)(texts ? item->size : 8 + 8 * below(5));
		break;
	case KCATCH_ITEM_CHARS:
		item->size = 16;
		item->limit = (uint16_t)below(17);
		break;
	}
}

static void add_item(struct list *list, const struct kcatch_items *entry, bool texts, bool first)
{
	struct kcatch_item *item = &list->items[list->nr], length, bytes;

	begin_item(item, entry);
	end_item(item, texts);
	if (first && item->put != KCATCH_ITEM_VALUE && item->put != KCATCH_ITEM_WORD) {
		item->put = KCATCH_ITEM_VALUE;
		item->size = item->limit = 0;
	}
	if (item->put == KCATCH_ITEM_BYTES || (item->put == KCATCH_ITEM_MEMORY && below(2))) {
		begin_item(&length, entry);
		length.put = KCATCH_ITEM_LENGTH;
		length.size = (uint16_t)(4 * (texts ? below(3) : 1 + below(2)));
		length.offset = (int32_t)below(60);
		bytes = *item;
		list->items[list->nr++] = length;
		if (bytes.put == KCATCH_ITEM_MEMORY) {
			begin_item(&length, entry);
			length.put = KCATCH_ITEM_SKIP;
			length.size = (uint16_t)(1 << below(4));
			length.offset = (int32_t)below(60);
			list->items[list->nr++] = length;
		}
		list->items[list->nr] = bytes;
	}
	list->nr++;
}

static void make_list(struct list *list, const struct list *entry, bool texts)
{
	const struct kcatch_hops hops = { .hops = list->hops, .nr = HOPS };
	uint32_t i, nr = 1 + below(7);
	u32 bad;

	memset(list, 0, sizeof(*list));
	for (i = 0; i < HOPS; i++)
		list->hops[i] = 8 * (int32_t)below(10);
	for (i = 0; i < nr; i++)
		add_item(list, entry ? &entry->checked : NULL, texts, !i);
	list->checked.items = list->checked_items;
	assert_int_equal(kcatch_items_check(&list->checked, list->items, list->nr, &hops,
					    entry ? KCATCH_ITEMS_RETURN : KCATCH_ITEMS_ENTRY,
					    entry ? &entry->checked : NULL, &bad), 0);
}

/* ---- what a list gives ---------------------------------------------------------------- */

static void differs(const char *what, const struct list *list)
{
	uint32_t i;

	for (i = 0; i < list->nr; i++)
		print_message("# from %u put %u index %u hops %u size %u limit %u start %d offset %d\n",
			      list->items[i].from, list->items[i].put, list->items[i].index,
			      list->items[i].nr_hops, list->items[i].size, list->items[i].limit,
			      list->items[i].start, list->items[i].offset);
	fail_msg("%s differs", what);
}

static void same(const char *what, const struct list *list, const void *got,
		 const struct items_output *expected)
{
	if (memcmp(got, expected->data, expected->size))
		differs(what, list);
}

static uint32_t bytes_of(const struct kcatch_item *item, const uint8_t *data)
{
	uint32_t length;

	memcpy(&length, data, sizeof(length));
	if (item->put == KCATCH_ITEM_VALUE || item->put == KCATCH_ITEM_WORD)
		return 8;
	if (item->put == KCATCH_ITEM_MEMORY || item->put == KCATCH_ITEM_CHARS)
		return (item->size + 7U) & ~7U;
	return 8 + ((length + 7) & ~7U);
}

/* Each item alone is as in the list. */
static void each_alone(const struct list *list, struct kcatch_fetch *fetch,
		       const struct items_output *expected)
{
	const uint8_t *at = expected->data;
	uint32_t i, size;
	uint64_t bit = 1;

	for (i = 0; i < list->nr; i++) {
		if (kcatch_item_is_silent(list->items[i].put))
			continue;
		size = bytes_of(&list->items[i], at);
		assert_int_equal(kcatch_fetch_item(&list->checked, i, fetch),
				 !(expected->faults & bit));
		assert_int_equal(fetch->size, size);
		assert_int_equal(fetch->cut, expected->cut & bit ? 1 : 0);
		if (memcmp(fetch->to, at, size))
			differs("an item alone", list);
		at += size;
		bit <<= 1;
	}
}

/* Items that are read again are what they would have been, the others what they were. Return: how
 * many could be read. */
static uint32_t read_again(const struct list *list, const u64 *args, struct kcatch_fetch *fetch,
			   const struct items_output *there)
{
	static uint64_t got[400];
	const uint8_t *at = there->data, *was = fetch->to, *now = (const uint8_t *)got;
	uint64_t faults, bit = 1;
	uint32_t i, nr = 0, size;

	fetch_paged_out = true;
	kcatch_fetch_run(&list->checked, fetch);
	fetch_paged_out = false;
	faults = fetch->faults;
	size = kcatch_fetch_again(&list->checked, args, fetch->to, (u8 *)got, &faults);
	for (i = 0; i < list->nr; i++) {
		const struct kcatch_item *item = &list->items[i];
		bool again = (fetch->faults & ~faults) & bit;

		if (kcatch_item_is_silent(item->put))
			continue;
		if (memcmp(now, again ? at : was, bytes_of(item, again ? at : was)))
			differs("an item that was read again", list);
		assert_false(again && (there->faults & bit || item->from == KCATCH_ITEM_STACK));
		/* A word whose address is an argument. */
		if (fetch->faults & ~there->faults & bit && !item->nr_hops &&
		    item->from == KCATCH_ITEM_ARG && item->put == KCATCH_ITEM_WORD)
			assert_true(again);
		nr += again;
		now += bytes_of(item, now);
		was += bytes_of(item, was);
		at += bytes_of(item, at);
		bit <<= 1;
	}
	assert_int_equal(size, now - (const uint8_t *)got);
	return nr;
}

/* Both readers, as the module calls them. Return: whether the quick one had all at hand. */
static bool both_readers(const struct list *list, struct kcatch_fetch *fetch,
			 const struct items_output *expected)
{
	u64 *to = (u64 *)fetch->to;

	memset(to, 0x55, 1024);
	kcatch_fetch_run(&list->checked, fetch);
	same("the run of a list", list, to, expected);
	assert_int_equal(fetch->size, expected->size);
	assert_int_equal(fetch->faults, expected->faults);
	assert_int_equal(fetch->cut, expected->cut);
	if (fetch->missed || !list->checked.fixed)
		return false;
	memset(to, 0x55, 1024);
	assert_int_equal(kcatch_fetch_marked(&list->checked, fetch->words, fetch->more, to),
			 expected->faults);
	same("the full reader", list, to, expected);
	memset(to, 0x55, 1024);
	if (!list->checked.words ||
	    kcatch_fetch_quick(&list->checked, fetch->words, fetch->more, to))
		return false;
	assert_int_equal(expected->faults, 0);
	same("the quick reader", list, to, expected);
	return true;
}

/* Where no pair has set it, no hook reads it: BIND refuses such a list. */
static void latency_of_a_pair(void **state)
{
	static struct list list;
	const struct kcatch_hops hops = { .nr = 0 };
	static const struct kcatch_item items[] = {
		{ .from = KCATCH_ITEM_ARG, .put = KCATCH_ITEM_VALUE },
		{ .from = KCATCH_ITEM_LATENCY, .put = KCATCH_ITEM_VALUE },
	};
	u64 args[KCATCH_ARGS] = { 0 }, got[3];
	struct kcatch_fetch fetch = { .words = args, .to = (u8 *)got, .latency = 77000 };
	u32 bad;

	(void)state;
	args[kcatch_args_place(0)] = 5;
	list.checked.items = list.checked_items;
	assert_int_equal(
		kcatch_items_check(&list.checked, items, 2, &hops, KCATCH_ITEMS_ENTRY, NULL, &bad),
		0);
	assert_true(list.checked.paired);
	assert_false(list.checked.words);
	kcatch_fetch_run(&list.checked, &fetch);
	assert_int_equal(fetch.size, 16);
	assert_int_equal(fetch.faults, 0);
	assert_int_equal(got[0], 5);
	assert_int_equal(got[1], 77000);
}

static void readers_agree(void **state)
{
	static struct list entry, at_return;
	static uint64_t got[400];
	static struct items_output expected;
	struct items_input input = { .missed = 0 };
	uint32_t number, quick = 0, quick_returns = 0, again = 0;

	(void)state;
	make_memory();
	input.lowest = (uintptr_t)fetch_at_hand;
	input.highest = (uintptr_t)fetch_absent;
	srandom(SEED);
	for (number = 0; number < LISTS; number++) {
		u64 args[KCATCH_ARGS] = { 0 }, ret[3] = { 0 };
		struct kcatch_fetch fetch = { .words = args, .to = (u8 *)got };
		uint32_t i;

		if (!(number % 16)) {
			kinds = number % 64 ? 2 : 3;
			fill(fetch_at_hand, USED);
			fill(fetch_elsewhere, USED);
		}
		fill(input.args, sizeof(input.args));
		fill(input.stack, sizeof(input.stack));
		fill(input.ret, sizeof(input.ret));
		/* The stack of a call is at hand. */
		memcpy(fetch_at_hand + FETCH_MEMORY - sizeof(input.stack), input.stack,
		       sizeof(input.stack));
		fetch.more = (uintptr_t)fetch_at_hand + FETCH_MEMORY - sizeof(input.stack);
		for (i = 0; i < 6; i++)
			args[kcatch_args_place(i)] = input.args[i];
		ret[0] = input.ret[0];
		ret[2] = input.ret[1];
		make_list(&entry, NULL, !below(3));
		items_run(entry.items, entry.nr, entry.hops, &input, &expected);
		quick += both_readers(&entry, &fetch, &expected);
		each_alone(&entry, &fetch, &expected);
		again += read_again(&entry, args, &fetch, &expected);

		memcpy(input.saved, expected.data, sizeof(input.saved));
		input.missed = expected.faults;
		make_list(&at_return, &entry, !below(3));
		items_run(at_return.items, at_return.nr, at_return.hops, &input, &expected);
		fetch = (struct kcatch_fetch){
			.words = ret, .more = (uintptr_t)input.saved, .missed = input.missed,
			.to = (u8 *)got,
		};
		quick_returns += both_readers(&at_return, &fetch, &expected);
	}
	print_message("# %u quick, %u of returns, %u items read again\n", quick, quick_returns,
		      again);
	assert_true(quick > LISTS / 10 && quick_returns > LISTS / 100 && again > LISTS / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readers_agree),
		cmocka_unit_test(latency_of_a_pair),
	};

	return cmocka_run_group_tests_name("fetching", tests, NULL, NULL);
}
