// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: kcatch stuck finds deadlocks of glibc's mutexes of each kind and mixture,
 * of two and three threads, in one process, across processes and in pid namespaces, and
 * with pthread_join(), by thread and owner; what is no deadlock is told to be none.
 * Gate: newest
 */
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"

#define RINGS_MAX 80

/* Threads, each with a mutex, that want the next one's. A page, which only they share. */
struct __attribute__((aligned(4096))) ring {
	char what[64];
	pthread_mutex_t mutex[3];
	pid_t tid[3];		/* in the namespace of their own */
	pid_t pid[3];		/* of their processes, here */
	pthread_t thread[3];
	int nr, holders;
	bool apart;		/* a process for each */
	bool inside;		/* a pid namespace of its own */
	bool joins;		/* the last one joins the first instead */
	bool leaderless;	/* the first thread of the process has ended */
	bool gives_up;		/* the last one waits for a day only */
};

struct part {
	struct ring *ring;
	int nr;
};

static struct ring *rings;
static int nr_rings;

static void *take_part(void *arg)
{
	const struct part *part = arg;
	struct ring *ring = part->ring;
	int next = (part->nr + 1) % ring->nr;
	bool last = part->nr == ring->nr - 1;
	struct timespec until;

	ring->tid[part->nr] = (pid_t)syscall(SYS_gettid);
	pthread_mutex_lock(&ring->mutex[part->nr]);
	__atomic_add_fetch(&ring->holders, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&ring->holders, __ATOMIC_SEQ_CST) < ring->nr)
		usleep(10000);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 86400;
	if (last && ring->joins)
		pthread_join(ring->thread[0], NULL);
	else if (last && ring->gives_up)
		pthread_mutex_timedlock(&ring->mutex[next], &until);
	else
		pthread_mutex_lock(&ring->mutex[next]);
	pause();	/* whoever comes here is not in the circle */
	return NULL;
}

static struct ring *make(const char *what, int nr, int type, int robust, int protocol, int pshared)
{
	struct ring *ring = &rings[nr_rings++];
	pthread_mutexattr_t attributes;
	int i;

	if (nr_rings > RINGS_MAX)
		bail("too many rings");
	snprintf(ring->what, sizeof(ring->what), "%s", what);
	ring->nr = nr;
	ring->apart = pshared == PTHREAD_PROCESS_SHARED;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type);
	pthread_mutexattr_setrobust(&attributes, robust);
	pthread_mutexattr_setprotocol(&attributes, protocol);
	pthread_mutexattr_setpshared(&attributes, pshared);
	for (i = 0; i < nr; i++)
		pthread_mutex_init(&ring->mutex[i], &attributes);
	return ring;
}

static int run_process(struct ring *ring, int first, int after)
{
	static struct part parts[3];
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	munmap(ring + 1, (size_t)(rings + RINGS_MAX - ring - 1) * sizeof(*rings));
	if (ring > rings)
		munmap(rings, (size_t)(ring - rings) * sizeof(*rings));
	/* Two of the same number, each in its own namespace, could not be told apart. */
	for (i = 0; ring->inside && i < first; i++)
		if (!fork())
			_exit(0);
	for (i = first; i < after; i++) {
		parts[i] = (struct part){ ring, i };
		if (pthread_create(&ring->thread[i], NULL, take_part, &parts[i]))
			_exit(1);
	}
	if (ring->leaderless)
		pthread_exit(NULL);
	for (;;)
		pause();
}

static void start(struct ring *ring)
{
	int i;

	for (i = 0; i < (ring->apart ? ring->nr : 1); i++) {
		int first = i, after = ring->apart ? i + 1 : ring->nr;

		/* The numbers inside are not those that others see. */
		pid_t pid = ring->inside ? (pid_t)syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, NULL,
							  NULL, NULL, 0) :
					   fork();

		if (!pid)
			run_process(ring, first, after);
		if (pid < 0)
			bail("fork");
		ring->pid[i] = pid;
	}
}

/* The number here of a thread that has another one inside. */
static pid_t outer(const struct ring *ring, int part)
{
	pid_t pid = ring->pid[ring->apart ? part : 0];
	char command[128], line[64] = "";
	FILE *pipe;

	snprintf(command, sizeof(command),
		 "awk '$1 == \"NSpid:\" && NF > 2 && $NF == %d { print $2 }' /proc/%d/task/*/status",
		 ring->tid[part], pid);
	pipe = popen(command, "r");
	if (pipe && !fgets(line, sizeof(line), pipe))
		line[0] = '\0';
	if (pipe)
		pclose(pipe);
	return atoi(line);
}

static void stop_all(void)
{
	int i, j;

	for (i = 0; i < nr_rings; i++) {
		for (j = 0; j < (rings[i].apart ? rings[i].nr : 1); j++) {
			kill(rings[i].pid[j], SIGKILL);
			waitpid(rings[i].pid[j], NULL, 0);
		}
	}
	memset(rings, 0, RINGS_MAX * sizeof(*rings));
	nr_rings = 0;
}

