// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waking and freezing; output.h says what is promised. Waking and freezing run in any
 * context, NMI too, and take no lock; an interrupt and then a worker do the rest.
 * Memory: the heads of the rings, 0.2 KB a CPU.
 */
#include <linux/percpu.h>
#include <linux/workqueue.h>
#include "compat/compat.h"
#include "core/output.h"
#include "ring/memory.h"

static void wake_in_irq(struct irq_work *irq_work)
{
	struct kcatch_output *output = container_of(irq_work, struct kcatch_output, irq_work);

	wake_up_interruptible_all(&output->wait);
	if (output->work_each || atomic_read(&output->spent) || kcatch_output_frozen(output))
		/* Not on this CPU, which may be about to spin for ever. */
		kcatch_queue_work(&output->work);
}

void kcatch_output_wake(struct kcatch_output *output, bool spent)
{
	if (spent) {
		/* A reader that sees this count must see the last record: release. */
		atomic_inc_return_release(&output->budgets_spent);
		atomic_inc(&output->spent);
	}
	irq_work_queue(&output->irq_work);
}

/* True: it is the caller who freezes. */
static bool begin_freeze(struct kcatch_output *output)
{
	u32 now = READ_ONCE(output->frozen);

	do {
		if (now != KCATCH_FROZEN_NOT && now != KCATCH_FROZEN_THAWING)
			return false;
	} while (!try_cmpxchg(&output->frozen, &now, KCATCH_FROZEN_CHANGING));
	return true;
}

bool kcatch_output_freeze(struct kcatch_output *output, u32 why, u32 probe)
{
	int cpu;

	if (!begin_freeze(output))
		return false;
	kcatch_ring_freeze(this_cpu_ptr(output->ring));
	output->frozen_probe = probe;
	output->frozen_at = kcatch_clock_read();
	for_each_possible_cpu(cpu)
		kcatch_ring_freeze(per_cpu_ptr(output->ring, cpu));
	smp_store_release(&output->frozen, why);
	kcatch_output_wake(output, false);
	return true;
}

void kcatch_output_freeze_again(struct kcatch_output *output)
{
	int cpu;

	if (READ_ONCE(output->frozen) != KCATCH_FROZEN_CHANGING)
		return;
	for_each_possible_cpu(cpu)
		kcatch_ring_freeze(per_cpu_ptr(output->ring, cpu));
	cmpxchg(&output->frozen, KCATCH_FROZEN_CHANGING, KCATCH_FROZEN_OOPS);
	kcatch_output_wake(output, false);
}

/*
 * While it is frozen nobody else changes the state: no freeze is under way, and one that comes when
 * the thaw is announced wins. It marks each ring anew, so that none of them is thawed any more.
 */
bool kcatch_output_thaw(struct kcatch_output *output)
{
	u32 now;
	int cpu;

	mutex_lock(&output->ring_lock);	/* rings of CPUs that come */
	/* Another CPU is freezing the output, which takes some instructions. */
	while ((now = smp_load_acquire(&output->frozen)) == KCATCH_FROZEN_CHANGING)
		cpu_relax();
	if (now != KCATCH_FROZEN_NOT) {
		for_each_possible_cpu(cpu)
			kcatch_ring_thaw_begin(per_cpu_ptr(output->ring, cpu));
		smp_store_release(&output->frozen, KCATCH_FROZEN_THAWING);
		for_each_possible_cpu(cpu)
			kcatch_ring_thaw_end(per_cpu_ptr(output->ring, cpu));
		cmpxchg(&output->frozen, KCATCH_FROZEN_THAWING, KCATCH_FROZEN_NOT);
	}
	mutex_unlock(&output->ring_lock);
	return now != KCATCH_FROZEN_NOT;
}

u32 kcatch_output_frozen(const struct kcatch_output *output)
{
	u32 frozen = smp_load_acquire(&output->frozen);

	return frozen < KCATCH_FROZEN_THAWING ? frozen : KCATCH_FROZEN_NOT;
}

/* The heads of the rings of all possible CPUs. */
static u64 heads_bytes(void)
{
	return (u64)num_possible_cpus() * sizeof(struct kcatch_ring);
}

int kcatch_output_make_heads(struct kcatch_output *output)
{
	if (!kcatch_memory_charge(heads_bytes()))
		return -ENOMEM;
	output->ring = alloc_percpu(struct kcatch_ring);
	if (output->ring)
		return 0;
	kcatch_memory_uncharge(heads_bytes());
	return -ENOMEM;
}

void kcatch_output_free_heads(struct kcatch_output *output)
{
	if (!output->ring)
		return;
	free_percpu(output->ring);
	output->ring = NULL;
	kcatch_memory_uncharge(heads_bytes());
}

void kcatch_output_init(struct kcatch_output *output, work_func_t work, bool each)
{
	mutex_init(&output->ring_lock);
	init_irq_work(&output->irq_work, wake_in_irq);
	INIT_WORK(&output->work, work);
	output->work_each = each;
	init_waitqueue_head(&output->wait);
}

void kcatch_output_finish(struct kcatch_output *output)
{
	irq_work_sync(&output->irq_work);
	cancel_work_sync(&output->work);
}
