// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rings.c - maps rings, lies about what was read, and checks what the kernel wrote
 *
 * Each view is memory that is always there: a ring is mapped elsewhere and moved into the view
 * in one step, and memory of our own takes its place again. So a thread may read and write a
 * view while another maps and unmaps it.
 */
#include "fuzz.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096U

static unsigned char *own_memory(void *at, size_t size)
{
	void *memory = mmap(at, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);

	if (memory == MAP_FAILED) {
		perror("fuzz_ioctl: mmap");
		exit(1);
	}
	return memory;
}

void slot_init(struct slot *slot, bool own)
{
	int cpu;

	*slot = (struct slot){ .fd = -1, .own = own };
	for (cpu = 0; cpu < FUZZ_CPUS; cpu++) {
		slot->views[cpu].ring = own_memory(NULL, PAGE + FUZZ_RING_MAX);
		slot->views[cpu].consumer = own_memory(NULL, PAGE);
	}
}

static void view_unmap(struct ring_view *view)
{
	view->mapped = false;
	own_memory(view->ring, PAGE + FUZZ_RING_MAX);
	own_memory(view->consumer, PAGE);
}

void slot_unmap(struct slot *slot)
{
	int cpu;

	for (cpu = 0; cpu < FUZZ_CPUS; cpu++)
		if (slot->views[cpu].mapped)
			view_unmap(&slot->views[cpu]);
}

/* Maps a part of the session's file and moves it to AT. */
static bool map_at(struct slot *slot, void *at, size_t size, int protection, uint64_t offset)
{
	void *mapping = mmap(NULL, size, protection, MAP_SHARED,
			     __atomic_load_n(&slot->fd, __ATOMIC_RELAXED), offset);

	if (mapping == MAP_FAILED)
		return false;
	if (mremap(mapping, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, at) == MAP_FAILED) {
		munmap(mapping, size);
		return false;
	}
	return true;
}

int fuzz_map(struct worker *worker, struct slot *slot)
{
	int cpu = below(worker, 2);
	struct ring_view *view = &slot->views[cpu];
	size_t size = slot->setup.ring_size;

	if (!size || size > FUZZ_RING_MAX || size % PAGE) {
		errno = EINVAL;
		return -1;
	}
	if (!map_at(slot, view->ring, PAGE + size, PROT_READ, KCATCH_MMAP_RING(cpu)) ||
	    !map_at(slot, view->consumer, PAGE, PROT_READ | PROT_WRITE, KCATCH_MMAP_CONSUMER(cpu)))
		return -1;
	view->mapped = true;
	return 0;
}

int fuzz_unmap(struct worker *worker, struct slot *slot)
{
	view_unmap(&slot->views[below(worker, 2)]);
	return 0;
}

/* Mappings that are refused, or are soon gone again. */
int fuzz_map_oddly(struct worker *worker, struct slot *slot)
{
	struct { uint64_t offset, size; uint32_t protection, flags; } how = {
		.offset = once_in(worker, 2) ? KCATCH_MMAP_RING(0) : KCATCH_MMAP_CONSUMER(0),
		.size = PAGE + slot->setup.ring_size,
		.protection = PROT_READ | (once_in(worker, 2) ? PROT_WRITE : 0) |
			      (once_in(worker, 8) ? PROT_EXEC : 0),
		.flags = once_in(worker, 4) ? MAP_PRIVATE : MAP_SHARED,
	};
	void *mapping;

	if (how.offset & KCATCH_MMAP_CONSUMER(0))
		how.size = PAGE;
	mutate(worker, &how.offset, sizeof(how.offset), 3);
	mutate(worker, &how.size, sizeof(how.size), 3);
	if (how.size > 1U << 20)
		how.size = PAGE;
	mapping = mmap(NULL, how.size, how.protection, how.flags,
		       __atomic_load_n(&slot->fd, __ATOMIC_RELAXED), how.offset & ~(PAGE - 1ULL));
	if (mapping == MAP_FAILED)
		return -1;
	switch (below(worker, 5)) {
	case 0: mprotect(mapping, how.size, PROT_READ | PROT_WRITE | PROT_EXEC); break;
	case 1: madvise(mapping, how.size, below(worker, 26)); break;
	case 2: mlock(mapping, how.size); break;
	case 3:	/* in two parts; none twice, as another thread may have mapped it meanwhile */
		munmap(mapping, PAGE);
		return how.size > PAGE ? munmap((char *)mapping + PAGE, how.size - PAGE) : 0;
	}
	return munmap(mapping, how.size);
}

