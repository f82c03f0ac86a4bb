// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a reader of debugfs ktrace/buffers/cpuN whose memory takes for ever (a page
 * that userfaultfd holds back) stops nobody: the other files answer, a module with events
 * is loaded, another reader takes the events; and what that one took is not read twice. Nor
 * does a reader of an event's file, whose module is unloaded meanwhile.
 * Gate: newest
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

/* Who reads into a page that is not there. */
struct slow {
	pthread_t thread;
	int file;
	int fault;		/* of userfaultfd */
	char *held;
	ssize_t got;
};

static bool put(const char *path, const char *text)
{
	int file = open(path, O_WRONLY);
	bool good = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);

	close(file);
	return good;
}

static void *read_slowly(void *context)
{
	struct slow *slow = context;

	slow->got = read(slow->file, slow->held, getpagesize());
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

static void begin(struct slow *slow)
{
	struct pollfd fault = { .events = POLLIN };

	slow->held = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	fault.fd = slow->fault = hold_memory_back(slow->held, getpagesize());
	if (pthread_create(&slow->thread, NULL, read_slowly, slow) || poll(&fault, 1, -1) != 1)
		bail("a reader waits for its memory");
}

static ssize_t end(struct slow *slow)
{
	give_memory(slow->fault, slow->held, getpagesize());
	pthread_join(slow->thread, NULL);
	return slow->got;
}

/* The file of an event, while its module goes and comes again. */
static void event_goes(const char *modules)
{
	struct slow slow = { .file = open(KTRACE "/events/kt_twin_loaded", O_RDONLY) };
	int other = open(KTRACE "/events/kt_twin_loaded", O_WRONLY);
	ssize_t got;

	if (slow.file < 0 || other < 0)
		bail("the file of an event");
	begin(&slow);
	check(ends("rmmod kcatch_trace_twin"), "it is unloaded while its event's file is read");
	check(access(KTRACE "/events/kt_twin_loaded", F_OK), "and the file is gone");
	check_errno(write(other, "1", 1), EIO, "who has it open cannot switch on the event");
	check(ends("insmod '%s/kcatch_trace_twin/kcatch_trace_twin.ko'", modules),
	      "it is loaded again meanwhile");
	check(!access(KTRACE "/events/kt_twin_loaded", F_OK), "and the file is there");
	got = end(&slow);
	check(got == 2 && !memcmp(slow.held, "0\n", 2), "who reads it gets an answer");
	close(slow.file);
	close(other);
}

int main(void)
{
	const char *modules = getenv("KT_MODULES");
	struct slow slow = { .file = -1 };
	char quick[4096];
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
	slow.file = file;
	begin(&slow);

	check(ends("cat " KTRACE "/overflow >/dev/null"), "overflow is read meanwhile");
	check(ends("insmod '%s/kcatch_trace_twin/kcatch_trace_twin.ko'", modules),
	      "a module with events is loaded meanwhile");
	event_goes(modules);
	check(ends("rmmod kcatch_trace_twin"), "and unloaded");
	size = 0;
	/* Not by who waits for ever where the first does. */
	if (ends("dd if=" KTRACE "/buffers/cpu0 of=taken bs=4096 count=1 2>/dev/null")) {
		int taken = open("taken", O_RDONLY);

		size = read(taken, quick, sizeof(quick));
		close(taken);
	}
	check(size > (ssize_t)sizeof(struct kcatch_packet), "another reader takes the event");

	check_equal(end(&slow), 0, "the slow one is not given it as well");
	put(ORDER, "pair");
	check(read(file, quick, sizeof(quick)) > (ssize_t)sizeof(struct kcatch_packet),
	      "and the next event is read as ever");
	put(KTRACE "/events/kt_pair", "0");
	close(file);
	ends("rmmod kcatch_trace");
	return finish();
}
