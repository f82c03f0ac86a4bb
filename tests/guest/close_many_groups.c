// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a session of many groups whose returns are hooked is closed in a few grace
 * periods, not in one a group; spent budgets of many groups take their probes out; nothing
 * stays hooked.
 */
#include "guest.h"

#include <errno.h>
#include <unistd.h>

#define GROUPS	100

static void add_groups(struct session *session, const struct add_options *options)
{
	int i;

	for (i = 0; i < GROUPS; i++)
		if (session_add(session, "__x64_sys_getppid", options, NULL))
			bail("group %d is added (%d)", i, errno);
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

	session_open(&watcher, 65536, 4096);
	if (session_add(&watcher, "unregister_kretprobes", &plain, NULL))
		bail("what ends returns is watched (%d)", errno);
	session_start(&watcher);

	session_open(&session, 65536, 4096);
	add_groups(&session, &returning);
	session_start(&session);
	check_equal(session_status(&session).nr_attached, GROUPS, "all groups are in place");
	getppid();
	/* One call of the kernel's is one grace period. */
	before = session_sums(&watcher, 0).hits;
	session_close(&session);
	nr = session_sums(&watcher, 0).hits - before;
	check(nr > 0 && nr < GROUPS / 10, "closed in a few grace periods (%d)", (int)nr);

	session_open(&session, 65536, 4096);
	session_map(&session);
	add_groups(&session, &once);
	session_start(&session);
	getppid();
	/* Each made its one record; a worker takes them out. */
	for (i = 0; i < 6000 && session_status(&session).nr_attached; i++)
		usleep(10000);
	check_equal(session_status(&session).nr_attached, 0, "spent, all are taken out");
	check_equal(session_read(&session, false, NULL, NULL), GROUPS, "and each recorded once");
	session_close(&session);

	session_close(&watcher);
	return finish();
}
