// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * until [-b | -r] [-l SECONDS] TEXT COMMAND...: prints two times in seconds, of the
 * clock on the wall:
 *	from starting COMMAND until TEXT is in its output (stdout or stderr)
 *	from the SIGINT that it then gets until it has exited
 * -b: meanwhile another process calls getppid() every 0.2 ms. -r: it reads /dev/null.
 * -l: after so long (default 90) a time is printed as ">SECONDS", the command
 * is killed and the status is 2. Status 1: it ended without saying TEXT.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char seen[1 << 20];
static size_t length;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static pid_t make_calls(bool reads)
{
	int null = open("/dev/null", O_RDONLY);
	pid_t pid = fork();
	char byte;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		if (!reads)
			syscall(SYS_getppid);
		else if (read(null, &byte, 1))
			_exit(1);
		usleep(200);
	}
}

/* 1: more was read, 0: end, -1: too late. With no room left it reads and forgets. */
static int read_more(int fd, double deadline)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	double left = deadline - now();
	char spare[4096];
	size_t room = sizeof(seen) - 1 - length;
	ssize_t got;

	if (left <= 0 || poll(&wait, 1, (int)(left * 1000) + 1) <= 0)
		return -1;
	got = room ? read(fd, seen + length, room) : read(fd, spare, sizeof(spare));
	if (got <= 0)
		return 0;
	if (room)
		length += got;
	return 1;
}

int main(int argc, char **argv)
{
	double limit = 90, started, found, ended;
	pid_t caller = 0, pid;
	int option, output[2], more = 1;

	while ((option = getopt(argc, argv, "+brl:")) != -1) {
		if (option == 'b' || option == 'r')
			caller = make_calls(option == 'r');
		else if (option == 'l')
			limit = atof(optarg);
		else
			return 1;
	}
	if (argc - optind < 2 || pipe(output))
		return fprintf(stderr, "usage: until [-b | -r] [-l SECONDS] TEXT COMMAND...\n"), 1;
	if (caller)
		usleep(100000);
	started = now();
	pid = fork();
	if (!pid) {
		dup2(output[1], 1);
		dup2(output[1], 2);
		close(output[0]);
		close(output[1]);
		execvp(argv[optind + 1], argv + optind + 1);
		perror(argv[optind + 1]);
		_exit(127);
	}
	close(output[1]);
	while (!strstr(seen, argv[optind]) && more > 0)
		more = read_more(output[0], started + limit);
	found = now();
	if (more > 0)
		kill(pid, SIGINT);
	else if (more < 0)
		kill(pid, SIGKILL);
	if (!strstr(seen, argv[optind]) && !more)
		fprintf(stderr, "until: never said '%s':\n%.2000s\n", argv[optind], seen);
	while (more > 0)
		more = read_more(output[0], found + limit);
	if (more < 0)
		kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ended = now();
	if (caller)
		kill(caller, SIGKILL);
	if (!strstr(seen, argv[optind])) {
		if (more < 0)
			printf(">%.0f -\n", limit);
		return more < 0 ? 2 : 1;
	}
	if (more < 0)
		printf("%.3f >%.0f\n", found - started, limit);
	else
		printf("%.3f %.3f\n", found - started, ended - found);
	return more < 0 ? 2 : 0;
}
