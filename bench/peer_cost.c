// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * peer_cost LOOP MODE N PEER TRACER: what a hit of another tracer costs, over
 * the untraced call.
 *
 * The same loop in the same process, before and while the tracer is on. PEER
 * is the program `peer` beside this file. It runs from before the tracer is
 * armed until after its events are counted, so that starting it is not traced.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "loop.h"

static FILE *from_peer;
static int to_peer;

static pid_t peer_start(const char *program, const char *tracer, const char *function,
			const char *mode)
{
	int up[2], down[2];
	pid_t pid;

	if (pipe(up) || pipe(down))
		return -1;
	pid = fork();
	if (!pid) {
		dup2(down[0], 0);
		dup2(up[1], 1);
		close(up[0]);
		close(up[1]);
		close(down[0]);
		close(down[1]);
		execl(program, program, tracer, function, mode, NULL);
		_exit(127);
	}
	close(up[1]);
	close(down[0]);
	from_peer = fdopen(up[0], "r");
	to_peer = down[1];
	return pid;
}

static int peer_said(char *line, int size)
{
	if (!from_peer || !fgets(line, size, from_peer))
		return 0;
	line[strcspn(line, "\n")] = 0;
	return 1;
}

int main(int argc, char **argv)
{
	const struct loop *loop = argc == 6 ? loop_find(argv[1]) : NULL;
	unsigned long n;
	double bare, traced;
	char line[64];
	int status;
	pid_t pid;

	if (!loop)
		return fprintf(stderr, "usage: peer_cost getppid|udp|zero MODE N PEER TRACER\n"), 1;
	n = strtoul(argv[3], NULL, 0);
	if (loop->prepare())
		return perror("prepare"), 1;
	loop_run(loop, 1000);
	bare = loop_run(loop, n);
	pid = peer_start(argv[4], argv[5], loop->function, argv[2]);
	if (pid < 0 || !peer_said(line, sizeof(line)) || strcmp(line, "armed"))
		return fprintf(stderr, "peer_cost: %s: not armed\n", argv[5]), 1;
	if (!strcmp(argv[2], "spent"))
		loop->once();
	usleep(500000);		/* what arming left to do in the background */
	traced = loop_run(loop, n);
	close(to_peer);
	if (!peer_said(line, sizeof(line)) || waitpid(pid, &status, 0) != pid || status)
		return fprintf(stderr, "peer_cost: %s: not disarmed\n", argv[5]), 1;
	printf("%s %s %s %.1f %s %lu (untraced %.1f)\n", argv[5], loop->name, argv[2],
	       traced - bare, line, n, bare);
	return 0;
}
