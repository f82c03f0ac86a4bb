// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs ktrace/: enabled, events/NAME, info, overflow, reset, buffers/cpuN.
 *
 * Locks: `update_lock`, `lock`, then those of a session; that of a buffer is taken last.
 * Files are never removed inside `lock`, as that waits for those who are opening them.
 */
#include <linux/debugfs.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/xarray.h>
#include <uapi/kcatch.h>
#include "arm/counters.h"
#include "arm/session.h"
#include "core/guard.h"
#include "core/permission.h"
#include "core/robust.h"
#include "core/site.h"
#include "find/resolve.h"
#include "frontends/ktrace.h"
#include "ktrace/ktrace_builtin.h"
#include "ktrace/ktrace_event.h"

#define SIZE_DEFAULT	(1U << 20)
#define PACKET_MAX	65536U

/* An event, as far as the files are concerned. */
struct known {
	struct dentry *file;
	u32 id;
	u32 group;
	bool on;
	bool switched;		/* by the write to enabled that is under way */
};

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(update_lock);	/* files come and go; before the other */
static DEFINE_XARRAY(all);		/* struct known by the event's number */
static struct kcatch_session *session;
static u32 users;			/* open buffers */
static u32 nr_on;
static bool new_ones_on;		/* events that come are switched on */
static pid_t reader = -1;		/* process that opened a buffer last; -1: none is open */
static u32 buffer_size = SIZE_DEFAULT;
/* Counters of events that were switched off since the session was made, and those at the last
 * reset. */
static struct kcatch_counters before, at_reset;
static struct dentry *root, *events_directory;

/* ---- the session -------------------------------------------------------- */

static int make_session(void)
{
	struct kcatch_setup setup = {
		.ring_size = buffer_size, .mode = KCATCH_RING_OVERWRITE,
		.packet_size = clamp_t(u32, buffer_size / 16, KCATCH_PACKET_SIZE_MIN, PACKET_MAX),
	};
	int error;

	lockdep_assert_held(&lock);
	if (session)
		return 0;
	error = kcatch_session_create(NULL, &session);
	if (!error)
		session->adder_changes = true;
	if (error)
		return error;
	error = kcatch_session_setup(session, &setup);
	if (error) {
		kcatch_session_destroy(session);
		session = NULL;
		return error;
	}
	memset(&before, 0, sizeof(before));
	memset(&at_reset, 0, sizeof(at_reset));
	kcatch_ktrace_buffers_forget();
	return 0;
}

/* Is the reader left out of the event? It would read what reading makes, and find no end. */
static bool is_of_readers(const struct known *known)
{
	const struct kcatch_ktrace_builtin *builtin = kcatch_ktrace_event_of(known->id)->builtin;

	return builtin && builtin->of_readers;
}

static void leave_out_reader(const struct known *known)
{
	struct kcatch_group *group;

	lockdep_assert_held(&session->lock);
	group = kcatch_session_group(session, known->group);
	if (group && is_of_readers(known))
		WRITE_ONCE(group->adder, reader);
}

static void set_reader(pid_t process)
{
	const struct known *known;
	unsigned long id;

	lockdep_assert_held(&lock);
	reader = process;
	mutex_lock(&session->lock);
	xa_for_each(&all, id, known)
		if (known->on)
			leave_out_reader(known);
	mutex_unlock(&session->lock);
}

int kcatch_ktracefs_hold(struct kcatch_session **result)
{
	int error;

	mutex_lock(&lock);
	error = make_session();
	if (!error) {
		users++;
		set_reader(current->tgid);
		*result = session;
	}
	mutex_unlock(&lock);
	return error;
}

void kcatch_ktracefs_drop(void)
{
	mutex_lock(&lock);
	if (!--users)
		set_reader(-1);
	mutex_unlock(&lock);
}

/* ---- switching ----------------------------------------------------------- */

