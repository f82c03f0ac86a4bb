// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: whatever a reader writes as its consumed position, the writer
 * stays within its memory, its counts stay exact, and what an honest reader has
 * not consumed is not overwritten.
 */
#include "ring_fixture.h"

#include <stdlib.h>

#define RING 16384
#define PACKET 4096
#define SMALL 32

static struct ring_fixture fixture;

static int setup(void **state)
{
	(void)state;
	fixture_init(&fixture, RING, PACKET);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fixture_free(&fixture);
	return 0;
}

static u64 fill(void)
{
	u64 written = 0;

	while (fixture_write(&fixture, written, SMALL))
		written++;
	return written;
}

static void past_produced(void **state)
{
	u64 produced;

	(void)state;
	fill();
	produced = fixture.page->produced;
	fixture.consumer->consumed = produced + 8;
	assert_int_equal(fill(), 0);
	fixture.consumer->consumed = ~0ULL;
	assert_int_equal(fill(), 0);
	fixture.consumer->consumed = 1ULL << 63;
	assert_int_equal(fill(), 0);
	assert_int_equal(fixture.page->produced, produced);
	assert_int_equal(fixture.page->discarded, 4);
}

static void backwards(void **state)
{
	u64 produced;

	(void)state;
	fill();
	fixture.consumer->consumed = RING / 2;
	assert_true(fill() > 0);
	produced = fixture.page->produced;
	fixture.consumer->consumed = 0;
	assert_int_equal(fill(), 0);
	fixture.consumer->consumed = RING / 2 - 1;
	assert_int_equal(fill(), 0);
	assert_int_equal(fixture.page->produced, produced);
}

/* After any number of lies, an honest word is believed again. */
static void honest_again(void **state)
{
	u64 before;

	(void)state;
	before = fill();
	fixture.consumer->consumed = ~0ULL;
	assert_int_equal(fill(), 0);
	assert_int_equal(fixture_read(&fixture, ~0ULL, NULL, NULL), before);
	fixture_consume(&fixture);
	/* the packet that was left last is not known to be consumed whole */
	before = fill();
	assert_true(before >= (RING / PACKET - 1) * (KCATCH_RING_RECORD_MAX(PACKET) / SMALL));
	assert_int_equal(fixture_read(&fixture, ~0ULL, NULL, NULL), before);
}

/* Each write is either in the ring or counted as lost; the allocation is exact,
 * so the address sanitizer sees any step outside. */
static void random_positions(void **state)
{
	u64 i, written = 0, refused = 0;

	(void)state;
	srandom(1);
	for (i = 0; i < 200000; i++) {
		switch (random() % 6) {
		case 0:
			fixture.consumer->consumed = ((u64)random() << 33) ^ random();
			break;
		case 1:
			fixture.consumer->consumed = fixture.page->produced + random() % 64 - 32;
			break;
		case 2:
			fixture.consumer->consumed = fixture.page->produced - random() % RING;
			break;
		}
		if (fixture_write(&fixture, i, SMALL + random() % 60 * 8))
			written++;
		else
			refused++;
		assert_true(fixture.page->produced <= fixture.ring.consumed + RING);
	}
	assert_int_equal(written + refused, 200000);
	assert_int_equal(fixture.page->discarded, refused);
	assert_true(written > 1000);
	assert_true(refused > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(past_produced, setup, teardown),
		cmocka_unit_test_setup_teardown(backwards, setup, teardown),
		cmocka_unit_test_setup_teardown(honest_again, setup, teardown),
		cmocka_unit_test_setup_teardown(random_positions, setup, teardown),
	};

	return cmocka_run_group_tests_name("ring and a lying reader", tests, NULL, NULL);
}
