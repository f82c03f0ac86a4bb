/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traced_command.c - start a command, but let it run only after it is traced */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "traced_command.h"

/* What ends us ends the child as well: our handlers would write to a pipe that is ours, too. */
static void leave_handlers(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action;
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		/* Some ignore SIGHUP, for the command, too. */
		if (!sigaction(numbers[i], NULL, &action) && action.sa_handler != SIG_IGN)
			signal(numbers[i], SIG_DFL);
	}
}

/* Runs in the child: wait for a byte from @go, then execute. Does not return. */
static void wait_and_run(int go, int failure, char **argv)
{
	ssize_t got;
	char byte;
	int error;

	do {
		got = read(go, &byte, 1);
	} while (got < 0 && errno == EINTR);
	if (got != 1)
		_exit(127);	/* kcatch has ended without run_start() */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	execvp(argv[0], argv);
	error = errno;
	if (write(failure, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

/* Search as execvp() does, so that a wrong name is refused before anything is armed. */
static bool can_run(const char *word)
{
	const char *path = getenv("PATH"), *end;
	char file[4096];

	if (strchr(word, '/'))
		return !access(word, X_OK);
	for (path = path ? path : "/bin:/usr/bin"; ; path = end + 1) {
		end = strchrnul(path, ':');
		/* An empty part is the current directory. */
		if ((size_t)snprintf(file, sizeof(file), "%.*s%s%s", (int)(end - path), path,
				     end > path ? "/" : "./", word) < sizeof(file) &&
		    !access(file, X_OK))
			return true;
		if (!*end)
			return false;
	}
}

/* Two pipes, or none. Return: 0 or -errno. */
static int make_pipes(int go[2], int failure[2])
{
	int error;

	if (pipe2(go, O_CLOEXEC))
		return -errno;
	if (!pipe2(failure, O_CLOEXEC))
		return 0;
	error = errno;
	close(go[0]);
	close(go[1]);
	return -error;
}

static void close_pipes(const int go[2], const int failure[2])
{
	close(go[0]);
	close(go[1]);
	close(failure[0]);
	close(failure[1]);
}

int run_prepare(struct run *run, char **argv)
{
	int go[2], failure[2], ret;
	sigset_t all, before;

	if (!can_run(argv[0])) {
		say("cannot run %s: %s", quoted(argv[0]), strchr(argv[0], '/') ? strerror(errno) :
		    "no such command");
		return -ENOENT;
	}
	ret = make_pipes(go, failure);
	if (ret) {
		say("pipe: %s", strerror(-ret));
		return ret;
	}
	/* No signal comes to the child before it has left our handlers. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	run->pid = fork();
	if (!run->pid)
		leave_handlers();
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (run->pid < 0) {
		ret = -errno;
		say("fork: %s", strerror(-ret));
		close_pipes(go, failure);
		run->pid = 0;
		return ret;
	}
	if (!run->pid) {
		close(go[1]);
		close(failure[0]);
		/* Events before the execvp() are recorded under the command's name as well. */
		prctl(PR_SET_NAME, strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0]);
		wait_and_run(go[0], failure[1], argv);
	}
	close(go[0]);
	close(failure[1]);
	run->go = go[1];
	run->failure = failure[0];
	return 0;
}

int run_start(struct run *run)
{
	ssize_t got;
	int error;

	if (write(run->go, "", 1) != 1) {
		say("the command was killed before it ran");
		return -ESRCH;
	}
	close(run->go);
	run->go = 0;
	/* A successful exec closes the other end: read() returns 0. */
	do {
		got = read(run->failure, &error, sizeof(error));
	} while (got < 0 && errno == EINTR);
	close(run->failure);
	run->failure = 0;
	if (got != sizeof(error))
		return 0;
	say("cannot run the command: %s", strerror(error));
	return -error;
}

int run_status(struct run *run)
{
	int status = 0;

	if (!run->pid || run->go || waitpid(run->pid, &status, WNOHANG) != run->pid)
		return -1;
	run->pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void run_end(struct run *run)
{
	if (!run->pid)
		return;
	if (run->go)
		close(run->go);		/* not started yet: the child reads the end and exits */
	if (run->failure)
		close(run->failure);
	waitpid(run->pid, NULL, run->go ? 0 : WNOHANG);
	run->pid = 0;
}
