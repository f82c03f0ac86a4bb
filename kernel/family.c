// SPDX-License-Identifier: GPL-2.0-only
/*
 * Families of processes. The probe runs in process context, on the CPU of who forks.
 */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include "family.h"
#include "hook.h"
#include "memory.h"

/* Threads have their process's number, whose bit stays. */
static void process_forks(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct kcatch_family *family = data;

	if (child->tgid == parent->tgid)
		return;
	raw_spin_lock(&family->lock);
	if (kcatch_family_has(family, parent->tgid))
		set_bit(child->tgid, family->bits);
	else
		clear_bit(child->tgid, family->bits);
	raw_spin_unlock(&family->lock);
}

static int keep_tracepoint(struct tracepoint *tracepoint, void *data)
{
	struct kcatch_family *family = data;

	family->fork = tracepoint;
	return 0;
}

/*
 * Children stand behind their parents in the list of processes, and new ones at its end.
 * One that is forked meanwhile by a process whose bit is not set yet is met later here;
 * by one whose bit is set, its own is set by the probe.
 */
static void add_children(struct kcatch_family *family)
{
	struct task_struct *process;

	rcu_read_lock();
	for_each_process(process) {
		pid_t parent = rcu_dereference(process->real_parent)->tgid;

		raw_spin_lock(&family->lock);
		if (kcatch_family_has(family, parent))
			set_bit(process->tgid, family->bits);
		raw_spin_unlock(&family->lock);
	}
	rcu_read_unlock();
}

int kcatch_family_create(pid_t root, struct kcatch_family **result)
{
	struct kcatch_family *family;
	int error;

	if (!kcatch_memory_charge(sizeof(*family)))
		return -ENOMEM;
	family = kvzalloc(sizeof(*family), GFP_KERNEL);
	if (!family) {
		kcatch_memory_uncharge(sizeof(*family));
		return -ENOMEM;
	}
	refcount_set(&family->users, 1);
	raw_spin_lock_init(&family->lock);
	family->root = root;
	set_bit(root, family->bits);
	error = kcatch_hook_tracepoint_find("sched_process_fork", keep_tracepoint, family);
	if (!error)
		error = tracepoint_probe_register(family->fork, process_forks, family);
	if (error) {
		kvfree(family);
		kcatch_memory_uncharge(sizeof(*family));
		return error == -ENOENT ? -EOPNOTSUPP : error;
	}
	add_children(family);
	*result = family;
	return 0;
}

void kcatch_family_put(struct kcatch_family *family)
{
	if (!family || !refcount_dec_and_test(&family->users))
		return;
	WARN_ON_ONCE(tracepoint_probe_unregister(family->fork, process_forks, family));
	tracepoint_synchronize_unregister();
	kvfree(family);
	kcatch_memory_uncharge(sizeof(*family));
}