/* Is every thread of it asleep in futex()? */
static bool has_settled(const struct ring *ring)
{
	char path[320], line[64];
	int i, nr = 0;

	for (i = 0; i < (ring->apart ? ring->nr : 1); i++) {
		struct dirent *entry;
		DIR *tasks;

		snprintf(path, sizeof(path), "/proc/%d/task", ring->pid[i]);
		tasks = opendir(path);
		while (tasks && (entry = readdir(tasks))) {
			FILE *file;

			snprintf(path, sizeof(path), "/proc/%d/task/%s/syscall", ring->pid[i],
				 entry->d_name);
			file = fopen(path, "r");
			nr += file && fgets(line, sizeof(line), file) && atoi(line) == SYS_futex;
			if (file)
				fclose(file);
		}
		if (tasks)
			closedir(tasks);
	}
	return nr == ring->nr;
}

static void settle(void)
{
	int i, tries;

	for (i = 0; i < nr_rings; i++) {
		for (tries = 0; tries < 6000 && !has_settled(&rings[i]); tries++)
			usleep(50000);
		if (tries == 6000)
			note("%s: its threads do not come to rest", rings[i].what);
	}
}

static long field(const char *line, const char *name)
{
	char key[32];
	const char *at;

	snprintf(key, sizeof(key), "\"%s\":", name);
	at = strstr(line, key);
	return at ? atol(at + strlen(key)) : 0;
}

/* What is said of the threads, by their numbers. */
struct said {
	long tid, owner, deadlock;
};

static int ask(const char *options, struct said *said, int room, char *verdict, size_t verdict_room)
{
	static char line[1 << 16];
	char command[256];
	int nr = 0;
	FILE *pipe;

	snprintf(command, sizeof(command), "kcatch stuck --limit 0 --json --no-user %s", options);
	pipe = popen(command, "r");
	while (pipe && fgets(line, sizeof(line), pipe)) {
		const char *at = strstr(line, "\"verdict\":\"");

		if (at)
			snprintf(verdict, verdict_room, "%s", at + 11);
		else if (nr < room)
			said[nr++] = (struct said){ field(line, "tid"), field(line, "owner_tid"),
						    field(line, "deadlock") };
	}
	if (pipe)
		pclose(pipe);
	return nr;
}

static const struct said *of(const struct said *said, int nr, long tid)
{
	static const struct said none;
	int i;

	for (i = 0; i < nr; i++) {
		if (said[i].tid == tid)
			return &said[i];
	}
	return &none;
}

static void check_rings(const struct said *said, int nr)
{
	int i, j, circles = 0;

	for (i = 0; i < nr_rings; i++) {
		struct ring *ring = &rings[i];
		pid_t tid[3] = { 0 };
		bool good = true;

		for (j = 0; j < ring->nr; j++)
			tid[j] = ring->inside ? outer(ring, j) : ring->tid[j];
		for (j = 0; j < ring->nr; j++) {
			const struct said *own = of(said, nr, tid[j]);
			const struct said *next = of(said, nr, tid[(j + 1) % ring->nr]);

			if (own->owner != next->tid || own->deadlock != next->deadlock ||
			    !own->deadlock) {
				note("thread %d: waits for %ld, circle %ld", tid[j], own->owner,
				     own->deadlock);
				good = false;
			}
		}
		check(good, "%s: a circle of %d", ring->what, ring->nr);
	}
	for (i = 0; i < nr; i++)
		circles = said[i].deadlock > circles ? (int)said[i].deadlock : circles;
	check(circles == nr_rings, "no circles but these: %d of %d", circles, nr_rings);
}

static const struct {
	const char *name;
	int robust, protocol;
	bool checks;		/* glibc aborts a PI mutex's deadlock of a kind that checks */
} kinds[] = {
	{ "plain", PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE, true },
	{ "robust", PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE, true },
	{ "PI", PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_INHERIT, false },
	{ "robust PI", PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_INHERIT, false },
};

static const struct {
	const char *name;
	int type;
	bool checks;
} types[] = {
	{ "normal", PTHREAD_MUTEX_NORMAL, false },
	{ "adaptive", PTHREAD_MUTEX_ADAPTIVE_NP, false },
	{ "recursive", PTHREAD_MUTEX_RECURSIVE, true },
	{ "errorcheck", PTHREAD_MUTEX_ERRORCHECK, true },
};

