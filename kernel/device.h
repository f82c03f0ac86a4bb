/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The device /dev/kcatch, and the permission to use what it shows.
 */
#ifndef _KCATCH_DEVICE_H
#define _KCATCH_DEVICE_H

int kcatch_device_init(void);
void kcatch_device_exit(void);

#endif
