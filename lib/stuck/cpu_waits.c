/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * cpu_waits.c - why a thread that could run does not: another one has its CPU, its cgroup has used
 * up its CPU time, or is frozen
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "stuck/wait_detail.h"

#define GROUPS_MAX 64		/* cgroups inside each other */
#define PATH_ROOM 512

/* Of struct task_struct (include/linux/sched/jobctl.h, include/uapi/linux/sched.h). */
#define TRAP_FREEZE (1U << 23)
enum { POLICY_NORMAL, POLICY_FIFO, POLICY_RR, POLICY_BATCH, POLICY_IDLE = 5, POLICY_DEADLINE };

static uint32_t read_int(const struct kcatch_stuck_details *details, uint64_t address)
{
	uint32_t value;

	return kcatch_kernel_read(details->session, address, &value, sizeof(value)) ? 0 : value;
}

/* ---- cgroups ---------------------------------------------------------------------------- */

/* The path of the cgroup at @cgroup, "/" for the first of all. */
static bool find_path(const struct kcatch_stuck_details *details, uint64_t cgroup, char *path,
		      size_t room)
{
	enum { NODE, NAME, PARENT };
	struct kcatch_stuck_place places[] = {
		[NODE] = { "struct cgroup", "kn", 0 },
		[NAME] = { "struct kernfs_node", "name", 0 },
		[PARENT] = { "struct kernfs_node", "parent", 0 },
	};
	uint64_t node, parent;
	char name[PATH_ROOM];
	size_t used = room - 1, length;
	uint32_t unused, i;

	/* Since 6.15 others shall not use it as it is. */
	if (details->types && kcatch_types_offset(details->types, "struct kernfs_node", "parent",
						  &unused))
		places[PARENT].member = "__parent";
	if (!kcatch_stuck_learn(details, places, sizeof(places) / sizeof(places[0])))
		return false;
	path[used] = '\0';
	node = kcatch_stuck_word(details, cgroup + places[NODE].offset);
	for (i = 0; node && i < GROUPS_MAX; i++, node = parent) {
		parent = kcatch_stuck_word(details, node + places[PARENT].offset);
		if (!parent)
			break;
		kcatch_stuck_text(details, kcatch_stuck_word(details, node + places[NAME].offset),
				  name, sizeof(name));
		length = strlen(name);
		if (!length || length + 1 > used)
			return false;
		used -= length;
		memcpy(path + used, name, length);
		path[--used] = '/';
	}
	if (!path[used])
		path[--used] = '/';
	memmove(path, path + used, room - used);
	return node && i < GROUPS_MAX;
}

/*
 * The cgroup whose quota keeps the thread from running: of the queues that the thread's lies in,
 * each in the next, the outermost that stands still.
 * Return: the cgroup's file that says the quota; NULL: none keeps it
 */
static const char *find_throttled(const struct kcatch_stuck_details *details,
			   const struct kcatch_task *task, char *path, size_t room)
{
	enum { ENTITY, QUEUE, PARENT, COUNT, GROUP, STATE, CGROUP, TREE, NUMBER };
	struct kcatch_stuck_place places[] = {
		[ENTITY] = { "struct task_struct", "se", 0 },
		[QUEUE] = { "struct sched_entity", "cfs_rq", 0 },
		[PARENT] = { "struct sched_entity", "parent", 0 },
		[COUNT] = { "struct cfs_rq", "throttle_count", 0 },
		[GROUP] = { "struct cfs_rq", "tg", 0 },
		[STATE] = { "struct task_group", "css", 0 },
		[CGROUP] = { "struct cgroup_subsys_state", "cgroup", 0 },
		[TREE] = { "struct cgroup", "root", 0 },
		[NUMBER] = { "struct cgroup_root", "hierarchy_id", 0 },
	};
	uint64_t entity, queue, throttled = 0, group, cgroup;
	uint32_t own, i;
	uint8_t is;

	if (!kcatch_stuck_learn(details, places, sizeof(places) / sizeof(places[0])))
		return NULL;
	/* Since 6.18 a thread goes on until it leaves the kernel, and is marked then. */
	if (!kcatch_types_offset(details->types, "struct task_struct", "throttled", &own) &&
	    (kcatch_kernel_read(details->session, task->address + own, &is, 1) || !is))
		return NULL;
	entity = task->address + places[ENTITY].offset;
	for (i = 0; entity && i < GROUPS_MAX; i++) {
		queue = kcatch_stuck_word(details, entity + places[QUEUE].offset);
		if (queue && (int32_t)read_int(details, queue + places[COUNT].offset) > 0)
			throttled = queue;
		entity = kcatch_stuck_word(details, entity + places[PARENT].offset);
	}
	group = throttled ? kcatch_stuck_word(details, throttled + places[GROUP].offset) : 0;
	cgroup = group ? kcatch_stuck_word(details, group + places[STATE].offset +
						    places[CGROUP].offset) : 0;
	if (!cgroup || !find_path(details, cgroup, path, room))
		return NULL;
	/* The tree of cgroup v2 is the first one. */
	return read_int(details, kcatch_stuck_word(details, cgroup + places[TREE].offset) +
				 places[NUMBER].offset) ? "cpu.cfs_quota_us" : "cpu.max";
}

