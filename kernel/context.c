// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waiting for hooks to leave.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include "context.h"

DEFINE_PER_CPU(u32, kcatch_busy);

static void fence(void *unused)
{
	smp_mb();
}

/*
 * A hook sets its bit and then loads the published pointers, without a barrier
 * between, for that would cost every hit. The interrupt puts the barrier there
 * from outside: after it, a CPU whose word is 0 has no hook that began before.
 * (An NMI that was inside a hook while the interrupt waited still shows its
 * bit, and is waited for.) A refused hook sets no bit, but runs inside one
 * that did.
 */
void kcatch_quiesce(void)
{
	int cpu;

	/* A CPU that comes or goes would run hooks without being fenced. */
	cpus_read_lock();
	smp_mb();
	on_each_cpu(fence, NULL, 1);
	for_each_possible_cpu(cpu) {
		unsigned int tries = 0;

		while (READ_ONCE(per_cpu(kcatch_busy, cpu))) {
			if (++tries % 1024)
				cpu_relax();
			else
				usleep_range(20, 100);
			cond_resched();
		}
	}
	smp_mb();
	cpus_read_unlock();
}
