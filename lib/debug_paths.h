/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* debug_paths.h - where debug information of the kernel and its modules may lie */
#ifndef LIB_DEBUG_PATHS_H
#define LIB_DEBUG_PATHS_H

#include "debug_file.h"

/**
 * typedef kcatch_debug_paths_visit - try one file that is there
 * @path: the file
 * @arg: of the caller
 *
 * Return: true: it is the one, look no further.
 */
typedef bool kcatch_debug_paths_visit(const char *path, void *arg);

/**
 * kcatch_debug_paths_kernel - files that may be the running kernel's, best first
 * @release: as uname -r says it
 * @id: its build-id; size 0: not known
 * @visit: is called for each that can be read and has debug information
 * @arg: for @visit
 *
 * Return: whether @visit took one.
 */
bool kcatch_debug_paths_kernel(const char *release, const struct kcatch_build_id *id,
			       kcatch_debug_paths_visit *visit, void *arg);

/**
 * kcatch_debug_paths_module - files that may be a module's, best first
 * @release: as uname -r says it
 * @name: the module, as the kernel calls it
 * @id: its build-id; size 0: not known
 * @visit: is called for each that can be read and has debug information
 * @arg: for @visit
 *
 * Return: whether @visit took one.
 */
bool kcatch_debug_paths_module(const char *release, const char *name,
			       const struct kcatch_build_id *id,
			       kcatch_debug_paths_visit *visit, void *arg);

#endif
