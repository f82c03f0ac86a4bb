/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory of rings, and its mapping into the reader.
 *
 * A ring of S bytes takes S + 2 pages of vmalloc memory; see ring/memory.h for the limit.
 */
#ifndef _KCATCH_RING_RING_MEMORY_H
#define _KCATCH_RING_RING_MEMORY_H

#include <linux/mm_types.h>
#include "ring/ring.h"

struct kcatch_setup;

/** kcatch_ring_bytes() - bytes of memory that one ring takes */
size_t kcatch_ring_bytes(const struct kcatch_setup *setup);

/**
 * kcatch_ring_alloc() - make one CPU's ring
 * @ring: zeroed; its data is published last
 *
 * Context: may sleep. Return: 0 or -ENOMEM
 */
int kcatch_ring_alloc(struct kcatch_ring *ring, const struct kcatch_setup *setup,
		      u32 cpu, const u8 *uuid);

/** kcatch_ring_free() - free a ring, or do nothing if it was never allocated */
void kcatch_ring_free(struct kcatch_ring *ring, const struct kcatch_setup *setup);

/**
 * kcatch_ring_map() - map a piece of a ring
 * @ring: ring to map
 * @vma: wanted: exactly one piece, from its start
 * @consumer: the reader's page, else the page and the data
 *
 * Return: 0, -EINVAL for a wrong length, -EPERM for writing where only
 * reading is allowed
 */
int kcatch_ring_map(struct kcatch_ring *ring, struct vm_area_struct *vma, bool consumer);

#endif
