/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the rings are, for who reads a memory dump: pages that can be found by their
 * first bytes and hold the physical addresses of a ring's pages (struct kcatch_dump_map).
 *
 * Memory: a page for 500 pages of a ring.
 */
#ifndef _KCATCH_DUMP_MAP_H
#define _KCATCH_DUMP_MAP_H

#include "ring.h"

struct kcatch_dump_map;

/**
 * kcatch_dump_map_create() - describe a ring
 * @ring: with its memory, from vmalloc()
 * @map: the new pages
 *
 * Context: may sleep. Return: 0 or -ENOMEM
 */
int kcatch_dump_map_create(const struct kcatch_ring *ring, struct kcatch_dump_map **map);

/** kcatch_dump_map_destroy() - unmark and free them; NULL is fine. May sleep */
void kcatch_dump_map_destroy(struct kcatch_dump_map *map);

/** kcatch_dump_map_bytes() - memory of the map of a ring of so many bytes */
size_t kcatch_dump_map_bytes(size_t ring_size);

#endif
