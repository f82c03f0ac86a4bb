/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * plan_data.h - contents of a plan, shared by the code that makes and decodes plans
 *
 * A plan has two lists of steps. Each item that a list puts has one struct kcatch_plan_item;
 * values refer to items by number. The length of a string is known only after it was fetched,
 * so the offset of an item in the data is found by walking all items before it.
 */
#ifndef LIB_FETCH_PLAN_DATA_H
#define LIB_FETCH_PLAN_DATA_H

#include "fetch/plan.h"
#include "fetch/summaries.h"

#define KCATCH_NO_ITEM 255

/**
 * struct kcatch_plan_item - a piece of data
 * @size: bytes, most bytes of a text
 * @is_text: its length stands before it
 */
struct kcatch_plan_item {
	uint16_t size;
	bool is_text;
};

struct kcatch_plan_list {
	struct kcatch_step *steps;
	struct kcatch_plan_item *items;
	uint32_t nr_steps;
	uint32_t nr_items;
	uint32_t size;		/* most bytes of data */
};

enum kcatch_target_kind {
	KCATCH_POINTEE_OBJECT,		/* of the pointee's type, or the beginning of it */
	KCATCH_POINTEE_STRING,
	KCATCH_POINTEE_BYTES,
	KCATCH_POINTEE_NOTHING,		/* only the shape */
};

/**
 * struct kcatch_plan_pointee - what a pointer points to
 * @next: another pointer of the same struct
 * @inside: of a struct: pointers in it that are followed as well
 * @offset: of the pointer in its struct; 0 for an argument
 * @type: the pointee's
 * @kind: what of it
 * @shape: how to say it in a few words; NULL: not
 * @parts: items of @shape
 * @object: item; KCATCH_NO_ITEM: none
 * @again: item of the other list: the same at the return; KCATCH_NO_ITEM: none
 * @count: KCATCH_POINTEE_BYTES: the argument that says how many; -1: none does
 * @left_out: there was no room for all of it
 * @is_output: a buffer that the function fills
 */
struct kcatch_plan_pointee {
	struct kcatch_plan_pointee *next;
	struct kcatch_plan_pointee *inside;
	uint32_t offset;
	struct kcatch_type type;
	enum kcatch_target_kind kind;
	const struct kcatch_summary *shape;
	uint8_t parts[KCATCH_SUMMARY_PARTS];
	uint8_t object;
	uint8_t again;
	int8_t count;
	bool left_out;
	bool is_output;
};

/**
 * struct kcatch_plan_value - an argument, or what is returned
 * @name: NULL: what is returned
 * @type: its type
 * @words: item of its first word; KCATCH_NO_ITEM: it was not fetched
 * @nr_words: number of entries in @words
 * @bytes: of the value in them
 * @unnamed: room for a @name that is not declared
 * @target: what it points to; NULL: not followed
 */
struct kcatch_plan_value {
	const char *name;
	struct kcatch_type type;
	uint8_t words;
	uint8_t nr_words;
	uint32_t bytes;
	char unnamed[8];
	struct kcatch_plan_pointee *target;
};

/**
 * struct kcatch_plan - see plan.h
 * @proto: the types it is made from; id 0: none
 * @word_steps: before the PUT of an argument's word; 0: one
 * @owns_names: the names of its values are its own, not those of the types
 * @entry: of the entry
 * @at_return: of the return
 * @ret: what is returned
 * @nr_args: arguments
 * @args: them
 */
struct kcatch_plan {
	struct kcatch_type proto;
	uint8_t word_steps;
	bool owns_names;
	struct kcatch_plan_list entry;
	struct kcatch_plan_list at_return;
	struct kcatch_plan_value ret;
	uint32_t nr_args;
	struct kcatch_plan_value args[];
};

/**
 * kcatch_plan_step - put a step into a list
 * kcatch_plan_item - put a step into a list that makes an item
 * @list: the list, which has room
 * @step: the step
 * @item: the item
 *
 * Return: the number of the item.
 */
void kcatch_plan_step(struct kcatch_plan_list *list, struct kcatch_step step);
uint8_t kcatch_plan_item(struct kcatch_plan_list *list, struct kcatch_step step,
			 struct kcatch_plan_item item);

/**
 * kcatch_plan_abi - where arguments and return value are
 * @plan: the plan; all but the words of its values is set
 *
 * The calling convention of x86-64. Fills the beginnings of both lists, which have room.
 */
void kcatch_plan_abi(struct kcatch_plan *plan);

/**
 * kcatch_plan_alloc - an empty plan, with as much room in its lists as they may have
 * @nr_args: arguments, zeroed
 *
 * Return: the plan; NULL: no memory.
 */
struct kcatch_plan *kcatch_plan_alloc(uint32_t nr_args);

/**
 * kcatch_plan_create_special - a plan for a tracepoint that gets registers
 * @types: where @proto is from
 * @proto: of the function that calls the tracepoint's probes
 * @plan: the plan; NULL: no memory
 *
 * Return: whether it is such a tracepoint.
 */
bool kcatch_plan_create_special(struct kcatch_types *types, struct kcatch_type proto,
				struct kcatch_plan **plan);

/**
 * kcatch_plan_pointers - what arguments and return value point to
 * @plan: the plan, with its words
 * @options: how much
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_plan_pointers(struct kcatch_plan *plan, const struct kcatch_plan_options *options);

#endif
