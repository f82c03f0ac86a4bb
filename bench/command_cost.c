// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command_cost LOOP MODE N COMMAND...: what a hit costs, over the untraced call, when COMMAND was
 * started as users start it.
 *
 * COMMAND is kcatch with its options. When it says that it has armed, it is
 * stopped by SIGSTOP, so that only the hook is in the figure; its rings must hold N calls. After
 * the calls it goes on, gets SIGINT, and its last line says how many of them it met. MODE is only
 * printed. The least of three untraced and of two traced rounds counts.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "loop.h"

#define ROUNDS 2

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

static pid_t start(char **command, int *fd)
{
	int ends[2], null = open("/dev/null", O_WRONLY);
	pid_t pid;

	if (null < 0 || pipe(ends))
		return -1;
	pid = fork();
	if (!pid) {
		dup2(null, STDOUT_FILENO);
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

static double least(const struct loop *loop, unsigned long n, int rounds)
{
	double cost, lowest = 1e18;

	while (rounds--) {
		cost = loop_run(loop, n);
		if (cost < lowest)
			lowest = cost;
	}
	return lowest;
}

/* The number behind "hits " in the last line that has it. */
static unsigned long count_hits(void)
{
	const char *at, *hits = NULL;

	for (at = said; (at = strstr(at, "hits ")); at++)
		hits = at;
	return hits ? strtoul(hits + strlen("hits "), NULL, 10) : 0;
}

int main(int argc, char **argv)
{
	const struct loop *loop = argc < 5 ? NULL : loop_find(argv[1]);
	unsigned long n = argc < 5 ? 0 : strtoul(argv[3], NULL, 0);
	double bare, traced;
	int fd, status;
	pid_t pid;

	if (!loop || !n)
		return fprintf(stderr, "usage: command_cost LOOP MODE N COMMAND...\n"), 1;
	if (loop->prepare())
		return fail("prepare");
	loop_run(loop, 1000);
	bare = least(loop, n, 3);
	pid = start(argv + 4, &fd);
	if (pid < 0)
		return fail("start");
	if (!listen_for(fd, "waiting for"))
		return fprintf(stderr, "command_cost: it did not arm: %s\n", said), 1;
	usleep(300000);
	if (kill(pid, SIGSTOP) || waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		return fprintf(stderr, "command_cost: it has ended: %s\n", said), 1;
	traced = least(loop, n, ROUNDS);
	kill(pid, SIGCONT);
	usleep(300000);
	kill(pid, SIGINT);
	listen_for(fd, NULL);
	waitpid(pid, &status, 0);
	printf("kcatch %s %s %.1f %lu %lu (untraced %.1f; through the command)\n", loop->name,
	       argv[2], traced - bare, count_hits(), n * ROUNDS, bare);
	return 0;
}
