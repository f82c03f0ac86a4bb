/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * plan_data.h - contents of a plan, for the code that makes plans and decodes by them
 *
 * A plan has two lists. What a list fetches is in struct kcatch_item, for the module; what is then
 * in the data in struct kcatch_plan_item, and values refer to these by index. The length of a text
 * is known only after it was fetched, so the offset of an item in the data is found by walking all
 * items before it (item_view.h).
 */
#ifndef LIB_FETCH_PLAN_DATA_H
#define LIB_FETCH_PLAN_DATA_H

#include "arch/arch.h"
#include "fetch/plan.h"
#include "fetch/summaries.h"

#define KCATCH_NO_ITEM 255	/* index: there is no item */
#define KCATCH_HARDWARE_ETHERNET 6	/* bytes of an Ethernet address: ETH_ALEN */
#define KCATCH_HARDWARE_MAX 32		/* bytes of the longest one: MAX_ADDR_LEN */

/**
 * struct kcatch_plan_item - one item in the fetched data; padded to a multiple of 8 bytes
 * @size: size of the data, of a text the largest size, bytes
 * @is_text: 8 bytes with the length precede the data
 */
struct kcatch_plan_item {
	uint16_t size;
	bool is_text;
};

#define KCATCH_REACH_HOPS 12	/* most pointers that are followed to an item */

/* What the module fetches at the entry or the return, and the items that it puts. */
struct kcatch_plan_list {
	struct kcatch_item *reads;	/* NULL in a plan that was read from a file */
	struct kcatch_plan_item *items;
	uint32_t nr_reads;
	uint32_t nr_items;
	uint32_t size;		/* most bytes of data that are put */
};

/**
 * struct kcatch_reach - the way to an item
 * @item: the item, but for @first_hop
 * @hops: @item.nr_hops of them are in use
 */
struct kcatch_reach {
	struct kcatch_item item;
	int32_t hops[KCATCH_REACH_HOPS];
};

enum kcatch_pointee_kind {
	KCATCH_POINTEE_OBJECT,		/* a value of the pointee's type, or its beginning */
	KCATCH_POINTEE_STRING,		/* a text up to its null byte */
	KCATCH_POINTEE_BYTES,		/* as many bytes as an argument says */
	KCATCH_POINTEE_NOTHING,		/* only the parts of its summary */
	KCATCH_POINTEE_HARDWARE,	/* a hardware address of KCATCH_HARDWARE_ETHERNET bytes */
};

/**
 * struct kcatch_plan_pointee - what is fetched of a pointee
 * @next: next pointee of a pointer in the same struct
 * @inside: pointees of pointers in this pointee, a struct, that are followed too
 * @offset: offset of the pointer in its struct, bytes; 0 for an argument
 * @type: type of the pointee
 * @kind: which data are fetched
 * @summary: the type's summary; NULL: it has none
 * @parts: items with the parts of @summary; KCATCH_NO_ITEM: not fetched
 * @object: item with the data; KCATCH_NO_ITEM: not fetched
 * @again: item in the return list with the same data at the return; KCATCH_NO_ITEM: not
 *	fetched
 * @form: item in the return list with the first of @parts, where that could not be read at the
 *	entry; KCATCH_NO_ITEM: not fetched
 * @count: KCATCH_POINTEE_BYTES: index of the argument with the number of bytes; else -1
 * @left_out: something was not fetched, because the list had no room for it
 * @is_output: the function fills the buffer, so it is fetched only at the return
 */
struct kcatch_plan_pointee {
	struct kcatch_plan_pointee *next;
	struct kcatch_plan_pointee *inside;
	uint32_t offset;
	struct kcatch_type type;
	enum kcatch_pointee_kind kind;
	const struct kcatch_summary *summary;
	uint8_t parts[KCATCH_SUMMARY_PARTS];
	uint8_t object;
	uint8_t again;
	uint8_t form;
	int8_t count;
	bool left_out;
	bool is_output;
};

/**
 * struct kcatch_plan_value - an argument, or the return value
 * @name: name of the argument; NULL: the return value
 * @type: type of the value; not set in a plan without types
 * @words: item with its first 64-bit word, others follow; KCATCH_NO_ITEM: not fetched (the
 *	first word of the return value is in the record anyway)
 * @nr_words: number of its words
 * @bytes: size of the value in the words, bytes
 * @unnamed: memory for a made-up @name
 * @pointee: what is fetched of its pointee; NULL: nothing
 */
struct kcatch_plan_value {
	const char *name;
	struct kcatch_type type;
	uint8_t words;
	uint8_t nr_words;
	uint32_t bytes;
	char unnamed[8];
	struct kcatch_plan_pointee *pointee;
};

#define KCATCH_LEAF_TASK 255 /* struct kcatch_plan_leaf.arg: the thread */

/**
 * struct kcatch_plan_leaf - an item with a value that is fetched by itself
 * @item: the item of the entry
 * @arg: index of the argument that it is behind; KCATCH_LEAF_TASK: it is the thread's
 * @is_text: it is a text
 * @size: of a number: bytes that are read; 0: the address itself
 * @nr_hops: pointers that lead to it
 * @hops: their offsets, bytes
 * @offset: behind the last one, bytes
 * @name: a name for it
 */
