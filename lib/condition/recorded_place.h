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
	RECORDED_NUMBER,       /* @size bytes at @offset in item @item, plus @add */
	RECORDED_BYTES,        /* the text at @offset in item @item */
	RECORDED_PAYLOAD,      /* argument @index of a DO_TRACE event */
	RECORDED_SUMMARY_TEXT, /* the summary of argument @index */
	RECORDED_TIMESTAMP,    /* time of the event */
	RECORDED_LOADED,       /* what the code loads from an address that it computes */
	RECORDED_HEADER,       /* field @offset (KCATCH_PACKET_*) of argument @index, a packet */
	RECORDED_EVENT_TEXT,   /* text of the event: @index is KCATCH_RECORDED_* */
};

/**
 * struct recorded_place - where a record has a value
 * @kind: RECORDED_*
 * @item: index in the items of the plan's entry list
 * @size: size of a number, bytes
 * @counted: the length of the item was given by a count, not by a null byte
 * @index: of an argument or text, by @kind
 * @need: RECORDED_BYTES: bytes of the text that a condition in the kernel would examine
 * @room: RECORDED_BYTES: of the array that the text is in, bytes; 0: it is in none
 * @offset: in the item, bytes
 * @add: RECORDED_NUMBER: constant to add to the number
 */
struct recorded_place {
	enum recorded_place_kind kind;
	uint8_t item;
	uint8_t size;
	bool counted;
	uint32_t index;
	uint32_t need;
	uint32_t room;
	int64_t offset;
	int64_t add;
};

/**
 * struct kcatch_recorded_condition - a condition for the records of one probe
 * @pieces: memory of @texts and @places
 * @plan: the probe's plan, not owned; NULL: none
 * @info: the DO_TRACE event, not owned; else NULL
 * @code: the condition; allocated. Of an expression it puts the number as word 0,
 *	and the rest of an address of IPv6 as word 1
 * @texts: that @code compares with
 * @places: where the records have item i
 */
struct kcatch_recorded_condition {
	struct kcatch_pieces pieces;
	const struct kcatch_plan *plan;
	const struct kcatch_event_info *info;
	struct kcatch_op *code;
	const char *texts;
	const struct recorded_place *places;
};

/* A key or value: a number, or a text, which has no code. */
struct kcatch_recorded_expression {
	struct kcatch_recorded_condition condition;
	bool is_text;
	int item;	/* of a text; IR_NO_ITEM: the command */
};

#endif
