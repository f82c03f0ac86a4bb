// SPDX-License-Identifier: GPL-2.0-only
/*
 * The self-check of the fast stack walker, by the module parameters
 *
 *   selfcheck=N   compare each N-th stack of each CPU with the kernel's own walk; 0: off
 *   selfchecked   stacks that were compared, read only
 *
 * The load compares one stack; this compares those of real work. A difference is told in the
 * kernel log, once, and the kernel's unwinder walks every stack from then on: a slow stack is
 * better than a wrong one. The static key stays on then, because the fast walker's cache would
 * go on to answer.
 *
 * Memory: 10 KB a CPU from the first use on, for the kernel's frames.
 */
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
#include "core/guard.h"
#include "core/permission.h"
#include "stack/frame_text.h"
#include "stack/stack.h"
#include "stack/stack_check.h"

DEFINE_STATIC_KEY_FALSE(kcatch_stack_checked);

static unsigned int every;
static bool ready;		/* the parameter may act; under the lock of parameters */
static struct kcatch_scratch __percpu *theirs;
static DEFINE_PER_CPU(u32, turn);
static DEFINE_PER_CPU(u64, compared);

/* ---- telling, far from the hook ------------------------------------------ */

/* The first difference. Written once, by the one who sets @taken. */
static struct {
	int taken;
	unsigned long function;
	u32 index, ours_nr, kernel_nr, ours_flags, kernel_flags;
	u64 ours, kernel;
} difference;

static void check_tell(struct work_struct *unused)
{
	char function[KCATCH_FRAME_TEXT], ours[KCATCH_FRAME_TEXT];
	char kernel[KCATCH_FRAME_TEXT];

	kcatch_frame_text(function, difference.function, false);
	kcatch_frame_text(ours, difference.ours, true);
	kcatch_frame_text(kernel, difference.kernel, true);
	pr_warn("kcatch: own stack walker differs from the kernel's and is not used any more: %s, frame %u: %s, by the kernel %s (%u frames, flags %u; %u frames, flags %u)\n",
		function, difference.index, ours, kernel, difference.ours_nr, difference.ours_flags,
		difference.kernel_nr, difference.kernel_flags);
}

static DECLARE_WORK(tell_work, check_tell);

static void tell_in_irq(struct irq_work *unused)
{
	schedule_work(&tell_work);
}

static struct irq_work tell_irq_work = IRQ_WORK_INIT(tell_in_irq);

static void note_difference(const struct kcatch_stack *ours, const struct kcatch_stack *kernel,
			    unsigned long function, u32 index)
{
	if (cmpxchg(&difference.taken, 0, 1))
		return;
	difference.function = function;
	difference.index = index;
	difference.ours = index < ours->nr ? ours->frames[index] : 0;
	difference.kernel = index < kernel->nr ? kernel->frames[index] : 0;
	difference.ours_nr = ours->nr;
	difference.kernel_nr = kernel->nr;
	difference.ours_flags = ours->flags;
	difference.kernel_flags = kernel->flags;
	irq_work_queue(&tell_irq_work);
}

/* ---- comparing ------------------------------------------------------------- */

/* Where the kernel gives up the fast walker may get further. At full depth only the frames
 * count: one of the two may have looked whether there are more. */
static bool check_agree(const struct kcatch_stack *ours, const struct kcatch_stack *kernel,
			u32 depth, u32 *index)
{
	u32 nr = min(ours->nr, kernel->nr);

	for (*index = 0; *index < nr; ++*index)
		if (ours->frames[*index] != kernel->frames[*index])
			return false;
	if (kernel->flags & KCATCH_STACK_BROKEN)
		return kernel->nr <= ours->nr;
	if (ours->nr != kernel->nr || ours->nr == depth)
		return ours->nr == kernel->nr;
	return ours->flags == kernel->flags && ours->interrupted == kernel->interrupted;
}

void kcatch_stack_check(struct kcatch_stack *stack, unsigned long ip, unsigned long caller,
			unsigned long sp, unsigned long bp, u32 depth, int level)
{
	struct kcatch_stack kernel;
	u32 turns = READ_ONCE(every), index;

	if (!kcatch_stack_is_fast()) {
		kcatch_stack_walk_entry_kernel(stack, ip, caller, sp, bp, depth);
		return;
	}
	if (!turns || this_cpu_inc_return(turn) % turns || !rcu_is_watching())
		return;
	kernel.frames = this_cpu_ptr(theirs)->frames[level];
	kcatch_stack_walk_entry_kernel(&kernel, ip, caller, sp, bp, depth);
	this_cpu_inc(compared);
	if (check_agree(stack, &kernel, depth, &index))
		return;
	kcatch_stack_distrust();
	note_difference(stack, &kernel, ip, index);
	memcpy(stack->frames, kernel.frames, kernel.nr * sizeof(kernel.frames[0]));
	stack->nr = kernel.nr;
	stack->flags = kernel.flags;
	stack->interrupted = kernel.interrupted;
}

/* ---- switching --------------------------------------------------------------- */

static int switch_to(unsigned int value)
{
	if (value && !theirs) {
		theirs = alloc_percpu(struct kcatch_scratch);
		if (!theirs)
			return -ENOMEM;
	}
	WRITE_ONCE(every, value);
	if (value)
		static_branch_enable(&kcatch_stack_checked);
	else if (!difference.taken)
		static_branch_disable(&kcatch_stack_checked);
	/* A hook that was comparing may have found one meanwhile. */
	kcatch_quiesce();
	if (READ_ONCE(difference.taken))
		static_branch_enable(&kcatch_stack_checked);
	return 0;
}

static int set_every(const char *text, const struct kernel_param *param)
{
	unsigned int value;
	int error = kstrtouint(text, 0, &value);

	if (error)
		return error;
	if (!ready) {
		every = value;		/* the module is being loaded */
		return 0;
	}
	/* The file may be root's, and root without capabilities. */
	error = kcatch_may_trace();
	if (error)
		return error;
	/* Under the lock of parameters, for which a signal ends no wait: not for ever. */
	error = kcatch_cpus_answer(KCATCH_ANSWER_LIMIT, TASK_KILLABLE);
	return error ?: switch_to(value);
}

static const struct kernel_param_ops every_ops = { .set = set_every, .get = param_get_uint };
module_param_cb(selfcheck, &every_ops, &every, 0600);
MODULE_PARM_DESC(selfcheck, "compare each N-th stack with the kernel's unwinder, and use that "
		 "alone after a difference (default 0: off)");

static int get_compared(char *buffer, const struct kernel_param *param)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(compared, cpu));
	return sysfs_emit(buffer, "%llu\n", sum);
}

static const struct kernel_param_ops compared_ops = { .get = get_compared };
module_param_cb(selfchecked, &compared_ops, NULL, 0400);
MODULE_PARM_DESC(selfchecked, "stacks that selfcheck has compared");

void kcatch_stack_check_init(void)
{
	kernel_param_lock(THIS_MODULE);
	ready = true;
	if (every && switch_to(every)) {
		pr_warn("kcatch: no memory for selfcheck, which is off\n");
		every = 0;
	}
	kernel_param_unlock(THIS_MODULE);
}

void kcatch_stack_check_exit(void)
{
	/* The file of the parameter goes later than this. */
	kernel_param_lock(THIS_MODULE);
	ready = false;
	kernel_param_unlock(THIS_MODULE);
	irq_work_sync(&tell_irq_work);
	cancel_work_sync(&tell_work);
	free_percpu(theirs);
}
