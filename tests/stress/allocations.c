// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: each allocation of each request fails once: the request either works or says that
 * memory is short, changes nothing then, and works when it is repeated.
 *
 * Needs a kernel with fault injection (6.1-debug): /proc/thread-self/fail-nth makes the N-th
 * allocation of this thread fail. KT_REQUEST=NAME chooses requests by a part of their names.
 */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NTH_MAX 2000	/* more allocations than any request makes */
#define RING 16384

static int fail_nth;
static struct session session;
static unsigned long failures;

/* ---- the steps: each returns 0 or -1 with errno; `before` makes what it needs ------------- */

static int add(const char *name, uint32_t kind, uint32_t flags, uint32_t offset)
{
	struct kcatch_target target = {
		.kind = kind, .name = (uintptr_t)name, .name_len = strlen(name), .offset = offset,
	};
	/* (Of each slot the kernel makes an allocation.) */
	struct kcatch_add add = {
		.flags = flags, .nr_targets = 1, .targets = (uintptr_t)&target,
		.max_active = flags & KCATCH_ADD_RETURN ? 4 : 0,
	};

	return ioctl(session.fd, KCATCH_IOC_ADD, &add);
}

static int setup(void)
{
	struct kcatch_setup setup = { .ring_size = RING, .packet_size = 4096 };

	return ioctl(session.fd, KCATCH_IOC_SETUP, &setup);
}

static int program(void)
{
	static struct kcatch_item items[] = {
		{ .from = KCATCH_ITEM_ARG, .put = KCATCH_ITEM_VALUE, .nr_hops = 1 },
	};
	static int32_t hops[] = { 0 };
	struct kcatch_program program = {
		.entry = { .at = (uintptr_t)items, .nr = 1 },
		.fields = { .at = (uintptr_t)items, .nr = 1 },
		.hops = { .at = (uintptr_t)hops, .nr = 1 },
	};

	return ioctl(session.fd, KCATCH_IOC_PROGRAM, &program);
}

static int bind_name(void)
{
	const char *name = "no_module:function";
	struct kcatch_binding binding = {
		.probe = ~0U, .program = 1, .name = (uintptr_t)name, .name_len = strlen(name),
	};
	struct kcatch_bind bind = { .nr = 1, .bindings = (uintptr_t)&binding };

	return ioctl(session.fd, KCATCH_IOC_BIND, &bind);
}

static int bind_probe(void)
{
	struct kcatch_binding binding = { .probe = 0, .program = 1 };
	struct kcatch_bind bind = { .nr = 1, .bindings = (uintptr_t)&binding };

	return ioctl(session.fd, KCATCH_IOC_BIND, &bind);
}

static void before_setup(void)
{
	session.fd = device_open();
	if (session.fd < 0)
		bail("the device opens");
}

static void before_add(void)
{
	before_setup();
	if (setup())
		bail("SETUP");
}

static void before_bind(void)
{
	before_add();
	if (add("kt_c", 0, KCATCH_ADD_RETURN, 0) || program())
		bail("a group and a program");
}

static void before_bind_name(void)
{
	before_add();
	if (add("no_module:*", KCATCH_TARGET_PATTERN | KCATCH_TARGET_PENDING, 0, 0) || program())
		bail("a group that waits and a program");
}

static void before_start(void)
{
	before_bind();
	if (bind_probe() || add("vfs_read", 0, KCATCH_ADD_RETURN, 0) ||
	    add("kt_?", KCATCH_TARGET_PATTERN, 0, 0))
		bail("groups to start");
}

static int do_open(void)
{
	session.fd = device_open();
	return session.fd < 0 ? -1 : 0;
}

static int add_name(void) { return add("kt_c", KCATCH_TARGET_NAME, 0, 0); }
static int add_pattern(void) { return add("kt_?", KCATCH_TARGET_PATTERN, 0, 0); }
static int add_offset(void) { return add("kt_c", KCATCH_TARGET_NAME, 0, 5); }
static int add_return(void) { return add("kt_c", KCATCH_TARGET_NAME, KCATCH_ADD_RETURN, 0); }
static int add_tracepoint(void) { return add("sched_switch", KCATCH_TARGET_TRACEPOINT, 0, 0); }
static int add_event(void) { return add("kt_*", KCATCH_TARGET_EVENT, 0, 0); }
static int start(void) { return ioctl(session.fd, KCATCH_IOC_START); }

