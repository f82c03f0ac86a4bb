/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Freezing: the rings of a session stop changing, so that the records before an event are
 * still there when somebody reads them (output.h).
 *
 * The die notifier (oops), the panic notifier, the tracepoints error_report_end (warnings,
 * KFENCE, KASAN) and sched_process_hang, and a hook (lockup.h) report the kernel's events.
 */
#ifndef _KCATCH_FREEZE_H
#define _KCATCH_FREEZE_H

#include <linux/types.h>

/** kcatch_freeze_check() - can a session be frozen by these? @flags: KCATCH_SETUP_*;
 * 0, -EINVAL, -EOPNOTSUPP: this kernel does not tell of one of these */
int kcatch_freeze_check(u32 flags);

/**
 * kcatch_freeze_enter() - begin to watch for the events that freeze a new session
 * @flags: KCATCH_SETUP_*, checked
 *
 * Context: may sleep. Return: 0, -EOPNOTSUPP: the kernel's report cannot be hooked
 */
int kcatch_freeze_enter(u32 flags);

/** kcatch_freeze_leave() - undo kcatch_freeze_enter() for a session that is in no list any more.
 * Context: may sleep */
void kcatch_freeze_leave(u32 flags);

/** kcatch_freeze_lockup() - the watchdog reports a soft lockup. Context: any */
void kcatch_freeze_lockup(void);

int kcatch_freeze_init(void);
void kcatch_freeze_exit(void);

#endif
