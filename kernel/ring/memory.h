/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The limit on the memory of all sessions together: a quarter of the machine's memory, for open
 * files, rings, probes and counters, and what the kernel can give without killing a process. Module
 * parameter memory_held shows the account.
 */
#ifndef _KCATCH_RING_MEMORY_H
#define _KCATCH_RING_MEMORY_H

#include <linux/types.h>

/**
 * kcatch_memory_charge() - ask before allocating
 * @bytes: bytes to charge; given back by kcatch_memory_uncharge()
 *
 * Context: any. Return: true; false: a limit would be exceeded
 */
bool kcatch_memory_charge(u64 bytes);
void kcatch_memory_uncharge(u64 bytes);

/** kcatch_memory_held() - bytes charged now; 0 when there is no session. Context: any */
u64 kcatch_memory_held(void);

#endif
