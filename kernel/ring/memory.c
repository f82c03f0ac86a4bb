// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accounts the memory of all sessions.
 */
#include <linux/atomic.h>
#include <linux/mm.h>
#include "ring/memory.h"

static atomic64_t held;

bool kcatch_memory_charge(u64 bytes)
{
	u64 limit = (u64)totalram_pages() * PAGE_SIZE / 4;

	/* Else somebody else's process would be killed to make room. */
	if (bytes >> PAGE_SHIFT >= max(si_mem_available(), 0L))
		return false;
	if (bytes <= limit && (u64)atomic64_add_return(bytes, &held) <= limit)
		return true;
	if (bytes <= limit)
		atomic64_sub(bytes, &held);
	return false;
}

void kcatch_memory_uncharge(u64 bytes)
{
	atomic64_sub(bytes, &held);
}

u64 kcatch_memory_held(void)
{
	return atomic64_read(&held);
}
