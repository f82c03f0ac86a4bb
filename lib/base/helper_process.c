/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* helper_process.c - forks helpers, waits for their answers, and gives up those that block */
#include "base/helper_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "base/printable.h"
#include "base/timing.h"

#define GIVE_UPS_MAX	3
#define RUN_LIMITS	6	/* of one request, in limits */
#define LOOKS		20	/* in one limit */
#define END_MS		1000	/* for the end of a process */
#define HELPER_SOCKET	3

struct kcatch_helper {
	kcatch_helper_work *work;
	void *arg;
	size_t size;
	uint32_t limit_ms;
	uint32_t given_up;
	void *memory;
	bool stale;	/* @memory belongs to a helper that is no more, or should not be */
	int socket;	/* -1: no process */
	int pidfd;	/* -1: none, or this kernel has none */
	pid_t pid;
};

/* ---- the helper ---------------------------------------------------------------------- */

/* Whoever waits for the end of our output, or for a file to be closed, must not wait for it. */
static void leave_files(int socket)
{
	int null, i;

	socket = fcntl(socket, F_DUPFD, HELPER_SOCKET + 1);
	if (socket < 0)
		_exit(1);
	null = open("/dev/null", O_RDWR);
	for (i = 0; i < HELPER_SOCKET; i++) {
		if (null < 0)
			close(i);
		else
			dup2(null, i);
	}
	dup2(socket, HELPER_SOCKET);
	syscall(SYS_close_range, HELPER_SOCKET + 1, ~0U, 0);
	/* Nor who wants to unmount. */
	if (chdir("/"))
		return;
}

static void leave_signals(void)
{
	sigset_t all;
	int i;

	for (i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	sigfillset(&all);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
}

static _Noreturn void serve(struct kcatch_helper *helper, int socket)
{
	uint32_t limit = helper->limit_ms * RUN_LIMITS / 1000 + 10;
	char byte;

	leave_signals();
	leave_files(socket);
	while (recv(HELPER_SOCKET, &byte, 1, 0) == 1) {
		/* If nobody is left to end it. */
		alarm(limit);
		helper->work(helper->arg, helper->memory);
		alarm(0);
		if (send(HELPER_SOCKET, &byte, 1, MSG_NOSIGNAL) != 1)
			break;
	}
	_exit(0);
}

static int begin(struct kcatch_helper *helper)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -errno;
	helper->pid = fork();
	if (helper->pid < 0) {
		int error = errno;

		close(ends[0]);
		close(ends[1]);
		return -error;
	}
	if (!helper->pid)
		serve(helper, ends[1]);
	close(ends[1]);
	helper->socket = ends[0];
	helper->pidfd = (int)syscall(SYS_pidfd_open, helper->pid, 0);
	return 0;
}

/* ---- its maker ----------------------------------------------------------------------- */

/* @blocked: it would not see that its socket is closed. */
static void end(struct kcatch_helper *helper, bool blocked)
{
	struct pollfd ended = { helper->pidfd, POLLIN, 0 };

	if (helper->socket < 0)
		return;
	close(helper->socket);
	helper->socket = -1;
	helper->stale = true;
	/* By its descriptor: the number may be another's, if our caller ignores its children. */
	if (blocked && helper->pidfd >= 0)
		syscall(SYS_pidfd_send_signal, helper->pidfd, SIGKILL, NULL, 0);
	if (helper->pidfd >= 0)
		poll(&ended, 1, END_MS);
	/* What cannot end stays behind. */
	waitpid(helper->pid, NULL, WNOHANG);
	if (helper->pidfd >= 0)
		close(helper->pidfd);
	helper->pidfd = -1;
}

/* The processor time it has used, ns. */
static uint64_t time_used(const struct kcatch_helper *helper)
{
	struct timespec used;
	clockid_t clock;

	if (clock_getcpuclockid(helper->pid, &clock) || clock_gettime(clock, &used))
		return 0;
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

static bool lacks_processor(const struct kcatch_helper *helper)
{
	return kcatch_text_task_state((uint32_t)helper->pid, (uint32_t)helper->pid) == 'R';
}

/*
 * Looks are counted, not time: a machine that stood still makes one look of it. One that works for
 * long, waits for a slow disk again and again, or has no processor on a busy machine, is not
 * blocked.
 */
static int await(const struct kcatch_helper *helper)
{
	const uint64_t look_ns = helper->limit_ms * 1000000ULL / LOOKS;
	uint64_t next = kcatch_timing_now_ns() + look_ns, before = 0, used, now;
	struct pollfd answer = { helper->socket, POLLIN, 0 };
	uint32_t looks = 0, still = 0;
	char byte;

	while (looks < LOOKS * RUN_LIMITS && still < LOOKS) {
		now = kcatch_timing_now_ns();
		if (now < next) {
			int ret = poll(&answer, 1, (int)((next - now) / 1000000 + 1));

			if (ret > 0)
				return recv(helper->socket, &byte, 1, MSG_DONTWAIT) == 1 ? 0 :
											   -ECHILD;
			if (ret < 0 && errno != EINTR)
				return -errno;
			continue;
		}
		used = time_used(helper);
		still = used == before && !lacks_processor(helper) ? still + 1 : 0;
		before = used;
		looks++;
		next = now + look_ns;
	}
	return -ETIMEDOUT;
}

void *kcatch_helper_memory(struct kcatch_helper *helper)
{
	void *memory;

	if (helper->stale) {
		munmap(helper->memory, helper->size);
		helper->memory = NULL;
		helper->stale = false;
	}
	if (!helper->memory) {
		memory = mmap(NULL, helper->size, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		helper->memory = memory == MAP_FAILED ? NULL : memory;
	}
	return helper->memory;
}

int kcatch_helper_run(struct kcatch_helper *helper)
{
	char byte = 0;
	int ret;

	if (helper->given_up >= GIVE_UPS_MAX)
		return -ETIMEDOUT;
	ret = helper->socket < 0 ? begin(helper) : 0;
	if (ret)
		return ret;
	ret = send(helper->socket, &byte, 1, MSG_NOSIGNAL) == 1 ? await(helper) : -ECHILD;
	if (ret) {
		helper->given_up++;
		end(helper, true);
	}
	return ret;
}

void kcatch_helper_renew(struct kcatch_helper *helper)
{
	end(helper, false);
}

int kcatch_helper_create(kcatch_helper_work *work, void *arg, size_t size, uint32_t limit_ms,
			 struct kcatch_helper **helper)
{
	struct kcatch_helper *new = malloc(sizeof(*new));

	if (!new)
		return kcatch_error_memory();
	*new = (struct kcatch_helper){
		.work = work, .arg = arg, .size = size, .limit_ms = limit_ms, .socket = -1,
		.pidfd = -1,
	};
	*helper = new;
	return 0;
}

void kcatch_helper_destroy(struct kcatch_helper *helper)
{
	if (!helper)
		return;
	end(helper, false);
	if (helper->memory)
		munmap(helper->memory, helper->size);
	free(helper);
}
