/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The output of a session as a hit sees it: the rings, and the requests to wake the reader and
 * to freeze the rings. A hit knows nothing else of a session.
 *
 * Any context can freeze the rings at once (ring/ring.h), which then refuse further records. A
 * worker marks the groups (KCATCH_GROUP_FROZEN) soon after, which makes later hits cheap.
 */
#ifndef _KCATCH_OUTPUT_H
#define _KCATCH_OUTPUT_H

#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "ring/ring.h"

/**
 * struct kcatch_output - rings and readers of one session
 * @ring: ring of each CPU; without data where the CPU has not been online. NULL before SETUP
 * @ring_lock: serialises making rings and thawing them; inside it nothing else is taken
 * @irq_work: takes a wish to wake out of the context of a hit
 * @work: what irq_work hands on to process context
 * @work_each: it does so each time
 * @wait: readers in poll()
 * @spent: a group's budget was spent since @work last looked
 * @budgets_spent: changes whenever that happens
 * @budgets_seen: its value when a reader last found nothing to read
 * @frozen: KCATCH_FROZEN_*, also those below
 * @frozen_probe: with KCATCH_FROZEN_PROBE
 * @frozen_at: the clock then
 */
struct kcatch_output {
	struct kcatch_ring __percpu *ring;
	struct mutex ring_lock;
	struct irq_work irq_work;
	struct work_struct work;
	bool work_each;
	wait_queue_head_t wait;
	atomic_t spent;
	atomic_t budgets_spent;
	u32 budgets_seen;
	u32 frozen;
	u32 frozen_probe;
	u64 frozen_at;
};

/* struct kcatch_output.frozen while the rings are frozen, and while they are thawed */
#define KCATCH_FROZEN_CHANGING	(~0U)
#define KCATCH_FROZEN_THAWING	(~0U - 1)

/**
 * kcatch_output_init() - without rings
 * @output: zeroed
 * @work: what is to be done in process context; wakes @output->wait when it is done
 * @each: after each wish to wake, not only after those of a hit that spent a budget or froze
 *
 * Context: may sleep.
 */
void kcatch_output_init(struct kcatch_output *output, work_func_t work, bool each);

/** kcatch_output_make_heads() - make the rings of all CPUs, without data. They are on the account
 * of memory. Context: may sleep. Return: 0 or -ENOMEM */
int kcatch_output_make_heads(struct kcatch_output *output);

/** kcatch_output_free_heads() - free them; there may be none. Context: may sleep; no hook uses
 * them */
void kcatch_output_free_heads(struct kcatch_output *output);

/** kcatch_output_finish() - no hook asks any more: finish what was asked. May sleep */
void kcatch_output_finish(struct kcatch_output *output);

/**
 * kcatch_output_wake() - wake the reader, and have spent budgets handled
 * @output: output of the session
 * @spent: a group made its last record
 *
 * Context: any, NMI too.
 */
void kcatch_output_wake(struct kcatch_output *output, bool spent);

/**
 * kcatch_output_freeze() - refuse further records
 * @output: does not go meanwhile: the caller is in one of its hooks
 * @why: KCATCH_FROZEN_*
 * @probe: with KCATCH_FROZEN_PROBE: number of the probe
 *
 * On this CPU no record is made after it. On others one may be under way.
 *
 * Context: any, NMI too; preemption off.
 * Return: false when it is frozen already, for another reason
 */
bool kcatch_output_freeze(struct kcatch_output *output, u32 why, u32 probe);

/**
 * kcatch_output_freeze_again() - end a freeze that a thread may have died in
 * @output: output of a session
 *
 * Another CPU may be in the middle of one: both do the same.
 *
 * Context: any, preemption off.
 */
void kcatch_output_freeze_again(struct kcatch_output *output);

/** kcatch_output_thaw() - take records again. A freeze that comes meanwhile is not undone. Context:
 * may sleep. Return: it was frozen */
bool kcatch_output_thaw(struct kcatch_output *output);

/** kcatch_output_refuses() - may nothing more be recorded? True while a freeze begins as well.
 * Context: any */
static __always_inline bool kcatch_output_refuses(const struct kcatch_output *output)
{
	u32 frozen = READ_ONCE(output->frozen);

	return frozen != KCATCH_FROZEN_NOT && frozen != KCATCH_FROZEN_THAWING;
}

/** kcatch_output_frozen() - KCATCH_FROZEN_*. Context: any */
u32 kcatch_output_frozen(const struct kcatch_output *output);

#endif
