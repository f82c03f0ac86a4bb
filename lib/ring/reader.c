/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * reader.c - merges the ring buffers of all CPUs into one sequence of records
 *
 * Memory: the mappings, and one record for each CPU (a packet is allocated, but only the bytes
 * of the longest record are touched). mapped_ring.c reads the records.
 *
 * Whoever shows records takes a hundred times as long for one as the kernel for writing it. A ring
 * that fills up meanwhile is emptied into a backlog, which takes as long as writing does, so that
 * a burst is lost only when it is longer than ring and backlog together.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "ring/backlog.h"
#include "ring/reader.h"

#define BACKLOG_MAX	((size_t)64 << 20)	/* bytes, of all CPUs */
#define LOOK_EVERY	8			/* records between two looks at the rings */
#define RING_PART	4			/* of a ring may fill before it is emptied */

struct cpu_ring {
	struct kcatch_mapped_ring ring;
	bool mapped;
	bool queued;		/* the record that waits is the backlog's first */
	uint64_t produced;	/* as kcatch_ring_reader_begin() saw it */
	size_t size;		/* of the record that waits, 0: none */
	const struct kcatch_record *waiting;
	struct kcatch_record *room;	/* for a packet: no record is longer */
	struct kcatch_backlog backlog;	/* behind the record that waits, before the ring */
};

struct kcatch_ring_reader {
	int fd;
	uint32_t nr_cpus;
	uint32_t nr_mapped;
	uint32_t ring_size;
	uint32_t packet_size;
	uint64_t until;
	size_t page_size;
	size_t backlog_left;	/* bytes */
	unsigned int since;	/* records since the last look */
	struct cpu_ring **cpus;	/* by number, NULL until its ring is there */
	struct cpu_ring *given;	/* whose record was handed out last */
};

int kcatch_ring_reader_create(int fd, uint32_t nr_cpus, uint32_t ring_size, uint32_t packet_size,
			      struct kcatch_ring_reader **out)
{
	struct kcatch_ring_reader *reader = calloc(1, sizeof(*reader));

	*out = NULL;
	if (!reader)
		return kcatch_error_memory();
	reader->cpus = calloc(nr_cpus ? nr_cpus : 1, sizeof(struct cpu_ring *));
	if (!reader->cpus) {
		free(reader);
		return kcatch_error_memory();
	}
	reader->fd = fd;
	reader->nr_cpus = nr_cpus;
	reader->ring_size = ring_size;
	reader->packet_size = packet_size;
	reader->page_size = (size_t)sysconf(_SC_PAGESIZE);
	reader->backlog_left = BACKLOG_MAX;
	*out = reader;
	return 0;
}

static void unmap_ring(struct kcatch_ring_reader *reader, struct kcatch_mapped_ring *ring)
{
	if (ring->page)
		munmap((void *)ring->page, reader->page_size + reader->ring_size);
	if (ring->consumer)
		munmap(ring->consumer, reader->page_size);
}

void kcatch_ring_reader_destroy(struct kcatch_ring_reader *reader)
{
	uint32_t cpu;

	if (!reader)
		return;
	for (cpu = 0; cpu < reader->nr_cpus; cpu++) {
		if (!reader->cpus[cpu])
			continue;
		unmap_ring(reader, &reader->cpus[cpu]->ring);
		kcatch_backlog_clear(&reader->cpus[cpu]->backlog, &reader->backlog_left);
		free(reader->cpus[cpu]->room);
		free(reader->cpus[cpu]);
	}
	free(reader->cpus);
	free(reader);
}

