/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints records as text to the kernel log, for the text frontends.
 */
#ifndef _KCATCH_FRONTENDS_KERNEL_LOG_H
#define _KCATCH_FRONTENDS_KERNEL_LOG_H

struct kcatch_hit;

/**
 * kcatch_log_circumstances() - print one line: pid, command, CPU, interrupts on or off, context
 * @frontend: name of the frontend: the beginning of the line
 * @hit: record of the call
 * @cpu: CPU of the call
 *
 * Context: process.
 */
void kcatch_log_circumstances(const char *frontend, const struct kcatch_hit *hit, unsigned int cpu);

/**
 * kcatch_log_stack() - print the stack, one line a frame
 * @hit: record of the call
 *
 * A last line says so if the stack was cut or could not be walked to its end.
 *
 * Context: process.
 */
void kcatch_log_stack(const struct kcatch_hit *hit);

/**
 * kcatch_log_stack_short() - print the stack in one line of at most 900 bytes
 * @frontend: name of the frontend: the beginning of the line
 * @hit: record of the call
 *
 * The line ends with "..." if not all frames fit. Without memory it is kcatch_log_stack().
 *
 * Context: process, may sleep.
 */
void kcatch_log_stack_short(const char *frontend, const struct kcatch_hit *hit);

#endif
