/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* vmcore.c - finds and copies ring buffers in the memory of a crashed machine */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kcatch_containers.h>
#include <kcatch_text.h>
#include "base/array.h"
#include "recording/vmcore.h"
#include "base/printable.h"
#include "recording/libkdumpfile.h"
#include "ring/mapped_ring.h"

#define PAGE 4096ULL
/* Rings of all sessions that are looked at. */
#define RINGS_MAX 65536

/* Bytes of a dump's file that describe a page, at least: those of a compressed one. */
#define PAGE_DESCRIPTION 24

/* What makes a ring another one; without padding, as its bytes are a key. */
struct ring_key {
	uint8_t uuid[16];
	uint64_t ring_page;
	uint32_t ring_size;
	uint32_t cpu;
};

struct kcatch_vmcore {
	struct kcatch_libkdumpfile kdumpfile;
	kdump_ctx_t *context;
	int fd;
	uint64_t file_size;
	uint64_t nr_pages;
	struct kcatch_vmcore_ring *rings;
	size_t nr_rings;
	struct kcatch_table known;	/* a ring_key to its number, until @rings are sorted */
	struct kcatch_arena keys;
};

static bool read_memory(struct kcatch_vmcore *vmcore, uint64_t address, void *to, size_t size)
{
	size_t got = size;

	return vmcore->kdumpfile.read(vmcore->context, KDUMP_MACHPHYSADDR, address, to, &got) ==
	       KDUMP_OK && got == size;
}

static bool is_size(uint64_t size, uint64_t least, uint64_t most)
{
	return size >= least && size <= most && !(size & (size - 1));
}

static bool is_sound(const struct kcatch_dump_map *map, uint64_t address)
{
	return map->self == address &&
	       is_size(map->ring_size, KCATCH_RING_SIZE_MIN, KCATCH_RING_SIZE_MAX) &&
	       is_size(map->packet_size, KCATCH_PACKET_SIZE_MIN, KCATCH_PACKET_SIZE_MAX) &&
	       map->packet_size <= map->ring_size / 2 && map->nr <= KCATCH_DUMP_MAP_PAGES &&
	       (uint64_t)map->first + map->nr <= map->ring_size / PAGE;
}

/* Return: whether the last of @rings, which is new, is found by its key from now on. */
static bool remember(struct kcatch_vmcore *vmcore, const struct ring_key *key)
{
	struct ring_key *copy = kcatch_arena_take(&vmcore->keys, sizeof(*copy));

	if (!copy)
		return false;
	*copy = *key;
	return !kcatch_table_add(&vmcore->known, (const char *)copy, sizeof(*copy),
				 vmcore->nr_rings);
}

/* A dump may have been made so that each of its pages is of another ring: they are not searched. */
static struct kcatch_vmcore_ring *ring_of(struct kcatch_vmcore *vmcore,
					  const struct kcatch_dump_map *map)
{
	struct ring_key key = { .ring_page = map->ring_page, .ring_size = map->ring_size,
				.cpu = map->cpu };
	struct kcatch_vmcore_ring *rings, *ring;
	size_t *known;

	memcpy(key.uuid, map->uuid, sizeof(key.uuid));
	known = kcatch_table_find(&vmcore->known, (const char *)&key, sizeof(key));
	if (known)
		return &vmcore->rings[*known];
	if (vmcore->nr_rings == RINGS_MAX)
		return NULL;
	rings = kcatch_array_grow(vmcore->rings, vmcore->nr_rings, sizeof(*rings));
	if (!rings)
		return NULL;
	vmcore->rings = rings;
	ring = &rings[vmcore->nr_rings];
	ring->map = *map;
	ring->nr_pages = map->ring_size / PAGE;
	ring->pages = calloc(ring->nr_pages, sizeof(*ring->pages));
	if (!ring->pages)
		return NULL;
	if (!remember(vmcore, &key)) {
		free(ring->pages);
		return NULL;
	}
	vmcore->nr_rings++;
	return ring;
}

