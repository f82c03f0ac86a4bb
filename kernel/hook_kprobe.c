// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks any instruction by a kprobe: places inside functions, and functions that ftrace cannot
 * hook.
 *
 * The post-handler keeps the kernel from optimising the probe into a jump: stacks could not be
 * walked through the code that such a jump enters.
 *
 * The hook runs in any context, NMI too. attach() and detach() sleep; kcatch_sites_lock.
 */
#include <linux/hardirq.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include "hit.h"
#include "site.h"

static int pre_handler(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct kcatch_site *site = container_of(kprobe, struct kcatch_site, kprobe);
	unsigned long count = preempt_count();
	struct kcatch_guard guard;

	/* The breakpoint's exception counts as an NMI; look below it. */
	if (!(kprobe->flags & KPROBE_FLAG_FTRACE) && (count & NMI_MASK))
		count -= NMI_OFFSET + HARDIRQ_OFFSET;
	kcatch_guard_enter(&guard);
	guard.context = kcatch_context_of(count);
	/* A hook in the context that was hit has called the probed code itself. */
	if (guard.busy & (1U << guard.context))
		guard.level = KCATCH_LEVEL_REFUSED;
	/* Not regs->ip, which is the breakpoint's address or the one behind it. */
	kcatch_hit_slow(site, 0, kcatch_where_pack(&guard, true), regs,
			(unsigned long)kprobe->addr);
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
			list[(*nr)++] = &site->kprobe;
	return list;
}

static int attach(struct list_head *batch)
{
	struct kcatch_site *site;
	struct kprobe **list;
	int error;
	u32 nr;

	lockdep_assert_held(&kcatch_sites_lock);
	list_for_each_entry(site, batch, batch) {
		site->kprobe.addr = (void *)site->ip;
		site->kprobe.pre_handler = pre_handler;
		site->kprobe.post_handler = post_handler;
	}
	list = kprobes_of(batch, &nr);
	if (!list)
		return -ENOMEM;
	error = register_kprobes(list, nr);
	kvfree(list);
	if (error)
		return error == -EINVAL ? -EADDRNOTAVAIL : error;
	list_for_each_entry(site, batch, batch)
		site->attached = true;
	return 0;
}

static void detach(struct list_head *batch)
{
	struct kcatch_site *site;
	struct kprobe **list;
	u32 nr = 0;

	lockdep_assert_held(&kcatch_sites_lock);
	list_for_each_entry(site, batch, batch)
		nr += site->attached;
	if (!nr)
		return;
	list = kprobes_of(batch, &nr);
	if (list) {
		unregister_kprobes(list, nr);
		kvfree(list);
	} else {
		list_for_each_entry(site, batch, batch)
			unregister_kprobe(&site->kprobe);
	}
	list_for_each_entry(site, batch, batch)
		site->attached = false;
}

static u64 missed(const struct kcatch_site *site)
{
	return READ_ONCE(site->kprobe.nmissed);
}

const struct kcatch_hook_ops kcatch_hook_kprobe = {
	.mechanism = KCATCH_MECHANISM_KPROBE,
	.attach = attach,
	.detach = detach,
	.missed = missed,
};
