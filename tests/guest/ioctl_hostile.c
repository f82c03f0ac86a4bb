// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: calls in the wrong order, with wrong sizes, bad pointers and
 * random bytes are refused with the errno the header promises and change nothing.
 * Gate: older
 */
#include "guest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const unsigned long requests[] = {
	KCATCH_IOC_INFO,   KCATCH_IOC_SETUP,   KCATCH_IOC_ADD,         KCATCH_IOC_START,
	KCATCH_IOC_STOP,   KCATCH_IOC_PROBES,  KCATCH_IOC_COUNTERS,    KCATCH_IOC_STATUS,
	KCATCH_IOC_SYMBOL, KCATCH_IOC_SYMBOLS, KCATCH_IOC_SYMBOL_THEN, KCATCH_IOC_PAIRS,
	KCATCH_IOC_PAIR,   KCATCH_IOC_PAIRED,  KCATCH_IOC_UNDER_WAY,
};

static long setup_with(int fd, uint32_t ring, uint32_t packet, uint32_t mode, uint32_t flags)
{
	struct kcatch_setup setup = {
		.ring_size = ring, .packet_size = packet, .mode = mode, .flags = flags,
	};

	return ioctl(fd, KCATCH_IOC_SETUP, &setup);
}

/* However much the machine has: with rings of other sessions, in the end a SETUP is refused. */
static void rings_of_all_memory(int fd)
{
	int others[64], nr = 0, result;

	for (;;) {
		others[nr] = device_open();
		result = setup_with(others[nr], KCATCH_RING_SIZE_MAX, 4096, 0, 0);
		nr++;
		if (result || nr == 64)
			break;
	}
	check_errno(setup_with(fd, KCATCH_RING_SIZE_MAX, 4096, 0, 0), ENOMEM,
		    "rings of more than a quarter of memory");
	while (nr)
		close(others[--nr]);
}

static void wrong_setup(void)
{
	int fd = device_open();
	struct kcatch_target target = { .name = (uintptr_t)"kt_c", .name_len = 4 };
	struct kcatch_add add = { .nr_targets = 1, .targets = (uintptr_t)&target };

	check(ioctl(fd, KCATCH_IOC_ADD, &add) == -1, "ADD before SETUP is refused");
	check(ioctl(fd, KCATCH_IOC_START) == -1, "START before SETUP is refused");
	check_errno(setup_with(fd, 0, 0, 0, 0), EINVAL, "no size");
	check_errno(setup_with(fd, 12288, 4096, 0, 0), EINVAL, "a ring that is no power of two");
	check_errno(setup_with(fd, 16384, 5000, 0, 0), EINVAL, "a packet that is no power of two");
	check_errno(setup_with(fd, 8192, 8192, 0, 0), EINVAL, "a ring of one packet");
	check_errno(setup_with(fd, 4096, 2048, 0, 0), EINVAL, "a ring below the minimum");
	check_errno(setup_with(fd, 1U << 31, 4096, 0, 0), EINVAL, "a ring above the maximum");
	check_errno(setup_with(fd, 8U << 20, 4U << 20, 0, 0), EINVAL, "a packet above the maximum");
	check_errno(setup_with(fd, 16384, 4096, 0, 1U << 30), EINVAL, "an unknown flag");
	check_errno(setup_with(fd, 16384, 4096, 77, 0), EINVAL, "an unknown mode");
	rings_of_all_memory(fd);
	check_equal(setup_with(fd, 16384, 4096, 0, 0), 0, "after all these, a right SETUP works");
	check_errno(setup_with(fd, 16384, 4096, 0, 0), EBUSY, "but only once");
	close(fd);
}

static long add_target(int fd, struct kcatch_target *target, struct kcatch_add *add)
{
	add->nr_targets = 1;
	add->targets = (uintptr_t)target;
	return ioctl(fd, KCATCH_IOC_ADD, add);
}

