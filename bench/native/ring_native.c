// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ring_native [RECORDS]: nanoseconds a record with two integers costs on this very
 * machine: in kcatch's ring, with the code the kernel runs, and as a tracepoint of
 * lttng-ust, by turns in one process.
 *
 * Both are flight recorders: rings of 1 MB that overwrite, which nobody reads. Both
 * records have a time and the two integers; kcatch's has process and thread, too (in
 * lttng they would be contexts, which cost more). kcatch's clock is the processor's
 * counter, as in the kernel; lttng's is clock_gettime(), so that it is measured as well.
 *
 * An lttng session must record kcatch_bench:two, see ../run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "ring/ring.h"

#define LTTNG_UST_TRACEPOINT_DEFINE
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#include "two.h"

#define RING	(1 << 20)
#define PACKET	65536
#define TURNS	9

static struct kcatch_ring ring;
static u32 pid, tid;

/* As the kernel's EVENT record, by way of the module's common path. */
static __attribute__((noinline)) void kcatch_two(int a, int b)
{
	struct kcatch_event_record *event =
		(void *)kcatch_ring_reserve(&ring, sizeof(*event) + 2 * sizeof(int));

	if (!event)
		return;
	event->head.id = KCATCH_RECORD_ID(KCATCH_RECORD_EVENT, 1);
	event->pid = pid;
	event->tid = tid;
	((int *)event->data)[0] = a;
	((int *)event->data)[1] = b;
	kcatch_ring_commit(&ring);
}

static __attribute__((noinline)) void lttng_two(int a, int b)
{
	lttng_ust_tracepoint(kcatch_bench, two, a, b);
}

/* The loop and the call, which are in all figures and taken out again. */
static __attribute__((noinline)) void nothing(int a, int b)
{
	__asm__ volatile("" : : "r" (a), "r" (b));
}

/* Of this thread: what others take of the processor is not in it. */
static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

static double turn(void (*function)(int a, int b), int records)
{
	double begin = now();
	int i;

	for (i = 0; i < records; i++)
		function(i, -i);
	return (now() - begin) / records;
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

static void read_clock(int a, int b)
{
	struct timespec time;

	(void)a;
	(void)b;
	clock_gettime(CLOCK_MONOTONIC, &time);
}

static void read_counter(int a, int b)
{
	u64 time = __rdtsc();

	__asm__ volatile("" : : "r" (time), "r" (a), "r" (b));
}

int main(int argc, char **argv)
{
	static void (*const functions[])(int a, int b) = {
		nothing, kcatch_two, lttng_two, read_clock, read_counter,
	};
	int records = argc > 1 ? atoi(argv[1]) : 1000000, t, f;
	struct kcatch_ring_page *page = calloc(1, sizeof(*page));
	struct kcatch_consumer_page *consumer = calloc(1, sizeof(*consumer));
	void *data = aligned_alloc(4096, RING);
	double ns[5][TURNS], kcatch, lttng;
	const u8 uuid[16] = { 0 };

	if (!page || !consumer || !data || records < 1)
		return fprintf(stderr, "usage: ring_native [RECORDS]\n"), 1;
	memset(data, 0, RING);
	pid = getpid();
	tid = gettid();
	kcatch_ring_init(&ring, page, data, consumer, RING, PACKET, KCATCH_RING_OVERWRITE, 0, uuid);
	if (!lttng_ust_tracepoint_enabled(kcatch_bench, two))
		return fprintf(stderr, "ring_native: no lttng session records kcatch_bench:two\n"),
		       1;
	for (f = 0; f < 5; f++)	/* caches and pages */
		turn(functions[f], records / 4);
	for (t = 0; t < TURNS; t++)
		for (f = 0; f < 5; f++)
			ns[f][t] = turn(functions[f], records);
	if (page->discarded || page->produced / 32 < (u64)records * TURNS)
		return fprintf(stderr, "ring_native: not all records were made\n"), 1;
	kcatch = median(ns[1]) - median(ns[0]);
	lttng = median(ns[2]) - ns[0][TURNS / 2];
	printf("native kcatch %.1f lttng %.1f ratio %.3f clock_gettime %.1f counter %.1f (median of %d turns of %d records)\n",
	       kcatch, lttng, kcatch / lttng, median(ns[3]) - ns[0][TURNS / 2],
	       median(ns[4]) - ns[0][TURNS / 2], TURNS, records);
	return 0;
}
