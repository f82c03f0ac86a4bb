/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* programs.h - give probes what they are to fetch, and when to record */
#ifndef LIB_PROGRAMS_H
#define LIB_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kcatch.h"
#include "plan.h"

struct kcatch_expression;
struct kcatch_target_spec;

/**
 * struct kcatch_programs_add - the probes of one ADD
 * @request: what was asked for
 * @expression: its condition; NULL: none
 * @returns: returns are hooked
 * @under: these are the functions of a tree: no condition, no user stack, and nothing of
 *	those functions that are its roots
 * @events: these are tracepoints and DO_TRACE events
 * @nr_events: with @events: how many there are in all, in ADDs of their own
 * @group: number of the group
 * @first: first probe
 * @nr: how many
 * @roots: with @under: number of the roots' first probe
 * @nr_roots: with @under: how many
 * @specs: what of functions is waited for: those with a module
 * @nr_specs: how many; 0: none is waited for
 * @pending: with @events: names that are waited for
 * @nr_pending: how many
 */
struct kcatch_programs_add {
	const struct kcatch_request *request;
	const struct kcatch_expression *expression;
	bool returns;
	bool under;
	bool events;
	size_t nr_events;
	uint32_t group;
	uint32_t first;
	uint32_t nr;
	uint32_t roots;
	uint32_t nr_roots;
	const struct kcatch_target_spec *specs;
	size_t nr_specs;
	const char *const *pending;
	size_t nr_pending;
};

/**
 * kcatch_programs_needed - must probes have programs for this
 * @request: what was asked for
 *
 * Return: false: plain records are enough.
 */
bool kcatch_programs_needed(const struct kcatch_request *request);

/**
 * kcatch_programs_bind - make the programs, and give them to the probes
 * @session: the session, not running
 * @add: the probes
 *
 * Functions of the same types share one plan and one program.
 *
 * Return: 0 or -errno: -ENOENT when the condition does not apply to a function that was
 * named, or to none of a pattern.
 */
int kcatch_programs_bind(struct kcatch_session *session, const struct kcatch_programs_add *add);

/**
 * kcatch_programs_keep - put a plan at the end of the session's
 * @session: the session, whose array grows by doubling: nobody else may add to it
 * @plan: becomes the session's, also on failure; NULL: one that could not be read
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_programs_keep(struct kcatch_session *session, struct kcatch_plan *plan);

/**
 * kcatch_programs_raw - the plan for functions without types
 * @session: owns it
 * @plan: the plan
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_programs_raw(struct kcatch_session *session, const struct kcatch_plan **plan);

#endif
