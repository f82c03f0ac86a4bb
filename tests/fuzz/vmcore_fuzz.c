/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vmcore_fuzz.c - fuzzes the search for rings in a memory dump, and what is read then
 *
 * The memory of a machine with two rings is made; an input is a row of places in it and of the
 * bytes that are there instead. libkdumpfile, which takes files apart, is played here: it is
 * another project's.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <uapi/kcatch.h>

#include <kcatch.h>
#include "fuzz.h"
#include "fake_kdumpfile.h"
#include "show_recording.h"

#define PAGE 4096U
#define RING 16384U
#define PAGES (RING / PAGE)
#define CPUS 2U
/* For each CPU: its map, the ring's own page, the data. */
#define MAP_AT(cpu) ((cpu) * (PAGES + 2))
#define MEMORY ((CPUS * (PAGES + 2) + 2) * PAGE)

static unsigned char memory[MEMORY];

/* ---- the library that reads dumps ---------------------------------------------------- */

static kdump_status read_dump(kdump_addr_t address, void *to, size_t *size)
{
	if (address >= MEMORY)
		return KDUMP_ERR_NODATA;
	if (*size > MEMORY - address)
		*size = MEMORY - address;
	memcpy(to, memory + address, *size);
	return KDUMP_OK;
}

/* ---- a machine that died ------------------------------------------------------------- */

static void fill_packet(struct kcatch_packet *packet, uint32_t cpu, uint32_t sequence)
{
	struct kcatch_hit *hit = (void *)(packet + 1);

	packet->magic = KCATCH_PACKET_MAGIC;
	memset(packet->uuid, 0xab, sizeof(packet->uuid));
	packet->packet_size = PAGE * 8;
	packet->content_size = (sizeof(*packet) + sizeof(*hit)) * 8;
	packet->timestamp_begin = packet->timestamp_end = 1000 + sequence;
	packet->sequence = sequence;
	packet->cpu = cpu;
	hit->head.id = KCATCH_RECORD_ID(KCATCH_RECORD_HIT, 0);
	hit->head.size = sizeof(*hit);
	hit->head.time = 1000 + sequence;
}

static void fill_ring(uint32_t cpu)
{
	struct kcatch_dump_map *map = (void *)(memory + MAP_AT(cpu) * PAGE);
	struct kcatch_ring_page *page = (void *)((char *)map + PAGE);
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
	page->mode = cpu ? KCATCH_RING_OVERWRITE : KCATCH_RING_DISCARD;
	page->ring_size = RING;
	page->packet_size = PAGE;
	page->produced = RING - PAGE + sizeof(struct kcatch_packet) + sizeof(struct kcatch_hit);
	for (i = 0; i < PAGES; i++) {
		map->pages[i] = map->self + (2 + i) * PAGE;
		fill_packet((void *)(memory + map->pages[i]), cpu, i);
	}
}

static void make_memory(void)
{
	uint32_t cpu;

	memset(memory, 0, sizeof(memory));
	for (cpu = 0; cpu < CPUS; cpu++)
		fill_ring(cpu);
}

/* The directory as 'kcatch record --standby' leaves it. */
static void make_directory(void)
{
	static const char session[] =
		"{\"format\":3,\"version\":\"9\",\"nr_cpus\":2,\"clock\":0,\"clock_khz\":1000000,"
		"\"clock_at\":500,\"monotonic_at\":500,\"packet_size\":4096,\"ring_size\":16384,"
		"\"snapshot\":true,\"uuid\":\"abababababababababababababababab\"}\n";
	static const char probe[] = "{\"probe\":0,\"function\":\"made\",\"mechanism\":0}\n";
	static const char *const streams[] = { "cpu0", "cpu1" };
	size_t i;

	fuzz_write("kcatch/session.json", session, sizeof(session) - 1);
	fuzz_write("kcatch/probes.json", probe, sizeof(probe) - 1);
	for (i = 0; i < CPUS; i++)
		fuzz_remove(streams[i]);
}

/* ---- inputs: frames that the dump has, then { place / 8, size / 8, bytes } ----------- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char file[1 << 12];
	const struct show_options options = { 0 };
	struct kcatch_vmcore_stats stats;
	struct fuzz_input input = { data, size };
	char dump[100];

	make_memory();
	dump_frames = fuzz_number(&input, 1) % (MEMORY / PAGE + 2);
	while (input.left) {
		size_t at = fuzz_number(&input, 2) * 8 % MEMORY;
		size_t length = (1 + fuzz_number(&input, 1)) * 8;
		const uint8_t *bytes = fuzz_take(&input, &length);

		memcpy(memory + at, bytes, length < MEMORY - at ? length : MEMORY - at);
	}
	make_directory();
	fuzz_write("dump", file, sizeof(file));
	snprintf(dump, sizeof(dump), "%s", fuzz_path("dump"));
	if (!kcatch_recording_from_vmcore(dump, fuzz_directory(), &stats)) {
		FUZZ_CHECK(stats.bytes <= MEMORY, "more came out of the dump than it holds");
		show_recording(fuzz_directory(), NULL, &options);
	} else {
		FUZZ_CHECK(*kcatch_error_text(), "no word on what is wrong");
		FUZZ_CHECK(access(fuzz_path("cpu0"), F_OK) && access(fuzz_path("cpu1"), F_OK),
			   "a failure left streams");
	}
	return 0;
}

/* A place of a structure becomes another number. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	static const uint32_t lengths[] = { 80 + 8 * PAGES, 64, 128 };	/* of a map, a page, data */
	uint32_t cpu, which, at;
	uint8_t word[8];

	fuzz_seed(seed);
	if (!size) {
		data[0] = MEMORY / PAGE;
		return 1;
	}
	if (!fuzz_choose(4) || size + 11 > most)
		return LLVMFuzzerMutate(data, size, most);
	make_memory();
	cpu = (uint32_t)fuzz_choose(CPUS);
	which = (uint32_t)fuzz_choose(3);
	at = (MAP_AT(cpu) + which + (which == 2 ? (uint32_t)fuzz_choose(PAGES) : 0)) * PAGE +
	     (uint32_t)fuzz_choose(lengths[which] / 8) * 8;
	memcpy(word, memory + at, 8);
	fuzz_change_word(word, 8);
	data[size] = (uint8_t)(at / 8);
	data[size + 1] = (uint8_t)(at / 8 >> 8);
	data[size + 2] = 0;
	memcpy(data + size + 3, word, 8);
	return size + 11;
}
