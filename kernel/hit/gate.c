// SPDX-License-Identifier: GPL-2.0-only
/*
 * The gate of a thread that is not the current one: what a switch or a wakeup is about. Any
 * context, inside a hook; no lock, no memory. User space says where such threads are (struct
 * kcatch_program.tasks), and is not believed: all is read as memory that may be anything.
 */
#include <linux/cgroup.h>
#include <linux/kernfs.h>
#include "hit/gate.h"
#include "program/fetch_memory.h"

/* Deeper a cgroup is not looked for: the kernel allows as many levels as an administrator does. */
#define LEVELS_MAX	256

static bool read_pointer(unsigned long *to, unsigned long from)
{
	return kcatch_read(to, from, sizeof(*to));
}

#ifdef CONFIG_CGROUPS
/* The id of the cgroup of @task, or of its ancestor at @wanted. */
static bool read_cgroup(unsigned long task, s32 wanted, u64 *id)
{
	unsigned long set, cgroup, node;
	u32 i;
	int level;

	if (!read_pointer(&set, task + offsetof(struct task_struct, cgroups)) ||
	    !read_pointer(&cgroup, set + offsetof(struct css_set, dfl_cgrp)))
		return false;
	for (i = 0; i < LEVELS_MAX; i++) {
		if (!kcatch_read(&level, cgroup + offsetof(struct cgroup, level), sizeof(level)) ||
		    level < wanted)
			return false;
		if (level == wanted)
			return read_pointer(&node, cgroup + offsetof(struct cgroup, kn)) &&
			       kcatch_read(id, node + offsetof(struct kernfs_node, id),
					   sizeof(*id));
		BUILD_BUG_ON(offsetof(struct cgroup, self));
		if (!read_pointer(&cgroup, cgroup + offsetof(struct cgroup, self.parent)))
			return false;
	}
	return false;
}
#else
static bool read_cgroup(unsigned long task, s32 wanted, u64 *id)
{
	return false;
}
#endif

bool kcatch_gate_passes_task(const struct kcatch_group *group, unsigned long task)
{
	unsigned long signal, call;
	u64 comm[2], cgroup;
	pid_t tgid;

	if (!kcatch_read(&tgid, task + offsetof(struct task_struct, tgid), sizeof(tgid)) ||
	    !read_pointer(&signal, task + offsetof(struct task_struct, signal)))
		return false;
	if (group->adder_process && signal == (unsigned long)group->adder_process->signal)
		return false;
	if ((group->flags & KCATCH_ADD_IN_CALL) && !atomic_read(&kcatch_calls_waiting) &&
	    (!read_pointer(&call, task + KCATCH_RETHOOK_FIRST) || !call))
		return false;
	if ((group->flags & KCATCH_ADD_PID) &&
	    (group->descendants ? tgid < 0 || tgid >= PID_MAX_LIMIT ||
				  !kcatch_descendants_has(group->descendants, tgid) :
				  signal != (unsigned long)group->process->signal))
		return false;
	if ((group->flags & KCATCH_ADD_CGROUP) &&
	    (!read_cgroup(task, group->cgroup_level, &cgroup) || cgroup != group->cgroup))
		return false;
	if (!(group->flags & KCATCH_ADD_COMM))
		return true;
	return kcatch_read(comm, task + offsetof(struct task_struct, comm), sizeof(comm)) &&
	       !((comm[0] ^ group->comm[0]) & group->comm_mask[0]) &&
	       !((comm[1] ^ group->comm[1]) & group->comm_mask[1]);
}
