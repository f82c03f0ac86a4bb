// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: while a CPU spins with interrupts off, what would wait for it fails in time and
 * changes nothing: START, a write to /proc/driver/otst, a switch of ktrace, SETUP of a session that
 * a soft lockup shall freeze, a write to the parameter selfcheck. Nobody else waits with them:
 * otst's list can be read, a session that was frozen is thawed.
 * Gate: newest
 */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define RING 16384
#define LOCKUP "/sys/module/lockup/parameters/"
#define OTST "/proc/driver/otst"
#define KTRACE "/sys/kernel/debug/ktrace/events/sched_switch"
#define SELFCHECK "/sys/module/kcatch/parameters/selfcheck"

/* One that is expected to fail, with the error it got; 0: it went through. */
struct attempt {
	const char *what;
	int (*make)(void);
	int error;
	int ended;
	pthread_t thread;
};

static struct session stopped, running;
static int otst, otst_list, ktrace, selfcheck, spinning, begun;
static int bare = -1;	/* a session without rings */
static int go;		/* the CPU spins */

static int start(void)
{
	return ioctl(stopped.fd, KCATCH_IOC_START) ? errno : 0;
}

static int arm(void)
{
	return write(otst, "kt_b\n", 5) < 0 ? errno : 0;
}

static int switch_on(void)
{
	return write(ktrace, "1", 1) < 0 ? errno : 0;
}

static int setup(void)
{
	const struct kcatch_setup wanted = { .ring_size = RING, .packet_size = 4096,
					     .flags = KCATCH_SETUP_FREEZE_LOCKUP };

	return ioctl(bare, KCATCH_IOC_SETUP, &wanted) ? errno : 0;
}

static int check_stacks(void)
{
	return write(selfcheck, "1\n", 2) < 0 ? errno : 0;
}

static struct attempt attempts[] = {
	{ .what = "START", .make = start }, { .what = "a write to otst", .make = arm },
	{ .what = "a switch of ktrace", .make = switch_on },
	{ .what = "SETUP with FREEZE_LOCKUP", .make = setup },
	{ .what = "a write to selfcheck", .make = check_stacks },
};

#define NR_ATTEMPTS (sizeof(attempts) / sizeof(attempts[0]))

static void *try(void *data)
{
	struct attempt *attempt = data;

	while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE))
		usleep(10000);
	attempt->error = attempt->make();
	__atomic_store_n(&attempt->ended, 1, __ATOMIC_RELEASE);
	return NULL;
}

static int read_parameter(int fd)
{
	char text[16] = "";

	if (pread(fd, text, sizeof(text) - 1, 0) <= 0)
		bail("the lockup module says whether it spins");
	return atoi(text);
}

static bool is_spinning(void)
{
	return read_parameter(spinning);
}

static void write_parameter(const char *name, const char *value)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), LOCKUP "%s", name);
	fd = open(path, O_WRONLY);
	if (write(fd, value, 1) != 1)
		bail("the lockup module takes %s", name);
	close(fd);
}

/* What was seen while the CPU spun. */
struct seen {
	bool listed, right, thawed, ended;
};

/* While they are waiting, and until they have ended or the CPU is back. */
static void wait_for_attempts(struct seen *seen)
{
	char list[256] = "";
	bool ended = true;
	size_t i;

	usleep(100000);
	seen->listed = pread(otst_list, list, sizeof(list) - 1, 0) > 0 && is_spinning();
	seen->right = strstr(list, "kt_c ") && !strstr(list, "kt_b ");
	seen->thawed = !ioctl(running.fd, KCATCH_IOC_START) && is_spinning();
	for (i = 0; i < NR_ATTEMPTS; i++) {
		while (!__atomic_load_n(&attempts[i].ended, __ATOMIC_ACQUIRE) && is_spinning())
			usleep(10000);
		ended &= __atomic_load_n(&attempts[i].ended, __ATOMIC_ACQUIRE);
	}
	seen->ended = ended && is_spinning();
}

