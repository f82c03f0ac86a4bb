// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a record of a chosen function, a warning, an oops, a soft lockup or a hung
 * task freezes the rings:
 * what led to it is still there, what comes after is counted as over budget, and START
 * goes on.
 * Gate: older
 * Faults: on purpose|cut here|^WARNING: .*kt_fault_warn|^BUG: kernel NULL|^Oops
 * Faults: soft lockup - CPU#|^INFO: task .* blocked for more than [0-9]{1,2} sec
 */
#include "guest.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#define CALLS 300

struct seen {
	uint32_t before, after;	/* probes */
	uint64_t nr_before, nr_after, nr_other;
	uint32_t last;
};

static void look(void *context, uint32_t cpu, const struct kcatch_hit *hit)
{
	struct seen *seen = context;
	uint32_t probe = KCATCH_RECORD_PROBE(hit->head.id);

	(void)cpu;
	seen->last = probe;
	if (probe == seen->before)
		seen->nr_before++;
	else if (probe == seen->after)
		seen->nr_after++;
	else
		seen->nr_other++;
}

static void arm(struct session *session, uint32_t mode, uint32_t flags, struct seen *seen)
{
	struct kcatch_add add;

	memset(seen, 0, sizeof(*seen));
	session_open_mode(session, 1 << 20, 65536, mode, flags);
	if (session_add(session, "kt_before_fault", NULL, &add))
		bail("kt_before_fault is armed");
	seen->before = add.first_probe;
	if (session_add(session, "kt_after_fault", NULL, &add))
		bail("kt_after_fault is armed");
	seen->after = add.first_probe;
	session_map(session);
	session_start(session);
}

static short events_of(const struct session *session)
{
	struct pollfd poll_fd = { .fd = session->fd, .events = POLLIN | POLLPRI };

	return poll(&poll_fd, 1, 0) > 0 ? poll_fd.revents : 0;
}

static void check_counters(struct session *session, const struct seen *seen, const char *what,
			   uint64_t calls)
{
	struct kcatch_counters counters;

	session_counters(session, seen->before, KCATCH_CPU_ALL, &counters);
	check_equal(counters.recorded, calls, "%s: all calls before are recorded", what);
	session_counters(session, seen->after, KCATCH_CPU_ALL, &counters);
	check_equal(counters.over_budget, calls, "%s: all calls after are over budget", what);
	check_equal(counters.hits, calls, "%s: and nothing else", what);
}

static int marks;

/* What was logged before is not looked at any more. (Clearing the log would hide it from those who
 * look for reports, too.) */
static void mark_log(void)
{
	FILE *log = fopen("/dev/kmsg", "w");

	if (!log || fprintf(log, "kt_freeze mark %d.\n", ++marks) < 0 || fclose(log))
		bail("/dev/kmsg cannot be written");
}

static bool dmesg_has(const char *text)
{
	char command[256];

	snprintf(command, sizeof(command), "dmesg | sed '0,/kt_freeze mark %d\\./d' | grep -q '%s'",
		 marks, text);
	return !system(command);
}

static void fault(const char *what, const char *the_order, uint32_t flag, uint32_t why,
		  uint32_t mode)
{
	struct kcatch_status status;
	struct session session;
	struct seen seen;

	arm(&session, mode, flag, &seen);
	check(!session_status(&session).frozen, "%s: not frozen at first", what);
	order("%s %d", the_order, CALLS);
	status = session_status(&session);
	check_equal(status.frozen, why, "%s freezes", what);
	check(status.running && status.frozen_at, "%s: it still runs, and says since when", what);
	check(events_of(&session) & POLLPRI, "%s: poll() tells", what);
	check_counters(&session, &seen, what, CALLS);
	session_read(&session, false, look, &seen);
	check_equal(seen.nr_before, CALLS, "%s: what led to it is there", what);
	check_equal(seen.nr_after + seen.nr_other, 0, "%s: and no more", what);
	session_start(&session);
	check(!session_status(&session).frozen && !(events_of(&session) & POLLPRI),
	      "%s: START thaws", what);
	order("warn 1");
	session_stop(&session);
	session_read(&session, false, look, &seen);
	check_equal(seen.nr_before, CALLS + 1, "%s: and goes on", what);
	session_close(&session);
}

