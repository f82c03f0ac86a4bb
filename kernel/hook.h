/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hooks: the mechanisms by which the kernel calls us. Each is one file
 * (hook_ftrace.c, hook_kprobe.c) behind one small table. A hook finds the site
 * it was called for and hands it to kcatch_hit(); it knows nothing of rings.
 */
#ifndef _KCATCH_HOOK_H
#define _KCATCH_HOOK_H

#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/types.h>

struct kcatch_hook_ops;

/**
 * struct kcatch_site - an address that is hooked, for one or more probes
 * @ip: what the mechanism reports when it is hit
 * @ops: the mechanism
 * @probes: struct kcatch_probe.at_site; hooks walk it, kcatch_sites_lock
 *	changes it
 * @all: in the table of kprobe sites
 * @batch: for lists of sites that are attached or detached together
 * @attached: the mechanism calls us
 * @own_tool: hits call this function themselves: such a call is not looked at
 * @leaving: has no probes left, about to be taken out
 * @kprobe: of hook_kprobe.c
 */
struct kcatch_site {
	unsigned long ip;
	const struct kcatch_hook_ops *ops;
	struct hlist_head probes;
	struct hlist_node all;
	struct list_head batch;
	bool attached;
	bool leaving;
	bool own_tool;
	struct kprobe kprobe;
};

/**
 * struct kcatch_hook_ops - one mechanism
 * @mechanism: KCATCH_MECHANISM_*
 * @attach: hook all sites of a batch list, or none; sets attached. -errno
 * @detach: unhook those that are attached. Hooks may still run when it
 *	returns, see kcatch_quiesce()
 * @missed: hits the mechanism itself dropped, all CPUs; or NULL
 *
 * All are called with kcatch_sites_lock held and may sleep.
 */
struct kcatch_hook_ops {
	u16 mechanism;
	int (*attach)(struct list_head *batch);
	void (*detach)(struct list_head *batch);
	u64 (*missed)(const struct kcatch_site *site);
};

extern const struct kcatch_hook_ops kcatch_hook_ftrace;
extern const struct kcatch_hook_ops kcatch_hook_kprobe;

void kcatch_hook_ftrace_init(void);
void kcatch_hook_ftrace_exit(void);

/**
 * kcatch_hook_is_trampoline() - is @address in code generated for our hooks
 * @offset: how far into it
 *
 * Context: any.
 */
bool kcatch_hook_is_trampoline(unsigned long address, unsigned long *offset);

#endif
