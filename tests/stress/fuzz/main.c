// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_ioctl - opens, fills, binds, starts, maps, reads, stops and closes sessions at random
 *
 *   fuzz_ioctl [--seed N] [--operations N] [--threads N] [--modules DIRECTORY]
 *
 * Requests are valid but for a field or two, positions in the mapped page are hostile, the text
 * files are written and read, and the test modules come and go meanwhile. Each thread has a
 * session of its own, whose counters and rings are checked each time it is closed, and four that
 * all threads share. Prints TAP, and how many operations of each kind succeeded: a fuzzer whose
 * requests are all refused proves nothing.
 */
#include "fuzz.h"
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX 16
#define SHARED 4
#define STUCK 300	/* seconds without an operation */
#define TOLD 30		/* seconds from one line of progress to the next */

/**
 * struct operation - one kind of operation
 * @weight: how often, of the sum of all weights
 * @tried: how often it was done
 * @succeeded: how often without an error
 * @nanoseconds: how long all of them took
 */
struct operation {
	const char *name;
	int (*run)(struct worker *worker, struct slot *slot);
	uint32_t weight;
	uint64_t tried, succeeded, nanoseconds;
};

static int fuzz_close(struct worker *worker, struct slot *slot);
static int fuzz_interrupt(struct worker *worker, struct slot *slot);

#define OPERATION(name, run, weight) { name, run, weight, 0, 0, 0 }

static struct operation operations[] = {
	OPERATION("open", fuzz_open, 2),
	OPERATION("close", fuzz_close, 8),
	OPERATION("SETUP", fuzz_setup, 10),
	OPERATION("ADD", fuzz_add, 20),
	OPERATION("START", fuzz_start, 200),
	OPERATION("STOP", fuzz_stop, 100),
	OPERATION("PROGRAM", fuzz_program, 400),
	OPERATION("BIND", fuzz_bind, 200),
	OPERATION("TABLE", fuzz_table, 60),
	OPERATION("COUNT", fuzz_count, 300),
	OPERATION("SWAP", fuzz_swap, 60),
	OPERATION("ROWS", fuzz_rows, 100),
	OPERATION("bytes", fuzz_bytes, 300),
	OPERATION("INFO", fuzz_info, 300),
	OPERATION("PROBES", fuzz_probes, 400),
	OPERATION("COUNTERS", fuzz_counters, 500),
	OPERATION("EVENTS", fuzz_events, 300),
	OPERATION("STATUS", fuzz_status, 500),
	OPERATION("SYMBOL", fuzz_symbol, 500),
	OPERATION("TASKS", fuzz_tasks, 100),
	OPERATION("READ", fuzz_read, 400),
	OPERATION("poll", fuzz_poll, 400),
	OPERATION("map", fuzz_map, 80),
	OPERATION("unmap", fuzz_unmap, 16),
	OPERATION("map oddly", fuzz_map_oddly, 100),
	OPERATION("consume", fuzz_consume, 1500),
	OPERATION("calls", fuzz_calls, 1500),
	OPERATION("order", fuzz_order, 120),
	OPERATION("otst", fuzz_otst, 12),
	OPERATION("ktrace file", fuzz_ktrace_file, 100),
	OPERATION("ktrace buffer", fuzz_ktrace_buffer, 400),
	OPERATION("parameter", fuzz_parameter, 60),
	OPERATION("module", fuzz_module, 2),
	OPERATION("affinity", fuzz_affinity, 20),
	OPERATION("fork", fuzz_fork, 4),
	OPERATION("dup", fuzz_dup, 40),
	OPERATION("interrupt", fuzz_interrupt, 60),
};
#define OPERATIONS (sizeof(operations) / sizeof(*operations))

static uint64_t seed = 1, wanted = 200000;
static int nr_threads = 4;
static uint32_t weights;
static struct worker workers[THREADS_MAX];
static struct slot shared[SHARED];
static uint64_t sessions_checked, hits, records, unequal;
static const char *damage;

