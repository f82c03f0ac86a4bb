// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: one writer and one reader in turn: records arrive whole and in
 * order, packets are described, and in a full ring losses are counted exactly.
 */
#include "ring_fixture.h"

#include <stdlib.h>

#define RING 16384
#define PACKET 4096
#define SMALL 32

static struct ring_fixture fixture;
static u64 expected_key;

static int setup(void **state)
{
	(void)state;
	fixture_init(&fixture, RING, PACKET);
	expected_key = 0;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fixture_free(&fixture);
	return 0;
}

static void in_order(void *context, u64 key, u32 size)
{
	(void)context;
	(void)size;
	assert_int_equal(key, expected_key++);
}

static void empty(void **state)
{
	(void)state;
	assert_int_equal(fixture.page->produced, 0);
	assert_int_equal(fixture_read(&fixture, ~0ULL, in_order, NULL), 0);
}

static void one_record(void **state)
{
	(void)state;
	assert_true(fixture_write(&fixture, 0, SMALL));
	assert_int_equal(fixture.page->produced, sizeof(struct kcatch_packet) + SMALL);
	assert_int_equal(fixture_read(&fixture, ~0ULL, in_order, NULL), 1);
}

/* Whoever asks for it: what no packet holds is refused and counted, and nothing is changed. */
static void too_large(void **state)
{
	u32 large = KCATCH_RING_RECORD_MAX(PACKET) + 8;

	(void)state;
	assert_null(kcatch_ring_reserve(&fixture.ring, large));
	assert_true(fixture_write(&fixture, 0, SMALL));
	assert_null(kcatch_ring_reserve(&fixture.ring, large));
	assert_true(fixture_write(&fixture, 1, KCATCH_RING_RECORD_MAX(PACKET)));
	assert_int_equal(fixture.page->discarded, 2);
	assert_int_equal(fixture.ring.nest, 0);
	assert_int_equal(fixture_read(&fixture, ~0ULL, in_order, NULL), 2);
}

/* Nothing is visible before commit. */
static void commit_publishes(void **state)
{
	struct kcatch_record *record;

	(void)state;
	record = kcatch_ring_reserve(&fixture.ring, SMALL);
	assert_non_null(record);
	assert_int_equal(record->size, SMALL);
	assert_int_equal(fixture.page->produced, 0);
	kcatch_ring_commit(&fixture.ring);
	assert_int_not_equal(fixture.page->produced, 0);
}

/* The outer record is not complete, so the inner one must wait for it. */
static void nested_waits_for_outer(void **state)
{
	(void)state;
	assert_non_null(kcatch_ring_reserve(&fixture.ring, SMALL));
	assert_non_null(kcatch_ring_reserve(&fixture.ring, SMALL));
	kcatch_ring_commit(&fixture.ring);
	assert_int_equal(fixture.page->produced, 0);
	kcatch_ring_commit(&fixture.ring);
	assert_int_equal(fixture.page->produced, sizeof(struct kcatch_packet) + 2 * SMALL);
}

static void many_laps(void **state)
{
	u64 key;

	(void)state;
	for (key = 0; key < 10000; key++) {
		assert_true(fixture_write(&fixture, key, SMALL + key % 40 * 8));
		if (key % 7 == 0) {
			fixture_read(&fixture, ~0ULL, in_order, NULL);
			fixture_consume(&fixture);
		}
	}
	fixture_read(&fixture, ~0ULL, in_order, NULL);
	assert_int_equal(expected_key, 10000);
	assert_int_equal(fixture.page->discarded, 0);
}

/* Fills a packet to its last byte: the next record opens the next packet. */
static void packet_filled_exactly(void **state)
{
	const u32 whole = KCATCH_RING_RECORD_MAX(PACKET);

	(void)state;
	assert_true(fixture_write(&fixture, 0, whole));
	assert_int_equal(fixture.page->produced, PACKET);
	assert_int_equal(fixture_read(&fixture, ~0ULL, in_order, NULL), 1);
	assert_true(fixture_write(&fixture, 1, SMALL));
	assert_int_equal(fixture.page->produced,
			 PACKET + sizeof(struct kcatch_packet) + SMALL);
	assert_int_equal(fixture_read(&fixture, ~0ULL, in_order, NULL), 1);
}