int fuzz_consume(struct worker *worker, struct slot *slot)
{
	struct ring_view *view = &slot->views[below(worker, 2)];
	const struct kcatch_ring_page *page = (void *)view->ring;
	struct kcatch_consumer_page *consumer = (void *)view->consumer;
	uint64_t produced = __atomic_load_n(&page->produced, __ATOMIC_ACQUIRE), position;
	uint64_t *words = (void *)view->consumer;

	switch (below(worker, 8)) {
	case 0: position = odd_number(worker); break;
	case 1: position = produced + below(worker, 8192); break;
	case 2: position = produced - below(worker, 8192); break;
	case 3: position = produced & ~4095ULL; break;
	default: position = produced;
	}
	__atomic_store_n(&consumer->consumed, position, __ATOMIC_RELEASE);
	if (once_in(worker, 16))	/* the rest of the page is ours as well */
		words[below(worker, PAGE / 8)] = draw(worker);
	return view->mapped ? 0 : -1;
}

/* ---- what the kernel wrote --------------------------------------------------- */

static const char *record_damage(const unsigned char *at, uint64_t room, uint64_t *last)
{
	const struct kcatch_record *record = (const void *)at;
	uint32_t kind;

	if (room < sizeof(*record) || record->size < sizeof(*record) || record->size > room ||
	    record->size % 8)
		return "a record's size";
	kind = KCATCH_RECORD_KIND(record->id);
	if (!kind || kind > KCATCH_RECORD_MARKED)
		return "a record's kind";
	if (record->time < *last)
		return "a record's time goes back";
	*last = record->time;
	return NULL;
}

static const char *packet_damage(const struct slot *slot, const unsigned char *at, uint32_t cpu,
				 uint64_t begin, uint64_t produced, uint64_t *last)
{
	const struct kcatch_packet *packet = (const void *)at;
	uint64_t size = slot->setup.packet_size, end = size, place = sizeof(*packet);

	if (produced > begin + size)
		end = packet->content_size / 8;
	else if (produced < begin + size)
		end = produced - begin;
	if (packet->magic != KCATCH_PACKET_MAGIC || packet->packet_size != size * 8 ||
	    packet->sequence != begin / size || packet->cpu != cpu)
		return "a packet's header";
	if (end < place || end > size)
		return "a packet's content";
	while (place < end) {
		const char *what = record_damage(at + place, end - place, last);

		if (what)
			return what;
		place += ((const struct kcatch_record *)(at + place))->size;
	}
	return NULL;
}

/* The packets that stand in the ring at its end, whatever was read of them. */
static const char *ring_damage(const struct slot *slot, uint32_t cpu)
{
	const struct ring_view *view = &slot->views[cpu];
	const struct kcatch_ring_page *page = (const void *)view->ring;
	uint64_t size = slot->setup.packet_size, ring = slot->setup.ring_size;
	uint64_t produced = page->produced, end, begin, last = 0;

	if (page->ring_size != ring || page->packet_size != size || page->cpu != cpu)
		return "a ring's page";
	end = (produced + size - 1) & ~(size - 1);
	for (begin = end > ring ? end - ring : 0; begin < produced; begin += size) {
		const char *what = packet_damage(slot, view->ring + PAGE + (begin & (ring - 1)),
						 cpu, begin, produced, &last);

		if (what)
			return what;
	}
	return NULL;
}

const char *rings_damage(const struct slot *slot)
{
	const char *what = NULL;
	uint32_t cpu;

	for (cpu = 0; cpu < FUZZ_CPUS && !what; cpu++)
		if (slot->views[cpu].mapped)
			what = ring_damage(slot, cpu);
	return what;
}
