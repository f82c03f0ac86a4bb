/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The slot of a call under way, as its entry fills it in: what call.c, call_slow.c and
 * call_return.c share.
 */
#ifndef _KCATCH_CALL_SLOT_H
#define _KCATCH_CALL_SLOT_H

#include <linux/cred.h>
#include <linux/percpu.h>
#include "compat/regs.h"
#include "hit/call_parts.h"
#include "hit/off_cpu.h"
#include "program/fetch_memory.h"
#include "program/program.h"
#include "returns/returns.h"

/* Runs the list of fields. Return: faulty items, one bit each */
u64 kcatch_call_fetch_fields(const struct kcatch_items *fields, const u64 *args,
			     unsigned long stack, u8 *to);

static __always_inline u64 kcatch_call_new(void)
{
	return this_cpu_inc_return(*kcatch_call_numbers);
}

static __always_inline struct kcatch_inflight *kcatch_inflight_of(const struct llist_node *node)
{
	return (void *)kcatch_rethook_slot(node)->data;
}

/* Fills in the input of a condition on the entry. */
static __always_inline void kcatch_input_fill(struct kcatch_condition_input *input,
					      const struct kcatch_program_code *program,
					      const u64 *args, unsigned long stack)
{
	u32 i;

#pragma GCC unroll 7
	for (i = 0; i < KCATCH_ARGS; i++)
		input->args[i] = args[i];
	input->faults = 0;
	input->ret = 0;
	input->latency = 0;
	if (unlikely(program->needs & KCATCH_NEEDS_OFF_CPU)) {
		input->oncpu = 0;
		input->runnable = 0;
		input->blocked = 0;
		input->switches = 0;
	}
	if (program->needs & KCATCH_NEEDS_TASK) {
		const struct task_struct *task = current;

		input->pid = task->tgid;
		input->tid = task->pid;
		input->cpu = smp_processor_id();
		input->uid = __kuid_val(rcu_dereference_raw(task->cred)->uid);
		memcpy(input->comm, task->comm, sizeof(input->comm));
	}
	if (program->fields.nr &&
	    !kcatch_fetch_one(&program->fields, args, (u64 *)input->fields))
		input->faults = kcatch_call_fetch_fields(&program->fields, args, stack,
							 input->fields);
}

/* Fills in what most conditions see at the return; where the time went is filled in before one that
 * asks. */
static __always_inline void kcatch_input_return(struct kcatch_condition_input *input,
						const struct kcatch_inflight *call,
						const struct pt_regs *regs)
{
	input->ret = kcatch_regs_result(regs);
	input->latency = kcatch_call_ns(kcatch_clock_read() - call->time);
}

/*
 * Hooks the return and takes a slot, which the caller fills in. Until then a hook in an interrupt
 * must not take the slot for a call: its run is 0, because a slot is given back with run 0 and runs
 * count from 1. One that the kernel took back from a thread that ended in a call has that call's
 * run until it is filled in or given up. NULL: no slot is free, or the context is NMI.
 *
 * No return is hooked in an NMI, which includes int3 and #DB, as the kernel arms no kretprobe
 * there.
 * In a kprobe's work elsewhere (an optimized one, one by ftrace, a step over an instruction) it may
 * be hooked: returns.c says why. @context is the context of what was hit, below the exception of a
 * kprobe that reported it.
 */
static __always_inline struct kcatch_inflight *
kcatch_inflight_hook(struct kcatch_returns *returns, struct pt_regs *regs, u32 context)
{
	const struct llist_node *node;
	struct kcatch_inflight *call;

	if (unlikely(context == KCATCH_CONTEXT_NMI))
		return NULL;
	node = kcatch_returns_hook(returns, regs);
	if (unlikely(!node))
		return NULL;
	call = kcatch_inflight_of(node);
	if (!call)
		__builtin_unreachable();	/* so that no caller tests this one */
	/* The 0 of its last call comes before all that is written for this one. */
	smp_wmb();
	return call;
}

/* Fills in a slot. Its run is set last: only then do hooks in interrupts take it for a call. For
 * other CPUs it is last as well: arm/under_way.c copies their slots. */
static __always_inline void kcatch_inflight_fill(struct kcatch_inflight *call,
						 const struct kcatch_probe *probe, u64 number,
						 u64 time, u64 faults, u64 cut)
{
	call->probe = probe;
	call->call = number;
	call->time = time;
	call->faults = faults;
	call->cut = cut;
	call->switches = READ_ONCE(kcatch_off_cpu_begin);
	smp_store_release(&call->run, probe->group->run);
	this_cpu_inc(probe->counters->in_flight);
}

#endif
