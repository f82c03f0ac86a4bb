/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Freezing: the rings of a session stay as they are, so that what led to something is
 * still there when somebody comes to look.
 *
 * The rings are frozen at once, from any context (ring.h). What comes after is refused
 * there, until a worker has marked the groups (KCATCH_GROUP_FROZEN): then it costs little.
 *
 * The kernel's troubles reach us by the die notifier (oops), the panic notifier, the
 * tracepoints error_report_end (warnings; KFENCE and KASAN, too) and sched_process_hang, and
 * by a hook (lockup.h).
 */
#ifndef _KCATCH_FREEZE_H
#define _KCATCH_FREEZE_H

#include <linux/types.h>

struct kcatch_session;

/**
 * kcatch_session_freeze() - take no more records
 * @session: does not go meanwhile: the caller is in one of its hooks
 * @why: KCATCH_FROZEN_*
 * @probe: KCATCH_FROZEN_PROBE: which
 *
 * On this CPU no record is made after it. On others one may be under way.
 *
 * Context: any, NMI too; preemption off.
 * Return: false when it is frozen already, for another reason
 */
bool kcatch_session_freeze(struct kcatch_session *session, u32 why, u32 probe);

/** kcatch_session_thaw() - go on. Context: may sleep, session->lock held */
void kcatch_session_thaw(struct kcatch_session *session);

/** kcatch_session_mark_frozen() - make hits of a frozen session cheap. Context: may sleep */
void kcatch_session_mark_frozen(struct kcatch_session *session);

/** kcatch_session_is_frozen() - KCATCH_FROZEN_*. Context: any */
u32 kcatch_session_is_frozen(const struct kcatch_session *session);

/** kcatch_freeze_check() - can a session be frozen by these? @flags: KCATCH_SETUP_*;
 * 0, -EINVAL, -EOPNOTSUPP: this kernel does not tell of one of these */
int kcatch_freeze_check(u32 flags);

/**
 * kcatch_freeze_enter() - a session that is frozen by these begins
 * @flags: KCATCH_SETUP_*, checked
 *
 * Context: may sleep. Return: 0, -EOPNOTSUPP: the kernel's report cannot be hooked
 */
int kcatch_freeze_enter(u32 flags);

/** kcatch_freeze_leave() - and has gone: it is in no list any more. Context: may sleep */
void kcatch_freeze_leave(u32 flags);

/** kcatch_freeze_lockup() - the watchdog reports a soft lockup. Context: any */
void kcatch_freeze_lockup(void);

int kcatch_freeze_init(void);
void kcatch_freeze_exit(void);

#endif
