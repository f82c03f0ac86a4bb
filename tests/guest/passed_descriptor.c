// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a descriptor that was passed to a process without rights, or to root of a
 * user namespace, reads what was armed and reaches nothing else of the kernel.
 * Gate: older
 */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define KTRACE	"/sys/kernel/debug/ktrace"
#define RING	65536
#define CALLS	10

/* What the process without rights got: 0, or the errno of each call. */
struct got {
	int open, map, consume, poll, stop, status, counters, probes, info, swap, rows;
	int setup, add, program, bind, start, symbol, symbols, symbol_then, tasks, read;
	int read_event, switch_event;
	uint64_t records;
	uint8_t memory[64];
	bool done;
};

static int error_of(long result)
{
	return result < 0 ? errno : 0;
}

static void ask(struct session *session, struct got *got)
{
	struct kcatch_target target = { .name = (uintptr_t)"kt_a", .name_len = 4 };
	struct kcatch_add add = { .nr_targets = 1, .targets = (uintptr_t)&target };
	struct kcatch_setup setup = { .ring_size = RING, .packet_size = 4096 };
	struct kcatch_read read = { .address = (uintptr_t)-1 << 31, .size = sizeof(got->memory),
				    .buffer = (uintptr_t)got->memory };
	struct kcatch_symbol symbol = { .address = (uintptr_t)-1 << 31 };
	struct kcatch_symbol_then then = { .symbol = symbol };
	struct kcatch_program program = { 0 };
	struct kcatch_binding binding = { 0 };
	struct kcatch_bind bind = { .nr = 1, .bindings = (uintptr_t)&binding };
	struct kcatch_counters counters;
	struct kcatch_probe_info info;
	struct kcatch_info known;
	struct kcatch_query query = { .count = 1, .buffer = (uintptr_t)&counters,
				      .cpu = KCATCH_CPU_ALL };
	struct kcatch_tasks tasks = { 0 };
	struct kcatch_status status;
	int fd = session->fd;

	got->open = error_of(device_open());
	got->setup = error_of(ioctl(fd, KCATCH_IOC_SETUP, &setup));
	got->add = error_of(ioctl(fd, KCATCH_IOC_ADD, &add));
	got->program = error_of(ioctl(fd, KCATCH_IOC_PROGRAM, &program));
	got->bind = error_of(ioctl(fd, KCATCH_IOC_BIND, &bind));
	got->start = error_of(ioctl(fd, KCATCH_IOC_START));
	got->symbol = error_of(ioctl(fd, KCATCH_IOC_SYMBOL, &symbol));
	query = (struct kcatch_query){ .count = 1, .buffer = (uintptr_t)&symbol };
	got->symbols = error_of(ioctl(fd, KCATCH_IOC_SYMBOLS, &query));
	got->symbol_then = error_of(ioctl(fd, KCATCH_IOC_SYMBOL_THEN, &then));
	query = (struct kcatch_query){ .count = 1, .buffer = (uintptr_t)&counters,
				       .cpu = KCATCH_CPU_ALL };
	got->tasks = error_of(ioctl(fd, KCATCH_IOC_TASKS, &tasks));
	got->read = error_of(ioctl(fd, KCATCH_IOC_READ, &read));
	got->status = error_of(ioctl(fd, KCATCH_IOC_STATUS, &status));
	got->counters = error_of(ioctl(fd, KCATCH_IOC_COUNTERS, &query));
	query = (struct kcatch_query){ .count = 1, .buffer = (uintptr_t)&info };
	got->probes = error_of(ioctl(fd, KCATCH_IOC_PROBES, &query));
	got->info = error_of(ioctl(fd, KCATCH_IOC_INFO, &known));
	/* Of a table that there is not: allowed, and refused for that. */
	got->swap = error_of(ioctl(fd, KCATCH_IOC_SWAP, &(struct kcatch_swap){ .table = 9 }));
	got->rows = error_of(ioctl(fd, KCATCH_IOC_ROWS, &(struct kcatch_rows){ .table = 9 }));
	got->stop = error_of(ioctl(fd, KCATCH_IOC_STOP));
	session_map(session);
	got->records = session_read(session, false, NULL, NULL);
}

