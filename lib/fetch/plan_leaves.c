/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* plan_leaves.c - adds to a plan what fields of the event, or the user's own, are made of */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "fetch/plan_data.h"

#define STRING_SIZE 128 /* bytes of a text, without another limit */
#define STRING_MAX  1016
#define WHOLE_WORDS 16 /* bytes of an array up to which copying it is faster than a text */

/* The argument whose word the leaf begins with. */
static int find_arg(const struct kcatch_plan *plan, const struct kcatch_item *leaf)
{
	const struct kcatch_item *read;
	uint32_t i;

	if (leaf->from == KCATCH_ITEM_TASK)
		return KCATCH_LEAF_TASK;
	for (i = 0; i < plan->nr_args && i < KCATCH_LEAF_TASK; i++) {
		if (plan->args[i].words >= plan->entry.nr_reads || plan->args[i].nr_words != 1)
			continue;
		read = &plan->entry.reads[plan->args[i].words];
		if (read->put == KCATCH_ITEM_VALUE && !read->nr_hops && !read->offset &&
		    read->from == leaf->from && read->index == leaf->index &&
		    read->start == leaf->start)
			return (int)i;
	}
	return -1;
}

/* What a recording needs of it: not the bytes that a condition would compare, but a text. */
static struct kcatch_item read_of(const struct kcatch_leaf *leaf, uint32_t string_size)
{
	struct kcatch_item read = leaf->item;

	if (read.put != KCATCH_ITEM_CHARS)
		return read;
	read.size = (uint16_t)(read.limit ? read.limit : string_size);
	read.put = read.limit && read.limit <= WHOLE_WORDS && !(read.limit % 8) ?
			   KCATCH_ITEM_MEMORY :
			   KCATCH_ITEM_STRING;
	read.limit = 0;
	return read;
}

/* The item that has it already. */
static int find_item(const struct kcatch_plan *plan, const struct kcatch_item *read,
		     const int32_t *hops)
{
	const struct kcatch_item *other;
	uint32_t i;
	int item = 0;

	for (i = 0; i < plan->entry.nr_reads; i++) {
		other = &plan->entry.reads[i];
		if (other->from == read->from && other->index == read->index &&
		    other->start == read->start && other->offset == read->offset &&
		    other->put == read->put && other->size == read->size &&
		    other->nr_hops == read->nr_hops &&
		    !memcmp(plan->hops + other->first_hop, hops, read->nr_hops * sizeof(*hops)))
			return item;
		item += other->put != KCATCH_ITEM_LENGTH && other->put != KCATCH_ITEM_SKIP;
	}
	return -1;
}

static int add_item(struct kcatch_plan *plan, const struct kcatch_item *read, const int32_t *hops)
{
	struct kcatch_plan_list *list = &plan->entry;
	struct kcatch_plan_item item = { .size = read->size,
					 .is_text = read->put == KCATCH_ITEM_STRING };
	struct kcatch_reach reach = { .item = *read };
	uint32_t size;

	if (read->put == KCATCH_ITEM_WORD || read->put == KCATCH_ITEM_VALUE)
		item.size = 8;
	size = (item.is_text ? 8U : 0U) + (item.size + 7U) / 8U * 8U;
	if (list->nr_reads == KCATCH_LIST_MAX || list->nr_items == KCATCH_ITEMS_MAX ||
	    list->size + size > KCATCH_DATA_MAX ||
	    plan->nr_hops + KCATCH_LEAF_HOPS > KCATCH_PLAN_HOPS)
		return -1;
	memcpy(reach.hops, hops, read->nr_hops * sizeof(*hops));
	plan->shape = KCATCH_SHAPE_NONE;
	return kcatch_plan_put(list, kcatch_plan_reach(plan, &reach), item);
}

int kcatch_plan_keep_own(struct kcatch_plan *plan, const struct kcatch_own_field *own, uint32_t nr)
{
	struct kcatch_own_field *copy = nr ? calloc(nr, sizeof(*copy)) : NULL;

	if (!nr)
		return 0;
	plan->own = copy;
	for (; copy && plan->nr_own < nr; plan->nr_own++, copy++, own++) {
		copy->name = strdup(own->name);
		copy->expression = strdup(own->expression);
		if (!copy->name || !copy->expression) {
			free((void *)copy->name);
			free((void *)copy->expression);
			return kcatch_error_memory();
		}
	}
	return plan->own ? 0 : kcatch_error_memory();
}

/* A name for the description of a recording: what the user wrote may be an expression. */
static void name_leaf(struct kcatch_plan_leaf *leaf, const char *name)
{
	char *at;

	snprintf(leaf->name, sizeof(leaf->name), "%s", name);
	for (at = leaf->name; *at; at++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *at))
			*at = '_';
}

int kcatch_plan_leaves(struct kcatch_plan *plan, const struct kcatch_plan_options *options)
{
	uint32_t string_size = options->string_size ? options->string_size : STRING_SIZE, i;

	if (!options->nr_leaves)
		return 0;
	if (string_size > STRING_MAX)
		string_size = STRING_MAX;
	plan->leaves = calloc(options->nr_leaves, sizeof(*plan->leaves));
	if (!plan->leaves)
		return kcatch_error_memory();
	for (i = 0; i < options->nr_leaves; i++) {
		const struct kcatch_leaf *leaf = &options->leaves[i];
		const struct kcatch_item read = read_of(leaf, string_size);
		int arg = find_arg(plan, &leaf->item), item;
		struct kcatch_plan_leaf *made = &plan->leaves[plan->nr_leaves];

		item = arg < 0 ? -1 : find_item(plan, &read, leaf->hops);
		if (arg >= 0 && item < 0)
			item = add_item(plan, &read, leaf->hops);
		if (item < 0) {
			plan->own_cut |= i + options->nr_own_leaves >= options->nr_leaves;
			continue;
		}
		*made = (struct kcatch_plan_leaf){
			.item = (uint8_t)item,
			.arg = (uint8_t)arg,
			.is_text = leaf->item.put == KCATCH_ITEM_CHARS,
			.size = leaf->item.put == KCATCH_ITEM_WORD ? read.size : 0,
			.nr_hops = read.nr_hops,
			.offset = read.offset,
		};
		memcpy(made->hops, leaf->hops, sizeof(made->hops));
		name_leaf(made, leaf->name);
		plan->nr_leaves++;
	}
	return 0;
}
