// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * random.c - random numbers, and structures that are wrong in one place
 */
#include "fuzz.h"

#include <string.h>

/* splitmix64: every state is as good as any other. */
uint64_t draw(struct worker *worker)
{
	uint64_t value = worker->random += 0x9e3779b97f4a7c15ULL;

	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ULL;
	value = (value ^ value >> 27) * 0x94d049bb133111ebULL;
	return value ^ value >> 31;
}

void random_begin(struct worker *worker, uint64_t seed, uint64_t operation)
{
	worker->random = seed;
	worker->random = draw(worker) ^ (uint64_t)worker->number << 56;
	worker->random = draw(worker) ^ operation;
	worker->used = 0;
}

uint32_t below(struct worker *worker, uint32_t limit)
{
	return (uint64_t)(uint32_t)(draw(worker) >> 32) * limit >> 32;
}

bool once_in(struct worker *worker, uint32_t n)
{
	return !below(worker, n);
}

uint64_t odd_number(struct worker *worker)
{
	static const uint64_t numbers[] = {
		0, 1, 2, 3, 4, 7, 8, 63, 64, 65, 255, 256, 257, 1023, 1024, 1025, 4095, 4096,
		4097, 65535, 65536, 65537, 1U << 20, (1U << 20) + 1, 1U << 28, 0x7fffffff,
		0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000,
		~0ULL, 0x00007ffffffff000, 0x0000800000000000, 0xffff800000000000,
		0xffff888000000000, 0xffffc90000000000, 0xffffffff81000000, 0xffffffffff600000,
		0xffffffffff5fd000, 0xdead000000000000,
	};

	switch (below(worker, 4)) {
	case 0: return draw(worker);
	case 1: return 1ULL << below(worker, 64);
	case 2: return one_of(worker, numbers) + below(worker, 9) - 4;
	default: return one_of(worker, numbers);
	}
}

static void mutate_once(struct worker *worker, unsigned char *at, size_t size)
{
	static const size_t widths[] = { 1, 2, 4, 4, 8, 8 };
	size_t width = one_of(worker, widths), place;
	uint64_t value = 0;

	if (width > size)
		width = 1;
	place = below(worker, size / width) * width;
	memcpy(&value, at + place, width);
	switch (below(worker, 4)) {
	case 0: value ^= 1ULL << below(worker, 8 * width); break;
	case 1: value += below(worker, 5) - 2; break;
	default: value = odd_number(worker);
	}
	memcpy(at + place, &value, width);
}

void mutate(struct worker *worker, void *at, size_t size, uint32_t rarity)
{
	if (!size || !once_in(worker, rarity))
		return;
	do
		mutate_once(worker, at, size);
	while (once_in(worker, 3));
}

void *take(struct worker *worker, size_t size)
{
	void *memory;

	size = (size + 7) & ~(size_t)7;
	if (size > FUZZ_MEMORY - worker->used)
		worker->used = 0;
	memory = worker->memory + worker->used;
	worker->used += size;
	return memset(memory, 0, size);
}

uint64_t take_text(struct worker *worker, const char *text)
{
	size_t size = strlen(text) + 1;

	return (uintptr_t)memcpy(take(worker, size), text, size);
}
