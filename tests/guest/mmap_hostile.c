// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: the ring can be mapped as the header says and in no other way:
 * not writable, not beyond its end, not of a CPU without one, and a mapping
 * outlives its descriptor without harm.
 * Gate: older
 */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define RING 16384

static long page;
static struct session session;

static long map(size_t length, int protection, int flags, uint64_t offset)
{
	void *mapping = mmap(NULL, length, protection, flags, session.fd, offset);

	if (mapping == MAP_FAILED)
		return -1;
	munmap(mapping, length);
	return 0;
}

/* A descriptor that was opened only to read maps what is read, and nothing writable. */
static void check_read_only(void)
{
	const struct kcatch_setup setup = { .ring_size = RING, .packet_size = 4096 };
	void *mapping;

	session.fd = open("/dev/kcatch", O_RDONLY | O_CLOEXEC);
	if (session.fd < 0 || ioctl(session.fd, KCATCH_IOC_SETUP, &setup))
		bail("a session of a descriptor that was opened to read");
	check_equal(map(page + RING, PROT_READ, MAP_SHARED, KCATCH_MMAP_RING(0)), 0,
		    "opened to read: the ring can be mapped");
	check(map(page + RING, PROT_READ, MAP_PRIVATE, KCATCH_MMAP_RING(0)) == -1,
	      "opened to read: not as a copy");
	check_errno(map(page, PROT_READ | PROT_WRITE, MAP_SHARED, KCATCH_MMAP_CONSUMER(0)), EACCES,
		    "opened to read: the consumer page cannot be mapped to write");
	mapping = mmap(NULL, page, PROT_READ, MAP_SHARED, session.fd, KCATCH_MMAP_CONSUMER(0));
	check(mapping != MAP_FAILED && mprotect(mapping, page, PROT_READ | PROT_WRITE) == -1,
	      "opened to read: nor made writable later");
	munmap(mapping, page);
	close(session.fd);
}

int main(void)
{
	const volatile struct kcatch_ring_page *ring;
	void *mapping;

	page = sysconf(_SC_PAGESIZE);
	test_module_load();
	session.fd = device_open();
	check(map(page + RING, PROT_READ, MAP_SHARED, KCATCH_MMAP_RING(0)) == -1,
	      "there is nothing to map before SETUP");
	close(session.fd);

	check_read_only();
	session_open(&session, RING, 4096);
	check_equal(map(page + RING, PROT_READ, MAP_SHARED, KCATCH_MMAP_RING(0)), 0,
		    "the ring can be mapped to read");
	check_equal(map(page, PROT_READ | PROT_WRITE, MAP_SHARED, KCATCH_MMAP_CONSUMER(0)), 0,
		    "the consumer page can be mapped to write");
	check(map(page + RING, PROT_READ | PROT_WRITE, MAP_SHARED, KCATCH_MMAP_RING(0)) == -1,
	      "the ring cannot be mapped to write");
	check(map(2 * page + RING, PROT_READ, MAP_SHARED, KCATCH_MMAP_RING(0)) == -1,
	      "nor a page beyond its end");
	check(map(RING, PROT_READ, MAP_SHARED, KCATCH_MMAP_RING(0)) == -1, "nor a part of it");
	check(map(page, PROT_READ, MAP_SHARED, KCATCH_MMAP_RING(0) + page) == -1,
	      "nor from its middle");
	check(map(2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, KCATCH_MMAP_CONSUMER(0)) == -1,
	      "nor two consumer pages");
	check_errno(map(page + RING, PROT_READ, MAP_SHARED, KCATCH_MMAP_RING(CPUS_MAX)), ENXIO,
		    "nor the ring of a CPU that is not there");
	check(map(page + RING, PROT_READ, MAP_SHARED, KCATCH_MMAP_RING(0x7fffffff)) == -1,
	      "nor that of the last number");

	mapping = mmap(NULL, page + RING, PROT_READ, MAP_SHARED, session.fd, KCATCH_MMAP_RING(0));
	check(mprotect(mapping, page, PROT_READ | PROT_WRITE) == -1,
	      "a mapping to read cannot be made writable");
	if (session_add(&session, "kt_c", NULL, NULL))
		bail("kt_c is armed");
	session_start(&session);
	order("process chain");
	close(session.fd);
	order("process chain");
	ring = mapping;
	check_equal(ring->ring_size, RING, "the mapping holds after the descriptor is closed");
	munmap(mapping, page + RING);
	return finish();
}