static void set_limit(const char *name, const char *value)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", name);
	file = fopen(path, "we");
	if (!file || fputs(value, file) < 0 || fclose(file))
		bail(name);
}

/* What a detector of the kernel finds after a second or two. */
static void found(const char *what, const char *the_order, uint32_t flag, uint32_t why,
		  const char *limit)
{
	struct session session;
	struct seen seen;
	int i;

	arm(&session, KCATCH_RING_OVERWRITE, flag | KCATCH_SETUP_LOG, &seen);
	order("before %d", CALLS);
	/* From here on a machine that stands still for some seconds is found as well. */
	set_limit(limit, "1");
	order("%s 1", the_order);
	for (i = 0; i < 6000 && !session_status(&session).frozen; i++)
		usleep(50000);
	check_equal(session_status(&session).frozen, why, "%s freezes", what);
	check(events_of(&session) & POLLPRI, "%s: poll() tells", what);
	order("release 1");
	order("after %d", CALLS);
	check_counters(&session, &seen, what, CALLS);
	session_read(&session, false, look, &seen);
	check_equal(seen.nr_before, CALLS, "%s: what led to it is there", what);
	check_equal(seen.nr_after + seen.nr_other, 0, "%s: and no more", what);
	check(dmesg_has("kcatch: a flight recorder was frozen"), "%s: the log is told", what);
	session_close(&session);
}

/* By detectors that are far more impatient than by default. Processor 1 is locked up: this
 * process is on the other one. */
static void by_detectors(void)
{
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_setaffinity(0, sizeof(first), &first))
		bail("CPU 0");
	mark_log();
	found("a soft lockup", "lock", KCATCH_SETUP_FREEZE_LOCKUP, KCATCH_FROZEN_LOCKUP,
	      "watchdog_thresh");
	set_limit("watchdog_thresh", "10");
	mark_log();
	found("a hung task", "hang", KCATCH_SETUP_FREEZE_HUNG, KCATCH_FROZEN_HUNG,
	      "hung_task_timeout_secs");
	set_limit("hung_task_timeout_secs", "120");
}

/* One record of a function, out of many from two CPUs and interrupts. */
static void by_probe(uint32_t mode)
{
	const char *what = mode == KCATCH_RING_DISCARD ? "by a record" : "by a record, overwriting";
	const struct add_options freezing = { .flags = KCATCH_ADD_FREEZE | KCATCH_ADD_NO_STACK };
	const struct add_options plain = { .flags = KCATCH_ADD_NO_STACK };
	struct kcatch_counters counters, trigger;
	struct kcatch_status status;
	struct session session;
	struct kcatch_add add;
	struct seen seen;
	uint64_t produced[2];

	memset(&seen, 0, sizeof(seen));
	session_open_mode(&session, 1 << 16, 4096, mode, 0);
	if (session_add(&session, "kt_hammered", &plain, &add))
		bail("kt_hammered is armed");
	seen.before = add.first_probe;
	if (session_add(&session, "kt_before_fault", &freezing, &add))
		bail("kt_before_fault is armed");
	seen.after = add.first_probe;
	session_map(&session);
	session_start(&session);
	order("hammer 200");
	order("warn 3");
	status = session_status(&session);
	check_equal(status.frozen, KCATCH_FROZEN_PROBE, "%s: frozen", what);
	check_equal(status.frozen_probe, seen.after, "%s: and it says which", what);
	produced[0] = session.ring[0]->produced;
	produced[1] = session.ring[1]->produced;
	order("hammer 5000");
	session_stop(&session);
	check(produced[0] == session.ring[0]->produced && produced[1] == session.ring[1]->produced,
	      "%s: the rings stay as they are", what);
	check_equal(session.ring[0]->discarded + session.ring[1]->discarded, 0,
		    "%s: nothing is lost", what);
	session_counters(&session, seen.after, KCATCH_CPU_ALL, &trigger);
	check_equal(trigger.recorded, 1, "%s: one record of it", what);
	check_equal(trigger.over_budget, 2, "%s: the other calls are over budget", what);
	session_counters(&session, seen.before, KCATCH_CPU_ALL, &counters);
	check_equal(counters.over_budget, module_value("hammer.total"),
		    "%s: each hit after it is over budget", what);
	check(equation_holds(&counters) && equation_holds(&trigger), "%s: the equation holds",
	      what);
	check_equal(session_read(&session, false, look, &seen), counters.recorded + 1,
		    "%s: what led to it is there", what);
	check_equal(seen.nr_after, 1, "%s: and the record itself", what);
	session_close(&session);
}

