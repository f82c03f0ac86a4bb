// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: with more page faults in progress than can be followed, trap_exit counts the others
 * as missed, and nothing else that uses handle_mm_fault().
 * Gate: newest
 */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SLOTS 4096	/* KCATCH_TRAPS_MAX */
#define MORE 200

static struct session session;
static long page;

static uint64_t missed(void)
{
	struct kcatch_counters counters;

	session_counters(&session, 0, KCATCH_CPU_ALL, &counters);
	return counters.missed;
}

static char *pages(size_t nr)
{
	char *memory = mmap(NULL, nr * page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	/* EINVAL: a kernel that has no huge pages. */
	if (memory == MAP_FAILED ||
	    (madvise(memory, nr * page, MADV_NOHUGEPAGE) && errno != EINVAL))
		bail("memory is mapped");
	return memory;
}

static void *touch(void *at)
{
	*(volatile char *)at = 1;
	return NULL;
}

/* As many threads as there are slots, and some that find none. */
static void fill_slots(void)
{
	char *memory = pages(SLOTS + MORE);
	pthread_attr_t attr;
	pthread_t thread;
	int i;

	/* Their faults wait until the process ends. */
	hold_memory_back(memory, (SLOTS + MORE) * page);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 16384);
	for (i = 0; i < SLOTS + MORE; i++)
		if (pthread_create(&thread, &attr, touch, memory + i * page))
			bail("thread %d is made", i);
}

/* What the process with the threads saw. */
struct seen {
	uint64_t waiting, locked, touched;
};

static void look(struct seen *seen)
{
	uint64_t before;
	char *memory;
	int i;

	fill_slots();
	for (i = 0; i < 30000 && missed() < MORE / 2; i++)
		usleep(10000);
	seen->waiting = missed();
	memory = pages(2 * MORE);
	before = missed();
	if (mlock(memory, MORE * page))
		bail("memory is locked");
	seen->locked = missed() - before;
	for (i = 0; i < MORE; i++)
		touch(memory + (MORE + i) * page);
	seen->touched = missed() - before - seen->locked;
}

int main(void)
{
	const struct add_options options = {
		.kind = KCATCH_TARGET_EVENT, .flags = KCATCH_ADD_NO_STACK,
	};
	struct seen *seen;
	int status;

	page = sysconf(_SC_PAGESIZE);
	test_module_load();
	session_open(&session, 1 << 20, 65536);
	if (session_add(&session, "trap_exit", &options, NULL))
		bail("trap_exit is armed");
	session_start(&session);
	seen = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	memset(seen, 0, sizeof(*seen));
	if (!fork()) {
		look(seen);
		_exit(0);
	}
	wait(&status);
	check_equal(status, 0, "more faults are in progress than can be followed");
	check(seen->waiting >= MORE / 2, "those above %d are missed (%d)", SLOTS,
	      (int)seen->waiting);
	check(seen->locked < MORE / 4, "memory that is locked is no missed fault (%d pages, %d)",
	      MORE, (int)seen->locked);
	check(seen->touched >= MORE, "memory that is touched is (%d pages, %d)", MORE,
	      (int)seen->touched);
	session_stop(&session);
	session_close(&session);
	return finish();
}