static int map_ring(struct kcatch_ring_reader *reader, uint32_t cpu)
{
	struct cpu_ring *found = calloc(1, sizeof(*found));
	struct kcatch_mapped_ring *ring;
	void *map;
	int ret;

	if (!found)
		return kcatch_error_memory();
	found->room = malloc(reader->packet_size);
	if (!found->room) {
		free(found);
		return kcatch_error_memory();
	}
	ring = &found->ring;
	map = mmap(NULL, reader->page_size + reader->ring_size, PROT_READ, MAP_SHARED,
		   reader->fd, (off_t)KCATCH_MMAP_RING(cpu));
	if (map == MAP_FAILED) {
		ret = errno == ENXIO ? -ENXIO : kcatch_error_system(errno, "map a ring of the kcatch module");
		goto fail;
	}
	ring->page = map;
	map = mmap(NULL, reader->page_size, PROT_READ | PROT_WRITE, MAP_SHARED,
		   reader->fd, (off_t)KCATCH_MMAP_CONSUMER(cpu));
	if (map == MAP_FAILED) {
		ret = kcatch_error_system(errno, "map a ring's consumer page");
		goto fail;
	}
	ring->consumer = map;
	if (ring->page->ring_size != reader->ring_size ||
	    ring->page->packet_size != reader->packet_size ||
	    ring->page->data_offset != reader->page_size) {
		ret = kcatch_error_set(EPROTO, "the kcatch module's ring does not have the "
				       "requested layout");
		goto fail;
	}
	ring->data = (const unsigned char *)ring->page + reader->page_size;
	ring->ring_size = reader->ring_size;
	ring->packet_size = reader->packet_size;
	ring->position = __atomic_load_n(&ring->consumer->consumed, __ATOMIC_RELAXED);
	reader->cpus[cpu] = found;
	reader->nr_mapped++;
	return 0;
fail:
	unmap_ring(reader, ring);
	free(found->room);
	free(found);
	return ret;
}

int kcatch_ring_reader_map(struct kcatch_ring_reader *reader)
{
	struct kcatch_status status;
	uint32_t cpu;
	int ret;

	memset(&status, 0, sizeof(status));
	if (ioctl(reader->fd, KCATCH_IOC_STATUS, &status))
		return kcatch_error_system(errno, "ask the kcatch module for its status");
	for (cpu = 0; cpu < reader->nr_cpus && reader->nr_mapped < status.nr_rings; cpu++) {
		if (reader->cpus[cpu])
			continue;
		ret = map_ring(reader, cpu);
		if (ret && ret != -ENXIO)
			return ret;
	}
	return 0;
}

struct kcatch_mapped_ring *kcatch_ring_reader_ring(struct kcatch_ring_reader *reader, uint32_t cpu)
{
	return cpu < reader->nr_cpus && reader->cpus[cpu] ? &reader->cpus[cpu]->ring : NULL;
}

/* The next record of @cpu waits; what waited has been read. */
static void fill(struct kcatch_ring_reader *reader, struct cpu_ring *cpu)
{
	uint64_t before = cpu->ring.position;

	if (cpu->queued)
		kcatch_backlog_pop(&cpu->backlog, &reader->backlog_left);
	cpu->waiting = kcatch_backlog_first(&cpu->backlog);
	cpu->queued = cpu->waiting != NULL;
	if (cpu->queued) {
		cpu->size = cpu->waiting->size;
		return;
	}
	cpu->waiting = cpu->room;
	cpu->size = 0;
	/* What waited was read further than all are in this pass. */
	if (cpu->ring.position > cpu->produced)
		return;
	cpu->size = kcatch_mapped_ring_peek(&cpu->ring, cpu->produced, cpu->room,
					    cpu->ring.packet_size);
	cpu->ring.position += cpu->size;
	if (cpu->ring.position != before)
		kcatch_mapped_ring_consume(&cpu->ring);
}

/* All that is in the ring goes to the backlog, as far as there is room. */
static void empty_ring(struct kcatch_ring_reader *reader, struct cpu_ring *cpu, uint64_t produced)
{
	struct kcatch_record *room;
	size_t size;

	while ((room = kcatch_backlog_room(&cpu->backlog, cpu->ring.packet_size,
					   &reader->backlog_left))) {
		size = kcatch_mapped_ring_peek(&cpu->ring, produced, room, cpu->ring.packet_size);
		if (!size)
			break;
		cpu->ring.position += size;
		kcatch_backlog_push(&cpu->backlog, size);
	}
	kcatch_mapped_ring_consume(&cpu->ring);
}

