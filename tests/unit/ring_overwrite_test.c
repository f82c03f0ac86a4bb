// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: the flight recorder: a newcomer always finds room, the newest records
 * are there and whole, what was overwritten is known to the byte, and a writer that
 * interrupted another neither tears nor overtakes what that one has not finished.
 */
#include "ring_fixture.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "ring/mapped_ring.h"

#define RING 16384
#define PACKET 4096
#define SMALL 32
#define RECORD_MAX KCATCH_RING_RECORD_MAX(PACKET)

static struct ring_fixture fixture;
static struct kcatch_mapped_ring mapped;
static union {
	struct kcatch_record record;
	u8 bytes[65536];
} got;
static u8 room[65536];

static void begin_mode(u32 ring_size, u32 packet_size, u32 mode)
{
	fixture_init_mode(&fixture, ring_size, packet_size, mode);
	mapped = (struct kcatch_mapped_ring) {
		.page = fixture.page, .consumer = fixture.consumer, .data = fixture.data,
		.ring_size = ring_size, .packet_size = packet_size,
	};
}

static void begin(u32 ring_size, u32 packet_size)
{
	begin_mode(ring_size, packet_size, KCATCH_RING_OVERWRITE);
}

static int setup(void **state)
{
	(void)state;
	begin(RING, PACKET);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fixture_free(&fixture);
	return 0;
}

static bool next(u64 *key)
{
	size_t size = kcatch_mapped_ring_peek(&mapped, kcatch_mapped_ring_produced(&mapped),
					      &got.record, sizeof(got));

	mapped.position += size;
	if (size)
		*key = fixture_key(&got.record, size);
	return size > 0;
}

/* Nobody reads: nothing is ever refused, and the last lap is there. */
static void last_lap_is_there(void **state)
{
	const u64 a_packet = RECORD_MAX / SMALL;
	u64 key, first = 0, count = 0, expected;

	(void)state;
	for (key = 0; key < 100000; key++)
		assert_true(fixture_write(&fixture, key, SMALL));
	assert_int_equal(fixture.page->discarded, 0);
	assert_int_equal(fixture.page->overwritten % PACKET, 0);
	assert_true(fixture.page->produced - fixture.page->overwritten <= RING);
	assert_true(fixture.page->produced - fixture.page->overwritten > RING - PACKET);
	expected = fixture.page->overwritten / PACKET * a_packet;
	while (next(&key)) {
		if (!count++)
			first = key;
		assert_int_equal(key, expected++);
	}
	assert_int_equal(expected, 100000);
	assert_int_equal(mapped.damaged, 0);
	assert_int_equal(mapped.overtaken, first / a_packet);
	assert_int_equal(mapped.overtaken_bytes, fixture.page->overwritten);
}

/* A reader that looks now and then: each record is read or in a packet that was overtaken. */
static void each_loss_is_noticed(void **state)
{
	u64 key, read = 0, last = 0, gaps = 0;
	u32 i;

	(void)state;
	srandom(4);
	for (i = 0; i < 300000; i++) {
		assert_true(fixture_write(&fixture, i, SMALL));
		if (random() % 700)
			continue;
		while (next(&key)) {
			gaps += key - (read ? last + 1 : 0);
			last = key;
			read++;
			if (random() % 200 == 0)
				break;
		}
	}
	while (next(&key)) {
		gaps += key - (read ? last + 1 : 0);
		last = key;
		read++;
	}
	assert_int_equal(last, 299999);
	assert_int_equal(read + gaps, 300000);
	assert_true(gaps > 1000 && read > 1000);
	/* all sizes are equal, so the bytes tell how many records they were */
	assert_true(mapped.overtaken_bytes >= gaps * SMALL);
	assert_true(mapped.overtaken_bytes <=
		    gaps * SMALL + mapped.overtaken * (PACKET - RECORD_MAX / SMALL * SMALL));
	assert_int_equal(mapped.damaged, 0);
}

