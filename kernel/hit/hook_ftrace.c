// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks the entry of functions by ftrace. A site is in one ftrace_ops for all sessions: with
 * several ops on a function, the kernel walks a list of ops at every call.
 *
 * There are two of them. To hook or unhook a function the kernel changes its text in three steps,
 * for which it calls some thirty functions up to six times each. If they are hooked meanwhile, each
 * call is a hit: two million, when all functions of a kernel are hooked and unhooked, though each
 * finds nothing. So these are hooked behind the others and unhooked before them.
 *
 * An ops stays registered for a quarter of a second after its last site is detached, because
 * unregistering waits until every task has scheduled (tens of milliseconds), for which close()
 * should not wait. In that time its filter holds one function that is rarely called; an empty
 * filter would select every function.
 *
 * The hook runs in any context, NMI too. ftrace_attach() and ftrace_detach() sleep, under
 * kcatch_sites_lock.
 */
#include <linux/ftrace.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
#include "compat/compat.h"
#include "compat/ftrace_regs.h"
#include "core/ftrace_match.h"
#include "core/site.h"
#include "hit/hit.h"
#include "stack/stack.h"
#include "stack/trampoline.h"

/* How long the ops stays registered without a site, in jiffies. */
#define IDLE_JIFFIES	(HZ / 4)

/* Among so many sites, functions that the kernel calls to hook each of them are hooked last. */
#define MANY		8192

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

static __always_inline void ftrace_hit_regs(unsigned long ip, unsigned long parent,
					    struct pt_regs *regs)
{
	const struct kcatch_probe *probe;
	const struct kcatch_site *site;
	u32 context;

	if (unlikely(!kcatch_guard_enter_alone(&context))) {
		ftrace_hit_nested(ip, parent, regs);
		return;
	}
	site = kcatch_site_find(ip);
	if (unlikely(!site)) {
		kcatch_guard_leave_fast(0);
		return;
	}
	probe = kcatch_hit_only(site);
	if (likely(probe))
		kcatch_hit_entry(probe, parent, regs, context);
	else
		kcatch_hit_slow(site, parent, kcatch_where_fast(context, 0), regs, ip);
}

static void ftrace_hit(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
		       struct ftrace_regs *fregs)
{
	kcatch_ftrace_with_regs(ip, parent, fregs, ftrace_hit_regs);
}

/**
 * struct hook - sites that are hooked by one ops
 * @ops: PERMANENT: while it is registered, `sysctl kernel.ftrace_enabled=0` is refused. Otherwise
 *	it would silently disable the hook
 * @registered: @ops is
 * @nr_sites: in its filter
 * @placeholder: what its filter holds while there are none: ftrace's place in a function that
 *	is rarely called, or 0
 */
struct hook {
	struct ftrace_ops ops;
	bool registered;
	u32 nr_sites;
	unsigned long placeholder;
};

#define HOOK(function)	{ .ops = { .func = function, .flags = FTRACE_OPS_FL_PERMANENT } }

static void late_hit(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
		     struct ftrace_regs *fregs);

/* Nearly all sites; and those that are hooked behind them and unhooked before them. */
static struct hook most = HOOK(ftrace_hit), late = HOOK(late_hit);
static u32 nr_held;		/* sites of others that ftrace calls */

/* The placeholder is no site that is hooked late, but may be one of the others, whose hook counts
 * the call: with both hooks on it the kernel calls both. */
static void late_hit(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
		     struct ftrace_regs *fregs)
{
	if (likely(ip != late.placeholder))
		ftrace_hit(ip, parent, ops, fregs);
}

static void ftrace_idle(struct work_struct *work);
static DECLARE_DELAYED_WORK(idle_work, ftrace_idle);

/* Is the site among those that @hook hooks? */
static bool is_of(const struct kcatch_site *site, const struct hook *hook)
{
	return site->late == (hook == &late);
}

/* The addresses of a batch that @hook hooks; those that are hooked already, if @attached. */
static unsigned long *addresses_of(const struct hook *hook, struct list_head *batch, bool attached,
				   u32 *nr)
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
			if (is_of(site, hook) && site->attached == attached)
				ips[(*nr)++] = site->ip;
	return ips;
}

static void ftrace_unregister(struct hook *hook)
{
	WARN_ON_ONCE(unregister_ftrace_function(&hook->ops));
	ftrace_set_filter(&hook->ops, NULL, 0, 1);
	hook->registered = false;
}

static bool is_idle(const struct hook *hook)
{
	return hook->registered && !hook->nr_sites && (hook == &late || !nr_held);
}

static bool any_is_idle(void)
{
	bool any;

	mutex_lock(&kcatch_sites_lock);
	any = is_idle(&late) || is_idle(&most);
	mutex_unlock(&kcatch_sites_lock);
	return any;
}

/* ftrace waits, under its lock, until every task and CPU has scheduled, which a CPU that spins
 * never does. So that is waited for first, without a lock. */
static void ftrace_idle(struct work_struct *work)
{
	if (!any_is_idle())
		return;
	synchronize_rcu_tasks();
	mutex_lock(&kcatch_sites_lock);
	if (is_idle(&late))
		ftrace_unregister(&late);
	if (is_idle(&most))
		ftrace_unregister(&most);
	mutex_unlock(&kcatch_sites_lock);
}

