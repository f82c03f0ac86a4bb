// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contexts that never come back; death.h says what becomes of them.
 *
 * The notifier runs where a task has just oopsed, with interrupts off. If a hard interrupt, a
 * softirq or an NMI oopses, or code with softirqs off, the kernel panics, and nothing is to be
 * mended. So it is a task, and as hooks run with preemption off, all bits of this CPU are of this
 * task. No lock is taken: the list of sessions is walked as freeze.c walks it. Memory: none.
 */
#include <linux/kdebug.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include "arm/death.h"
#include "arm/session.h"
#include "core/guard.h"
#include "core/robust.h"
#include "hit/hit_count.h"
#include "stack/stack.h"

/* Withdraws and counts the hits that the hooks of this CPU had begun: all belong to a task that
 * never comes back. Interrupts are off. */
static void hooks_died(void)
{
	struct kcatch_session *session;
	u32 busy = kcatch_outside_enter();

	list_for_each_entry_lockless(session, &kcatch_sessions, all) {
		struct kcatch_ring *ring = this_cpu_ptr(session->output.ring);

		if (ring->data)
			kcatch_ring_abandon(ring);
		kcatch_output_freeze_again(&session->output);
		if (READ_ONCE(session->running))
			atomic_inc(&session->nr_died);
	}
	kcatch_outside_leave(busy);
	pr_warn("kcatch: a thread died in a hook on CPU %u: what the hook had begun to record is withdrawn\n",
		smp_processor_id());
}

static bool release_of_session(struct kcatch_session *session)
{
	bool any = kcatch_robust_release(&session->output.ring_lock);
	u32 i;

	for (i = 0; i < KCATCH_TABLES_MAX; i++)
		if (session->tables[i])
			any |= kcatch_robust_release(&session->tables[i]->lock);
	any |= kcatch_robust_release(&session->lock);
	any |= kcatch_robust_release(&session->replaced_lock);
	return any;
}

/* The dying task's locks. Return: it had one */
static bool release_all(void)
{
	struct kcatch_session *session;
	bool any = false;
	u32 busy;

	busy = kcatch_outside_enter();
	list_for_each_entry_lockless(session, &kcatch_sessions, all)
		any |= release_of_session(session);
	kcatch_outside_leave(busy);
	return kcatch_robust_release_all() || any;
}

static int death_on_die(struct notifier_block *block, unsigned long value, void *data)
{
	struct die_args *args = data;
	bool in_hook, held;

	if (value != DIE_OOPS || in_interrupt())
		return NOTIFY_DONE;
	in_hook = this_cpu_read(kcatch_busy);
	if (in_hook) {
		hooks_died();
		this_cpu_write(kcatch_busy, 0);
	}
	held = release_all();
	if (held || (!in_hook && args->regs && kcatch_stack_has_own(args->regs)))
		kcatch_robust_hurt();
	return NOTIFY_DONE;
}

/* After all others: freeze.c has frozen the recorders, and nobody keeps the task alive. */
static struct notifier_block die_block = { .notifier_call = death_on_die, .priority = INT_MIN };

int kcatch_death_init(void)
{
	kcatch_guard_init(hooks_died);
	return register_die_notifier(&die_block);
}

void kcatch_death_exit(void)
{
	unregister_die_notifier(&die_block);
	kcatch_guard_exit();
}
