/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes, and the groups that hold their gate and budget: the data a hit finds at a site.
 * Hooks read it under the guard; probe.h creates and changes it.
 */
#ifndef _KCATCH_GROUP_H
#define _KCATCH_GROUP_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <uapi/kcatch.h>

struct kcatch_choice;
struct kcatch_pending;
struct kcatch_program_code;
struct kcatch_returns;
struct kcatch_returns_place;
struct kcatch_ring;
struct kcatch_session;
struct kcatch_site;
struct kcatch_descendants;
struct kcatch_output;

/**
 * struct kcatch_cpu_counters - what hits on one CPU count
 * @deferred: while the session runs: calls among @in_flight whose condition on the entry will be
 *	decided at the return
 * @choice_past: filtered in choices (site_choice.h) that are gone
 *
 * The others are those of struct kcatch_counters.
 */
struct kcatch_cpu_counters {
#define MEMBER(name, words, help) u64 name;
	KCATCH_COUNTERS(MEMBER)
#undef MEMBER
	u64 deferred;
	u64 choice_past;
};

/**
 * struct kcatch_probe - one address of one group
 * @at_site: in its site's list
 * @site: its site; NULL once detached
 * @group: group whose gate and budget apply
 * @counters: hits by outcome, per CPU
 * @program: what to fetch and which calls to record; NULL: plain records
 * @event_shape: KCATCH_SHAPE_* of @program; none in a group with KCATCH_GROUP_SLOW_EVENT, but for
 *	KCATCH_SHAPE_IN_CALL*
 * @choice: the choice of its site that it is in for its key, or NULL; kcatch_sites_lock
 * @returns: the return is hooked
 * @place: its kretprobe, where returns are hooked in the public way; kcatch_sites_lock
 * @returnable: the return can be hooked
 * @unreturned: calls that had not returned when the session was stopped
 * @unseen: calls among @unreturned whose condition on the return was not evaluated
 * @unwanted: the same, of those that the spent budget would have refused; all three under
 *	kcatch_sites_lock
 * @target: index of the target of the ADD that made the probe
 * @number: number in the session
 * @id: KCATCH_RECORD_ID() of its records, without the kind
 * @address: address of the site
 * @missed: hits that the mechanism itself missed while the session ran, up to the last
 *	update; kcatch_sites_lock, as the next two
 * @missed_before: the mechanism's count of missed hits at the last update
 * @counts_missed: the session runs
 * @offset: offset in the function, in bytes
 * @mechanism: KCATCH_MECHANISM_*
 * @flags: KCATCH_PROBE_*, but not KCATCH_PROBE_RETURN, which @returns says; kcatch_sites_lock
 */
struct kcatch_probe {
	struct hlist_node at_site;
	struct kcatch_site *site;
	struct kcatch_group *group;
	struct kcatch_cpu_counters __percpu *counters;
	const struct kcatch_program_code *program;
	struct kcatch_choice *choice;
	u8 event_shape;
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
	u64 unwanted;
	struct kcatch_returns_place *place;
	u32 target;
	u32 offset;
	u16 mechanism;
	u16 flags;
};

/* Probes whose counters are allocated in one piece (24 KB a CPU at most). */
#define KCATCH_COUNTERS_CHUNK	256

/* struct kcatch_group.mode: the state that a hit reads, in one word. */
#define KCATCH_GROUP_LIVE	(1U << 0)	/* the session runs, all is in place: hits count */
#define KCATCH_GROUP_LIMITED	(1U << 1)	/* there is a budget */
#define KCATCH_GROUP_GATED	(1U << 2)	/* not every process, nor all but one */
#define KCATCH_GROUP_NO_STACK	(1U << 3)
#define KCATCH_GROUP_WAKE_EACH	(1U << 4)	/* wake the reader for each record */
#define KCATCH_GROUP_FREEZE	(1U << 5)	/* a record freezes the session */
#define KCATCH_GROUP_FROZEN	(1U << 6)	/* the rings stay as they are */
#define KCATCH_GROUP_OTHERS	(1U << 7)	/* every process but the one that armed the
						 * group: the gate of nearly all groups */