/* One writer is in the middle of a record, and others come until it is done. */
static void open_record_stays(void **state)
{
	u64 key, written = 0, lost = 0, expected = 0, count = 0;
	u32 lap;

	(void)state;
	for (lap = 0; lap < 50; lap++) {
		struct kcatch_record *open;
		u64 before = lost, own = written++;

		open = kcatch_ring_reserve(&fixture.ring, SMALL);
		assert_non_null(open);
		for (key = 0; key < 1000; key++) {
			if (fixture_write(&fixture, written, SMALL))
				written++;
			else
				lost++;
		}
		assert_true(lost > before);
		assert_int_equal(fixture.page->discarded, lost);
		fixture_fill(open, own, SMALL);
		kcatch_ring_commit(&fixture.ring);
		/* now it may go */
		for (key = 0; key < lap * 37; key++)
			assert_true(fixture_write(&fixture, written++, SMALL));
	}
	assert_int_equal(fixture.page->discarded, lost);
	while (next(&key)) {
		assert_true(!count || key == expected);
		expected = key + 1;
		count++;
	}
	assert_int_equal(expected, written);
	assert_int_equal(mapped.damaged, 0);
	assert_true(count > 300);
}

/* The writer that is interrupted stands at the edge: its packet ended exactly, and it has
 * reserved in the next one, but has not closed that packet yet. */
static u64 interrupt_writes, interrupt_lost;

static void interrupt(void)
{
	u64 i;

	if (!interrupt_writes)
		return;
	i = interrupt_writes;
	interrupt_writes = 0;
	while (i--)
		interrupt_lost += !fixture_write(&fixture, i, RECORD_MAX);
}

static void between_reserve_and_close(void **state)
{
	u64 key, lap;

	(void)state;
	fixture_interrupt = interrupt;
	for (lap = 0; lap < 100; lap++) {
		interrupt_writes = lap % 7;
		assert_true(fixture_write(&fixture, 1000 + lap, lap % 3 ? RECORD_MAX : SMALL));
		assert_int_equal(fixture.page->produced, fixture.ring.head);
	}
	fixture_interrupt = NULL;
	assert_int_equal(fixture.page->discarded, interrupt_lost);
	while (next(&key))
		assert_true(key < 1100);
	assert_int_equal(mapped.damaged, 0);
}

/* Any sizes, any nesting: what is read is what was written, in order of place; what is
 * not read was lost or overtaken. */
#define STEPS 60000
static u8 fate[STEPS * 6];
static u64 next_key, refused;
static u32 nested_left;

static u32 random_size(void)
{
	u32 most = KCATCH_RING_RECORD_MAX(fixture.packet_size);

	return random() % 8 ? 24 + random() % 40 * 8 : (24 + random() % (most - 23)) & ~7U;
}

static void write_one(void)
{
	u64 key = next_key++;

	fate[key] = fixture_write(&fixture, key, random_size()) ? 1 : 2;
	refused += fate[key] == 2;
}

static void nest(void)
{
	if (!nested_left)
		return;
	nested_left--;
	write_one();
}

static void model(u32 ring_size, u32 packet_size, unsigned int seed, bool reads)
{
	u64 key, read = 0, overtaken = 0;
	u32 i;

	begin(ring_size, packet_size);
	memset(fate, 0, sizeof(fate));
	next_key = refused = 0;
	srandom(seed);
	for (i = 0; i < STEPS; i++) {
		nested_left = random() % 4 ? 0 : random() % 5;
		fixture_interrupt = nest;
		write_one();
		fixture_interrupt = NULL;
		assert_int_equal(fixture.ring.nest, 0);
		assert_int_equal(fixture.page->produced, fixture.ring.head);
		assert_true(fixture.page->overwritten + ring_size >= fixture.page->produced);
		if (!reads || random() % 30)
			continue;
		while (next(&key)) {
			assert_int_equal(fate[key], 1);
			fate[key] = 3;
			read++;
		}
	}
	while (next(&key)) {
		assert_int_equal(fate[key], 1);
		fate[key] = 3;
		read++;
	}
	for (key = 0; key < next_key; key++)
		overtaken += fate[key] == 1;
	assert_int_equal(read + overtaken + refused, next_key);
	assert_int_equal(fixture.page->discarded, refused);
	assert_int_equal(mapped.damaged, 0);
	assert_int_equal(overtaken > 0, mapped.overtaken > 0);
	assert_true(read > 3);
	fixture_free(&fixture);
}

