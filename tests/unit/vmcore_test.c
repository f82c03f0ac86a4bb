// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: records come out of a memory dump once and whole; a dump that was made to do
 * harm ends, and what it leaves is never taken for a recording.
 *
 * The dump is a file of plain memory, and the library that reads dumps is played here.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <uapi/kcatch.h>

#include <kcatch.h>
#include "fake_kdumpfile.h"
#include "recording/vmcore.h"

#define PAGE 4096U
#define RING 65536U
#define PAGES (RING / PAGE)
#define CPUS 4U
/* The memory: for each CPU a map, the ring's own page, and its data. */
#define MAP_AT(cpu) ((cpu) * (PAGES + 2))
#define MEMORY ((CPUS + 1) * (PAGES + 2))

/* Of test_many_rings(): their maps, one for each page, lie one after the other. */
#define MANY_RINGS 8192U
#define MANY_PAGES (MANY_RINGS * PAGES)

static char directory[64], dump[80];
static bool many;	/* the dump is that of many rings, and its file is empty */
static unsigned char memory[MEMORY * PAGE];

/* ---- the library ------------------------------------------------------------- */

/* Page k of ring r has its map in page k * MANY_RINGS + r. */
static kdump_status read_many(kdump_addr_t address, void *to, size_t size)
{
	static struct kcatch_dump_map map;
	uint64_t frame = address / PAGE;

	if (address % PAGE || frame >= MANY_PAGES || size > sizeof(map))
		return KDUMP_ERR_NODATA;
	memcpy(map.magic, KCATCH_DUMP_MAP_MAGIC, sizeof(map.magic));
	map.self = address;
	map.ring_page = frame % MANY_RINGS;
	map.ring_size = RING;
	map.packet_size = PAGE;
	map.first = (uint32_t)(frame / MANY_RINGS);
	map.nr = 1;
	map.pages[0] = address;
	memcpy(map.uuid, &map.ring_page, sizeof(map.ring_page));
	memcpy(to, &map, size);
	return KDUMP_OK;
}

static kdump_status read_dump(kdump_addr_t address, void *to, size_t *size)
{
	ssize_t got;

	if (many)
		return read_many(address, to, *size);
	got = pread(dump_fd, to, *size, (off_t)address);
	*size = got < 0 ? 0 : (size_t)got;
	return got < 0 ? KDUMP_ERR_SYSTEM : KDUMP_OK;
}

/* ---- a machine that died ------------------------------------------------------ */

static struct kcatch_dump_map *map_of(uint32_t cpu)
{
	return (void *)(memory + MAP_AT(cpu) * PAGE);
}

static struct kcatch_ring_page *ring_page_of(uint32_t cpu)
{
	return (void *)(memory + (MAP_AT(cpu) + 1) * PAGE);
}

/* A ring that is full, of packets with one record each. */
static void fill_ring(uint32_t cpu)
{
	struct kcatch_dump_map *map = map_of(cpu);
	struct kcatch_ring_page *page = ring_page_of(cpu);
	uint32_t i;

	memcpy(map->magic, KCATCH_DUMP_MAP_MAGIC, sizeof(map->magic));
	memset(map->uuid, 0xab, sizeof(map->uuid));
	map->self = MAP_AT(cpu) * PAGE;
	map->ring_page = map->self + PAGE;
	map->ring_size = RING;
	map->packet_size = PAGE;
	map->cpu = cpu;
	map->nr = PAGES;
	page->cpu = cpu;
	page->mode = KCATCH_RING_OVERWRITE;
	page->ring_size = RING;
	page->packet_size = PAGE;
	page->produced = RING - PAGE + sizeof(struct kcatch_packet) + sizeof(struct kcatch_hit);
	for (i = 0; i < PAGES; i++) {
		struct kcatch_packet *packet;
		struct kcatch_hit *hit;

		map->pages[i] = map->self + (2 + i) * PAGE;
		packet = (void *)(memory + map->pages[i]);
		packet->magic = KCATCH_PACKET_MAGIC;
		memset(packet->uuid, 0xab, sizeof(packet->uuid));
		packet->packet_size = PAGE * 8;
		packet->content_size = (sizeof(*packet) + sizeof(*hit)) * 8;
		packet->timestamp_begin = packet->timestamp_end = 1000 + i;
		packet->sequence = i;
		packet->cpu = cpu;
		hit = (void *)(packet + 1);
		hit->head.id = KCATCH_RECORD_ID(KCATCH_RECORD_HIT, 0);
		hit->head.size = sizeof(*hit);
		hit->head.time = 1000 + i;
	}
}