static int add_pending(void)
{
	return add("no_module:*", KCATCH_TARGET_PATTERN | KCATCH_TARGET_PENDING, 0, 0);
}

static int add_children(void)
{
	const char *name = "kt_c";
	struct kcatch_target target = { .name = (uintptr_t)name, .name_len = strlen(name) };
	struct kcatch_add add = {
		.flags = KCATCH_ADD_PID | KCATCH_ADD_CHILDREN, .pid = getpid(),
		.nr_targets = 1, .targets = (uintptr_t)&target,
	};

	return ioctl(session.fd, KCATCH_IOC_ADD, &add);
}

static int map(void)
{
	void *ring = mmap(NULL, 4096 + RING, PROT_READ, MAP_SHARED, session.fd,
			  KCATCH_MMAP_RING(0));

	return ring == MAP_FAILED ? -1 : munmap(ring, 4096 + RING);
}

static int counters(void)
{
	static struct kcatch_counters room[64];
	struct kcatch_query query = { .count = 64, .cpu = ~0U, .buffer = (uintptr_t)room };

	return ioctl(session.fd, KCATCH_IOC_COUNTERS, &query);
}

static int tasks(void)
{
	static struct kcatch_task room[8];
	struct kcatch_tasks tasks = { .flags = 3, .count = 8, .buffer = (uintptr_t)room };

	return ioctl(session.fd, KCATCH_IOC_TASKS, &tasks);
}

static int symbol(void)
{
	struct kcatch_symbol symbol = { .address = 0xffffffff81000000 };

	return ioctl(session.fd, KCATCH_IOC_SYMBOL, &symbol);
}

static int file_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), error;
	ssize_t done;

	if (fd < 0)
		return -1;
	done = write(fd, text, strlen(text));
	error = errno;
	close(fd);
	errno = error;
	return done < 0 ? -1 : 0;
}

static int file_read(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;
	char text[512];
	ssize_t done;

	if (fd < 0)
		return -1;
	done = read(fd, text, sizeof(text));
	error = errno;
	close(fd);
	errno = error;
	return done < 0 ? -1 : 0;
}

#define KTRACE "/sys/kernel/debug/ktrace/"

static int otst_arm(void) { return file_write("/proc/driver/otst", "kt_c"); }
static int otst_read(void) { return file_read("/proc/driver/otst"); }
static int ktrace_info(void) { return file_read(KTRACE "info"); }
static int ktrace_buffer(void) { return file_read(KTRACE "buffers/cpu0"); }
static int ktrace_on(void) { return file_write(KTRACE "enabled", "1"); }

static void otst_disarm(void)
{
	file_write("/proc/driver/otst", "-kt_c");
}

/* The session of ktrace is made anew by the next that needs one. */
static void ktrace_off(void)
{
	file_write(KTRACE "enabled", "0");
	file_write("/sys/module/kcatch/parameters/ktrace_size", "65536");
}

/* A module that groups wait for, and whose events get files. */
static void *image;
static size_t image_size;

static int module_load(void)
{
	return syscall(SYS_init_module, image, image_size, "");
}

static void before_module(void)
{
	before_add();
	if (add("kcatch_trace:*", KCATCH_TARGET_PATTERN | KCATCH_TARGET_PENDING, 0, 0))
		bail("a group that waits for the module");
}

static void module_unload(void)
{
	syscall(SYS_delete_module, "kcatch_trace", O_NONBLOCK);
}

static const struct step {
	const char *name;
	void (*before)(void);
	int (*run)(void);
	void (*after)(void);
} steps[] = {
	/* What no_memory does not do comes first. */
	{ "mmap", before_add, map, NULL },
	{ "COUNTERS", before_start, counters, NULL },
	{ "TASKS", before_add, tasks, NULL },
	{ "SYMBOL", before_add, symbol, NULL },
	{ "otst: arm", NULL, otst_arm, otst_disarm },
	{ "otst: read", NULL, otst_read, NULL },
	{ "ktrace: info", NULL, ktrace_info, NULL },
	{ "ktrace: buffer", ktrace_off, ktrace_buffer, ktrace_off },
	{ "a module comes", before_module, module_load, module_unload },
	{ "open", NULL, do_open, NULL },
	{ "SETUP", before_setup, setup, NULL },
	{ "ADD a name", before_add, add_name, NULL },
	{ "ADD a pattern", before_add, add_pattern, NULL },
	{ "ADD an offset", before_add, add_offset, NULL },
	{ "ADD with returns", before_add, add_return, NULL },
	{ "ADD a tracepoint", before_add, add_tracepoint, NULL },
	{ "ADD events", before_add, add_event, NULL },
	{ "ADD what waits", before_add, add_pending, NULL },
	{ "ADD with children", before_add, add_children, NULL },
	{ "PROGRAM", before_add, program, NULL },
	{ "BIND", before_bind, bind_probe, NULL },
	{ "BIND by name", before_bind_name, bind_name, NULL },
	{ "START", before_start, start, NULL },
	/* Hours: each time all events are switched on and off. */
	{ "ktrace: enabled", ktrace_off, ktrace_on, ktrace_off },
};

