// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * control.c - what goes on beside the device: calls that are caught, the text files, modules that
 * come and go, processors, forks and descriptors that live twice
 */
#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define KTRACE "/sys/kernel/debug/ktrace/"
#define PARAMETERS "/sys/module/kcatch/parameters/"

/* Writes TEXT in one go; 0 or -1. */
static int file_write(const char *path, const char *text, size_t size)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), error;
	ssize_t done;

	if (fd < 0)
		return -1;
	done = write(fd, text, size);
	error = errno;
	close(fd);
	errno = error;
	return done < 0 ? -1 : 0;
}

static int file_read(struct worker *worker, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t size = 1 + below(worker, 4096);
	ssize_t done;

	if (fd < 0)
		return -1;
	done = read(fd, take(worker, size), size);
	close(fd);
	return done < 0 ? -1 : 0;
}

/* ---- calls that are caught ---------------------------------------------------- */

int fuzz_calls(struct worker *worker, struct slot *slot)
{
	int i, nr = 1 + below(worker, 8), fd;
	char byte;

	(void)slot;
	switch (below(worker, 4)) {
	case 0:
		for (i = 0; i < nr; i++)
			syscall(SYS_getppid);
		return 0;
	case 1:
		fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
		for (i = 0; i < nr; i++)
			i += read(fd, &byte, 1) - 1;
		return close(fd);
	case 2:
		return access("/proc/self/status", R_OK);
	default:
		return sched_yield();
	}
}

/* The test module calls its functions in the context that it is told. */
int fuzz_order(struct worker *worker, struct slot *slot)
{
	static const char *const contexts[] = {
		"process", "process", "process", "irqs-off", "softirq", "hardirq", "timer",
		"workqueue", "kthread",
	};
	static const char *const shapes[] = {
		"chain", "leaf", "many", "recursion", "alloca", "realigned", "pointer", "jump",
		"blank", "twins", "twice", "writes", "reads",
	};
	static const char *const trace[] = { "kinds", "texts", "pair", "count 20" };
	const char *text;
	char order[64];

	(void)slot;
	switch (below(worker, 12)) {
	case 0:
		text = one_of(worker, trace);
		return file_write("/sys/module/kcatch_trace/parameters/order", text, strlen(text));
	case 1:
		snprintf(order, sizeof(order), "%s %u", once_in(worker, 2) ? "hammer" : "nest",
			 1 + below(worker, 50));
		break;
	default:
		snprintf(order, sizeof(order), "%s %s", one_of(worker, contexts),
			 one_of(worker, shapes));
	}
	return file_write("/proc/kcatch_test", order, strlen(order));
}

/* ---- text files ----------------------------------------------------------------- */

int fuzz_otst(struct worker *worker, struct slot *slot)
{
	static const char *const names[] = {
		"kt_a", "kt_c", "kt_c\n", "-kt_a", "-kt_c", "vfs_statx", "-vfs_statx", "kt_write",
		"-kt_write", " kt_blank ", "-", "", "\n", "-\n", "no_such_function", "kt_*",
		"kcatch_test:kt_c", "asm_exc_page_fault",
	};
	const char *name = one_of(worker, names);
	size_t size = strlen(name);
	char *text;

	(void)slot;
	if (once_in(worker, 4))
		return file_read(worker, "/proc/driver/otst");
	text = memcpy(take(worker, 1024), name, size);
	if (once_in(worker, 8)) {
		size = below(worker, 1024);
		mutate(worker, text, 64, 1);
	}
	return file_write("/proc/driver/otst", text, size);
}

int fuzz_ktrace_file(struct worker *worker, struct slot *slot)
{
	static const char *const files[] = {
		"enabled", "info", "overflow", "reset", "events/kt_count", "events/kt_text",
		"events/kt_pair", "events/kt_loaded",
	};
	static const char *const values[] = { "0", "1", "0\n", "1\n", "2", "", "-1", "1 1" };
	const char *value = one_of(worker, values);
	char path[128];

	(void)slot;
	snprintf(path, sizeof(path), KTRACE "%s", one_of(worker, files));
	return once_in(worker, 2) ? file_read(worker, path) :
				    file_write(path, value, strlen(value));
}

static void ktrace_close(struct worker *worker, int which)
{
	if (worker->ktrace_ring[which])
		munmap(worker->ktrace_ring[which], 4096);
	worker->ktrace_ring[which] = NULL;
	if (worker->ktrace[which] >= 0)
		close(worker->ktrace[which]);
	worker->ktrace[which] = -1;
}

static int ktrace_map(struct worker *worker, int which)
{
	uint64_t size = 0;
	void *ring;

	if (ioctl(worker->ktrace[which], KCATCH_KTRACE_GET_SIZE, &size))
		return -1;
	mutate(worker, &size, sizeof(size), 4);
	ring = mmap(NULL, 4096 + size, PROT_READ, MAP_SHARED, worker->ktrace[which], 0);
	if (ring == MAP_FAILED)
		return -1;
	/* One page of it stays, and holds the file. */
	munmap((char *)ring + 4096, size);
	if (worker->ktrace_ring[which])
		munmap(worker->ktrace_ring[which], 4096);
	worker->ktrace_ring[which] = ring;
	return 0;
}

