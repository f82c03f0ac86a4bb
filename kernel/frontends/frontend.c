// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code shared by the text frontends (otst, allie). Process context.
 */
#include <linux/mutex.h>
#include "arm/session.h"
#include "frontends/frontend.h"

static const struct kcatch_setup small = {
	.ring_size = 16384, .packet_size = KCATCH_PACKET_SIZE_MIN, .mode = KCATCH_RING_DISCARD,
};

int kcatch_frontend_session(void (*notify)(struct kcatch_session *session),
			struct kcatch_session **session)
{
	int error = kcatch_session_create(notify, session);

	if (error)
		return error;
	error = kcatch_session_setup(*session, &small);
	if (error) {
		kcatch_session_destroy(*session);
		*session = NULL;
	}
	return error;
}

unsigned long kcatch_session_address(struct kcatch_session *session, u32 number)
{
	struct kcatch_probe *probe;
	unsigned long address = 0;

	mutex_lock(&session->lock);
	probe = kcatch_session_probe(session, number);
	if (probe)
		address = probe->address;
	mutex_unlock(&session->lock);
	return address;
}

bool kcatch_session_is_gone(struct kcatch_session *session, u32 first, u32 nr)
{
	bool gone = true;
	u32 i;

	mutex_lock(&session->lock);
	for (i = 0; gone && i < nr; i++) {
		struct kcatch_probe *probe = kcatch_session_probe(session, first + i);

		gone = probe && (READ_ONCE(probe->flags) & KCATCH_PROBE_GONE);
	}
	mutex_unlock(&session->lock);
	return gone;
}

static void drain_ring(struct kcatch_ring *ring,
		       void (*take)(const struct kcatch_record *record, void *data), void *data)
{
	u64 packet = ring->packet_mask + 1;
	u64 at = ring->consumer->consumed;
	u64 produced = smp_load_acquire(&ring->page->produced);

	while (at < produced) {
		u64 begin = at & ~ring->packet_mask, end = begin + packet;
		const struct kcatch_packet *head = (void *)(ring->data + (begin & ring->size_mask));

		if (at == begin)
			at += sizeof(*head);
		if (produced > end)
			end = begin + head->content_size / 8;
		else if (produced < end)
			end = produced;
		while (at < end) {
			const struct kcatch_record *record =
				(void *)(ring->data + (at & ring->size_mask));

			take(record, data);
			at += record->size;
		}
		if (produced > begin + packet)
			at = begin + packet;
		smp_store_release(&ring->consumer->consumed, at);
	}
}

void kcatch_session_drain(struct kcatch_session *session,
			  void (*take)(const struct kcatch_record *record, void *data),
			  void *data)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct kcatch_ring *ring = kcatch_session_ring(session, cpu);

		if (ring)
			drain_ring(ring, take, data);
	}
}

u64 kcatch_session_lost(struct kcatch_session *session)
{
	struct kcatch_probe *probe;
	u64 lost = 0;
	u32 i;
	int cpu;

	mutex_lock(&session->lock);
	for (i = 0; (probe = kcatch_session_probe(session, i)); i++)
		for_each_possible_cpu(cpu)
			lost += READ_ONCE(per_cpu_ptr(probe->counters, cpu)->lost);
	mutex_unlock(&session->lock);
	return lost;
}

/* Packets are aligned to their size within memory that starts on a page. */
u32 kcatch_record_cpu(const struct kcatch_record *record)
{
	const struct kcatch_packet *packet =
		(void *)((unsigned long)record & ~(KCATCH_PACKET_SIZE_MIN - 1UL));

	return packet->cpu;
}
