/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * jit_names.c - of processes, the names of code that they made at run time
 *
 * A file is read again when it has grown, five times a second at most and for a tenth of all time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/timing.h"
#include "debuginfo/jit_names.h"
#include "debuginfo/process_identity.h"

#define PROCESSES_MAX 32 /* of this machine */
#define FRESH_NS      200000000ULL

struct kcatch_jit_process {
	uint32_t pid;
	unsigned long long start_time; /* of the process; 0: not known */
	struct kcatch_perf_map *map;   /* NULL: none */
	struct stat status;            /* of the file that @map is of */
	uint64_t looked, next;         /* times, kcatch_timing_now_ns() */
};

static struct kcatch_jit_process *find(const struct kcatch_jit_names *names, uint32_t pid)
{
	size_t i;

	for (i = 0; i < names->nr; i++)
		if (names->processes[i].pid == pid)
			return &names->processes[i];
	return NULL;
}

static struct kcatch_jit_process *add(struct kcatch_jit_names *names, uint32_t pid)
{
	struct kcatch_jit_process *more = realloc(names->processes,
						  (names->nr + 1) * sizeof(*more));

	if (!more)
		return NULL;
	names->processes = more;
	more += names->nr++;
	memset(more, 0, sizeof(*more));
	more->pid = pid;
	return more;
}

static void forget(struct kcatch_jit_process *process, uint32_t pid)
{
	kcatch_perf_map_destroy(process->map);
	memset(process, 0, sizeof(*process));
	process->pid = pid;
}

int kcatch_jit_names_add(struct kcatch_jit_names *names, uint32_t pid, struct kcatch_perf_map *map)
{
	struct kcatch_jit_process *process = find(names, pid);

	if (!process)
		process = add(names, pid);
	if (!process) {
		kcatch_perf_map_destroy(map);
		return -ENOMEM;
	}
	forget(process, pid);
	process->map = map;
	return 0;
}

const struct kcatch_perf_map *kcatch_jit_names_find(const struct kcatch_jit_names *names,
						    uint32_t pid)
{
	const struct kcatch_jit_process *process = find(names, pid);

	return process ? process->map : NULL;
}

/* The place of a process; or a new one, or else that which was asked for longest ago. */
static struct kcatch_jit_process *place_of(struct kcatch_jit_names *names, uint32_t pid)
{
	struct kcatch_jit_process *place = find(names, pid);
	size_t i;

	if (!place && names->nr < PROCESSES_MAX)
		return add(names, pid);
	if (place)
		return place;
	place = names->processes;
	for (i = 1; i < names->nr; i++)
		if (names->processes[i].looked < place->looked)
			place = &names->processes[i];
	forget(place, pid);
	return place;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static void read_again(struct kcatch_jit_process *process, uint32_t reader)
{
	struct kcatch_perf_map_file file;

	/* One that is removed before the process ends has been true. */
	if (!kcatch_perf_map_open(reader, &file))
		return;
	if (!process->map || !is_same(&file.status, &process->status)) {
		kcatch_perf_map_destroy(process->map);
		process->map = kcatch_perf_map_read(file.fd, file.number);
		process->status = file.status;
	}
	close(file.fd);
}

const struct kcatch_perf_map *kcatch_jit_names_look(struct kcatch_jit_names *names, uint32_t pid)
{
	struct kcatch_jit_process *process = place_of(names, pid);
	struct kcatch_process_identity identity;
	uint32_t reader;

	if (!process)
		return NULL;
	process->looked = kcatch_timing_now_ns();
	reader = kcatch_process_identity_reader(pid, &identity);
	if (!identity.start_stack)
		return process->map;
	if (process->start_time != identity.start_time)
		forget(process, pid);
	process->looked = kcatch_timing_now_ns();
	process->start_time = identity.start_time;
	if (process->looked < process->next)
		return process->map;
	read_again(process, reader);
	process->next = kcatch_timing_now_ns();
	process->next += FRESH_NS + 10 * (process->next - process->looked);
	return process->map;
}

void kcatch_jit_names_deinit(struct kcatch_jit_names *names)
{
	size_t i;

	for (i = 0; i < names->nr; i++)
		kcatch_perf_map_destroy(names->processes[i].map);
	free(names->processes);
	memset(names, 0, sizeof(*names));
}