/* A record that does not fit the rest of a packet goes whole into the next. */
static void never_straddles(void **state)
{
	(void)state;
	assert_true(fixture_write(&fixture, 0, 2048));
	assert_true(fixture_write(&fixture, 1, 2048));
	assert_int_equal(fixture.page->produced,
			 PACKET + sizeof(struct kcatch_packet) + 2048);
	assert_int_equal(((struct kcatch_packet *)fixture.data)->content_size,
			 (sizeof(struct kcatch_packet) + 2048) * 8);
	assert_int_equal(fixture_read(&fixture, ~0ULL, in_order, NULL), 2);
}

static void full_ring_discards(void **state)
{
	const u64 fit = RING / PACKET * (KCATCH_RING_RECORD_MAX(PACKET) / SMALL);
	u64 key, written = 0;

	(void)state;
	for (key = 0; key < fit + 1000; key++)
		written += fixture_write(&fixture, key, SMALL);
	assert_int_equal(written, fit);
	assert_int_equal(fixture.page->discarded, 1000);
	/* what is in it stays: the oldest are there, nothing was overwritten */
	assert_int_equal(fixture_read(&fixture, ~0ULL, in_order, NULL), fit);
}

/* A packet's room is free again when its last byte is consumed, not before. */
static void room_comes_by_packets(void **state)
{
	u64 key = 0;

	(void)state;
	while (fixture_write(&fixture, key, SMALL))
		key++;
	fixture.consumer->consumed = PACKET - 8;
	assert_false(fixture_write(&fixture, key, SMALL));
	fixture.consumer->consumed = PACKET;
	assert_true(fixture_write(&fixture, key, SMALL));
	assert_int_equal(fixture.page->discarded, 2);
}

static void wakes_once_a_packet(void **state)
{
	u64 records = 0, wakes = 0;

	(void)state;
	while (kcatch_ring_reserve(&fixture.ring, SMALL)) {
		records++;
		wakes += kcatch_ring_commit(&fixture.ring);
	}
	assert_int_equal(wakes, RING / PACKET - 1);
	assert_true(records > 300);
}

/* The header carries the losses up to the moment its packet was left. */
static void packet_tells_losses(void **state)
{
	u64 key = 0;

	(void)state;
	while (fixture_write(&fixture, key, SMALL))
		key++;
	fixture_write(&fixture, key, SMALL);
	assert_int_equal(fixture.page->discarded, 2);
	fixture_read(&fixture, ~0ULL, in_order, NULL);
	fixture_consume(&fixture);
	assert_true(fixture_write(&fixture, key, SMALL));
	assert_int_equal(((struct kcatch_packet *)(fixture.data + RING - PACKET))->discarded, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(empty, setup, teardown),
		cmocka_unit_test_setup_teardown(one_record, setup, teardown),
		cmocka_unit_test_setup_teardown(too_large, setup, teardown),
		cmocka_unit_test_setup_teardown(commit_publishes, setup, teardown),
		cmocka_unit_test_setup_teardown(nested_waits_for_outer, setup, teardown),
		cmocka_unit_test_setup_teardown(many_laps, setup, teardown),
		cmocka_unit_test_setup_teardown(packet_filled_exactly, setup, teardown),
		cmocka_unit_test_setup_teardown(never_straddles, setup, teardown),
		cmocka_unit_test_setup_teardown(full_ring_discards, setup, teardown),
		cmocka_unit_test_setup_teardown(room_comes_by_packets, setup, teardown),
		cmocka_unit_test_setup_teardown(wakes_once_a_packet, setup, teardown),
		cmocka_unit_test_setup_teardown(packet_tells_losses, setup, teardown),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
