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

/**
 * kcatch_may_read() - may records be read through a descriptor that is open
 *
 * Whoever holds it was trusted by the one who opened it.
 *
 * Context: process. Return: 0, or -EPERM: the kernel was locked down meanwhile
 */
int kcatch_may_read(void);

#endif
