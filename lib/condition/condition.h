/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * condition.h - compiles conditions, which select the calls to record, for the kernel
 *
 * language.h describes the language. The compiler's passes: condition.c splits an expression
 * into the part for the entry and the part for the return, typing.c assigns types and makes a
 * tree of simple operations (ir.h), place.c makes the items that fetch memory, encode.c turns the
 * tree into code (uapi/kcatch_code.h).
 *
 * All functions set the error text when they fail. No locks: one thread at a time uses an
 * expression and the types.
 */
#ifndef LIB_CONDITION_CONDITION_H
#define LIB_CONDITION_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include "condition/expression.h"
#include "condition/condition_notes.h"
#include "fetch/plan.h"
#include "types/types.h"

/*
 * Return values that mean failure: -4095..-1 of a signed int or long; NULL or an error pointer
 * (the kernel's IS_ERR_OR_NULL()); for a function without types -4095..-1 in 32 or 64 bits.
 */
#define KCATCH_FAILS_ERRNO	(1U << 0)
#define KCATCH_FAILS_FALSE	(1U << 1)	/* false, for a function that returns bool */

#define KCATCH_CONDITION_HOPS	(KCATCH_HOPS_MAX - KCATCH_PLAN_HOPS)

/**
 * struct kcatch_condition_code - condition for one function, in the form the module takes
 * @fields: items that are fetched at the entry
 * @nr_fields: number of entries in @fields, at most KCATCH_ITEMS_MAX
 * @hops: those of @fields
 * @nr_hops: number of entries in @hops, at most KCATCH_CONDITION_HOPS
 * @entry: code, evaluated at the entry
 * @nr_entry: operations in @entry, at most KCATCH_OPS_MAX; 0: every entry is accepted
 * @at_return: code, evaluated at the return
 * @nr_return: operations in @at_return, at most KCATCH_OPS_MAX; 0: the condition does not need
 *	the return
 * @texts: what the code compares texts with
 * @nr_texts: bytes in @texts, at most KCATCH_TEXTS_MAX
 * @notes: what whoever wrote it is to be told
 */
struct kcatch_condition_code {
	struct kcatch_item *fields;
	uint32_t nr_fields;
	int32_t *hops;
	uint32_t nr_hops;
	struct kcatch_op *entry;
	uint32_t nr_entry;
	struct kcatch_op *at_return;
	uint32_t nr_return;
	char *texts;
	uint32_t nr_texts;
	struct kcatch_condition_notes notes;
};

/**
 * kcatch_condition_compile - compile a condition for one function
 * @expression: the condition; NULL: none
 * @types: types for casts, current and enumerators; NULL: there are none
 * @proto: prototype of the function; id 0: not known
 * @returns: the function's returns are caught, so that ret and latency are available
 * @fails: KCATCH_FAILS_*: record only calls that fail, joined to @expression by &&; a bit
 *	applies to the return types named at its definition. 0: record failures and successes
 * @code: receives the code; free it with kcatch_condition_code_deinit(). Zeros on failure
 *
 * Return: 0; -ENOENT the condition uses a name that this function does not have, or &NAME of
 * a symbol that the kernel does not have; -EOPNOTSUPP the function's return type cannot
 * report a failure selected by @fails; -EINVAL any other error in the condition, including
 * one that is too large; -ENOMEM; another -errno of reading /proc/kallsyms for a symbol.
 */
int kcatch_condition_compile(const struct kcatch_expression *expression,
			     struct kcatch_types *types, struct kcatch_type proto, bool returns,
			     unsigned int fails, struct kcatch_condition_code *code);

struct kcatch_event_info;

/**
 * kcatch_condition_compile_event - compile a condition for a tracepoint or DO_TRACE event
 * @expression: the condition
 * @types: types for casts, current and enumerators; NULL: there are none
 * @proto: prototype of the function that calls a tracepoint's probes; its first parameter
 *	is private data and not an argument of the tracepoint. id 0: not known, or a DO_TRACE
 *	event
 * @info: the DO_TRACE event; NULL: a tracepoint
 * @event: the tracepoint, "SYSTEM:NAME", whose fields are names; NULL: none are
 * @code: receives the code; free it with kcatch_condition_code_deinit(). Zeros on failure
 *
 * An event has no ret, failure or latency, unless an argument has that name. A tracepoint has
 * more names:
 *	ARGUMENT_MEMBER	argument->member, unless an argument has that name
 *	MEMBER		argument->MEMBER, if exactly one argument points to a struct with it
 *	code		exit_code of a task: tracefs calls it so
 * A DO_TRACE event's arguments have the names in front of its format's conversions, or arg0,
 * arg1, ...; a condition can use integers in the first 48 bytes of the payload that do not
 * follow a text.
 *
 * Return: 0; -ENOENT the condition uses a name that the event does not have, or &NAME of a
 * symbol that the kernel does not have; -EINVAL any other error in the condition, including
 * one that is too large; -ENOMEM; another -errno of reading /proc/kallsyms for a symbol.
 */
int kcatch_condition_compile_event(const struct kcatch_expression *expression,
				   struct kcatch_types *types, struct kcatch_type proto,
				   const struct kcatch_event_info *info, const char *event,
				   struct kcatch_condition_code *code);

struct kcatch_plan;
struct kcatch_syscall_event;

/**
 * kcatch_condition_compile_syscall - compile a condition for the event of one system call
 * @expression: the condition; NULL: every call of that system call
 * @types: types for casts, current and enumerators; not NULL
 * @proto: prototype of the function that calls the probes of raw_syscalls:sys_enter or
 *	sys_exit
 * @event: the system call, and whether its entry or its exit is meant
 * @plan: the event's plan: the names of its arguments are names of the condition (of an
 *	exit, the tracepoint's `ret`)
 * @code: receives the code; free it with kcatch_condition_code_deinit(). Zeros on failure
 *
 * The code also compares the number of the system call, and rejects calls by 32-bit programs,
 * whose numbers differ.
 *
 * Return: as kcatch_condition_compile_event().
 */
int kcatch_condition_compile_syscall(const struct kcatch_expression *expression,
				     struct kcatch_types *types, struct kcatch_type proto,
				     const struct kcatch_syscall_event *event,
				     const struct kcatch_plan *plan,
				     struct kcatch_condition_code *code);

/**
 * kcatch_condition_compile_call - compile a condition for the function of a system call
 * @expression: the condition; NULL: none
 * @types: types for casts, current and enumerators; not NULL
 * @proto: prototype of the function
 * @call: the system call
 * @plan: the plan of the function: the names of its arguments are names of the condition, and
 *	so is the function's own, `regs`
 * @returns: as for kcatch_condition_compile()
 * @fails: as for kcatch_condition_compile()
 * @code: receives the code; free it with kcatch_condition_code_deinit(). Zeros on failure
 *
 * Return: as kcatch_condition_compile().
 */
int kcatch_condition_compile_call(const struct kcatch_expression *expression,
				  struct kcatch_types *types, struct kcatch_type proto,
				  const struct kcatch_syscall_event *call,
				  const struct kcatch_plan *plan, bool returns,
				  unsigned int fails, struct kcatch_condition_code *code);

/**
 * kcatch_condition_code_deinit - free the lists and set them to zeros
 * @code: compiled code, or zeros
 */
void kcatch_condition_code_deinit(struct kcatch_condition_code *code);

#endif
