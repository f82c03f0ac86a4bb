// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a tracer's own calls do not count, at a place inside a function as little
 * as at its beginning; and when STOP has returned no condition is tried any more.
 * Gate: newest
 */
#include "guest.h"
#include "code.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>


#define CALLS 100
#define FUNCTION KT_SYS "getppid"

static void make_calls(void)
{
	int i;

	for (i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
}

static int add_at(struct session *session, uint32_t offset, uint32_t flags, struct kcatch_add *add)
{
	struct kcatch_target target = {
		.kind = KCATCH_TARGET_NAME, .offset = offset,
		.name_len = strlen(FUNCTION), .name = (uintptr_t)FUNCTION,
	};

	*add = (struct kcatch_add){
		.flags = flags, .nr_targets = 1, .targets = (uintptr_t)&target,
	};
	return ioctl(session->fd, KCATCH_IOC_ADD, add);
}

static void check_own(const char *where, bool inside)
{
	struct kcatch_counters counters;
	struct session session;
	struct kcatch_add add;
	uint32_t offset = 0;
	int error;

	session_open(&session, 1 << 20, 65536);
	if (inside) {
		/* The first instruction behind ftrace's. */
		for (offset = 5, error = -1; error && offset < 64; offset++)
			error = add_at(&session, offset, KCATCH_ADD_OTHERS, &add);
	} else {
		error = add_at(&session, 0, KCATCH_ADD_OTHERS, &add);
	}
	if (error)
		bail("%s is armed %s", FUNCTION, where);
	session_start(&session);
	make_calls();
	session_stop(&session);
	session_counters(&session, add.first_probe, KCATCH_CPU_ALL, &counters);
	check_equal(counters.filtered, CALLS, "%s: the tracer's own calls are filtered", where);
	check(equation_holds(&counters), "%s: the equation holds", where);
	session_close(&session);
}

/* Refuses every call. */
static void bind_never(struct session *session, uint32_t probe)
{
	static const struct kcatch_op code[] = { CODE_GO(KCATCH_EXIT_NO) };
	struct kcatch_program program = { .entry_condition = { (uintptr_t)code, 1, 0 } };

	session_bind(session, probe, &program);
}

static void check_stopped(uint32_t flags, const char *what)
{
	struct kcatch_counters before, after;
	struct session session;
	struct kcatch_add add;

	session_open(&session, 1 << 20, 65536);
	if (add_at(&session, 0, flags, &add))
		bail("%s is armed", FUNCTION);
	bind_never(&session, add.first_probe);
	make_calls();
	session_counters(&session, add.first_probe, KCATCH_CPU_ALL, &before);
	check_equal(before.hits, 0, "%s: nothing counts before START", what);
	session_start(&session);
	make_calls();
	session_stop(&session);
	session_counters(&session, add.first_probe, KCATCH_CPU_ALL, &before);
	check(before.filtered >= CALLS, "%s: the condition refuses calls", what);
	make_calls();
	session_counters(&session, add.first_probe, KCATCH_CPU_ALL, &after);
	check_equal(after.hits, before.hits, "%s: the counters stand still after STOP", what);
	check_equal(after.filtered, before.filtered, "%s: filtered too", what);
	session_close(&session);
}

int main(void)
{
	check_own("at its beginning", false);
	check_own("inside", true);
	check_stopped(KCATCH_ADD_NO_STACK, "without a stack");
	check_stopped(0, "with a stack");
	return finish();
}