/* One field at a time is wrong. */
#define WRONG(expected, text, target_fields, ...) do { \
	struct kcatch_target target_ = { .name = (uintptr_t)"kt_c", .name_len = 4 }; \
	struct kcatch_add add_ = { __VA_ARGS__ }; \
	struct kcatch_target *t = &target_; \
	target_fields; \
	check_errno(add_target(session.fd, t, &add_), expected, "ADD: %s", text); \
} while (0)

static void wrong_add(void)
{
	struct kcatch_target two[2] = {
		{ .name = (uintptr_t)"kt_c", .name_len = 4 },
		{ .name = (uintptr_t)"kt_nothing", .name_len = 10 },
	};
	struct kcatch_add add = { .nr_targets = 2, .targets = (uintptr_t)two };
	struct session session;

	session_open(&session, 16384, 4096);
	WRONG(EINVAL, "an unknown flag", (void)t, .flags = 1U << 30);
	WRONG(EINVAL, "a gate for no cgroup", (void)t, .flags = KCATCH_ADD_CGROUP);
	WRONG(EINVAL, "a cgroup without its gate", (void)t, .cgroup = 1);
	WRONG(EINVAL, "inside calls, and their returns", (void)t,
	      .flags = KCATCH_ADD_IN_CALL | KCATCH_ADD_RETURN);
	WRONG(EINVAL, "a command without its gate", (void)t, .comm = "kcatch");
	WRONG(EINVAL, "a depth above the maximum", (void)t, .depth = KCATCH_DEPTH_MAX + 1);
	WRONG(ESRCH, "a process that does not exist", (void)t, .flags = KCATCH_ADD_PID,
	      .pid = 0x7ffffff0);
	WRONG(EINVAL, "an unknown kind", t->kind = 99);
	WRONG(EINVAL, "an empty name", t->name_len = 0);
	WRONG(EFAULT, "a name at a bad pointer", t->name = 0xdead0000);
	WRONG(EFAULT, "a name in the kernel", t->name = 0xffffffff81000000);
	WRONG(ENOENT, "an unknown name", t->name = (uintptr_t)"kt_nothing"; t->name_len = 10);
	WRONG(ENOENT, "a pattern without a match", t->kind = KCATCH_TARGET_PATTERN;
	      t->name = (uintptr_t)"kt_nothing*"; t->name_len = 11);
	WRONG(EADDRNOTAVAIL, "no hook and no kprobe possible", t->name = (uintptr_t)"kt_hidden";
	      t->name_len = 9);
	check(add_target(session.fd, &(struct kcatch_target){ .name = (uintptr_t)"kt_c",
		.name_len = 1U << 31 }, &(struct kcatch_add){}) == -1, "ADD: a name of 2 GB");
	check(add_target(
		      session.fd,
		      &(struct kcatch_target){ .kind = KCATCH_TARGET_ADDRESS, .address = 0x1000 },
		      &(struct kcatch_add){}) == -1,
	      "ADD: an address of user space");
	check(add_target(session.fd, &(struct kcatch_target){ .kind = KCATCH_TARGET_ADDRESS,
		.address = 0xffff888000000000 }, &(struct kcatch_add){}) == -1,
		"ADD: an address of data");
	check_errno(ioctl(session.fd, KCATCH_IOC_ADD, &(struct kcatch_add){ .nr_targets = 1,
		.targets = 0xdead0000 }), EFAULT, "ADD: targets at a bad pointer");
	check_errno(ioctl(session.fd, KCATCH_IOC_ADD, &(struct kcatch_add){
		.nr_targets = KCATCH_TARGETS_MAX + 1, .targets = (uintptr_t)two }), E2BIG,
		"ADD: too many targets");
	check(ioctl(session.fd, KCATCH_IOC_ADD, &(struct kcatch_add){}) == -1, "ADD: no target");
	check_errno(ioctl(session.fd, KCATCH_IOC_ADD, &add), ENOENT,
		    "ADD: the second of two targets is wrong");
	check_equal(add.bad_target, 1, "ADD says which one");
	check_equal(session_status(&session).nr_probes, 0, "nothing was armed by all these");
	check_equal(session_status(&session).nr_attached, 0, "nothing is attached");
	session_close(&session);
}

