// SPDX-License-Identifier: GPL-2.0-or-later
/* ring_fixture.c - see ring_fixture.h */
#include "ring_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#define RECORD_ID 77

/* Payload: the key, then bytes that follow from key and place. */
struct keyed_record {
	struct kcatch_record head;
	u64 key;
	u8 bytes[];
};

struct ring_thread ring_thread;
void (*fixture_interrupt)(void);
static u64 clock_now;

u64 kcatch_clock_read(void)
{
	u64 now = __atomic_add_fetch(&clock_now, 1, __ATOMIC_RELAXED);

	if (fixture_interrupt)
		fixture_interrupt();
	return now;
}

_Noreturn void fixture_fail(const char *what, const char *file, int line)
{
	fprintf(stderr, "%s:%d: not true: %s\n", file, line, what);
	abort();
}

void fixture_init_mode(struct ring_fixture *fixture, u32 ring_size, u32 packet_size, u32 mode)
{
	static const u8 uuid[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };

	memset(fixture, 0, sizeof(*fixture));
	fixture->ring_size = ring_size;
	fixture->packet_size = packet_size;
	/* exactly so big that a sanitizer sees one byte too many */
	fixture->page = calloc(1, sizeof(*fixture->page));
	fixture->consumer = calloc(1, sizeof(*fixture->consumer));
	fixture->data = calloc(1, ring_size);
	FIXTURE_CHECK(fixture->page && fixture->consumer && fixture->data);
	kcatch_ring_init(&fixture->ring, fixture->page, fixture->data, fixture->consumer,
			 ring_size, packet_size, mode, FIXTURE_CPU, uuid);
}

void fixture_init(struct ring_fixture *fixture, u32 ring_size, u32 packet_size)
{
	fixture_init_mode(fixture, ring_size, packet_size, KCATCH_RING_DISCARD);
}

void fixture_free(struct ring_fixture *fixture)
{
	free(fixture->page);
	free(fixture->consumer);
	free(fixture->data);
}

static u8 pattern(u64 key, u32 at)
{
	return (u8)(key * 31 + at * 7 + 5);
}

void fixture_fill(struct kcatch_record *record, u64 key, u32 size)
{
	struct keyed_record *keyed = (void *)record;
	u32 i;

	record->id = RECORD_ID;
	keyed->key = key;
	for (i = 0; i < size - sizeof(*keyed); i++)
		keyed->bytes[i] = pattern(key, i);
}

bool fixture_write(struct ring_fixture *fixture, u64 key, u32 size)
{
	struct kcatch_record *record = kcatch_ring_reserve(&fixture->ring, size);

	if (!record)
		return false;
	fixture_fill(record, key, size);
	kcatch_ring_commit(&fixture->ring);
	return true;
}

static u64 check_bytes(const struct keyed_record *keyed, u64 room)
{
	u32 i;

	FIXTURE_CHECK(room >= sizeof(*keyed));
	FIXTURE_CHECK(keyed->head.id == RECORD_ID);
	FIXTURE_CHECK(keyed->head.size % 8 == 0);
	FIXTURE_CHECK(keyed->head.size >= sizeof(*keyed));
	FIXTURE_CHECK(keyed->head.size <= room);
	for (i = 0; i < keyed->head.size - sizeof(*keyed); i++)
		FIXTURE_CHECK(keyed->bytes[i] == pattern(keyed->key, i));
	return keyed->key;
}

u64 fixture_key(const struct kcatch_record *record, u64 room)
{
	return check_bytes((const void *)record, room);
}

static void check_packet(struct ring_fixture *fixture, const struct kcatch_packet *packet,
			 u64 start)
{
	FIXTURE_CHECK(packet->magic == KCATCH_PACKET_MAGIC);
	FIXTURE_CHECK(packet->stream_id == 0);
	FIXTURE_CHECK(packet->uuid[0] == 1 && packet->uuid[15] == 16);
	FIXTURE_CHECK(packet->packet_size == fixture->packet_size * 8ULL);
	FIXTURE_CHECK(packet->sequence == start / fixture->packet_size);
	FIXTURE_CHECK(packet->cpu == FIXTURE_CPU);
	FIXTURE_CHECK(packet->timestamp_begin >= fixture->last_time);
	FIXTURE_CHECK(packet->reserved == 0);
}

/* What is only valid once the packet has been left. */
static u64 check_closed(struct ring_fixture *fixture, const struct kcatch_packet *packet)
{
	FIXTURE_CHECK(packet->content_size % 64 == 0);
	FIXTURE_CHECK(packet->content_size > sizeof(*packet) * 8);
	FIXTURE_CHECK(packet->content_size <= packet->packet_size);
	FIXTURE_CHECK(packet->timestamp_end >= packet->timestamp_begin);
	FIXTURE_CHECK(packet->discarded >= fixture->discarded_seen);
	FIXTURE_CHECK(packet->discarded <=
		      __atomic_load_n(&fixture->page->discarded, __ATOMIC_RELAXED));
	fixture->discarded_seen = packet->discarded;
	return packet->content_size / 8;
}

static const struct keyed_record *check_record(struct ring_fixture *fixture, const void *at,
					       u64 room)
{
	const struct keyed_record *keyed = at;

	check_bytes(keyed, room);
	FIXTURE_CHECK(keyed->head.time >= fixture->last_time);
	fixture->last_time = keyed->head.time;
	return keyed;
}

u64 fixture_read(struct ring_fixture *fixture, u64 limit,
		 void (*seen)(void *context, u64 key, u32 size), void *context)
{
	u64 produced = __atomic_load_n(&fixture->page->produced, __ATOMIC_ACQUIRE);
	u64 count = 0;

	FIXTURE_CHECK(produced >= fixture->position);
	FIXTURE_CHECK(produced % 8 == 0);
	while (fixture->position < produced && count < limit) {
		u64 start = fixture->position & ~(u64)(fixture->packet_size - 1);
		const u8 *base = fixture->data + (start & (fixture->ring_size - 1));
		u64 content, at = fixture->position - start;

		if (at == 0)
			check_packet(fixture, (const void *)base, start);
		if (produced > start + fixture->packet_size)
			content = check_closed(fixture, (const void *)base);
		else
			content = produced - start;
		if (at == 0)
			at = sizeof(struct kcatch_packet);
		FIXTURE_CHECK(at < content || produced > start + fixture->packet_size);
		while (at < content && count < limit) {
			const struct keyed_record *keyed =
				check_record(fixture, base + at, content - at);

			at += keyed->head.size;
			count++;
			if (seen)
				seen(context, keyed->key, keyed->head.size);
		}
		fixture->position = start + at;
		if (at >= content && produced > start + fixture->packet_size)
			fixture->position = start + fixture->packet_size;
	}
	fixture->records += count;
	return count;
}

void fixture_consume(struct ring_fixture *fixture)
{
	__atomic_store_n(&fixture->consumer->consumed, fixture->position, __ATOMIC_RELEASE);
}
