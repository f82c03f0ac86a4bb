/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recorded_stacks.h - stacks of events, kept by number: functions alone, each different stack once
 *
 * Memory: 24 bytes a frame and some 100 bytes for each different stack, and 60 for each number that
 * the library has given to one.
 */
#ifndef REPORT_RECORDED_STACKS_H
#define REPORT_RECORDED_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kcatch_containers.h>

#include "report.h"

/**
 * struct recorded_frame - a function on a stack
 * @symbol: its name, valid as long as the stacks; NULL: unknown
 * @module: its module; NULL: the kernel
 * @interrupted: it was left by an interrupt, not by a call
 */
struct recorded_frame {
	const char *symbol;
	const char *module;
	bool interrupted;
};

/**
 * struct recorded_stack - a stack
 * @frames: the functions, the innermost first
 * @nr: number of entries in @frames
 * @end: how it ends
 */
struct recorded_stack {
	const struct recorded_frame *frames;
	uint32_t nr;
	enum kcatch_event_stack end;
};

/** struct recorded_stacks - zeroed: none. The members are private */
struct recorded_stacks {
	struct recorded_stack *of;
	size_t nr, room;
	struct kcatch_table contents, numbers, names;
	struct kcatch_arena memory;
};

/**
 * recorded_stacks_add - keep the kernel stack of an event
 * @stacks: the stacks
 * @report: the report
 * @event: the session's current event, with a stack
 *
 * Return: its number, the same for equal stacks; -errno with an error text.
 */
int64_t recorded_stacks_add(struct recorded_stacks *stacks, struct report *report,
			    const struct kcatch_event *event);

/** recorded_stacks_get - a stack by its number; NULL: there is none */
const struct recorded_stack *recorded_stacks_get(const struct recorded_stacks *stacks,
						 uint32_t number);

/** recorded_stacks_deinit - free the memory */
void recorded_stacks_deinit(struct recorded_stacks *stacks);

#endif
