/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* resolve.h - many names and patterns to addresses, in one reading of kallsyms */
#ifndef LIB_RESOLVE_H
#define LIB_RESOLVE_H

#include <stddef.h>
#include <stdint.h>

#include "target.h"

/**
 * struct kcatch_place - a function that was found
 * @address: its first byte
 * @spec: index of the spec that found it
 */
struct kcatch_place {
	uint64_t address;
	uint32_t spec;
};

/**
 * kcatch_resolve - find the functions of many specs
 * @specs: what is wanted
 * @nr_specs: how many
 * @places: found functions by spec, each address and offset once; free() it
 * @nr_places: how many
 * @missing: index of the first spec that found nothing, @nr_specs when there is none
 * @nr_missing: how many found nothing
 *
 * A function that a name and a pattern both mean is the name's. Patterns mean
 * functions that ftrace reaches.
 *
 * Return: 0; -EACCES when the kernel hides addresses; -ENOMEM or another
 * -errno with an error text.
 */
int kcatch_resolve(const struct kcatch_target_spec *specs, size_t nr_specs,
		   struct kcatch_place **places, size_t *nr_places, size_t *missing,
		   size_t *nr_missing);

#endif
