/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * condition.h - conditions: which calls to record, compiled for the kernel
 *
 * What the language is stands in language.h.
 *
 * The implementation: condition.c splits an expression, typing.c gives it types
 * and makes a tree of simple operations (ir.h), place.c makes the
 * steps that fetch memory, codegen.c and math.c make classic BPF, which
 * has 32 bits, out of it.
 */
#ifndef LIB_CONDITION_CONDITION_H
#define LIB_CONDITION_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/filter.h>

#include <uapi/kcatch.h>

#include "condition/expression.h"
#include "types/types.h"

/* The call failed: signed int or long: -4095..-1; pointer: an error pointer or NULL.
 * Without types: a 32- or 64-bit -4095..-1. */
#define KCATCH_FAILS_ERRNO	(1U << 0)
#define KCATCH_FAILS_FALSE	(1U << 1)	/* bool: false */

/**
 * struct kcatch_condition_code - a condition for one function, as the module takes it
 * @fields: steps
 * @nr_fields: number of entries in @fields
 * @entry: decided at the entry
 * @nr_entry: instructions; 0: nothing is
 * @at_return: decided at the return
 * @nr_return: instructions; 0: nothing is, and the return is not needed for it
 */
struct kcatch_condition_code {
	struct kcatch_step *fields;
	uint32_t nr_fields;
	struct sock_filter *entry;
	uint32_t nr_entry;
	struct sock_filter *at_return;
	uint32_t nr_return;
};

/**
 * kcatch_condition_compile - make a condition for one function
 * @expression: the condition; NULL: none
 * @types: where casts find their types; NULL when there are none
 * @proto: the function; id 0: no types are known
 * @returns: returns are caught: ret and latency may be used
 * @fails: KCATCH_FAILS_*: and the call failed; 0: whether it did or not. Each type is
 *	looked at when its bit is set. Where the type cannot say so: EOPNOTSUPP
 * @code: the result, to be given to kcatch_condition_code_deinit(); zeros on failure
 *
 * Return: 0; -ENOENT when it names an argument that this function does not have;
 * -EOPNOTSUPP when @fails makes no sense for its type; -EINVAL for all else that is wrong
 * with the condition; -ENOMEM.
 */
int kcatch_condition_compile(const struct kcatch_expression *expression,
			     struct kcatch_types *types, struct kcatch_type proto, bool returns,
			     unsigned int fails, struct kcatch_condition_code *code);

struct kcatch_event_info;

/**
 * kcatch_condition_compile_event - the same for an event
 * @expression: the condition
 * @types: as above
 * @proto: of the function that calls a tracepoint's probes, whose first parameter is not
 *	the tracepoint's; id 0: no types are known, or a DO_TRACE event
 * @info: of a DO_TRACE event; else NULL
 * @code: as above
 *
 * There are more names, and no ret and latency:
 *	ARGUMENT_MEMBER	argument->member, where that is the name of no argument
 *	MEMBER		the same, where only one argument points to a struct that has it
 *	code		exit_code of a task, as tracefs calls it
 * Of a DO_TRACE event its numbers have the names that stand before the conversions, or
 * arg0, arg1, ...; those behind a text, or beyond 48 bytes, cannot be looked at.
 *
 * Return: as above.
 */
int kcatch_condition_compile_event(const struct kcatch_expression *expression,
				   struct kcatch_types *types, struct kcatch_type proto,
				   const struct kcatch_event_info *info,
				   struct kcatch_condition_code *code);

struct kcatch_plan;
struct kcatch_syscall_event;

/**
 * kcatch_condition_compile_syscall - the same for one system call
 * @expression: the condition; NULL: none but that it is this call
 * @types: as above, not NULL
 * @proto: of the function that calls the probes of raw_syscalls:sys_enter or sys_exit
 * @event: which
 * @plan: of it: its arguments are names, of sys_exit `ret`
 * @code: as above
 *
 * Return: as above.
 */
int kcatch_condition_compile_syscall(const struct kcatch_expression *expression,
				     struct kcatch_types *types, struct kcatch_type proto,
				     const struct kcatch_syscall_event *event,
				     const struct kcatch_plan *plan,
				     struct kcatch_condition_code *code);

/**
 * kcatch_condition_code_deinit - forget it
 * @code: from kcatch_condition_compile(), or zeros
 */
void kcatch_condition_code_deinit(struct kcatch_condition_code *code);

#endif