static void add_counters(struct kcatch_counters *sum, u32 number)
{
	struct kcatch_counters counters;
	struct kcatch_probe *probe;

	mutex_lock(&session->lock);
	probe = kcatch_session_probe(session, number);
	if (probe) {
		mutex_lock(&kcatch_sites_lock);
		kcatch_probe_count(probe, KCATCH_CPU_ALL, &counters);
		mutex_unlock(&kcatch_sites_lock);
		kcatch_counters_add(sum, &counters);
	}
	mutex_unlock(&session->lock);
}

/* A probe whose number is the event's, whichever numbers were used before. */
static int add_probe(struct known *known)
{
	const struct kcatch_add add = {
		.flags = KCATCH_ADD_NO_STACK | (is_of_readers(known) ? KCATCH_ADD_OTHERS : 0),
	};
	const struct kcatch_resolved resolved = {
		.ip = (unsigned long)kcatch_ktrace_event_of(known->id), .ops = &kcatch_hook_event,
	};
	struct kcatch_group *group;
	int error;
	u32 nr;

	mutex_lock(&session->lock);
	nr = session->nr_probes;
	session->nr_probes = known->id;
	error = kcatch_group_create(session, &add, &resolved, 1, NULL, NULL, &group);
	session->nr_probes = max(nr, session->nr_probes);
	if (!error) {
		known->group = group->number;
		leave_out_reader(known);
	}
	mutex_unlock(&session->lock);
	return error;
}

static int switch_on(struct known *known)
{
	int error;

	lockdep_assert_held(&lock);
	if (known->on)
		return 0;
	error = make_session();
	if (!error)
		error = add_probe(known);
	if (error)
		return error;
	error = kcatch_session_start(session);
	if (error) {
		/* If the group stayed, the next try would add a second one: events would be
		 * recorded twice. */
		kcatch_session_remove(session, known->group);
		return error;
	}
	known->on = true;
	nr_on++;
	return 0;
}

static void switch_off(struct known *known)
{
	struct kcatch_group *group;

	lockdep_assert_held(&lock);
	if (!known->on)
		return;
	mutex_lock(&session->lock);
	group = kcatch_session_group(session, known->group);
	mutex_lock(&kcatch_sites_lock);
	if (group)
		kcatch_group_withdraw_locked(group);
	mutex_unlock(&kcatch_sites_lock);
	mutex_unlock(&session->lock);
	add_counters(&before, known->id);
	kcatch_session_remove(session, known->group);
	known->on = false;
	nr_on--;
}

/* ---- the files ------------------------------------------------------------ */

static bool ktracefs_is_here(u32 id)
{
	bool here;

	mutex_lock(&kcatch_sites_lock);
	here = kcatch_ktrace_event_of(id)->nr_sites;
	mutex_unlock(&kcatch_sites_lock);
	return here;
}

/* Switching waits for all CPUs, under the lock: they are asked before it is taken. */
static int take_switch(const char __user *user, size_t size, bool *on)
{
	int error = kcatch_may_trace();
	u8 value;

	error = error ?: kstrtou8_from_user(user, size, 10, &value);
	if (error || value > 1)
		return error ?: -EINVAL;
	*on = value;
	return value ? kcatch_cpus_answer(KCATCH_ANSWER_LIMIT, TASK_KILLABLE) :
		       kcatch_tracepoints_leave(KCATCH_ANSWER_LIMIT, TASK_KILLABLE);
}

static ssize_t event_read(struct file *file, char __user *user, size_t size, loff_t *at)
{
	const struct known *known = file_inode(file)->i_private;

	return simple_read_from_buffer(user, size, at, READ_ONCE(known->on) ? "1\n" : "0\n", 2);
}

static ssize_t event_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	struct known *known = file_inode(file)->i_private;
	bool on;
	int error = take_switch(user, size, &on);

	if (error)
		return error;
	mutex_lock(&lock);
	if (!on)
		switch_off(known);
	else	/* it may be gone, and its file still be open */
		error = known->file ? switch_on(known) : -EIO;
	mutex_unlock(&lock);
	return error ?: size;
}

