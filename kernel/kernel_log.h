/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records as text in the kernel log, for the text doors.
 */
#ifndef _KCATCH_KERNEL_LOG_H
#define _KCATCH_KERNEL_LOG_H

struct kcatch_hit;

/**
 * kcatch_log_circumstances() - one line: pid, command, CPU, interrupt state
 * @door: what the line starts with
 * @hit: the caught call
 * @cpu: where
 *
 * Context: process.
 */
void kcatch_log_circumstances(const char *door, const struct kcatch_hit *hit, unsigned int cpu);

/** kcatch_log_stack() - the call trace, a line a frame, marked where it is
 * not the whole. Context: process. */
void kcatch_log_stack(const struct kcatch_hit *hit);

/** kcatch_log_stack_short() - the call trace in one line. Context: process. */
void kcatch_log_stack_short(const char *door, const struct kcatch_hit *hit);

#endif
