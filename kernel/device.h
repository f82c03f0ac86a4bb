/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /dev/kcatch.
 */
#ifndef _KCATCH_DEVICE_H
#define _KCATCH_DEVICE_H

int kcatch_device_init(void);
void kcatch_device_exit(void);

/**
 * kcatch_may_trace() - may the current task see what kcatch shows
 *
 * Return: 0, or -EPERM: no capability, or the kernel is locked down
 */
int kcatch_may_trace(void);

#endif
