/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Locates the rings for readers of memory dumps: pages that are found by their first bytes
 * and hold the physical addresses of a ring's pages (struct kcatch_dump_map).
 *
 * Memory: one page for each 500 pages of a ring.
 */
#ifndef _KCATCH_RING_DUMP_MAP_H
#define _KCATCH_RING_DUMP_MAP_H

#include "ring/ring.h"

struct kcatch_dump_map;

/**
 * kcatch_dump_map_create() - describe a ring
 * @ring: with its memory, from vmalloc()
 * @map: the new pages
 *
 * Context: may sleep. Return: 0 or -ENOMEM
 */
int kcatch_dump_map_create(const struct kcatch_ring *ring, struct kcatch_dump_map **map);

/** kcatch_dump_map_destroy() - unmark and free the pages; @map may be NULL. Context: may sleep */
void kcatch_dump_map_destroy(struct kcatch_dump_map *map);

/** kcatch_dump_map_bytes() - bytes of the map for a ring of @ring_size bytes */
size_t kcatch_dump_map_bytes(size_t ring_size);

#endif
