// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command_cost [-a] LOOP MODE N COMMAND...: what a hit costs, over the untraced call, when COMMAND
 * was started as users start it. With -a each processor makes N calls, all of them at once, and the
 * figure is the time until the last call, divided by the number of all: where processors take
 * turns (vm/run --icount --cpus), that is what a hit costs.
 *
 * COMMAND is kcatch with its options. When it has armed (it says so, or as `kcatch count --json`,
 * which does not, it waits with a function hooked) it is stopped by SIGSTOP, so that only the hook
 * is in the figure; its rings must hold N calls. After the calls it goes on, gets SIGINT, and its
 * last line says how many of them it met. MODE is only printed. The figure is that of one hit. The
 * least of three untraced and of two traced rounds counts.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "loop.h"

#define ROUNDS 2
#define WARM_UP 100	/* calls on each processor, which are no part of the figure */

static char said[1 << 16];
static size_t length;

static int fail(const char *what)
{
	perror(what);
	return 1;
}

/* Reads what the command says, until @text is in it, or to its end. */
static const char *listen_for(int fd, const char *text)
{
	const char *found = NULL;

	while (!(text && (found = strstr(said, text)))) {
		ssize_t got = read(fd, said + length, sizeof(said) - 1 - length);

		if (got <= 0)
			return NULL;
		length += got;
		said[length] = '\0';
	}
	return found;
}

/* Does this file begin with @text? */
static int begins_with(const char *path, const char *text)
{
	char begin[16] = "";
	int fd = open(path, O_RDONLY);
	ssize_t got = fd < 0 ? -1 : read(fd, begin, sizeof(begin) - 1);

	if (fd >= 0)
		close(fd);
	return got > 0 && !strncmp(begin, text, strlen(text));
}

/*
 * Waits until any function is hooked, for kcatch is the only one here that hooks one, and until
 * @pid waits in poll(), as it does once it counts. Time alone does not tell: where time is counted
 * in instructions, a second passes while the host reads a page of a file.
 */
static int wait_until_counting(pid_t pid)
{
	char path[32], poll[16];
	int tries;

	snprintf(path, sizeof(path), "/proc/%d/syscall", (int)pid);
	snprintf(poll, sizeof(poll), "%d ", SYS_poll);
	for (tries = 0; tries < 600; tries++) {
		usleep(100000);
		if (begins_with("/sys/kernel/tracing/enabled_functions", "") &&
		    begins_with(path, poll))
			return 1;
	}
	return 0;
}

static pid_t start(char **command, int *fd, int counts)
{
	int ends[2], null = open("/dev/null", O_WRONLY);
	pid_t pid;

	if (null < 0 || pipe(ends))
		return -1;
	pid = fork();
	if (!pid) {
		dup2(counts ? ends[1] : null, STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	close(ends[1]);
	*fd = ends[0];
	return pid;
}

/* A process on each of @cpus processors; nanoseconds a call, of all together. */
static double run_everywhere(const struct loop *loop, unsigned long n, int cpus)
{
	struct timespec from, to;
	int begin[2], ready[2], i;
	char byte;

	if (pipe(begin) || pipe(ready))
		exit(fail("pipe"));
	for (i = 0; i < cpus; i++) {
		cpu_set_t one;

		if (fork())
			continue;
		CPU_ZERO(&one);
		CPU_SET(i, &one);
		if (sched_setaffinity(0, sizeof(one), &one))
			_exit(fail("sched_setaffinity"));
		close(begin[1]);
		loop_run(loop, WARM_UP);
		if (write(ready[1], "", 1) != 1 || read(begin[0], &byte, 1))
			_exit(1);
		loop_run(loop, n);
		_exit(0);
	}
	close(begin[0]);
	for (i = 0; i < cpus; i++)
		if (read(ready[0], &byte, 1) != 1)
			exit(fail("read"));
	clock_gettime(CLOCK_MONOTONIC, &from);
	close(begin[1]);
	for (i = 0; i < cpus; i++)
		wait(NULL);
	clock_gettime(CLOCK_MONOTONIC, &to);
	close(ready[0]);
	close(ready[1]);
	return ((to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec)) / n / cpus;
}

/* @cpus: on each of so many processors, or 0: here */
static double least(const struct loop *loop, unsigned long n, int rounds, int cpus)
{
	double cost, lowest = 1e18;

	while (rounds--) {
		cost = cpus ? run_everywhere(loop, n, cpus) : loop_run(loop, n);
		if (cost < lowest)
			lowest = cost;
	}
	return lowest;
}

/* The number behind the last @text. */
static unsigned long number_behind(const char *text)
{
	const char *at, *last = NULL;

	for (at = said; (at = strstr(at, text)); at++)
		last = at;
	return last ? strtoul(last + strlen(text), NULL, 10) : 0;
}

int main(int argc, char **argv)
{
	int cpus = argc > 1 && !strcmp(argv[1], "-a") ? (int)sysconf(_SC_NPROCESSORS_ONLN) : 0;
	const struct loop *loop;
	unsigned long n, extra;
	double bare, traced;
	int fd, status, counts;
	pid_t pid;

	argc -= !!cpus;
	argv += !!cpus;
	loop = argc < 5 ? NULL : loop_find(argv[1]);
	n = argc < 5 ? 0 : strtoul(argv[3], NULL, 0);
	counts = argc > 5 && !strcmp(argv[5], "count");
	if (!loop || !n)
		return fprintf(stderr, "usage: command_cost [-a] LOOP MODE N COMMAND...\n"), 1;
	if (loop->prepare())
		return fail("prepare");
	loop_run(loop, 1000);
	bare = least(loop, n, 3, cpus);
	pid = start(argv + 4, &fd, counts);
	if (pid < 0)
		return fail("start");
	if (counts ? !wait_until_counting(pid) : !listen_for(fd, "waiting for"))
		return fprintf(stderr, "command_cost: it did not arm: %s\n", said), 1;
	usleep(300000);
	if (kill(pid, SIGSTOP) || waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		return fprintf(stderr, "command_cost: it has ended: %s\n", said), 1;
	extra = cpus ? WARM_UP : 0;
	traced = least(loop, n, ROUNDS, cpus);
	kill(pid, SIGCONT);
	usleep(300000);
	kill(pid, SIGINT);
	listen_for(fd, NULL);
	waitpid(pid, &status, 0);
	printf("kcatch %s %s %.1f %lu %lu (untraced %.1f; through the command)\n", loop->name,
	       argv[2], (traced - bare) / loop->hits,
	       number_behind(counts ? "\"hits\":" : "hits "),
	       (n + extra) * (cpus ? cpus : 1) * ROUNDS * loop->hits, bare);
	return 0;
}
