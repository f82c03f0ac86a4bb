// SPDX-License-Identifier: GPL-2.0-or-later
/* session.c - a session by the bare ioctls, and the test module; see guest.h */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

int device_open(void)
{
	return open(KCATCH_DEVICE, O_RDWR | O_CLOEXEC);
}

void session_open(struct session *session, uint32_t ring_size, uint32_t packet_size)
{
	session_open_mode(session, ring_size, packet_size, KCATCH_RING_DISCARD, 0);
}

void session_open_mode(struct session *session, uint32_t ring_size, uint32_t packet_size,
		       uint32_t mode, uint32_t flags)
{
	struct kcatch_setup setup = {
		.ring_size = ring_size, .packet_size = packet_size, .mode = mode, .flags = flags,
	};

	memset(session, 0, sizeof(*session));
	session->ring_size = ring_size;
	session->packet_size = packet_size;
	session->fd = device_open();
	if (session->fd < 0)
		bail("the device opens");
	if (ioctl(session->fd, KCATCH_IOC_SETUP, &setup))
		bail("SETUP with rings of %u bytes", ring_size);
}

void session_close(struct session *session)
{
	long page = sysconf(_SC_PAGESIZE);
	int cpu;

	for (cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (session->ring[cpu])
			munmap(session->ring[cpu], page + session->ring_size);
		if (session->consumer[cpu])
			munmap(session->consumer[cpu], page);
	}
	close(session->fd);
}

int session_add(struct session *session, const char *name, const struct add_options *options,
		struct kcatch_add *add)
{
	struct kcatch_target target = {
		.kind = options ? options->kind : KCATCH_TARGET_NAME,
		.name_len = strlen(name), .name = (uintptr_t)name,
	};
	struct kcatch_add local;

	if (!add)
		add = &local;
	memset(add, 0, sizeof(*add));
	if (options) {
		add->flags = options->flags;
		add->depth = options->depth;
		add->budget = options->budget;
		add->pid = options->pid;
		add->max_active = options->max_active;
		if (options->comm)
			strncpy(add->comm, options->comm, sizeof(add->comm) - 1);
	}
	add->nr_targets = 1;
	add->targets = (uintptr_t)&target;
	return ioctl(session->fd, KCATCH_IOC_ADD, add);
}

void session_bind(struct session *session, uint32_t probe, struct kcatch_program *program)
{
	struct kcatch_binding binding = { .probe = probe };
	struct kcatch_bind bind = { .nr = 1, .bindings = (uintptr_t)&binding };

	if (ioctl(session->fd, KCATCH_IOC_PROGRAM, program))
		bail("PROGRAM: %m (list %u, item %u)", program->bad_list, program->bad_item);
	binding.program = program->number;
	if (ioctl(session->fd, KCATCH_IOC_BIND, &bind))
		bail("BIND to probe %u: %m", probe);
}

void session_start(struct session *session)
{
	if (ioctl(session->fd, KCATCH_IOC_START))
		bail("START");
}

void session_stop(struct session *session)
{
	if (ioctl(session->fd, KCATCH_IOC_STOP))
		bail("STOP");
}

void session_counters(struct session *session, uint32_t probe, uint32_t cpu,
		      struct kcatch_counters *counters)
{
	struct kcatch_query query = {
		.first = probe, .count = 1, .cpu = cpu, .buffer = (uintptr_t)counters,
	};

	if (ioctl(session->fd, KCATCH_IOC_COUNTERS, &query) || query.count != 1)
		bail("COUNTERS of probe %u", probe);
}

struct kcatch_counters session_sums(struct session *session, uint32_t probe)
{
	struct kcatch_counters counters;

	session_counters(session, probe, KCATCH_CPU_ALL, &counters);
	if (!equation_holds(&counters))
		bail("the equation holds");
	return counters;
}

struct kcatch_status session_status(struct session *session)
{
	struct kcatch_status status;

	if (ioctl(session->fd, KCATCH_IOC_STATUS, &status))
		bail("STATUS");
	return status;
}

bool equation_holds(const struct kcatch_counters *counters)
{
#define ADD(name, words, help) + counters->name
	uint64_t sum = 0 KCATCH_COUNTERS_TERMS(ADD);
#undef ADD

	if (counters->hits == sum)
		return true;
	note("hits %llu != recorded %llu + filtered %llu + over_budget %llu + undecided %llu + missed %llu + lost %llu",
	     counters->hits, counters->recorded, counters->filtered, counters->over_budget,
	     counters->undecided, counters->missed, counters->lost);
	return false;
}

static FILE *orders_open(const char *mode)
{
	FILE *file = fopen("/proc/kcatch_test", mode);

	if (!file)
		bail("the test module is there");
	return file;
}

void test_module_load(void)
{
	char command[4096];

	if (!access("/proc/kcatch_test", F_OK))
		return;
	snprintf(command, sizeof(command), "insmod '%s'", getenv("KT_TEST_MODULE"));
	if (system(command))
		bail("the test module loads");
}

void order(const char *format, ...)
{
	FILE *file = orders_open("w");
	va_list args;

	va_start(args, format);
	vfprintf(file, format, args);
	va_end(args);
	if (fclose(file))
		bail("the test module takes the order '%s'", format);
}

uint64_t module_value(const char *format, ...)
{
	FILE *file = orders_open("r");
	unsigned long long value;
	char wanted[64], name[64];
	va_list args;

	va_start(args, format);
	vsnprintf(wanted, sizeof(wanted), format, args);
	va_end(args);
	while (fscanf(file, "%63s %llu", name, &value) >= 1) {
		if (!strcmp(name, wanted)) {
			fclose(file);
			return value;
		}
		if (fscanf(file, "%*[^\n]") < 0)
			break;
	}
	bail("the test module counts %s", wanted);
}

int online_cpus(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

void need_cpus(int least, int most)
{
	if (online_cpus() < least || online_cpus() > most)
		skip_all("needs %d to %d CPUs", least, most);
}

int lines_with(const char *file, const char *text)
{
	FILE *stream = fopen(file, "r");
	char line[1024];
	int count = 0;

	if (!stream)
		bail("%s can be read", file);
	while (fgets(line, sizeof(line), stream))
		count += strstr(line, text) != NULL;
	fclose(stream);
	return count;
}

uint64_t kernel_symbol(const char *wanted)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long long address;
	char name[512];

	while (file && fscanf(file, "%llx %*c %511s%*[^\n]", &address, name) == 2)
		if (!strcmp(name, wanted)) {
			fclose(file);
			return address;
		}
	bail("the kernel has %s", wanted);
}
