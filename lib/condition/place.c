/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * place.c - the items that fetch a condition's values from memory, each value once
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "condition/ir.h"

const struct chain *chain_link(struct condition *c, const struct chain *before, uint8_t kind,
			       uint8_t index, uint16_t size, int32_t offset)
{
	struct chain *made = kcatch_pieces_take(&c->pieces, sizeof(*made));

	if (!made)
		return NULL;
	made->before = before;
	made->length = before ? before->length + 1 : 1;
	made->link = (struct link){ .kind = kind, .index = index, .size = size, .offset = offset };
	return made;
}

static bool same_chain(const struct chain *a, const struct chain *b)
{
	while (a && b && a != b) {
		if (a->length != b->length || memcmp(&a->link, &b->link, sizeof(a->link)))
			return false;
		a = a->before;
		b = b->before;
	}
	return a == b;
}

int item_find(struct condition *c, const struct chain *chain)
{
	return item_find_text(c, chain, 0, 0);
}

int item_find_text(struct condition *c, const struct chain *chain, uint32_t size, uint32_t room)
{
	struct item *item;
	uint32_t i;

	if (!chain)
		return -ENOMEM;
	if (chain->length > CHAIN_MAX)
		return -E2BIG;
	for (i = 0; i < c->nr_items; i++) {
		item = &c->items[i];
		if (item->chain && !item->size == !size && item->room == room &&
		    same_chain(item->chain, chain)) {
			if (item->size < size)
				item->size = size;
			return (int)i;
		}
	}
	if (c->nr_items == KCATCH_ITEMS_MAX)
		return -E2BIG;
	c->items[c->nr_items] = (struct item){ .chain = chain, .size = size, .room = room };
	return (int)c->nr_items++;
}

/* Do two numbers have the same operations over the same values? */
static bool same_number(const struct ir *a, const struct ir *b)
{
	if (!a || !b || a == b)
		return a == b;
	return a->op == b->op && a->wide == b->wide && a->is_signed == b->is_signed &&
	       a->bits == b->bits && a->item == b->item && a->offset == b->offset &&
	       a->number == b->number && a->op != IR_TEXT && same_number(a->left, b->left) &&
	       same_number(a->right, b->right) && same_number(a->third, b->third);
}

int item_find_computed(struct condition *c, const struct ir *address, uint16_t bytes)
{
	uint32_t i;

	if (!address)
		return -ENOMEM;
	for (i = 0; i < c->nr_items; i++)
		if (c->items[i].bytes == bytes && same_number(c->items[i].address, address))
			return (int)i;
	if (c->nr_items == KCATCH_ITEMS_MAX)
		return -E2BIG;
	c->items[c->nr_items] = (struct item){ .address = address, .bytes = bytes };
	return (int)c->nr_items++;
}

bool items_are_computed(const struct condition *c)
{
	uint32_t i;

	for (i = 0; i < c->nr_items; i++)
		if (c->items[i].address)
			return true;
	return false;
}

int way_find(const struct link *const *links, uint32_t nr, int64_t delta, bool is_text,
	     struct way *way)
{
	uint32_t i;

	way->nr_hops = 0;
	way->size = 0;
	way->offset = delta;
	for (i = 0; i < nr; i++) {
		if (way->size)	/* of less than 8 bytes, and not the last */
			return -E2BIG;
		way->offset += links[i]->offset;
		if (way->offset != (int32_t)way->offset)
			return -E2BIG;
		if (links[i]->kind == LINK_ADD)
			continue;
		if (links[i]->size < 8 || (i + 1 == nr && !is_text)) {
			way->size = links[i]->size;
		} else {
			way->hops[way->nr_hops++] = (int32_t)way->offset;
			way->offset = 0;
		}
	}
	return is_text && way->size ? -E2BIG : 0;
}

static struct kcatch_item begin(const struct link *link)
{
	switch (link->kind) {
	case LINK_ARG:
		return (struct kcatch_item){ .from = KCATCH_ITEM_ARG, .index = link->index };
	case LINK_STACK:
		return (struct kcatch_item){ .from = KCATCH_ITEM_STACK, .start = link->offset };
	case LINK_TASK:
		return (struct kcatch_item){ .from = KCATCH_ITEM_TASK };
	default:
		return (struct kcatch_item){ .from = KCATCH_ITEM_CGROUP, .index = link->index,
					     .start = link->offset };
	}
}

/* The item is the next one of @code, which has room for it and for the hops of any. */
static int put_item(const struct item *item, struct kcatch_condition_code *code)
{
	const struct link *links[CHAIN_MAX];
	const struct chain *chain = item->chain;
	uint32_t i, nr = chain ? chain->length : 0;
	struct kcatch_item made;
	struct way way;
	int ret;

	if (!chain) { /* room for what the code loads */
		code->fields[code->nr_fields++] = (struct kcatch_item){ .from = KCATCH_ITEM_TASK,
									.put = KCATCH_ITEM_VALUE };
		return 0;
	}
	for (i = nr; i--; chain = chain->before)
		links[i] = &chain->link;
	ret = way_find(links + 1, nr - 1, 0, item->size, &way);
	if (ret)
		return ret;
	if (code->nr_hops + way.nr_hops > KCATCH_CONDITION_HOPS)
		return -E2BIG;
	made = begin(links[0]);
	made.offset = (int32_t)way.offset;
	made.put = way.size ? KCATCH_ITEM_WORD : KCATCH_ITEM_VALUE;
	made.size = way.size;
	if (item->size) {
		made.put = KCATCH_ITEM_CHARS;
		made.size = (uint16_t)item->size;
		if (item->room < item->size)	/* else it does not matter, nor does 0 */
			made.limit = (uint16_t)item->room;
	}
	made.nr_hops = (uint8_t)way.nr_hops;
	made.first_hop = (uint16_t)(way.nr_hops ? code->nr_hops : 0);
	for (i = 0; i < way.nr_hops; i++)
		code->hops[code->nr_hops++] = way.hops[i];
	code->fields[code->nr_fields++] = made;
	return 0;
}

int items_finish(struct condition *c, struct kcatch_condition_code *code)
{
	uint32_t i, offset = 0;
	int ret = 0;

	for (i = 0; i < c->nr_items; i++) {
		c->items[i].place = (uint16_t)offset;
		offset += c->items[i].size ? c->items[i].size : 8;
	}
	if (!c->nr_items)
		return 0;
	if (offset > KCATCH_FIELDS_MAX)
		return -E2BIG;
	code->fields = calloc(c->nr_items, sizeof(*code->fields));
	code->hops = calloc(KCATCH_CONDITION_HOPS, sizeof(*code->hops));
	if (!code->fields || !code->hops)
		return kcatch_error_memory();
	for (i = 0; i < c->nr_items && !ret; i++)
		ret = put_item(&c->items[i], code);
	return ret;
}