struct kcatch_plan_leaf {
	uint8_t item;
	uint8_t arg;
	bool is_text;
	uint16_t size;
	uint32_t nr_hops;
	int32_t hops[KCATCH_LEAF_HOPS];
	int32_t offset;
	char name[32];
};

/**
 * struct kcatch_plan - see plan.h
 * @arch: machine that it is for
 * @proto: the prototype that the plan is made from; id 0: a plan without types
 * @cgroup: item of the entry with the number of the thread's cgroup, behind items of one word each;
 *	KCATCH_NO_ITEM: not fetched
 * @latency: the same with the time since the first event of a pair
 * @only_return: nothing is fetched but the cgroup: @proto tells the type of the return value
 * @owns_names: the plan frees the names of its values; else they belong to the types
 * @shape: KCATCH_SHAPE_* of the entry
 * @entry: list of the entry
 * @at_return: list of the return
 * @hops: offsets of the pointers that the items of both lists follow
 * @nr_hops: number of entries in @hops
 * @leaves: values that are fetched by themselves
 * @nr_leaves: number of entries in @leaves
 * @own: fields that the user has added; their strings are the plan's
 * @nr_own: number of entries in @own
 * @own_cut: there was no room for what one of them is made of
 * @ret: the return value
 * @nr_args: number of entries in @args
 * @args: the arguments
 */
struct kcatch_plan {
	const struct kcatch_arch *arch;
	struct kcatch_type proto;
	uint8_t cgroup;
	uint8_t latency;
	bool only_return;
	bool owns_names;
	uint8_t shape;
	struct kcatch_plan_list entry;
	struct kcatch_plan_list at_return;
	int32_t *hops;
	uint32_t nr_hops;
	struct kcatch_plan_leaf *leaves;
	uint32_t nr_leaves;
	struct kcatch_own_field *own;
	uint32_t nr_own;
	bool own_cut;
	struct kcatch_plan_value ret;
	uint32_t nr_args;
	struct kcatch_plan_value args[];
};

/**
 * kcatch_plan_put - append an item to a list
 * kcatch_plan_word - append an item of 8 bytes
 * @list: the list; the caller has checked that there is room
 * @read: what is read
 * @item: what is put
 *
 * Return: index of the item.
 */
uint8_t kcatch_plan_put(struct kcatch_plan_list *list, struct kcatch_item read,
			struct kcatch_plan_item item);
uint8_t kcatch_plan_word(struct kcatch_plan_list *list, struct kcatch_item read);

/**
 * kcatch_plan_reach - an item with hops, which are added to a plan
 * @plan: the plan; the caller has checked that there is room
 * @reach: the way to the item
 *
 * Return: the item.
 */
struct kcatch_item kcatch_plan_reach(struct kcatch_plan *plan, const struct kcatch_reach *reach);

/**
 * kcatch_plan_abi - locate arguments and return value, and add the items that fetch them
 * @plan: a plan with empty lists and the types of its values; receives their words
 *
 * Follows the System V ABI for x86-64. Values that are not in integer registers or within reach
 * on the stack get no words.
 */
void kcatch_plan_abi(struct kcatch_plan *plan);

/* Where an argument is. ADDRESS: its address is in a register, STACK_ADDRESS: on the stack. */
enum kcatch_abi_place {
	KCATCH_ABI_NOWHERE,
	KCATCH_ABI_REGISTERS,
	KCATCH_ABI_STACK,
	KCATCH_ABI_ADDRESS,
	KCATCH_ABI_STACK_ADDRESS,
};

/**
 * struct kcatch_abi - the place of the next argument, while all of them are gone through
 * @arch: by whose rules
 * @next: integer registers that are used
 * @registers: those that the last argument in registers takes: fewer than its words where there is
 *	nothing but padding in one
 * @floats: floats so far: beyond eight they are on the stack
 * @stack: offset on the stack, bytes
 * @unknown: there was one that nobody knows the place of: nor is any behind it known
 */
struct kcatch_abi {
	const struct kcatch_arch *arch;
	uint32_t next, registers, floats;
	uint64_t stack;
	bool unknown;
};

/**
 * kcatch_abi_begin - begin with the first argument of a function
 * @abi: set
 * @arch: machine by whose rules
 * @returned: the type that it returns: the address of one in memory may take a register
 *
 * kcatch_abi_next - the place of the next argument
 * @abi: goes on to the one behind it
 * @type: its type
 * @first: set to its first register, or to its offset on the stack, bytes
 * @size: set to its size, bytes
 *
 * Return: KCATCH_ABI_*; NOWHERE: it is a float, empty, or the place is not known.
 */
void kcatch_abi_begin(struct kcatch_abi *abi, const struct kcatch_arch *arch,
		      struct kcatch_type returned);