/* For tests/panic, which reads the console. */
static _Noreturn void end_the_machine(void)
{
	struct session session;
	struct seen seen;

	arm(&session, KCATCH_RING_OVERWRITE, KCATCH_SETUP_FREEZE_PANIC | KCATCH_SETUP_LOG, &seen);
	order("panic 20");
	bail("the machine ends");
}

/* An event of the kernel freezes as well as a function. */
static void by_event(void)
{
	const struct add_options options = {
		.flags = KCATCH_ADD_FREEZE | KCATCH_ADD_NO_STACK, .kind = KCATCH_TARGET_TRACEPOINT,
	};
	struct kcatch_counters counters;
	struct kcatch_status status;
	struct session session;
	struct kcatch_add add;

	session_open_mode(&session, 1 << 16, 4096, KCATCH_RING_OVERWRITE, 0);
	if (session_add(&session, "sched_process_exit", &options, &add))
		bail("the tracepoint sched_process_exit is armed");
	session_start(&session);
	check(!system("true; true") && !system("true"), "two processes end");
	status = session_status(&session);
	check_equal(status.frozen, KCATCH_FROZEN_PROBE, "by an event: frozen");
	check_equal(status.frozen_probe, add.first_probe, "by an event: and it says which");
	session_stop(&session);
	session_counters(&session, add.first_probe, KCATCH_CPU_ALL, &counters);
	check_equal(counters.recorded, 1, "by an event: one record of it");
	check(counters.over_budget >= 1 && equation_holds(&counters),
	      "by an event: others are over budget");
	session_close(&session);
}

static void add_watch(struct session *session, const char *variable)
{
	struct kcatch_target target = {
		.kind = KCATCH_TARGET_WATCH, .address = kernel_symbol(variable),
		.offset = KCATCH_WATCH_WRITE | KCATCH_WATCH_PERCPU | 8,
	};
	struct kcatch_add add = {
		.flags = KCATCH_ADD_NO_STACK, .nr_targets = 1, .targets = (uintptr_t)&target,
	};

	if (ioctl(session->fd, KCATCH_IOC_ADD, &add))
		bail("%s is watched", variable);
}

/* An event has a name, and an address without one is nobody's business who reads the log. */
static void told_by_name(void)
{
	const struct add_options events = {
		.flags = KCATCH_ADD_NO_STACK, .kind = KCATCH_TARGET_EVENT,
	};
	struct session session;

	mark_log();
	session_open_mode(&session, 1 << 16, 4096, KCATCH_RING_OVERWRITE,
			  KCATCH_SETUP_FREEZE_WARN | KCATCH_SETUP_LOG);
	if (session_add(&session, "process_fork", &events, NULL))
		bail("the event process_fork is armed");
	add_watch(&session, "process_counts");
	session_start(&session);
	check(!system("true"), "a process begins and ends");
	order("warn 1");
	session_close(&session);
	check(dmesg_has("kcatch: cpu [0-9]* -[0-9.]*s process_fork pid "),
	      "the log has the name of an event");
	check(!dmesg_has("kcatch: cpu [0-9]* -[0-9.]*s event "), "and nothing else of it");
	check(!dmesg_has("kcatch: cpu [0-9]* -[0-9.]*s 0x"), "and of nothing an address");
}