static int look_at(struct kcatch_vmcore *vmcore, uint64_t address)
{
	struct kcatch_vmcore_ring *ring;
	struct kcatch_dump_map map;

	if (!read_memory(vmcore, address, map.magic, sizeof(map.magic)) ||
	    memcmp(map.magic, KCATCH_DUMP_MAP_MAGIC, sizeof(map.magic)) ||
	    !read_memory(vmcore, address, &map, sizeof(map)) || !is_sound(&map, address))
		return 0;
	ring = ring_of(vmcore, &map);
	if (!ring)
		return kcatch_error_memory();
	memcpy(ring->pages + map.first, map.pages, map.nr * sizeof(map.pages[0]));
	return 0;
}

/* All pages that the dump has. */
static int find_rings(struct kcatch_vmcore *vmcore)
{
	kdump_attr_t pages;
	kdump_addr_t frame;
	int ret = 0;

	if (vmcore->kdumpfile.get_attr(vmcore->context, KDUMP_ATTR_FILE_PAGEMAP, &pages) !=
		    KDUMP_OK ||
	    pages.type != KDUMP_BITMAP)
		return kcatch_error_set(EINVAL, "this dump does not say which pages it has: %s",
					vmcore->kdumpfile.get_error(vmcore->context));
	for (frame = 0; !ret; frame++) {
		if (vmcore->kdumpfile.find_set(pages.val.bitmap, &frame) != KDUMP_OK)
			break;
		/* Segments that lie over each other: there would be no end of reading. */
		if (++vmcore->nr_pages > vmcore->file_size / PAGE_DESCRIPTION)
			return kcatch_error_set(EINVAL, "the dump claims more pages than its "
						"%llu bytes can hold",
						(unsigned long long)vmcore->file_size);
		ret = look_at(vmcore, frame * PAGE);
	}
	return ret;
}

/* A pipe or a device would be waited for, or has no end. */
static int open_dump(struct kcatch_vmcore *vmcore, const char *path)
{
	struct stat status;

	vmcore->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (vmcore->fd < 0 || fstat(vmcore->fd, &status))
		return kcatch_error_set(errno, "cannot read %s: %s", SHOWN(path), strerror(errno));
	if (!S_ISREG(status.st_mode))
		return kcatch_error_set(EINVAL, "%s is no file, so it is no memory dump",
					SHOWN(path));
	vmcore->file_size = (uint64_t)status.st_size;
	return 0;
}

static int by_session(const void *a, const void *b)
{
	const struct kcatch_vmcore_ring *first = a, *second = b;
	int order = memcmp(first->map.uuid, second->map.uuid, sizeof(first->map.uuid));

	return order ? order :
		       (first->map.cpu > second->map.cpu) - (first->map.cpu < second->map.cpu);
}

/* makedumpfile and QEMU write a form for pipes, that only makedumpfile takes back. */
static bool is_flattened(int fd)
{
	char start[12];

	return pread(fd, start, sizeof(start), 0) == sizeof(start) &&
	       !memcmp(start, "makedumpfile", 12);
}

int kcatch_vmcore_open(const char *path, struct kcatch_vmcore **result)
{
	struct kcatch_vmcore *vmcore = calloc(1, sizeof(*vmcore));
	int ret;

	if (!vmcore)
		return kcatch_error_memory();
	ret = open_dump(vmcore, path);
	if (!ret)
		ret = kcatch_libkdumpfile_open(&vmcore->kdumpfile);
	if (!ret) {
		vmcore->context = vmcore->kdumpfile.create();
		if (!vmcore->context)
			ret = kcatch_error_memory();
		else if (is_flattened(vmcore->fd))
			ret = kcatch_error_set(EINVAL, "%s is in makedumpfile's flattened format; "
					       "convert it with: makedumpfile -R NEW <FILE",
					       SHOWN(path));
		else if (vmcore->kdumpfile.open(vmcore->context, 1, &vmcore->fd) != KDUMP_OK)
			ret = kcatch_error_set(EINVAL, "%s is no memory dump that can be read: %s",
					       SHOWN(path),
					       vmcore->kdumpfile.get_error(vmcore->context));
	}
	if (!ret)
		ret = find_rings(vmcore);
	if (ret) {
		kcatch_vmcore_close(vmcore);
		return ret;
	}
	if (vmcore->nr_rings)
		qsort(vmcore->rings, vmcore->nr_rings, sizeof(*vmcore->rings), by_session);
	*result = vmcore;
	return 0;
}

