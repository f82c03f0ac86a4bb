/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code that the kernel generates between a function and our ftrace hook.
 */
#ifndef _KCATCH_TRAMPOLINE_H
#define _KCATCH_TRAMPOLINE_H

#include <linux/types.h>

struct ftrace_ops;

/** kcatch_trampoline_init() - set the ops that have them. Context: before anything is hooked */
void kcatch_trampoline_init(const struct ftrace_ops *first, const struct ftrace_ops *second);

/**
 * kcatch_trampoline_has() - is @address in a trampoline?
 * @offset: out: offset in that trampoline, in bytes
 *
 * Context: any.
 */
bool kcatch_trampoline_has(unsigned long address, unsigned long *offset);

#endif
