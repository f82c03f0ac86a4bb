// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: when any one allocation of a request fails, the request either says ENOMEM
 * and has changed nothing, so that it can be repeated, or does without. Needs a kernel with
 * fault injection, such as 6.1-debug, whose kmemleak then finds what an error path has lost.
 * Gate: older
 */
#include "guest.h"
#include "code.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Far more allocations than any request makes. */
#define MOST	2000

static int fail_nth;

static void write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		bail("%s takes '%s'", path, text);
	close(fd);
}

/* From now on the allocation number @nth of this thread fails; 0: none. */
static void fail(int nth)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", nth);
	if (pwrite(fail_nth, text, strlen(text), 0) < 0)
		bail("fail-nth takes %d", nth);
}

/* Has it failed by now? */
static bool has_failed(void)
{
	char text[16] = "";

	if (pread(fail_nth, text, sizeof(text) - 1, 0) < 0)
		bail("fail-nth is read");
	return !atoi(text);
}

/* ---- requests ------------------------------------------------------------ */

static int do_open(struct session *session)
{
	session->fd = device_open();
	return session->fd < 0 ? -1 : 0;
}

static int do_setup(struct session *session)
{
	struct kcatch_setup setup = { .ring_size = 65536, .packet_size = 4096,
				      .flags = KCATCH_SETUP_FREEZE_LOCKUP };

	return ioctl(session->fd, KCATCH_IOC_SETUP, &setup);
}

static int add(struct session *session, const char *name, uint32_t kind, uint32_t flags)
{
	const struct add_options options = {
		.kind = kind, .flags = flags, .max_active = flags & KCATCH_ADD_RETURN ? 4 : 0,
		.pid = flags & KCATCH_ADD_PID ? getpid() : 0,
	};

	return session_add(session, name, &options, NULL);
}

static int add_function(struct session *session)
{
	return add(session, KT_SYS "getppid", KCATCH_TARGET_NAME, 0);
}

static int add_pattern(struct session *session)
{
	return add(session, "kt_?", KCATCH_TARGET_PATTERN, 0);
}

static int add_return(struct session *session)
{
	return add(session, KT_SYS "getppid", KCATCH_TARGET_NAME, KCATCH_ADD_RETURN);
}

static int add_children(struct session *session)
{
	return add(session, KT_SYS "getppid", KCATCH_TARGET_NAME,
		   KCATCH_ADD_PID | KCATCH_ADD_CHILDREN);
}

static int add_inside(struct session *session)
{
	struct kcatch_target target = {
		.kind = KCATCH_TARGET_NAME, .name = (uintptr_t)"__schedule", .name_len = 10,
	};
	struct kcatch_add add = { .nr_targets = 1, .targets = (uintptr_t)&target };

	return ioctl(session->fd, KCATCH_IOC_ADD, &add);
}

static int add_tracepoint(struct session *session)
{
	return add(session, "sched_process_exec", KCATCH_TARGET_TRACEPOINT, 0);
}

static int add_event(struct session *session)
{
	return add(session, "no_such_event*", KCATCH_TARGET_EVENT, 0);
}

static int add_pending(struct session *session)
{
	return add(session, "no_such_module:function",
		   KCATCH_TARGET_NAME | KCATCH_TARGET_PENDING, 0);
}

static int take_program(struct session *session)
{
	struct kcatch_item items[] = { ITEM(TASK, VALUE, .nr_hops = 1) };
	int32_t hops[] = { 0 };
	struct kcatch_op yes[] = { CODE_GO(KCATCH_EXIT_YES) };
	struct kcatch_program program = {
		.entry = { .at = (uintptr_t)items, .nr = 1 },
		.at_return = { .at = (uintptr_t)items, .nr = 1 },
		.hops = { .at = (uintptr_t)hops, .nr = 1 },
		.entry_condition = { .at = (uintptr_t)yes, .nr = 1 },
	};

	return ioctl(session->fd, KCATCH_IOC_PROGRAM, &program);
}

static int bind_name(struct session *session)
{
	struct kcatch_binding binding = {
		.probe = ~0U, .group = 0, .program = 1,
		.name = (uintptr_t)"function", .name_len = 8,
	};
	struct kcatch_bind bind = { .nr = 1, .bindings = (uintptr_t)&binding };

	return ioctl(session->fd, KCATCH_IOC_BIND, &bind);
}

