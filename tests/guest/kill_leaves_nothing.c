// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a process that is killed at any moment of a session's life leaves
 * no probe and no memory, and the module can be unloaded.
 */
#include "guest.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 100

/* Sessions without end, until somebody kills us. */
static _Noreturn void victim(void)
{
	static const char *const names[] = { "kt_c", "vfs_*", "kt_blank", "kt_hammered" };
	unsigned int i = 0;

	for (;;) {
		struct session session;
		const struct add_options options = {
			.kind = i % 4 == 1 ? KCATCH_TARGET_PATTERN : KCATCH_TARGET_NAME,
			.budget = i % 3,
		};

		session_open(&session, 65536 << i % 3, KCATCH_PACKET_SIZE_MIN);
		if (session_add(&session, names[i % 4], &options, NULL))
			bail("%s is armed", names[i % 4]);
		session_map(&session);
		session_start(&session);
		order("process chain");
		session_read(&session, false, NULL, NULL);
		session_close(&session);
		i++;
	}
}

/* Kernel memory that the module's functions allocated by vmalloc. */
static int allocations(void)
{
	return lines_with("/proc/vmallocinfo", "[kcatch]");
}

int main(void)
{
	int before, round, status, early = 0;

	test_module_load();
	before = allocations();
	srandom(getpid());
	for (round = 0; round < ROUNDS; round++) {
		const struct timespec moment = { .tv_nsec = random() % 60000000 };
		pid_t pid = fork();

		if (!pid)
			victim();
		nanosleep(&moment, NULL);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		early += WIFEXITED(status);
	}
	check_equal(early, 0, "no victim had an error before it was killed");
	for (round = 0; round < 3000; round++) {
		const struct timespec moment = { .tv_nsec = 100000000 };

		if (!lines_with("/sys/kernel/tracing/enabled_functions", "") &&
		    !lines_with("/sys/kernel/debug/kprobes/list", "") &&
		    allocations() == before)
			break;
		nanosleep(&moment, NULL);
	}
	check_equal(lines_with("/sys/kernel/tracing/enabled_functions", ""), 0,
		    "no function is hooked after %d kills", ROUNDS);
	check_equal(lines_with("/sys/kernel/debug/kprobes/list", ""), 0, "no kprobe is left");
	check_equal(allocations(), before, "no ring memory is left");
	check(!system("rmmod kcatch && insmod \"$KCATCH_MODULE\" $KT_PARAMETERS"),
	      "the module can be unloaded and loaded");
	return finish();
}
