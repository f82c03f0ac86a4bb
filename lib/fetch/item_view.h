/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * item_view.h - locates the items of a list in a record
 *
 * For the decoder of values and the evaluator of conditions. Any context of user space. It
 * allocates nothing: the items point into the record.
 */
#ifndef LIB_FETCH_ITEM_VIEW_H
#define LIB_FETCH_ITEM_VIEW_H

#include "fetch/plan_data.h"

/**
 * struct kcatch_item_view - where each item is
 * @list: which list put them
 * @bytes: by item; NULL: it is not there, as the record is damaged
 * @length: bytes of each
 * @faults: bit by item: it could not be read
 * @cut: bit by item: there was more
 */
struct kcatch_item_view {
	const struct kcatch_plan_list *list;
	const uint8_t *bytes[KCATCH_ITEMS_MAX];
	uint32_t length[KCATCH_ITEMS_MAX];
	uint64_t faults;
	uint64_t cut;
};

/**
 * kcatch_item_view_init - find them
 * @view: zeroed
 * @list: which list put them
 * @bytes: of the record, which are not believed; may be NULL when @size is 0
 * @size: how many
 * @faults: of the record
 * @cut: of the record
 *
 * Items behind a bad one are not there.
 */
void kcatch_item_view_init(struct kcatch_item_view *view, const struct kcatch_plan_list *list,
			   const uint8_t *bytes, size_t size, uint64_t faults, uint64_t cut);

#endif
