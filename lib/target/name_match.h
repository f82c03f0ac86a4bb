/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* name_match.h - resolves many names and patterns in one reading of kallsyms */
#ifndef LIB_TARGET_NAME_MATCH_H
#define LIB_TARGET_NAME_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "target/target.h"

/**
 * struct kcatch_place - a function that matched a target
 * @address: address of the function's first byte
 * @spec: index of the target that matched
 */
struct kcatch_place {
	uint64_t address;
	uint32_t spec;
};

/**
 * kcatch_resolve - find the functions of many targets
 * @specs: the targets
 * @nr_specs: number of entries in @specs
 * @places: functions found, sorted by target, each address and offset once; free() it
 * @nr_places: number of entries in @places
 * @missing: index of the first target without a match; @nr_specs if all have one
 * @nr_missing: number of targets without a match
 *
 * A function that matches both a name and a pattern belongs to the name. Patterns match only
 * functions that ftrace can hook.
 *
 * Return: 0; -EACCES if the kernel hides addresses; -ENOMEM or another -errno with an error
 * text.
 */
int kcatch_resolve(const struct kcatch_target_spec *specs, size_t nr_specs,
		   struct kcatch_place **places, size_t *nr_places, size_t *missing,
		   size_t *nr_missing);

#endif
