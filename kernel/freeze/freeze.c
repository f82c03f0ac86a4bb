// SPDX-License-Identifier: GPL-2.0-only
/*
 * Freezes sessions at events of the kernel.
 *
 * The notifiers run in any context, NMI too, with any lock held, and other CPUs may have stopped
 * for good. They take no lock. They walk the list of sessions between kcatch_outside_enter() and
 * kcatch_outside_leave(): the list is changed as RCU lists are, and kcatch_quiesce() waits for
 * them before a session is freed.
 */
#include <linux/irq_work.h>
#include <linux/kdebug.h>
#include <linux/notifier.h>
#include <linux/rculist.h>
#include <linux/tracepoint.h>
#include <trace/events/error_report.h>
#include <trace/events/sched.h>
#include "arm/session.h"
#include "compat/compat.h"
#include "core/guard.h"
#include "core/tracepoint_list.h"
#include "freeze/freeze.h"
#include "freeze/freeze_log.h"
#include "freeze/lockup.h"

#define FREEZE_FLAGS \
	(KCATCH_SETUP_FREEZE_OOPS | KCATCH_SETUP_FREEZE_WARN | KCATCH_SETUP_FREEZE_PANIC | \
	 KCATCH_SETUP_FREEZE_LOCKUP | KCATCH_SETUP_FREEZE_HUNG)

/* Freezes the running sessions that have @flag set. True: one of them is to be logged. */
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
		/* Pairs with the exchange of log_all(), which reads when it was frozen. */
		smp_store_release(&session->to_log, true);
		to_log = true;
	}
	kcatch_outside_leave(busy);
	return to_log;
}

/* Logs the sessions that were frozen. Called when all are frozen, because it takes long. */
static void log_all(void)
{
	struct kcatch_session *session;
	struct kcatch_freeze_log log;
	u32 busy;

	busy = kcatch_outside_enter();
	kcatch_freeze_log_begin(&log);
	list_for_each_entry_lockless(session, &kcatch_sessions, all)
		if (READ_ONCE(session->to_log) && xchg(&session->to_log, false))
			kcatch_freeze_log(&log, session);
	kcatch_outside_leave(busy);
}

static DEFINE_PER_CPU(bool, dying);	/* freeze_on_die() is under way */

static void freeze_and_log(u32 flag, u32 why)
{
	freeze_all(flag, why);
	log_all();
}

/* Called again on the same CPU, if what it calls oopses itself: then the first call ends there, and
 * this one does nothing. */
static int freeze_on_die(struct notifier_block *block, unsigned long value, void *data)
{
	if (value == DIE_OOPS && !this_cpu_xchg(dying, true))
		freeze_and_log(KCATCH_SETUP_FREEZE_OOPS, KCATCH_FROZEN_OOPS);
	if (value == DIE_OOPS)
		this_cpu_write(dying, false);
	return NOTIFY_DONE;
}

static int on_panic(struct notifier_block *block, unsigned long value, void *data)
{
	freeze_and_log(KCATCH_SETUP_FREEZE_PANIC, KCATCH_FROZEN_PANIC);
	return NOTIFY_DONE;
}

static void on_warning(void *data, enum error_detector detector, unsigned long id)
{
	freeze_and_log(KCATCH_SETUP_FREEZE_WARN, KCATCH_FROZEN_WARN);
}

/* sched_process_hang(struct task_struct *): from khungtaskd, which reports a task again only
 * if it ran in between. */
static void on_hung_task(void *data, struct task_struct *task)
{
	freeze_and_log(KCATCH_SETUP_FREEZE_HUNG, KCATCH_FROZEN_HUNG);
}

static void log_later(struct irq_work *work)
{
	log_all();
}

/* In the interrupt on a real-time kernel too: threads of this CPU may never run again. */
static struct irq_work log_work = IRQ_WORK_INIT_HARD(log_later);

/* The watchdog is in the middle of its report, so ours is written when its interrupt is over. */
void kcatch_freeze_lockup(void)
{
	if (freeze_all(KCATCH_SETUP_FREEZE_LOCKUP, KCATCH_FROZEN_LOCKUP))
		irq_work_queue(&log_work);
}

/* Events that a tracepoint reports. @tracepoint: NULL: this kernel does not have it */
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

static struct notifier_block die_block = { .notifier_call = freeze_on_die };
/* Called before all others, which may stop or restart the machine. */
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

	/* Refused by the compiler if a type is not exactly the tracepoint's. */
	check_trace_callback_type_error_report_end(on_warning);
#ifdef CONFIG_DETECT_HUNG_TASK
	check_trace_callback_type_sched_process_hang(on_hung_task);
#endif
	kcatch_lockup_init();
	kcatch_tracepoints_each(find_notifier, NULL);
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
	kcatch_lockup_exit();
}