static int ktrace_consume(struct worker *worker, int fd)
{
	uint64_t *position = take(worker, sizeof(*position));

	if (ioctl(fd, KCATCH_KTRACE_GET_PRODUCED, position))
		return -1;
	mutate(worker, position, sizeof(*position), 2);
	return ioctl(fd, KCATCH_KTRACE_PUT_CONSUMED, position);
}

int fuzz_ktrace_buffer(struct worker *worker, struct slot *slot)
{
	int which = below(worker, FUZZ_KTRACE), fd = worker->ktrace[which];
	struct pollfd poll_one = { .fd = fd, .events = POLLIN };
	char path[64];
	size_t size;

	(void)slot;
	if (fd < 0) {
		snprintf(path, sizeof(path), KTRACE "buffers/cpu%u", below(worker, 2));
		worker->ktrace[which] = open(path, O_RDWR | O_CLOEXEC);
		return worker->ktrace[which] < 0 ? -1 : 0;
	}
	switch (below(worker, 6)) {
	case 0:
		size = below(worker, 16384);
		return read(fd, once_in(worker, 16) ? NULL : take(worker, size), size) < 0 ? -1 : 0;
	case 1:
		return ktrace_map(worker, which);
	case 2:
		return ktrace_consume(worker, fd);
	case 3:
		return ioctl(fd, KCATCH_KTRACE_GET_CONSUMED, take(worker, 8));
	case 4:
		return poll(&poll_one, 1, 0) < 0 ? -1 : 0;
	default:
		ktrace_close(worker, which);
		return 0;
	}
}

int fuzz_parameter(struct worker *worker, struct slot *slot)
{
	static const char *const names[] = {
		"ktrace_size", "ktrace_size", "action", "count", "flags", "symbol", "verbose",
	};
	static const char *const values[] = {
		"8192", "16384", "65536", "1048576", "0", "-1", "1", "x", "99999999999", "70000",
	};
	const char *value = one_of(worker, values);
	char path[128];

	(void)slot;
	snprintf(path, sizeof(path), PARAMETERS "%s", one_of(worker, names));
	return once_in(worker, 3) ? file_read(worker, path) :
				    file_write(path, value, strlen(value));
}

/* ---- modules ---------------------------------------------------------------------- */

static const char *const module_names[] = {
	"kcatch_test", "kcatch_trace", "kcatch_trace_twin", "kcatch_locks",
};
#define MODULES (sizeof(module_names) / sizeof(*module_names))

static struct { void *image; size_t size; } modules[MODULES];

void modules_read(const char *directory)
{
	char path[4096];
	struct stat stat;
	size_t i;
	int fd;

	for (i = 0; i < MODULES; i++) {
		snprintf(path, sizeof(path), "%s/%s/%s.ko", directory, module_names[i],
			 module_names[i]);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || fstat(fd, &stat)) {
			perror(path);
			exit(1);
		}
		modules[i].size = stat.st_size;
		modules[i].image = malloc(stat.st_size);
		if (read(fd, modules[i].image, stat.st_size) != stat.st_size) {
			perror(path);
			exit(1);
		}
		close(fd);
		syscall(SYS_init_module, modules[i].image, modules[i].size, "");
	}
}

int fuzz_module(struct worker *worker, struct slot *slot)
{
	size_t which = below(worker, MODULES);

	(void)slot;
	if (once_in(worker, 2))
		return syscall(SYS_delete_module, module_names[which], O_NONBLOCK);
	return syscall(SYS_init_module, modules[which].image, modules[which].size, "");
}

/* ---- threads and processes ---------------------------------------------------------- */

int fuzz_affinity(struct worker *worker, struct slot *slot)
{
	cpu_set_t set;
	int cpu;

	(void)slot;
	CPU_ZERO(&set);
	for (cpu = 0; cpu < 2; cpu++)
		if (once_in(worker, 2))
			CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

/* The child has the descriptor, not the mappings. */
int fuzz_fork(struct worker *worker, struct slot *slot)
{
	int fd = __atomic_load_n(&slot->fd, __ATOMIC_RELAXED), status;
	bool start = once_in(worker, 2);
	pid_t pid = fork();

	if (!pid) {
		if (!slot->own)
			ioctl(fd, start ? KCATCH_IOC_START : KCATCH_IOC_STOP);
		syscall(SYS_getppid);
		_exit(0);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid ? 0 : -1;
}

int fuzz_dup(struct worker *worker, struct slot *slot)
{
	int fd = __atomic_load_n(&slot->fd, __ATOMIC_RELAXED), copy = dup(fd);

	(void)worker;
	if (copy < 0)
		return -1;
	if (!slot->own)
		ioctl(copy, KCATCH_IOC_STOP);
	return close(copy);
}

void control_finish(struct worker *worker)
{
	int i;

	for (i = 0; i < FUZZ_KTRACE; i++)
		ktrace_close(worker, i);
	file_write(KTRACE "enabled", "0", 1);
}