/* Bindings are done one by one, up to the first that cannot be. */
static void wrong_bind(void)
{
	const struct add_options options = { .flags = KCATCH_ADD_NO_STACK };
	struct kcatch_target target = { .name = (uintptr_t)"sched_switch", .name_len = 12,
					.kind = KCATCH_TARGET_TRACEPOINT };
	struct kcatch_add add = { .flags = KCATCH_ADD_NO_STACK, .nr_targets = 1,
				  .targets = (uintptr_t)&target };
	struct kcatch_program program = {}, user = { .user_stack = 4096 };
	struct kcatch_binding bindings[3] = { { .probe = 0 }, { .probe = 999 }, { .probe = 0 } };
	struct kcatch_bind bind = { .nr = 3, .bindings = (uintptr_t)bindings };
	struct session session;

	session_open(&session, 1 << 20, 1 << 16);
	if (session_add(&session, "kt_c", &options, NULL) ||
	    ioctl(session.fd, KCATCH_IOC_ADD, &add) ||
	    ioctl(session.fd, KCATCH_IOC_PROGRAM, &program) ||
	    ioctl(session.fd, KCATCH_IOC_PROGRAM, &user))
		bail("a function and a tracepoint are armed");
	bindings[0].program = program.number;
	check_errno(ioctl(session.fd, KCATCH_IOC_BIND, &bind), EINVAL, "BIND: to no probe");
	check_equal(bind.done, 1, "BIND says how many are done");
	bindings[0] = (struct kcatch_binding){ .probe = 0, .program = user.number };
	bind.nr = 1;
	check(!ioctl(session.fd, KCATCH_IOC_BIND, &bind), "BIND: a user's stack, of a function");
	bindings[0].probe = add.first_probe;
	check_errno(ioctl(session.fd, KCATCH_IOC_BIND, &bind), EINVAL,
		    "BIND: a user's stack, of a tracepoint without stack");
	session_close(&session);
}

/* A result that cannot be written: the ADD does not even use up a number. */
static void results_unwritten(void)
{
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct kcatch_target *target = (void *)page;
	struct kcatch_add *add = (void *)(page + 2048), other = { .flags = 0 };
	struct kcatch_probe_info info = { .address = 0 };
	struct kcatch_query query = { .count = 1, .buffer = (uintptr_t)&info };
	struct session session;

	session_open(&session, 16384, 4096);
	*target = (struct kcatch_target){ .name = (uintptr_t)"kt_c", .name_len = 4 };
	*add = (struct kcatch_add){ .nr_targets = 1, .targets = (uintptr_t)target };
	mprotect(page, 4096, PROT_READ);
	check_errno(add_target(session.fd, target, &other), EFAULT,
		    "ADD: targets that cannot be written");
	check_errno(ioctl(session.fd, KCATCH_IOC_ADD, add), EFAULT,
		    "ADD: a struct that cannot be written");
	check_equal(session_add(&session, "kt_c", NULL, &other), 0, "ADD: then one that can");
	check_equal(other.first_probe, 0, "its probe has the first number");
	ioctl(session.fd, KCATCH_IOC_PROBES, &query);
	check(query.count == 1 && info.address, "PROBES shows it");
	session_close(&session);
	munmap(page, 4096);
}