static int plain_open(struct inode *inode, struct file *file)
{
	int error = kcatch_may_trace();

	return error ?: nonseekable_open(inode, file);
}

static const struct file_operations event_operations = {
	.owner = THIS_MODULE, .open = plain_open, .read = event_read, .write = event_write,
};

/* Shows what ftrace's own file shows: 1 for all, 0 for none, X for some. */
static ssize_t enabled_read(struct file *file, char __user *user, size_t size, loff_t *at)
{
	const struct known *known;
	unsigned long id;
	u32 on = 0, off = 0;

	mutex_lock(&lock);
	xa_for_each(&all, id, known) {
		if (!known->file)
			continue;
		on += known->on;
		off += !known->on;
	}
	if (!on && !off)
		on = new_ones_on;
	mutex_unlock(&lock);
	return simple_read_from_buffer(user, size, at, on && off ? "X\n" : on ? "1\n" : "0\n", 2);
}

/* All of them, or none. */
static int switch_all_on(void)
{
	struct known *known;
	unsigned long id;
	int error = 0;

	xa_for_each(&all, id, known) {
		known->switched = !error && known->file && !known->on;
		if (known->switched)
			error = switch_on(known);
	}
	if (!error)
		return 0;
	xa_for_each(&all, id, known)
		if (known->switched)
			switch_off(known);
	return error;
}

static ssize_t enabled_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	struct known *known;
	unsigned long id;
	bool on;
	int error = take_switch(user, size, &on);

	/* Where one cannot be switched on, the others are switched off again. */
	if (!error && on)
		error = kcatch_tracepoints_leave(KCATCH_ANSWER_LIMIT, TASK_KILLABLE);
	if (error)
		return error;
	mutex_lock(&lock);
	if (on)
		error = switch_all_on();
	else
		xa_for_each(&all, id, known)
			switch_off(known);
	if (!error)
		new_ones_on = on;
	mutex_unlock(&lock);
	return error ?: size;
}

static const struct file_operations enabled_operations = {
	.owner = THIS_MODULE, .open = plain_open, .read = enabled_read, .write = enabled_write,
};

static int info_show(struct seq_file *seq, void *unused)
{
	const struct known *known;
	unsigned long id;

	seq_printf(seq, "version %s\n", KCATCH_VERSION);
	mutex_lock(&lock);
	xa_for_each(&all, id, known) {
		const struct kcatch_ktrace_event *event = kcatch_ktrace_event_of(id);

		if (!known->file)
			continue;
		seq_printf(seq, "name '%s' format '", event->name);
		seq_escape(seq, event->format, "\n\t\\'");
		seq_printf(seq, "' id %lu %s\n", id, known->on ? "enabled" : "disabled");
	}
	mutex_unlock(&lock);
	return 0;
}

static int info_open(struct inode *inode, struct file *file)
{
	int error = kcatch_may_trace();

	return error ?: single_open(file, info_show, NULL);
}

static const struct file_operations info_operations = {
	.owner = THIS_MODULE, .open = info_open, .read = seq_read, .llseek = seq_lseek,
	.release = single_release,
};

/* All that was counted since the session was made. */
static struct kcatch_counters count_all(void)
{
	struct kcatch_counters sum = before;
	const struct known *known;
	unsigned long id;

	lockdep_assert_held(&lock);
	xa_for_each(&all, id, known)
		if (known->on)
			add_counters(&sum, id);
	return sum;
}

static int overflow_show(struct seq_file *seq, void *unused)
{
	int error = kcatch_cpus_answer(KCATCH_ANSWER_LIMIT, TASK_KILLABLE);
	u64 lost = 0, recorded, seen;

	if (error)
		return error;
	mutex_lock(&lock);
	if (session) {
		struct kcatch_counters now;

		/* In this order: what comes in between is not called lost. Hooks count an event
		 * before readers see it. */
		now = count_all();
		kcatch_quiesce();
		error = kcatch_ktrace_buffers_count(session, &seen);
		recorded = now.recorded - at_reset.recorded;
		lost = now.lost - at_reset.lost + now.missed - at_reset.missed;
		lost += recorded > seen ? recorded - seen : 0;
	}
	mutex_unlock(&lock);
	if (!error)
		seq_printf(seq, "%llu\n", lost);
	return error;
}

