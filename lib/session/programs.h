/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* programs.h - assigns programs to probes: values to fetch, conditions on recording */
#ifndef LIB_SESSION_PROGRAMS_H
#define LIB_SESSION_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kcatch.h>
#include "fetch/plan.h"

struct kcatch_expression;
struct kcatch_programs;
struct kcatch_target_spec;

/**
 * struct kcatch_programs_add - probes of one ADD
 * @request: the request that armed them
 * @expression: the request's condition; NULL: none
 * @returns: returns are hooked
 * @under: the probes are functions of a call tree: they get no condition and no user stack, and
 *	roots of the tree get a program that never records
 * @events: the probes are tracepoints and DO_TRACE events
 * @all_events: with @events: these are all events of the request
 * @group: number of the ADD's group
 * @first: number of the first probe
 * @nr: number of probes
 * @roots: with @under: number of the first root's probe
 * @nr_roots: with @under: number of roots
 * @specs: targets in modules that the session waits for
 * @nr_specs: number of entries in @specs; 0: the session waits for no function
 * @pending: with @events: names of events that the session waits for
 * @nr_pending: number of entries in @pending
 * @ahead: what kcatch_programs_expect() has made; NULL: nothing
 */
struct kcatch_programs_add {
	const struct kcatch_request *request;
	const struct kcatch_expression *expression;
	bool returns;
	bool under;
	bool events;
	bool all_events;
	uint32_t group;
	uint32_t first;
	uint32_t nr;
	uint32_t roots;
	uint32_t nr_roots;
	const struct kcatch_target_spec *specs;
	size_t nr_specs;
	const char *const *pending;
	size_t nr_pending;
	struct kcatch_programs *ahead;
};

/**
 * kcatch_programs_needed - check whether a request's probes need programs
 * @request: the request
 *
 * Return: true if they do; false: plain records are enough.
 */
bool kcatch_programs_needed(const struct kcatch_request *request);

/**
 * kcatch_programs_types - the types of the running kernel, opened at the first call
 * @session: a live session
 *
 * Return: the types; NULL: there are none.
 */
struct kcatch_types *kcatch_programs_types(struct kcatch_session *session);

/**
 * kcatch_programs_proto - look up the prototype of a probe's function
 * @session: a live session
 * @probe: the probe, at a function's entry
 * @proto: receives it, with no byte left to chance; zeroed: its types are not known
 */
void kcatch_programs_proto(struct kcatch_session *session, const struct kcatch_probe *probe,
			   struct kcatch_type *proto);

/**
 * kcatch_programs_expect - get ready before thousands of functions are armed
 * kcatch_programs_forget - free what was made for that
 * @session: a live session
 * @add: what is going to be armed; receives @ahead
 * @all: all functions of the kernel
 *
 * While all functions of the kernel are hooked, all that the process does takes several times as
 * long. So the types are read, and for all functions the programs are made and loaded. If the
 * functions are not armed then, the programs stay unused until the session is closed.
 *
 * Return: 0 or -errno.
 */
int kcatch_programs_expect(struct kcatch_session *session, struct kcatch_programs_add *add,
			   bool all);
void kcatch_programs_forget(struct kcatch_programs_add *add);

/**
 * kcatch_programs_bind - make programs and assign them to probes
 * @session: the session, not running
 * @add: the probes
 *
 * Functions of the same types share one plan and one program.
 *
 * Return: 0; -ENOENT if the condition does not apply to a named function, or to no function of
 * a pattern; another -errno.
 */
int kcatch_programs_bind(struct kcatch_session *session, const struct kcatch_programs_add *add);

/**
 * kcatch_programs_keep - append a plan to the session's plans
 * @session: the session; @plans grows by doubling, so only this function may append to it
 * @plan: owned by the session from now on, also on failure; NULL: a plan that could not be read
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_programs_keep(struct kcatch_session *session, struct kcatch_plan *plan);

#endif
