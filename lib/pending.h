/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* pending.h - functions of modules that are not loaded: what can be known of them before */
#ifndef LIB_PENDING_H
#define LIB_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "target.h"

struct kcatch_plan;
struct kcatch_session;

/**
 * struct kcatch_awaited - what a session waits for, and what it will know of it
 * @modules: modules that were not loaded when they were asked for
 * @nr_modules: how many
 * @names: what came will be called, where it was asked for by name
 * @nr_names: how many
 * @plans: what is fetched, by the number of the program
 * @nr_plans: how many
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
 * kcatch_pending_find_file - the file that a module would be loaded from
 * @module: its name, with underscores
 * @path: the file
 * @room: bytes at @path
 *
 * Where modprobe finds it; else NAME.ko in a directory of $KCATCH_DEBUG_PATH, or here.
 *
 * Return: whether there is one.
 */
bool kcatch_pending_find_file(const char *module, char *path, size_t room);

/**
 * kcatch_pending_check - can there be such a function some day
 * @awaited: notes the module, if it is not loaded
 * @spec: with a module
 *
 * Return: 0 also when nobody can say; -ENOENT the module's file has no such function, or
 * there is no such module, and one of nearly that name; with an error text.
 */
int kcatch_pending_check(struct kcatch_awaited *awaited, const struct kcatch_target_spec *spec);

/**
 * kcatch_pending_exists - has the module's file such a function
 * @spec: with a module, which is loaded
 *
 * Of a loaded module those are no more that ran at its start only.
 */
bool kcatch_pending_exists(const struct kcatch_target_spec *spec);

/**
 * kcatch_pending_functions - the functions that will be armed
 * @spec: with a module
 * @visit: called for each; other names of a function asked for by name, too
 * @arg: for @visit
 *
 * Return: 0; what @visit returned. Nothing is visited where there is no file to read.
 */
int kcatch_pending_functions(const struct kcatch_target_spec *spec,
			     int (*visit)(const char *name, void *arg), void *arg);

/**
 * kcatch_awaited_name - note how to call what comes for a target of an ADD
 * @awaited: where
 * @group: of the ADD
 * @target: number of the target
 * @name: the function
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_awaited_name(struct kcatch_awaited *awaited, uint32_t group, uint32_t target,
			const char *name);

/** kcatch_awaited_find_name - the same again; NULL: it was asked for by pattern */
const char *kcatch_awaited_find_name(const struct kcatch_awaited *awaited, uint32_t group,
				     uint32_t target);

/**
 * kcatch_awaited_plan - note what a program fetches
 * @awaited: where
 * @program: its number
 * @plan: the session's; NULL: nothing
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_awaited_plan(struct kcatch_awaited *awaited, uint32_t program,
			const struct kcatch_plan *plan);

/** kcatch_awaited_find_plan - the same again */
const struct kcatch_plan *kcatch_awaited_find_plan(const struct kcatch_awaited *awaited,
						   uint32_t program);

#endif
