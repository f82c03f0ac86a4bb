// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module parameters that arm at load, as allie's did:
 *
 *   insmod kcatch.ko symbol=mpage_readahead count=3
 *
 * logs the stacks of the first three calls and then stays silent. Also where
 * interrupts are off.
 *
 *   action   1  the whole stack, a line a frame (default)
 *            2  the stack in one line
 *            3  the circumstances (pid, command, CPU) without a stack
 *   flags    bit 0  say so when the last call has been logged
 *   verbose  1  number each call, "call 2 of 3"
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include "arm/session.h"
#include "core/robust.h"
#include "find/resolve.h"
#include "frontends/frontend.h"
#include "frontends/kernel_log.h"

#define FLAG_SAY_LAST	(1U << 0)
#define FLAGS_KNOWN	(FLAG_SAY_LAST)

static char *symbol;
module_param(symbol, charp, 0400);
MODULE_PARM_DESC(symbol, "function to catch at load");
static unsigned int count = 1;
module_param(count, uint, 0400);
MODULE_PARM_DESC(count, "calls to log (default 1)");
static unsigned int action = 1;
module_param(action, uint, 0400);
MODULE_PARM_DESC(action, "1 stack, 2 stack in one line, 3 no stack (default 1)");
static unsigned int flags;
module_param(flags, uint, 0400);
MODULE_PARM_DESC(flags, "bit 0: say when the last call has been logged (default 0)");
static unsigned int verbose;
module_param(verbose, uint, 0400);
MODULE_PARM_DESC(verbose, "1: number the calls (default 0)");

enum { ACTION_STACK = 1, ACTION_LINE, ACTION_PLAIN };

static struct kcatch_session *session;
static DEFINE_MUTEX(lock);	/* what follows, and who reads the rings */
static unsigned int logged;
static u64 lost;

static void allie_take(const struct kcatch_record *record, void *unused)
{
	const struct kcatch_hit *hit = (const void *)record;

	logged++;
	if (verbose)
		pr_info("allie: %s called, call %u of %u\n", symbol, logged, count);
	else
		pr_info("allie: %s called\n", symbol);
	kcatch_log_circumstances("allie", hit, kcatch_record_cpu(record));
	if (action == ACTION_STACK)
		kcatch_log_stack(hit);
	else if (action == ACTION_LINE)
		kcatch_log_stack_short("allie", hit);
	if (logged == count && (flags & FLAG_SAY_LAST))
		pr_info("allie: %s: that was the last of %u\n", symbol, count);
}

/* Calls that find their CPU's ring full do not count for @count. */
static void allie_caught(struct kcatch_session *unused)
{
	u64 now;

	mutex_lock(&lock);
	kcatch_session_drain(session, allie_take, NULL);
	now = kcatch_session_lost(session);
	if (now > lost)
		pr_info("allie: %s: %llu calls were not logged, as they came faster than the log is "
			"written\n", symbol, now - lost);
	lost = now;
	mutex_unlock(&lock);
}

int kcatch_allie_init(void)
{
	struct kcatch_want want = { .kind = KCATCH_TARGET_NAME };
	struct kcatch_add add = {
		.budget = count, .nr_targets = 1,
		.flags = action == ACTION_PLAIN ? KCATCH_ADD_NO_STACK : 0,
	};
	int error;

	kcatch_robust_add(&lock);
	if (!symbol)
		return 0;
	pr_info("allie_init: flags=%08x, action=%u, count=%u, verbose=%u\n", flags, action,
		count, verbose);
	pr_info("allie_init: symbol=%s\n", symbol);
	if (!count || action < ACTION_STACK || action > ACTION_PLAIN || flags & ~FLAGS_KNOWN) {
		pr_err("allie_init: count is 1 or more, action 1 to 3, flags at most %#x\n",
		       FLAGS_KNOWN);
		return -EINVAL;
	}
	error = kcatch_frontend_session(allie_caught, &session);
	if (error)
		return error;
	want.name = kstrdup(symbol, GFP_KERNEL);
	error = want.name ? kcatch_session_add(session, &add, &want) : -ENOMEM;
	kfree(want.name);
	if (!error)
		error = kcatch_session_start(session);
	if (error) {
		pr_err("allie_init: cannot catch %s: error %d\n", symbol, error);
		kcatch_session_destroy(session);
	}
	return error;
}

void kcatch_allie_exit(void)
{
	if (session && !kcatch_session_stop(session))
		allie_caught(session);
	kcatch_session_destroy(session);
}
