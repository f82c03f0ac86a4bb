/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Creates and destroys groups of probes; group.h defines them.
 */
#ifndef _KCATCH_PROBE_H
#define _KCATCH_PROBE_H

#include <linux/types.h>
#include <uapi/kcatch.h>
#include "core/group.h"
#include "core/site.h"

struct kcatch_resolved;
struct module;

/**
 * kcatch_group_create() - create a group of probes and hook them; the session decides whether
 * hits count
 * @session: owner, its lock held
 * @add: flags, depth, budget, pid (already global), comm
 * @resolved: the addresses
 * @nr: number of addresses; may be 0 with @pending
 * @pending: pending targets; NULL: none. Owned by the group on success
 * @group: result
 *
 * Context: may sleep.
 * Return: 0, or -errno with nothing changed; -EAGAIN: a module was unloaded since the
 * addresses were looked up: look them up again
 */
int kcatch_group_create(struct kcatch_session *session, const struct kcatch_add *add,
			const struct kcatch_resolved *resolved, u32 nr,
			struct kcatch_group *root, struct kcatch_pending *pending,
			struct kcatch_group **group);

/**
 * kcatch_group_extend() - add probes after the ADD, with new numbers
 * @group: not an arrival; its session's lock held
 * @resolved: the addresses, with their programs; may be reordered. Addresses at which
 *	the group has a probe are left out
 * @nr: number of addresses
 *
 * The probes share @group's gate, budget and slots for returns. Hits count at once when the
 * session runs.
 *
 * Context: may sleep. Return: as kcatch_group_create()
 */
int kcatch_group_extend(struct kcatch_group *group, struct kcatch_resolved *resolved, u32 nr);

/**
 * kcatch_group_has_more() - is any probe of the group or its arrivals in place, or may more
 * probes come? kcatch_sites_lock held
 */
bool kcatch_group_has_more(const struct kcatch_group *group);

/**
 * kcatch_group_withdraw_locked() - detach a group and its arrivals, and accept no more probes
 * @group: not an arrival
 *
 * Context: kcatch_sites_lock held, may sleep.
 */
void kcatch_group_withdraw_locked(struct kcatch_group *group);

/**
 * kcatch_groups_withdraw_locked() - withdraw several groups in the time of one
 * @session: session of the groups
 * @which: selects groups; for an arrival it is called with the parent. NULL: all groups
 * @data: argument of @which
 *
 * Context: kcatch_sites_lock held, may sleep. No hook uses their probes when it returns.
 */
void kcatch_groups_withdraw_locked(struct kcatch_session *session,
				   bool (*which)(const struct kcatch_group *group,
						 const void *data),
				   const void *data);

/**
 * kcatch_groups_count_ended_locked() - count the probes of groups that end, into nr_ended
 * @session: session of the groups
 * @which: selects groups, as above. They accept no more probes
 *
 * Context: kcatch_sites_lock held.
 */
void kcatch_groups_count_ended_locked(struct kcatch_session *session,
				      bool (*which)(const struct kcatch_group *group,
						    const void *data));

/**
 * kcatch_probe_bind() - bind a program to a probe
 * @probe: of a stopped session, or not in place yet
 * @code: the program; NULL: a plain record
 *
 * Return: 0; -EINVAL: the program has a condition on the return, which is not hooked, or a user
 * stack, for which the record has no place; -E2BIG: the record would be too large
 */
int kcatch_probe_bind(struct kcatch_probe *probe, const struct kcatch_program_code *code);

/**
 * kcatch_probe_detach() - detach one probe
 * @group: group or arrival that contains it
 * @probe: may be detached already
 *
 * Context: may sleep.
 */
void kcatch_probe_detach(struct kcatch_group *group, struct kcatch_probe *probe);

/**
 * kcatch_group_mode_set() - change the mode that hits read
 * @group: group to change
 * @set: KCATCH_GROUP_* to be set
 * @clear: KCATCH_GROUP_* to be cleared
 *
 * Nothing else changes the mode; this function also decides whether hits may take the fast
 * path. An arrival's probes depend on its parent's mode: the parent's is changed first.
 *
 * Context: kcatch_sites_lock held, or the group is not published yet.
 */
void kcatch_group_mode_set(struct kcatch_group *group, u32 set, u32 clear);

/**
 * kcatch_group_silence() - no further hit of a group counts, and its probes stay in place
 * @group: group of a session that cannot be taken down any more (robust.h)
 *
 * Context: any, without a lock: the mode is one word.
 */
void kcatch_group_silence(struct kcatch_group *group);

/**
 * kcatch_group_choose() - let hits choose among the probes of each place, see site_choice.h
 * kcatch_group_drop_choices() - let hits ask each probe of the group's places
 *
 * Context: kcatch_sites_lock held, may sleep.
 * Return: of drop: whether kcatch_quiesce() and kcatch_choices_settle() must follow
 */
void kcatch_group_choose(struct kcatch_group *group);
bool kcatch_group_drop_choices(struct kcatch_group *group);

/** kcatch_group_count_missed() - start or stop counting the hits that the mechanism misses.
 * Context: kcatch_sites_lock held; to stop, no hook may be running */
void kcatch_group_count_missed(struct kcatch_group *group, bool count);

/**
 * kcatch_group_begin_run() - a START begins, before the group is KCATCH_GROUP_LIVE
 *
 * Hooks load mode, run, slots and program without a barrier. kcatch_quiesce() between this and the
 * mode puts one on each CPU: who finds the group live finds the rest.
 *
 * Context: kcatch_sites_lock held.
 */
void kcatch_group_begin_run(struct kcatch_group *group);

/**
 * kcatch_group_place_returns() - hook the returns of a group in the public way, if that is the way
 * @group: probes are in place; the group, or that of an arrival, has its slots
 *
 * Context: kcatch_sites_lock held, may sleep. Return: 0, -ENOMEM, -EOPNOTSUPP
 */
int kcatch_group_place_returns(struct kcatch_group *group);

/** kcatch_group_forget_returns() - before its slots are destroyed: it has others afterwards.
 * Context: kcatch_sites_lock held */
void kcatch_group_forget_returns(struct kcatch_group *group);

/** kcatch_group_settle_returns() - count the calls that had not returned when the session
 * stopped. Context: kcatch_sites_lock held, no hook running */
void kcatch_group_settle_returns(struct kcatch_group *group);

/** kcatch_group_destroy() - free a detached group */
void kcatch_group_destroy(struct kcatch_group *group);

/** kcatch_probe_count() - sum a probe's counters of one CPU, or of all with KCATCH_CPU_ALL.
 * Context: kcatch_sites_lock held */
void kcatch_probe_count(struct kcatch_probe *probe, u32 cpu,
			struct kcatch_counters *sum);

/**
 * kcatch_probes_in_text() - does kcatch_probes_text_gone() have any to detach?
 * @module: as for kcatch_probes_text_gone()
 * @init: as for kcatch_probes_text_gone()
 * @tracepoints: are tracepoints among them?
 *
 * Context: may sleep.
 */
bool kcatch_probes_in_text(struct module *module, bool init, bool *tracepoints);

/**
 * kcatch_probes_text_gone() - detach the probes in a module's text before it is freed
 * @module: module being unloaded, or whose init part is freed
 * @init: only the init part
 *
 * Context: may sleep.
 */
void kcatch_probes_text_gone(struct module *module, bool init);

#endif
