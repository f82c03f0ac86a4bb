/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorded.h - conditions over recorded events
 *
 * The language, parser and type rules are those of the kernel's conditions. Instead of
 * instructions, the tree of operations (ir.h) is kept and evaluated over the items of a record.
 * A value that no record holds is refused beforehand; if one record lacks a value that others
 * have, the answer is "undecided".
 *
 * One thread at a time. Memory: the tree, some hundred bytes for each function.
 */
#ifndef LIB_CONDITION_RECORDED_H
#define LIB_CONDITION_RECORDED_H

#include <stdbool.h>
#include <stdint.h>

#include <kcatch.h>

#include "condition/expression.h"
#include "fetch/decode.h"
#include "fetch/plan.h"
#include "types/types.h"

struct kcatch_event_info;
struct kcatch_recorded_condition;

/**
 * struct kcatch_recorded_probe - what records of a probe hold
 * @types: of the recording; NULL: none
 * @plan: what was fetched; NULL: nothing
 * @info: of a DO_TRACE event; else NULL
 * @tracepoint: it is one: its arguments are the event's fields
 * @returns: its returns were caught
 * @symbol: the recording's address of a name; returns how many there are
 * @arg: for @symbol
 */
struct kcatch_recorded_probe {
	struct kcatch_types *types;
	const struct kcatch_plan *plan;
	const struct kcatch_event_info *info;
	bool tracepoint;
	bool returns;
	unsigned int (*symbol)(void *arg, const char *name, uint64_t *address);
	void *arg;
};

enum kcatch_recorded_text {
	KCATCH_RECORDED_EVENT,		/* "sched:sched_switch", "ovl_open [overlay]" */
	KCATCH_RECORDED_FUNCTION,
	KCATCH_RECORDED_CALLER,		/* symbol of the innermost frame */
};

/**
 * struct kcatch_recorded_event - the event at hand
 * @event: its head
 * @fetched: what came with it, not to be believed
 * @text: one of its texts; NULL: it has none
 * @value: an argument as it is shown, whose text may be asked for; NULL: not there
 * @arg: for both
 */
struct kcatch_recorded_event {
	const struct kcatch_event *event;
	const struct kcatch_fetched *fetched;
	const char *(*text)(void *arg, enum kcatch_recorded_text which);
	const struct kcatch_value *(*value)(void *arg, uint32_t index);
	void *arg;
};

/* What a condition comes to. */
enum kcatch_answer {
	KCATCH_ANSWER_NO,
	KCATCH_ANSWER_YES,
	KCATCH_ANSWER_UNDECIDED,	/* the record does not hold what it takes */
};

/**
 * kcatch_recorded_condition_create - a condition for the records of one probe
 * @expression: the condition; stays as long as the result
 * @probe: what they hold; its plan stays as long as the result
 * @condition: the new object
 *
 * Return: 0; -ENOENT it names what this probe does not have; -EINVAL with a text that
 * points at the place and says what is not in the recording; -ENOMEM.
 */
int kcatch_recorded_condition_create(const struct kcatch_expression *expression,
				     const struct kcatch_recorded_probe *probe,
				     struct kcatch_recorded_condition **condition);

/**
 * kcatch_recorded_condition_destroy - forget it
 * @condition: may be NULL
 */
void kcatch_recorded_condition_destroy(struct kcatch_recorded_condition *condition);

/**
 * kcatch_recorded_condition_evaluate - is it true of an event
 * @condition: the condition
 * @event: of that probe
 *
 * What could not be read makes a comparison false, as in the kernel. What was not
 * recorded leaves it open, unless the rest decides.
 *
 * Return: KCATCH_ANSWER_*.
 */
enum kcatch_answer
kcatch_recorded_condition_evaluate(const struct kcatch_recorded_condition *condition,
				   const struct kcatch_recorded_event *event);

#endif
