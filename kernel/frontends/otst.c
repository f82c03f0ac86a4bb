// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/driver/otst: one-time stack traces through a file.
 *
 *   echo netif_rx > /proc/driver/otst     the next call is traced, once
 *   echo -netif_rx > /proc/driver/otst    withdraw it
 *   cat /proc/driver/otst                 what is armed
 *
 * A thin client: each symbol is a group with a budget of one in a session of
 * the frontend's own.
 */
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "arm/session.h"
#include "core/guard.h"
#include "core/permission.h"
#include "core/robust.h"
#include "find/resolve.h"
#include "frontends/frontend.h"
#include "frontends/kernel_log.h"

struct armed {
	struct list_head list;
	u32 group, first, nr;
	unsigned long address;
	char name[];
};

static struct kcatch_session *session;
static struct proc_dir_entry *file;
static LIST_HEAD(all);
static LIST_HEAD(disarmed);	/* their groups are still to be removed */
static DEFINE_MUTEX(lock);	/* the lists; taken before the session's lock */

static struct armed *otst_find(const char *name)
{
	struct armed *armed;

	list_for_each_entry(armed, &all, list)
		if (!strcmp(armed->name, name))
			return armed;
	return NULL;
}

/* No hit of it is logged any more. remove_disarmed() has to follow. */
static void otst_disarm(struct armed *armed)
{
	lockdep_assert_held(&lock);
	list_move_tail(&armed->list, &disarmed);
	pr_info("otst: symbol %s unregistered!\n", armed->name);
}

/* It waits for all CPUs: who takes the lock has asked before whether they answer. */
static void remove_disarmed(void)
{
	struct armed *armed, *next;

	lockdep_assert_held(&lock);
	list_for_each_entry_safe(armed, next, &disarmed, list) {
		kcatch_session_remove(session, armed->group);
		list_del(&armed->list);
		kfree(armed);
	}
}

static void otst_take(const struct kcatch_record *record, void *unused)
{
	const struct kcatch_hit *hit = (const void *)record;
	u32 probe = KCATCH_RECORD_PROBE(record->id);
	struct armed *armed, *next;

	list_for_each_entry_safe(armed, next, &all, list) {
		if (probe - armed->first >= armed->nr)
			continue;
		pr_info("otst: triggered stacktrace for symbol %s at %p:\n", armed->name,
			(void *)kcatch_session_address(session, probe));
		kcatch_log_circumstances("otst", hit, kcatch_record_cpu(record));
		kcatch_log_stack(hit);
		otst_disarm(armed);
		return;
	}
}

static void otst_triggered(struct kcatch_session *unused)
{
	bool any;

	mutex_lock(&lock);
	kcatch_session_drain(session, otst_take, NULL);
	any = !list_empty(&disarmed);
	mutex_unlock(&lock);
	if (!any)
		return;
	kcatch_cpus_schedule(MAX_SCHEDULE_TIMEOUT, TASK_IDLE);
	mutex_lock(&lock);
	remove_disarmed();
	mutex_unlock(&lock);
}

/* Logs the functions that were hit, and forgets them and those whose module has gone. */
static void otst_settle(void)
{
	struct armed *armed, *next;

	lockdep_assert_held(&lock);
	kcatch_session_drain(session, otst_take, NULL);
	list_for_each_entry_safe(armed, next, &all, list)
		if (kcatch_session_is_gone(session, armed->first, armed->nr))
			otst_disarm(armed);
}

static int otst_arm(const char *name)
{
	struct kcatch_want want = { .kind = KCATCH_TARGET_NAME };
	struct kcatch_add add = { .budget = 1, .nr_targets = 1 };
	struct armed *armed;
	int error;

	lockdep_assert_held(&lock);
	otst_settle();
	remove_disarmed();
	if (otst_find(name))
		return 0;	/* armed is armed */
	armed = kzalloc(struct_size(armed, name, strlen(name) + 1), GFP_KERNEL);
	want.name = kstrdup(name, GFP_KERNEL);
	error = armed && want.name ? kcatch_session_add(session, &add, &want) : -ENOMEM;
	kfree(want.name);
	if (!error) {
		error = kcatch_session_start(session);
		if (error)
			kcatch_session_remove(session, add.group);
	}
	if (error) {
		kfree(armed);
		return error;
	}
	strcpy(armed->name, name);
	armed->group = add.group;
	armed->first = add.first_probe;
	armed->nr = add.nr_probes;
	armed->address = kcatch_session_address(session, add.first_probe);
	list_add_tail(&armed->list, &all);
	pr_info("otst: symbol %s registered!\n", name);
	return 0;
}

static ssize_t otst_write(struct file *unused, const char __user *user, size_t size, loff_t *at)
{
	char *text, *name;
	int error = kcatch_may_trace();

	if (error)
		return error;
	if (size > KSYM_NAME_LEN + MODULE_NAME_LEN)
		return -ENAMETOOLONG;
	text = memdup_user_nul(user, size);
	if (IS_ERR(text))
		return PTR_ERR(text);
	if (strlen(text) != size)
		error = -EINVAL;	/* an end mark in the middle */
	else
		error = *strim(text) == '-' ?
			kcatch_cpus_schedule(KCATCH_ANSWER_LIMIT, TASK_KILLABLE) :
			kcatch_cpus_answer(KCATCH_ANSWER_LIMIT, TASK_KILLABLE);
	name = strim(text);
	mutex_lock(&lock);
	if (error) {
		;
	} else if (*name == '-') {
		struct armed *armed;

		otst_settle();
		armed = otst_find(name + 1);
		if (armed)
			otst_disarm(armed);
		else
			error = -ENOENT;
		remove_disarmed();
	} else {
		error = *name ? otst_arm(name) : -EINVAL;
	}
	mutex_unlock(&lock);
	kfree(text);
	return error ?: size;
}

static int otst_show(struct seq_file *seq, void *unused)
{
	struct armed *armed;

	mutex_lock(&lock);
	otst_settle();
	list_for_each_entry(armed, &all, list)
		seq_printf(seq, "%s %pK\n", armed->name, (void *)armed->address);
	mutex_unlock(&lock);
	return 0;
}

static int otst_open(struct inode *inode, struct file *opened)
{
	int error = kcatch_may_trace();

	return error ?: single_open(opened, otst_show, NULL);
}

static const struct proc_ops operations = {
	.proc_open = otst_open,
	.proc_read = seq_read,
	.proc_write = otst_write,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

int kcatch_otst_init(void)
{
	int error = kcatch_frontend_session(otst_triggered, &session);

	if (error)
		return error;
	kcatch_robust_add(&lock);
	file = proc_create("driver/otst", 0600, NULL, &operations);
	if (!file) {
		kcatch_session_destroy(session);
		return -ENOMEM;
	}
	pr_info("otst: one-time stacktrace driver loaded!\n");
	return 0;
}

void kcatch_otst_exit(void)
{
	struct armed *armed, *next;

	proc_remove(file);
	mutex_lock(&lock);
	otst_settle();
	list_for_each_entry_safe(armed, next, &all, list)
		otst_disarm(armed);
	remove_disarmed();
	mutex_unlock(&lock);
	kcatch_session_destroy(session);
}
