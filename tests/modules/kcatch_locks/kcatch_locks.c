// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcatch_locks: puts threads into deadlocks, on order.
 *
 * A thread that writes "m1 m2 3" to /proc/kcatch_locks takes m1, waits until three threads
 * have taken their first, takes m2, and lets go of both. m1 m2 m3 are mutexes, r1 r2 rwsems
 * to read, w1 w2 the same rwsems to write; "-" is no second lock: it sleeps with the first
 * until it is killed, in state D, or with "s" in state S. k1 keeps m1 beyond the system call;
 * x1 is the memory map of the thread's own process, to write. All waits end with SIGKILL. The
 * parameter `going` counts threads that have gone on to their second.
 *
 * Lockdep, where there is one, is not told what it would report: that is the purpose.
 */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/rwsem.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

static DEFINE_MUTEX(kt_m1);
static DEFINE_MUTEX(kt_m2);
static DEFINE_MUTEX(kt_m3);
static DECLARE_RWSEM(kt_s1);
static DECLARE_RWSEM(kt_s2);

static struct mutex *const mutexes[] = { &kt_m1, &kt_m2, &kt_m3 };
static struct rw_semaphore *const rwsems[] = { &kt_s1, &kt_s2 };

static atomic_t holders = ATOMIC_INIT(0);
static DECLARE_WAIT_QUEUE_HEAD(all_hold);
static int going;
module_param(going, int, 0444);

static bool is_lock(const char *name)
{
	return name[0] == 'x' || (name[0] == 'm' && name[1] >= '1' && name[1] <= '3') ||
	       ((name[0] == 'r' || name[0] == 'w') && name[1] >= '1' && name[1] <= '2');
}

static noinline int kt_take(const char *name)
{
	unsigned int nr = name[1] - '1';

	switch (name[0]) {
	case 'x':
		return mmap_write_lock_killable(current->mm);
	case 'm':
		return mutex_lock_killable(mutexes[nr]);
	case 'r':
		return down_read_killable(rwsems[nr]);
	default:
		return down_write_killable(rwsems[nr]);
	}
}

static void release(const char *name)
{
	unsigned int nr = name[1] - '1';

	if (name[0] == 'x')
		mmap_write_unlock(current->mm);
	else if (name[0] == 'm')
		mutex_unlock(mutexes[nr]);
	else if (name[0] == 'r')
		up_read(rwsems[nr]);
	else
		up_write(rwsems[nr]);
}

static noinline int kt_lock_both(const char *first, const char *second, int parties)
{
	int error = kt_take(first);

	if (error)
		return error;
	atomic_inc(&holders);
	wake_up_all(&all_hold);
	error = wait_event_killable(all_hold, atomic_read(&holders) >= parties);
	going++;
	if (!error && is_lock(second)) {
		error = kt_take(second);
		if (!error)
			release(second);
	}
	while (!is_lock(second) && !fatal_signal_pending(current)) {
		if (second[0] == 's')
			schedule_timeout_interruptible(HZ);
		else
			schedule_timeout_killable(HZ);
	}
	going--;
	atomic_dec(&holders);
	release(first);
	return error;
}

static ssize_t order(struct file *file, const char __user *from, size_t size, loff_t *position)
{
	char words[16] = "", first[4], second[4];
	int error, parties;

	if (size >= sizeof(words) || copy_from_user(words, from, size))
		return -EINVAL;
	if (!strncmp(words, "k1", 2)) {
		lockdep_off();
		error = mutex_lock_killable(&kt_m1);
		lockdep_on();
		return error ?: size;
	}
	if (sscanf(words, "%3s %3s %d", first, second, &parties) != 3 || !is_lock(first))
		return -EINVAL;
	error = kt_lock_both(first, second, parties);
	return error ?: size;
}

static const struct proc_ops operations = { .proc_write = order };

static int __init locks_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(mutexes); i++)
		lockdep_set_novalidate_class(mutexes[i]);
	for (i = 0; i < ARRAY_SIZE(rwsems); i++)
		lockdep_set_novalidate_class(rwsems[i]);
	return proc_create("kcatch_locks", 0600, NULL, &operations) ? 0 : -ENOMEM;
}

static void __exit locks_exit(void)
{
	remove_proc_entry("kcatch_locks", NULL);
}

module_init(locks_init);
module_exit(locks_exit);
MODULE_DESCRIPTION("Test: threads in deadlocks");
MODULE_LICENSE("GPL");