static void deadlocks(void)
{
	static struct said said[1000];
	struct ring *ring;
	char what[64], verdict[256] = "";
	unsigned int kind, type;
	int nr, apart, i;

	for (kind = 0; kind < 4; kind++) {
		for (type = 0; type < 4; type++) {
			if (types[type].checks && !kinds[kind].checks)
				continue;
			for (apart = 0; apart < 2; apart++) {
				snprintf(what, sizeof(what), "%s %s mutexes, %s", kinds[kind].name,
					 types[type].name,
					 apart ? "shared by processes" : "threads");
				make(what, 2 + (type + (unsigned int)apart) % 2, types[type].type,
				     kinds[kind].robust, kinds[kind].protocol, apart ?
				     PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE);
			}
		}
	}
	make("one joins who waits for its mutex", 2, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED,
	     PTHREAD_PRIO_NONE, PTHREAD_PROCESS_PRIVATE)->joins = true;
	for (kind = 0; kind < 4; kind++) {
		snprintf(what, sizeof(what), "%s mutexes, and the first thread has ended",
			 kinds[kind].name);
		make(what, 2, PTHREAD_MUTEX_NORMAL, kinds[kind].robust, kinds[kind].protocol,
		     PTHREAD_PROCESS_PRIVATE)->leaderless = true;
	}
	for (kind = 0; kind < 4; kind++) {
		snprintf(what, sizeof(what), "%s mutexes in a pid namespace", kinds[kind].name);
		make(what, 3, PTHREAD_MUTEX_NORMAL, kinds[kind].robust, kinds[kind].protocol,
		     PTHREAD_PROCESS_PRIVATE)->inside = true;
		/* The kernel looks for who has a PI mutex in one namespace only. */
		if (kinds[kind].protocol != PTHREAD_PRIO_NONE)
			continue;
		snprintf(what, sizeof(what), "%s mutexes shared by pid namespaces",
			 kinds[kind].name);
		ring = make(what, 3, PTHREAD_MUTEX_NORMAL,
			    kinds[kind].robust, kinds[kind].protocol, PTHREAD_PROCESS_SHARED);
		ring->inside = true;
	}
	for (i = 0; i < nr_rings; i++)
		start(&rings[i]);
	settle();
	nr = ask("", said, 1000, verdict, sizeof(verdict));
	check_rings(said, nr);
	check(strstr(verdict, " deadlocked: "), "the verdict: %s", verdict);
	/* As on a machine without debug information, which has no more names than it needs. */
	if (!mkdir("empty", 0700) && !system("mount --bind empty /usr/lib/debug")) {
		nr = ask("", said, 1000, verdict, sizeof(verdict));
		check_rings(said, nr);
		if (system("umount /usr/lib/debug"))
			note("cannot umount");
	}
	stop_all();
}

static pthread_mutex_t mutexes[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static bool waits_for_condition;	/* under mutexes[0] */

static void *wait_for_condition(void *unused)
{
	pthread_mutex_lock(&mutexes[0]);
	waits_for_condition = true;
	pthread_cond_wait(&condition, &mutexes[0]);	/* which gives the mutex back */
	return unused;
}

static void wait_for_call(pid_t process, const char *call)
{
	char path[64], line[64];
	int tries;

	snprintf(path, sizeof(path), "/proc/%d/syscall", process);
	for (tries = 0; tries < 6000; tries++) {
		FILE *file = fopen(path, "r");

		if (file && !fgets(line, sizeof(line), file))
			line[0] = '\0';
		if (file)
			fclose(file);
		if (!strncmp(line, call, strlen(call)))
			return;
		usleep(50000);
	}
}

static void no_deadlock(void)
{
	char verdict[256] = "", options[64];
	struct said said[100];
	pid_t process = fork();

	if (!process) {
		pthread_t thread;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pthread_create(&thread, NULL, wait_for_condition, NULL);
		pthread_mutex_lock(&mutexes[0]);
		while (!waits_for_condition) {
			pthread_mutex_unlock(&mutexes[0]);
			usleep(10000);
			pthread_mutex_lock(&mutexes[0]);
		}
		pthread_mutex_lock(&mutexes[1]);
		pause();
	}
	wait_for_call(process, "34 ");
	make("", 2, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE,
	     PTHREAD_PROCESS_PRIVATE)->gives_up = true;
	start(&rings[0]);
	settle();
	ask("", said, 100, verdict, sizeof(verdict));
	check(!strstr(verdict, "deadlocked"),
	      "a condition and a held mutex, and a circle with one who gives up: no deadlock: %s",
	      verdict);
	snprintf(options, sizeof(options), "-p %d", process);
	ask(options, said, 100, verdict, sizeof(verdict));
	check(strstr(verdict, "none of its 2 threads has run"), "the process: no thread runs: %s",
	      verdict);
	stop_all();
	kill(process, SIGKILL);
	waitpid(process, NULL, 0);
}

/* One thread that locks a mutex twice waits for itself. */
static void alone(void)
{
	char verdict[256] = "", self[64];
	struct said said[100];
	pid_t process = fork();

	if (!process) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pthread_mutex_lock(&mutexes[0]);
		pthread_mutex_lock(&mutexes[0]);
	}
	wait_for_call(process, "202 ");
	ask("", said, 100, verdict, sizeof(verdict));
	snprintf(self, sizeof(self), "(%d)", process);
	check(!strncmp(verdict, "1 task deadlocked", 17) && strstr(verdict, self),
	      "a thread that waits for itself: %s", verdict);
	kill(process, SIGKILL);
	waitpid(process, NULL, 0);
}

int main(void)
{
	rings = mmap(NULL, RINGS_MAX * sizeof(*rings), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (rings == MAP_FAILED)
		bail("memory to share");
	deadlocks();
	alone();
	no_deadlock();
	return finish();
}