static void write_file(const char *path, const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
}

static const char *at(const char *name)
{
	static char path[160];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static void write_session(unsigned int nr_cpus)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "{\"format\":3,\"version\":\"9\",\"nr_cpus\":%u,\"clock\":0,\"clock_khz\":1000000,"
		 "\"clock_at\":500,\"monotonic_at\":500,\"packet_size\":4096,\"ring_size\":65536,"
		 "\"snapshot\":true,\"uuid\":\"abababababababababababababababab\"}\n", nr_cpus);
	write_file(at("kcatch/session.json"), text, strlen(text));
}

static int make(void **state)
{
	static const char probe[] = "{\"probe\":0,\"function\":\"made\",\"mechanism\":0}\n";
	uint32_t cpu;

	(void)state;
	strcpy(directory, "/tmp/kcatch-vmcore-XXXXXX");
	assert_non_null(mkdtemp(directory));
	assert_int_equal(mkdir(at("kcatch"), 0700), 0);
	write_session(CPUS);
	write_file(at("kcatch/probes.json"), probe, strlen(probe));
	snprintf(dump, sizeof(dump), "%s/dump", directory);
	memset(memory, 0, sizeof(memory));
	for (cpu = 0; cpu < CPUS; cpu++)
		fill_ring(cpu);
	dump_frames = MEMORY;
	return 0;
}

static int destroy(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	assert_int_equal(system(command), 0);
	return 0;
}

static struct kcatch_vmcore_stats stats;

static int take(void)
{
	write_file(dump, memory, sizeof(memory));
	return kcatch_recording_from_vmcore(dump, directory, &stats);
}

static unsigned int count_events(uint64_t *damaged)
{
	const struct kcatch_event *event;
	struct kcatch_session *session;
	unsigned int nr = 0;

	assert_int_equal(kcatch_recording_open(directory, &session), 0);
	while (kcatch_session_next(session, &event) > 0)
		nr++;
	if (damaged)
		*damaged = strstr(kcatch_recording_damage(session), "memory dump") != NULL;
	kcatch_session_close(session);
	return nr;
}

static bool is_there(const char *name)
{
	return !access(at(name), F_OK);
}

/* ---- tests ----------------------------------------------------------------------- */

static void test_whole(void **state)
{
	uint64_t partial;

	(void)state;
	assert_int_equal(take(), 0);
	assert_int_equal(stats.rings, CPUS);
	assert_int_equal(stats.missing_pages, 0);
	assert_int_equal(count_events(&partial), CPUS * PAGES);
	assert_int_equal(partial, 0);
	assert_int_equal(take(), -EEXIST);
	/* Nor are streams of other CPUs than the first written to. */
	unlink(at("cpu0"));
	unlink(at("cpu1"));
	assert_int_equal(take(), -EEXIST);
}

/* Killed in the midst of it: said so when it is read, and made anew by the next try. */
static void test_partial(void **state)
{
	uint64_t partial;

	(void)state;
	assert_int_equal(take(), 0);
	unlink(at("cpu2"));
	assert_int_equal(truncate(at("cpu3"), 3 * PAGE), 0);
	write_file(at("kcatch/" KCATCH_RECORDING_PARTIAL), "", 0);
	count_events(&partial);
	assert_int_equal(partial, 1);
	assert_int_equal(take(), 0);
	assert_int_equal(count_events(&partial), CPUS * PAGES);
	assert_int_equal(partial, 0);
}

/* All rings are made of the pages of one. */
static void test_same_pages(void **state)
{
	uint32_t cpu, i;

	(void)state;
	for (cpu = 1; cpu < CPUS; cpu++) {
		for (i = 0; i < PAGES; i++)
			map_of(cpu)->pages[i] = map_of(0)->pages[0];
	}
	/* The memory of two rings. */
	dump_frames = 2 * PAGES;
	for (cpu = 1; cpu < CPUS; cpu++) {
		memcpy(memory + cpu * PAGE + 2 * PAGE, map_of(cpu), PAGE);
		((struct kcatch_dump_map *)(memory + cpu * PAGE + 2 * PAGE))->self =
			cpu * PAGE + 2 * PAGE;
	}
	assert_int_equal(take(), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "than it holds"));
	/* It is not half a recording then. */
	for (cpu = 0; cpu < CPUS; cpu++) {
		char name[16];

		snprintf(name, sizeof(name), "cpu%u", cpu);
		assert_false(is_there(name));
	}
	assert_false(is_there("kcatch/" KCATCH_RECORDING_PARTIAL));
}