static void ask_files(int buffer, int event, struct got *got)
{
	char data[4096];

	got->read_event = error_of(read(buffer, data, sizeof(data)));
	got->switch_event = error_of(write(event, "1", 1));
}

static void lose_rights(void)
{
	if (setgroups(0, NULL) || setresgid(65534, 65534, 65534) ||
	    setresuid(65534, 65534, 65534))
		_exit(1);
}

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	close(fd);
	return good;
}

/* All capabilities, in a namespace of its own. */
static void become_root_of_namespace(void)
{
	char map[64];

	lose_rights();
	/* Its files in /proc are root's since its IDs changed, until it says otherwise. */
	if (prctl(PR_SET_DUMPABLE, 1) || unshare(CLONE_NEWUSER))
		_exit(2);
	snprintf(map, sizeof(map), "0 65534 1");
	if (!write_text("/proc/self/uid_map", map) || setresuid(0, 0, 0))
		_exit(3);
}

static void test_process(const char *who, void (*become)(void))
{
	struct got *got = mmap(NULL, sizeof(*got), PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int buffer = open(KTRACE "/buffers/cpu0", O_RDONLY);
	int event = open(KTRACE "/events/sched_switch", O_WRONLY);
	static const uint8_t zeros[sizeof(got->memory)];
	struct session session;
	int status, calls;
	pid_t child;

	session_open(&session, RING, 4096);
	if (session_add(&session, "kt_c", NULL, NULL))
		bail("kt_c is armed");
	session_start(&session);
	for (calls = 0; calls < CALLS; calls++)
		order("process chain");
	child = fork();
	if (!child) {
		become();
		ask(&session, got);
		ask_files(buffer, event, got);
		got->done = true;
		_exit(0);
	}
	waitpid(child, &status, 0);
	if (!got->done)
		bail("%s asks (status %x)", who, status);
	check(got->open == EACCES || got->open == EPERM, "%s cannot open the device", who);
	check_equal(got->setup, EPERM, "%s: SETUP", who);
	check_equal(got->add, EPERM, "%s: ADD", who);
	check_equal(got->program, EPERM, "%s: PROGRAM", who);
	check_equal(got->bind, EPERM, "%s: BIND", who);
	check_equal(got->start, EPERM, "%s: START", who);
	check_equal(got->symbol, EPERM, "%s: SYMBOL", who);
	check_equal(got->symbols, EPERM, "%s: SYMBOLS", who);
	check_equal(got->symbol_then, EPERM, "%s: SYMBOL_THEN", who);
	check_equal(got->tasks, EPERM, "%s: TASKS", who);
	check_equal(got->read, EPERM, "%s: READ", who);
	check(!memcmp(got->memory, zeros, sizeof(zeros)), "%s has no byte of the kernel", who);
	check(!got->status && !got->counters && !got->probes && !got->stop,
	      "%s may ask for what was armed, and stop it", who);
	check_equal(got->info, 0, "%s: INFO is answered", who);
	check(got->swap == EINVAL && got->rows == EINVAL,
	      "%s: SWAP and ROWS are, of a table that there is not", who);
	check_equal(got->records, CALLS, "%s reads what was recorded", who);
	if (buffer >= 0) {
		check_equal(got->read_event, 0, "%s reads events through a descriptor", who);
		check_equal(got->switch_event, EPERM, "%s switches none", who);
	}
	session_close(&session);
	close(buffer);
	close(event);
	munmap(got, sizeof(*got));
}

int main(void)
{
	test_module_load();
	test_process("a process without rights", lose_rights);
	test_process("root of a user namespace", become_root_of_namespace);
	return finish();
}