void kcatch_vmcore_close(struct kcatch_vmcore *vmcore)
{
	size_t i;

	if (!vmcore)
		return;
	if (vmcore->context)
		vmcore->kdumpfile.destroy(vmcore->context);
	kcatch_libkdumpfile_close(&vmcore->kdumpfile);
	if (vmcore->fd >= 0)
		close(vmcore->fd);
	for (i = 0; i < vmcore->nr_rings; i++)
		free(vmcore->rings[i].pages);
	free(vmcore->rings);
	kcatch_table_deinit(&vmcore->known);
	kcatch_arena_deinit(&vmcore->keys);
	free(vmcore);
}

const struct kcatch_vmcore_ring *kcatch_vmcore_rings(const struct kcatch_vmcore *vmcore, size_t *nr)
{
	*nr = vmcore->nr_rings;
	return vmcore->rings;
}

uint64_t kcatch_vmcore_size(const struct kcatch_vmcore *vmcore)
{
	return vmcore->nr_pages * PAGE;
}

/* What was read is there until it is written over: the last lap, whole. */
static void begin_at_last_lap(const struct kcatch_mapped_ring *ring, struct kcatch_ring_page *page,
			      struct kcatch_consumer_page *consumer)
{
	uint64_t lap;

	if (page->produced <= ring->ring_size)
		return;
	lap = ((page->produced + ring->packet_size - 1) & ~(ring->packet_size - 1ULL)) -
	      ring->ring_size;
	consumer->consumed = lap;
	/* Else a page that is wrong would have the same memory read lap after lap. */
	if (page->overwritten < lap)
		page->overwritten = lap;
}

int kcatch_vmcore_packets(struct kcatch_vmcore *vmcore, const struct kcatch_vmcore_ring *found,
			  int (*visit)(void *arg, uint32_t cpu, const void *packets, size_t size),
			  void *arg, size_t *missing)
{
	struct kcatch_mapped_ring ring = {
		.ring_size = found->map.ring_size, .packet_size = found->map.packet_size,
	};
	struct kcatch_consumer_page consumer = { 0 };
	struct kcatch_ring_page page;
	unsigned char *data = NULL;
	void *room = NULL;
	size_t i;
	int ret;

	*missing = 0;
	if (!read_memory(vmcore, found->map.ring_page, &page, sizeof(page)) ||
	    page.cpu != found->map.cpu || page.ring_size != ring.ring_size ||
	    page.packet_size != ring.packet_size || page.produced > INT64_MAX)
		return kcatch_error_set(EBADMSG, "the ring of CPU %u is not in the dump",
					found->map.cpu);
	data = calloc(1, ring.ring_size);
	room = malloc(ring.packet_size);
	if (!data || !room) {
		free(data);
		free(room);
		return kcatch_error_memory();
	}
	for (i = 0; i < found->nr_pages; i++)
		*missing += !found->pages[i] ||
			    !read_memory(vmcore, found->pages[i], data + i * PAGE, PAGE);
	ring.page = &page;
	ring.consumer = &consumer;
	ring.data = data;
	begin_at_last_lap(&ring, &page, &consumer);
	ret = kcatch_mapped_ring_snapshot(&ring, page.produced, room, visit, arg);
	free(data);
	free(room);
	return ret;
}