static void wrong_queries(void)
{
	struct kcatch_counters counters[4];
	struct kcatch_query query = { .first = 0, .count = 4, .cpu = KCATCH_CPU_ALL,
		.buffer = (uintptr_t)counters };
	struct session session;
	int one = 1;

	session_open(&session, 16384, 4096);
	if (session_add(&session, "kt_c", NULL, NULL))
		bail("kt_c is armed");
	check_equal(ioctl(session.fd, KCATCH_IOC_COUNTERS, &query), 0, "more room than probes");
	check_equal(query.count, 1, "is answered with what there is");
	query = (struct kcatch_query){ .first = 1, .count = 4, .cpu = KCATCH_CPU_ALL,
		.buffer = (uintptr_t)counters };
	ioctl(session.fd, KCATCH_IOC_COUNTERS, &query);
	check_equal(query.count, 0, "past the last probe there is nothing");
	query = (struct kcatch_query){ .first = ~0U, .count = ~0U, .cpu = KCATCH_CPU_ALL,
		.buffer = (uintptr_t)counters };
	ioctl(session.fd, KCATCH_IOC_COUNTERS, &query);
	check(query.count == 0 || query.count == ~0U, "first and count that overflow give nothing");
	query = (struct kcatch_query){ .count = 1, .cpu = 12345, .buffer = (uintptr_t)counters };
	check(ioctl(session.fd, KCATCH_IOC_COUNTERS, &query) == -1, "a CPU that cannot be");
	query = (struct kcatch_query){ .count = 1, .cpu = KCATCH_CPU_ALL, .buffer = 0xdead0000 };
	check_errno(ioctl(session.fd, KCATCH_IOC_COUNTERS, &query), EFAULT, "a bad buffer");
	query = (struct kcatch_query){ .count = 1, .flags = KCATCH_QUERY_SUM << 1,
				       .buffer = (uintptr_t)counters };
	check_errno(ioctl(session.fd, KCATCH_IOC_COUNTERS, &query), EINVAL, "COUNTERS: a flag");
	query.flags = KCATCH_QUERY_SUM;
	check_errno(ioctl(session.fd, KCATCH_IOC_PROBES, &query), EINVAL, "PROBES: a flag");
	query.buffer = 0xdead0000;
	check_errno(ioctl(session.fd, KCATCH_IOC_COUNTERS, &query), EFAULT,
		    "a bad buffer of a sum");
	check_errno(ioctl(session.fd, _IO('k', 0xef)), ENOTTY, "an unknown request");
	check_errno(ioctl(session.fd, _IOR('k', 0xc0, char)), ENOTTY,
		    "a known one of another size");
	check(write(session.fd, &one, sizeof(one)) == -1, "the device cannot be written");
	session_close(&session);
}

/* KCATCH_QUERY_SUM: what the probes have one by one. */
static void sum_of_counters(void)
{
	struct kcatch_counters each[2], sum;
	struct kcatch_query query = { .count = ~0U, .cpu = KCATCH_CPU_ALL,
				      .flags = KCATCH_QUERY_SUM, .buffer = (uintptr_t)&sum };
	struct session session;
	int i;

	session_open(&session, 16384, 4096);
	if (session_add(&session, KT_SYS "getppid", NULL, NULL) ||
	    session_add(&session, KT_SYS "getpgid", NULL, NULL))
		bail("two system calls are armed");
	session_start(&session);
	for (i = 0; i < 7; i++) {
		syscall(SYS_getppid);
		syscall(SYS_getpgid, 0);
		syscall(SYS_getpgid, 0);
	}
	session_stop(&session);
	memset(&sum, 0xff, sizeof(sum));
	check_equal(ioctl(session.fd, KCATCH_IOC_COUNTERS, &query), 0, "a sum of counters");
	check_equal(query.count, 2, "is of all probes that there are");
	session_counters(&session, 0, KCATCH_CPU_ALL, &each[0]);
	session_counters(&session, 1, KCATCH_CPU_ALL, &each[1]);
	check(each[0].hits >= 7 && each[1].hits >= 14, "both were hit");
	check_equal(sum.hits, each[0].hits + each[1].hits, "the sum of hits");
	check_equal(sum.recorded, each[0].recorded + each[1].recorded, "the sum of records");
	check(equation_holds(&sum), "the equation holds for the sum");
	query = (struct kcatch_query){ .first = 1, .count = 1, .cpu = KCATCH_CPU_ALL,
				       .flags = KCATCH_QUERY_SUM, .buffer = (uintptr_t)&sum };
	ioctl(session.fd, KCATCH_IOC_COUNTERS, &query);
	check_equal(sum.hits, each[1].hits, "the sum of one is that one");
	query.first = 2;
	check(!ioctl(session.fd, KCATCH_IOC_COUNTERS, &query) && !query.count && !sum.hits,
	      "the sum of none is 0");
	session_close(&session);
}

