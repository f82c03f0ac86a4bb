// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: asked for many names at once, the module says the same as for each by itself: of the
 * kernel and of modules, of code and of data, in any order, while modules come and go.
 * Gate: older
 */
#include "guest.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define ADDRESSES_MAX 16384
#define BATCH 128	/* as the library asks */
#define STEP_KERNEL 61	/* of the kernel's symbols one in so many */
#define STEP_MODULES 5	/* of modules' */

static uint64_t addresses[ADDRESSES_MAX];
static uint32_t nr_addresses, of_modules;

static void read_addresses(void)
{
	unsigned long long address;
	char line[1024], kind, name[512], module[128];
	uint32_t seen = 0;
	FILE *file = fopen("/proc/kallsyms", "r");

	if (!file)
		bail("/proc/kallsyms can be read");
	nr_addresses = of_modules = 0;
	while (nr_addresses < ADDRESSES_MAX && fgets(line, sizeof(line), file)) {
		int fields = sscanf(line, "%llx %c %511s [%127[^]]", &address, &kind, name, module);

		if (fields < 3 || seen++ % (fields == 3 ? STEP_KERNEL : STEP_MODULES))
			continue;
		addresses[nr_addresses] = address + nr_addresses % 5;
		nr_addresses++;
		of_modules += fields == 4;
	}
	fclose(file);
}

static bool is_same(const struct kcatch_symbol *one, const struct kcatch_symbol *other)
{
	return one->address == other->address && one->offset == other->offset &&
	       one->size == other->size && !strcmp(one->name, other->name) &&
	       !strcmp(one->module, other->module);
}

/* Return: how many are told otherwise */
static uint32_t compare(struct session *session)
{
	static struct kcatch_symbol many[BATCH], one;
	uint32_t i, j, wrong = 0, named = 0;

	for (i = 0; i < nr_addresses; i += BATCH) {
		struct kcatch_query query = { .count = BATCH, .buffer = (uintptr_t)many };

		memset(many, 0, sizeof(many));
		for (j = 0; j < BATCH; j++)
			many[j].address = addresses[(i + j) % nr_addresses];
		if (ioctl(session->fd, KCATCH_IOC_SYMBOLS, &query))
			bail("names are told");
		for (j = 0; j < BATCH; j++) {
			memset(&one, 0, sizeof(one));
			one.address = many[j].address;
			if (ioctl(session->fd, KCATCH_IOC_SYMBOL, &one))
				bail("a name is told");
			named += !!*one.name;
			if (is_same(&one, &many[j]))
				continue;
			if (!wrong++)
				note("%s+%x/%x [%s], of many %s+%x/%x [%s]", one.name, one.offset,
				     one.size, one.module, many[j].name, many[j].offset,
				     many[j].size, many[j].module);
		}
	}
	note("%u addresses, %u of modules, %u named", nr_addresses, of_modules, named);
	return wrong + (named < nr_addresses / 2);
}

static void reverse(void)
{
	uint32_t i;

	for (i = 0; i < nr_addresses / 2; i++) {
		uint64_t other = addresses[i];

		addresses[i] = addresses[nr_addresses - 1 - i];
		addresses[nr_addresses - 1 - i] = other;
	}
}

static void shuffle(void)
{
	uint32_t i, random = 1;

	for (i = nr_addresses - 1; i; i--) {
		uint64_t other = addresses[i];
		uint32_t with;

		random = random * 1103515245 + 12345;
		with = (random >> 8) % (i + 1);
		addresses[i] = addresses[with];
		addresses[with] = other;
	}
	if (nr_addresses > 512)
		nr_addresses = 512;	/* each is searched for from the front */
}

int main(void)
{
	struct session session;

	session_open(&session, KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN);
	test_module_load();
	read_addresses();
	check(nr_addresses > 1000 && of_modules > 100, "symbols of the kernel and of modules");
	check_equal(compare(&session), 0, "going up, they are told as one by one");
	reverse();
	check_equal(compare(&session), 0, "going down as well");
	check(!system("rmmod kcatch_test"), "a module goes");
	check_equal(compare(&session), 0, "whose addresses are among them");
	test_module_load();
	read_addresses();
	shuffle();
	check_equal(compare(&session), 0, "and in no order");
	session_close(&session);
	return finish();
}
