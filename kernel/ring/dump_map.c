// SPDX-License-Identifier: GPL-2.0-only
/*
 * Locates the rings for readers of memory dumps. Process context.
 */
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/vmalloc.h>
#include "ring/dump_map.h"

size_t kcatch_dump_map_bytes(size_t ring_size)
{
	return DIV_ROUND_UP(ring_size / PAGE_SIZE, KCATCH_DUMP_MAP_PAGES) * PAGE_SIZE;
}

static u64 dump_physical(const void *at)
{
	return (u64)page_to_pfn(vmalloc_to_page(at)) << PAGE_SHIFT;
}

int kcatch_dump_map_create(const struct kcatch_ring *ring, struct kcatch_dump_map **result)
{
	u32 pages = (ring->size_mask + 1) / PAGE_SIZE, first, i;
	struct kcatch_dump_map *all = NULL;

	BUILD_BUG_ON(sizeof(struct kcatch_dump_map) > PAGE_SIZE);
	for (first = 0; first < pages; first += KCATCH_DUMP_MAP_PAGES) {
		struct kcatch_dump_map *map = (void *)get_zeroed_page(GFP_KERNEL);

		if (!map) {
			kcatch_dump_map_destroy(all);
			return -ENOMEM;
		}
		map->self = virt_to_phys(map);
		map->next = (unsigned long)all;
		memcpy(map->uuid, ring->uuid, sizeof(map->uuid));
		map->cpu = ring->cpu;
		map->ring_size = ring->size_mask + 1;
		map->packet_size = ring->packet_mask + 1;
		map->first = first;
		map->nr = min_t(u32, pages - first, KCATCH_DUMP_MAP_PAGES);
		map->ring_page = dump_physical(ring->page);
		for (i = 0; i < map->nr; i++)
			map->pages[i] = dump_physical(ring->data + (size_t)(first + i) * PAGE_SIZE);
		memcpy(map->magic, KCATCH_DUMP_MAP_MAGIC, sizeof(map->magic));
		all = map;
	}
	*result = all;
	return 0;
}

void kcatch_dump_map_destroy(struct kcatch_dump_map *map)
{
	struct kcatch_dump_map *next;

	for (; map; map = next) {
		next = (void *)(unsigned long)map->next;
		memzero_explicit(map, sizeof(*map));
		free_page((unsigned long)map);
	}
}
