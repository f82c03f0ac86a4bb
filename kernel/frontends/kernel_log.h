/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints records as text to the kernel log, for the text interfaces.
 */
#ifndef _KCATCH_FRONTENDS_KERNEL_LOG_H
#define _KCATCH_FRONTENDS_KERNEL_LOG_H

struct kcatch_hit;

/**
 * kcatch_log_circumstances() - one line: pid, command, CPU, interrupt state
 * @frontend: name of the frontend, with which the line starts
 * @hit: the caught call
 * @cpu: CPU of the call
 *
 * Context: process.
 */
void kcatch_log_circumstances(const char *frontend, const struct kcatch_hit *hit, unsigned int cpu);

/** kcatch_log_stack() - the call trace, a line a frame, marked where it is
 * not the whole. Context: process. */
void kcatch_log_stack(const struct kcatch_hit *hit);

/** kcatch_log_stack_short() - the call trace in one line. Context: process. */
void kcatch_log_stack_short(const char *frontend, const struct kcatch_hit *hit);

#endif