/* Sums of one session's counters; false when an equation does not hold. */
static bool counters_add(int fd, uint64_t *session_hits, uint64_t *session_recorded)
{
	struct kcatch_counters counters[64];
	struct kcatch_query query = { .cpu = KCATCH_CPU_ALL, .buffer = (uintptr_t)counters };
	bool equal = true;
	uint32_t i;

	do {
		query.count = 64;
		if (ioctl(fd, KCATCH_IOC_COUNTERS, &query))
			return true;	/* it was never set up */
		for (i = 0; i < query.count; i++) {
			equal = equation_holds(&counters[i]) && equal;
			*session_hits += counters[i].hits;
			*session_recorded += counters[i].recorded;
		}
		query.first += query.count;
	} while (query.count == 64);
	return equal;
}

static void session_check(struct slot *slot)
{
	uint64_t session_hits = 0, session_recorded = 0;
	const char *what;

	if (ioctl(slot->fd, KCATCH_IOC_STOP))
		return;
	if (!counters_add(slot->fd, &session_hits, &session_recorded))
		__atomic_add_fetch(&unequal, 1, __ATOMIC_RELAXED);
	what = rings_damage(slot);
	if (what)
		__atomic_store_n(&damage, what, __ATOMIC_RELAXED);
	__atomic_add_fetch(&sessions_checked, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&hits, session_hits, __ATOMIC_RELAXED);
	__atomic_add_fetch(&records, session_recorded, __ATOMIC_RELAXED);
}

static int fuzz_close(struct worker *worker, struct slot *slot)
{
	int fd;

	(void)worker;
	if (slot->own) {
		session_check(slot);
		slot_unmap(slot);
	}
	fd = __atomic_exchange_n(&slot->fd, -1, __ATOMIC_RELAXED);
	return fd < 0 ? -1 : close(fd);
}

