/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * item_view.c - locates the items of a list in a record
 *
 * Texts are preceded by their length, so an item is located by walking all items before it. Each
 * length is checked.
 */
#include <string.h>

#include "fetch/item_view.h"

void kcatch_item_view_init(struct kcatch_item_view *view, const struct kcatch_plan_list *list,
			   const uint8_t *bytes, size_t size, uint64_t faults, uint64_t cut)
{
	size_t at = 0, length;
	uint32_t i, head;

	view->list = list;
	view->late = faults & cut;
	view->faults = faults & ~view->late;
	view->cut = cut & ~view->late;
	for (i = 0; i < list->nr_items; i++) {
		const struct kcatch_plan_item *item = &list->items[i];

		length = item->size;
		if (item->is_text) {
			if (size - at < 8)
				return;
			memcpy(&head, bytes + at, sizeof(head));
			if (head > item->size)
				return;
			length = head;
			at += 8;
		}
		if (size - at < (length + 7) / 8 * 8)
			return;
		view->bytes[i] = bytes + at;
		view->length[i] = length;
		if (item->is_text && length == item->size)
			view->cut |= view->late & 1ULL << i;
		at += (length + 7) / 8 * 8;
	}
}

/* Item @from of the return is what item @to of the entry would have been. */
static void take_missed(struct kcatch_item_view *view, uint8_t to,
			const struct kcatch_item_view *at_return, uint8_t from)
{
	/* A damaged plan may name any item; KCATCH_NO_ITEM is behind all. */
	if (to >= view->list->nr_items || from >= at_return->list->nr_items ||
	    !(view->faults >> to & 1) || !at_return->bytes[from] ||
	    at_return->faults >> from & 1)
		return;
	view->bytes[to] = at_return->bytes[from];
	view->length[to] = at_return->length[from];
	view->faults &= ~(1ULL << to);
	view->late |= 1ULL << to;
	view->cut |= (at_return->cut >> from & 1) << to;
}

void kcatch_item_view_init_entry(struct kcatch_item_view *view, const struct kcatch_plan *plan,
				 const struct kcatch_fetched *fetched)
{
	struct kcatch_item_view at_return = { .list = NULL };
	uint32_t i;

	kcatch_item_view_init(view, &plan->entry, fetched->entry,
			      fetched->entry ? fetched->entry_size : 0, fetched->entry_faults,
			      fetched->entry_cut);
	if (!view->faults || !fetched->returned || !fetched->at_return)
		return;
	kcatch_item_view_init(&at_return, &plan->at_return, fetched->at_return,
			      fetched->return_size, fetched->return_faults, fetched->return_cut);
	/* What the function may write to is not what it was at the entry. A file has no path before
	 * it is opened, and no other one after that. */
	for (i = 0; i < plan->nr_args; i++) {
		const struct kcatch_plan_pointee *pointee = plan->args[i].pointee;

		if (pointee && kcatch_type_is_const(pointee->type))
			take_missed(view, pointee->object, &at_return, pointee->again);
		else if (pointee)
			take_missed(view, pointee->parts[0], &at_return, pointee->form);
	}
}

/* The number of a part; false: it is not known. */
static bool part_number(const struct kcatch_item_view *view,
			const struct kcatch_plan_pointee *pointee, uint32_t index, uint64_t *number)
{
	uint8_t item = index < KCATCH_SUMMARY_PARTS ? pointee->parts[index] : KCATCH_NO_ITEM;

	if (item >= view->list->nr_items || !view->bytes[item] || view->faults >> item & 1 ||
	    view->length[item] < sizeof(*number))
		return false;
	memcpy(number, view->bytes[item], sizeof(*number));
	return true;
}

bool kcatch_item_view_packet(const struct kcatch_item_view *view,
			     const struct kcatch_plan_pointee *pointee,
			     struct kcatch_packet_headers *packet)
{
	uint64_t network, mac, frame, tail, vlan, present;
	size_t size;
	uint32_t i = 0;
	uint8_t item;

	while (i < KCATCH_SUMMARY_PARTS &&
	       (!pointee->summary || pointee->summary->parts[i].kind != KCATCH_SUMMARY_PACKET))
		i++;
	item = i < KCATCH_SUMMARY_PARTS ? pointee->parts[i] : KCATCH_NO_ITEM;
	if (item >= view->list->nr_items || !view->bytes[item] ||
	    !part_number(view, pointee, i + 1, &network) ||
	    !part_number(view, pointee, i + 2, &mac) ||
	    !part_number(view, pointee, i + 3, &frame) || !part_number(view, pointee, i + 4, &tail))
		return false;
	size = tail > network ? tail - network : 0;
	kcatch_packet_read(view->bytes[item], size < view->length[item] ? size : view->length[item],
			   (uint16_t)network, (uint16_t)mac, (uint16_t)frame, packet);
	/* Its __be16 protocol and __u16 tag. */
	if (part_number(view, pointee, i + 5, &vlan) && vlan &&
	    (pointee->summary->parts[i + 6].kind != KCATCH_SUMMARY_BIT ||
	     (part_number(view, pointee, i + 6, &present) && present & 1)))
		packet->vlan = (int)(vlan >> 16 & 0xfff);
	return true;
}