static void lock_up(void)
{
	if (system("for f in /proc/irq/*/smp_affinity_list; do echo 0 >$f; done 2>/dev/null;"
		   "f=/sys/kernel/debug/x86/nmi_longest_ns; [ ! -e $f ] || echo 1000000000 >$f;"
		   "sysctl -q kernel.watchdog_thresh=60;"
		   "echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress;"
		   "insmod \"$KT_MODULES/lockup/lockup.ko\" cpus=1 irqs_off=1 step_ms=200 hold=1 "
		   "stop_after=60"))
		bail("the lockup module is loaded");
	spinning = open(LOCKUP "spinning", O_RDONLY);
	begun = open(LOCKUP "begun", O_RDONLY);
	write_parameter("hold", "0");
	while (!read_parameter(begun))
		usleep(10000);
}

static void unlock(void)
{
	write_parameter("stop", "1");
	while (is_spinning())
		usleep(10000);
}

/* The CPU spins, and they are made. */
static void make_attempts(struct seen *seen)
{
	size_t i;

	__atomic_store_n(&go, 0, __ATOMIC_RELEASE);
	/* Threads are made before: that may take what the CPU has to answer. */
	for (i = 0; i < NR_ATTEMPTS; i++) {
		attempts[i].ended = 0;
		pthread_create(&attempts[i].thread, NULL, try, &attempts[i]);
	}
	lock_up();
	__atomic_store_n(&go, 1, __ATOMIC_RELEASE);
	wait_for_attempts(seen);
	unlock();
	for (i = 0; i < NR_ATTEMPTS; i++)
		pthread_join(attempts[i].thread, NULL);
	close(spinning);
	close(begun);
	if (system("rmmod lockup"))
		bail("the lockup module goes");
}

/* All that they ask for, when it was granted because the CPU was back. */
static void take_back(void)
{
	if (!attempts[0].error)
		session_stop(&stopped);
	if (!attempts[1].error && write(otst, "-kt_b\n", 6) != 6)
		bail("kt_b is withdrawn");
	if (!attempts[2].error && write(ktrace, "0", 1) != 1)
		bail("the event is switched off");
	if (!attempts[3].error) {
		close(bare);
		bare = device_open();
	}
	if (!attempts[4].error && write(selfcheck, "0\n", 2) != 2)
		bail("selfcheck is switched off");
}

int main(void)
{
	struct seen seen = { .ended = false };
	cpu_set_t first;
	size_t i;
	int nr;

	need_cpus(2, CPUS_MAX);
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
	test_module_load();
	session_open(&stopped, RING, 4096);
	session_open(&running, RING, 4096);
	if (session_add(&stopped, "kt_c", NULL, NULL) || session_add(&running, "kt_c", NULL, NULL))
		bail("kt_c is armed");
	session_start(&running);
	otst = open(OTST, O_WRONLY);
	otst_list = open(OTST, O_RDONLY);
	ktrace = open(KTRACE, O_WRONLY);
	selfcheck = open(SELFCHECK, O_WRONLY);
	bare = device_open();
	if (ktrace < 0 || selfcheck < 0 || bare < 0 || write(otst, "kt_c\n", 5) != 5)
		bail("kt_c is armed by otst");
	mlockall(MCL_CURRENT | MCL_FUTURE);
	/* Whatever waits for that CPU waits until it gives up, and may keep this one: then once
	 * more. */
	for (nr = 1; nr <= 5 && !seen.ended; nr++) {
		note("try %d", nr);
		make_attempts(&seen);
		if (!seen.ended)
			take_back();
	}
	check(seen.listed, "otst's list is read meanwhile");
	check(seen.right, "and has what was armed before");
	check(seen.thawed, "a session that runs is thawed meanwhile");
	check(seen.ended, "they end while the CPU spins");
	for (i = 0; i < NR_ATTEMPTS; i++)
		check_equal(attempts[i].error, ETIMEDOUT, "%s fails with ETIMEDOUT",
			    attempts[i].what);
	check(!arm() && !start() && !switch_on() && !setup() && !check_stacks(),
	      "when the CPU is back, all of it works");
	if (write(otst, "-kt_b\n", 6) != 6 || write(otst, "-kt_c\n", 6) != 6 ||
	    write(ktrace, "0", 1) != 1 || write(selfcheck, "0\n", 2) != 2)
		bail("all is switched off again");
	close(ktrace);
	close(bare);
	session_close(&stopped);
	session_close(&running);
	return finish();
}
