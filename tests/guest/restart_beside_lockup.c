// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: while a CPU spins without scheduling, but takes interrupts, a START that replaces
 * the slots of calls under way ends, and nobody waits for it: a module that is loaded, a session
 * that is closed.
 * Gate: newest
 */
#include "guest.h"
#include "code.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RING 16384
#define TRIES 3

static struct session restarted, closed;

static bool is_spinning(void)
{
	return !system("grep -qx 1 /sys/module/lockup/parameters/spinning");
}

/* Until the CPU spins, with interrupts on. */
static void lock_up(void)
{
	if (system("for f in /proc/irq/*/smp_affinity_list; do echo 0 >$f; done 2>/dev/null;"
		   "sysctl -q kernel.watchdog_thresh=60;"
		   "echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress;"
		   "insmod \"$KT_MODULES/lockup/lockup.ko\" cpus=1 step_ms=20 hold=1 stop_after=60 &&"
		   "echo 0 >/sys/module/lockup/parameters/hold;"
		   "while grep -qx 0 /sys/module/lockup/parameters/begun; do sleep 0.1; done"))
		bail("a CPU locks up");
}

static void unlock(void)
{
	if (system("echo 1 >/sys/module/lockup/parameters/stop;"
		   "while grep -qx 1 /sys/module/lockup/parameters/spinning; do sleep 0.1; done;"
		   "rmmod lockup"))
		bail("the lockup ends");
}

/* A program whose condition at the return needs larger slots than a call without. */
static void bind_larger(struct session *session)
{
	static const struct kcatch_op code[] = {
		CODE_IS_INT(RET, 0, .no = KCATCH_EXIT_YES),
	};
	struct kcatch_program program = { .return_condition = { (uintptr_t)code, 1, 0 } };

	session_bind(session, 0, &program);
}

static void restart(void)
{
	session_start(&restarted);
}

static void load(void)
{
	if (system("insmod \"$KT_MODULES/kcatch_leaver/kcatch_leaver.ko\""))
		bail("a module is loaded");
}

static void end(void)
{
	session_close(&closed);
}

static struct step {
	const char *what;
	void (*make)(void);
	pthread_t thread;
	bool joined;
	bool ended;	/* while the CPU spun */
} steps[] = {
	{ .what = "START ends", .make = restart },
	{ .what = "then the load of a module ends", .make = load },
	{ .what = "then another session is closed", .make = end },
};

#define NR_STEPS (sizeof(steps) / sizeof(steps[0]))

static void *make(void *step)
{
	((struct step *)step)->make();
	return NULL;
}

static void arm(void)
{
	const struct add_options returning = { .flags = KCATCH_ADD_RETURN | KCATCH_ADD_NO_STACK };
	const struct add_options pending = {
		.kind = KCATCH_TARGET_NAME | KCATCH_TARGET_PENDING, .flags = KCATCH_ADD_NO_STACK,
	};

	session_open(&restarted, RING, 4096);
	session_open(&closed, RING, 4096);
	/* It waits for a module, so that each load asks for its lock. */
	if (session_add(&restarted, "kt_c", &returning, NULL) ||
	    session_add(&restarted, "nonesuch:nonesuch", &pending, NULL) ||
	    session_add(&closed, "kt_b", NULL, NULL))
		bail("all is armed (%d)", errno);
	session_start(&closed);
	session_start(&restarted);
	session_stop(&restarted);
	bind_larger(&restarted);
}

/* Return: whether all ended while the CPU spun. */
static bool try(void)
{
	size_t i;

	arm();
	lock_up();
	for (i = 0; i < NR_STEPS; i++) {
		steps[i].joined = steps[i].ended = false;
		pthread_create(&steps[i].thread, NULL, make, &steps[i]);
		/* The next one meets it on its way. */
		usleep(300000);
	}
	for (i = 0; i < NR_STEPS; i++)
		while (!steps[i].joined && is_spinning()) {
			steps[i].joined = !pthread_tryjoin_np(steps[i].thread, NULL);
			steps[i].ended = steps[i].joined && is_spinning();
			usleep(10000);
		}
	unlock();
	for (i = 0; i < NR_STEPS; i++)
		if (!steps[i].joined)
			pthread_join(steps[i].thread, NULL);
	session_close(&restarted);
	if (system("while grep -q '^kcatch_leaver ' /proc/modules && ! rmmod kcatch_leaver; do"
		   " sleep 0.1; done"))
		bail("the module goes");
	return steps[0].ended && steps[1].ended && steps[2].ended;
}

int main(void)
{
	cpu_set_t first;
	size_t i;
	int nr;

	need_cpus(2, CPUS_MAX);
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
	test_module_load();
	/* A machine that is too slow for it gets another try. */
	for (nr = 1; nr <= TRIES; nr++) {
		note("try %d", nr);
		if (try())
			break;
	}
	for (i = 0; i < NR_STEPS; i++)
		check(steps[i].ended, "while the CPU spins: %s", steps[i].what);
	return finish();
}
