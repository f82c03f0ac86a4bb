// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: random sizes, ring and packet sizes, reads and nested writes,
 * against a model: a queue of the keys that were written. What comes out is
 * exactly what went in and was not counted as lost, in the order of time.
 */
#include "ring_fixture.h"

#include <stdlib.h>

#define STEPS 20000

static struct ring_fixture fixture;

/* The model. Keys are given at the reserve, but a nested write that comes in
 * the middle of one lies before it: so keys are compared as a set per read. */
static u8 outstanding[STEPS * 8];
static u64 next_key, lost, read_back;
static u64 interrupts_left;

static u32 random_size(void)
{
	u32 most = KCATCH_RING_RECORD_MAX(fixture.packet_size);
	u32 least = 24;

	switch (random() % 8) {
	case 0:
		return most;
	case 1:
		return least;
	case 2:
		return (least + random() % (most - least + 1)) & ~7U;
	default:
		return least + random() % 40 * 8;
	}
}

static void write_one(void)
{
	u64 key = next_key++;

	if (fixture_write(&fixture, key, random_size()))
		outstanding[key] = 1;
	else
		lost++;
}

static void interrupt(void)
{
	if (!interrupts_left)
		return;
	interrupts_left--;
	write_one();
}

static void seen(void *context, u64 key, u32 size)
{
	(void)context;
	(void)size;
	assert_true(key < next_key);
	assert_int_equal(outstanding[key], 1);
	outstanding[key] = 2;
	read_back++;
}

static void run(u32 ring_size, u32 packet_size, unsigned int seed)
{
	u64 i, written = 0;

	fixture_init(&fixture, ring_size, packet_size);
	memset(outstanding, 0, sizeof(outstanding));
	next_key = lost = read_back = 0;
	srandom(seed);
	for (i = 0; i < STEPS; i++) {
		interrupts_left = random() % 4 ? 0 : random() % 4;
		fixture_interrupt = interrupt;
		write_one();
		fixture_interrupt = NULL;
		assert_int_equal(fixture.ring.nest, 0);
		assert_int_equal(fixture.page->produced, fixture.ring.head);
		if (random() % 5 == 0)
			fixture_read(&fixture, random() % 3 ? ~0ULL : 1, seen, NULL);
		if (random() % 7 == 0)
			fixture_consume(&fixture);
	}
	fixture_read(&fixture, ~0ULL, seen, NULL);
	for (i = 0; i < next_key; i++) {
		assert_int_not_equal(outstanding[i], 1);
		written += outstanding[i] == 2;
	}
	assert_int_equal(written, read_back);
	assert_int_equal(written + lost, next_key);
	assert_int_equal(fixture.page->discarded, lost);
	assert_true(lost > 0);
	fixture_free(&fixture);
}

static void smallest(void **state)
{
	(void)state;
	run(KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN, 1);
	run(KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN, 2);
}

static void two_packets(void **state)
{
	(void)state;
	run(32768, 16384, 3);
}

static void many_packets(void **state)
{
	(void)state;
	run(65536, 4096, 4);
	run(65536, 4096, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(smallest),
		cmocka_unit_test(two_packets),
		cmocka_unit_test(many_packets),
	};

	return cmocka_run_group_tests_name("ring against a model", tests, NULL, NULL);
}
