// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: kcatch stuck finds deadlocks of glibc's mutexes of each kind, across
 * processes and with pthread_join() as well, by thread and owner; what is no deadlock is
 * told to be none.
 * Limit: 120
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

struct shared {
	pthread_mutex_t mutex[2];
	pthread_cond_t condition;
	pid_t tid[2];
	pthread_t thread[2];
	int joins;
	int holders;
};

static struct shared *shared;

static void *cross(void *arg)
{
	int self = arg != NULL;

	shared->tid[self] = (pid_t)syscall(SYS_gettid);
	pthread_mutex_lock(&shared->mutex[self]);
	__atomic_add_fetch(&shared->holders, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&shared->holders, __ATOMIC_SEQ_CST) < 2)
		usleep(10000);
	if (self && shared->joins)
		pthread_join(shared->thread[0], NULL);
	else
		pthread_mutex_lock(&shared->mutex[!self]);
	return NULL;
}

static void make(int type, int robust, int protocol, int pshared)
{
	pthread_mutexattr_t attributes;
	int i;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type);
	pthread_mutexattr_setrobust(&attributes, robust);
	pthread_mutexattr_setprotocol(&attributes, protocol);
	pthread_mutexattr_setpshared(&attributes, pshared);
	memset(shared, 0, sizeof(*shared));
	for (i = 0; i < 2; i++)
		pthread_mutex_init(&shared->mutex[i], &attributes);
}

/* Both in one process, or each in its own. */
static void start(pid_t process[2], bool apart)
{
	int i;

	for (i = 0; i < (apart ? 2 : 1); i++) {
		process[i] = fork();
		if (process[i])
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (!apart) {
			pthread_create(&shared->thread[0], NULL, cross, NULL);
			pthread_create(&shared->thread[1], NULL, cross, shared);
			pause();
		}
		cross(i ? shared : NULL);
		_exit(0);
	}
	while (__atomic_load_n(&shared->holders, __ATOMIC_SEQ_CST) < 2)
		usleep(10000);
	usleep(500000);
}

static void end(pid_t process[2], bool apart)
{
	int i;

	for (i = 0; i < (apart ? 2 : 1); i++) {
		kill(process[i], SIGKILL);
		waitpid(process[i], NULL, 0);
	}
}

static void verdict(const char *options, char *line, size_t room)
{
	char command[256];
	FILE *pipe;

	snprintf(command, sizeof(command), "kcatch stuck --limit 0 %s 2>&1", options);
	pipe = popen(command, "r");
	if (!pipe || !fgets(line, (int)room, pipe))
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	if (pipe) {
		while (fgetc(pipe) != EOF)
			;
		pclose(pipe);
	}
}

static void deadlock(const char *what, bool apart)
{
	char line[1024], first[64], second[64];
	pid_t process[2];

	start(process, apart);
	verdict("", line, sizeof(line));
	snprintf(first, sizeof(first), "(%d) waits for", shared->tid[0]);
	snprintf(second, sizeof(second), "(%d) waits for", shared->tid[1]);
	check(!strncmp(line, "2 tasks deadlocked", 18), "%s: a deadlock of two", what);
	check(strstr(line, first) && strstr(line, second), "%s: of these two: %s", what, line);
	end(process, apart);
}

static void *wait_for_condition(void *unused)
{
	pthread_mutex_lock(&shared->mutex[0]);
	pthread_cond_wait(&shared->condition, &shared->mutex[0]);
	return unused;
}

static void no_deadlock(void)
{
	char line[1024], options[64];
	pid_t process = fork();

	if (!process) {
		pthread_t thread;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pthread_cond_init(&shared->condition, NULL);
		pthread_create(&thread, NULL, wait_for_condition, NULL);
		usleep(200000);
		pthread_mutex_lock(&shared->mutex[0]);
		pthread_mutex_lock(&shared->mutex[1]);
		pause();
	}
	usleep(600000);
	verdict("", line, sizeof(line));
	check(!strstr(line, "deadlocked"), "a condition and a held mutex: no deadlock: %s", line);
	snprintf(options, sizeof(options), "-p %d", process);
	verdict(options, line, sizeof(line));
	check(strstr(line, "none of its 2 threads has run"), "the process: no thread runs: %s", line);
	kill(process, SIGKILL);
	waitpid(process, NULL, 0);
}

/* One thread that locks a mutex twice waits for itself. */
static void alone(void)
{
	char line[1024], self[64];
	pid_t process = fork();

	if (!process) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pthread_mutex_lock(&shared->mutex[0]);
		pthread_mutex_lock(&shared->mutex[0]);
	}
	usleep(600000);
	verdict("", line, sizeof(line));
	snprintf(self, sizeof(self), "(%d)", process);
	check(!strncmp(line, "1 task deadlocked", 17) && strstr(line, self),
	      "a thread that waits for itself: %s", line);
	kill(process, SIGKILL);
	waitpid(process, NULL, 0);
}

int main(void)
{
	const int shared_too = PTHREAD_PROCESS_SHARED, private = PTHREAD_PROCESS_PRIVATE;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		bail("memory to share");
	make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE, private);
	deadlock("plain mutexes", false);
	make(PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE, private);
	deadlock("recursive mutexes", false);
	make(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE, private);
	deadlock("checking mutexes", false);
	make(PTHREAD_MUTEX_ADAPTIVE_NP, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE, private);
	deadlock("adaptive mutexes", false);
	make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE, private);
	deadlock("robust mutexes", false);
	make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE, shared_too);
	deadlock("mutexes shared by two processes", true);
	make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE, shared_too);
	deadlock("robust mutexes shared by two processes", true);
	make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE, private);
	shared->joins = 1;
	deadlock("one joins who waits for its mutex", false);
	make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE, private);
	alone();
	make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE, private);
	no_deadlock();
	return finish();
}