static int overflow_open(struct inode *inode, struct file *file)
{
	int error = kcatch_may_trace();

	return error ?: single_open(file, overflow_show, NULL);
}

static const struct file_operations overflow_operations = {
	.owner = THIS_MODULE, .open = overflow_open, .read = seq_read, .llseek = seq_lseek,
	.release = single_release,
};

/* Counters and rings stay as they are, or go on. Events meanwhile are in none of them. */
static void hold_events(bool hold)
{
	struct kcatch_group *group;

	lockdep_assert_held(&lock);
	mutex_lock(&session->lock);
	mutex_lock(&kcatch_sites_lock);
	list_for_each_entry(group, &session->groups, list)
		kcatch_group_mode_set(group, hold ? KCATCH_GROUP_FROZEN : 0, KCATCH_GROUP_FROZEN);
	if (hold)
		kcatch_quiesce();
	mutex_unlock(&kcatch_sites_lock);
	mutex_unlock(&session->lock);
}

/* Any write skips all records that were not read, and restarts the counts: both at one point, as an
 * event in between would be lost to readers for ever. */
static ssize_t reset_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	int error = kcatch_may_trace() ?: kcatch_cpus_answer(KCATCH_ANSWER_LIMIT, TASK_KILLABLE);

	if (error)
		return error;
	mutex_lock(&lock);
	if (session) {
		hold_events(true);
		at_reset = count_all();
		kcatch_ktrace_buffers_reset(session);
		hold_events(false);
		/* Missed hits are counted while events are held. */
		at_reset.missed = count_all().missed;
	}
	mutex_unlock(&lock);
	return size;
}

static const struct file_operations reset_operations = {
	.owner = THIS_MODULE, .open = plain_open, .write = reset_write,
};

/* ---- events that come and go ----------------------------------------------- */

static struct known *ktracefs_know(u32 id)
{
	struct known *known = xa_load(&all, id);

	lockdep_assert_held(&lock);
	if (known)
		return known;
	known = kzalloc(sizeof(*known), GFP_KERNEL);
	if (!known)
		return NULL;
	known->id = id;
	if (xa_is_err(xa_store(&all, id, known, GFP_KERNEL))) {
		kfree(known);
		return NULL;
	}
	return known;
}

/* The next module that comes or goes is another try. */
static void tell_lack(u32 id, long error)
{
	pr_warn_ratelimited("kcatch: ktrace event %s could not get its file (%ld)\n",
			    kcatch_ktrace_event_of(id)->name, error);
}

void kcatch_ktracefs_update(void)
{
	struct dentry *gone[16];
	u32 id, nr_gone = 0, i;
	int error;

	mutex_lock(&update_lock);
again:
	if (IS_ERR_OR_NULL(events_directory))
		goto out;
	mutex_lock(&lock);
	for (id = 0; id < kcatch_ktrace_event_count() && nr_gone < ARRAY_SIZE(gone); id++) {
		struct known *known = ktracefs_know(id);
		bool here = ktracefs_is_here(id);

		if (!known && here)
			tell_lack(id, -ENOMEM);
		if (!known || here == !!known->file)
			continue;
		if (!here) {
			gone[nr_gone++] = known->file;
			known->file = NULL;
			continue;
		}
		/* Its removal does not wait for who reads or writes it, which may be for ever:
		 * module loading would wait for that. What is used there stays until kcatch goes,
		 * which waits until the file is closed. */
		known->file = debugfs_create_file_unsafe(kcatch_ktrace_event_of(id)->name, 0600,
							 events_directory, known,
							 &event_operations);
		if (IS_ERR(known->file)) {
			tell_lack(id, PTR_ERR(known->file));
			known->file = NULL;
		}
		error = new_ones_on ? switch_on(known) : 0;
		if (error)
			pr_warn("kcatch: ktrace event %s could not be switched on (%d)\n",
				kcatch_ktrace_event_of(id)->name, error);
	}
	mutex_unlock(&lock);
	for (i = 0; i < nr_gone; i++)
		debugfs_remove(gone[i]);
	if (nr_gone == ARRAY_SIZE(gone)) {
		nr_gone = 0;
		goto again;
	}
out:
	mutex_unlock(&update_lock);
}