enum kcatch_abi_place kcatch_abi_next(struct kcatch_abi *abi, struct kcatch_type type,
				      uint32_t *first, uint64_t *size);

/**
 * kcatch_plan_abi_class - what the items of kcatch_plan_abi() depend on
 * @type: the type of a value
 *
 * Return: a number that says it.
 */
uint64_t kcatch_plan_abi_class(struct kcatch_type type);

/**
 * kcatch_plan_pointer_class - what the items of kcatch_plan_pointers() depend on
 * kcatch_plan_name_class - and what its name and the function's other arguments say
 * kcatch_plan_count_class - and whether the next argument is the length of a buffer
 * @proto: the function
 * @type: the type of a value
 * @struct_size: as in struct kcatch_plan_options
 * @words: receives two words that say it, for a plan without levels of pointers in structs
 * @name: name of an argument
 * @word: its first word; receives the answer
 * @next_name: name of the next one
 * @next_word: its first word
 */
void kcatch_plan_pointer_class(struct kcatch_type type, uint32_t struct_size, uint64_t words[2]);
void kcatch_plan_name_class(struct kcatch_type proto, const char *name, uint64_t *word);
void kcatch_plan_count_class(const char *name, uint64_t *word, const char *next_name,
			     uint64_t next_word);

/** struct kcatch_plan_room - the lists of a plan that is being made, of the largest size */
struct kcatch_plan_room {
	struct kcatch_item reads[2][KCATCH_LIST_MAX];
	struct kcatch_plan_item items[2][KCATCH_ITEMS_MAX];
	int32_t hops[KCATCH_PLAN_HOPS];
};

/**
 * kcatch_plan_alloc - allocate an empty plan
 * @nr_args: number of arguments, which are zeroed
 * @room: room for its lists; must stay until kcatch_plan_finish()
 *
 * All functions of a kernel have 17,000 prototypes, so a plan keeps no more memory than it uses.
 *
 * Return: the plan, to be given to kcatch_plan_finish(); NULL: no memory (no error text).
 */
struct kcatch_plan *kcatch_plan_alloc(uint32_t nr_args, struct kcatch_plan_room *room);

/**
 * kcatch_plan_finish - give a plan lists of its own, or free it
 * @plan: the plan, with both lists in its room
 * @error: what making it returned, with the error text set; 0: it is complete
 * @result: receives the plan; NULL on error
 *
 * Return: 0; @error; -ENOMEM.
 */
int kcatch_plan_finish(struct kcatch_plan *plan, int error, struct kcatch_plan **result);

/**
 * kcatch_plan_no_return - fetch nothing at the return
 * @plan: the plan; its return list becomes empty
 */
void kcatch_plan_no_return(struct kcatch_plan *plan);

/**
 * kcatch_plan_add_own - also fetch what belongs to no argument
 * @plan: a plan whose entry list has only the words of its arguments
 * @options: its @cgroup and @latency; NULL: neither
 *
 * What finds no room in the list is left out.
 */
void kcatch_plan_add_own(struct kcatch_plan *plan, const struct kcatch_plan_options *options);

/**
 * kcatch_plan_create_special - make the plan for a tracepoint that is passed struct pt_regs
 * @types: the types of which @proto is one
 * @proto: prototype of the function that calls the tracepoint's probes
 * @room: room for its lists
 * @plan: receives the plan, which is not finished; NULL: no memory (no error text)
 *
 * These are the tracepoints of system calls and of page faults.
 *
 * Return: whether it is such a tracepoint; if not, *@plan is NULL.
 */
bool kcatch_plan_create_special(struct kcatch_types *types, struct kcatch_type proto,
				struct kcatch_plan_room *room, struct kcatch_plan **plan);

/**
 * kcatch_plan_switch - add the items that a switch of tasks has behind its arguments
 * @plan: the plan of a tracepoint, with the words of its values
 * @done: receives whether it is that of a switch; if not, nothing is done
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_plan_switch(struct kcatch_plan *plan, bool *done);

/**
 * kcatch_plan_leaves - add the items of leaves, those that are not there yet
 * @plan: the plan, with the words of its arguments
 * @options: the leaves, and how long a text may be
 *
 * A leaf that there is no room for is left out.
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_plan_leaves(struct kcatch_plan *plan, const struct kcatch_plan_options *options);

/** kcatch_plan_keep_own - copy the fields that the user has added. Return: 0 or -ENOMEM */
int kcatch_plan_keep_own(struct kcatch_plan *plan, const struct kcatch_own_field *own, uint32_t nr);

/** kcatch_plan_pointee_create - a pointee of a pointer of that type, of which nothing is fetched
 * yet. Return: NULL: no memory (no error text) */
struct kcatch_plan_pointee *kcatch_plan_pointee_create(struct kcatch_type pointer);

/**
 * kcatch_plan_pointers - add the items that fetch pointees of arguments and return value
 * @plan: a plan with the words of its values
 * @options: how much to fetch; without @returns the list of the return is emptied
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_plan_pointers(struct kcatch_plan *plan, const struct kcatch_plan_options *options);

#endif
