/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* debug_paths.h - paths at which debug information of the kernel and its modules may lie */
#ifndef LIB_DEBUGINFO_DEBUG_PATHS_H
#define LIB_DEBUGINFO_DEBUG_PATHS_H

#include "debuginfo/debug_file.h"

/**
 * typedef kcatch_debug_paths_visit - try one existing file
 * @path: path of the file
 * @arg: argument of the caller
 *
 * Return: true to take the file and end the search.
 */
typedef bool kcatch_debug_paths_visit(const char *path, void *arg);

/**
 * kcatch_debug_paths_kernel - visit files that may describe the running kernel, best first
 * @release: kernel release, as printed by uname -r
 * @id: the kernel's build-id; size 0: not known
 * @visit: called for each readable file with debug information
 * @arg: passed to @visit
 *
 * Return: true if @visit took a file.
 */
bool kcatch_debug_paths_kernel(const char *release, const struct kcatch_build_id *id,
			       kcatch_debug_paths_visit *visit, void *arg);

/**
 * kcatch_debug_paths_module - visit files that may describe a module, best first
 * @release: kernel release, as printed by uname -r
 * @name: name of the module, as in /proc/modules
 * @id: the module's build-id; size 0: not known
 * @visit: called for each readable file with debug information
 * @arg: passed to @visit
 *
 * Return: true if @visit took a file.
 */
bool kcatch_debug_paths_module(const char *release, const char *name,
			       const struct kcatch_build_id *id,
			       kcatch_debug_paths_visit *visit, void *arg);

#endif
