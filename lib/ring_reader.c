/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * ring_reader.c - the rings of all CPUs as one row of records
 *
 * The kernel writes while we read. Two loads and stores order it all:
 *   - produced is loaded with acquire: it pairs with the kernel's release after
 *     a record is complete, so the record's bytes are there;
 *   - consumed is stored with release after the record was copied: it pairs
 *     with the kernel's acquire before it writes there again.
 *
 * A record is copied before it is checked, so that what was checked is what is
 * used. Memory: one record for each CPU (room for a packet, of which only what the
 * longest record needs is ever touched), and the mappings.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "error.h"
#include "ring_reader.h"

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

/* Copy out of the ring; @length never reaches over the end of a packet. */
static void copy_out(const struct kcatch_mapped_ring *ring, uint64_t position, void *to, size_t length)
{
	memcpy(to, ring->data + (position & (ring->ring_size - 1)), length);
}

/*
 * Where the content of the packet at @base ends. A packet that was left says it
 * itself; the one that is being written ends at produced for now.
 */
static uint64_t content_end(struct kcatch_mapped_ring *ring, uint64_t base, uint64_t produced)
{
	struct kcatch_packet packet;
	uint64_t bytes;

	if (produced <= base + ring->packet_size)
		return produced;
	copy_out(ring, base, &packet, sizeof(packet));
	bytes = packet.content_size / 8;
	if (packet.magic != KCATCH_PACKET_MAGIC || packet.content_size % 64 ||
	    bytes < sizeof(packet) || bytes > ring->packet_size) {
		if (ring->position < base + ring->packet_size)
			ring->damaged++;
		return base;
	}
	return base + bytes;
}

bool kcatch_record_is_good(const struct kcatch_record *record, size_t size)
{
	const struct kcatch_return *end = (const struct kcatch_return *)record;
	const struct kcatch_hit *hit = (const struct kcatch_hit *)record;
	const struct kcatch_call_part *part;

	switch (KCATCH_RECORD_KIND(record->id)) {
	case KCATCH_RECORD_HIT:
	case KCATCH_RECORD_ENTRY:
	case KCATCH_RECORD_CALL:
		if (size < sizeof(*hit) || hit->nr_frames > KCATCH_DEPTH_MAX ||
		    size - sizeof(*hit) < hit->nr_frames * sizeof(hit->frames[0]))
			return false;
		if (KCATCH_RECORD_KIND(record->id) == KCATCH_RECORD_HIT)
			return true;
		size -= sizeof(*hit) + hit->nr_frames * sizeof(hit->frames[0]);
		part = (const struct kcatch_call_part *)&hit->frames[hit->nr_frames];
		if (size < sizeof(*part))
			return false;
		size -= sizeof(*part);
		return part->size[0] % 8 == 0 && part->size[1] % 8 == 0 && part->user_size <= size &&
		       size - part->user_size >= (size_t)part->size[0] + part->size[1];
	case KCATCH_RECORD_RETURN:
		return size >= sizeof(*end) && end->size <= size - sizeof(*end);
	default:
		return true;	/* of a later release */
	}
}

size_t kcatch_mapped_ring_peek(struct kcatch_mapped_ring *ring, uint64_t produced,
			struct kcatch_record *record, size_t room)
{
	/* More than the ring holds: then nothing of it can be believed. */
	if (produced < ring->position || produced - ring->position > ring->ring_size) {
		ring->damaged++;
		ring->position = produced & ~7ULL;
		return 0;
	}
	while (ring->position < produced) {
		uint64_t base = ring->position & ~(ring->packet_size - 1);
		uint64_t end = content_end(ring, base, produced), left;
		uint32_t size;

		if (ring->position == base && end >= base + sizeof(struct kcatch_packet))
			ring->position += sizeof(struct kcatch_packet);
		if (ring->position >= end) {
			/* Nothing more in this packet: wait, or go on to the next. */
			if (produced < base + ring->packet_size)
				return 0;
			ring->position = base + ring->packet_size;
			continue;
		}
		left = end - ring->position;
		if (left >= sizeof(*record))
			copy_out(ring, ring->position, record, sizeof(*record));
		if (left < sizeof(*record) || record->size < sizeof(*record) ||
		    record->size % 8 || record->size > left) {
			ring->damaged++;
			ring->position = produced < base + ring->packet_size ?
					 produced : base + ring->packet_size;
			continue;
		}
		if (record->size > room) {	/* fine, but not for this release */
			ring->damaged++;
			ring->position += record->size;
			continue;
		}
		/* The size was read once; a second copy must not change it. */
		size = record->size;
		copy_out(ring, ring->position, record, size);
		record->size = size;
		if (kcatch_record_is_good(record, size))
			return size;
		ring->damaged++;
		ring->position += size;
	}
	return 0;
}

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
		ret = kcatch_error_set(EPROTO, "the kcatch module's ring is not of the form that was asked for");
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

static int map_rings(struct kcatch_ring_reader *reader)
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

/* What was copied is the kernel's to write again. */
static void tell_consumed(struct kcatch_mapped_ring *ring)
{
	__atomic_store_n(&ring->consumer->consumed, ring->position, __ATOMIC_RELEASE);
}

static void fill(struct cpu_ring *cpu)
{
	uint64_t before = cpu->ring.position;

	cpu->size = kcatch_mapped_ring_peek(&cpu->ring, cpu->produced, cpu->waiting,
					    cpu->ring.packet_size);
	cpu->ring.position += cpu->size;
	if (cpu->ring.position != before)
		tell_consumed(&cpu->ring);
}

int kcatch_ring_reader_begin(struct kcatch_ring_reader *reader, uint64_t until)
{
	uint32_t i;
	int ret = map_rings(reader);

	if (ret)
		return ret;
	reader->until = until;
	for (i = 0; i < reader->nr_cpus; i++) {
		struct cpu_ring *cpu = reader->cpus[i];

		if (!cpu)
			continue;
		cpu->produced = __atomic_load_n(&cpu->ring.page->produced, __ATOMIC_ACQUIRE);
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
