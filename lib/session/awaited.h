/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* awaited.h - functions and types of modules that are not loaded yet, read from their files */
#ifndef LIB_SESSION_AWAITED_H
#define LIB_SESSION_AWAITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "target/target.h"

struct kcatch_plan;
struct kcatch_session;

/**
 * struct kcatch_awaited - modules that a session waits for, and names and plans of their probes
 * @modules: modules that were not loaded when the request named them
 * @nr_modules: number of entries in @modules
 * @names: function names of probes that will arrive, where the request gave a name
 * @nr_names: number of entries in @names
 * @plans: plans of the values to fetch, by program number
 * @nr_plans: number of entries in @plans
 */
struct kcatch_awaited {
	struct kcatch_awaited_module {
		char *module;
		char *file;	/* NULL: none was found */
	} *modules;
	size_t nr_modules;
	struct kcatch_awaited_name {
		uint32_t group;
		uint32_t target;
		char *name;
	} *names;
	size_t nr_names;
	struct kcatch_awaited_plan {
		uint32_t program;
		const struct kcatch_plan *plan;
	} *plans;
	size_t nr_plans;
};

void kcatch_awaited_deinit(struct kcatch_awaited *awaited);

/**
 * kcatch_awaited_check - check that a function can appear when its module is loaded
 * @awaited: the module is added here if it is not loaded
 * @spec: a target with a module
 *
 * Return: 0, also if the module's file cannot tell; -ENOENT with an error text if the file has
 * no such function, or if there is no such module but one with a similar name; -ENOMEM.
 */
int kcatch_awaited_check(struct kcatch_awaited *awaited, const struct kcatch_target_spec *spec);

/**
 * kcatch_awaited_exists - check whether a module's file has a function
 * @spec: a target with a module, which is loaded
 *
 * A loaded module no longer has the functions that ran only at its start (__init).
 *
 * Return: true if the file has a function that matches.
 */
bool kcatch_awaited_exists(const struct kcatch_target_spec *spec);

/**
 * kcatch_awaited_functions - visit the functions that will be armed when a module is loaded
 * @spec: a target with a module
 * @visit: called for each function, and for the aliases of a function given by name
 * @arg: passed to @visit
 *
 * Return: 0, or the first nonzero value of @visit. Without a module file nothing is visited.
 */
int kcatch_awaited_functions(const struct kcatch_target_spec *spec,
			     int (*visit)(const char *name, void *arg), void *arg);

/**
 * kcatch_awaited_name - store the function name for probes of one target of an ADD
 * @awaited: the store
 * @group: group number of the ADD
 * @target: index of the target in the ADD
 * @name: the function's name; copied
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_awaited_name(struct kcatch_awaited *awaited, uint32_t group, uint32_t target,
			const char *name);

/** kcatch_awaited_find_name - find a stored name; NULL: the target was a pattern */
const char *kcatch_awaited_find_name(const struct kcatch_awaited *awaited, uint32_t group,
				     uint32_t target);

/**
 * kcatch_awaited_plan - store the plan of a program
 * @awaited: the store
 * @program: number of the program
 * @plan: a plan that the session owns; NULL: the program fetches nothing
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_awaited_plan(struct kcatch_awaited *awaited, uint32_t program,
			const struct kcatch_plan *plan);

/** kcatch_awaited_find_plan - find a program's stored plan; NULL: there is none */
const struct kcatch_plan *kcatch_awaited_find_plan(const struct kcatch_awaited *awaited,
						   uint32_t program);

#endif
