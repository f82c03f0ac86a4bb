/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * spinning_cpus.c - finds CPUs that one thread keeps in the kernel
 *
 * A thread that has had a CPU for seconds, and is in the kernel when it is looked at, may be one
 * that nobody competes with: a virtual processor, a program that calls the kernel all the time. So
 * a thread of ours asks for that CPU. Where it gets to run, the CPU schedules.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <kcatch_text.h>
#include "base/array.h"
#include "stuck/spinning_cpus.h"

/* A thread may well have a CPU to itself for less. */
#define RUNS_NS 1000000000ULL

/* A CPU that is busy has a timer interrupt every 10 ms at least. */
#define WAIT_NS 100000000L

/* A thread waits for a CPU that schedules for some milliseconds, on a busy machine for some ten. */
#define VISIT_MS 500

#define CPUS_MAX 4096

/* ---- interrupts ------------------------------------------------------------------------- */

/* Of the timer, and those by which other CPUs ask for something, which one without a tick has. */
static bool is_counted(const char *line)
{
	return !strncmp(line, "LOC:", 4) || !strncmp(line, "RES:", 4) || !strncmp(line, "CAL:", 4);
}

/* Add up the interrupts of each CPU so far, by /proc/interrupts. */
static size_t read_interrupts(uint64_t *counts, uint32_t *cpus, size_t room)
{
	char *line = NULL, *at, *end;
	size_t size = 0, nr = 0, i;
	FILE *file = fopen("/proc/interrupts", "re");

	memset(counts, 0, room * sizeof(*counts));
	if (!file)
		return 0;
	if (getline(&line, &size, file) > 0) {
		for (at = line; nr < room && (at = strstr(at, "CPU")); at += 3)
			cpus[nr++] = (uint32_t)strtoul(at + 3, NULL, 10);
	}
	while (getline(&line, &size, file) > 0) {
		at = line + strspn(line, " ");
		if (!is_counted(at))
			continue;
		for (at += 4, i = 0; i < nr; i++, at = end) {
			counts[i] += strtoull(at, &end, 10);
			if (end == at)
				break;
		}
	}
	free(line);
	fclose(file);
	return nr;
}

static void find_interrupts(struct kcatch_stuck *stuck, const uint64_t *before, size_t nr,
			    uint32_t *cpus)
{
	uint64_t *after = calloc(CPUS_MAX, sizeof(*after));
	uint32_t i;
	size_t at;

	if (after && read_interrupts(after, cpus, CPUS_MAX) == nr) {
		for (i = 0; i < stuck->nr_cpus; i++) {
			for (at = 0; at < nr; at++) {
				if (cpus[at] == stuck->cpus[i].cpu)
					stuck->cpus[i].interrupts_off = before[at] == after[at];
			}
		}
	}
	free(after);
}

/* ---- who gets to run -------------------------------------------------------------------- */

/* The thread that asks for CPUs, one after the other. */
struct visitor {
	pthread_t thread;
	_Atomic uint32_t cpu;
	atomic_bool came, ends;
};

/*
 * It does not sleep: to wake up it would need an interrupt on the CPU that it asks for, and could
 * not be called back before. What is ready to run is moved away from any CPU at once.
 */
static void *visit(void *arg)
{
	struct visitor *visitor = arg;

	while (!atomic_load(&visitor->ends)) {
		if ((uint32_t)sched_getcpu() == atomic_load(&visitor->cpu))
			atomic_store(&visitor->came, true);
		sched_yield();
	}
	return NULL;
}

static bool visitor_begin(struct visitor *visitor)
{
	sigset_t all, before;
	int error;

	atomic_init(&visitor->cpu, UINT32_MAX);
	atomic_init(&visitor->came, false);
	atomic_init(&visitor->ends, false);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&visitor->thread, NULL, visit, visitor);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return !error;
}

static void visitor_end(struct visitor *visitor)
{
	atomic_store(&visitor->ends, true);
	pthread_join(visitor->thread, NULL);
}

/* Does the CPU schedule? A CPU that is not ours to use (cpuset) is not asked: false. */
static bool visits(struct visitor *visitor, uint32_t cpu)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	cpu_set_t *home = CPU_ALLOC(CPUS_MAX), *there = CPU_ALLOC(CPUS_MAX);
	size_t size = CPU_ALLOC_SIZE(CPUS_MAX);
	int i;

	atomic_store(&visitor->came, false);
	atomic_store(&visitor->cpu, cpu);
	if (home && there && !pthread_getaffinity_np(visitor->thread, size, home)) {
		CPU_ZERO_S(size, there);
		CPU_SET_S(cpu, size, there);
		if (!pthread_setaffinity_np(visitor->thread, size, there)) {
			for (i = 0; i < VISIT_MS && !atomic_load(&visitor->came); i++)
				nanosleep(&pause, NULL);
			/* Back, and not back to where it waits: there it would stay. */
			if (!atomic_load(&visitor->came))
				CPU_CLR_S(cpu, size, home);
			if (CPU_COUNT_S(size, home))
				pthread_setaffinity_np(visitor->thread, size, home);
		}
	}
	CPU_FREE(home);
	CPU_FREE(there);
	return atomic_load(&visitor->came);
}

/* Keep those that do not schedule. Whoever is killed while the visitor waits for one of them would
 * not end before the CPU does: signals wait. */
static void leave_out_visited(struct kcatch_stuck *stuck)
{
	struct visitor visitor;
	sigset_t all, signals;
	uint32_t i, kept = 0;

	if (!visitor_begin(&visitor))
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &signals);
	for (i = 0; i < stuck->nr_cpus; i++)
		if (!visits(&visitor, stuck->cpus[i].cpu))
			stuck->cpus[kept++] = stuck->cpus[i];
	stuck->nr_cpus = kept;
	pthread_sigmask(SIG_SETMASK, &signals, NULL);
	visitor_end(&visitor);
}

static void examine(struct kcatch_stuck *stuck)
{
	const struct timespec wait = { .tv_nsec = WAIT_NS };
	uint64_t *before = calloc(CPUS_MAX, sizeof(*before));
	uint32_t *cpus = calloc(CPUS_MAX, sizeof(*cpus));
	size_t nr = before && cpus ? read_interrupts(before, cpus, CPUS_MAX) : 0;

	leave_out_visited(stuck);
	if (nr && stuck->nr_cpus) {
		nanosleep(&wait, NULL);
		find_interrupts(stuck, before, nr, cpus);
	}
	free(before);
	free(cpus);
}

int kcatch_stuck_cpus_find(struct kcatch_stuck *stuck, uint64_t limit_ns)
{
	uint32_t i;

	if (limit_ns < RUNS_NS)
		limit_ns = RUNS_NS;
	for (i = 0; i < stuck->nr_tasks; i++) {
		const struct kcatch_task *task = &stuck->tasks[i];
		struct kcatch_stuck_cpu *cpus;

		/* The idle threads are not in the list; in user mode it can be preempted. */
		if (!(task->flags & KCATCH_TASK_ON_CPU) || task->stack_error ||
		    kcatch_stuck_age(stuck, i) < limit_ns)
			continue;
		cpus = kcatch_array_grow(stuck->cpus, stuck->nr_cpus, sizeof(*cpus));
		if (!cpus)
			return kcatch_error_memory();
		stuck->cpus = cpus;
		cpus[stuck->nr_cpus++] = (struct kcatch_stuck_cpu){ .cpu = task->cpu, .thread = i };
	}
	if (stuck->nr_cpus)
		examine(stuck);
	return 0;
}
