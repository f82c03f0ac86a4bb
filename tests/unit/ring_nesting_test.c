// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a writer is interrupted by another one after each single
 * instruction of its way through the ring, and that one by a third: at every
 * place records stay whole, in order of time, and none is lost or counted twice.
 *
 * The processor's single-step trap is the interrupt: for every n, one write runs
 * with the trap flag set, and in the handler after instruction n another write
 * takes place. So this is exhaustive, not a matter of luck.
 */
/* The fast reserve is tried: this clock never goes back. */
#define ring_clock_may_go_back() false

#include "ring_fixture.h"

#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

#include "ring/mapped_ring.h"

#define RING 16384
#define PACKET 4096
#define TRAP_FLAG 0x100

static struct ring_fixture fixture;
static u64 next_key, written, lost, read_back;
static long step, interrupt_at, second_at, second_step;
static int depth;
static u32 nested_size, nested_count = 1;
static bool fast;	/* who is interrupted takes the fast reserve where it can */
static long nr_fast;

static bool write_fast(u64 key, u32 size)
{
	struct kcatch_record *record = kcatch_record_reserve_fast(&fixture.ring, size);

	if (!record)
		return fixture_write(&fixture, key, size);
	nr_fast++;
	fixture_fill(record, key, size);
	kcatch_ring_commit(&fixture.ring);
	return true;
}

static void write_one(u32 size)
{
	if (fixture_write(&fixture, __atomic_fetch_add(&next_key, 1, __ATOMIC_RELAXED), size))
		written++;
	else
		lost++;
}

static void trap_begin(void)
{
	__asm__ volatile("pushfq; orq %0, (%%rsp); popfq" : : "i"(TRAP_FLAG) : "memory", "cc");
}

static void trap_end(void)
{
	__asm__ volatile("pushfq; andq %0, (%%rsp); popfq" : : "i"(~TRAP_FLAG) : "memory", "cc");
}

/* written and lost are changed by the interrupted write as well: its own update
 * is outside the window between trap_begin() and trap_end(). */
static void trapped(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
	if (depth) {	/* an instruction of the nested write */
		if (++second_step == second_at) {
			depth = 2;
			write_one(nested_size);
			depth = 1;
		}
		return;
	}
	if (++step != interrupt_at)
		return;
	depth = 1;
	if (second_at) {
		bool done;
		u64 key = next_key++;

		second_step = 0;
		trap_begin();
		done = fixture_write(&fixture, key, nested_size);
		trap_end();
		written += done;
		lost += !done;
	} else {
		u32 i;

		for (i = 0; i < nested_count; i++)
			write_one(nested_size);
	}
	depth = 0;
}

static void seen(void *context, u64 key, u32 size)
{
	(void)context;
	(void)size;
	assert_true(key < next_key);
	read_back++;
}

/* One write of outer bytes, interrupted at instruction `at`; false when it has
 * fewer instructions. */
static bool interrupted_write(u32 outer, long at, long second)
{
	bool done;
	u64 key = next_key++;

	step = 0;
	interrupt_at = at;
	second_at = second;
	trap_begin();
	done = fast ? write_fast(key, outer) : fixture_write(&fixture, key, outer);
	trap_end();
	written += done;
	lost += !done;
	assert_int_equal(fixture.ring.nest, 0);
	assert_int_equal(fixture.page->produced, fixture.ring.head);
	return step >= at;
}

/* Brings the ring to LEFT bytes before the end of a packet; FULL: and leaves no
 * other packet free. */
static void advance(u32 left, bool full)
{
	u32 packets = full ? RING / PACKET - 1 : 1;

	fixture_read(&fixture, ~0ULL, seen, NULL);
	fixture_consume(&fixture);
	while (packets--)
		write_one(KCATCH_RING_RECORD_MAX(PACKET));
	assert_int_equal(fixture.ring.head & (PACKET - 1), 0);
	if (left < PACKET)
		write_one(PACKET - sizeof(struct kcatch_packet) - left);
	if (full)
		return;
	fixture_read(&fixture, ~0ULL, seen, NULL);
	fixture_consume(&fixture);
}

static void exhaust(u32 left, u32 outer, u32 inner, bool full)
{
	long at = 1;
	bool more = true;

	fixture_init(&fixture, RING, PACKET);
	next_key = written = lost = read_back = 0;
	nested_size = inner;
	while (more) {
		advance(left, full);
		more = interrupted_write(outer, at++, 0);
	}
	fixture_read(&fixture, ~0ULL, seen, NULL);
	assert_int_equal(read_back, written);
	assert_int_equal(written + lost, next_key);
	assert_int_equal(fixture.page->discarded, lost);
	assert_true(at > 30);	/* it did step through a write */
	assert_int_equal(lost > 0, full);
	fixture_free(&fixture);
}

static int setup(void **state)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_NODEFER };

	(void)state;
	action.sa_sigaction = trapped;
	return sigaction(SIGTRAP, &action, NULL);
}

static void inside_a_packet(void **state)
{
	(void)state;
	exhaust(PACKET, 24, 24, false);
	exhaust(1024, 24, 40, false);
}

