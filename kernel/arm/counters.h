/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters of probes: memory for a group's, and what a mechanism missed. probe.h has the sums.
 */
#ifndef _KCATCH_COUNTERS_H
#define _KCATCH_COUNTERS_H

struct kcatch_counters;
struct kcatch_group;
struct kcatch_probe;
struct kcatch_session;

/**
 * kcatch_counters_alloc() - give all probes of a group counters
 *
 * Context: may sleep. Return: 0; -ENOMEM, with what there is for kcatch_counters_free()
 */
int kcatch_counters_alloc(struct kcatch_group *group);

/** kcatch_counters_free() - free them; none or some may be there. Context: no hook uses them */
void kcatch_counters_free(struct kcatch_group *group);

/** kcatch_counters_add() - add the counters of one more probe to a sum. Context: any */
void kcatch_counters_add(struct kcatch_counters *sum, const struct kcatch_counters *more);

/**
 * kcatch_probe_settle_missed() - take over what the mechanism has missed so far
 *
 * It counts while the session runs. Context: kcatch_sites_lock held.
 */
void kcatch_probe_settle_missed(struct kcatch_probe *probe);

/**
 * kcatch_session_look_at_hooks() - find out which hooks of a session that runs are out of place
 *
 * Those of ftrace are looked at when the session stops. While somebody else changes hooks nothing
 * is looked at, as that may take long beside a CPU that spins.
 *
 * Context: session->lock held, may sleep.
 */
void kcatch_session_look_at_hooks(struct kcatch_session *session);

#endif
