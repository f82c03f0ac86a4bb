// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a caught call becomes a struct kcatch_hit, whole, for every
 * number of frames; a call that finds no room is counted and nothing is written.
 */
#include "ring_fixture.h"

#include <stdlib.h>

#define RING 65536
#define PACKET 4096

static struct ring_fixture fixture;
static u64 frames[KCATCH_DEPTH_MAX];

static int setup(void **state)
{
	u32 i;

	(void)state;
	fixture_init(&fixture, RING, PACKET);
	for (i = 0; i < KCATCH_DEPTH_MAX; i++)
		frames[i] = 0xffffffff81000000ULL + i;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fixture_free(&fixture);
	return 0;
}

static enum kcatch_record_result record(u32 nr, u32 probe)
{
	struct kcatch_stack stack = {
		.nr = nr,
		.flags = KCATCH_STACK_COMPLETE,
		.frames = frames,
	};
	u64 word;

	memcpy(&stack.interrupted, "\3\0\0\0", 4);
	word = kcatch_stack_pack(&stack) | KCATCH_CONTEXT_SOFTIRQ | KCATCH_CONTEXT_IRQS_OFF;
	ring_thread = (struct ring_thread){ 100 | 101ULL << 32, "fifteen letters" };
	if (!kcatch_record_hit(&fixture.ring, KCATCH_RECORD_ID(KCATCH_RECORD_HIT, probe), word,
			       frames, 0, false))
		return KCATCH_RECORD_LOST;
	return kcatch_record_commit(&fixture.ring);
}

static const struct kcatch_hit *hit_at(u64 position)
{
	return (void *)(fixture.data + (position & (RING - 1)));
}

static void check_hit(const struct kcatch_hit *hit, u32 nr, u32 probe)
{
	assert_int_equal(hit->head.id, KCATCH_RECORD_ID(KCATCH_RECORD_HIT, probe));
	assert_int_equal(hit->head.size, sizeof(*hit) + nr * 8);
	assert_true(hit->head.time > 0);
	assert_int_equal(hit->context, KCATCH_CONTEXT_SOFTIRQ | KCATCH_CONTEXT_IRQS_OFF);
	assert_int_equal(hit->stack_flags, KCATCH_STACK_COMPLETE);
	assert_int_equal(hit->pid, 100);
	assert_int_equal(hit->tid, 101);
	assert_memory_equal(hit->comm, "fifteen letters", KCATCH_COMM_LEN);
	assert_int_equal(hit->nr_frames, nr);
	assert_memory_equal(hit->interrupted, "\3\0\0\0", 4);
	assert_memory_equal(hit->frames, frames, nr * 8);
}

static void every_depth(void **state)
{
	u32 nr;
	u64 at;

	(void)state;
	for (nr = 0; nr <= KCATCH_DEPTH_MAX; nr++) {
		assert_int_not_equal(record(nr, nr + 7), KCATCH_RECORD_LOST);
		at = fixture.page->produced - sizeof(struct kcatch_hit) - nr * 8;
		check_hit(hit_at(at), nr, nr + 7);
		fixture.consumer->consumed = fixture.page->produced;
	}
}

static void no_room(void **state)
{
	u64 done = 0, i;

	(void)state;
	while (record(KCATCH_DEPTH_MAX, 0) != KCATCH_RECORD_LOST)
		done++;
	assert_int_equal(done, RING / PACKET);	/* one a packet: two do not fit */
	for (i = 0; i < 99; i++)
		assert_int_equal(record(KCATCH_DEPTH_MAX, 0), KCATCH_RECORD_LOST);
	assert_int_equal(fixture.page->discarded, 100);
}

/* One wake for one filled packet. */
static void wake(void **state)
{
	(void)state;
	assert_int_equal(record(KCATCH_DEPTH_MAX, 0), KCATCH_RECORD_DONE);
	assert_int_equal(record(KCATCH_DEPTH_MAX, 0), KCATCH_RECORD_WAKE);
	assert_int_equal(record(0, 0), KCATCH_RECORD_DONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_depth, setup, teardown),
		cmocka_unit_test_setup_teardown(no_room, setup, teardown),
		cmocka_unit_test_setup_teardown(wake, setup, teardown),
	};

	return cmocka_run_group_tests_name("records", tests, NULL, NULL);
}
