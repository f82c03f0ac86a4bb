// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: the library's reader gets back what the kernel's encoder wrote, and
 * whatever a ring holds instead, it stays inside, ends, and counts the damage.
 */
#include "ring_fixture.h"

#include <stdlib.h>

#include "ring/mapped_ring.h"

#define RING 16384
#define PACKET 4096
#define ROOM (sizeof(struct kcatch_hit) + KCATCH_DEPTH_MAX * 8)

static struct ring_fixture fixture;
static struct kcatch_mapped_ring mapped;
static union {
	struct kcatch_record record;
	struct kcatch_hit hit;
	u8 bytes[ROOM];
} got;

static int setup(void **state)
{
	(void)state;
	fixture_init(&fixture, RING, PACKET);
	memset(&mapped, 0, sizeof(mapped));
	mapped.page = fixture.page;
	mapped.consumer = fixture.consumer;
	mapped.data = fixture.data;
	mapped.ring_size = RING;
	mapped.packet_size = PACKET;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fixture_free(&fixture);
	return 0;
}

static void record(u32 nr, u32 probe)
{
	u64 frames[KCATCH_DEPTH_MAX];
	const struct kcatch_stack stack = { .nr = nr,
					    .flags = KCATCH_STACK_COMPLETE,
					    .frames = frames };
	u32 i;

	for (i = 0; i < nr; i++)
		frames[i] = probe * 1000ULL + i;
	assert_non_null(kcatch_record_hit(&fixture.ring,
					  KCATCH_RECORD_ID(KCATCH_RECORD_HIT, probe),
					  kcatch_stack_pack(&stack), frames, 0, false));
	kcatch_record_commit(&fixture.ring);
}

static bool next(void)
{
	size_t size = kcatch_mapped_ring_peek(&mapped, fixture.page->produced, &got.record, ROOM);

	mapped.position += size;
	return size > 0;
}

static void reads_back(void **state)
{
	u32 written = 0, read = 0, nr, i;

	(void)state;
	srandom(8);
	while (written < 5000) {
		u32 burst = random() % 4;

		while (burst--) {
			record(written * 7 % 200, written);
			written++;
		}
		while (next()) {
			nr = read * 7 % 200;
			assert_int_equal(KCATCH_RECORD_PROBE(got.record.id), read);
			assert_int_equal(got.hit.nr_frames, nr);
			for (i = 0; i < nr; i++)
				assert_int_equal(got.hit.frames[i], read * 1000ULL + i);
			read++;
		}
		assert_int_equal(read, written);
		fixture.consumer->consumed = mapped.position;
	}
	assert_int_equal(mapped.damaged, 0);
}

/* Reads to the end, which must come; each record must be sound in itself. */
static void read_hostile(void)
{
	u32 limit = 100000;

	while (next()) {
		assert_true(got.record.size >= sizeof(got.record));
		assert_true(got.record.size <= ROOM);
		if (KCATCH_RECORD_KIND(got.record.id) == KCATCH_RECORD_HIT)
			assert_true(sizeof(got.hit) + got.hit.nr_frames * 8ULL <= got.record.size);
		assert_int_not_equal(--limit, 0);
	}
}

static void mutated(void **state)
{
	u8 good[RING];
	int round, i;
	u32 probe;

	(void)state;
	for (probe = 0; fixture.page->produced < RING - PACKET + 1000; probe++)
		record(probe % 30, probe);
	memcpy(good, fixture.data, RING);
	srandom(9);
	for (round = 0; round < 20000; round++) {
		int changes = 1 + random() % 4;

		memcpy(fixture.data, good, RING);
		for (i = 0; i < changes; i++) {
			u32 at = random() % RING & ~3U;
			u32 value = random() % 3 ? (u32)random() % 300 : (u32)random() * 2;

			/* headers and the fields of records are where it hurts */
			if (random() % 2)
				at = (at & ~(PACKET - 1U)) + random() % 200 / 4 * 4;
			memcpy(fixture.data + at, &value, 4);
		}
		mapped.position = 0;
		mapped.damaged = 0;
		read_hostile();
		assert_true(mapped.position <= fixture.page->produced);
	}
}

static void random_everything(void **state)
{
	int round;
	u32 i;

	(void)state;
	srandom(10);
	for (round = 0; round < 3000; round++) {
		for (i = 0; i < RING; i++)
			fixture.data[i] = random() % 3 ? 0 : random();
		fixture.page->produced = round % 2 ? (u64)random() % (2 * RING) :
			((u64)random() << 32) + random();
		mapped.position = random() % 3 ? 0 : fixture.page->produced - random() % RING;
		mapped.position &= ~7ULL;
		read_hostile();
	}
}

/* What is damaged is passed by, and what comes after it is read. */
static void goes_on_behind_damage(void **state)
{
	struct kcatch_hit *second;
	u32 probe = 0, seen = 0, last = 0;

	(void)state;
	while (fixture.page->produced < 2 * PACKET)
		record(10, probe++);
	second = (void *)(fixture.data + sizeof(struct kcatch_packet) + sizeof(*second) + 80);
	assert_int_equal(KCATCH_RECORD_PROBE(second->head.id), 1);
	second->head.size = 3;
	while (next()) {
		seen++;
		last = KCATCH_RECORD_PROBE(got.record.id);
	}
	assert_true(mapped.damaged > 0);
	assert_true(seen > 1);
	assert_int_equal(last, probe - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(reads_back, setup, teardown),
		cmocka_unit_test_setup_teardown(mutated, setup, teardown),
		cmocka_unit_test_setup_teardown(random_everything, setup, teardown),
		cmocka_unit_test_setup_teardown(goes_on_behind_damage, setup, teardown),
	};

	return cmocka_run_group_tests_name("reader of rings", tests, NULL, NULL);
}
