// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ring_scale [RECORDS]: nanoseconds of processor time that a record with two integers costs in
 * kcatch's ring, with the code the kernel runs: on one processor of this very machine, and on all
 * of them at once, each with a ring of its own, by turns.
 *
 * Rings are flight recorders of 1 MB that overwrite, which nobody reads.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "ring/ring.h"

#define RING	(1 << 20)
#define PACKET	65536
#define TURNS	15

/**
 * struct writer - one processor's thread
 * @ring: alone in its cache lines, as per-CPU memory is
 * @cpu: where it runs
 * @ns: what a record cost in the last turn, processor time
 */
struct writer {
	struct kcatch_ring ring __attribute__((aligned(128)));
	struct kcatch_ring_page *page;
	pthread_t thread;
	int cpu;
	double ns;
};

static pthread_barrier_t barrier;
static int records = 1000000;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

static __attribute__((noinline)) void write_two(struct kcatch_ring *ring, int a, int b)
{
	struct kcatch_event_record *event =
		(void *)kcatch_ring_reserve(ring, sizeof(*event) + 2 * sizeof(int));

	if (!event)
		return;
	event->head.id = KCATCH_RECORD_ID(KCATCH_RECORD_EVENT, 1);
	event->pid = event->tid = 1;
	((int *)event->data)[0] = a;
	((int *)event->data)[1] = b;
	kcatch_ring_commit(ring);
}

static void *work(void *data)
{
	struct writer *writer = data;
	cpu_set_t set;
	double begin;
	int i;

	CPU_ZERO(&set);
	CPU_SET(writer->cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	pthread_barrier_wait(&barrier);
	begin = now();
	for (i = 0; i < records; i++)
		write_two(&writer->ring, i, -i);
	writer->ns = (now() - begin) / records;
	return NULL;
}

/* The mean of @nr writers at once. */
static double turn(struct writer *writers, int nr)
{
	double sum = 0;
	int i;

	pthread_barrier_init(&barrier, NULL, nr);
	for (i = 0; i < nr; i++)
		if (pthread_create(&writers[i].thread, NULL, work, &writers[i]))
			exit(1);
	for (i = 0; i < nr; i++) {
		pthread_join(writers[i].thread, NULL);
		sum += writers[i].ns;
	}
	pthread_barrier_destroy(&barrier);
	return sum / nr;
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static double median(double *values)
{
	qsort(values, TURNS, sizeof(*values), ascending);
	return values[TURNS / 2];
}

static int writer_make(struct writer *writer, int cpu)
{
	struct kcatch_consumer_page *consumer = aligned_alloc(4096, 4096);
	void *data = aligned_alloc(4096, RING);
	const u8 uuid[16] = { 0 };

	writer->page = aligned_alloc(4096, 4096);
	if (!consumer || !data || !writer->page)
		return -1;
	memset(consumer, 0, 4096);
	memset(writer->page, 0, 4096);
	memset(data, 0, RING);
	writer->cpu = cpu;
	kcatch_ring_init(&writer->ring, writer->page, data, consumer, RING, PACKET,
			 KCATCH_RING_OVERWRITE, cpu, uuid);
	return 0;
}

int main(int argc, char **argv)
{
	double alone[TURNS], together[TURNS];
	int nr = sysconf(_SC_NPROCESSORS_ONLN), i;
	struct writer *writers;

	records = argc > 1 ? atoi(argv[1]) : records;
	writers = aligned_alloc(128, nr * sizeof(*writers));
	if (!writers || records < 1)
		return fprintf(stderr, "usage: ring_scale [RECORDS]\n"), 1;
	for (i = 0; i < nr; i++)
		if (writer_make(&writers[i], i))
			return perror("ring_scale"), 1;
	turn(writers, nr);
	for (i = 0; i < TURNS; i++) {
		alone[i] = turn(writers, 1);
		together[i] = turn(writers, nr);
	}
	printf("scale kcatch alone %.1f on %d processors %.1f ratio %.2f (median of %d turns of %d records)\n",
	       median(alone), nr, median(together), median(together) / median(alone), TURNS,
	       records);
	return 0;
}