/* Derived from the bits above for the fast paths, by kcatch_group_mode_set(). */
#define KCATCH_GROUP_SLOW	(1U << 8)	/* not live, or a hit needs more than its gate */
#define KCATCH_GROUP_SLOW_RETURN (1U << 9)	/* not live, or a return needs more than a record */
#define KCATCH_GROUP_SLOW_EVENT	(1U << 10)	/* not live, or an event needs more than a record
						 * without a stack in every process but one */
#define KCATCH_GROUP_REFUSES	(1U << 11)	/* a budget or a freeze may refuse a hit, before its
						 * condition is asked */

/**
 * struct kcatch_group - the probes armed by one ADD
 * @session: owner
 * @mode: KCATCH_GROUP_*
 * @ring: the session's ring buffers, per CPU
 * @output: the session's output
 * @left: records left in the budget, with KCATCH_GROUP_LIMITED
 * @refunds: records that found no room and gave their share of the budget back
 * @flags: KCATCH_ADD_*
 * @depth: frames of a recorded stack
 * @tgid: process of the gate, as the first pid namespace numbers it
 * @process: the same: a thread of it that was there at the ADD, held. Its @signal is that of the
 *	process and of no other, also of one that has got its number since; NULL without
 *	KCATCH_ADD_PID
 * @descendants: KCATCH_ADD_CHILDREN: the process and its children; else NULL
 * @cgroup: id of the gate's cgroup; @cgroup_level: its level
 * @adder: process that armed the group, if its calls do not count; else -1
 * @adder_process: the same, as @process; NULL: the number alone decides
 * @comm: command of the gate
 * @comm_mask: bytes of @comm to compare: the characters and the end mark; the bytes after it
 *	differ by kernel
 * @returns: slots for calls under way; made at START
 * @run: number of STARTs so far; a call that began in an earlier run does not count
 * @root: with KCATCH_ADD_UNDER: the group its calls must be under
 * @levels: maximum depth of its calls below @root, counted in hooked returns; 0: no
 *	limit
 * @max_active: slots requested for returns; 0: kcatch chooses
 * @parent: for an arrival (probes that came after the ADD): the group that holds its gate,
 *	budget and slots, and to which probe->group points. An arrival itself uses only
 *	@number, @since and the fields about @probes. NULL: not an arrival
 * @since: of an arrival: time of the clock before its first hit; else 0
 * @pending: targets it waits for; NULL: none. session->lock
 * @waits: more probes may come; kcatch_sites_lock
 * @number: number in the session
 * @first: number of its first probe
 * @nr: number of probes
 * @nr_attached: probes in place; kcatch_sites_lock
 * @nr_leaving: probes in place that are being detached; valid within one hold of the lock
 * @nr_below: probes in place of its arrivals; kcatch_sites_lock
 * @refunds_seen: @refunds when the budget was found spent; session.c, as the next
 * @is_spent: the group has made its last record and is being removed
 * @is_ended: its probes are in kcatch_session.nr_ended; kcatch_sites_lock
 * @list: in the session's list of groups; kcatch_sites_lock
 * @removed: next group that is being removed; session.c
 * @chunks: counters, one allocation for each KCATCH_COUNTERS_CHUNK probes
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
	struct task_struct *process;
	struct task_struct *adder_process;
	struct kcatch_descendants *descendants;
	struct kcatch_returns *returns;
	struct kcatch_output *output;
	struct kcatch_group *root;
	u32 run;
	u32 levels;
	u32 max_active;
	struct kcatch_group *parent;
	u64 since;
	struct kcatch_pending *pending;
	bool waits;
	u64 comm[2];
	u64 comm_mask[2];
	u64 cgroup;
	s32 cgroup_level;
	u32 number;
	u32 first;
	u32 nr;
	u32 nr_attached;
	u32 nr_leaving;
	u32 nr_below;
	s64 refunds_seen;
	bool is_spent;
	bool is_ended;
	struct list_head list;
	struct kcatch_group *removed;
	struct kcatch_cpu_counters __percpu **chunks;
	struct kcatch_probe probes[];
};

#endif
