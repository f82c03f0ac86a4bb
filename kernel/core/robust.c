// SPDX-License-Identifier: GPL-2.0-only
/*
 * Locks of tasks that die; robust.h. The owner of a mutex is private to the kernel, so it is tried
 * first whether it can be told. Memory: none.
 */
#include <linux/module.h>
#include <linux/sched.h>
#include "compat/mutex_owner.h"
#include "core/robust.h"

static struct mutex *locks[KCATCH_ROBUST_MAX];
static unsigned int nr_locks;
static bool owners_known;
static bool is_hurt;

void __init kcatch_robust_init(void)
{
	static DEFINE_MUTEX(tried);

	owners_known = !kcatch_mutex_is_mine(&tried);
	mutex_lock(&tried);
	owners_known &= kcatch_mutex_is_mine(&tried);
	mutex_unlock(&tried);
	owners_known &= !kcatch_mutex_is_mine(&tried);
	if (!owners_known)
		pr_notice("kcatch: who holds a lock is not known in this kernel: a task that dies under a lock of kcatch's keeps it\n");
}

void kcatch_robust_add(struct mutex *lock)
{
	if (!WARN_ON_ONCE(nr_locks == ARRAY_SIZE(locks)))
		locks[nr_locks++] = lock;
}

bool kcatch_robust_release(struct mutex *lock)
{
	if (!owners_known || !kcatch_mutex_is_mine(lock))
		return false;
	mutex_unlock(lock);
	return true;
}

bool kcatch_robust_release_all(void)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < nr_locks; i++)
		any |= kcatch_robust_release(locks[i]);
	return any;
}

void kcatch_robust_hurt(void)
{
	if (xchg(&is_hurt, true))
		return;
	__module_get(THIS_MODULE);
	pr_err("kcatch: %s(%d) died while it changed what kcatch does: kcatch refuses all changes, and stays loaded, until the machine is restarted\n",
	       current->comm, current->pid);
}

bool kcatch_robust_is_hurt(void)
{
	return READ_ONCE(is_hurt);
}