/* ---- walking ----------------------------------------------------------------------------- */

static void nth_set(int nth)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%d", nth);

	if (pwrite(fail_nth, text, length, 0) != length)
		bail("fail-nth is written");
}

/* Has the N-th allocation come? */
static bool nth_came(void)
{
	char text[16] = "";

	if (pread(fail_nth, text, sizeof(text) - 1, 0) <= 0)
		bail("fail-nth is read");
	return !atoi(text);
}

static void step_end(const struct step *step)
{
	if (step->after)
		step->after();
	if (session.fd >= 0)
		close(session.fd);
	session.fd = -1;
}

/* Returns false when nothing failed any more. */
static bool step_fail(const struct step *step, int nth, unsigned long *odd)
{
	int result, error;
	bool came;

	session.fd = -1;
	if (step->before)
		step->before();
	nth_set(nth);
	result = step->run();
	error = errno;
	came = nth_came();
	nth_set(0);
	failures += came;
	/* (The kernel's loader of modules has said ELOOP, too.) */
	if (result && (!came || (error != ENOMEM && error != EAGAIN && error != ENOENT &&
				 !(error == ELOOP && step->run == module_load)))) {
		note("%s: allocation %d: %s", step->name, nth, strerror(error));
		++*odd;
	}
	/* The same again, as if nothing had been. */
	if (result && step->run()) {
		note("%s: after allocation %d: %s", step->name, nth, strerror(errno));
		++*odd;
	}
	step_end(step);
	return came;
}

static void step_walk(const struct step *step)
{
	unsigned long odd = 0;
	int nth = 1;

	note("%s ...", step->name);
	while (nth < NTH_MAX && step_fail(step, nth, &odd))
		if (!(nth++ % 50))
			note("%s: %d allocations so far", step->name, nth - 1);
	check(!odd && nth < NTH_MAX, "%s: each of %d allocations fails once", step->name, nth - 1);
}

static void injection_begin(void)
{
	static const char *const settings[][2] = {
		{ "/sys/kernel/debug/failslab/ignore-gfp-wait", "0" },
		{ "/sys/kernel/debug/failslab/verbose", "0" },
		{ "/sys/kernel/debug/fail_page_alloc/ignore-gfp-wait", "0" },
		{ "/sys/kernel/debug/fail_page_alloc/ignore-gfp-highmem", "0" },
		{ "/sys/kernel/debug/fail_page_alloc/min-order", "0" },
		{ "/sys/kernel/debug/fail_page_alloc/verbose", "0" },
	};
	size_t i;

	fail_nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (fail_nth < 0)
		skip_all("this kernel cannot make allocations fail");
	for (i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		if (file_write(settings[i][0], settings[i][1]))
			bail("%s is set", settings[i][0]);
}

static void image_read(void)
{
	char path[4096];
	struct stat stat;
	int fd;

	snprintf(path, sizeof(path), "%s/kcatch_trace/kcatch_trace.ko", getenv("KT_MODULES"));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &stat))
		bail("%s is there", path);
	image = malloc(stat.st_size);
	image_size = read(fd, image, stat.st_size);
	close(fd);
}

int main(void)
{
	const char *only = getenv("KT_REQUEST");	/* those with this in their name */
	int memory = module_memory();
	size_t i;

	injection_begin();
	test_module_load();
	image_read();
	for (i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (!only || strstr(steps[i].name, only))
			step_walk(&steps[i]);
	check(failures > 100, "%lu allocations failed", failures);
	module_unload();
	check_nothing_left(memory);
	return finish();
}
