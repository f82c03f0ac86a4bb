/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* jit_names.h - of processes, the names of code that they made at run time */
#ifndef LIB_DEBUGINFO_JIT_NAMES_H
#define LIB_DEBUGINFO_JIT_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "debuginfo/perf_map.h"

struct kcatch_jit_process;

/**
 * struct kcatch_jit_names - zeroed is empty
 * @processes: those whose file was looked for, allocated
 * @nr: number of entries in @processes
 */
struct kcatch_jit_names {
	struct kcatch_jit_process *processes;
	size_t nr;
};

/**
 * kcatch_jit_names_add - take the names of a process
 * @names: the names
 * @pid: the process; what is known of it is replaced
 * @map: taken over; NULL: it has none
 *
 * Return: 0 or -ENOMEM without an error text, which has destroyed @map.
 */
int kcatch_jit_names_add(struct kcatch_jit_names *names, uint32_t pid, struct kcatch_perf_map *map);

/**
 * kcatch_jit_names_find - the names of a process
 * @names: the names
 * @pid: the process
 *
 * Return: them, until the next call of another function than this; NULL: it has none.
 */
const struct kcatch_perf_map *kcatch_jit_names_find(const struct kcatch_jit_names *names,
						    uint32_t pid);

/**
 * kcatch_jit_names_look - the names of a process of this machine, which may have grown
 * @names: the names, of at most 32 processes
 * @pid: the process; of one that has ended, what was read of it before is there
 *
 * Return: them, until the next call of another function than kcatch_jit_names_find(); NULL: it has
 * none.
 */
const struct kcatch_perf_map *kcatch_jit_names_look(struct kcatch_jit_names *names, uint32_t pid);

/** kcatch_jit_names_deinit - free all */
void kcatch_jit_names_deinit(struct kcatch_jit_names *names);

#endif