static void where_a_packet_ends(void **state)
{
	(void)state;
	exhaust(24, 24, 24, false);	/* either of the two fills it exactly */
	exhaust(48, 24, 24, false);	/* both fit exactly */
	exhaust(40, 48, 24, false);	/* the inner fits, the outer does not */
	exhaust(40, 24, 48, false);	/* the outer fits, the inner does not */
	exhaust(32, 48, 48, false);	/* neither fits */
}

/* The nested write goes past a whole packet, which it opens and closes. */
static void nested_fills_packets(void **state)
{
	(void)state;
	exhaust(32, 48, KCATCH_RING_RECORD_MAX(PACKET), false);
	exhaust(PACKET, 24, KCATCH_RING_RECORD_MAX(PACKET), false);
}

static void where_the_ring_is_full(void **state)
{
	(void)state;
	exhaust(32, 48, 48, true);
	exhaust(32, 48, 24, true);
	exhaust(32, 24, 48, true);
}

/* The fast reserve: interrupted before its exchange it has done nothing, and what came
 * between is published. */
static void fast_reserve(void **state)
{
	(void)state;
	fast = true;
	nr_fast = 0;
	exhaust(PACKET, 24, 24, false);
	exhaust(1024, 24, 40, false);
	exhaust(48, 24, 24, false);
	exhaust(40, 24, 48, false);
	exhaust(32, 24, 48, true);
	assert_true(nr_fast > 30);
	fast = false;
}

static void two_levels(void **state)
{
	long first, second;

	(void)state;
	fixture_init(&fixture, RING, PACKET);
	next_key = written = lost = read_back = 0;
	nested_size = 24;
	/* coprime strides walk through all pairs of places in the end */
	for (first = 1, second = 1; first < 1000; first++, second = (second + 7) % 150 + 1) {
		advance(first % 5 * 16 + 32, false);
		interrupted_write(48, first % 150 + 1, second);
	}
	fixture_read(&fixture, ~0ULL, seen, NULL);
	assert_int_equal(read_back, written);
	assert_int_equal(written + lost, next_key);
	assert_int_equal(lost, 0);
	fixture_free(&fixture);
}

/* Nested writes go round the whole ring and meet the one that they interrupted, which
 * has just reserved the beginning of a packet, and not closed the one before. */
static void nested_fills_the_ring(void **state)
{
	long at = 1;
	bool more = true;

	(void)state;
	fixture_init(&fixture, RING, PACKET);
	next_key = written = lost = read_back = 0;
	nested_size = KCATCH_RING_RECORD_MAX(PACKET) - 8;
	nested_count = RING / PACKET + 1;
	while (more) {
		advance(PACKET, false);
		more = interrupted_write(48, at++, 0);
	}
	fixture_read(&fixture, ~0ULL, seen, NULL);
	assert_int_equal(read_back, written);
	assert_int_equal(written + lost, next_key);
	assert_int_equal(fixture.page->discarded, lost);
	assert_true(lost > 0);
	fixture_free(&fixture);
	nested_count = 1;
}

/* The same where they overwrite: whatever is still there is whole. */
static void nested_overwrites_the_ring(void **state)
{
	static union {
		struct kcatch_record record;
		u8 bytes[PACKET];
	} got;
	struct kcatch_mapped_ring mapped = { .ring_size = RING, .packet_size = PACKET };
	u64 reads = 0, before;
	long at = 1;
	bool more = true;
	size_t size;

	(void)state;
	fixture_init_mode(&fixture, RING, PACKET, KCATCH_RING_OVERWRITE);
	mapped.page = fixture.page;
	mapped.consumer = fixture.consumer;
	mapped.data = fixture.data;
	next_key = written = lost = 0;
	nested_size = KCATCH_RING_RECORD_MAX(PACKET) - 8;
	while (more) {
		nested_count = at % 2 ? RING / PACKET + 1 : 2;
		write_one(KCATCH_RING_RECORD_MAX(PACKET));
		more = interrupted_write(48, at++, 0);
		before = reads;
		while ((size = kcatch_mapped_ring_peek(&mapped, fixture.page->produced, &got.record,
						       sizeof(got)))) {
			assert_true(fixture_key(&got.record, size) < next_key);
			mapped.position += size;
			reads++;
		}
		assert_true(reads > before);
		assert_int_equal(mapped.damaged, 0);
	}
	assert_int_equal(written + lost, next_key);
	assert_int_equal(fixture.page->discarded, lost);
	assert_true(reads <= written && at > 30);
	fixture_free(&fixture);
	nested_count = 1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(inside_a_packet, setup),
		cmocka_unit_test_setup(where_a_packet_ends, setup),
		cmocka_unit_test_setup(nested_fills_packets, setup),
		cmocka_unit_test_setup(where_the_ring_is_full, setup),
		cmocka_unit_test_setup(fast_reserve, setup),
		cmocka_unit_test_setup(two_levels, setup),
		cmocka_unit_test_setup(nested_fills_the_ring, setup),
		cmocka_unit_test_setup(nested_overwrites_the_ring, setup),
	};

	return cmocka_run_group_tests_name("ring interrupted everywhere", tests, NULL, NULL);
}
