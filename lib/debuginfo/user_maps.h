/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* user_maps.h - the files that a process had mapped, as a record has them */
#ifndef LIB_DEBUGINFO_USER_MAPS_H
#define LIB_DEBUGINFO_USER_MAPS_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

/**
 * kcatch_user_maps_find - the mappings behind a copied stack
 * @user: registers, stack and what follows; may come from a damaged recording
 * @size: bytes at @user
 *
 * Return: the mappings, whose size lies within @size; NULL: there are none.
 */
const struct kcatch_user_maps *kcatch_user_maps_find(const struct kcatch_user *user, size_t size);

/**
 * kcatch_user_maps_next - the next mapping
 * @maps: of kcatch_user_maps_find()
 * @at: 0 to begin with; where the search goes on
 *
 * A mapping has addresses that grow, and its path lies within it. What does not ends the search.
 *
 * Return: the mapping; NULL: that was the last one.
 */
const struct kcatch_user_map *kcatch_user_maps_next(const struct kcatch_user_maps *maps,
						    uint32_t *at);

#endif
