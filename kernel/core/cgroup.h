/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cgroup of the current task in the default hierarchy (cgroup2), by its id: the inode number
 * of its directory. In a hook: any context, NMI too; no lock, no memory, calls nothing.
 *
 * The task holds its css_set, which holds the cgroup. When the task moves meanwhile, both stay for
 * an RCU grace period, which a hook holds up: preemption is off. Where RCU is not watching, only
 * the idle tasks run, which never move. An interrupt is counted to the task it interrupted.
 */
#ifndef _KCATCH_CGROUP_H
#define _KCATCH_CGROUP_H

#include <linux/cgroup.h>
#include <linux/sched.h>

#define KCATCH_CGROUP_OWN	(-1)

/**
 * kcatch_cgroup_current() - id of the current task's cgroup, or of an ancestor of it
 * @level: KCATCH_CGROUP_OWN: the cgroup itself; else the ancestor's level, 0 for the root
 *
 * Context: any, inside a hook. Return: the id; 0: the cgroup has no such ancestor
 */
static __always_inline u64 kcatch_cgroup_current(s32 level)
{
#ifdef CONFIG_CGROUPS
	struct cgroup *cgroup = READ_ONCE(rcu_dereference_raw(current->cgroups)->dfl_cgrp);

	if (level != KCATCH_CGROUP_OWN)
		cgroup = cgroup_ancestor(cgroup, level);
	return cgroup ? cgroup_id(cgroup) : 0;
#else
	return 0;
#endif
}

#endif
