/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* module_history.h - which modules were loaded where and when, kept in memory */
#ifndef LIB_RECORDING_MODULE_HISTORY_H
#define LIB_RECORDING_MODULE_HISTORY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <kcatch.h>
#include "debuginfo/debug_file.h"
#include "recording/function_list.h"
#include "recording/recorder.h"
#include "symbols/loaded_modules.h"

/* What is kept: lists, modules that have gone, and bytes of the functions of these. */
#define KCATCH_HISTORY_LISTS 1024U
#define KCATCH_HISTORY_GONE 8192U
#define KCATCH_HISTORY_FUNCTIONS (4U << 20)

/* Most times that a look is begun anew, as modules came or went meanwhile. */
#define KCATCH_HISTORY_LOOKS 4U

/* Room for a build-id in hexadecimal, or "-". */
#define KCATCH_BUILD_ID_TEXT (2 * KCATCH_BUILD_ID_MAX + 1)

/**
 * struct kcatch_module_entry - a module of some lists, one after the other
 * @module: the module, without sections
 * @build_id: its build-id, or "-"
 * @from: time of the first list that has it
 * @until: time of the last list that has it
 * @functions: its functions; without a text, they are not known
 */
struct kcatch_module_entry {
	struct kcatch_loaded_module module;
	char build_id[KCATCH_BUILD_ID_TEXT];
	uint64_t from, until;
	struct kcatch_function_text functions;
};

/**
 * struct kcatch_module_list - all modules that were loaded at a time
 * @time: a time at which all of them were loaded, CLOCK_MONOTONIC in ns
 * @seen: the last such time that is known
 */
struct kcatch_module_list {
	uint64_t time, seen;
};

/**
 * struct kcatch_module_history - lists of modules, one for each change that was seen
 * @session: the session
 * @clock: and the anchors of the same time
 * @gone: modules that the last list does not have, in the order in which they went
 * @nr_gone: number of entries in @gone
 * @loaded: modules of the last list, in its order
 * @nr_loaded: number of entries in @loaded
 * @lists: the lists, by time
 * @nr_lists: number of entries in @lists
 * @standby: recorder of a directory that gets each change, the history's own; NULL: none
 * @standby_since: time of the last list there
 */
struct kcatch_module_history {
	struct kcatch_session *session;
	struct kcatch_clock_history clock;
	struct kcatch_module_entry *gone;
	size_t nr_gone;
	struct kcatch_module_entry *loaded;
	size_t nr_loaded;
	struct kcatch_module_list *lists;
	size_t nr_lists;
	struct kcatch_recorder *standby;
	uint64_t standby_since;
};

/**
 * kcatch_module_history_take - add a list that differs from the last one
 * @history: the history
 * @modules: the list; the @build_id of those that are new is copied, NULL: it is not known
 * @texts: for each of @modules, its functions if it is new; they are the history's from now on
 * @now: time of the list, later than @seen of the last one
 *
 * Forgets the oldest, if there is more than is kept.
 *
 * Return: 0; -ENOMEM with an error text, and the history is unchanged.
 */
int kcatch_module_history_take(struct kcatch_module_history *history,
			       const struct kcatch_loaded_modules *modules,
			       struct kcatch_function_text *texts, uint64_t now);

/**
 * kcatch_module_history_entry - the entry of a module that is in the last list
 * @history: the history
 * @module: the module
 *
 * Return: the entry; NULL: the last list does not have it.
 */
const struct kcatch_module_entry *
kcatch_module_history_entry(const struct kcatch_module_history *history,
			    const struct kcatch_loaded_module *module);

/**
 * kcatch_module_history_print_lists - write the lists as the file "modules" has them
 * kcatch_module_history_print_functions - write functions as the file "symbols" has them
 * @history: the history
 * @loaded: modules whose functions are not written: they follow
 * @file: the output
 */
void kcatch_module_history_print_lists(const struct kcatch_module_history *history, FILE *file);
void kcatch_module_history_print_functions(const struct kcatch_module_history *history,
					   const struct kcatch_loaded_modules *loaded, FILE *file);

/**
 * kcatch_module_history_continue - append each later change to a recording, and sync it
 * @history: the history
 * @recorder: the recorder of a recording without streams; it is the history's from now on
 */
void kcatch_module_history_continue(struct kcatch_module_history *history,
				    struct kcatch_recorder *recorder);

/**
 * kcatch_build_id_print - read a build-id as text
 * @notes: path of a file of ELF notes
 * @text: set to the build-id in hexadecimal, or "-"
 */
void kcatch_build_id_print(const char *notes, char text[KCATCH_BUILD_ID_TEXT]);

/**
 * kcatch_module_build_ids - read the build-ids of loaded modules
 * @modules: the modules, whose @build_id is set
 * @ids: receives the memory of all of them, which the caller frees
 *
 * Return: 0; -ENOMEM with an error text, and no @build_id is set.
 */
int kcatch_module_build_ids(struct kcatch_loaded_modules *modules, char **ids);

/**
 * kcatch_module_print - write a module's line of the file "modules"
 * @file: the output
 * @module: the module
 * @build_id: its build-id as text
 */
void kcatch_module_print(FILE *file, const struct kcatch_loaded_module *module,
			 const char *build_id);

#endif
