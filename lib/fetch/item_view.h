/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * item_view.h - locates the items of a list in a record
 *
 * Used by the decoder of values and the evaluator of conditions. Allocates nothing: the view
 * points into the record.
 */
#ifndef LIB_FETCH_ITEM_VIEW_H
#define LIB_FETCH_ITEM_VIEW_H

#include "fetch/decode.h"
#include "fetch/packet.h"
#include "fetch/plan_data.h"

/**
 * struct kcatch_item_view - the items of a record; valid as long as the record and the list
 * @list: the list that put the items
 * @bytes: start of each item in the record; NULL: the record is too short or damaged
 * @length: length of each item, bytes; of a text without its padding
 * @faults: bit i: item i could not be read
 * @cut: bit i: item i was longer than what was fetched
 * @late: bit i: item i of the entry was read at the return
 */
struct kcatch_item_view {
	const struct kcatch_plan_list *list;
	const uint8_t *bytes[KCATCH_ITEMS_MAX];
	uint32_t length[KCATCH_ITEMS_MAX];
	uint64_t faults;
	uint64_t cut;
	uint64_t late;
};

/**
 * kcatch_item_view_init - locate the items of a list
 * @view: zeroed
 * @list: the list that put the items
 * @bytes: the items in the record, untrusted; may be NULL if @size is 0
 * @size: size of @bytes, bytes
 * @faults: the record's faults, a bit for each item
 * @cut: the record's cut items, a bit for each item
 *
 * An item that is faulty and cut was read at the return (struct kcatch_call_part): it is neither,
 * unless a text fills its room.
 *
 * If an item is damaged or incomplete, neither it nor any item behind it is located.
 */
void kcatch_item_view_init(struct kcatch_item_view *view, const struct kcatch_plan_list *list,
			   const uint8_t *bytes, size_t size, uint64_t faults, uint64_t cut);

/**
 * kcatch_item_view_init_entry - locate the items of a call's entry
 * @view: zeroed
 * @plan: what was fetched
 * @fetched: the call's data; those of its return are looked at, too
 *
 * A text that could not be read at the entry, and could at the return, is in @late.
 */
void kcatch_item_view_init_entry(struct kcatch_item_view *view, const struct kcatch_plan *plan,
				 const struct kcatch_fetched *fetched);

/**
 * kcatch_item_view_packet - read the headers of a packet
 * @view: where the items are
 * @pointee: a struct
 * @packet: receives what is known
 *
 * Return: whether it is a packet of which something was fetched.
 */
bool kcatch_item_view_packet(const struct kcatch_item_view *view,
			     const struct kcatch_plan_pointee *pointee,
			     struct kcatch_packet_headers *packet);

#endif