/* ---- the size ---------------------------------------------------------------- */

/* The module is loaded, and on its way out; under the lock of parameters. */
static bool ready, leaving;

static int set_size(const char *text, const struct kernel_param *param)
{
	int error;
	u32 size;

	if (kstrtou32(text, 0, &size) || size < KCATCH_RING_SIZE_MIN || size > KCATCH_RING_SIZE_MAX)
		return -EINVAL;
	/* The file stays until the module is gone. */
	if (leaving)
		return -ENODEV;
	if (!ready) {
		buffer_size = roundup_pow_of_two(size);
		return 0;
	}
	error = kcatch_may_trace();
	if (error)
		return error;
	error = kcatch_tracepoints_leave(KCATCH_ANSWER_LIMIT, TASK_KILLABLE);
	if (error)
		return error;
	mutex_lock(&lock);
	if (nr_on || users)
		error = -EBUSY;
	if (!error) {
		kcatch_session_destroy(session);
		session = NULL;
		buffer_size = roundup_pow_of_two(size);
	}
	mutex_unlock(&lock);
	return error;
}

static const struct kernel_param_ops size_ops = { .set = set_size, .get = param_get_uint };
module_param_cb(ktrace_size, &size_ops, &buffer_size, 0600);
MODULE_PARM_DESC(ktrace_size, "bytes per CPU of debugfs ktrace/buffers (default 1048576); can "
		 "change while no event is enabled and no buffer is open");

void kcatch_ktracefs_init(void)
{
	struct dentry *directory;
	char name[16];
	long cpu;

	kcatch_ktrace_buffers_init();
	kcatch_robust_add(&lock);
	kcatch_robust_add(&update_lock);
	kernel_param_lock(THIS_MODULE);
	ready = true;
	kernel_param_unlock(THIS_MODULE);
	root = debugfs_create_dir("ktrace", NULL);
	if (IS_ERR(root)) {
		pr_info("kcatch: no files in debugfs ktrace/ (%ld)\n", PTR_ERR(root));
		root = NULL;
		return;
	}
	debugfs_create_file("enabled", 0600, root, NULL, &enabled_operations);
	debugfs_create_file("info", 0400, root, NULL, &info_operations);
	debugfs_create_file("overflow", 0400, root, NULL, &overflow_operations);
	debugfs_create_file("reset", 0200, root, NULL, &reset_operations);
	directory = debugfs_create_dir("buffers", root);
	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "cpu%ld", cpu);
		/* With mmap: debugfs has no way for that of its own. The file stays until
		 * the module goes, which waits until it is closed. */
		debugfs_create_file_unsafe(name, 0600, directory, (void *)cpu,
					   &kcatch_ktrace_buffer_operations);
	}
	events_directory = debugfs_create_dir("events", root);
	kcatch_ktracefs_update();
}

void kcatch_ktracefs_exit(void)
{
	struct known *known;
	unsigned long id;

	/* Waits for a write to the parameter that has begun to set the size. */
	kernel_param_lock(THIS_MODULE);
	leaving = true;
	kernel_param_unlock(THIS_MODULE);
	mutex_lock(&update_lock);
	events_directory = NULL;
	mutex_unlock(&update_lock);
	debugfs_remove(root);
	xa_for_each(&all, id, known)
		kfree(known);
	xa_destroy(&all);
	kcatch_session_destroy(session);
	session = NULL;
}
