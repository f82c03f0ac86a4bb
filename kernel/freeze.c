// SPDX-License-Identifier: GPL-2.0-only
/*
 * Freezing sessions. The notifiers run where the machine is in trouble: in any context,
 * NMI too, with any lock held, other CPUs perhaps stopped for good. So they take no lock;
 * lists that they walk are changed in the RCU way and what leaves them is waited for by
 * kcatch_quiesce(), which sees the mark that they set for their stay.
 */
#include <linux/irq_work.h>
#include <linux/kdebug.h>
#include <linux/notifier.h>
#include <linux/rculist.h>
#include <linux/tracepoint.h>
#include "compat/compat.h"
#include "guard.h"
#include "freeze.h"
#include "freeze_log.h"
#include "lockup.h"
#include "session.h"

#define FREEZE_FLAGS \
	(KCATCH_SETUP_FREEZE_OOPS | KCATCH_SETUP_FREEZE_WARN | KCATCH_SETUP_FREEZE_PANIC | \
	 KCATCH_SETUP_FREEZE_LOCKUP | KCATCH_SETUP_FREEZE_HUNG)

/* Freeze those that asked for it. True: the log is to be told. */
static bool freeze_all(u32 flag, u32 why)
{
	struct kcatch_session *session;
	bool to_log = false;
	u32 busy;

	busy = kcatch_outside_enter();
	list_for_each_entry_lockless(session, &kcatch_sessions, all) {
		if (!(session->setup.flags & flag) || !READ_ONCE(session->running) ||
		    !kcatch_output_freeze(&session->output, why, 0) ||
		    !(session->setup.flags & KCATCH_SETUP_LOG))
			continue;
		session->to_log = true;
		to_log = true;
	}
	kcatch_outside_leave(busy);
	return to_log;
}

/* Takes time: when all are frozen. */
static void log_all(void)
{
	struct kcatch_session *session;
	struct kcatch_freeze_log log;
	u32 busy;

	busy = kcatch_outside_enter();
	kcatch_freeze_log_begin(&log);
	list_for_each_entry_lockless(session, &kcatch_sessions, all)
		if (session->to_log && xchg(&session->to_log, false))
			kcatch_freeze_log(&log, session);
	kcatch_outside_leave(busy);
}

static void freeze_and_log(u32 flag, u32 why)
{
	freeze_all(flag, why);
	log_all();
}

static int on_die(struct notifier_block *block, unsigned long value, void *data)
{
	if (value == DIE_OOPS)
		freeze_and_log(KCATCH_SETUP_FREEZE_OOPS, KCATCH_FROZEN_OOPS);
	return NOTIFY_DONE;
}

static int on_panic(struct notifier_block *block, unsigned long value, void *data)
{
	freeze_and_log(KCATCH_SETUP_FREEZE_PANIC, KCATCH_FROZEN_PANIC);
	return NOTIFY_DONE;
}

/* error_report_end(enum error_detector, unsigned long id) */
static void on_warning(void *data, int detector, unsigned long id)
{
	freeze_and_log(KCATCH_SETUP_FREEZE_WARN, KCATCH_FROZEN_WARN);
}

/* sched_process_hang(struct task_struct *): by khungtaskd, which takes no note of a task
 * twice unless it ran in between. */
static void on_hung_task(void *data, struct task_struct *task)
{
	freeze_and_log(KCATCH_SETUP_FREEZE_HUNG, KCATCH_FROZEN_HUNG);
}

static void log_later(struct irq_work *work)
{
	log_all();
}

static DEFINE_IRQ_WORK(log_work, log_later);

/* The watchdog is in the middle of its report: what goes to the log waits until its
 * interrupt is over. */
void kcatch_freeze_lockup(void)
{
	if (freeze_all(KCATCH_SETUP_FREEZE_LOCKUP, KCATCH_FROZEN_LOCKUP))
		irq_work_queue(&log_work);
}

/* What tells of trouble by a tracepoint. @tracepoint: NULL: none in this kernel */
static struct {
	const char *name;
	void *function;
	u32 flag;
	struct tracepoint *tracepoint;
} tellers[] = {
	{ "error_report_end", on_warning, KCATCH_SETUP_FREEZE_WARN },
	{ "sched_process_hang", on_hung_task, KCATCH_SETUP_FREEZE_HUNG },
};

int kcatch_freeze_check(u32 flags)
{
	int i;

	if (flags & ~(FREEZE_FLAGS | KCATCH_SETUP_LOG))
		return -EINVAL;
	if ((flags & KCATCH_SETUP_LOG) && !(flags & FREEZE_FLAGS))
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(tellers); i++)
		if ((flags & tellers[i].flag) && !tellers[i].tracepoint)
			return -EOPNOTSUPP;
	return 0;
}

int kcatch_freeze_enter(u32 flags)
{
	return flags & KCATCH_SETUP_FREEZE_LOCKUP ? kcatch_lockup_watch() : 0;
}

void kcatch_freeze_leave(u32 flags)
{
	if (!(flags & KCATCH_SETUP_FREEZE_LOCKUP))
		return;
	kcatch_lockup_unwatch();
	irq_work_sync(&log_work);
}

static struct notifier_block die_block = { .notifier_call = on_die };
/* Before others, which may end the machine. */
static struct notifier_block panic_block = { .notifier_call = on_panic, .priority = INT_MAX };

static void find_notifier(struct tracepoint *tracepoint, void *unused)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(tellers); i++)
		if (!strcmp(tracepoint->name, tellers[i].name))
			tellers[i].tracepoint = tracepoint;
}

static void leave_notifiers(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(tellers); i++)
		if (tellers[i].tracepoint)
			tracepoint_probe_unregister(tellers[i].tracepoint, tellers[i].function,
						    NULL);
	tracepoint_synchronize_unregister();
}

int kcatch_freeze_init(void)
{
	int error, i;

	for_each_kernel_tracepoint(find_notifier, NULL);
	for (i = 0; i < ARRAY_SIZE(tellers); i++)
		if (tellers[i].tracepoint &&
		    tracepoint_probe_register(tellers[i].tracepoint, tellers[i].function, NULL))
			tellers[i].tracepoint = NULL;
	error = register_die_notifier(&die_block);
	if (error)
		goto die;
	error = atomic_notifier_chain_register(&panic_notifier_list, &panic_block);
	if (error)
		goto panic;
	return 0;
panic:
	unregister_die_notifier(&die_block);
die:
	leave_notifiers();
	return error;
}

void kcatch_freeze_exit(void)
{
	atomic_notifier_chain_unregister(&panic_notifier_list, &panic_block);
	unregister_die_notifier(&die_block);
	leave_notifiers();
}
