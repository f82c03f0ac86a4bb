/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * gfp_names.h - the names of gfp_t's flags: GFP_KERNEL|__GFP_ZERO
 *
 * Their numbers, and what GFP_ATOMIC is made of, differ between releases, and no type tells them
 * all. The kernel lists them in the formats of its events, so they are known of the running
 * kernel, to who may read tracefs, and of recordings of the same kernel.
 */
#ifndef LIB_FETCH_GFP_NAMES_H
#define LIB_FETCH_GFP_NAMES_H

#include "constants/constant_names.h"
#include "types/types.h"

/**
 * kcatch_gfp_names - find the names of a number's flags
 * @type: type of the number
 *
 * Any thread may call this at any time.
 *
 * Return: the names, as the kernel's own events show them; NULL: it is no gfp_t, or they are not
 * known of the kernel that has this type.
 */
const struct kcatch_constants *kcatch_gfp_names(struct kcatch_type type);

/**
 * kcatch_gfp_names_parse - read the names from the format of an event
 * @format: what tracefs says of an event that shows such flags
 *
 * Not for several threads: the names replace those of the last call.
 *
 * Return: the names; NULL: the format has none, or they are written in another way.
 */
const struct kcatch_constants *kcatch_gfp_names_parse(const char *format);

#endif