static void against_a_model(void **state)
{
	(void)state;
	model(KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN, 1, true);
	model(KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN, 2, false);
	model(65536, 4096, 3, true);
	model(65536, 32768, 4, true);
}

/* ---- snapshots --------------------------------------------------------- */

struct seen {
	u64 packets, records, first, last, sequence;
	u64 again;	/* 1: the packet seen last may come once more */
};

static int look(void *arg, uint32_t cpu, const void *packets, size_t size)
{
	struct seen *seen = arg;
	const u8 *at = packets, *end = at + size;

	assert_int_equal(cpu, FIXTURE_CPU);
	assert_int_equal(size % fixture.packet_size, 0);
	for (; at < end; at += fixture.packet_size) {
		const struct kcatch_packet *packet = (const void *)at;
		u64 content = packet->content_size / 8, place = sizeof(*packet), time = 0;

		FIXTURE_CHECK(packet->magic == KCATCH_PACKET_MAGIC);
		FIXTURE_CHECK(packet->packet_size == fixture.packet_size * 8ULL);
		FIXTURE_CHECK(packet->cpu == FIXTURE_CPU);
		FIXTURE_CHECK(content > sizeof(*packet) && content <= fixture.packet_size);
		FIXTURE_CHECK(!seen->packets || packet->sequence + seen->again > seen->sequence);
		seen->sequence = packet->sequence;
		while (place < content) {
			const struct kcatch_record *record = (const void *)(at + place);
			u64 key = fixture_key(record, content - place);

			FIXTURE_CHECK(!seen->records || key > seen->last);
			FIXTURE_CHECK(record->time >= packet->timestamp_begin);
			FIXTURE_CHECK(record->time <= packet->timestamp_end);
			FIXTURE_CHECK(record->time >= time);
			time = record->time;
			seen->first = seen->records++ ? seen->first : key;
			seen->last = key;
			place += record->size;
		}
		FIXTURE_CHECK(place == content);
		seen->packets++;
	}
	return 0;
}

static void snapshot_is_the_last_lap(void **state)
{
	u64 i, written = 0;

	(void)state;
	srandom(6);
	for (i = 0; i < 3000; i++) {
		struct seen seen = { .packets = 0 };

		assert_true(fixture_write(&fixture, written++, random_size()));
		assert_int_equal(kcatch_mapped_ring_snapshot(&mapped, fixture.page->produced, room,
							     look, &seen), 0);
		assert_int_equal(seen.last, written - 1);
		assert_int_equal(seen.last - seen.first + 1, seen.records);
		assert_true(seen.packets <= RING / PACKET);
		assert_true(written < 500 || seen.packets == RING / PACKET);
	}
	assert_int_equal(mapped.position, 0);
}

/* While the rings of other CPUs were copied this one went round: what it has now is copied. */
static void snapshot_after_a_lap(void **state)
{
	u64 i, written = 0, produced;

	(void)state;
	for (i = 0; i < 1000; i++)
		fixture_write(&fixture, written++, SMALL);
	produced = fixture.page->produced;
	for (i = 0; i < 3; i++) {
		struct seen seen = { .packets = 0 };

		while (fixture.page->overwritten < produced)
			fixture_write(&fixture, written++, SMALL);
		assert_int_equal(kcatch_mapped_ring_snapshot(&mapped, produced, room, look,
							     &seen), 0);
		assert_int_equal(seen.last, written - 1);
		assert_true(seen.packets >= RING / PACKET - 1);
		produced = fixture.page->produced;
	}
}

static int stop_at_once(void *arg, uint32_t cpu, const void *packets, size_t size)
{
	(void)cpu;
	(void)packets;
	(void)size;
	++*(int *)arg;
	return -5;
}

