// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a process that is killed at any moment of a session's life leaves
 * no probe and no memory, and the module can be unloaded.
 * Gate: older
 */
#include "guest.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 100

/* How far a victim's present session is, in memory that it shares with who kills it. */
enum { CLOSED, ARMING, ARMED, STARTED };

/* Sessions without end, until somebody kills us. The first one's target is that of NUMBER. */
static _Noreturn void victim(unsigned int number, volatile int *state)
{
	static const char *const names[] = { "kt_c", "vfs_*", "kt_blank", "kt_hammered" };
	unsigned int i;

	for (i = number;; i++) {
		struct session session;
		const struct add_options options = {
			.kind = i % 4 == 1 ? KCATCH_TARGET_PATTERN : KCATCH_TARGET_NAME,
			.budget = i % 3,
		};

		*state = ARMING;
		session_open(&session, 65536 << i % 3, KCATCH_PACKET_SIZE_MIN);
		if (session_add(&session, names[i % 4], &options, NULL))
			bail("%s is armed", names[i % 4]);
		*state = ARMED;
		session_map(&session);
		session_start(&session);
		*state = STARTED;
		order("process chain");
		session_read(&session, false, NULL, NULL);
		*state = CLOSED;
		session_close(&session);
	}
}

/* Kernel memory that the module's functions allocated by vmalloc. */
static int allocations(void)
{
	return lines_with("/proc/vmallocinfo", "[kcatch]");
}

int main(void)
{
	volatile int *state = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int before, round, status, killed = 0, met[STARTED + 1] = { 0 };

	if (state == MAP_FAILED)
		bail("memory is shared with the victims");
	test_module_load();
	before = allocations();
	srandom(getpid());
	for (round = 0; round < ROUNDS; round++) {
		/* Half of them not before their first session is armed: some of these at once, and
		 * some a little later, as machines differ. */
		const int from = round / 4 % 2 ? ARMED : CLOSED;
		const long most = from == ARMED ? 4000000 >> 2 * (round / 8 % 4) : 60000000;
		const struct timespec moment = { .tv_nsec = random() % (most + 1) };
		bool ended = false;
		pid_t pid;

		*state = CLOSED;
		pid = fork();
		if (!pid)
			victim(round, state);
		while (*state < from && !ended) {
			ended = waitpid(pid, &status, WNOHANG) == pid;
			sched_yield();
		}
		if (ended)
			continue;
		nanosleep(&moment, NULL);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
		met[*state]++;
	}
	check_equal(killed, ROUNDS, "no victim had an error before it was killed");
	note("killed while closed or at its beginning: %d, arming: %d, armed: %d, started: %d",
	     met[CLOSED], met[ARMING], met[ARMED], met[STARTED]);
	check(met[ARMING] && met[ARMED] + met[STARTED],
	      "some were arming a session, and some had armed one");
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
