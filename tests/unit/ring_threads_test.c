// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a reader in a thread of its own, while the writer is interrupted
 * by signals whose handler writes, and by another signal in those: no torn
 * record, no reordering, and records plus losses are exactly the writes.
 */
#include "ring_fixture.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#define RING 16384
#define PACKET 4096
#define WRITES 2000000

static struct ring_fixture fixture;
static pthread_t writer;
static int finished;
static u64 next_key, written, lost, nested;

static void count_up(u64 *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void write_one(u64 size)
{
	u64 key = __atomic_fetch_add(&next_key, 1, __ATOMIC_RELAXED);

	count_up(fixture_write(&fixture, key, 24 + size % 60 * 8) ? &written : &lost);
}

static void interrupt(int signal)
{
	(void)signal;
	count_up(&nested);
	write_one(nested);
	write_one(nested * 3);
}

static void *read_all(void *unused)
{
	unsigned int laps = 0;

	(void)unused;
	while (!__atomic_load_n(&finished, __ATOMIC_ACQUIRE)) {
		fixture_read(&fixture, laps % 3 ? ~0ULL : 5, NULL, NULL);
		if (laps % 4)
			fixture_consume(&fixture);
		if (laps++ % 16 == 0)
			sched_yield();
	}
	return NULL;
}

/* Signals at the writer, from outside: at any place of its way. */
static void *disturb(void *unused)
{
	const struct timespec pause = { .tv_nsec = 20000 };
	unsigned int i = 0;

	(void)unused;
	while (!__atomic_load_n(&finished, __ATOMIC_ACQUIRE)) {
		pthread_kill(writer, SIGUSR1);
		if (i++ % 2)
			pthread_kill(writer, SIGUSR2);
		if (i % 8 == 0)
			nanosleep(&pause, NULL);
	}
	return NULL;
}

static void threads(void **state)
{
	struct sigaction action = { .sa_handler = interrupt };
	pthread_t reader, disturber;
	sigset_t both;
	u64 i;

	(void)state;
	fixture_init(&fixture, RING, PACKET);
	/* USR2 may interrupt USR1's handler and the other way round */
	assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
	assert_int_equal(sigaction(SIGUSR2, &action, NULL), 0);
	writer = pthread_self();
	sigemptyset(&both);
	sigaddset(&both, SIGUSR1);
	sigaddset(&both, SIGUSR2);
	/* the other two threads are born with both blocked */
	pthread_sigmask(SIG_BLOCK, &both, NULL);
	assert_int_equal(pthread_create(&reader, NULL, read_all, NULL), 0);
	assert_int_equal(pthread_create(&disturber, NULL, disturb, NULL), 0);
	pthread_sigmask(SIG_UNBLOCK, &both, NULL);

	for (i = 0; i < WRITES || (nested < 100 && i < 100 * WRITES); i++)
		write_one(i);

	__atomic_store_n(&finished, 1, __ATOMIC_RELEASE);
	pthread_join(disturber, NULL);
	pthread_join(reader, NULL);
	pthread_sigmask(SIG_BLOCK, &both, NULL);
	fixture_read(&fixture, ~0ULL, NULL, NULL);
	assert_true(nested >= 100);
	assert_int_equal(written + lost, next_key);
	assert_int_equal(fixture.records, written);
	assert_int_equal(fixture.page->discarded, lost);
	fixture_free(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads),
	};

	return cmocka_run_group_tests_name("ring with a reader thread", tests, NULL, NULL);
}
