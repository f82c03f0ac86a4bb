/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes, the groups they belong to, and the sites they stand at.
 */
#ifndef _KCATCH_PROBE_H
#define _KCATCH_PROBE_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <uapi/kcatch.h>
#include "hook.h"

struct kcatch_family;
struct kcatch_pending;
struct kcatch_session;
struct kcatch_program_code;
struct kcatch_resolved;
struct kcatch_ring;
struct module;

/**
 * struct kcatch_probe - one address of one group
 * @at_site: in its site's list
 * @site: where it stands; NULL once detached
 * @group: whose gate and budget hold
 * @counters: per CPU
 * @program: what to fetch and which calls to record; NULL: plain records
 * @returns: its return is hooked
 * @returnable: it can be
 * @unreturned: calls that had not returned when the session was stopped
 * @unseen: of these, those not recorded; both kcatch_sites_lock
 * @target: which target of its ADD made it
 * @number: in the session
 * @id: KCATCH_RECORD_ID() of its records but for the kind
 * @address: of the site
 * @missed: what the mechanism itself missed while the session ran, as far as
 *	it was counted; kcatch_sites_lock, as the next two
 * @missed_before: the mechanism's figure when that was last counted
 * @counts_missed: the session runs
 * @offset: into the function
 * @mechanism: KCATCH_MECHANISM_*
 * @flags: KCATCH_PROBE_*
 */
struct kcatch_probe {
	struct hlist_node at_site;
	struct kcatch_site *site;
	struct kcatch_group *group;
	struct kcatch_counters __percpu *counters;
	const struct kcatch_program_code *program;
	bool returns;
	bool returnable;
	u32 number;
	u32 id;
	unsigned long address;
	u64 missed;
	u64 missed_before;
	bool counts_missed;
	u64 unreturned;
	u64 unseen;
	u32 target;
	u32 offset;
	u16 mechanism;
	u16 flags;
};

/* Probes whose counters are allocated in one piece (16 KB a CPU at most). */
#define KCATCH_COUNTERS_CHUNK	256

/* struct kcatch_group.mode: what a hit must know, in one word. */
#define KCATCH_GROUP_LIVE	(1U << 0)	/* the session runs, all is in place: hits count */
#define KCATCH_GROUP_LIMITED	(1U << 1)	/* there is a budget */
#define KCATCH_GROUP_GATED	(1U << 2)	/* not every process, nor all but one */
#define KCATCH_GROUP_NO_STACK	(1U << 3)
#define KCATCH_GROUP_WAKE_EACH	(1U << 4)	/* tell the reader of each record */
#define KCATCH_GROUP_FREEZE	(1U << 5)	/* a record freezes the session */
#define KCATCH_GROUP_FROZEN	(1U << 6)	/* the rings stay as they are */
#define KCATCH_GROUP_OTHERS	(1U << 7)	/* every process but the one that armed it: the
						 * gate that nearly all have */

/**
 * struct kcatch_group - what was armed by one ADD
 * @session: owner
 * @mode: KCATCH_GROUP_*
 * @ring: of the session
 * @left: records that may still be made, where limited
 * @refunds: how often a record that found no room gave its share back
 * @flags: KCATCH_ADD_*
 * @depth: frames
 * @tgid: process of the gate, as the first pid namespace numbers it
 * @family: KCATCH_ADD_CHILDREN: the process and its children; else NULL
 * @adder: process that armed the group, where its calls do not count; else -1
 * @comm: command of the gate
 * @comm_mask: its characters and its end mark; what follows differs by kernel
 * @returns: slots for calls under way; made at START
 * @run: counts the STARTs: what was under way before does not count
 * @root: with KCATCH_ADD_UNDER: the group its calls must be under
 * @levels: how deep
 * @max_active: slots asked for, 0: ours to choose
 * @parent: of an arrival, that is of probes that came after the ADD: the group whose
 *	gate, budget and slots are theirs, and which is probe->group of each. Of the rest
 *	only what concerns @probes is used, and @number. NULL: a group of its own
 * @pending: what it waits for; NULL: nothing. session->lock
 * @waits: more probes may come; kcatch_sites_lock
 * @number: in the session
 * @first: number of its first probe
 * @nr: probes
 * @nr_attached: probes in place; kcatch_sites_lock
 * @list: in the session; kcatch_sites_lock
 * @chunks: counters, one piece for KCATCH_COUNTERS_CHUNK probes
 * @probes: the probes
 */