static void names_of_many(void)
{
	struct kcatch_symbol all[4], one;
	struct kcatch_query query = { .count = 4, .buffer = (uintptr_t)all };
	struct session session;
	int i, differ = 0;

	session_open(&session, 16384, 4096);
	memset(all, 0xff, sizeof(all));
	all[0].address = kernel_symbol("kt_c");
	all[1].address = kernel_symbol("vfs_read") + 3;
	all[2].address = 0;
	all[3].address = kernel_symbol("jiffies");
	check_equal(ioctl(session.fd, KCATCH_IOC_SYMBOLS, &query), 0, "SYMBOLS names four");
	for (i = 0; i < 4; i++) {
		one = (struct kcatch_symbol){ .address = all[i].address };
		ioctl(session.fd, KCATCH_IOC_SYMBOL, &one);
		differ += !!memcmp(&all[i], &one, sizeof(one));
	}
	check_equal(differ, 0, "each as SYMBOL does, nothing of the kernel's memory behind it");
	check(!strcmp(all[0].name, "kt_c") && !strcmp(all[0].module, "kcatch_test"),
	      "a module's function");
	check(!strcmp(all[1].name, "vfs_read") && all[1].offset == 3, "and an offset");
	query.first = 1;
	check_errno(ioctl(session.fd, KCATCH_IOC_SYMBOLS, &query), EINVAL, "none is the first");
	query = (struct kcatch_query){ .count = ~0U, .buffer = 0xdead0000 };
	check_errno(ioctl(session.fd, KCATCH_IOC_SYMBOLS, &query), EFAULT, "a bad buffer");
	session_close(&session);
}

static void names_of_then(void)
{
	struct kcatch_symbol_then then;
	struct kcatch_symbol one;
	struct session session;

	session_open(&session, 16384, 4096);
	session_add(&session, "kt_c", NULL, NULL);
	one = (struct kcatch_symbol){ .address = kernel_symbol("kt_c") };
	ioctl(session.fd, KCATCH_IOC_SYMBOL, &one);
	memset(&then, 0xff, sizeof(then));
	then.flags = 0;
	then.symbol.address = one.address;
	check_equal(ioctl(session.fd, KCATCH_IOC_SYMBOL_THEN, &then), 0, "SYMBOL_THEN names");
	check(!memcmp(&then.symbol, &one, sizeof(one)),
	      "what stays as SYMBOL does, nothing of the kernel's memory behind it");
	then = (struct kcatch_symbol_then){ .flags = KCATCH_SYMBOL_OF_PROBE };
	check_equal(ioctl(session.fd, KCATCH_IOC_SYMBOL_THEN, &then), 0, "and of a probe");
	check(!strcmp(then.symbol.name, "kt_c") && !strcmp(then.symbol.module, "kcatch_test"),
	      "its function");
	then.probe = 1;
	check_errno(ioctl(session.fd, KCATCH_IOC_SYMBOL_THEN, &then), EINVAL, "there is no such probe");
	then.probe = ~0U;
	check_errno(ioctl(session.fd, KCATCH_IOC_SYMBOL_THEN, &then), EINVAL, "nor the last");
	then.flags = 2;
	check_errno(ioctl(session.fd, KCATCH_IOC_SYMBOL_THEN, &then), EINVAL, "a flag of later");
	session_close(&session);
}

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	if (!file || fputs(text, file) < 0 || fclose(file))
		bail("%s takes %s", path, text);
}

