// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a reader of debugfs ktrace/buffers/cpuN whose memory takes for ever (a page
 * that userfaultfd holds back) stops nobody: the other files answer, a module with events
 * is loaded, another reader takes the events; and what that one took is not read twice.
 */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define KTRACE	"/sys/kernel/debug/ktrace"
#define ORDER	"/sys/module/kcatch_trace/parameters/order"

static char *held;		/* the page that is not there */
static ssize_t got;		/* what the slow reader was given */

static bool put(const char *path, const char *text)
{
	int file = open(path, O_WRONLY);
	bool good = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);

	close(file);
	return good;
}

static void *read_slowly(void *file)
{
	got = read(*(int *)file, held, getpagesize());
	return NULL;
}

/* Runs it; false when it fails, or waits for ever: then it is left behind. */
static bool ends(const char *format, ...)
{
	char command[4096];
	va_list list;
	int i, status;
	pid_t child;

	va_start(list, format);
	vsnprintf(command, sizeof(command), format, list);
	va_end(list);
	child = fork();
	if (!child) {
		execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(127);
	}
	for (i = 0; i < 30000; i++) {	/* five minutes, where most take a moment */
		if (waitpid(child, &status, WNOHANG) == child)
			return WIFEXITED(status) && !WEXITSTATUS(status);
		usleep(10000);
	}
	return false;
}

static int hold_page_back(void)
{
	held = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	return hold_memory_back(held, getpagesize());
}

int main(void)
{
	const char *modules = getenv("KT_MODULES");
	struct pollfd fault = { .events = POLLIN };
	char quick[4096];
	pthread_t reader;
	cpu_set_t cpus;
	ssize_t size;
	int file;

	if (access(KTRACE "/info", F_OK))
		skip_all("there is no debugfs");
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) ||
	    !ends("insmod '%s/kcatch_trace/kcatch_trace.ko'", modules) ||
	    !put(KTRACE "/events/kt_pair", "1"))
		bail("an event is switched on");
	file = open(KTRACE "/buffers/cpu0", O_RDWR);
	if (file < 0 || !put(ORDER, "pair"))
		bail("an event is emitted");
	fault.fd = hold_page_back();
	if (pthread_create(&reader, NULL, read_slowly, &file) || poll(&fault, 1, -1) != 1)
		bail("a reader waits for its memory");

	check(ends("cat " KTRACE "/overflow >/dev/null"), "overflow is read meanwhile");
	check(ends("insmod '%s/kcatch_trace_twin/kcatch_trace_twin.ko'", modules),
	      "a module with events is loaded meanwhile");
	check(ends("rmmod kcatch_trace_twin"), "and unloaded");
	size = 0;
	/* Not by who waits for ever where the first does. */
	if (ends("dd if=" KTRACE "/buffers/cpu0 of=taken bs=4096 count=1 2>/dev/null")) {
		int taken = open("taken", O_RDONLY);

		size = read(taken, quick, sizeof(quick));
		close(taken);
	}
	check(size > (ssize_t)sizeof(struct kcatch_packet), "another reader takes the event");

	give_memory(fault.fd, held, getpagesize());
	pthread_join(reader, NULL);
	check_equal(got, 0, "the slow one is not given it as well");
	put(ORDER, "pair");
	check(read(file, quick, sizeof(quick)) > (ssize_t)sizeof(struct kcatch_packet),
	      "and the next event is read as ever");
	put(KTRACE "/events/kt_pair", "0");
	close(file);
	ends("rmmod kcatch_trace");
	return finish();
}
