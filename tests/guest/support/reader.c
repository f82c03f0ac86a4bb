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

/* Who wants to see what: one of the two, or neither. */
struct visitor {
	void (*hit)(void *, uint32_t, const struct kcatch_hit *);
	void (*record)(void *, uint32_t, const struct kcatch_record *);
	bool all;	/* records other than hits are welcome */
	void *context;
};

const struct kcatch_call_part *call_part(const struct kcatch_hit *hit)
{
	return (const void *)(hit->frames + hit->nr_frames);
}

static void check_hit(const struct session *session, int cpu, const struct kcatch_hit *hit)
{
	uint64_t size = hit->head.size, expected;

	if (size < sizeof(*hit))
		damaged(session, cpu, "a record smaller than a hit");
	expected = sizeof(*hit) + hit->nr_frames * sizeof(hit->frames[0]);
	if (KCATCH_RECORD_KIND(hit->head.id) != KCATCH_RECORD_HIT &&
	    expected + sizeof(struct kcatch_call_part) <= size) {
		const struct kcatch_call_part *part = call_part(hit);

		expected += sizeof(*part) + part->size[0] + part->size[1] + part->user_size;
	}
	if (size != expected)
		damaged(session, cpu, "a record's size does not fit its frames and data");
	if (hit->comm[KCATCH_COMM_LEN - 1])
		damaged(session, cpu, "a command without end mark");
}

static void check_event(const struct session *session, int cpu,
			const struct kcatch_event_record *event)
{
	uint64_t least = sizeof(*event);

	if (KCATCH_RECORD_KIND(event->head.id) == KCATCH_RECORD_MARKED)
		least += 2 * sizeof(uint64_t);
	if (event->head.size < least)
		damaged(session, cpu, "an event smaller than one");
}

static const struct kcatch_record *record_at(const struct session *session, int cpu,
					     const void *at, uint64_t room, bool all)
{
	const struct kcatch_record *record = at;
	const struct kcatch_return *returned = at;
	uint32_t kind;

	if (room < sizeof(*record) || record->size < sizeof(*record) || record->size > room)
		damaged(session, cpu, "a record goes beyond its packet");
	if (record->size % 8)
		damaged(session, cpu, "a record's size is no multiple of 8");
	kind = KCATCH_RECORD_KIND(record->id);
	if (kind == KCATCH_RECORD_HIT ||
	    (all && (kind == KCATCH_RECORD_ENTRY || kind == KCATCH_RECORD_CALL)))
		check_hit(session, cpu, at);
	else if (all && (kind == KCATCH_RECORD_EVENT || kind == KCATCH_RECORD_MARKED))
		check_event(session, cpu, at);
	else if (!all || kind != KCATCH_RECORD_RETURN)
		damaged(session, cpu, "an unknown record");
	else if (record->size < sizeof(*returned) ||
		 record->size != sizeof(*returned) + returned->size)
		damaged(session, cpu, "a return's size does not fit its data");
	return record;
}

static uint64_t read_ring(struct session *session, int cpu, const struct visitor *visitor)
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
			const struct kcatch_record *record =
				record_at(session, cpu, base + at, content - at, visitor->all);

			if (record->time < last)
				damaged(session, cpu, "time goes back");
			last = record->time;
			at += record->size;
			count++;
			if (visitor->hit)
				visitor->hit(visitor->context, cpu, (const void *)record);
			if (visitor->record)
				visitor->record(visitor->context, cpu, record);
		}
		position = produced > start + session->packet_size ?
			start + session->packet_size : start + at;
		session->position[cpu] = position;
	}
	return count;
}

static uint64_t read_rings(struct session *session, bool keep, const struct visitor *visitor)
{
	uint64_t count = 0;
	int cpu;

	for (cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (!session->ring[cpu])
			continue;
		count += read_ring(session, cpu, visitor);
		if (!keep)
			__atomic_store_n(&session->consumer[cpu]->consumed, session->position[cpu],
					 __ATOMIC_RELEASE);
	}
	return count;
}

uint64_t session_read(struct session *session, bool keep,
		      void (*seen)(void *, uint32_t, const struct kcatch_hit *), void *context)
{
	const struct visitor visitor = { .hit = seen, .context = context };

	return read_rings(session, keep, &visitor);
}

uint64_t session_read_records(struct session *session, bool keep,
			      void (*seen)(void *, uint32_t, const struct kcatch_record *),
			      void *context)
{
	const struct visitor visitor = { .record = seen, .all = true, .context = context };

	return read_rings(session, keep, &visitor);
}
