/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes the last records before a freeze to the kernel log (KCATCH_SETUP_LOG), for a machine
 * that can no longer run a command.
 */
#ifndef _KCATCH_FREEZE_LOG_H
#define _KCATCH_FREEZE_LOG_H

#include <linux/types.h>

struct kcatch_session;

/** struct kcatch_freeze_log - one report; @left: lines of records that may still be written */
struct kcatch_freeze_log {
	u32 left;
};

/** kcatch_freeze_log_begin() - begin a report, which all frozen sessions share. Context: any */
void kcatch_freeze_log_begin(struct kcatch_freeze_log *log);

/**
 * kcatch_freeze_log() - write the last records of each CPU, oldest first
 * @log: the report
 * @session: frozen session
 *
 * At most 8 records a CPU of a session, and 128 in a report; a record is one line. Beside its name
 * and process it has at most 4 frames.
 *
 * Context: any, NMI and panic too; between kcatch_outside_enter() and kcatch_outside_leave(), so
 * that the session and its groups stay.
 */
void kcatch_freeze_log(struct kcatch_freeze_log *log, struct kcatch_session *session);

#endif