/*
 * Have real-time threads used up what they may have of the thread's CPU? Kernels that let others
 * run by a server instead have nothing of the kind.
 */
static bool is_real_time_throttled(const struct kcatch_stuck_details *details,
				   const struct kcatch_task *task)
{
	enum { ENTITY, QUEUE, CPU, REAL_TIME, THROTTLED };
	struct kcatch_stuck_place p[] = {
		[ENTITY] = { "struct task_struct", "se", 0 },
		[QUEUE] = { "struct sched_entity", "cfs_rq", 0 },
		[CPU] = { "struct cfs_rq", "rq", 0 },
		[REAL_TIME] = { "struct rq", "rt", 0 },
		[THROTTLED] = { "struct rt_rq", "rt_throttled", 0 },
	};
	uint64_t queue;

	if (!kcatch_stuck_learn(details, p, sizeof(p) / sizeof(p[0])))
		return false;
	queue = kcatch_stuck_word(details, task->address + p[ENTITY].offset + p[QUEUE].offset);
	queue = queue ? kcatch_stuck_word(details, queue + p[CPU].offset) : 0;
	return queue && read_int(details, queue + p[REAL_TIME].offset + p[THROTTLED].offset);
}

/* Has a SCHED_DEADLINE thread used up its runtime, until its next period? */
static bool is_deadline_throttled(const struct kcatch_stuck_details *details,
				  const struct kcatch_task *task)
{
	struct kcatch_stuck_place entity[] = { { "struct task_struct", "dl", 0 } };
	struct kcatch_member throttled;
	struct kcatch_type type;
	uint8_t byte;

	if (!kcatch_stuck_learn(details, entity, 1) ||
	    kcatch_types_struct(details->types, "struct sched_dl_entity", &type) ||
	    kcatch_type_find(type, "dl_throttled", &throttled))
		return false;
	return !kcatch_kernel_read(details->session, task->address + entity[0].offset +
				   throttled.bit_offset / 8, &byte, 1) &&
	       byte >> throttled.bit_offset % 8 & 1;
}

/* The outermost cgroup around the thread whose cgroup.freeze is 1. */
static bool find_frozen(const struct kcatch_stuck_details *details, const struct kcatch_task *task,
			char *path, size_t room)
{
	enum { SET, CGROUP, FREEZER, FREEZE, SELF, PARENT, OF };
	struct kcatch_stuck_place places[] = {
		[SET] = { "struct task_struct", "cgroups", 0 },
		[CGROUP] = { "struct css_set", "dfl_cgrp", 0 },
		[FREEZER] = { "struct cgroup", "freezer", 0 },
		[FREEZE] = { "struct cgroup_freezer_state", "freeze", 0 },
		[SELF] = { "struct cgroup", "self", 0 },
		[PARENT] = { "struct cgroup_subsys_state", "parent", 0 },
		[OF] = { "struct cgroup_subsys_state", "cgroup", 0 },
	};
	uint64_t cgroup, frozen = 0, parent;
	uint8_t freeze;
	uint32_t i;

	if (!kcatch_stuck_learn(details, places, sizeof(places) / sizeof(places[0])))
		return false;
	cgroup = kcatch_stuck_word(details, kcatch_stuck_word(details, task->address +
							      places[SET].offset) +
					    places[CGROUP].offset);
	for (i = 0; cgroup && i < GROUPS_MAX; i++) {
		if (!kcatch_kernel_read(details->session, cgroup + places[FREEZER].offset +
					places[FREEZE].offset, &freeze, 1) && freeze)
			frozen = cgroup;
		parent = kcatch_stuck_word(details, cgroup + places[SELF].offset +
						    places[PARENT].offset);
		cgroup = parent ? kcatch_stuck_word(details, parent + places[OF].offset) : 0;
	}
	return frozen && find_path(details, frozen, path, room);
}

/* Who traces a thread is its parent meanwhile. */
static void name_tracer(struct kcatch_stuck_details *details, const struct kcatch_task *task,
			struct kcatch_stuck_thread *thread)
{
	struct kcatch_stuck_place parent[] = { { "struct task_struct", "parent", 0 } };
	const struct kcatch_task *tracer = NULL;
	char name[KCATCH_STUCK_NAME_ROOM];

	if (kcatch_stuck_learn(details, parent, 1))
		tracer = kcatch_task_list_at(details->list,
					     kcatch_stuck_word(details, task->address +
									parent[0].offset));
	thread->reason = "its tracer (ptrace)";
	if (!tracer)
		return;
	kcatch_stuck_task_name(tracer, name, sizeof(name));
	thread->reason = kcatch_stuck_say(details, "its tracer %s (ptrace)", name) ?:
			 thread->reason;
	thread->waits_for = (uint32_t)(tracer - details->list->tasks);
	thread->named = true;
}

