/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The permission to trace, checked by the device and by the text interfaces alike.
 */
#ifndef _KCATCH_PERMISSION_H
#define _KCATCH_PERMISSION_H

/**
 * kcatch_may_trace() - may the current task see what kcatch shows
 *
 * Context: process. Return: 0, or -EPERM: no capability, or the kernel is locked down
 */
int kcatch_may_trace(void);

#endif
