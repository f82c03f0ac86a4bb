/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * place.c - the steps that fetch a condition's values from memory, each value once
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "condition/ir.h"

#define CHAIN_MAX 100U	/* steps; below KCATCH_STEPS_MAX */

const struct chain *chain_step(struct condition *c, const struct chain *before, uint8_t op,
			       uint8_t arg, uint16_t size, int32_t offset)
{
	struct chain *made = kcatch_pieces_take(&c->pieces, sizeof(*made));

	if (!made)
		return NULL;
	made->before = before;
	made->length = before ? before->length + 1 : 1;
	made->step = (struct kcatch_step){ .op = op, .arg = arg, .size = size, .offset = offset };
	return made;
}

static bool same_chain(const struct chain *a, const struct chain *b)
{
	while (a && b && a != b) {
		if (a->length != b->length || memcmp(&a->step, &b->step, sizeof(a->step)))
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
		if (!item->size == !size && item->room == room && same_chain(item->chain, chain)) {
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

/* Write an item's steps. The last ADD of a text's chain becomes the @offset of PUT_CHARS. */
static uint32_t put_item(const struct item *item, struct kcatch_step *steps)
{
	const struct chain *chain = item->chain;
	struct kcatch_step put = { .op = KCATCH_STEP_PUT };
	uint32_t i, nr;

	if (item->size) {
		put.op = KCATCH_STEP_PUT_CHARS;
		put.size = (uint16_t)item->size;
		if (item->room < item->size)	/* else it does not matter, nor does 0 */
			put.arg = (uint8_t)item->room;
		if (chain->step.op == KCATCH_STEP_ADD) {
			put.offset = chain->step.offset;
			chain = chain->before;
		}
	}
	nr = chain->length;
	for (i = nr; i--; chain = chain->before)
		steps[i] = chain->step;
	steps[nr] = put;
	return nr + 1;
}

int items_finish(struct condition *c, struct kcatch_step **steps, uint32_t *nr)
{
	uint32_t i, offset = 0;

	*steps = NULL;
	*nr = 0;
	for (i = 0; i < c->nr_items; i++) {
		c->items[i].place = (uint16_t)offset;
		offset += c->items[i].size ? c->items[i].size : 8;
		*nr += c->items[i].chain->length + 1;
	}
	if (!c->nr_items)
		return 0;
	if (offset > KCATCH_FIELDS_MAX || *nr > KCATCH_STEPS_MAX)
		return -E2BIG;
	*steps = calloc(*nr, sizeof(**steps));
	if (!*steps)
		return kcatch_error_memory();
	*nr = 0;
	for (i = 0; i < c->nr_items; i++)
		*nr += put_item(&c->items[i], *steps + *nr);
	return 0;
}
