/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much memory all sessions together may hold: a quarter of the machine's,
 * for rings, probes and counters.
 */
#ifndef _KCATCH_MEMORY_H
#define _KCATCH_MEMORY_H

#include <linux/types.h>

/**
 * kcatch_memory_charge() - ask before allocating
 * @bytes: how much; given back by kcatch_memory_uncharge()
 *
 * Context: any. Return: false: it would be too much
 */
bool kcatch_memory_charge(u64 bytes);
void kcatch_memory_uncharge(u64 bytes);

#endif
