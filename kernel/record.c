// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes struct kcatch_hit of include/uapi/kcatch.h. Any context, NMI too.
 */
#include "record.h"
#include "ring.h"

notrace enum kcatch_record_result kcatch_record_call(struct kcatch_ring *ring,
						     const struct kcatch_call *call)
{
	const struct kcatch_stack *stack = call->stack;
	struct kcatch_record *record;
	struct kcatch_hit *hit;
	u32 i, nr = stack->nr;

	record = kcatch_ring_reserve(ring, sizeof(*hit) + nr * sizeof(hit->frames[0]));
	if (unlikely(!record))
		return KCATCH_RECORD_LOST;
	record->id = KCATCH_RECORD_HIT;
	hit = (void *)record;
	hit->probe = call->probe;
	hit->context = call->context;
	hit->stack_flags = stack->flags;
	hit->pid = call->pid;
	hit->tid = call->tid;
	memcpy(hit->comm, call->comm, sizeof(hit->comm));
	hit->nr_frames = nr;
	memcpy(hit->interrupted, stack->interrupted, sizeof(hit->interrupted));
	for (i = 0; i < nr; i++)
		hit->frames[i] = stack->frames[i];
	return kcatch_ring_commit(ring) ? KCATCH_RECORD_WAKE : KCATCH_RECORD_DONE;
}