struct kcatch_group {
	struct kcatch_session *session;
	u32 mode;
	u32 depth;
	struct kcatch_ring __percpu *ring;
	atomic64_t left;
	atomic64_t refunds;
	u32 flags;
	pid_t tgid;
	pid_t adder;
	struct kcatch_family *family;
	struct kcatch_returns *returns;
	struct kcatch_group *root;
	u32 run;
	u32 levels;
	u32 max_active;
	struct kcatch_group *parent;
	struct kcatch_pending *pending;
	bool waits;
	u64 comm[2];
	u64 comm_mask[2];
	u32 number;
	u32 first;
	u32 nr;
	u32 nr_attached;
	struct list_head list;
	struct kcatch_counters __percpu **chunks;
	struct kcatch_probe probes[];
};

/* Taken for every change of what is hooked. Order: session lock, this one. */
extern struct mutex kcatch_sites_lock;

/**
 * kcatch_group_create() - make a group of probes, hooked but with a session
 * that decides whether hits count
 * @session: owner, its lock held
 * @add: flags, depth, budget, pid (already global), comm
 * @resolved: the addresses
 * @nr: how many; 0 where it waits
 * @pending: what it waits for; NULL: nothing. The group's on success
 * @group: result
 *
 * Context: may sleep.
 * Return: 0 or -errno, nothing being changed then
 */
int kcatch_group_create(struct kcatch_session *session, const struct kcatch_add *add,
			const struct kcatch_resolved *resolved, u32 nr,
			struct kcatch_group *root, struct kcatch_pending *pending,
			struct kcatch_group **group);

/**
 * kcatch_group_extend() - probes that come after the ADD, numbered anew
 * @group: no arrival itself; its session's lock held
 * @resolved: the addresses, with their programs; may be reordered. Where the group has
 *	a probe in place it is left out
 * @nr: how many
 *
 * They share gate, budget and slots for returns of @group. Hits count at once when the
 * session runs.
 *
 * Context: may sleep. Return: 0 or -errno, nothing being changed then
 */
int kcatch_group_extend(struct kcatch_group *group, struct kcatch_resolved *resolved, u32 nr);

/**
 * kcatch_group_has_more() - is any of its probes or those of its arrivals in place, or
 * may more come? kcatch_sites_lock held
 */
bool kcatch_group_has_more(const struct kcatch_group *group);

/**
 * kcatch_group_withdraw_locked() - detach it with its arrivals, and let no more come
 * @group: no arrival itself
 *
 * Context: kcatch_sites_lock held, may sleep.
 */
void kcatch_group_withdraw_locked(struct kcatch_group *group);

/**
 * kcatch_probe_bind() - give a probe a program
 * @probe: of a stopped session, or not in place yet
 * @code: the program; NULL: a plain record
 *
 * Return: 0; -EINVAL a condition on the return, which is not hooked; -E2BIG
 */
int kcatch_probe_bind(struct kcatch_probe *probe, const struct kcatch_program_code *code);

/**
 * kcatch_probe_detach() - take one probe out
 * @group: where it is: its own group or the arrival
 * @probe: may be out already
 *
 * Context: may sleep.
 */
void kcatch_probe_detach(struct kcatch_group *group, struct kcatch_probe *probe);

/**
 * kcatch_group_detach_locked() - take all probes of a group out; counters stay
 * @group: may be detached already
 *
 * Context: kcatch_sites_lock held, may sleep. No hook uses the probes when it
 * returns.
 */
void kcatch_group_detach_locked(struct kcatch_group *group);

/** kcatch_group_set_live() - do its hits count? kcatch_sites_lock held */
void kcatch_group_set_live(struct kcatch_group *group, bool live);

/** kcatch_group_count_missed() - does what the mechanism misses count from now
 * on? kcatch_sites_lock held, no hook under way when it ends */
void kcatch_group_count_missed(struct kcatch_group *group, bool count);

/** kcatch_group_settle_returns() - the session has stopped: no return of a call under
 * way will be seen. kcatch_sites_lock held, no hook under way */
void kcatch_group_settle_returns(struct kcatch_group *group);

/** kcatch_group_destroy() - free a detached group */
void kcatch_group_destroy(struct kcatch_group *group);

/** kcatch_probe_count() - a probe's counters of one CPU or KCATCH_CPU_ALL */
void kcatch_probe_count(struct kcatch_probe *probe, u32 cpu,
			struct kcatch_counters *sum);

/**
 * kcatch_probes_text_gone() - let go of a module's text, which is about to go
 * @module: whose
 * @init: only its init part
 *
 * Context: may sleep.
 */
void kcatch_probes_text_gone(struct module *module, bool init);

#endif