/* Where a device's registers are mapped; 0: none is told. */
static uint64_t device_address(void)
{
	unsigned long long address, physical, found = 0;
	char line[512];
	const char *at;
	FILE *file;

	put("/proc/sys/kernel/kptr_restrict", "1");	/* true addresses, for us */
	file = fopen("/proc/vmallocinfo", "r");
	while (file && !found && fgets(line, sizeof(line), file)) {
		at = strstr(line, " phys=");
		/* Below 4 GB is where devices are; tables of ACPI are mapped so, too. */
		if (at && sscanf(at, " phys=%llx", &physical) == 1 && physical >= 0xf0000000 &&
		    physical < 1ULL << 32 && sscanf(line, "%llx-", &address) == 1)
			found = address;
	}
	if (file)
		fclose(file);
	put("/proc/sys/kernel/kptr_restrict", "0");
	return found;
}

static void wrong_reads(void)
{
	static unsigned char data[KCATCH_READ_MAX];
	const uint64_t start = 1ULL << 63 | 0x7fffULL << 48 | 0xffffULL << 32;
	uint64_t device = device_address(), local;
	const struct {
		struct kcatch_read read;
		int expected;
		const char *what;
	} cases[] = {
		{ { 0x1000, (uintptr_t)data, 8, 0 }, EINVAL, "memory of user space" },
		{ { (uintptr_t)&local, (uintptr_t)data, 8, 0 }, EINVAL, "its own memory" },
		{ { start, (uintptr_t)data, KCATCH_READ_MAX + 1, 0 }, EINVAL, "too much" },
		{ { -8ULL, (uintptr_t)data, 16, 0 }, EINVAL, "beyond the last address" },
		{ { start, (uintptr_t)data, 8, 1 }, EINVAL, "a reserved field" },
		{ { 1ULL << 63, (uintptr_t)data, 8, 0 }, EINVAL, "an address that cannot be" },
		{ { device, (uintptr_t)data, 8, 0 }, EFAULT, "a device's registers" },
	};
	size_t i;
	int fd = device_open();

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kcatch_read read = cases[i].read;

		if (!read.address)
			note("no device tells where it is");
		else
			check_errno(ioctl(fd, KCATCH_IOC_READ, &read), cases[i].expected,
				    "READ: %s", cases[i].what);
	}
	close(fd);
}

/* Whatever comes, the machine and the sessions of others live on. */
static void random_bytes(void)
{
	struct session honest;
	struct kcatch_counters counters;
	unsigned char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const int nr = sizeof(requests) / sizeof(requests[0]);
	int i, j, fd = -1;

	munmap(pages + 4096, 4096);
	session_open(&honest, 65536, 4096);
	if (session_add(&honest, "kt_c", NULL, NULL))
		bail("kt_c is armed");
	session_map(&honest);
	session_start(&honest);
	srandom(11);
	for (i = 0; i < 20000; i++) {
		unsigned char *argument = pages + 4096 - random() % 700;

		if (i % 50 == 0) {
			if (fd >= 0)
				close(fd);
			fd = device_open();
			if (i % 100)
				setup_with(fd, 16384, 4096, 0, 0);
		}
		for (j = 0; argument + j < pages + 4096; j++)
			argument[j] = random() % 3 ? 0 : random();
		ioctl(fd, requests[random() % nr],
		      random() % 20 ? argument : (void *)random());
	}
	close(fd);
	order("process chain");
	session_stop(&honest);
	session_counters(&honest, 0, KCATCH_CPU_ALL, &counters);
	check_equal(counters.recorded, 1, "20000 random calls do not disturb another session");
	check(equation_holds(&counters), "its equation holds");
	session_close(&honest);
}

int main(void)
{
	test_module_load();
	wrong_setup();
	wrong_add();
	wrong_bind();
	results_unwritten();
	wrong_queries();
	sum_of_counters();
	names_of_many();
	names_of_then();
	wrong_reads();
	random_bytes();
	return finish();
}
