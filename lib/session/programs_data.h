/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* programs_data.h - programs while they are made, for the code that gives them to probes */
#ifndef LIB_SESSION_PROGRAMS_DATA_H
#define LIB_SESSION_PROGRAMS_DATA_H

#include <kcatch_containers.h>
#include "fetch/plan.h"
#include "session/program_load.h"
#include "session/programs.h"

struct kcatch_event_info;
struct kcatch_late_plan;

/* What was made for one type of functions. */
struct kcatch_prepared {
	struct kcatch_type proto;	/* the key in the table of types */
	const struct kcatch_plan *plan;
	struct kcatch_late_plan *late;	/* in place of @plan */
	const struct kcatch_event_info *info;	/* of a DO_TRACE event: there is no other */
	const struct kcatch_syscall_event *syscall;	/* of a system call or its function */
	const char *event; /* a tracepoint whose fields are known; else NULL */
	const struct kcatch_event_fields *fields; /* these; NULL: none */
	const struct kcatch_event_fields *own; /* the user's, while the plan is made; NULL: none */
	uint32_t number;
	bool left_out;			/* the condition does not apply */
	const char *why;		/* with @left_out: the error text, in @keys */
	bool needs_return;		/* it looks at the return */
	bool inside;			/* not at a function's entry: there are no arguments */
	bool entry_only;		/* a count: what needs the return is 0 */
};

struct kcatch_programs {
	struct kcatch_session *session;
	const struct kcatch_programs_add *add;
	struct kcatch_table types;	/* struct kcatch_type: struct kcatch_prepared * */
	struct kcatch_table calls;	/* name of a system call's function: the same */
	struct kcatch_table classes;	/* struct kcatch_plan_class: the first of them */
	struct kcatch_arena keys;	/* of @classes, and texts */
	struct kcatch_plan_types *known;	/* NULL: there are no classes yet */
	struct kcatch_plan_options *options;	/* of late plans; NULL: there are none yet */
	struct kcatch_prepared **all;
	size_t nr_all;
	struct kcatch_loaded_programs loaded;
	struct kcatch_table roots;	/* addresses, of an ADD under them */
	uint32_t never;			/* number of the program that records nothing */
	struct kcatch_plan *bare, *raw;	/* of this request; NULL: not made yet */
	struct kcatch_binding *bindings;
	uint32_t nr_bindings;
	char **names;			/* of the bindings by name */
	size_t nr_names;
	uint32_t left_out;
	const char *function;		/* the program is made for this one, and others */
	char why[2048];			/* of one that was left out */
	int help;			/* how much @why helps */
};

/** kcatch_programs_options - how much to fetch, as the request says */
struct kcatch_plan_options kcatch_programs_options(const struct kcatch_programs *binder);

/**
 * kcatch_programs_for - the program for a type of functions, made when it is asked for first
 * kcatch_programs_for_syscall - the same for the function of a system call
 * kcatch_programs_never - the program that records nothing
 * @binder: the programs
 * @proto: prototype; zeroed: there are no types
 * @function: name of the function
 * @prepared: receives it, owned by @binder; of a system call NULL: @function is of none
 * @number: receives the program's number
 *
 * Return: 0 or -errno.
 */
int kcatch_programs_for(struct kcatch_programs *binder, struct kcatch_type proto,
			struct kcatch_prepared **prepared);
int kcatch_programs_for_syscall(struct kcatch_programs *binder, const char *function,
				struct kcatch_type proto, struct kcatch_prepared **prepared);
int kcatch_programs_never(struct kcatch_programs *binder, uint32_t *number);

/**
 * kcatch_programs_plan_syscall - make the plan of a system call
 * @binder: the programs
 * @prepared: its @syscall and @proto are filled in; receives the plan
 *
 * Return: 0 or -errno.
 */
int kcatch_programs_plan_syscall(struct kcatch_programs *binder, struct kcatch_prepared *prepared);

/**
 * kcatch_programs_prepare - make a program and load it
 * @binder: the programs
 * @prepared: what it is for; the rest is filled in
 *
 * Return: 0, also if the condition does not apply; -errno.
 */
int kcatch_programs_prepare(struct kcatch_programs *binder, struct kcatch_prepared *prepared);

/** kcatch_programs_deinit - free all but what the session owns */
void kcatch_programs_deinit(struct kcatch_programs *binder);

#endif
