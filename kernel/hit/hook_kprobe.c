// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks any instruction by a kprobe: places inside functions, functions that ftrace cannot
 * hook, and those whose return is hooked in the public way (returns_public.h).
 *
 * The post-handler keeps the kernel from optimising the probe into a jump: stacks could not be
 * walked through the code that such a jump enters. At a place of ftrace there is no such jump, and
 * with the handler the kernel would refuse functions that are livepatched.
 *
 * The hook runs in any context, NMI too. kprobe_attach() and kprobe_detach() sleep, under
 * kcatch_sites_lock.
 */
#include <linux/hardirq.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include "compat/regs.h"
#include "core/ftrace_match.h"
#include "core/site.h"
#include "hit/hit.h"
#include "returns/returns_public.h"

struct kprobe_site {
	struct kcatch_site site;	/* first */
	struct kprobe kprobe;
};

static struct kprobe *kprobe_of(struct kcatch_site *site)
{
	return &container_of(site, struct kprobe_site, site)->kprobe;
}

static int pre_handler(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct kcatch_site *site =
		&container_of(kprobe, struct kprobe_site, kprobe)->site;
	/* Where ftrace would hook: all is as in its hook. */
	bool entry = kprobe->flags & KPROBE_FLAG_FTRACE;
	struct kcatch_guard guard;

	kcatch_guard_enter_kprobe(&guard, kprobe);
	/* Not the address in @regs, which is the breakpoint's address or the one behind it. */
	kcatch_hit_slow(site,
			entry ? kcatch_returns_caller(kcatch_returns_public_caller(regs),
						      kcatch_regs_slot(regs)) :
				0,
			kcatch_where_pack(&guard, !entry), regs, (unsigned long)kprobe->addr);
	if (static_branch_unlikely(&kcatch_returns_public))
		kcatch_returns_public_end();
	return 0;
}

static void post_handler(struct kprobe *kprobe, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe **kprobes_of(struct list_head *batch, u32 *nr)
{
	struct kcatch_site *site;
	struct kprobe **list;
	u32 i = 0;

	list_for_each_entry(site, batch, batch)
		i++;
	list = kvmalloc_array(i, sizeof(*list), GFP_KERNEL);
	*nr = 0;
	if (list)
		list_for_each_entry(site, batch, batch)
			list[(*nr)++] = kprobe_of(site);
	return list;
}

/* The number of sites that ftrace calls: kprobe_attach() gives these no post-handler. */
static u32 nr_by_ftrace(const struct list_head *batch)
{
	struct kcatch_site *site;
	u32 nr = 0;

	list_for_each_entry(site, batch, batch)
		nr += !kprobe_of(site)->post_handler;
	return nr;
}

/* Each is a change of the kernel's text, thousands take long: who is killed ends it. But not at
 * once: it may be who loads a module that is waited for. */
static int register_all(struct kprobe **list, u32 nr)
{
	u32 done, part;
	int error = 0;

	for (done = 0; !error && done < nr; done += part) {
		part = min(nr - done, 64U);
		error = done && fatal_signal_pending(current) ?
				-EINTR : register_kprobes(list + done, part);
		if (error && done)
			unregister_kprobes(list, done);
	}
	return error;
}

static int kprobe_attach(struct list_head *batch)
{
	struct kcatch_site *site;
	struct kprobe **list;
	int error;
	u32 nr;

	lockdep_assert_held(&kcatch_sites_lock);
	list_for_each_entry(site, batch, batch) {
		struct kprobe *kprobe = kprobe_of(site);

		kprobe->addr = (void *)site->ip;
		kprobe->pre_handler = pre_handler;
		kprobe->post_handler = kcatch_ftrace_place(site->ip) == site->ip ? NULL :
										   post_handler;
	}
	list = kprobes_of(batch, &nr);
	if (!list)
		return -ENOMEM;
	/* First: while ftrace is switched off, a kprobe that comes and goes leaves marks in
	 * ftrace's records, of which the kernel warns later. */
	error = kcatch_hook_ftrace_hold(nr_by_ftrace(batch));
	if (!error) {
		error = register_all(list, nr);
		if (error)
			kcatch_hook_ftrace_release(nr_by_ftrace(batch));
		if (error == -EINVAL)
			error = -EADDRNOTAVAIL;
		else if (error == -ENOENT)	/* the module began to go: it is looked at again */
			error = -EAGAIN;
	}
	kvfree(list);
	if (error)
		return error;
	list_for_each_entry(site, batch, batch)
		site->attached = true;
	return 0;
}

static void kprobe_detach(struct list_head *batch)
{
	struct kcatch_site *site;
	struct kprobe **list;
	u32 nr = 0;

	lockdep_assert_held(&kcatch_sites_lock);
	list_for_each_entry(site, batch, batch)
		nr += site->attached;
	if (!nr)
		return;
	kcatch_hook_ftrace_release(nr_by_ftrace(batch));
	list = kprobes_of(batch, &nr);
	if (list) {
		unregister_kprobes(list, nr);
		kvfree(list);
	} else {
		list_for_each_entry(site, batch, batch)
			unregister_kprobe(kprobe_of(site));
	}
	list_for_each_entry(site, batch, batch)
		site->attached = false;
}

static u64 kprobe_missed(const struct kcatch_site *site)
{
	const struct kprobe_site *own = container_of(site, struct kprobe_site, site);

	return READ_ONCE(own->kprobe.nmissed);
}

/*
 * Something else is there than what the kernel found at first: a breakpoint, or the jump of an
 * optimised probe. A place of ftrace tells nothing where another tracer hooks the same function.
 * (The switch itself, debugfs kprobes/enabled, cannot be read from here.) Of code that has gone
 * with its module, or that the kernel freed after its start, no call can be missed.
 */
static bool kprobe_armed(const struct kcatch_site *site)
{
	const struct kprobe_site *own = container_of(site, struct kprobe_site, site);

	if (own->kprobe.flags & KPROBE_FLAG_GONE)
		return true;
	if (own->kprobe.flags & KPROBE_FLAG_FTRACE)
		return kcatch_ftrace_place_is_hooked((unsigned long)own->kprobe.addr);
	return READ_ONCE(*own->kprobe.addr) != own->kprobe.opcode;
}

const struct kcatch_hook_ops kcatch_hook_kprobe = {
	.mechanism = KCATCH_MECHANISM_KPROBE,
	.attach = kprobe_attach,
	.detach = kprobe_detach,
	.missed = kprobe_missed,
	.armed = kprobe_armed,
	.site_size = sizeof(struct kprobe_site),
};