static void visitor_may_end_it(void **state)
{
	u64 i, before = mapped.position;
	int calls = 0;

	(void)state;
	for (i = 0; i < 1000; i++)
		fixture_write(&fixture, i, SMALL);
	assert_int_equal(kcatch_mapped_ring_snapshot(&mapped, fixture.page->produced, room,
						     stop_at_once, &calls), -5);
	assert_int_equal(calls, 1);
	assert_int_equal(mapped.position, before);
}

/* As a recorder reads: full packets, and with @partial what the last one has so far. */
static void copy_new(bool partial, struct seen *seen)
{
	u64 produced = kcatch_mapped_ring_produced(&mapped), next;
	int ret;

	for (; mapped.position < produced; mapped.position = produced > next ? next : produced) {
		next = (mapped.position & ~(fixture.packet_size - 1ULL)) + fixture.packet_size;
		if (produced <= next && !partial)
			break;
		ret = kcatch_mapped_ring_copy(&mapped, produced, mapped.position, (void *)room);
		if (ret == -EAGAIN)
			continue;	/* all of it was there before the packet was left */
		assert_int_equal(ret, 0);
		seen->again = mapped.position % fixture.packet_size != 0;
		look(seen, FIXTURE_CPU, room, fixture.packet_size);
	}
	kcatch_mapped_ring_consume(&mapped);
}

/* Packets that are copied one after the other have each record once, also when the last
 * one was copied before it was full. */
static void copy_all(u32 mode)
{
	struct seen seen = { .packets = 0 };
	u64 i, written = 0;

	fixture_free(&fixture);
	begin_mode(RING, PACKET, mode);
	srandom(7);
	for (i = 0; i < 20000; i++) {
		assert_true(fixture_write(&fixture, written++, 24 + random() % 50 * 8));
		if (random() % 10 == 0 || i % 20 == 0)
			copy_new(random() % 4 == 0, &seen);
		assert_true(fixture.page->produced - mapped.position <= RING);
	}
	copy_new(true, &seen);
	assert_int_equal(seen.records, written);
	assert_int_equal(seen.last, written - 1);
	assert_int_equal(seen.first, 0);
	/* and nothing is there a second time */
	i = seen.packets;
	copy_new(true, &seen);
	assert_int_equal(seen.packets, i);
}

static void copies_have_each_once(void **state)
{
	(void)state;
	copy_all(KCATCH_RING_DISCARD);
	copy_all(KCATCH_RING_OVERWRITE);
}

/* ---- freezing ---------------------------------------------------------- */

static void thaw(void)
{
	kcatch_ring_thaw_begin(&fixture.ring);
	kcatch_ring_thaw_end(&fixture.ring);
}

static void frozen_ring_stays(void **state)
{
	u64 i, produced, over;
	u8 *copy = malloc(RING);

	(void)state;
	assert_non_null(copy);
	for (i = 0; i < 5000; i++)
		assert_true(fixture_write(&fixture, i, SMALL));
	kcatch_ring_freeze(&fixture.ring);
	produced = fixture.page->produced;
	over = fixture.page->overwritten;
	memcpy(copy, fixture.data, RING);
	for (i = 0; i < 5000; i++) {
		assert_false(fixture_write(&fixture, i, i % 9 ? SMALL : RECORD_MAX));
		assert_true(kcatch_ring_take_refused(&fixture.ring));
	}
	assert_false(kcatch_ring_take_refused(&fixture.ring));
	assert_int_equal(fixture.page->produced, produced);
	assert_int_equal(fixture.page->overwritten, over);
	assert_int_equal(fixture.page->discarded, 0);
	assert_memory_equal(copy, fixture.data, RING);
	thaw();
	assert_true(fixture_write(&fixture, 5000, SMALL));
	assert_true(fixture.page->produced > produced);
	free(copy);
}

/* A freeze is not undone by a thaw that began before it. */
static void freezes_during_a_thaw(void **state)
{
	(void)state;
	kcatch_ring_freeze(&fixture.ring);
	kcatch_ring_thaw_begin(&fixture.ring);
	assert_false(fixture_write(&fixture, 1, SMALL));
	kcatch_ring_freeze(&fixture.ring);
	kcatch_ring_thaw_end(&fixture.ring);
	assert_false(fixture_write(&fixture, 2, SMALL));
	thaw();
	assert_true(fixture_write(&fixture, 3, SMALL));
}