void kcatch_stuck_freezer_find(struct kcatch_stuck_details *details, uint32_t at,
			       struct kcatch_stuck_thread *thread)
{
	struct kcatch_stuck_place jobs[] = { { "struct task_struct", "jobctl", 0 } };
	const struct kcatch_task *task = &details->list->tasks[at];
	char path[PATH_ROOM];

	if (task->state == 'T') {
		thread->reason = "SIGCONT: it is stopped";
		return;
	}
	if (task->state == 't') {
		name_tracer(details, task, thread);
		return;
	}
	if (!kcatch_stuck_learn(details, jobs, 1) ||
	    !(read_int(details, task->address + jobs[0].offset) & TRAP_FREEZE))
		return;
	if (find_frozen(details, task, path, sizeof(path)))
		thread->frozen_by = kcatch_stuck_say(details, "cgroup.freeze of %s", path);
	thread->frozen_by = thread->frozen_by ?: "its cgroup";
	thread->reason = kcatch_stuck_say(details, "being thawed: frozen by %s",
					  thread->frozen_by) ?: thread->reason;
}

/* ---- CPUs ------------------------------------------------------------------------------- */

static const struct kcatch_task *running_on(const struct kcatch_task_list *list, uint32_t cpu)
{
	size_t i;

	for (i = 0; i < list->nr; i++) {
		if (list->tasks[i].flags & KCATCH_TASK_ON_CPU && list->tasks[i].cpu == cpu)
			return &list->tasks[i];
	}
	return NULL;
}

/* "X(155), SCHED_FIFO 10" */
static void describe_running(const struct kcatch_stuck_details *details,
			     const struct kcatch_task *task, uint32_t policy_at,
			     uint32_t priority_at, char *text, size_t room)
{
	uint32_t policy = read_int(details, task->address + policy_at);
	char name[KCATCH_STUCK_NAME_ROOM];

	kcatch_stuck_task_name(task, name, sizeof(name));
	if (task->pid == (uint32_t)getpid())
		snprintf(text, room, "this command");
	else if (policy == POLICY_FIFO || policy == POLICY_RR)
		snprintf(text, room, "%s, SCHED_%s %u", name, policy == POLICY_FIFO ? "FIFO" : "RR",
			 read_int(details, task->address + priority_at));
	else
		snprintf(text, room, "%s%s", name, policy == POLICY_DEADLINE ? ", SCHED_DEADLINE" :
						   "");
}

void kcatch_stuck_runnable_find(struct kcatch_stuck_details *details, uint32_t at,
				struct kcatch_stuck_thread *thread)
{
	enum { INFO, QUEUED, POLICY, PRIORITY };
	struct kcatch_stuck_place places[] = {
		[INFO] = { "struct task_struct", "sched_info", 0 },
		[QUEUED] = { "struct sched_info", "last_queued", 0 },
		[POLICY] = { "struct task_struct", "policy", 0 },
		[PRIORITY] = { "struct task_struct", "rt_priority", 0 },
	};
	const struct kcatch_task *task = &details->list->tasks[at], *runs;
	char path[PATH_ROOM], other[KCATCH_STUCK_NAME_ROOM + 40];
	const char *quota = NULL;
	uint64_t since;
	uint32_t policy;
	double seconds;

	if (!kcatch_stuck_learn(details, places, sizeof(places) / sizeof(places[0])))
		return;
	since = kcatch_stuck_word(details, task->address + places[INFO].offset +
					   places[QUEUED].offset);
	/* It has got a CPU meanwhile. */
	if (!since || since > details->list->now)
		return;
	thread->runnable_ns = details->list->now - since;
	thread->runnable_ns += !thread->runnable_ns;
	seconds = (double)thread->runnable_ns / 1e9;
	policy = read_int(details, task->address + places[POLICY].offset);
	if (policy == POLICY_NORMAL || policy == POLICY_BATCH || policy == POLICY_IDLE)
		quota = find_throttled(details, task, path, sizeof(path));
	if (quota) {
		thread->reason = kcatch_stuck_say(details, "runnable, no CPU for %.3f s: throttled by %s of %s",
						  seconds, quota, path);
		return;
	}
	if ((policy == POLICY_FIFO || policy == POLICY_RR) &&
	    is_real_time_throttled(details, task)) {
		thread->reason = kcatch_stuck_say(details,
						  "runnable, no CPU for %.3f s: throttled by kernel.sched_rt_runtime_us",
						  seconds);
		return;
	}
	if (policy == POLICY_DEADLINE && is_deadline_throttled(details, task)) {
		thread->reason = kcatch_stuck_say(details,
						  "runnable, no CPU for %.3f s: its SCHED_DEADLINE runtime is used up",
						  seconds);
		return;
	}
	runs = running_on(details->list, task->cpu);
	if (runs) {
		describe_running(details, runs, places[POLICY].offset, places[PRIORITY].offset,
				 other, sizeof(other));
		thread->reason = kcatch_stuck_say(details, "runnable, no CPU for %.3f s: CPU %u runs %s",
						  seconds, task->cpu, other);
	} else {
		thread->reason = kcatch_stuck_say(details, "runnable, no CPU for %.3f s: it waits for CPU %u",
						  seconds, task->cpu);
	}
}
