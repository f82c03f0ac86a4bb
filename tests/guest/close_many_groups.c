// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a session of many groups whose returns are hooked is closed in a few grace
 * periods, not in one a group; spent budgets of many groups take their probes out; a kill ends
 * START of many groups; nothing stays hooked.
 * Gate: older
 */
#include "guest.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Groups of a session, and of one whose START is killed; fewer in make check (KT_ROUNDS). */
static int groups = 100, killed = 150;

static void add_groups(struct session *session, int nr, const struct add_options *options)
{
	int i;

	for (i = 0; i < nr; i++)
		if (session_add(session, KT_SYS "getppid", options, NULL))
			bail("group %d is added (%d)", i, errno);
}

struct progress {
	int starts, started;
};

/* Return: was it killed while it was in START, as far as can be seen from here? */
static bool kill_start(struct session *session, struct progress *progress, int delay)
{
	pid_t child;

	progress->starts = progress->started = 0;
	child = fork();
	if (!child) {
		__atomic_store_n(&progress->starts, 1, __ATOMIC_SEQ_CST);
		session_start(session);
		__atomic_store_n(&progress->started, 1, __ATOMIC_SEQ_CST);
		_exit(0);
	}
	while (!__atomic_load_n(&progress->starts, __ATOMIC_SEQ_CST))
		usleep(100);
	usleep(delay);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return !__atomic_load_n(&progress->started, __ATOMIC_SEQ_CST);
}

static void kill_in_start(const struct add_options *options)
{
	struct progress *progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE,
					 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct session session;
	bool ended = false;
	int i;

	/* Again sooner where it was over by then. */
	for (i = 0; i < 20 && !ended; i++) {
		session_open(&session, 65536, 4096);
		add_groups(&session, killed, options);
		ended = kill_start(&session, progress, 8000 >> i % 7) &&
			!session_status(&session).running;
		session_close(&session);
	}
	check(ended, "a kill ends START of many groups");
}

int main(void)
{
	const struct add_options returning = { .flags = KCATCH_ADD_RETURN | KCATCH_ADD_NO_STACK,
					       .max_active = 4 };
	const struct add_options once = { .flags = KCATCH_ADD_NO_STACK, .budget = 1 };
	const struct add_options plain = { .flags = KCATCH_ADD_NO_STACK };
	struct session watcher, session;
	uint64_t before, nr;
	int i;

	if (getenv("KT_ROUNDS")) {
		groups = 50;
		killed = 75;
	}
	session_open(&watcher, 65536, 4096);
	if (session_add(&watcher, "unregister_kretprobes", &plain, NULL))
		bail("what ends returns is watched (%d)", errno);
	session_start(&watcher);

	session_open(&session, 65536, 4096);
	add_groups(&session, groups, &returning);
	session_start(&session);
	check_equal(session_status(&session).nr_attached, groups, "all groups are in place");
	getppid();
	/* One call of the kernel's is one grace period. */
	before = session_sums(&watcher, 0).hits;
	session_close(&session);
	nr = session_sums(&watcher, 0).hits - before;
	check(nr > 0 && nr < (uint64_t)groups / 10, "closed in a few grace periods (%d)", (int)nr);

	session_open(&session, 65536, 4096);
	session_map(&session);
	add_groups(&session, groups, &once);
	session_start(&session);
	getppid();
	/* Each made its one record; a worker takes them out. */
	for (i = 0; i < 6000 && session_status(&session).nr_attached; i++)
		usleep(10000);
	check_equal(session_status(&session).nr_attached, 0, "spent, all are taken out");
	check_equal(session_read(&session, false, NULL, NULL), groups, "and each recorded once");
	session_close(&session);

	session_close(&watcher);
	kill_in_start(&returning);
	return finish();
}
