/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* spinning_cpus.c - finds CPUs that one thread keeps in the kernel, by reading /proc twice */
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

/* Timer interrupts of each CPU so far, by the line LOC of /proc/interrupts. */
static size_t read_ticks(uint64_t *ticks, uint32_t *cpus, size_t room)
{
	char *line = NULL, *at, *end;
	size_t size = 0, nr = 0, i = 0;
	FILE *file = fopen("/proc/interrupts", "re");

	if (!file)
		return 0;
	if (getline(&line, &size, file) > 0) {
		for (at = line; nr < room && (at = strstr(at, "CPU")); at += 3)
			cpus[nr++] = (uint32_t)strtoul(at + 3, NULL, 10);
	}
	while (getline(&line, &size, file) > 0) {
		at = line + strspn(line, " ");
		if (strncmp(at, "LOC:", 4))
			continue;
		for (at += 4; i < nr; i++, at = end) {
			ticks[i] = strtoull(at, &end, 10);
			if (end == at)
				break;
		}
	}
	free(line);
	fclose(file);
	return i;
}

static void find_interrupts(struct kcatch_stuck *stuck)
{
	enum { CPUS_MAX = 4096 };
	uint64_t *before = calloc(CPUS_MAX, sizeof(*before)),
		 *after = calloc(CPUS_MAX, sizeof(*after));
	uint32_t *cpus = calloc(CPUS_MAX, sizeof(*cpus)), i;
	const struct timespec wait = { .tv_nsec = WAIT_NS };

	if (before && after && cpus) {
		size_t nr = read_ticks(before, cpus, CPUS_MAX), at;

		nanosleep(&wait, NULL);
		if (read_ticks(after, cpus, CPUS_MAX) != nr)
			nr = 0;
		for (i = 0; i < stuck->nr_cpus; i++) {
			for (at = 0; at < nr; at++) {
				if (cpus[at] == stuck->cpus[i].cpu)
					stuck->cpus[i].interrupts_off = before[at] == after[at];
			}
		}
	}
	free(before);
	free(after);
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
		find_interrupts(stuck);
	return 0;
}
