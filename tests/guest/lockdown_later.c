// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: the kernel is locked down while kcatch is in use: with integrity nothing
 * changes; with confidentiality open descriptors reach nothing new, and none is opened.
 * Gate: newest
 * Locks: this machine, for good: no other test runs on it afterwards.
 */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define LOCKDOWN "/sys/kernel/security/lockdown"
#define KTRACE	"/sys/kernel/debug/ktrace"
#define RING	65536

static void lock_down(const char *level)
{
	int fd = open(LOCKDOWN, O_WRONLY);

	if (fd < 0 || write(fd, level, strlen(level)) != (ssize_t)strlen(level))
		bail("the kernel is locked down (%s)", level);
	close(fd);
}

static void call_five_times(void)
{
	int i;

	for (i = 0; i < 5; i++)
		order("process chain");
}

static int read_kernel(int fd)
{
	uint64_t value;
	struct kcatch_read read = { .address = 0, .size = sizeof(value),
				    .buffer = (uintptr_t)&value };
	read.address = kernel_symbol("linux_banner");
	return ioctl(fd, KCATCH_IOC_READ, &read) ? errno : 0;
}

static int list_tasks(int fd)
{
	struct kcatch_tasks tasks = { 0 };

	return ioctl(fd, KCATCH_IOC_TASKS, &tasks) ? errno : 0;
}

/* How a file of ktrace/ opens: 0, or the errno. */
static int open_error(const char *file, int flags)
{
	char path[128];
	int fd, error;

	snprintf(path, sizeof(path), KTRACE "/%s", file);
	fd = open(path, flags);
	error = fd < 0 ? errno : 0;
	close(fd);
	return error;
}

static void with_integrity(struct session *session, bool ktrace)
{
	int fd;

	lock_down("integrity");
	if (ktrace) {
		check_equal(open_error("info", O_RDONLY), 0, "integrity: ktrace/info opens");
		check_equal(open_error("overflow", O_RDONLY), 0, "and overflow");
		check_equal(open_error("enabled", O_RDONLY), EPERM, "not enabled");
		check_equal(open_error("buffers/cpu0", O_RDONLY), EPERM, "nor buffers/cpu0");
		check(!system("kcatch -n 1 -t 300 -e ktrace:syscall_entry >out 2>err"),
		      "integrity: the events are recorded by the command");
	}
	fd = device_open();
	check(fd >= 0, "integrity: the device opens");
	close(fd);
	check_equal(read_kernel(session->fd), 0, "integrity: memory may be read");
	check_equal(list_tasks(session->fd), 0, "integrity: threads are listed");
	call_five_times();
	check_equal(session_read(session, false, NULL, NULL), 5, "integrity: calls are recorded");
}

static void with_confidentiality(struct session *session, int buffer)
{
	struct kcatch_counters counters;
	char data[4096];

	lock_down("confidentiality");
	check(device_open() < 0 && errno == EPERM, "confidentiality: the device does not open");
	check_equal(read_kernel(session->fd), EPERM, "confidentiality: READ of an open session");
	check_equal(list_tasks(session->fd), EPERM, "confidentiality: TASKS");
	check_errno(ioctl(session->fd, KCATCH_IOC_ROWS, &(struct kcatch_rows){ .table = 1 }), EPERM,
		    "confidentiality: ROWS");
	check_errno(session_add(session, "kt_a", NULL, NULL), EPERM, "confidentiality: ADD");
	check_errno(ioctl(session->fd, KCATCH_IOC_START), EPERM, "confidentiality: START");
	check(mmap(NULL, getpagesize() + RING, PROT_READ, MAP_SHARED, session->fd,
		   KCATCH_MMAP_RING(0)) == MAP_FAILED && errno == EPERM,
	      "confidentiality: no new mapping");
	if (buffer >= 0)
		check_errno(read(buffer, data, sizeof(data)), EPERM,
			    "confidentiality: a buffer of ktrace that is open");
	call_five_times();
	session_counters(session, 0, KCATCH_CPU_ALL, &counters);
	check(counters.recorded == 10 && equation_holds(&counters),
	      "a session that runs goes on, and counts");
	check(!ioctl(session->fd, KCATCH_IOC_STOP), "and can be stopped");
	check(system("kcatch -t 1 kt_c >out 2>err; [ $? -eq 1 ] && grep -q lockdown err") == 0,
	      "the command says why it is refused");
	check(open("/proc/driver/otst", O_RDONLY) < 0 && errno == EPERM, "otst is closed");
	if (buffer >= 0)
		check(open(KTRACE "/info", O_RDONLY) < 0 && errno == EPERM, "and ktrace");
}

int main(void)
{
	struct session session;
	int buffer;

	if (access(LOCKDOWN, W_OK))
		skip_all("this kernel has no lockdown");
	test_module_load();
	buffer = open(KTRACE "/buffers/cpu0", O_RDONLY);
	session_open(&session, RING, 4096);
	if (session_add(&session, "kt_c", NULL, NULL))
		bail("kt_c is armed");
	session_map(&session);
	session_start(&session);
	with_integrity(&session, buffer >= 0);
	with_confidentiality(&session, buffer);
	session_close(&session);
	return finish();
}
