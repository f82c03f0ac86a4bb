/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* plan.h - plans: the values to fetch from a call, compiled from the function's types */
#ifndef LIB_FETCH_PLAN_H
#define LIB_FETCH_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include "types/types.h"

struct kcatch_plan;

/**
 * struct kcatch_plan_options - how much
 * @string_size: longest text, bytes; 0: 128
 * @struct_size: most bytes of what a pointer points to; 0: 128
 * @deep: levels of pointers inside structs to follow as well
 * @returns: the return is caught
 * @tracepoint: of the function that calls a tracepoint's probes: its first argument is
 *	not the tracepoint's. Only what is cheap is fetched: numbers, texts and readable forms
 */
struct kcatch_plan_options {
	uint32_t string_size;
	uint32_t struct_size;
	unsigned int deep;
	bool returns;
	bool tracepoint;
};

/**
 * kcatch_plan_create - make one
 * @types: where @proto is from
 * @proto: of the function
 * @options: how much
 * @plan: the new plan, which needs @types as long as it is there
 *
 * All arguments themselves are fetched; then what they point to, as far as there is room.
 *
 * Return: 0, -EINVAL when @proto is no function, -ENOMEM.
 */
int kcatch_plan_create(struct kcatch_types *types, struct kcatch_type proto,
		       const struct kcatch_plan_options *options, struct kcatch_plan **plan);

struct kcatch_syscall_event;

/**
 * kcatch_plan_create_syscall - one of a single system call's event
 * @types: where @proto is from
 * @proto: of the function that calls the probes of raw_syscalls:sys_enter or sys_exit
 * @event: which
 * @options: how much
 * @plan: the new plan
 *
 * Return: 0, -ENOENT when the kernel's types lack integers, -ENOMEM.
 */
int kcatch_plan_create_syscall(struct kcatch_types *types, struct kcatch_type proto,
			       const struct kcatch_syscall_event *event,
			       const struct kcatch_plan_options *options,
			       struct kcatch_plan **plan);

/**
 * kcatch_plan_create_raw - one without types: the argument registers
 * @plan: the new plan
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_plan_create_raw(struct kcatch_plan **plan);

/**
 * kcatch_plan_destroy - forget it
 * @plan: may be NULL
 */
void kcatch_plan_destroy(struct kcatch_plan *plan);

/**
 * kcatch_plan_entry - steps for the entry
 * kcatch_plan_return - steps for the return
 * @plan: the plan
 * @nr: how many
 *
 * Return: the steps, valid as long as @plan; any pointer when there are none.
 */
const struct kcatch_step *kcatch_plan_entry(const struct kcatch_plan *plan, uint32_t *nr);
const struct kcatch_step *kcatch_plan_return(const struct kcatch_plan *plan, uint32_t *nr);

/**
 * kcatch_plan_nr_args - arguments of the function, as far as they are declared
 * kcatch_plan_is_typed - is it made from types
 * @plan: the plan
 *
 * Return: that.
 */
uint32_t kcatch_plan_nr_args(const struct kcatch_plan *plan);
bool kcatch_plan_is_typed(const struct kcatch_plan *plan);

#endif