/* A record under way is finished; those that interrupt it after the freeze are refused. */
static void freezes_around_an_open_record(void **state)
{
	struct kcatch_record *open;
	u64 key = 0, seen = 0;

	(void)state;
	open = kcatch_ring_reserve(&fixture.ring, SMALL);
	kcatch_ring_freeze(&fixture.ring);
	assert_false(fixture_write(&fixture, 1, SMALL));
	assert_true(kcatch_ring_take_refused(&fixture.ring));
	fixture_fill(open, 7, SMALL);
	kcatch_ring_commit(&fixture.ring);
	assert_false(fixture_write(&fixture, 2, SMALL));
	while (next(&key))
		seen++;
	assert_int_equal(seen, 1);
	assert_int_equal(key, 7);
}

/* ---- threads ----------------------------------------------------------- */

static pthread_t writer;
static int finished;
static u64 written, lost, nested, keys, thread_read, thread_snapshots;

static void count_up(u64 *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void write_some(u64 size)
{
	u64 key = __atomic_fetch_add(&keys, 1, __ATOMIC_RELAXED);

	count_up(fixture_write(&fixture, key, 24 + size % 60 * 8) ? &written : &lost);
}

static void on_signal(int signal)
{
	(void)signal;
	count_up(&nested);
	write_some(nested);
	write_some(nested * 3);
}

static int snapshot_look(void *arg, uint32_t cpu, const void *packets, size_t size)
{
	const struct kcatch_packet *packet = packets;
	u64 place = sizeof(*packet), content = packet->content_size / 8;

	(void)arg;
	FIXTURE_CHECK(cpu == FIXTURE_CPU && size == fixture.packet_size);
	FIXTURE_CHECK(packet->magic == KCATCH_PACKET_MAGIC && content <= size);
	while (place < content) {
		const struct kcatch_record *record = (const void *)((const u8 *)packets + place);

		fixture_key(record, content - place);
		FIXTURE_CHECK(record->time >= packet->timestamp_begin);
		FIXTURE_CHECK(record->time <= packet->timestamp_end);
		place += record->size;
	}
	return 0;
}

static void *read_all(void *unused)
{
	u64 key, time = 0;
	unsigned int laps = 0;

	(void)unused;
	while (!__atomic_load_n(&finished, __ATOMIC_ACQUIRE)) {
		unsigned int burst = laps % 5 ? 20 : 100000;

		while (burst-- && next(&key)) {
			FIXTURE_CHECK(got.record.time >= time);
			time = got.record.time;
			thread_read++;
		}
		if (laps++ % 16)
			continue;
		sched_yield();
		kcatch_mapped_ring_snapshot(&mapped, kcatch_mapped_ring_produced(&mapped), room,
					    snapshot_look, NULL);
		thread_snapshots++;
	}
	return NULL;
}

static void *disturb(void *unused)
{
	const struct timespec pause = { .tv_nsec = 20000 };
	unsigned int i = 0;

	(void)unused;
	while (!__atomic_load_n(&finished, __ATOMIC_ACQUIRE)) {
		pthread_kill(writer, i % 2 ? SIGUSR1 : SIGUSR2);
		if (i++ % 8 == 0)
			nanosleep(&pause, NULL);
	}
	return NULL;
}

/* A reader of its own thread is overtaken all the time, and never sees a torn record. */
static void threads(void **state)
{
	struct sigaction action = { .sa_handler = on_signal };
	pthread_t reader, disturber;
	sigset_t both;
	u64 i, key;

	(void)state;
	assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
	assert_int_equal(sigaction(SIGUSR2, &action, NULL), 0);
	writer = pthread_self();
	sigemptyset(&both);
	sigaddset(&both, SIGUSR1);
	sigaddset(&both, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &both, NULL);
	assert_int_equal(pthread_create(&reader, NULL, read_all, NULL), 0);
	assert_int_equal(pthread_create(&disturber, NULL, disturb, NULL), 0);
	pthread_sigmask(SIG_UNBLOCK, &both, NULL);
	for (i = 0; i < 1000000 || (nested < 100 && i < 100000000); i++)
		write_some(i);
	__atomic_store_n(&finished, 1, __ATOMIC_RELEASE);
	pthread_join(disturber, NULL);
	pthread_join(reader, NULL);
	pthread_sigmask(SIG_BLOCK, &both, NULL);
	while (next(&key))
		thread_read++;
	assert_int_equal(written + lost, keys);
	assert_int_equal(fixture.page->discarded, lost);
	assert_int_equal(mapped.damaged, 0);
	assert_true(thread_read <= written);
	assert_true(thread_snapshots > 0);
	assert_int_equal(thread_read < written, mapped.overtaken > 0);
}

/* ---- a freeze from another processor ------------------------------------ */

#define FREEZES 300
static u64 attempts;

static u64 wait_for_attempts(u64 more)
{
	u64 until = __atomic_load_n(&attempts, __ATOMIC_ACQUIRE) + more;

	while (__atomic_load_n(&attempts, __ATOMIC_ACQUIRE) < until)
		sched_yield();
	return __atomic_load_n(&fixture.page->produced, __ATOMIC_ACQUIRE);
}

static void *freeze_and_thaw(void *unused)
{
	u64 produced;
	int i;

	(void)unused;
	for (i = 0; i < FREEZES; i++) {
		kcatch_ring_freeze(&fixture.ring);
		/* the one under way is completed, and then no more */
		produced = wait_for_attempts(2);
		FIXTURE_CHECK(wait_for_attempts(50) == produced);
		thaw();
		FIXTURE_CHECK(wait_for_attempts(50) > produced);
	}
	__atomic_store_n(&finished, 1, __ATOMIC_RELEASE);
	return NULL;
}

static void frozen_from_another_thread(void **state)
{
	u64 made = 0, denied = 0;
	pthread_t thread;

	(void)state;
	finished = 0;
	attempts = 0;
	assert_int_equal(pthread_create(&thread, NULL, freeze_and_thaw, NULL), 0);
	while (!__atomic_load_n(&finished, __ATOMIC_ACQUIRE)) {
		if (fixture_write(&fixture, made, made % 3 ? SMALL : RECORD_MAX / 2)) {
			made++;
		} else {
			assert_true(kcatch_ring_take_refused(&fixture.ring));
			denied++;
		}
		__atomic_fetch_add(&attempts, 1, __ATOMIC_RELEASE);
	}
	pthread_join(thread, NULL);
	assert_true(made > FREEZES && denied > FREEZES);
	assert_int_equal(fixture.page->discarded, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(last_lap_is_there, setup, teardown),
		cmocka_unit_test_setup_teardown(each_loss_is_noticed, setup, teardown),
		cmocka_unit_test_setup_teardown(open_record_stays, setup, teardown),
		cmocka_unit_test_setup_teardown(between_reserve_and_close, setup, teardown),
		cmocka_unit_test(against_a_model),
		cmocka_unit_test_setup_teardown(snapshot_is_the_last_lap, setup, teardown),
		cmocka_unit_test_setup_teardown(snapshot_after_a_lap, setup, teardown),
		cmocka_unit_test_setup_teardown(visitor_may_end_it, setup, teardown),
		cmocka_unit_test_setup_teardown(copies_have_each_once, setup, teardown),
		cmocka_unit_test_setup_teardown(frozen_ring_stays, setup, teardown),
		cmocka_unit_test_setup_teardown(freezes_around_an_open_record, setup, teardown),
		cmocka_unit_test_setup_teardown(freezes_during_a_thaw, setup, teardown),
		cmocka_unit_test_setup_teardown(threads, setup, teardown),
		cmocka_unit_test_setup_teardown(frozen_from_another_thread, setup, teardown),
	};

	return cmocka_run_group_tests_name("ring that overwrites", tests, NULL, NULL);
}
