/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes the last records before a freeze to the kernel log, for machines that can run no
 * command any more.
 */
#ifndef _KCATCH_FREEZE_LOG_H
#define _KCATCH_FREEZE_LOG_H

#include <linux/types.h>

struct kcatch_session;

/** struct kcatch_freeze_log - @left: lines that may still be written */
struct kcatch_freeze_log {
	u32 left;
};

/** kcatch_freeze_log_begin() - one report, of all sessions together. Context: any */
void kcatch_freeze_log_begin(struct kcatch_freeze_log *log);

/**
 * kcatch_freeze_log() - the last records of each CPU
 * @log: the report
 * @session: frozen; does not go meanwhile, nor do its groups (kcatch_outside_enter())
 *
 * At most 8 lines a CPU, and 128 in all.
 *
 * Context: any, NMI and panic too.
 */
void kcatch_freeze_log(struct kcatch_freeze_log *log, struct kcatch_session *session);

#endif
