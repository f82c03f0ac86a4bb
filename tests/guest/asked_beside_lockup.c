// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: while a CPU spins with interrupts off, what would wait for it fails in time and
 * changes nothing: START, a write to /proc/driver/otst, a switch of ktrace. Nobody else waits
 * with them: otst's list can be read, a session that was frozen is thawed.
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

/* One that is expected to fail, with the error it got; 0: it went through. */
struct attempt {
	const char *what;
	int (*make)(void);
	int error;
	int ended;
	pthread_t thread;
};

static struct session stopped, running;
static int otst, otst_list, ktrace, spinning, begun;

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

static struct attempt attempts[] = {
	{ .what = "START", .make = start }, { .what = "a write to otst", .make = arm },
	{ .what = "a switch of ktrace", .make = switch_on },
};

static void *try(void *data)
{
	struct attempt *attempt = data;

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

/* While they are waiting, and until they have ended or the CPU is back. */
static void wait_for_attempts(void)
{
	char list[256] = "";
	bool listed;
	size_t i;

	usleep(100000);
	listed = pread(otst_list, list, sizeof(list) - 1, 0) > 0;
	check(listed && is_spinning(), "otst's list is read meanwhile");
	check(strstr(list, "kt_c ") && !strstr(list, "kt_b "), "and has what was armed before");
	check(!ioctl(running.fd, KCATCH_IOC_START) && is_spinning(),
	      "a session that runs is thawed meanwhile");
	for (i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++)
		while (!__atomic_load_n(&attempts[i].ended, __ATOMIC_ACQUIRE) && is_spinning())
			usleep(10000);
}

static void lock_up(void)
{
	if (system("for f in /proc/irq/*/smp_affinity_list; do echo 0 >$f; done 2>/dev/null;"
		   "f=/sys/kernel/debug/x86/nmi_longest_ns; [ ! -e $f ] || echo 1000000000 >$f;"
		   "sysctl -q kernel.watchdog_thresh=60;"
		   "echo 300 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout;"
		   "insmod \"$KT_MODULES/lockup/lockup.ko\" cpus=1 irqs_off=1 step_ms=50 hold=1 "
		   "stop_after=100"))
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

int main(void)
{
	cpu_set_t first;
	size_t i;

	if (online_cpus() < 2)
		skip_all("needs two CPUs");
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
	if (ktrace < 0 || write(otst, "kt_c\n", 5) != 5)
		bail("kt_c is armed by otst");
	mlockall(MCL_CURRENT | MCL_FUTURE);
	lock_up();
	for (i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++)
		pthread_create(&attempts[i].thread, NULL, try, &attempts[i]);
	wait_for_attempts();
	for (i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++)
		check(__atomic_load_n(&attempts[i].ended, __ATOMIC_ACQUIRE) && is_spinning(),
		      "%s ends while the CPU spins", attempts[i].what);
	unlock();
	for (i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++) {
		pthread_join(attempts[i].thread, NULL);
		check_equal(attempts[i].error, ETIMEDOUT, "%s fails with ETIMEDOUT",
			    attempts[i].what);
	}
	check(!arm() && !start() && !switch_on(), "when the CPU is back, all of it works");
	if (write(otst, "-kt_b\n", 6) != 6 || write(otst, "-kt_c\n", 6) != 6 ||
	    write(ktrace, "0", 1) != 1)
		bail("all is switched off again");
	close(ktrace);
	session_close(&stopped);
	session_close(&running);
	check(!system("rmmod lockup"), "the lockup module goes");
	return finish();
}
