// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks the entry of functions by ftrace. All sites of all sessions share one ftrace_ops: with
 * several ops on a function, the kernel walks a list of ops at every call.
 *
 * The ops stays registered for a quarter of a second after the last site is detached, because
 * unregistering waits until every task has scheduled (tens of milliseconds), for which close()
 * should not wait. In that time its filter holds one function that is rarely called; an empty
 * filter would select every function.
 *
 * The hook runs in any context, NMI too. attach() and detach() sleep; kcatch_sites_lock.
 */
#include <linux/ftrace.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/workqueue.h>
#include "compat/compat.h"
#include "ftrace_match.h"
#include "hit.h"
#include "site.h"
#include "trampoline.h"

/* How long the ops stays registered without a site, in jiffies. */
#define IDLE_JIFFIES	(HZ / 4)

/* A hit while another hook runs on this CPU: an interrupt's; or one in the same context, of which
 * the guard admits one, and refuses the rest. */
static noinline void ftrace_hit_nested(unsigned long ip, unsigned long parent, struct pt_regs *regs)
{
	const struct kcatch_site *site;
	struct kcatch_guard guard;

	kcatch_guard_enter(&guard);
	preempt_enable_notrace();	/* of kcatch_guard_enter_alone() */
	site = kcatch_site_find(ip);
	if (likely(site))
		kcatch_hit_slow(site, parent, kcatch_where_pack(&guard, false), regs, ip);
	else
		kcatch_guard_leave(&guard);
}

static void ftrace_hit(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
		       struct ftrace_regs *fregs)
{
	unsigned long entry;
	u32 context;

	if (unlikely(!kcatch_guard_enter_alone(&context))) {
		ftrace_hit_nested(ip, parent, kcatch_ftrace_pt_regs(fregs));
		return;
	}
	entry = kcatch_site_entry(ip);
	if (likely(!(entry & KCATCH_ENTRY_SITE)))
		kcatch_hit_entry((void *)entry, parent, kcatch_ftrace_pt_regs(fregs), context);
	else if (entry != KCATCH_ENTRY_NONE)
		kcatch_hit_slow(kcatch_entry_site(entry), parent, kcatch_where_fast(context, 0),
				kcatch_ftrace_pt_regs(fregs), ip);
	else
		kcatch_guard_leave_fast(0);
}

/* PERMANENT: while the ops is registered, `sysctl kernel.ftrace_enabled=0` is refused. Otherwise it
 * would silently disable the hook. */
static struct ftrace_ops ops = {
	.func = ftrace_hit,
	.flags = FTRACE_OPS_FL_PERMANENT,
};
static bool registered;
static u32 nr_sites;		/* in the filter */
static u32 nr_held;		/* sites of others that ftrace calls */
static unsigned long placeholder;	/* ftrace's place in kthread_stop() */

static void idle(struct work_struct *work);
static DECLARE_DELAYED_WORK(idle_work, idle);

static unsigned long *addresses_of(struct list_head *batch, u32 *nr)
{
	struct kcatch_site *site;
	unsigned long *ips;
	u32 i = 0;

	list_for_each_entry(site, batch, batch)
		i++;
	ips = kvmalloc_array(i, sizeof(*ips), GFP_KERNEL);
	*nr = 0;
	if (ips)
		list_for_each_entry(site, batch, batch)
			ips[(*nr)++] = site->ip;
	return ips;
}

static void unregister(void)
{
	WARN_ON_ONCE(unregister_ftrace_function(&ops));
	ftrace_set_filter(&ops, NULL, 0, 1);
	registered = false;
}

static void idle(struct work_struct *work)
{
	mutex_lock(&kcatch_sites_lock);
	if (registered && !nr_sites && !nr_held)
		unregister();
	mutex_unlock(&kcatch_sites_lock);
}

int kcatch_hook_ftrace_hold(u32 nr)
{
	int error;

	lockdep_assert_held(&kcatch_sites_lock);
	if (nr && !registered && placeholder) {
		error = ftrace_set_filter_ip(&ops, placeholder, 0, 1);
		if (!error)
			error = register_ftrace_function(&ops);
		if (error) {
			ftrace_set_filter(&ops, NULL, 0, 1);
			return error;
		}
		registered = true;
	}
	nr_held += nr;
	return 0;
}

void kcatch_hook_ftrace_release(u32 nr)
{
	lockdep_assert_held(&kcatch_sites_lock);
	nr_held -= nr;
	if (nr && !nr_held && !nr_sites && registered)
		schedule_delayed_work(&idle_work, IDLE_JIFFIES);
}

static int attach(struct list_head *batch)
{
	struct kcatch_site *site;
	unsigned long *ips;
	int error;
	u32 nr;

	lockdep_assert_held(&kcatch_sites_lock);
	ips = addresses_of(batch, &nr);
	if (!ips)
		return -ENOMEM;
	/* The first sites replace the placeholder in the filter. */
	error = ftrace_set_filter_ips(&ops, ips, nr, 0, !nr_sites);
	if (!error && !registered) {
		error = register_ftrace_function(&ops);
		if (error)
			ftrace_set_filter(&ops, NULL, 0, 1);
		else
			registered = true;
	}
	kvfree(ips);
	if (error)
		return error;
	nr_sites += nr;
	list_for_each_entry(site, batch, batch)
		site->attached = true;
	return 0;
}

static void detach(struct list_head *batch)
{
	struct kcatch_site *site;
	u32 nr = 0;

	lockdep_assert_held(&kcatch_sites_lock);
	list_for_each_entry(site, batch, batch)
		nr += site->attached;
	if (!nr)
		return;
	if (nr == nr_sites) {
		if (!placeholder || ftrace_set_filter_ip(&ops, placeholder, 0, 1))
			unregister();
		else
			schedule_delayed_work(&idle_work, IDLE_JIFFIES);
	} else {
		unsigned long *ips = addresses_of(batch, &nr);

		/* The call removes all or, without memory, none: then remove each alone. */
		if (!ips || ftrace_set_filter_ips(&ops, ips, nr, 1, 0)) {
			nr = 0;
			list_for_each_entry(site, batch, batch) {
				ftrace_set_filter_ip(&ops, site->ip, 1, 0);
				nr++;
			}
		}
		kvfree(ips);
	}
	nr_sites -= nr;
	list_for_each_entry(site, batch, batch)
		site->attached = false;
}

const struct kcatch_hook_ops kcatch_hook_ftrace = {
	.mechanism = KCATCH_MECHANISM_FTRACE,
	.attach = attach,
	.detach = detach,
};

void kcatch_hook_ftrace_init(void)
{
	kcatch_trampoline_init(&ops);
	placeholder = kcatch_ftrace_place((unsigned long)&kthread_stop);
}

void kcatch_hook_ftrace_exit(void)
{
	cancel_delayed_work_sync(&idle_work);
	mutex_lock(&kcatch_sites_lock);
	if (registered)
		unregister();
	mutex_unlock(&kcatch_sites_lock);
}