static int fuzz_interrupt(struct worker *worker, struct slot *slot)
{
	(void)slot;
	return pthread_kill(workers[below(worker, nr_threads)].thread, SIGUSR1);
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

static struct operation *choose(struct worker *worker)
{
	uint32_t at = below(worker, weights);
	size_t i;

	for (i = 0; at >= operations[i].weight; i++)
		at -= operations[i].weight;
	return &operations[i];
}

static void operate(struct worker *worker, uint64_t number)
{
	struct operation *operation;
	struct slot *slot;
	uint64_t begin;

	random_begin(worker, seed, number);
	operation = choose(worker);
	slot = once_in(worker, 2) ? &worker->own : &shared[below(worker, SHARED)];
	if (slot->fd < 0)
		operation = &operations[0];
	if (operation->run == fuzz_open && slot->own && slot->fd >= 0)
		fuzz_close(worker, slot);
	begin = now();
	__atomic_store_n(&worker->doing, operation->name, __ATOMIC_RELAXED);
	__atomic_add_fetch(&operation->tried, 1, __ATOMIC_RELAXED);
	if (!operation->run(worker, slot))
		__atomic_add_fetch(&operation->succeeded, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&operation->nanoseconds, now() - begin, __ATOMIC_RELAXED);
	__atomic_store_n(&worker->done, number + 1, __ATOMIC_RELAXED);
}

static void *work(void *data)
{
	struct worker *worker = data;
	uint64_t i;

	worker->tid = syscall(SYS_gettid);
	for (i = 0; i < wanted / nr_threads; i++)
		operate(worker, i);
	worker->doing = "nothing";
	if (worker->own.fd >= 0)
		fuzz_close(worker, &worker->own);
	control_finish(worker);
	return NULL;
}

static void nothing(int signal)
{
	(void)signal;
}

/* Memory of the worker's requests, and the same pages once more to read only. */
static void memory_make(struct worker *worker)
{
	int fd = memfd_create("requests", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, FUZZ_MEMORY))
		bail("there is memory for requests");
	worker->memory = mmap(NULL, FUZZ_MEMORY + 4096, PROT_NONE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	worker->read_only = mmap(NULL, FUZZ_MEMORY, PROT_READ, MAP_SHARED | MAP_32BIT, fd, 0);
	if (worker->memory == MAP_FAILED || worker->read_only == MAP_FAILED ||
	    mmap(worker->memory, FUZZ_MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		 fd, 0) == MAP_FAILED)
		bail("requests are below 4 GB");
	close(fd);
}

static uint64_t operations_done(void)
{
	uint64_t done = 0;
	int i;

	for (i = 0; i < nr_threads; i++)
		done += __atomic_load_n(&workers[i].done, __ATOMIC_RELAXED);
	return done;
}

/* Where each thread is, when none gets on. */
static void threads_tell(void)
{
	char command[128];
	int i;

	for (i = 0; i < nr_threads; i++) {
		note("thread %d is in %s:", i, workers[i].doing);
		snprintf(command, sizeof(command),
			 "cd /proc/%d/task/%d; sed -n 's/^State/# &/p' status; sed 's/^/#   /' stack",
			 getpid(), workers[i].tid);
		if (system(command))
			note("its stack cannot be read");
	}
}

/* Until all operations are done, or something is wrong. */
static void threads_watch(uint64_t all)
{
	const struct timespec pause = { .tv_sec = 5 };
	time_t begin = time(NULL), moved = begin, told = begin;
	uint64_t before = 0, done;

	do {
		nanosleep(&pause, NULL);
		done = operations_done();
		if (done >= all || time(NULL) - told >= TOLD) {
			told = time(NULL);
			note("%" PRIu64 " operations in %ld s, %" PRIu64 " sessions checked, %"
			     PRIu64 " hits", done, (long)(told - begin), sessions_checked, hits);
		}
		if (done != before)
			moved = time(NULL);
		before = done;
		if (time(NULL) - moved >= STUCK) {
			threads_tell();
			bail("the threads get on");
		}
	} while (done < all && !damage && !unequal);
	if (done < all)
		bail("the rings of a session are sound, its equation holds (%s)",
		     damage ? damage : "equation");
}

static void threads_run(void)
{
	int i;

	for (i = 0; i < nr_threads; i++) {
		workers[i].number = i;
		memory_make(&workers[i]);
		slot_init(&workers[i].own, true);
		workers[i].ktrace[0] = workers[i].ktrace[1] = -1;
		workers[i].thread = pthread_self();	/* until it is there */
	}
	for (i = 0; i < nr_threads; i++)
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			bail("thread %d begins", i);
	threads_watch(wanted / nr_threads * nr_threads);
	for (i = 0; i < nr_threads; i++)
		pthread_join(workers[i].thread, NULL);
	for (i = 0; i < SHARED; i++)
		if (shared[i].fd >= 0)
			close(shared[i].fd);
}

static void depth_check(void)
{
	size_t i;

	for (i = 0; i < OPERATIONS; i++) {
		const struct operation *operation = &operations[i];

		check(operation->succeeded,
		      "%s: %" PRIu64 " of %" PRIu64 " succeeded, %" PRIu64 " us each",
		      operation->name, operation->succeeded, operation->tried,
		      operation->nanoseconds / 1000 / (operation->tried + !operation->tried));
	}
}

static void options_read(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "operations", required_argument, NULL, 'n' },
		{ "threads", required_argument, NULL, 't' },
		{ "modules", required_argument, NULL, 'm' },
		{ NULL, 0, NULL, 0 },
	};
	const char *directory = getenv("KT_MODULES");
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) >= 0)
		switch (option) {
		case 's': seed = strtoull(optarg, NULL, 0); break;
		case 'n': wanted = strtoull(optarg, NULL, 0); break;
		case 't': nr_threads = atoi(optarg); break;
		case 'm': directory = optarg; break;
		default: exit(1);
		}
	if (!directory || nr_threads < 1 || nr_threads > THREADS_MAX)
		bail("there are 1 to %d threads, and a directory of test modules", THREADS_MAX);
	modules_read(directory);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = nothing };
	size_t i;

	options_read(argc, argv);
	symbols_read();
	sigaction(SIGUSR1, &action, NULL);
	for (i = 0; i < SHARED; i++)
		slot_init(&shared[i], false);
	for (i = 0; i < OPERATIONS; i++)
		weights += operations[i].weight;
	note("seed %" PRIu64 ", %" PRIu64 " operations, %d threads", seed, wanted, nr_threads);
	threads_run();
	check(!damage, "the rings of all sessions are sound%s%s", damage ? ": " : "",
	      damage ? damage : "");
	check_equal(unequal, 0, "the equation holds in %" PRIu64 " sessions", sessions_checked);
	check(hits && records, "with %" PRIu64 " hits, %" PRIu64 " of them recorded", hits,
	      records);
	depth_check();
	return finish();
}