/* Register it with the filter that was set. */
static int ftrace_start(struct hook *hook)
{
	int error = hook->registered ? 0 : register_ftrace_function(&hook->ops);

	if (error)
		ftrace_set_filter(&hook->ops, NULL, 0, 1);
	else if (!hook->registered)
		kcatch_stack_try_trampoline(hook->ops.trampoline);
	hook->registered |= !error;
	return error;
}

int kcatch_hook_ftrace_hold(u32 nr)
{
	int error;

	lockdep_assert_held(&kcatch_sites_lock);
	if (nr && !most.registered && most.placeholder) {
		error = ftrace_set_filter_ip(&most.ops, most.placeholder, 0, 1);
		if (!error)
			error = ftrace_start(&most);
		if (error) {
			ftrace_set_filter(&most.ops, NULL, 0, 1);
			return error;
		}
	}
	nr_held += nr;
	return 0;
}

void kcatch_hook_ftrace_release(u32 nr)
{
	lockdep_assert_held(&kcatch_sites_lock);
	nr_held -= nr;
	if (nr && is_idle(&most))
		schedule_delayed_work(&idle_work, IDLE_JIFFIES);
}

/* Hook what there is of a batch for one ops. */
static int hook_sites(struct hook *hook, struct list_head *batch)
{
	struct kcatch_site *site;
	unsigned long *ips;
	int error = 0;
	u32 nr;

	ips = addresses_of(hook, batch, false, &nr);
	if (!ips)
		return -ENOMEM;
	/* The first sites replace the placeholder in the filter. */
	if (nr)
		error = ftrace_set_filter_ips(&hook->ops, ips, nr, 0, !hook->nr_sites);
	if (nr && !error)
		error = ftrace_start(hook);
	kvfree(ips);
	if (error)
		return error;
	hook->nr_sites += nr;
	list_for_each_entry(site, batch, batch)
		if (is_of(site, hook))
			site->attached = true;
	return 0;
}

static void unhook_sites(struct hook *hook, struct list_head *batch)
{
	struct kcatch_site *site;
	u32 nr = 0;

	list_for_each_entry(site, batch, batch)
		nr += is_of(site, hook) && site->attached;
	if (!nr)
		return;
	if (nr == hook->nr_sites) {
		if (!hook->placeholder ||
		    ftrace_set_filter_ip(&hook->ops, hook->placeholder, 0, 1))
			ftrace_unregister(hook);
		else
			schedule_delayed_work(&idle_work, IDLE_JIFFIES);
	} else {
		unsigned long *ips = addresses_of(hook, batch, true, &nr);

		/* The call removes all or, without memory, none: then remove each alone. */
		if (!ips || ftrace_set_filter_ips(&hook->ops, ips, nr, 1, 0)) {
			nr = 0;
			list_for_each_entry(site, batch, batch) {
				if (!is_of(site, hook) || !site->attached)
					continue;
				ftrace_set_filter_ip(&hook->ops, site->ip, 1, 0);
				nr++;
			}
		}
		kvfree(ips);
	}
	hook->nr_sites -= nr;
	list_for_each_entry(site, batch, batch)
		if (is_of(site, hook))
			site->attached = false;
}

static void ftrace_detach(struct list_head *batch)
{
	lockdep_assert_held(&kcatch_sites_lock);
	unhook_sites(&late, batch);
	unhook_sites(&most, batch);
}

/* Marks the sites that are hooked behind the others: a change of the text of their own. */
static void choose_late(struct list_head *batch)
{
	struct kcatch_site *site;
	u32 nr = 0;

	list_for_each_entry(site, batch, batch)
		nr++;
	list_for_each_entry(site, batch, batch)
		site->late = nr >= MANY && site->text_tool;
}

static int ftrace_attach(struct list_head *batch)
{
	int error;

	lockdep_assert_held(&kcatch_sites_lock);
	choose_late(batch);
	error = hook_sites(&most, batch);
	if (!error)
		error = hook_sites(&late, batch);
	if (error)
		ftrace_detach(batch);
	return error;
}

/* While a PERMANENT ops is registered nobody may switch ftrace off; but it switches itself off
 * after an error of its own. */
static bool ftrace_armed(const struct kcatch_site *site)
{
	return kcatch_ftrace_place_is_hooked(site->ip);
}

const struct kcatch_hook_ops kcatch_hook_ftrace = {
	.mechanism = KCATCH_MECHANISM_FTRACE,
	.attach = ftrace_attach,
	.detach = ftrace_detach,
	.armed = ftrace_armed,
};

void kcatch_hook_ftrace_init(void)
{
	kcatch_trampoline_init(&most.ops, &late.ops);
	most.placeholder = kcatch_ftrace_place((unsigned long)&kthread_stop);
	late.placeholder = kcatch_ftrace_place((unsigned long)&kthread_park);
}

void kcatch_hook_ftrace_exit(void)
{
	cancel_delayed_work_sync(&idle_work);
	mutex_lock(&kcatch_sites_lock);
	if (late.registered)
		ftrace_unregister(&late);
	if (most.registered)
		ftrace_unregister(&most);
	mutex_unlock(&kcatch_sites_lock);
}
