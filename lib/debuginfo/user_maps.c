/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* user_maps.c - reads mappings out of a record, which may be damaged */
#include "debuginfo/user_maps.h"

const struct kcatch_user_maps *kcatch_user_maps_find(const struct kcatch_user *user, size_t size)
{
	const struct kcatch_user_maps *maps;
	size_t at;

	if (size < sizeof(*user) || !(user->flags & KCATCH_USER_MAPPED) ||
	    user->size > size - sizeof(*user))
		return NULL;
	at = ((size_t)user->size + 7) & ~(size_t)7;
	size -= sizeof(*user);
	if (at > size || size - at < sizeof(*maps))
		return NULL;
	maps = (const struct kcatch_user_maps *)(user->stack + at);
	return maps->size >= sizeof(*maps) && maps->size <= size - at ? maps : NULL;
}

const struct kcatch_user_map *kcatch_user_maps_next(const struct kcatch_user_maps *maps,
						    uint32_t *at)
{
	uint32_t left = maps->size - (uint32_t)sizeof(*maps) - *at;
	const struct kcatch_user_map *map = (const struct kcatch_user_map *)(maps->data + *at);

	if (left < sizeof(*map) || map->size < sizeof(*map) || map->size > left || map->size & 7 ||
	    map->path_size > map->size - sizeof(*map) || map->id_size > sizeof(map->id) ||
	    map->start >= map->end)
		return NULL;
	*at += map->size;
	return map;
}
