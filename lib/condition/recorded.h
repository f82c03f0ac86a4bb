/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorded.h - conditions over recorded events
 *
 * The language, parser and type rules are those of the kernel's conditions. Instead of making
 * instructions, the tree of operations (ir.h) is kept and evaluated over the items of a record.
 * A condition that needs a value which the recording does not have is refused when it is
 * created; if one record lacks a value that others have, the answer is "undecided".
 *
 * No locks: one thread at a time. Memory: the tree, some hundred bytes for each function.
 */
#ifndef LIB_CONDITION_RECORDED_H
#define LIB_CONDITION_RECORDED_H

#include <stdbool.h>
#include <stdint.h>

#include <kcatch.h>

#include "condition/event_fields.h"
#include "condition/expression.h"
#include "condition/condition_notes.h"
#include "condition/count_parts.h"
#include "fetch/decode.h"
#include "fetch/plan.h"
#include "types/types.h"

struct kcatch_event_info;
struct kcatch_recorded_condition;

/**
 * struct kcatch_recorded_probe - contents of the records of one probe
 * @types: types of the recorded kernel; NULL: there are none
 * @plan: plan that fetched the arguments; NULL: nothing was fetched
 * @info: the DO_TRACE event; else NULL
 * @tracepoint: the probe is a tracepoint
 * @event: the tracepoint, "SYSTEM:NAME", whose fields are names; NULL: none are
 * @is_field: the expression is that of a field, so that names are arguments
 * @returns: the probe's returns were caught
 * @symbol: looks up the address of a symbol in the recorded kernel. Returns the number of
 *	symbols with that name; sets *address (0: the recording has no addresses) if it is 1.
 *	NULL: there are no symbols
 * @arg: passed to @symbol
 * @named: arguments whose numbers have names; NULL: none
 * @notes: receives, behind what is there, what whoever wrote the condition is to be told; NULL:
 *	not wanted
 */
struct kcatch_recorded_probe {
	struct kcatch_types *types;
	const struct kcatch_plan *plan;
	const struct kcatch_event_info *info;
	bool tracepoint;
	const char *event;
	bool is_field;
	bool returns;
	unsigned int (*symbol)(void *arg, const char *name, uint64_t *address);
	void *arg;
	const struct kcatch_named_argument *named;
	struct kcatch_condition_notes *notes;
};

enum kcatch_recorded_text {
	KCATCH_RECORDED_EVENT,		/* "sched:sched_switch", "ovl_open [overlay]" */
	KCATCH_RECORDED_FUNCTION,	/* name of the function */
	KCATCH_RECORDED_CALLER,		/* symbol of the innermost frame */
	KCATCH_RECORDED_CGROUP,		/* path of the thread's cgroup */
};

/**
 * struct kcatch_recorded_event - an event to evaluate a condition over
 * @event: the event
 * @fetched: the items that were fetched, untrusted; never NULL
 * @text: returns a text of the event, valid until the next call; NULL: the event has none.
 *	A NULL function: no event has one
 * @value: returns argument @index as reports show it, with its summary in @text, valid until
 *	the next call; NULL: not available. A NULL function: no event has one
 * @arg: passed to @text and @value
 */
struct kcatch_recorded_event {
	const struct kcatch_event *event;
	const struct kcatch_fetched *fetched;
	const char *(*text)(void *arg, enum kcatch_recorded_text which);
	const struct kcatch_value *(*value)(void *arg, uint32_t index);
	void *arg;
};

/* The result of a condition. */
enum kcatch_answer {
	KCATCH_ANSWER_NO,
	KCATCH_ANSWER_YES,
	KCATCH_ANSWER_UNDECIDED,	/* the record lacks a value on which the result depends */
};

/**
 * kcatch_recorded_condition_create - prepare a condition for the records of one probe
 * @expression: the condition; must outlive @condition
 * @probe: contents of the records; its plan and info must outlive @condition, the struct
 *	itself need not
 * @condition: receives the new object; free it with kcatch_recorded_condition_destroy()
 *
 * Return: 0; -ENOENT the condition uses a name or a register that this probe's records do not
 * have; -EINVAL any other error, such as a value that was not recorded; -ENOMEM. The error
 * text marks the place.
 */
int kcatch_recorded_condition_create(const struct kcatch_expression *expression,
				     const struct kcatch_recorded_probe *probe,
				     struct kcatch_recorded_condition **condition);

/**
 * kcatch_recorded_condition_destroy - free a condition
 * @condition: may be NULL
 */
void kcatch_recorded_condition_destroy(struct kcatch_recorded_condition *condition);

/**
 * kcatch_recorded_condition_evaluate - evaluate a condition over one event
 * @condition: the condition
 * @event: an event of the condition's probe
 *
 * A comparison with memory that could not be read at the hit is false, as in the kernel. A
 * comparison with a value that the record lacks is undecided, and so is the result, unless
 * the rest of the condition decides it. Allocates nothing.
 *
 * Return: KCATCH_ANSWER_*.
 */
enum kcatch_answer
kcatch_recorded_condition_evaluate(const struct kcatch_recorded_condition *condition,
				   const struct kcatch_recorded_event *event);

/**
 * struct kcatch_recorded_value - the value of an expression in one record
 * @missing: the record lacks it
 * @unreadable: it could not be read at the hit, or a division by zero
 * @number: a number
 * @low: the rest of an address of IPv6
 * @text: a text, in the record; not terminated
 * @length: bytes of @text
 */
struct kcatch_recorded_value {
	bool missing;
	bool unreadable;
	uint64_t number, low;
	const char *text;
	size_t length;
};

struct kcatch_recorded_expression;

/**
 * kcatch_recorded_expression_create - prepare a key or value of a count for the records of a probe
 * @expression: the key or value; must outlive @result
 * @probe: as of kcatch_recorded_condition_create()
 * @type: receives what its value is
 * @result: receives the new object; free it with kcatch_recorded_expression_destroy()
 *
 * Return: as kcatch_recorded_condition_create().
 */
int kcatch_recorded_expression_create(const struct kcatch_expression *expression,
				      const struct kcatch_recorded_probe *probe,
				      struct kcatch_part_type *type,
				      struct kcatch_recorded_expression **result);

/**
 * kcatch_recorded_word - note that a word of the language hides an argument, if it does
 * @probe: contents of the records; its @notes receive it
 * @word: a key of a count, such as "caller"
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_recorded_word(const struct kcatch_recorded_probe *probe, const char *word);

/**
 * kcatch_recorded_expression_destroy - free it
 * @expression: may be NULL
 */
void kcatch_recorded_expression_destroy(struct kcatch_recorded_expression *expression);

/**
 * kcatch_recorded_expression_evaluate - evaluate it over one event
 * @expression: the expression
 * @event: an event of its probe
 * @value: receives the value; a text has at most KCATCH_PART_TEXT_MAX bytes, as in the kernel
 */
void kcatch_recorded_expression_evaluate(const struct kcatch_recorded_expression *expression,
					 const struct kcatch_recorded_event *event,
					 struct kcatch_recorded_value *value);

#endif
