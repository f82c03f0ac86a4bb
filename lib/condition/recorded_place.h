/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorded_place.h - the interface between recorded.c, which locates the values of a condition in
 * a record, and evaluate.c, which reads them
 */
#ifndef LIB_CONDITION_RECORDED_PLACE_H
#define LIB_CONDITION_RECORDED_PLACE_H

#include "condition/ir.h"
#include "condition/recorded.h"

enum recorded_place_kind {
	RECORDED_NUMBER,	/* @size bytes at @offset of item @item; then @add */
	RECORDED_BYTES,		/* a text at @offset of it */
	RECORDED_PAYLOAD,	/* field @index of a DO_TRACE event */
	RECORDED_SPOKEN,	/* the text of argument @index */
	RECORDED_CLOCK,		/* time of the event */
	RECORDED_NAMED,		/* text @index: KCATCH_RECORDED_* */
};

/**
 * struct recorded_place - where a record has it
 * @kind: RECORDED_*
 * @item: of the plan's entry list
 * @size: bytes of a number
 * @index: see the kinds
 * @counted: the item ends where a count said, not at an end mark
 * @need: of a text: bytes that a condition in the kernel would have looked at
 * @offset: in the item
 * @add: to the number
 */
struct recorded_place {
	enum recorded_place_kind kind;
	uint8_t item;
	uint8_t size;
	bool counted;
	uint32_t index;
	uint32_t need;
	int64_t offset;
	int64_t add;
};

/**
 * struct kcatch_recorded_condition - a condition for the records of one probe
 * @pieces: memory of @root and @places
 * @plan: of the probe; NULL: none
 * @info: of a DO_TRACE event
 * @root: a truth
 * @places: of the items that it names
 */
struct kcatch_recorded_condition {
	struct kcatch_pieces pieces;
	const struct kcatch_plan *plan;
	const struct kcatch_event_info *info;
	const struct ir *root;
	const struct recorded_place *places;
};

#endif