static void empty_full_rings(struct kcatch_ring_reader *reader)
{
	uint32_t i;

	for (i = 0; i < reader->nr_cpus; i++) {
		struct cpu_ring *cpu = reader->cpus[i];
		uint64_t produced;

		if (!cpu)
			continue;
		produced = kcatch_mapped_ring_produced(&cpu->ring);
		if (produced - cpu->ring.position > reader->ring_size / RING_PART)
			empty_ring(reader, cpu, produced);
	}
}

int kcatch_ring_reader_begin(struct kcatch_ring_reader *reader, uint64_t until)
{
	uint32_t i;
	int ret = kcatch_ring_reader_map(reader);

	if (ret)
		return ret;
	reader->until = until;
	for (i = 0; i < reader->nr_cpus; i++) {
		struct cpu_ring *cpu = reader->cpus[i];

		if (!cpu)
			continue;
		cpu->produced = kcatch_mapped_ring_produced(&cpu->ring);
		if (!cpu->size)
			fill(reader, cpu);
	}
	return 0;
}

const struct kcatch_record *kcatch_ring_reader_next(struct kcatch_ring_reader *reader,
						    uint32_t *number)
{
	struct cpu_ring *oldest = NULL;
	uint32_t i;

	if (reader->given) {
		fill(reader, reader->given);
		reader->given = NULL;
	}
	/* Nothing is written to the rings of a session that has stopped. */
	if (++reader->since % LOOK_EVERY == 0 && reader->until != UINT64_MAX)
		empty_full_rings(reader);
	for (i = 0; i < reader->nr_cpus; i++) {
		struct cpu_ring *cpu = reader->cpus[i];

		if (!cpu || !cpu->size)
			continue;
		if (!oldest || cpu->waiting->time < oldest->waiting->time) {
			oldest = cpu;
			*number = i;
		}
	}
	if (!oldest || (reader->until != UINT64_MAX && oldest->waiting->time >= reader->until))
		return NULL;
	reader->given = oldest;
	return oldest->waiting;
}

bool kcatch_ring_reader_is_behind(const struct kcatch_ring_reader *reader)
{
	uint32_t i;

	for (i = 0; i < reader->nr_cpus; i++)
		if (reader->cpus[i] && kcatch_backlog_first(&reader->cpus[i]->backlog))
			return true;
	return false;
}

uint64_t kcatch_ring_reader_damaged(const struct kcatch_ring_reader *reader)
{
	uint64_t damaged = 0;
	uint32_t i;

	for (i = 0; reader && i < reader->nr_cpus; i++)
		damaged += reader->cpus[i] ? reader->cpus[i]->ring.damaged : 0;
	return damaged;
}

/* How far all have come, before any of them is read; CPUs that come later wait. */
static int look_at_all(struct kcatch_ring_reader *reader)
{
	uint32_t i;
	int ret = kcatch_ring_reader_map(reader);

	for (i = 0; !ret && i < reader->nr_cpus; i++)
		if (reader->cpus[i])
			reader->cpus[i]->produced = kcatch_mapped_ring_produced(
				&reader->cpus[i]->ring);
	return ret;
}

int kcatch_ring_reader_snapshot(struct kcatch_ring_reader *reader, kcatch_packets_visit visit,
				void *arg)
{
	uint32_t i;
	int ret = look_at_all(reader);

	for (i = 0; !ret && i < reader->nr_cpus; i++)
		if (reader->cpus[i])
			ret = kcatch_mapped_ring_snapshot(&reader->cpus[i]->ring,
							  reader->cpus[i]->produced,
							  reader->cpus[i]->room, visit, arg);
	return ret;
}
