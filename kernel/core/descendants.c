// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descendants of processes. The probe runs in process context, on the CPU of the forking task.
 */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>
#include "core/descendants.h"
#include "core/guard.h"
#include "core/tracepoint_list.h"
#include "ring/memory.h"

/* Threads have their process's number, whose bit stays. */
static void process_forks(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct kcatch_descendants *descendants = data;

	if (child->tgid == parent->tgid)
		return;
	raw_spin_lock(&descendants->lock);
	if (kcatch_descendants_has(descendants, parent->tgid))
		set_bit(child->tgid, descendants->bits);
	else
		clear_bit(child->tgid, descendants->bits);
	raw_spin_unlock(&descendants->lock);
}

static int keep_tracepoint(struct tracepoint *tracepoint, void *data)
{
	struct kcatch_descendants *descendants = data;

	/* The kernel's own comes first. A module's of that name may pass anything. */
	if (!descendants->fork)
		descendants->fork = tracepoint;
	return 0;
}

/*
 * Children stand behind their parents in the list of processes, and new ones at its end.
 * One that is forked meanwhile by a process whose bit is not set yet is met later here;
 * by one whose bit is set, its own is set by the probe.
 */
static void add_children(struct kcatch_descendants *descendants)
{
	struct task_struct *process;

	rcu_read_lock();
	for_each_process(process) {
		pid_t parent = rcu_dereference(process->real_parent)->tgid;

		raw_spin_lock(&descendants->lock);
		if (kcatch_descendants_has(descendants, parent))
			set_bit(process->tgid, descendants->bits);
		raw_spin_unlock(&descendants->lock);
	}
	rcu_read_unlock();
}

int kcatch_descendants_create(pid_t root, struct kcatch_descendants **result)
{
	struct kcatch_descendants *descendants;
	int error;

	if (!kcatch_memory_charge(sizeof(*descendants)))
		return -ENOMEM;
	descendants = kvzalloc(sizeof(*descendants), GFP_KERNEL);
	if (!descendants) {
		kcatch_memory_uncharge(sizeof(*descendants));
		return -ENOMEM;
	}
	refcount_set(&descendants->users, 1);
	raw_spin_lock_init(&descendants->lock);
	descendants->root = root;
	set_bit(root, descendants->bits);
	/* Refused by the compiler if its type is not exactly the tracepoint's. */
	check_trace_callback_type_sched_process_fork(process_forks);
	error = kcatch_tracepoint_find("sched_process_fork", keep_tracepoint, descendants);
	if (!error)
		error = tracepoint_probe_register(descendants->fork, process_forks, descendants);
	if (error) {
		kvfree(descendants);
		kcatch_memory_uncharge(sizeof(*descendants));
		return error == -ENOENT ? -EOPNOTSUPP : error;
	}
	/* A fork that does not find the probe yet has put its child into the list: a barrier on
	 * each CPU, between the two there and between the two here. */
	kcatch_quiesce();
	add_children(descendants);
	*result = descendants;
	return 0;
}

void kcatch_descendants_put(struct kcatch_descendants *descendants)
{
	if (!descendants || !refcount_dec_and_test(&descendants->users))
		return;
	WARN_ON_ONCE(tracepoint_probe_unregister(descendants->fork, process_forks, descendants));
	tracepoint_synchronize_unregister();
	kvfree(descendants);
	kcatch_memory_uncharge(sizeof(*descendants));
}
