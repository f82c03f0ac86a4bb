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
