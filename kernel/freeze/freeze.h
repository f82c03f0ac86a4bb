/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Freezes sessions at events of the kernel: their rings stop changing, so that the records before
 * the event are kept until they are read (output.h).
 *
 * The events are reported by the die notifier (oops), the panic notifier, the tracepoints
 * error_report_end (warnings, KFENCE, KASAN) and sched_process_hang, and lockup.h.
 */
#ifndef _KCATCH_FREEZE_H
#define _KCATCH_FREEZE_H

#include <linux/types.h>

/**
 * kcatch_freeze_check() - test the flags of a SETUP
 * @flags: KCATCH_SETUP_*
 *
 * Context: any, after kcatch_freeze_init().
 * Return: 0; -EINVAL: an unknown flag, or KCATCH_SETUP_LOG without an event; -EOPNOTSUPP: this
 * kernel does not report one of the events
 */
int kcatch_freeze_check(u32 flags);

/**
 * kcatch_freeze_enter() - begin to watch for the events that freeze a new session
 * @flags: KCATCH_SETUP_*, checked
 *
 * Context: may sleep, as kcatch_lockup_watch(). Return: as that
 */
int kcatch_freeze_enter(u32 flags);

/**
 * kcatch_freeze_leave() - undo kcatch_freeze_enter()
 * @flags: as then; the session has been removed from kcatch_sessions
 *
 * Context: may sleep.
 */
void kcatch_freeze_leave(u32 flags);

/** kcatch_freeze_lockup() - freeze the sessions that a soft lockup freezes. Their logs follow
 * when the present interrupt is over. Context: any */
void kcatch_freeze_lockup(void);

int kcatch_freeze_init(void);
void kcatch_freeze_exit(void);

#endif
