// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reader.c - reads the rings as include/uapi/kcatch.h says, believing nothing
 */
#include "guest.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/types.h>

void session_map(struct session *session)
{
	long page = sysconf(_SC_PAGESIZE);
	int cpu, mapped = 0;

	for (cpu = 0; cpu < CPUS_MAX; cpu++) {
		void *ring, *consumer;

		if (session->ring[cpu])
			continue;
		ring = mmap(NULL, page + session->ring_size, PROT_READ, MAP_SHARED, session->fd,
			    KCATCH_MMAP_RING(cpu));
		if (ring == MAP_FAILED)
			continue;
		consumer = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, session->fd,
				KCATCH_MMAP_CONSUMER(cpu));
		if (consumer == MAP_FAILED)
			bail("the consumer page of CPU %d is mapped", cpu);
		session->ring[cpu] = ring;
		session->consumer[cpu] = consumer;
		if (session->ring[cpu]->ring_size != session->ring_size ||
		    session->ring[cpu]->packet_size != session->packet_size ||
		    session->ring[cpu]->cpu != (uint32_t)cpu ||
		    session->ring[cpu]->data_offset != page)
			bail("the ring of CPU %d describes itself", cpu);
		mapped++;
	}
	if (!mapped)
		bail("there is a ring");
}

static void damaged(const struct session *session, int cpu, const char *what)
{
	bail("the ring of CPU %d is sound at %" PRIu64 " (produced %llu): %s", cpu,
	     session->position[cpu], session->ring[cpu]->produced, what);
}

static const struct kcatch_hit *hit_at(const struct session *session, int cpu, const void *at,
				       uint64_t room)
{
	const struct kcatch_hit *hit = at;

	if (room < sizeof(*hit) || hit->head.size > room)
		damaged(session, cpu, "a record goes beyond its packet");
	if (hit->head.id != KCATCH_RECORD_HIT)
		damaged(session, cpu, "an unknown record");
	if (hit->head.size != sizeof(*hit) + hit->nr_frames * sizeof(hit->frames[0]))
		damaged(session, cpu, "a record's size does not fit its frames");
	if (hit->comm[KCATCH_COMM_LEN - 1])
		damaged(session, cpu, "a command without end mark");
	return hit;
}

static uint64_t read_ring(struct session *session, int cpu,
			  void (*seen)(void *, uint32_t, const struct kcatch_hit *), void *context)
{
	const struct kcatch_ring_page *page = session->ring[cpu];
	uint64_t produced = __atomic_load_n(&page->produced, __ATOMIC_ACQUIRE);
	uint64_t position = session->position[cpu], count = 0, last = 0;

	while (position < produced) {
		uint64_t start = position & ~(uint64_t)(session->packet_size - 1);
		const char *base = (const char *)page + page->data_offset +
			(start & (session->ring_size - 1));
		const struct kcatch_packet *packet = (const void *)base;
		uint64_t at = position - start, content = produced - start;

		if (produced > start + session->packet_size)
			content = packet->content_size / 8;
		if (content > session->packet_size)
			damaged(session, cpu, "content beyond the packet");
		if (!at) {
			if (packet->magic != KCATCH_PACKET_MAGIC ||
			    packet->packet_size != session->packet_size * 8ULL ||
			    packet->sequence != start / session->packet_size ||
			    packet->cpu != (uint32_t)cpu)
				damaged(session, cpu, "a packet's header");
			at = sizeof(*packet);
		}
		while (at < content) {
			const struct kcatch_hit *hit = hit_at(session, cpu, base + at, content - at);

			if (hit->head.time < last)
				damaged(session, cpu, "time goes back");
			last = hit->head.time;
			at += hit->head.size;
			count++;
			if (seen)
				seen(context, cpu, hit);
		}
		position = produced > start + session->packet_size ?
			start + session->packet_size : start + at;
		session->position[cpu] = position;
	}
	return count;
}

uint64_t session_read(struct session *session, bool keep,
		      void (*seen)(void *, uint32_t, const struct kcatch_hit *), void *context)
{
	uint64_t count = 0;
	int cpu;

	for (cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (!session->ring[cpu])
			continue;
		count += read_ring(session, cpu, seen, context);
		if (!keep)
			__atomic_store_n(&session->consumer[cpu]->consumed, session->position[cpu],
					 __ATOMIC_RELEASE);
	}
	return count;
}
