/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hooks: the mechanisms by which the kernel calls us. Each mechanism is one file
 * (hook_ftrace.c, hook_kprobe.c, ...) behind one small table. A hook finds the site that was
 * hit and passes it to hit.h or emit.h; it knows nothing of rings.
 */
#ifndef _KCATCH_HOOK_H
#define _KCATCH_HOOK_H

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/types.h>
#include "core/text.h"

struct kcatch_choice;
struct kcatch_probe;
struct kcatch_hook_ops;
struct kcatch_site_block;

/**
 * struct kcatch_loop - the kernel's loop over a tracepoint's probes
 * @start: its first byte
 * @size: bytes
 * @next: that of another tracepoint of the same event
 */
struct kcatch_loop {
	unsigned long start;
	unsigned long size;
	const struct kcatch_loop *next;
};

/**
 * struct kcatch_site - an address that is hooked, for one or more probes
 * @ip: what the mechanism reports when it is hit; of a tracepoint the address of its
 *	struct tracepoint, of an event that of its struct kcatch_ktrace_event
 * @ops: the mechanism
 * @probes: struct kcatch_probe.at_site; hooks walk it, kcatch_sites_lock
 *	changes it
 * @attached: the mechanism calls us
 * @leaving: has no probes left, about to be taken out
 * @own_tool: hits call this function, or cause this event, themselves: such a hit is not
 *	looked at
 * @text_tool: the kernel calls this function for each place that it hooks or unhooks
 * @late: of hook_ftrace.c: it is hooked behind the others
 * @to_choose: @choice is to be made
 * @all: in the table of sites; those of ftrace are in one of their own
 * @batch: for lists of sites that are attached or detached together
 * @choice: which of them a hit is for; NULL: each is asked. See site_choice.h
 * @skip: of hook_tracepoint.c: the kernel's loop over a tracepoint's probes, which is
 *	no caller
 * @skip_size: its bytes
 * @loops: of ktrace_builtin.c: the same, for an event that stands at several tracepoints
 * @block: the memory that it shares with others, or NULL
 * @watch: watchpoint, private to hook_watch.c
 * @watched: of a watchpoint: size and kind, see KCATCH_TARGET_WATCH
 */
struct kcatch_site {
	unsigned long ip;
	const struct kcatch_hook_ops *ops;
	struct hlist_head probes;
	bool attached;
	bool leaving;
	bool own_tool;
	bool text_tool;
	bool late;
	bool to_choose;
	struct hlist_node all;
	struct list_head batch;
	struct kcatch_choice *choice;
	unsigned long skip;
	unsigned long skip_size;
	const struct kcatch_loop *loops;
	struct kcatch_site_block *block;
	struct kcatch_watch *watch;
	u32 watched;
};

/**
 * struct kcatch_hook_ops - one mechanism
 * @mechanism: KCATCH_MECHANISM_*
 * @payload_max: maximum bytes of a payload that becomes a record's data; 0: it has none
 * @attach: hook all sites of a batch list, or none; sets attached. -errno
 * @detach: unhook those that are attached. Hooks may still run when it
 *	returns, see kcatch_quiesce()
 * @missed: hits the mechanism itself dropped, all CPUs; or NULL
 * @armed: does the kernel still call us for a site that is attached, on each CPU that is online?
 *	NULL: nobody else can take its hook out
 * @site: the site of an address, where it has one of its own that is never freed; or NULL
 * @site_size: bytes of what begins with a site and is allocated for each; 0: that alone
 *
 * All are called with kcatch_sites_lock held and may sleep.
 */
struct kcatch_hook_ops {
	u16 mechanism;
	u16 payload_max;
	int (*attach)(struct list_head *batch);
	void (*detach)(struct list_head *batch);
	u64 (*missed)(const struct kcatch_site *site);
	bool (*armed)(const struct kcatch_site *site);
	struct kcatch_site *(*site)(unsigned long ip);
	size_t site_size;
};

extern const struct kcatch_hook_ops kcatch_hook_ftrace;
extern const struct kcatch_hook_ops kcatch_hook_kprobe;
extern const struct kcatch_hook_ops kcatch_hook_tracepoint;
extern const struct kcatch_hook_ops kcatch_hook_event;

extern const struct kcatch_hook_ops kcatch_hook_watch;

#define KCATCH_NR_MECHANISMS	5
/* By KCATCH_MECHANISM_*; the last ones are attached first. */
extern const struct kcatch_hook_ops *const kcatch_hooks[KCATCH_NR_MECHANISMS];

struct tracepoint;

/**
 * kcatch_tracepoint_skip_loop() - leave the kernel's loop over a tracepoint's probes out of
 *	a site's stacks
 *
 * With several probes a tracepoint calls this loop, which calls them.
 *
 * Context: may sleep. Return: 0, -ENOMEM
 */
int kcatch_tracepoint_skip_loop(struct kcatch_site *site, const struct tracepoint *tracepoint);

void kcatch_hook_ftrace_init(void);
/**
 * kcatch_hook_ftrace_hold() - keep ftrace from being switched off
 * @nr: kprobes that ftrace calls, which `sysctl kernel.ftrace_enabled=0` would silence; as many
 *	are given to kcatch_hook_ftrace_release()
 *
 * Context: kcatch_sites_lock held, may sleep. Return: 0; -errno: it is off
 */
int kcatch_hook_ftrace_hold(u32 nr);
void kcatch_hook_ftrace_release(u32 nr);
void kcatch_hook_ftrace_exit(void);
int kcatch_hook_watch_init(void);
void kcatch_hook_watch_exit(void);

#endif