/* Nor is an address that a function returns. */
static void tells_no_pointer(void)
{
	const struct add_options options = {
		.flags = KCATCH_ADD_NO_STACK | KCATCH_ADD_RETURN | KCATCH_ADD_PID,
		.pid = getpid(),
	};
	struct session session;
	FILE *file;
	int i;

	mark_log();
	session_open_mode(&session, 1 << 16, 4096, KCATCH_RING_OVERWRITE,
			  KCATCH_SETUP_FREEZE_WARN | KCATCH_SETUP_LOG);
	if (session_add(&session, "alloc_empty_file", &options, NULL))
		bail("alloc_empty_file is armed");
	session_start(&session);
	for (i = 0; i < 10; i++) {
		file = fopen("/dev/null", "r");
		if (file)
			fclose(file);
	}
	order("warn 1");
	session_close(&session);
	check(dmesg_has("alloc_empty_file pid [0-9]* returns address [0-9a-f]* after "),
	      "the log says that a function returns an address");
	check(!dmesg_has("returns 0xff[0-9a-f]\\{14\\}"), "and not which");
}

/* Nor does a process put a line of its own there by its name. */
static void tells_no_line_break(void)
{
	struct session session;

	session_open_mode(&session, 1 << 16, 4096, KCATCH_RING_OVERWRITE,
			  KCATCH_SETUP_FREEZE_WARN | KCATCH_SETUP_LOG);
	if (session_add(&session, "kt_before_fault", NULL, NULL))
		bail("kt_before_fault is armed");
	session_start(&session);
	prctl(PR_SET_NAME, "x\nkcatch: gone");
	order("warn 1");
	prctl(PR_SET_NAME, "freeze");
	session_close(&session);
	/* Without dmesg's own escapes. */
	check(!system("dmesg -S | grep -q 'pid [0-9]* x\\\\x0akcatch: gone <- '"),
	      "the log has a line break of a process's name escaped");
}

int main(int argc, char **argv)
{
	const struct kcatch_setup alone = {
		.ring_size = 1 << 16, .packet_size = 4096, .flags = KCATCH_SETUP_LOG,
	}, unknown = {
		.ring_size = 1 << 16, .packet_size = 4096, .flags = 1U << 6,
	};
	int fd;

	(void)argv;
	need_cpus(2, 2);
	test_module_load();
	mark_log();
	if (argc > 1)
		end_the_machine();
	fd = device_open();
	check_errno(ioctl(fd, KCATCH_IOC_SETUP, &unknown), EINVAL, "flags that do not exist are refused");
	check_errno(ioctl(fd, KCATCH_IOC_SETUP, &alone), EINVAL, "LOG needs something that freezes");
	by_probe(KCATCH_RING_DISCARD);
	by_probe(KCATCH_RING_OVERWRITE);
	by_event();
	fault("a warning", "warn", KCATCH_SETUP_FREEZE_WARN | KCATCH_SETUP_LOG, KCATCH_FROZEN_WARN,
	      KCATCH_RING_OVERWRITE);
	check(dmesg_has("kcatch: a flight recorder was frozen"),
	      "the log says that a recorder was frozen");
	check(dmesg_has(" kt_before_fault \\[kcatch_test\\] pid "), "and its last records");
	told_by_name();
	tells_no_pointer();
	tells_no_line_break();
	by_detectors();	/* after an oops the kernel looks for hung tasks no more */
	fault("an oops", "oops", KCATCH_SETUP_FREEZE_OOPS, KCATCH_FROZEN_OOPS, KCATCH_RING_DISCARD);
	return finish();
}
