/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * plan.h - plans: the values to fetch from a call, compiled from the function's types
 *
 * A plan has one list of items (struct kcatch_item, include/uapi/kcatch.h) for the entry and one
 * for the return, and knows what the data mean that they put: at most KCATCH_ITEMS_MAX items and
 * KCATCH_DATA_MAX bytes. Plans do not change once they are created.
 */
#ifndef LIB_FETCH_PLAN_H
#define LIB_FETCH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kcatch.h>
#include <uapi/kcatch.h>

#include "types/types.h"

struct kcatch_plan;

#define KCATCH_PLAN_HOPS 1536U	/* most hops of a plan: the rest is for conditions */

#define KCATCH_LEAF_HOPS 8 /* most pointers that lead to a leaf */

/**
 * struct kcatch_leaf - a value behind an argument, or behind the thread, that is fetched by itself
 * @item: what is put: VALUE, WORD or CHARS, which stands for a text of any length; without the
 *	index of its first hop
 * @hops: @item.nr_hops of them
 * @name: a name for it in the description of a recording
 */
struct kcatch_leaf {
	struct kcatch_item item;
	int32_t hops[KCATCH_LEAF_HOPS];
	const char *name;
};

/**
 * struct kcatch_plan_options - how much to fetch
 * @string_size: most bytes of a text; 0: 128. At most 1016 are used
 * @struct_size: most bytes of a pointee; 0: 128. At most 1024 are used
 * @deep: levels of pointers in structs to follow; 0: only arguments. At most 6 are used
 * @returns: the return is caught: also fetch the pointees of the return value, and pointees
 *	of arguments again
 * @tracepoint: the function calls a tracepoint's probes: its first parameter is private data
 *	and not an argument. Only texts and summaries of pointees are fetched: they are cheap
 * @only_forms: of a struct with a summary nothing else is fetched
 * @cgroup: also fetch the number of the thread's cgroup
 * @latency: also fetch the time since the first event of a pair
 * @leaves: also fetch these
 * @nr_leaves: number of entries in @leaves
 * @own: fields that the user has added, for whose reader the plan keeps them
 * @nr_own: number of entries in @own
 * @nr_own_leaves: the last so many of @leaves are theirs
 * @leaves_only: they tell of the arguments, of which nothing else is fetched but themselves
 */
struct kcatch_plan_options {
	uint32_t string_size;
	uint32_t struct_size;
	unsigned int deep;
	bool returns;
	bool tracepoint;
	bool only_forms;
	bool cgroup;
	bool latency;
	const struct kcatch_leaf *leaves;
	uint32_t nr_leaves;
	const struct kcatch_own_field *own;
	uint32_t nr_own;
	uint32_t nr_own_leaves;
	bool leaves_only;
};

/**
 * kcatch_plan_create - make the plan for a function or tracepoint
 * @types: the types of which @proto is one; must outlive the plan
 * @proto: prototype of the function
 * @options: how much to fetch
 * @plan: receives the new plan; free it with kcatch_plan_destroy()
 *
 * Fetches the arguments themselves, as far as they are in integer registers or in the first
 * 1024 bytes of the stack (of a struct at most 128 bytes), then their pointees as far as there
 * is room. If not all pointees fit, they share the room.
 *
 * Return: 0; -EINVAL @proto is not a function's prototype; -ENOMEM.
 */
int kcatch_plan_create(struct kcatch_types *types, struct kcatch_type proto,
		       const struct kcatch_plan_options *options, struct kcatch_plan **plan);

/** kcatch_plan_own_cut - was there no room for what a field of the user's is made of? */
bool kcatch_plan_own_cut(const struct kcatch_plan *plan);

#define KCATCH_CLASS_ARGS 12	/* most arguments of a function that has a class */
#define KCATCH_CLASS_TYPES 1024	/* a power of two */

/**
 * struct kcatch_plan_class - what the items of a function's plan depend on: no names, few types
 * @size: bytes of @words in use; they are compared as a whole
 * @words: three for the return value and for each argument
 */
struct kcatch_plan_class {
	size_t size;
	uint64_t words[3 * (KCATCH_CLASS_ARGS + 1)];
};

/** struct kcatch_plan_types - what is known of types, for one set of options; zeroed at first */
struct kcatch_plan_types {
	struct {
		struct kcatch_type type;
		uint64_t words[3];
	} recent[KCATCH_CLASS_TYPES];
};

/**
 * kcatch_plan_classify - find out what the items of a function's plan depend on
 * @types: what is known already
 * @proto: prototype of the function
 * @options: how much to fetch
 * @class: receives it
 *
 * Plans of the same class and the same options have the same items. It takes a fraction of the time
 * that a plan takes, and the 17,386 prototypes of 6.1 have 7,455 classes.
 *
 * Return: false: it has none, so make the plan.
 */
bool kcatch_plan_classify(struct kcatch_plan_types *types, struct kcatch_type proto,
			  const struct kcatch_plan_options *options,
			  struct kcatch_plan_class *class);

/**
 * kcatch_plan_same_items - compare what two plans have the module do
 * @one: a plan that was made
 * @other: another one
 *
 * Return: true: the items of both are the same, and so is the size of what they put.
 */
bool kcatch_plan_same_items(const struct kcatch_plan *one, const struct kcatch_plan *other);

/* Is a plan that of an event of all system calls? Both have "id", the number of the call. */
enum kcatch_plan_calls {
	KCATCH_PLAN_NO_CALLS,
	KCATCH_PLAN_ENTERS, /* of raw_syscalls:sys_enter */
	KCATCH_PLAN_EXITS,  /* of raw_syscalls:sys_exit */
};