static int start(struct session *session)
{
	return ioctl(session->fd, KCATCH_IOC_START);
}

static int stop(struct session *session)
{
	return ioctl(session->fd, KCATCH_IOC_STOP);
}

static int list_tasks(struct session *session)
{
	static char room[1 << 16];
	struct kcatch_tasks tasks = { .flags = KCATCH_TASKS_STACKS, .buffer = (uintptr_t)room,
				      .count = 4 };

	return ioctl(session->fd, KCATCH_IOC_TASKS, &tasks);
}

static int finish_session(struct session *session)
{
	close(session->fd);
	session->fd = -1;
	return 0;
}

/* ---- one after the other ----------------------------------------------------- */

typedef int request(struct session *session);

static const struct {
	const char *name;
	request *run, *before[5];
} requests[] = {
	{ "open()", do_open, { NULL } },
	{ "SETUP", do_setup, { do_open } },
	{ "ADD of a function", add_function, { do_open, do_setup } },
	{ "ADD of a pattern", add_pattern, { do_open, do_setup } },
	{ "ADD of a return", add_return, { do_open, do_setup } },
	{ "ADD with children", add_children, { do_open, do_setup } },
	{ "ADD by kprobe", add_inside, { do_open, do_setup } },
	{ "ADD of a tracepoint", add_tracepoint, { do_open, do_setup } },
	{ "ADD of events", add_event, { do_open, do_setup } },
	{ "ADD of what is not loaded", add_pending, { do_open, do_setup } },
	{ "PROGRAM", take_program, { do_open, do_setup } },
	{ "BIND by name", bind_name, { do_open, do_setup, add_pending, take_program } },
	{ "START", start, { do_open, do_setup, add_return } },
	{ "STOP", stop, { do_open, do_setup, add_return, start } },
	{ "TASKS", list_tasks, { do_open } },
	{ "close()", finish_session, { do_open, do_setup, add_return, add_inside, start } },
};

/* The request with its allocation number @nth failing. Return: was there such a one? */
static bool try(size_t which, int nth, int *refused, int *odd, int *lasting)
{
	struct session session = { .fd = -1 };
	bool failed;
	int i, result, error;

	for (i = 0; i < 5 && requests[which].before[i]; i++)
		if (requests[which].before[i](&session))
			bail("%s, number %d: what comes before works (%d)", requests[which].name,
			     nth, i);
	fail(nth);
	result = requests[which].run(&session);
	error = errno;
	failed = has_failed();
	fail(0);
	if (result && (!failed || error != ENOMEM)) {
		note("%s, number %d: %s", requests[which].name, nth, strerror(error));
		++*odd;
	}
	if (result) {
		++*refused;
		if (requests[which].run(&session)) {
			note("%s, number %d: again: %s", requests[which].name, nth,
			     strerror(errno));
			++*lasting;
		}
	}
	if (session.fd >= 0)
		close(session.fd);
	return failed;
}

int main(void)
{
	int total = 0;
	size_t i;

	fail_nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (fail_nth < 0)
		skip_all("this kernel has no fault injection");
	write_text("/sys/kernel/debug/failslab/ignore-gfp-wait", "N");
	write_text("/sys/kernel/debug/failslab/verbose", "0");
	write_text("/sys/kernel/debug/fail_page_alloc/ignore-gfp-wait", "N");
	write_text("/sys/kernel/debug/fail_page_alloc/min-order", "0");
	write_text("/sys/kernel/debug/fail_page_alloc/verbose", "0");
	test_module_load();
	for (i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		int nth = 1, refused = 0, odd = 0, lasting = 0;

		while (nth < MOST && try(i, nth, &refused, &odd, &lasting))
			nth++;
		check(!odd && nth < MOST, "%s: %d allocations fail, %d times it says ENOMEM",
		      requests[i].name, nth - 1, refused);
		check(!lasting, "%s: repeated, it works", requests[i].name);
		total += nth - 1;
	}
	check(total > 200, "there were hundreds of allocations: %d", total);
	check(!lines_with("/sys/kernel/tracing/enabled_functions", "sys_getppid"),
	      "nothing stays hooked");
	return finish();
}
