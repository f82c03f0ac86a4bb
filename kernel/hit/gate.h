/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The gate: selects the hits that a group records, by process, children, cgroup, command,
 * and the call above. The caller counts a refused hit as filtered. In a hook: any context, no
 * lock, no memory; it calls no function that may be hooked.
 */
#ifndef _KCATCH_GATE_H
#define _KCATCH_GATE_H

#include <linux/sched.h>
#include "core/cgroup.h"
#include "core/descendants.h"
#include "core/group.h"
#include "hit/call.h"
#include "hit/waiting.h"

/* Answer of the gate of the fast path; ANY: the slow path decides. */
enum kcatch_gate { KCATCH_GATE_PASSED, KCATCH_GATE_REFUSED, KCATCH_GATE_ANY };

/* One half of the current command's name. Calls no function, as that function might be
 * hooked. */
static __always_inline u64 kcatch_comm_word(int half)
{
	u64 word;

	BUILD_BUG_ON(sizeof(current->comm) != 2 * sizeof(word));
	memcpy(&word, current->comm + half * sizeof(word), sizeof(word));
	return word;
}

/* May a process be the one that armed the group, whose own calls do not count? Its number may be
 * another one's by now, and what interrupts do is not that of the process they happen to interrupt:
 * kcatch_gate_refuses() distinguishes these. */
static __always_inline bool kcatch_gate_is_adder(const struct kcatch_group *group, pid_t tgid)
{
	return tgid == group->adder;	/* -1: nobody */
}

/* Is this not the process, cgroup or command that the group is for? @tgid: of the current task */
static __always_inline bool kcatch_gate_refuses_task(const struct kcatch_group *group, pid_t tgid)
{
	const u32 flags = group->flags;

	/* Its number may be another process's by now, of which the descendants know. */
	if ((flags & KCATCH_ADD_PID) &&
	    (group->descendants ? !kcatch_descendants_has(group->descendants, tgid) :
				  current->signal != group->process->signal))
		return true;
	if ((flags & KCATCH_ADD_CGROUP) &&
	    kcatch_cgroup_current(group->cgroup_level) != group->cgroup)
		return true;
	return (flags & KCATCH_ADD_COMM) &&
	       (((kcatch_comm_word(0) ^ group->comm[0]) & group->comm_mask[0]) ||
		((kcatch_comm_word(1) ^ group->comm[1]) & group->comm_mask[1]));
}

/* Is the current thread inside a call, or does one that is wait for a CPU? As KCATCH_ADD_IN_CALL
 * has it. */
static __always_inline bool kcatch_gate_has_call(void)
{
	return kcatch_rethook_first(current) || atomic_read(&kcatch_calls_waiting);
}

/* @context: of what was hit, below the exception that reported it */
static __always_inline bool kcatch_gate_refuses(const struct kcatch_group *group, u32 context)
{
	if (unlikely(group->flags & KCATCH_ADD_UNDER) && !kcatch_call_is_under(group, context))
		return true;
	if (unlikely(group->flags & KCATCH_ADD_IN_CALL) && !kcatch_gate_has_call())
		return true;
	if (kcatch_gate_is_adder(group, current->tgid) && context == KCATCH_CONTEXT_TASK &&
	    (!group->adder_process || current->signal == group->adder_process->signal))
		return true;
	return kcatch_gate_refuses_task(group, current->tgid);
}

/**
 * kcatch_gate_passes_task() - does the gate let a hit of another thread pass?
 * @group: not one with KCATCH_ADD_UNDER
 * @task: struct task_struct of the thread, as somebody claims: read without trust
 *
 * Context: any, inside a hook. Return: false also if it cannot be read
 */
bool kcatch_gate_passes_task(const struct kcatch_group *group, unsigned long task);

#endif
