/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * reader.c - merges the ring buffers of all CPUs into one sequence of records
 *
 * Memory: the mappings, and one record for each CPU (a packet is allocated, but only the bytes
 * of the longest record are touched). mapped_ring.c reads the records.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "ring/reader.h"

struct cpu_ring {
	struct kcatch_mapped_ring ring;
	bool mapped;
	uint64_t produced;	/* as kcatch_ring_reader_begin() saw it */
	size_t size;		/* of the record that waits, 0: none */
	struct kcatch_record *waiting;	/* room for a packet: no record is longer */
};

struct kcatch_ring_reader {
	int fd;
	uint32_t nr_cpus;
	uint32_t nr_mapped;
	uint32_t ring_size;
	uint32_t packet_size;
	uint64_t until;
	size_t page_size;
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
		free(reader->cpus[cpu]->waiting);
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
	found->waiting = malloc(reader->packet_size);
	if (!found->waiting) {
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
	free(found->waiting);
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

static void fill(struct cpu_ring *cpu)
{
	uint64_t before = cpu->ring.position;

	cpu->size = kcatch_mapped_ring_peek(&cpu->ring, cpu->produced, cpu->waiting,
					    cpu->ring.packet_size);
	cpu->ring.position += cpu->size;
	if (cpu->ring.position != before)
		kcatch_mapped_ring_consume(&cpu->ring);
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
			fill(cpu);
	}
	return 0;
}

const struct kcatch_record *kcatch_ring_reader_next(struct kcatch_ring_reader *reader,
						    uint32_t *number)
{
	struct cpu_ring *oldest = NULL;
	uint32_t i;

	if (reader->given) {
		fill(reader->given);
		reader->given = NULL;
	}
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
							  reader->cpus[i]->waiting, visit, arg);
	return ret;
}