/* CPUs that the machine did not have, and rings of another size. */
static void test_not_asked_for(void **state)
{
	(void)state;
	write_session(2);
	map_of(1)->ring_size = RING * 2;
	ring_page_of(1)->ring_size = RING * 2;
	assert_int_equal(take(), 0);
	assert_true(is_there("cpu0"));
	assert_false(is_there("cpu1"));
	assert_false(is_there("cpu2"));
	assert_int_equal(stats.rings, CPUS);
	assert_int_equal(stats.missing_pages, 4 * PAGES);
}

/* Laps without end, all of the same memory. */
static void test_laps(void **state)
{
	(void)state;
	ring_page_of(0)->produced = 1ULL << 40;
	ring_page_of(1)->produced = UINT64_MAX - PAGE + 1;
	assert_int_equal(take(), 0);
	assert_true(stats.bytes <= CPUS * RING);
	assert_int_equal(stats.missing_pages, PAGES);
}

/* A ring whose own page is lost does not take those of the other CPUs with it. */
static void test_one_is_lost(void **state)
{
	(void)state;
	memset(ring_page_of(1), 0, PAGE);
	assert_int_equal(take(), 0);
	assert_int_equal(stats.missing_pages, PAGES);
	assert_int_equal(count_events(NULL), (CPUS - 1) * PAGES);
}

static void test_endless_pages(void **state)
{
	(void)state;
	dump_frames = 1ULL << 52;
	assert_int_equal(take(), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "more pages"));
	assert_false(is_there("cpu0"));
}

/* Nobody waits at a pipe. */
static void test_pipes(void **state)
{
	(void)state;
	assert_int_equal(mkfifo(dump, 0600), 0);
	assert_int_equal(kcatch_recording_from_vmcore(dump, directory, &stats), -EINVAL);
	assert_int_equal(unlink(dump), 0);
	assert_int_equal(unlink(at("kcatch/session.json")), 0);
	assert_int_equal(mkfifo(at("kcatch/session.json"), 0600), 0);
	assert_int_equal(take(), -ENOENT);
}

/* Each map is put to its ring, and for that not all rings are looked at. */
static void test_many_rings(void **state)
{
	const struct kcatch_vmcore_ring *rings;
	struct kcatch_vmcore *vmcore;
	size_t nr, i, page;

	(void)state;
	write_file(dump, "", 0);
	assert_int_equal(truncate(dump, (off_t)MANY_PAGES * PAGE), 0);
	dump_frames = MANY_PAGES;
	many = true;
	assert_int_equal(kcatch_vmcore_open(dump, &vmcore), 0);
	many = false;
	rings = kcatch_vmcore_rings(vmcore, &nr);
	assert_int_equal(nr, MANY_RINGS);
	for (i = 0; i < nr; i++) {
		for (page = 0; page < PAGES; page++)
			assert_int_equal(rings[i].pages[page],
					 (page * MANY_RINGS + rings[i].map.ring_page) * PAGE);
	}
	kcatch_vmcore_close(vmcore);
}

/* Nothing is read, written or removed where a link leads that has the side directory's name. */
static void test_link(void **state)
{
	char side[160];

	(void)state;
	snprintf(side, sizeof(side), "%s/kcatch", directory);
	assert_int_equal(rename(side, at("elsewhere")), 0);
	assert_int_equal(symlink("elsewhere", at("kcatch")), 0);
	write_file(at("elsewhere/" KCATCH_RECORDING_PARTIAL), "", 0);
	write_file(at("cpu0"), "", 0);
	assert_int_equal(take(), -ENOENT);
	assert_non_null(strstr(kcatch_error_text(), "--standby"));
	assert_true(is_there("elsewhere/" KCATCH_RECORDING_PARTIAL));
	assert_true(is_there("cpu0"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_whole, make, destroy),
		cmocka_unit_test_setup_teardown(test_partial, make, destroy),
		cmocka_unit_test_setup_teardown(test_same_pages, make, destroy),
		cmocka_unit_test_setup_teardown(test_not_asked_for, make, destroy),
		cmocka_unit_test_setup_teardown(test_laps, make, destroy),
		cmocka_unit_test_setup_teardown(test_one_is_lost, make, destroy),
		cmocka_unit_test_setup_teardown(test_endless_pages, make, destroy),
		cmocka_unit_test_setup_teardown(test_pipes, make, destroy),
		cmocka_unit_test_setup_teardown(test_many_rings, make, destroy),
		cmocka_unit_test_setup_teardown(test_link, make, destroy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
