// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocating and mapping rings. Process context.
 */
#include <linux/mm.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>
#include "compat/compat.h"
#include "ring/dump_map.h"
#include "ring/memory.h"
#include "ring/ring_memory.h"

size_t kcatch_ring_bytes(const struct kcatch_setup *setup)
{
	return (size_t)setup->ring_size + 2 * PAGE_SIZE +
	       kcatch_dump_map_bytes(setup->ring_size);
}

int kcatch_ring_alloc(struct kcatch_ring *ring, const struct kcatch_setup *setup,
		      u32 cpu, const u8 *uuid)
{
	struct kcatch_ring new;
	void *memory, *consumer;

	if (!kcatch_memory_charge(kcatch_ring_bytes(setup)))
		return -ENOMEM;
	memory = vmalloc_user(setup->ring_size + PAGE_SIZE);
	consumer = vmalloc_user(PAGE_SIZE);
	if (!memory || !consumer) {
		vfree(memory);
		vfree(consumer);
		kcatch_memory_uncharge(kcatch_ring_bytes(setup));
		return -ENOMEM;
	}
	kcatch_ring_init(&new, memory, memory + PAGE_SIZE, consumer, setup->ring_size,
			 setup->packet_size, setup->mode, cpu, uuid);
	new.page->data_offset = PAGE_SIZE;
	if (kcatch_dump_map_create(&new, &new.map)) {
		vfree(memory);
		vfree(consumer);
		kcatch_memory_uncharge(kcatch_ring_bytes(setup));
		return -ENOMEM;
	}
	/* Hooks take a ring without data for none: data comes last. */
	*ring = (struct kcatch_ring) {
		.size_mask = new.size_mask, .packet_mask = new.packet_mask,
		.page = new.page, .consumer = new.consumer, .cpu = cpu,
		.overwrite = new.overwrite, .map = new.map,
	};
	memcpy(ring->uuid, uuid, sizeof(ring->uuid));
	smp_store_release(&ring->data, new.data);
	return 0;
}

void kcatch_ring_free(struct kcatch_ring *ring, const struct kcatch_setup *setup)
{
	if (!ring->data)
		return;
	kcatch_dump_map_destroy(ring->map);
	vfree(ring->page);
	vfree(ring->consumer);
	ring->data = NULL;
	kcatch_memory_uncharge(kcatch_ring_bytes(setup));
}

int kcatch_ring_map(struct kcatch_ring *ring, struct vm_area_struct *vma, bool consumer)
{
	unsigned long size = vma->vm_end - vma->vm_start;

	/* A child that is forked does not hold the session by its mappings. */
	if (consumer) {
		if (size != PAGE_SIZE)
			return -EINVAL;
		kcatch_vma_flags(vma, VM_DONTCOPY, 0);
		return remap_vmalloc_range(vma, ring->consumer, 0);
	}
	if (size != ring->size_mask + 1 + PAGE_SIZE)
		return -EINVAL;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	kcatch_vma_flags(vma, VM_DONTCOPY, VM_MAYWRITE | VM_MAYEXEC);
	return remap_vmalloc_range(vma, ring->page, 0);
}