/**
 * kcatch_plan_calls - find out whether a plan is of an event of all system calls
 * @plan: the plan; NULL: none
 *
 * Return: KCATCH_PLAN_*.
 */
enum kcatch_plan_calls kcatch_plan_calls(const struct kcatch_plan *plan);

/**
 * kcatch_plan_call_is_wide - find out whether a system call is of a 64-bit program
 * @plan: a plan of KCATCH_PLAN_ENTERS
 * @data: the items of the entry, untrusted
 * @size: bytes of @data
 *
 * 32-bit programs number their calls otherwise, and the record does not tell. But a register with a
 * bit above the lowest 32 is none of theirs: that of the return address has one, except of the few
 * programs that are linked to a fixed address and have no library.
 *
 * Return: true: it is; false: it may be of either.
 */
bool kcatch_plan_call_is_wide(const struct kcatch_plan *plan, const uint8_t *data, size_t size);

struct kcatch_syscall_event;

/**
 * kcatch_plan_create_syscall - make the plan for one system call, an event or a function
 * @types: the types of which @proto is one; must outlive the plan
 * @proto: prototype of the function that calls the probes of raw_syscalls:sys_enter or
 *	sys_exit, or of the system call's own function
 * @event: the system call, and whether its entry, its exit or its function is meant
 * @options: how much to fetch
 * @plan: receives the new plan; free it with kcatch_plan_destroy()
 *
 * Return: 0; -ENOENT @types have no unsigned long; -ENOMEM.
 */
int kcatch_plan_create_syscall(struct kcatch_types *types, struct kcatch_type proto,
			       const struct kcatch_syscall_event *event,
			       const struct kcatch_plan_options *options,
			       struct kcatch_plan **plan);

/**
 * kcatch_plan_create_raw - make the plan for a function without types
 * kcatch_plan_create_bare - make a plan without arguments
 * @options: its @cgroup and @latency are used; NULL: neither
 * @plan: receives the new plan; free it with kcatch_plan_destroy()
 *
 * The first fetches the six argument registers, which are named rdi, rsi, rdx, rcx, r8 and r9.
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_plan_create_raw(const struct kcatch_plan_options *options, struct kcatch_plan **plan);
int kcatch_plan_create_bare(const struct kcatch_plan_options *options, struct kcatch_plan **plan);

/**
 * kcatch_plan_create_only_return - make a plan without arguments that knows the return value's type
 * @proto: prototype of the function; its types must outlive the plan
 * @cgroup: as in struct kcatch_plan_options
 * @plan: receives the new plan; free it with kcatch_plan_destroy()
 *
 * It has the items of kcatch_plan_create_bare(). Of what is returned in two registers it knows the
 * first.
 *
 * Return: 0; -EINVAL @proto is not a function's prototype; -ENOMEM.
 */
int kcatch_plan_create_only_return(struct kcatch_type proto, bool cgroup,
				   struct kcatch_plan **plan);

/**
 * kcatch_plan_cgroup - find the number of the thread's cgroup in what was fetched
 * @plan: the plan; NULL: nothing was fetched
 * @data: the items of the entry, untrusted
 * @size: bytes of @data
 *
 * Return: the number; 0: it was not fetched.
 */
uint64_t kcatch_plan_cgroup(const struct kcatch_plan *plan, const uint8_t *data, size_t size);

/** kcatch_plan_latency - find the time since the first event of a pair in what was fetched.
 * Parameters as of kcatch_plan_cgroup(). @latency: receives it, nanoseconds. Return: whether it was
 * fetched */
bool kcatch_plan_latency(const struct kcatch_plan *plan, const uint8_t *data, size_t size,
			 uint64_t *latency);

/**
 * kcatch_plan_destroy - free a plan and its items
 * @plan: may be NULL
 */
void kcatch_plan_destroy(struct kcatch_plan *plan);

/**
 * kcatch_plan_entry - the items to fetch at the entry
 * kcatch_plan_return - the items to fetch at the return
 * kcatch_plan_hops - the hops of both
 * kcatch_plan_shape - KCATCH_SHAPE_* of the entry
 * @plan: the plan
 * @nr: receives the number of items or hops
 *
 * Return: the items or hops, valid as long as @plan; may be NULL if *@nr is 0.
 */
const struct kcatch_item *kcatch_plan_entry(const struct kcatch_plan *plan, uint32_t *nr);
const struct kcatch_item *kcatch_plan_return(const struct kcatch_plan *plan, uint32_t *nr);
const int32_t *kcatch_plan_hops(const struct kcatch_plan *plan, uint32_t *nr);
uint32_t kcatch_plan_shape(const struct kcatch_plan *plan);

/**
 * kcatch_plan_nr_args - number of arguments that the plan decodes, without "..."
 * kcatch_plan_is_typed - whether the arguments have types
 * kcatch_plan_has_no_args - whether the arguments are not fetched, as they were not asked for
 * kcatch_plan_has_cgroup - whether the thread's cgroup is fetched
 * kcatch_plan_has_latency - whether the time since the first event of a pair is fetched
 * @plan: the plan
 *
 * Return: the number; whether it is so.
 */
uint32_t kcatch_plan_nr_args(const struct kcatch_plan *plan);
bool kcatch_plan_is_typed(const struct kcatch_plan *plan);
bool kcatch_plan_has_no_args(const struct kcatch_plan *plan);
bool kcatch_plan_has_cgroup(const struct kcatch_plan *plan);
bool kcatch_plan_has_latency(const struct kcatch_plan *plan);

#endif
